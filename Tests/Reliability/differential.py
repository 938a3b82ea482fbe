#!/usr/bin/env python3
"""Draws symbols, damages them, and compares what decode-image and zxing-cpp read with what was drawn.

usage: scripts/test-scenes differential [--count 10000] [--seed N] [--first I] [--symbology NAME]... [--decoder PATH]

Symbol i of a seed is the same however many are drawn. One in five is not damaged; the others have modules flipped, a
rectangle covered, or columns of a linear symbol printed dark or light over their whole height, from a little to more
than can be corrected. A reading is wrong if it has another text than was drawn. Beyond the limit of an error
correction, and in linear symbologies without a check character, some readings are wrong with any reader: the counts of
zxing-cpp in the same run show how many. The status is 1 if decode-image has more wrong readings than zxing-cpp in the
symbologies that both read.

It needs zint. scripts/test-scenes installs the packages of Python.
"""
import argparse
import base64
import collections
import json
import os
import pathlib
import random
import re
import signal
import string
import subprocess
import sys
import tempfile

import cv2
import numpy
import zxingcpp

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Scenes"))

import symbols
from symbols import CAPITALS, DIGITS, FORMATS, Symbol, gtin, normalized, pick

BATCH = 500  # Pictures that are on the disk at a time.
CHINESE = "".join(map(chr, range(0x4E00, 0x4E80)))
JAPANESE = "".join(map(chr, range(0x3042, 0x3090)))
CODE_11 = DIGITS + "-"


# ---- what is drawn

def content(r):
    """A message in one of the alphabets that matrix symbologies encode in modes of their own, or as bytes."""
    length = r.choice([3, 10, 30, 30, 80, 300])
    return r.choice([
        lambda: pick(r, DIGITS, 1, length),
        lambda: pick(r, CAPITALS + " $%*+-./:", 1, length),
        lambda: pick(r, string.ascii_lowercase + "  ", 1, length),
        lambda: pick(r, string.ascii_letters + DIGITS + string.punctuation, 1, length),
        lambda: pick(r, string.ascii_letters + "äöüßéèñç ", 1, length),
        lambda: pick(r, JAPANESE, 1, min(length, 60)),
        lambda: pick(r, CHINESE + "abc ", 1, min(length, 60)),
        lambda: r.randbytes(r.randint(1, length)),
    ])()


# Rows as those of symbols.TABLE, with contents of all kinds.
TABLE = [
    ("qr_code", 20, FORMATS.QRCode, 4, content),
    ("data_matrix", 20, FORMATS.DataMatrix, 2, content),
    ("aztec", 14, FORMATS.AztecCode, 2, content),
    ("aztec", 2, FORMATS.AztecRune, 2, lambda r: f"{r.randint(0, 255):03}"),
    ("pdf417", 12, FORMATS.PDF417, 2, content),
    ("pdf417", 4, FORMATS.CompactPDF417, 2, content),
    ("micro_pdf417", 6, FORMATS.MicroPDF417, 2, lambda r: content(r)[:40]),
    ("micro_qr_code", 6, FORMATS.MicroQRCode, 2, lambda r: pick(r, DIGITS, 1, 30)),
    ("micro_qr_code", 6, FORMATS.MicroQRCode, 2, lambda r: pick(r, string.ascii_letters, 1, 14)),
    ("rmqr_code", 6, FORMATS.RMQRCode, 2, lambda r: pick(r, DIGITS, 1, 100)),
    ("rmqr_code", 6, FORMATS.RMQRCode, 2, lambda r: pick(r, string.ascii_letters + " ", 1, 60)),
    ("maxi_code", 4, FORMATS.MaxiCode, 2, lambda r: pick(r, CAPITALS + string.ascii_lowercase, 1, 50)),
    ("code_128", 8, FORMATS.Code128, 10, lambda r: pick(r, string.ascii_letters + DIGITS + string.punctuation, 2, 20)),
    ("code_39", 4, FORMATS.Code39, 10, lambda r: pick(r, CAPITALS + "-. ", 3, 16).strip() + "7"),
    # Without letters, so that no pair of characters can be meant for one of full ASCII.
    ("code_39", 2, FORMATS.Code39, 10, lambda r: "7" + pick(r, DIGITS + "-. $/+%", 3, 14) + "7"),
    ("code_93", 4, FORMATS.Code93, 10, lambda r: pick(r, string.ascii_letters + DIGITS + "-. $/+%", 2, 12)),
    ("codabar", 3, FORMATS.Codabar, 10, lambda r: "A" + pick(r, DIGITS + "-$:/.+", 3, 16) + "B"),
    ("itf", 4, FORMATS.ITF, 10, lambda r: pick(r, DIGITS, 2 * r.randint(3, 12))),
    ("dx_film_edge", 2, FORMATS.DXFilmEdge, 4, lambda r: f"{r.randint(1, 127)}-{r.randint(0, 15)}/{r.randint(1, 40)}"),
]


