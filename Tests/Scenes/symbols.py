"""Symbols with random texts: their modules, their quiet zones, and the texts that a reader may report for them.

The modules come from the encoder of zxing-cpp, which is that of zint.
"""
import re
import string
from dataclasses import dataclass, field

import cv2
import numpy
import zxingcpp

DIGITS = string.digits
CAPITALS = string.ascii_uppercase + string.digits
LINEAR = 10  # The quiet zone of most linear symbologies, in modules.


@dataclass
class Symbol:
    """A symbol before it is drawn.

    kind: the symbology, by the name that decode-image gives it.
    text: the message.
    texts: what a reader may report for it, after `normalized`.
    cells: an array of rows and columns of modules, 0 for dark and 255 for light.
    quiet: the width of the quiet zone in modules.
    data: the bytes of the message, if the encoder tells them.
    """
    kind: str
    text: str
    texts: set
    cells: numpy.ndarray = field(repr=False)
    quiet: int
    scale: float = 1
    data: bytes = None

    @property
    def width(self):
        """The width in modules."""
        return self.cells.shape[1] / self.scale

    @property
    def is_linear(self):
        return self.kind in HEIGHTS

    def drawn(self, module, height=None):
        """The picture of the symbol without its quiet zone: an array of gray levels.

        module: pixels a module, a whole number.
        height: pixels; only linear symbols heed it, and keep their least height.
        """
        cells = self.cells
        if self.is_linear:
            starts = numpy.flatnonzero(numpy.r_[True, (cells[1:] != cells[:-1]).any(axis=1)])
            runs = numpy.diff(numpy.r_[starts, len(cells)]) * module
            longest = runs.argmax()
            least = HEIGHTS[self.kind] * module - runs.sum() + runs[longest]
            wanted = (height or 0) - runs.sum() + runs[longest]
            runs[longest] = max(least, wanted, module)
            return numpy.repeat(cells[starts], runs, axis=0).repeat(module, axis=1)
        if self.scale == 1:
            return cells.repeat(module, axis=0).repeat(module, axis=1)
        size = [round(side * module / self.scale) for side in cells.shape[::-1]]
        return cv2.resize(cells, size, interpolation=cv2.INTER_AREA if module < self.scale else cv2.INTER_CUBIC)


def check_digit(digits):
    """The check digit of a GTIN."""
    return str(-sum(int(d) * (1 if i % 2 else 3) for i, d in enumerate(reversed(digits))) % 10)


def expanded_upce(s):
    """The 12 digits that the 8 of a UPC-E stand for."""
    n, d, last, c = s[0], s[1:6], s[6], s[7]
    if last in "012":
        return n + d[:2] + last + "0000" + d[2:] + c
    if last == "3":
        return n + d[:3] + "00000" + d[3:] + c
    return n + (d[:4] + "00000" + d[4] if last == "4" else d + "0000" + last) + c


def code32_number(characters):
    """The number of a Code 32 that six characters of Code 39 carry."""
    value = 0
    for character in characters:
        value = value * 32 + "0123456789BCDFGHJKLMNPQRSTUVWXYZ".index(character)
    return f"A{value:09}"


def normalized(text, kind=""):
    """A text without what readers write differently: brackets, separators, the leading zeros of numbers, add-ons."""
    text = re.sub(r"[()\x1d\r\n]", "", text).strip()
    if re.fullmatch(r"\d{8,13}[ +]\d{2}(\d{3})?", text):
        text = re.split("[ +]", text)[0]
    if kind == "upc_e" and re.fullmatch(r"[01]\d{7}", text):
        text = expanded_upce(text)
    if re.fullmatch(r"[A-D][\d$:/.+-]+[A-D]", text, re.I):
        text = text[1:-1]
    return text.lstrip("0") if text.isdigit() else text


def pick(r, letters, shortest, longest=None):
    return "".join(r.choices(letters, k=r.randint(shortest, longest or shortest)))


def gtin(r, length):
    digits = r.choice("123456789") + pick(r, DIGITS, length - 2)
    return digits + check_digit(digits)


def message(r):
    """A text as matrix symbols have it: a link, a number of a lot, a few words, or a longer one."""
    return r.choice([
        lambda: "https://example.com/" + pick(r, string.ascii_lowercase + DIGITS, 5, 24),
        lambda: f"LOT {pick(r, DIGITS, 6)} {pick(r, CAPITALS, 3, 9)}",
        lambda: pick(r, CAPITALS, 10, 20),
        lambda: f"id={pick(r, DIGITS, 9)}&name={pick(r, string.ascii_letters, 4, 12)}&" + pick(r, CAPITALS, 10, 70),
    ])()


def upce(r):
    while True:
        six = pick(r, DIGITS, 6)
        if not (six[5] == "3" and six[2] in "012" or six[5] == "4" and six[3] == "0" or six[5] > "4" and six[4] == "0"):
            return "0" + six


def add_on(r, length):
    first = r.choice(["978", "977"]) if length == 5 else r.choice("123456789") + pick(r, DIGITS, 2)
    return first + pick(r, DIGITS, 9) + "+" + pick(r, DIGITS, length)


def gs1_weight(r):
    return f"(01){gtin(r, 14)}(3103)00{pick(r, DIGITS, 4)}"


def gs1_lot(r):
    return f"01{'0' + gtin(r, 13)}17{r.randint(26, 35)}0{r.randint(1, 9)}1{r.randint(0, 9)}10{pick(r, CAPITALS, 5, 9)}"


