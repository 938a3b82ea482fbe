"""The interface of zxing-cpp: `import quietzone.zxing as zxingcpp` in place of `import zxingcpp`.

The differences are listed in docs/how-to/python.md.
"""

from __future__ import annotations

import enum
import functools
import math
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ._decoder import shared_decoder
from ._model import Point as _Corner
from ._model import Symbol
from ._options import Format
from ._pictures import gray_pixels

__all__ = [
    "Barcode",
    "BarcodeFormat",
    "BarcodeFormats",
    "Binarizer",
    "ContentType",
    "EanAddOnSymbol",
    "Error",
    "ErrorType",
    "Point",
    "Position",
    "Result",
    "TextMode",
    "barcode_format_from_str",
    "barcode_formats_from_str",
    "barcode_formats_list",
    "create_barcode",
    "read_barcode",
    "read_barcodes",
    "write_barcode",
    "write_barcode_to_image",
    "write_barcode_to_svg",
]


class BarcodeFormat(enum.IntEnum):
    """The symbologies of zxing-cpp, with its numbers: a letter for the family and, above it, one for the variant."""

    NONE = 0
    All = 10794
    AllReadable = 29226
    AllCreatable = 30506
    AllLinear = 27690
    AllMatrix = 27946
    AllGS1 = 18218
    AllRetail = 21034
    AllIndustrial = 18730
    Codabar = 8262
    Code39 = 8257
    Code39Std = 29505
    Code39Ext = 25921
    Code32 = 12865
    PZN = 28737
    Code93 = 8263
    Code128 = 8259
    ITF = 8265
    ITF14 = 13385
    DataBar = 8293
    DataBarOmni = 28517
    DataBarStk = 29541
    DataBarStkOmni = 20325
    DataBarLtd = 27749
    DataBarExp = 25957
    DataBarExpStk = 17765
    EANUPC = 8261
    EAN13 = 12613
    EAN8 = 14405
    EAN5 = 13637
    EAN2 = 12869
    ISBN = 26949
    UPCA = 24901
    UPCE = 25925
    Telepen = 8258
    TelepenAlpha = 12354
    TelepenNumeric = 12610
    OtherBarcode = 8280
    DXFilmEdge = 30808
    PDF417 = 8268
    CompactPDF417 = 25420
    MicroPDF417 = 27980
    Aztec = 8314
    AztecCode = 25466
    AztecRune = 29306
    QRCode = 8273
    QRCodeModel1 = 12625
    QRCodeModel2 = 12881
    MicroQRCode = 27985
    RMQRCode = 29265
    DataMatrix = 8292
    MaxiCode = 8277
    # Names of zxing-cpp 2.
    DataBarExpanded = 25957
    DataBarLimited = 27749
    LinearCodes = 27690
    MatrixCodes = 27946

    def __str__(self) -> str:
        return _LABELS.get(self, self.name)

    def __or__(self, other: Any) -> Any:
        return BarcodeFormats([self]) | other


class BarcodeFormats:
    """A set of formats."""

    def __init__(self, formats: BarcodeFormat | Iterable[BarcodeFormat] = ()) -> None:
        given = [formats] if isinstance(formats, BarcodeFormat) else list(formats)
        for one in given:
            if not isinstance(one, BarcodeFormat):
                raise TypeError(f"formats are of BarcodeFormat, such as BarcodeFormat.QRCode, not {one!r}")
        self._formats = tuple(dict.fromkeys(given))

    def __iter__(self) -> Iterator[BarcodeFormat]:
        return iter(self._formats)

    def __len__(self) -> int:
        return len(self._formats)

    def __getitem__(self, index: int) -> BarcodeFormat:
        return self._formats[index]

    def __or__(self, other: BarcodeFormat | BarcodeFormats) -> BarcodeFormats:
        return BarcodeFormats([*self, *BarcodeFormats(other)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BarcodeFormats) and set(self) == set(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._formats))

    def __str__(self) -> str:
        return ", ".join(str(one) for one in self)

    __repr__ = __str__