def options(kind, r):
    """Options of the encoder: a level of error correction, a larger version, the width of stacked symbols."""
    if kind == "qr_code":
        return {"options": f"ecLevel={r.choice('LMQH')},dataMask={r.randint(0, 7)}"}
    if kind == "aztec":
        return {"ec_level": r.choice(["10%", "23%", "36%", "50%"])}
    if kind == "pdf417":
        return {"ec_level": str(r.randint(0, 5)), "options": f"columns={r.randint(2, 8)}"}
    if kind == "data_matrix":
        return {"options": f"forceSquare={r.choice(['true', 'false'])}"}
    return {}


def code_11(r):
    """A message of Code 11, and the same with its two check characters."""
    data = pick(r, CODE_11, 4, 12)
    checked = data
    for most in 10, 9:
        total = sum((i % most + 1) * CODE_11.index(c) for i, c in enumerate(reversed(checked)))
        checked += CODE_11[total % 11]
    return data, checked


def imail(r):
    tracking = pick(r, DIGITS, 1) + r.choice("01234") + pick(r, DIGITS, 18)
    routing = pick(r, DIGITS, r.choice([0, 5, 9, 11]))
    return tracking + ("-" + routing if routing else ""), tracking + routing


def plain(make):
    return lambda r: (make(r),) * 2


def australia_post(r):
    point = pick(r, DIGITS, 8)
    return point, "11" + point


def itf_14(r):
    number = gtin(r, 14)
    return number[:13], number


def two_of_five(r):
    return pick(r, DIGITS, 6, 14)


