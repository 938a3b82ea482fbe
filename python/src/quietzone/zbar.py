"""The interface of pyzbar: `from quietzone.zbar import decode` in place of `from pyzbar.pyzbar import decode`.

The differences are listed in docs/how-to/python.md.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, NamedTuple

from ._decoder import shared_decoder
from ._model import DecodeError, Symbol
from ._options import Format
from ._pictures import gray_pixels

__all__ = [
    "EXTERNAL_DEPENDENCIES",
    "ORIENTATION_AVAILABLE",
    "Decoded",
    "Point",
    "PyZbarError",
    "Rect",
    "ZBarOrientation",
    "ZBarSymbol",
    "decode",
]

#: The shared libraries that pyzbar loads; empty, because pictures are decoded by a program.
EXTERNAL_DEPENDENCIES: list[Any] = []

#: True, because the orientation is always reported.
ORIENTATION_AVAILABLE = True


class PyZbarError(Exception):
    """A picture that cannot be decoded."""


class Point(NamedTuple):
    """A position in pixels from the top left corner of the picture."""

    x: int
    y: int


class Rect(NamedTuple):
    """An upright rectangle in pixels."""

    left: int
    top: int
    width: int
    height: int


class Decoded(NamedTuple):
    """A symbol: its text in UTF-8, the name of its `ZBarSymbol`, its outline, and the name of its `ZBarOrientation`."""

    data: bytes
    type: str
    rect: Rect
    polygon: list[Point]
    quality: int
    orientation: str


class ZBarOrientation(enum.IntEnum):
    """The direction in which a symbol is read."""

    UNKNOWN = -1
    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3


class ZBarSymbol(enum.IntEnum):
    """The symbologies of zbar, with its numbers."""

    NONE = 0
    PARTIAL = 1
    EAN2 = 2
    EAN5 = 5
    EAN8 = 8
    UPCE = 9
    ISBN10 = 10
    UPCA = 12
    EAN13 = 13
    ISBN13 = 14
    COMPOSITE = 15
    I25 = 25
    DATABAR = 34
    DATABAR_EXP = 35
    CODABAR = 38
    CODE39 = 39
    PDF417 = 57
    QRCODE = 64
    SQCODE = 80
    CODE93 = 93
    CODE128 = 128


_FORMATS = {
    ZBarSymbol.EAN2: Format.EAN_2,
    ZBarSymbol.EAN5: Format.EAN_5,
    ZBarSymbol.EAN8: Format.EAN_8,
    ZBarSymbol.UPCE: Format.UPC_E,
    ZBarSymbol.ISBN10: Format.ISBN_10,
    ZBarSymbol.UPCA: Format.UPC_A,
    ZBarSymbol.EAN13: Format.EAN_13,
    ZBarSymbol.ISBN13: Format.ISBN_13,
    ZBarSymbol.I25: Format.ITF,
    ZBarSymbol.DATABAR: Format.DATABAR,
    ZBarSymbol.DATABAR_EXP: Format.DATABAR_EXPANDED,
    ZBarSymbol.CODABAR: Format.CODABAR,
    ZBarSymbol.CODE39: Format.CODE_39,
    ZBarSymbol.PDF417: Format.PDF417,
    ZBarSymbol.QRCODE: Format.QR_CODE,
    ZBarSymbol.SQCODE: Format.SQ_CODE,
    ZBarSymbol.CODE93: Format.CODE_93,
    ZBarSymbol.CODE128: Format.CODE_128,
}
_SYMBOLS = {str(form): symbol for symbol, form in _FORMATS.items()}

# zbar reads the others only if they are asked for.
_DEFAULT = set(_FORMATS) - {
    ZBarSymbol.EAN2,
    ZBarSymbol.EAN5,
    ZBarSymbol.UPCA,
    ZBarSymbol.UPCE,
    ZBarSymbol.ISBN10,
    ZBarSymbol.ISBN13,
    ZBarSymbol.PDF417,
}


def decode(image: Any, symbols: Iterable[ZBarSymbol] | None = None) -> list[Decoded]:
    """The symbols in a picture, from top to bottom.

    Args:
        image: a PIL image, a numpy array (of colors, the first channel is read) or a tuple of 8-bit gray pixels,
            width and height.
        symbols: the symbologies to read; those that zbar reads by default if left out or empty.

    Raises:
        PyZbarError: if the picture cannot be decoded.
        TypeError: if one of the symbols is not a `ZBarSymbol`.
    """
    wanted = set(symbols or _DEFAULT)
    for one in wanted.difference(ZBarSymbol):
        raise TypeError(f"symbols are of ZBarSymbol, such as ZBarSymbol.QRCODE, not {one!r}")
    # zbar reports a UPC-A as an EAN-13 with a leading zero unless it is asked for UPC-A, and so a UPC-E.
    as_ean = set()
    if ZBarSymbol.EAN13 in wanted:
        as_ean = {str(_FORMATS[upc]) for upc in (ZBarSymbol.UPCA, ZBarSymbol.UPCE) if upc not in wanted}
    formats = [*(str(_FORMATS[symbol]) for symbol in wanted if symbol in _FORMATS), *as_ean]
    if not formats:
        return []
    try:
        found = shared_decoder().decode(_picture(image), formats=formats)
    except (DecodeError, ValueError) as error:
        raise PyZbarError(str(error)) from error
    return [_decoded(symbol, as_ean=symbol.format in as_ean) for symbol in found]


def _picture(image: Any) -> Any:
    """A picture as `Decoder` takes it."""
    if isinstance(image, (tuple, list)):
        pixels, width, height = image
        return gray_pixels(*_checked(pixels, width, height))
    if hasattr(image, "dtype") and hasattr(image, "shape"):
        if len(image.shape) == 3:
            image = image[:, :, 0]
        if image.dtype.kind not in "bu" or image.dtype.itemsize > 2:
            image = image.astype("uint8")
    return image


def _checked(pixels: Any, width: int, height: int) -> tuple[bytes, int, int]:
    area = width * height
    if width <= 0 or height <= 0:
        raise PyZbarError(f"A picture of {width} x {height} pixels is empty; width and height must be positive")
    if len(pixels) % area:
        raise PyZbarError(
            f"Inconsistent dimensions: image data of {len(pixels)} bytes is not divisible by (width x height = {area})"
        )
    bits = 8 * len(pixels) // area
    if bits != 8:
        raise PyZbarError(f"Unsupported bits-per-pixel [{bits}]. Only [8] is supported.")
    return bytes(pixels), width, height


def _decoded(symbol: Symbol, as_ean: bool) -> Decoded:
    points = [Point(round(point.x), round(point.y)) for point in symbol.corners]
    # zbar lists the hull counterclockwise from its leftmost point.
    area = sum(a.x * b.y - b.x * a.y for a, b in zip(points, points[1:] + points[:1], strict=True))
    if area > 0:
        points.reverse()
    first = points.index(min(points))
    polygon = points[first:] + points[:first]
    left, top = min(point.x for point in points), min(point.y for point in points)
    right, bottom = max(point.x for point in points), max(point.y for point in points)
    turn = ZBarOrientation.UNKNOWN if symbol.rotation is None else ZBarOrientation(round(symbol.rotation / 90) % 4)
    text = "0" + symbol.text if as_ean else symbol.text
    return Decoded(
        data=symbol.bytes if symbol.charset == "binary" else text.encode(),
        type=(ZBarSymbol.EAN13 if as_ean else _SYMBOLS[symbol.format]).name,
        rect=Rect(left, top, right - left, bottom - top),
        polygon=polygon,
        quality=symbol.quality,
        orientation=turn.name,
    )