_F = BarcodeFormat
_LABELS = {
    _F.NONE: "None",
    _F.AllReadable: "All Readable",
    _F.AllCreatable: "All Creatable",
    _F.AllLinear: "All Linear",
    _F.AllMatrix: "All Matrix",
    _F.AllGS1: "All GS1",
    _F.AllRetail: "All Retail",
    _F.AllIndustrial: "All Industrial",
    _F.Code39: "Code 39",
    _F.Code39Std: "Code 39 Standard",
    _F.Code39Ext: "Code 39 Extended",
    _F.Code32: "Code 32",
    _F.PZN: "Pharmazentralnummer",
    _F.Code93: "Code 93",
    _F.Code128: "Code 128",
    _F.ITF14: "ITF-14",
    _F.DataBarOmni: "DataBar Omni",
    _F.DataBarStk: "DataBar Stacked",
    _F.DataBarStkOmni: "DataBar Stacked Omni",
    _F.DataBarLtd: "DataBar Limited",
    _F.DataBarExp: "DataBar Expanded",
    _F.DataBarExpStk: "DataBar Expanded Stacked",
    _F.EANUPC: "EAN/UPC",
    _F.EAN13: "EAN-13",
    _F.EAN8: "EAN-8",
    _F.EAN5: "EAN-5",
    _F.EAN2: "EAN-2",
    _F.UPCA: "UPC-A",
    _F.UPCE: "UPC-E",
    _F.TelepenAlpha: "Telepen Alpha",
    _F.TelepenNumeric: "Telepen Numeric",
    _F.OtherBarcode: "Other barcode",
    _F.DXFilmEdge: "DX Film Edge",
    _F.CompactPDF417: "Compact PDF417",
    _F.AztecCode: "Aztec Code",
    _F.AztecRune: "Aztec Rune",
    _F.QRCode: "QR Code",
    _F.QRCodeModel1: "QR Code Model 1",
    _F.QRCodeModel2: "QR Code Model 2",
    _F.MicroQRCode: "Micro QR Code",
    _F.RMQRCode: "rMQR Code",
    _F.DataMatrix: "Data Matrix",
}

# What a symbol is called; also what is read where a format is asked for.
_OF_SYMBOL = {
    Format.CODABAR: _F.Codabar,
    Format.CODE_39: _F.Code39,
    Format.CODE_39_EXTENDED: _F.Code39Ext,
    Format.CODE_32: _F.Code32,
    Format.PZN: _F.PZN,
    Format.CODE_93: _F.Code93,
    Format.CODE_128: _F.Code128,
    Format.ITF: _F.ITF,
    Format.ITF_14: _F.ITF,
    Format.DATABAR: _F.DataBarOmni,
    Format.DATABAR_LIMITED: _F.DataBarLtd,
    Format.DATABAR_EXPANDED: _F.DataBarExp,
    Format.EAN_13: _F.EAN13,
    Format.EAN_8: _F.EAN8,
    Format.UPC_A: _F.UPCA,
    Format.UPC_E: _F.UPCE,
    Format.TELEPEN: _F.TelepenAlpha,
    Format.TELEPEN_NUMERIC: _F.TelepenNumeric,
    Format.DX_FILM_EDGE: _F.DXFilmEdge,
    Format.PDF417: _F.PDF417,
    Format.MICRO_PDF417: _F.MicroPDF417,
    Format.AZTEC: _F.Aztec,
    Format.QR_CODE: _F.QRCode,
    Format.MICRO_QR_CODE: _F.MicroQRCode,
    Format.RMQR_CODE: _F.RMQRCode,
    Format.DATA_MATRIX: _F.DataMatrix,
    Format.MAXI_CODE: _F.MaxiCode,
}
_NAMES = {str(form): symbol for form, symbol in _OF_SYMBOL.items()}

# Variants that are read as what they are a variant of, or beside it.
_READ_AS = {
    _F.Code39Std: (Format.CODE_39,),
    _F.ITF14: (Format.ITF_14,),
    _F.DataBarStk: (Format.DATABAR,),
    _F.DataBarStkOmni: (Format.DATABAR,),
    _F.DataBarExpStk: (Format.DATABAR_EXPANDED,),
    # A UPC-A is an EAN-13 with a leading zero.
    _F.EAN13: (Format.EAN_13, Format.UPC_A),
    _F.ISBN: (Format.EAN_13,),
    _F.EAN2: (Format.EAN_2,),
    _F.EAN5: (Format.EAN_5,),
    _F.CompactPDF417: (Format.PDF417,),
    _F.AztecCode: (Format.AZTEC,),
    _F.AztecRune: (Format.AZTEC,),
    _F.QRCodeModel1: (Format.QR_CODE,),
    _F.QRCodeModel2: (Format.QR_CODE,),
}
_MATRIX = {ord(letter) for letter in "LzQdU"}
_RETAIL = {ord(letter) for letter in "Ee"}
_INDUSTRIAL = {ord(letter) for letter in "ACGIBF"}
_FAMILY_FORMATS = {
    _F.AllLinear: {int(form) & 255 for form in _OF_SYMBOL.values()} - _MATRIX,
    _F.AllMatrix: _MATRIX,
    _F.AllRetail: _RETAIL,
    _F.AllIndustrial: _INDUSTRIAL,
    _F.AllGS1: {ord(letter) for letter in "EeCQdz"},
}
# What must be named to be read: it would hide an ITF of 14 digits, or a Code 39.
_OPT_IN = {Format.ITF_14, Format.PZN}
_EVERYTHING = frozenset(_OF_SYMBOL) - _OPT_IN