# Symbology, weight, arguments of zint as a function of a generator, quiet zone, and a function to the message and the
# text. Those with an option to read them are read with it; zxing-cpp does not read most of them.
ZINT = [
    ("han_xin", 10, lambda r: ["HANXIN", f"--secure={r.randint(1, 4)}", f"--mask={r.randint(1, 4)}"], 4,
     plain(lambda r: pick(r, r.choice([DIGITS, CAPITALS, string.ascii_letters + ".,", CHINESE]), 2, 60))),
    ("dot_code", 10, lambda r: ["DOTCODE", f"--mask={r.randint(1, 8)}"], 3,
     plain(lambda r: pick(r, r.choice([DIGITS, CAPITALS, string.ascii_letters + ".,"]), 2, 40))),
    ("data_matrix", 6, lambda r: ["DATAMATRIX", f"--vers={r.randint(31, 48)}", "--dmre"], 2,
     plain(lambda r: pick(r, CAPITALS, 2, 12))),
    ("data_matrix", 6, lambda r: ["DATAMATRIX", f"--vers={r.randint(6, 24)}"], 2,
     plain(lambda r: pick(r, r.choice([DIGITS, CAPITALS, string.ascii_letters]), 2, 12))),
    ("qr_code", 6, lambda r: ["QRCODE", f"--vers={r.randint(3, 24)}", f"--secure={r.randint(1, 4)}"], 4,
     plain(lambda r: pick(r, string.ascii_letters, 2, 20))),
    ("aztec", 6, lambda r: ["AZTEC", f"--vers={r.randint(3, 20)}"], 2,
     plain(lambda r: pick(r, r.choice([DIGITS, CAPITALS, string.ascii_letters]), 2, 8))),
    ("micro_pdf417", 4, lambda r: ["MICROPDF417", f"--cols={r.randint(1, 4)}"], 2,
     plain(lambda r: pick(r, CAPITALS, 2, 16))),
    ("maxi_code", 2, lambda r: ["MAXICODE", "--mode=5"], 2, plain(lambda r: pick(r, CAPITALS, 2, 40))),
    ("code_11", 3, lambda r: ["CODE11"], 10, code_11),
    ("msi", 3, lambda r: ["MSI_PLESSEY"], 12, plain(lambda r: pick(r, DIGITS, 4, 12))),
    ("industrial_2_of_5", 2, lambda r: ["C25IND"], 10, plain(two_of_five)),
    ("iata_2_of_5", 2, lambda r: ["C25IATA"], 10, plain(two_of_five)),
    ("matrix_2_of_5", 2, lambda r: ["C25STANDARD"], 10, plain(two_of_five)),
    ("datalogic_2_of_5", 2, lambda r: ["C25LOGIC"], 10, plain(two_of_five)),
    ("pharmacode", 2, lambda r: ["PHARMA"], 10, plain(lambda r: str(r.randint(100, 131070)))),
    ("usps_imail", 3, lambda r: ["USPS_IMAIL"], 8, imail),
    ("postnet", 2, lambda r: ["POSTNET"], 8, plain(lambda r: pick(r, DIGITS, r.choice([5, 9, 11])))),
    ("planet", 2, lambda r: ["PLANET"], 8, plain(lambda r: pick(r, DIGITS, r.choice([11, 13])))),
    ("royal_mail", 2, lambda r: ["RM4SCC"], 8, plain(lambda r: pick(r, CAPITALS, 5, 9))),
    ("kix", 2, lambda r: ["KIX"], 8, plain(lambda r: f"{r.randint(1000, 9999)}{pick(r, 'ABCDEFGH', 2)}"
                                           + pick(r, DIGITS, 1, 4))),
    ("japan_post", 2, lambda r: ["JAPANPOST"], 8, plain(lambda r: pick(r, DIGITS, 7) + pick(r, CAPITALS, 0, 5))),
    ("australia_post", 2, lambda r: ["AUSPOST"], 8, australia_post),
    ("itf_14", 2, lambda r: ["ITF14"], 10, itf_14),
    ("ean_2", 1, lambda r: ["EANX"], 10, plain(lambda r: pick(r, DIGITS, 2))),
    ("ean_5", 1, lambda r: ["EANX"], 10, plain(lambda r: pick(r, DIGITS, 5))),
]
BY_DEFAULT = {row[0] for row in [*symbols.TABLE, *TABLE]}
LINEAR = {*symbols.HEIGHTS, "code_11", "msi", "pharmacode", "itf_14", "ean_2", "ean_5", "industrial_2_of_5",
          "iata_2_of_5", "matrix_2_of_5", "datalogic_2_of_5", "dx_film_edge"}
SHARES = [(symbols.TABLE, 6), (TABLE, 9), (ZINT, 3)]


def zint_symbol(r, rows):
    kind, _, arguments, quiet, make = r.choices(rows, [row[1] for row in rows])[0]
    message, text = make(r)
    run = subprocess.run(["zint", "-b", *arguments(r), "--notext", "--scale=0.5", "--direct", "--filetype=PNG", "-d",
                          message], check=False, capture_output=True)
    if run.returncode > 1 or not run.stdout:  # 1 is a warning.
        raise ValueError(run.stderr.decode())
    cells = cv2.imdecode(numpy.frombuffer(run.stdout, numpy.uint8), cv2.IMREAD_GRAYSCALE)
    scale = 1
    if kind == "maxi_code":
        scale = cells.shape[1] / 30
    elif kind in LINEAR:
        cells = cells[:24]
    return Symbol(kind, text, {normalized(text, kind)}, cells, quiet, scale)