FORMATS = zxingcpp.BarcodeFormat

# Symbology, weight, format of zxing-cpp, quiet zone in modules, and a function from a generator to the text.
TABLE = [
    ("ean_13", 20, FORMATS.EAN13, 11, lambda r: gtin(r, 13)),
    ("ean_13", 3, FORMATS.EAN13, 11, lambda r: add_on(r, r.choice([2, 5, 5]))),
    ("ean_8", 5, FORMATS.EAN8, 7, lambda r: gtin(r, 8)),
    ("upc_a", 6, FORMATS.UPCA, 9, lambda r: gtin(r, 12)),
    ("upc_e", 3, FORMATS.UPCE, 9, upce),
    ("code_128", 16, FORMATS.Code128, LINEAR, lambda r: pick(r, CAPITALS + "abcdef-/ ", 6, 14).strip()),
    ("code_128", 3, FORMATS.Code128, LINEAR, lambda r: pick(r, DIGITS, 12, 20)),
    ("code_39", 9, FORMATS.Code39, LINEAR, lambda r: "P" + pick(r, CAPITALS + "-.", 6, 11)),
    ("code_39_extended", 1, FORMATS.Code39Ext, LINEAR, lambda r: "Lot" + pick(r, string.ascii_lowercase, 3, 5)),
    ("code_32", 1, FORMATS.Code32, LINEAR, lambda r: "0" + pick(r, DIGITS, 7)),
    ("code_93", 3, FORMATS.Code93, LINEAR, lambda r: pick(r, CAPITALS + "-. ", 6, 14).strip()),
    ("codabar", 3, FORMATS.Codabar, LINEAR, lambda r: r.choice("ABCD") + pick(r, DIGITS, 6, 11) + r.choice("ABCD")),
    ("itf", 5, FORMATS.ITF, LINEAR, lambda r: "7" + pick(r, DIGITS, r.choice([7, 9, 11]))),
    ("itf", 3, FORMATS.ITF, LINEAR, lambda r: gtin(r, 14)),
    ("telepen", 1, FORMATS.TelepenAlpha, LINEAR, lambda r: "Te" + pick(r, string.ascii_letters, 4, 8)),
    ("databar", 3, FORMATS.DataBarOmni, 4, lambda r: "01" + "0" + gtin(r, 13)),
    ("databar", 1, FORMATS.DataBarStk, 4, lambda r: "01" + "0" + gtin(r, 13)),
    ("databar", 1, FORMATS.DataBarStkOmni, 4, lambda r: "01" + "0" + gtin(r, 13)),
    ("databar_limited", 2, FORMATS.DataBarLtd, 5, lambda r: "010" + gtin(r, 13)),
    ("databar_expanded", 2, FORMATS.DataBarExp, 4, gs1_weight),
    ("databar_expanded", 1, FORMATS.DataBarExpStk, 4, gs1_weight),
    ("qr_code", 22, FORMATS.QRCode, 4, message),
    ("micro_qr_code", 2, FORMATS.MicroQRCode, 2, lambda r: pick(r, CAPITALS, 5, 12)),
    ("rmqr_code", 2, FORMATS.RMQRCode, 2, lambda r: pick(r, CAPITALS, 8, 30)),
    ("data_matrix", 10, FORMATS.DataMatrix, 2, message),
    ("data_matrix", 4, FORMATS.DataMatrix, 2, gs1_lot),
    ("aztec", 5, FORMATS.AztecCode, 2, message),
    ("pdf417", 4, FORMATS.PDF417, 2, message),
    ("micro_pdf417", 2, FORMATS.MicroPDF417, 2, lambda r: pick(r, CAPITALS, 6, 30)),
    ("maxi_code", 2, FORMATS.MaxiCode, 2, lambda r: message(r)[:60]),
]

# The least heights of linear symbols in modules; what is not here has a height of its own.
HEIGHTS = dict(
    ean_13=28, ean_8=24, upc_a=28, upc_e=24, code_128=20, code_39=20, code_39_extended=20, code_32=20, code_93=20,
    codabar=20, itf=20, telepen=20)
MAXI_CODE = 149 / 30  # Pixels of a hexagon in the picture of the encoder.


def symbol(r, kinds=None, table=TABLE, options=lambda kind, r: {}):
    """A symbol with a random text of one of the symbologies `kinds`, or of any in the table.

    options: the encoder's options for a symbology.
    """
    rows = [row for row in table if kinds is None or row[0] in kinds]
    kind, _, encoder, quiet, make = r.choices(rows, [row[1] for row in rows])[0]
    content = make(r)
    code = zxingcpp.create_barcode(content, encoder, **options(kind, r))
    cells = numpy.array(code.to_image(add_quiet_zones=False))
    text = code.text
    texts = {normalized(text, kind)}
    if isinstance(content, str):
        texts.add(normalized(content, kind))
    if kind == "ean_13" and "+" in content:
        text = content
        main = content.split("+")[0]
        texts = {normalized(main + check_digit(main))}
    if kind == "upc_e":
        texts = {normalized(content + check_digit(expanded_upce(content + "0")[:11]), kind)}
    if kind == "telepen":
        text, texts = content, {content}
    if kind == "code_39_extended":
        texts.add("".join("+" + c.upper() if c.islower() else c for c in content))
    if kind == "code_32":
        texts = {text, code32_number(text)}
        text = code32_number(text)
    return Symbol(kind, text, texts, cells, quiet, MAXI_CODE if kind == "maxi_code" else 1, code.bytes)