class TextMode(enum.Enum):
    """How bytes become text."""

    Plain = 0
    ECI = 1
    HRI = 2
    Escaped = 3
    Hex = 4
    HexECI = 5


class Binarizer(enum.Enum):
    """How pixels become black and white; accepted, but pictures are read in other ways."""

    LocalAverage = 0
    GlobalHistogram = 1
    FixedThreshold = 2
    BoolCast = 3


class EanAddOnSymbol(enum.Enum):
    """What becomes of an add-on of EAN or UPC."""

    Ignore = 0
    Read = 1
    Require = 2


class ContentType(enum.Enum):
    """What a message is."""

    Text = 0
    Binary = 1
    Mixed = 2
    GS1 = 3
    ISO15434 = 4
    UnknownECI = 5


class ErrorType(enum.Enum):
    """What is wrong with a symbol."""

    NONE = 0
    Format = 1
    Checksum = 2
    Unsupported = 3


@dataclass(slots=True)
class Error:
    """What is wrong with a symbol; none is reported, because only what passes its checks is."""

    type: ErrorType
    message: str


@dataclass(slots=True)
class Point:
    """A pixel, counted from the top left corner of the picture."""

    x: int
    y: int


@dataclass(slots=True)
class Position:
    """The corners of a symbol, as it sees itself."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point

    def __str__(self) -> str:
        corners = (self.top_left, self.top_right, self.bottom_right, self.bottom_left)
        return " ".join(f"{point.x}x{point.y}" for point in corners)


@dataclass(slots=True)
class Barcode:
    """A symbol that was read."""

    format: BarcodeFormat
    text: str
    bytes: bytes
    content_type: ContentType
    symbology_identifier: str
    position: Position
    orientation: int
    ec_level: str = ""
    extra: dict[str, Any] | None = None
    error: Error | None = None
    valid: bool = True

    @property
    def symbology(self) -> BarcodeFormat:
        """The family of the format, such as `EANUPC` of an EAN-13."""
        return BarcodeFormat(int(self.format) & 255 | ord(" ") << 8)

    def to_image(self, **_: Any) -> NoReturn:
        _cannot_write()

    def to_svg(self, **_: Any) -> NoReturn:
        _cannot_write()


#: The name that zxing-cpp 2 has for it.
Result = Barcode


def read_barcodes(
    image: Any,
    formats: BarcodeFormat | BarcodeFormats | Iterable[BarcodeFormat] | None = None,
    try_rotate: bool = True,
    try_downscale: bool = True,
    try_invert: bool = True,
    text_mode: TextMode = TextMode.HRI,
    binarizer: Binarizer = Binarizer.LocalAverage,
    is_pure: bool = False,
    ean_add_on_symbol: EanAddOnSymbol = EanAddOnSymbol.Ignore,
    return_errors: bool = False,
) -> list[Barcode]:
    """The symbols in a picture, from top to bottom.

    Args:
        image: a numpy array (of three colors: blue, green, red), a PIL image or a buffer of two or three dimensions.
        formats: what to read; everything that zxing-cpp knows if left out.
        text_mode: how bytes become text; all but `ECI` and `HexECI`.
        try_invert: whether light symbols on dark ground are reported.
        ean_add_on_symbol: whether a symbol with an add-on is reported once more with it, or only so.
        try_rotate, try_downscale, binarizer, is_pure, return_errors: accepted and not needed.

    Raises:
        DecodeError: if the picture cannot be decoded.
    """
    if text_mode in (TextMode.ECI, TextMode.HexECI):
        raise ValueError("the text mode is one of Plain, HRI, Escaped and Hex: ECI designators are not kept")
    wanted = _wanted(formats)
    as_upc = Format.UPC_A in wanted and Format.EAN_13 not in wanted
    picture = _picture(image)
    if not wanted:
        return []
    # Everything is the decoder's own choice, which takes less time than the same formats by name.
    names = None if wanted == _EVERYTHING else sorted(map(str, wanted))
    symbols = shared_decoder().decode(picture, color_order="bgr", formats=names)
    found = []
    for symbol in symbols:
        if symbol.format not in _NAMES or (symbol.inverted and not try_invert):
            continue
        alone = ean_add_on_symbol != EanAddOnSymbol.Require or _NAMES[symbol.format] & 255 != _F.EANUPC & 255
        if alone:
            found.append(_barcode(symbol, as_upc, text_mode, ""))
        if symbol.add_on is not None and ean_add_on_symbol != EanAddOnSymbol.Ignore:
            found.append(_barcode(symbol, as_upc, text_mode, symbol.add_on))
    return found


def read_barcode(image: Any, *arguments: Any, **options: Any) -> Barcode | None:
    """The first symbol in a picture, or None; see `read_barcodes`."""
    found = read_barcodes(image, *arguments, **options)
    return found[0] if found else None


def barcode_format_from_str(str: str) -> BarcodeFormat:
    """The format of a name such as `"QRCode"`, `"QR Code"` or `"ean-13"`."""
    try:
        return _BY_NAME[_plain(str)]
    except KeyError:
        raise ValueError(f"This is not a valid barcode format: '{str}'") from None


def barcode_formats_from_str(str: str) -> BarcodeFormats:
    """The formats of names with commas between them."""
    return BarcodeFormats([barcode_format_from_str(name) for name in str.split(",") if name.strip()])


def barcode_formats_list(filter: BarcodeFormat | Iterable[BarcodeFormat] = ()) -> BarcodeFormats:
    """The formats that can be read, or those of them that are asked for."""
    wanted = _wanted(filter)
    if wanted == _EVERYTHING:
        return BarcodeFormats(_OF_SYMBOL.values())
    return BarcodeFormats([form for name, form in _OF_SYMBOL.items() if name in wanted])


def create_barcode(*_: Any, **__: Any) -> NoReturn:
    """Raises NotImplementedError: barcodes are read here, not written."""
    _cannot_write()


write_barcode = write_barcode_to_image = write_barcode_to_svg = create_barcode


def _cannot_write() -> NoReturn:
    raise NotImplementedError("quietzone reads barcodes and does not write them; write them by zxing-cpp, or by zint")


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


_BY_NAME = {_plain(name): form for name, form in BarcodeFormat.__members__.items()} | {
    _plain(label): form for form, label in _LABELS.items()
}


def _wanted(formats: BarcodeFormat | Iterable[BarcodeFormat] | None) -> frozenset[Format]:
    """What is to be read for formats of zxing-cpp; everything for none."""
    asked = BarcodeFormats() if formats is None else BarcodeFormats(formats)
    return _expanded(asked if len(asked) else BarcodeFormats(_F.All))


@functools.lru_cache
def _expanded(formats: BarcodeFormats) -> frozenset[Format]:
    wanted: set[Format] = set()
    for one in formats:
        if one in (_F.All, _F.AllReadable, _F.AllCreatable):
            wanted |= _EVERYTHING
        elif one in _FAMILY_FORMATS:
            families = _FAMILY_FORMATS[one]
            wanted |= {form for form, name in _OF_SYMBOL.items() if name & 255 in families} - _OPT_IN
        elif one in _READ_AS:
            wanted |= set(_READ_AS[one])
        elif int(one) >> 8 == ord(" "):
            wanted |= {form for form, name in _OF_SYMBOL.items() if name & 255 == one & 255} - _OPT_IN
        else:
            wanted |= {form for form, name in _OF_SYMBOL.items() if name == one}
    return frozenset(wanted)


def _picture(image: Any) -> Any:
    """A picture as `Decoder` takes it: zxing-cpp takes no paths and no files."""
    if isinstance(image, (str, bytes, bytearray)) or image is None:
        raise TypeError(f"Invalid input: {type(image).__name__} is no picture; a file is opened by PIL.Image.open")
    if isinstance(image, memoryview):
        if image.ndim == 2 and image.shape is not None:
            height, width = image.shape
            return gray_pixels(image.tobytes(), width, height)
        import numpy

        return numpy.asarray(image)
    return image


def _barcode(symbol: Symbol, as_upc: bool, mode: TextMode, add_on: str) -> Barcode:
    form = _NAMES[symbol.format]
    text, data, identifier = symbol.text, symbol.bytes, symbol.symbology_identifier
    if symbol.charset == "binary":
        text = data.decode("latin-1")
    if form & 255 == _F.EANUPC & 255:
        # A UPC has 13 digits here.
        zero = "0" if form in (_F.UPCA, _F.UPCE) else ""
        if form == _F.UPCA and not as_upc:
            form = _F.EAN13
        text = zero + text + add_on
        data = text.encode()
        if symbol.add_on is not None and not add_on:
            identifier = "]E4" if form == _F.EAN8 else "]E0"
    elif form == _F.PZN:
        # With the hyphen that makes a number of a medicine of a Code 39.
        text = "-" + text
        data = text.encode()
    kind = _content_type(symbol)
    extra = {"ECLevel": symbol.error_correction_level, "Version": symbol.version and str(symbol.version)}
    return Barcode(
        format=form,
        text=_text(text, data, kind, mode),
        bytes=data,
        content_type=kind,
        symbology_identifier=identifier,
        position=Position(*_pixels(symbol.corners, form)),
        orientation=_orientation(symbol.corners),
        ec_level=symbol.error_correction_level or "",
        extra={name: value for name, value in extra.items() if value} or None,
    )


def _content_type(symbol: Symbol) -> ContentType:
    if symbol.gs1:
        return ContentType.GS1
    if symbol.text.startswith("[)>\x1e"):
        return ContentType.ISO15434
    # Text has no other controls than the ends of lines and tabulators.
    is_binary = symbol.charset == "binary" or not _CONTROL_LETTERS.isdisjoint(symbol.text)
    return ContentType.Binary if is_binary else ContentType.Text


def _pixels(corners: tuple[_Corner, ...], form: BarcodeFormat) -> list[Point]:
    """Corners as pixels: those of bars are the last ones inside of them."""
    inside = 0 if form & 255 in _MATRIX else 1
    middle_x = sum(corner.x for corner in corners) / 4
    middle_y = sum(corner.y for corner in corners) / 4

    def pixel(value: float, middle: float) -> int:
        return round(value) - (inside if value > middle else 0)

    return [Point(pixel(corner.x, middle_x), pixel(corner.y, middle_y)) for corner in corners]


def _orientation(corners: tuple[_Corner, ...]) -> int:
    """Degrees clockwise, more than -180 and at most 180."""
    top_left, top_right, bottom_right, bottom_left = corners
    along_x = top_right.x - top_left.x + bottom_right.x - bottom_left.x
    along_y = top_right.y - top_left.y + bottom_right.y - bottom_left.y
    degrees = round(math.degrees(math.atan2(along_y, along_x)))
    return 180 if degrees == -180 else degrees


# The text

_CONTROL_LETTERS = frozenset(map(chr, range(32))) - set("\t\n\r")
# The pictures of controls.
_PICTURES = {code: 0x2400 + code for code in range(32)}
_CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI",
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US",
)


def _text(text: str, data: bytes, kind: ContentType, mode: TextMode) -> str:
    if mode == TextMode.Hex:
        return data.hex(" ").upper()
    if mode == TextMode.Plain:
        return text
    if mode == TextMode.HRI and kind == ContentType.GS1:
        return _element_strings(text)
    if mode == TextMode.HRI and kind == ContentType.ISO15434:
        return text.translate(_PICTURES)
    if mode == TextMode.HRI and kind == ContentType.Text:
        return text
    return _escaped(text)


def _escaped(text: str) -> str:
    return "".join(
        letter if unicodedata.category(letter) != "Cc" and letter != "\xa0" else _control(letter) for letter in text
    )


def _control(letter: str) -> str:
    code = ord(letter)
    return f"<{_CONTROLS[code // 16].split()[code % 16]}>" if code < 32 else "<DEL>" if code == 127 else f"<U+{code:X}>"


# Characters of an element string with its identifier where they are always as many, by the first two digits;
# all others end with a GS or with the message.
_FIXED = {"00": 20, "01": 16, "02": 16, "03": 16, "04": 18, "20": 4, "41": 16}
_FIXED |= {str(number): 8 for number in range(11, 20)} | {str(number): 10 for number in range(31, 37)}
_DIGITS = {"23": 3, "24": 3, "25": 3, "40": 3, "41": 3, "42": 3, "71": 3}
_DIGITS |= dict.fromkeys(("31", "32", "33", "34", "35", "36", "39", "43", "70", "72", "80", "81", "82"), 4)


def _element_strings(text: str) -> str:
    """A message of GS1 with its identifiers in parentheses."""
    parts = []
    rest = text
    while rest:
        digits = _DIGITS.get(rest[:2], 2)
        end = _FIXED.get(rest[:2]) or rest.find("\x1d")
        if end < 0:
            end = len(rest)
        if end > len(rest):
            # None that GS1 knows.
            return text
        parts.append(f"({rest[:digits]}){_escaped(rest[digits:end])}")
        rest = rest[end:].removeprefix("\x1d")
    return "".join(parts)