class Drawn:
    """A picture with one symbol, and how it was damaged."""

    def __init__(self, seed, index, kinds):
        r = random.Random(f"{seed} {index} {' '.join(sorted(kinds or []))}")
        self.index = index
        while True:
            try:
                self.draw(r, kinds)
                return
            except ValueError:
                pass  # The message does not fit this symbology: another one.

    def draw(self, r, kinds):
        shares = [([row for row in rows if not kinds or row[0] in kinds], share) for rows, share in SHARES]
        shares = [(rows, share) for rows, share in shares if rows]
        rows, _ = r.choices(shares, [share for _, share in shares])[0]
        if rows[0] in ZINT:
            self.symbol = zint_symbol(r, rows)
        else:
            self.symbol = symbols.symbol(r, kinds, rows, options)
        self.kind = self.symbol.kind
        module = r.choice([2, 3, 3, 4]) if self.kind != "dot_code" else 5
        quiet = self.symbol.quiet * module
        picture = self.symbol.drawn(module, r.randint(20, 50) * module).copy()
        if self.kind == "dot_code":
            picture[::module] = picture[:, ::module] = 255
        self.damage = damage(r, picture, module, self.kind in LINEAR)
        picture = numpy.pad(picture, quiet, constant_values=255)
        if self.kind != "pharmacode":  # Turned around, it is another number.
            picture = numpy.rot90(picture, r.choice([0, 0, 0, 1, 2, 3]))
        self.picture = numpy.ascontiguousarray(picture)

    def is_right(self, text, data):
        """True if a reading is what was drawn."""
        add_on = re.search(r"[+ ](\d{2}|\d{5})$", text)
        if add_on and self.kind == "ean_13" and not self.symbol.text.endswith("+" + add_on[1]):
            return False
        return normalized(text, self.kind) in self.symbol.texts or data == self.symbol.data


def damage(r, picture, module, linear):
    """Damages a picture in place; returns how."""
    height, width = picture.shape
    how = r.choice(["none", "flips", "flips", "cover", "columns" if linear else "cover"])
    if how == "flips":
        rows, columns = -(-height // module), -(-width // module)
        share = r.random() ** 2 * (0.15 if not linear else 0.3)
        for place in r.sample(range(rows * columns), max(1, round(share * rows * columns))):
            y, x = place // columns * module, place % columns * module
            picture[y:y + module, x:x + module] ^= 255
    elif how == "cover":
        w, h = (max(module, round(side * r.random() * most)) for side, most in
                [(width, 0.6 if not linear else 0.3), (height, 0.6 if not linear else 1.5)])
        h = min(h, height)
        x, y = r.randint(0, width - w), r.randint(0, height - h)
        fill = r.choice([0, 255, None])
        if fill is None:
            noise = numpy.frombuffer(r.randbytes(-(-h // module) * -(-w // module)), numpy.uint8) // 128 * 255
            noise = noise.reshape(-(-h // module), -1).repeat(module, axis=0).repeat(module, axis=1)[:h, :w]
            picture[y:y + h, x:x + w] = noise
        else:
            picture[y:y + h, x:x + w] = fill
    elif how == "columns":
        for _ in range(r.randint(1, 3)):
            x = r.randrange(width // module) * module
            picture[:, x:x + r.randint(1, module)] = r.choice([0, 255])
    return how


# ---- readers

def reading(symbol):
    """(format, text, bytes) of a symbol in the JSON of decode-image."""
    add_on = "+" + symbol["addOn"] if symbol.get("addOn") else ""
    return symbol["format"], (symbol["rawValue"] or "") + add_on, base64.b64decode(symbol["rawBytes"])


def our_readings(decoder, formats, paths):
    """(format, text, bytes) of each symbol that decode-image reads, by path."""
    command = [decoder, "--json", "--quiet", "--jobs", "1", "--files-from", "-"]
    if formats:
        command += ["--formats", formats]
    run = subprocess.run(command, check=False, input="\n".join(paths) + "\n", stdout=subprocess.PIPE, text=True)
    answers = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        if answer["error"]:
            sys.exit(f"decode-image failed: {line}")
        answers[answer["source"]] = [reading(symbol) for symbol in answer["symbols"]]
    if len(answers) != len(paths):
        sys.exit(f"decode-image answered {len(answers)} of {len(paths)} pictures, and ended with {run.returncode}")
    return answers


def peer_readings(picture):
    for code in zxingcpp.read_barcodes(picture):
        yield re.sub("[- ]", "_", str(code.format).lower()), code.text, code.bytes


# ---- counts

COLUMNS = ["drawn", "undamaged", "undamaged read", "read", "zxing-cpp read", "wrong", "zxing-cpp wrong"]


class Counts:
    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)

    def add(self, drawn, ours, peers):
        """Counts the readings of one picture.

        Returns True if decode-image read it, and the wrong readings of decode-image and of zxing-cpp.
        """
        right, wrong = zip(*[self.judged(drawn, readings) for readings in (ours, peers)])
        for key in drawn.kind, f"damage: {drawn.damage}", "all":
            row = self.rows[key]
            row["drawn"] += 1
            row["undamaged"] += drawn.damage == "none"
            row["undamaged read"] += drawn.damage == "none" and right[0]
            row["read"] += right[0]
            row["zxing-cpp read"] += right[1]
            row["wrong"] += len(wrong[0])
            row["zxing-cpp wrong"] += len(wrong[1])
        return right[0], wrong

    @staticmethod
    def judged(drawn, readings):
        answers = [(drawn.is_right(text, data), (kind, text)) for kind, text, data in readings]
        return any(right for right, _ in answers), [reading for right, reading in answers if not right]

    def lines(self):
        yield "| symbology | " + " | ".join(COLUMNS) + " |"
        yield "| --- |" + " --- |" * len(COLUMNS)
        order = sorted(self.rows, key=lambda key: (key == "all", ":" in key, key))
        for key in order:
            yield f"| {key} | " + " | ".join(f"{self.rows[key][column]:,}" for column in COLUMNS) + " |"


def shown(text):
    return repr(text if len(text) <= 60 else text[:57] + "...")


def run(arguments, counts):
    if arguments.keep:
        os.makedirs(arguments.keep, exist_ok=True)
    last = arguments.first + arguments.count
    for start in range(arguments.first, last, BATCH):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            batch = collections.defaultdict(dict)
            for index in range(start, min(start + BATCH, last)):
                drawn = Drawn(arguments.seed, index, arguments.symbology)
                path = f"{folder}/{index}.pgm"
                cv2.imwrite(path, drawn.picture)
                batch[None if drawn.kind in BY_DEFAULT else drawn.kind][path] = drawn
            for formats, pictures in batch.items():
                ours = our_readings(arguments.decoder, formats, pictures)
                for path, drawn in pictures.items():
                    right, wrong = counts.add(drawn, ours[path], list(peer_readings(drawn.picture)))
                    if drawn.damage == "none" and not right:
                        print(f"{drawn.index}: {drawn.kind} {shown(drawn.symbol.text)}, not damaged, not read")
                    for name, readings in zip(["decode-image", "zxing-cpp"], wrong):
                        for kind, text in readings:
                            print(f"{drawn.index}: {drawn.kind} {shown(drawn.symbol.text)}, damage: {drawn.damage}; "
                                  f"{name} read {kind} {shown(text)}", flush=True)
                    if arguments.keep and (wrong[0] or drawn.damage == "none" and not right):
                        cv2.imwrite(f"{arguments.keep}/{drawn.index}.png", drawn.picture)
        print(f"{min(start + BATCH, last) - arguments.first} of {arguments.count} symbols", file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=10_000, help="symbols to draw")
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    p.add_argument("--first", type=int, default=0, help="the index of the first symbol")
    p.add_argument("--symbology", action="append", help="draw symbols of this symbology; can be repeated")
    programs = os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release")
    p.add_argument("--decoder", default=os.path.join(programs, "decode-image"))
    p.add_argument("--keep", metavar="FOLDER", help="write the pictures there that decode-image reads wrong")
    arguments = p.parse_args()
    unknown = set(arguments.symbology or []) - BY_DEFAULT - {row[0] for row in ZINT}
    if unknown:
        sys.exit(f"no symbol of {', '.join(unknown)} can be drawn")
    print(f"seed {arguments.seed}, symbols {arguments.first} to {arguments.first + arguments.count - 1}")
    counts = Counts()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run(arguments, counts)
    except KeyboardInterrupt:
        pass  # The table says how many were drawn.
    print("\n".join(["", *counts.lines()]))
    both = [counts.rows[kind] for kind in BY_DEFAULT if kind in counts.rows]
    sys.exit(sum(row["wrong"] - row["zxing-cpp wrong"] for row in both) > 0)


if __name__ == "__main__":
    main()
