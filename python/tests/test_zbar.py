"""The interface of pyzbar."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

from conftest import SAMPLES
from quietzone import zbar
from quietzone.zbar import Decoded, Point, PyZbarError, Rect, ZBarSymbol, decode

TEXT = b"https://example.org/quietzone"


def gray(name: str = "qr.png") -> Any:
    return Image.open(SAMPLES / name).convert("RGBA").convert("L")


def closed_image() -> Any:
    image = gray()
    image.close()
    return image


@pytest.mark.parametrize(
    "form",
    ["image", "color image", "array", "deep array", "color array", "float array", "tuple", "tuple of an array"],
)
def test_forms(form: str) -> None:
    image = gray()
    array = np.asarray(image)
    width, height = image.size
    picture = {
        "image": image,
        "color image": image.convert("RGB"),
        "array": array,
        "deep array": array.astype(">u2") * 257,
        "color array": np.dstack([array, array // 2, array // 3]),
        "float array": array.astype(np.float64),
        "tuple": (image.tobytes(), width, height),
        "tuple of an array": (memoryview(array).cast("B"), width, height),
    }[form]
    assert [(found.data, found.type, found.orientation) for found in decode(picture)] == [(TEXT, "QRCODE", "UP")]


def test_fields() -> None:
    """A symbol has the fields of pyzbar's, in its order, and is a tuple."""
    (found,) = decode(gray())
    assert Decoded._fields == ("data", "type", "rect", "polygon", "quality", "orientation")
    assert found.rect == Rect(16, 16, 100, 100)
    assert found.polygon == [(16, 16), (16, 116), (116, 116), (116, 16)]
    assert isinstance(found.polygon[0], Point) and isinstance(found.quality, int)


@pytest.mark.parametrize(
    ("turn", "orientation"),
    [
        (None, "UP"),
        (Image.Transpose.ROTATE_270, "RIGHT"),
        (Image.Transpose.ROTATE_180, "DOWN"),
        (Image.Transpose.ROTATE_90, "LEFT"),
        (Image.Transpose.FLIP_LEFT_RIGHT, None),
    ],
)
def test_orientation_and_polygon(turn: Image.Transpose | None, orientation: str | None) -> None:
    """The polygon begins at the leftmost point, down the left side, whichever way the symbol is turned."""
    image = gray() if turn is None else gray().transpose(turn)
    (found,) = decode(image)
    assert orientation is None or found.orientation == orientation
    left, top, width, height = found.rect
    assert found.polygon[0].x == left and found.polygon[1].y > found.polygon[0].y
    assert {(x - left > width / 2, y - top > height / 2) for x, y in found.polygon} == {
        (False, False),
        (False, True),
        (True, True),
        (True, False),
    }


@pytest.mark.parametrize(
    ("file", "symbols", "types"),
    [
        ("ean13.png", None, ["EAN13"]),
        ("ean13.png", [], ["EAN13"]),
        ("ean13.png", {ZBarSymbol.EAN13}, ["EAN13"]),
        ("ean13.png", iter([ZBarSymbol.EAN13]), ["EAN13"]),
        ("ean13.png", [ZBarSymbol.QRCODE], []),
        ("ean13.png", [ZBarSymbol.COMPOSITE], []),
        ("upca.png", None, ["EAN13"]),
        ("upca.png", [ZBarSymbol.EAN13], ["EAN13"]),
        ("upca.png", [ZBarSymbol.UPCA], ["UPCA"]),
        ("upca.png", [ZBarSymbol.EAN13, ZBarSymbol.UPCA], ["UPCA"]),
        ("upce.png", None, ["EAN13"]),
        ("code39.png", None, ["CODE39"]),
        ("sq.png", None, ["SQCODE"]),
        ("databar-expanded.png", None, ["DATABAR_EXP"]),
        ("itf.png", None, ["I25"]),
        ("data-matrix.png", None, []),
        ("no-code.jpg", None, []),
    ],
)
def test_symbols(file: str, symbols: Any, types: list[str]) -> None:
    assert [found.type for found in decode(Image.open(SAMPLES / file), symbols=symbols)] == types


@pytest.mark.parametrize("symbols", [["QRCODE"], "QRCODE", [ZBarSymbol.QRCODE, 65]])
def test_symbols_that_are_none(symbols: Any) -> None:
    with pytest.raises(TypeError, match="symbols are of ZBarSymbol"):
        decode(gray(), symbols)


def test_upc_as_ean_13() -> None:
    assert [found.data for found in decode(gray("upca.png"))] == [b"0036000291452"]
    assert [found.data for found in decode(gray("upca.png"), [ZBarSymbol.UPCA])] == [b"036000291452"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("qr-umlaut.png", "Zürich, Привет"),
        ("qr-eci-latin1.png", "Zürich Genève"),
        ("qr-eci-sjis.png", "ﾊﾝｶｸｶﾅ"),
        ("qr-kanji.png", "日本語の漢字"),
    ],
)
def test_text_is_utf_8(file: str, text: str) -> None:
    """The data is UTF-8, whatever the character set of the symbol."""
    assert [found.data for found in decode(gray(file))] == [text.encode()]


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ((bytes(10), 3, 3), r"image data of 10 bytes is not divisible by \(width x height = 9\)"),
        ((bytes(18), 3, 3), r"Unsupported bits-per-pixel \[16\]. Only \[8\] is supported."),
        ((b"", 3, 3), r"Unsupported bits-per-pixel \[0\]"),
        ((b"", 0, 3), "0 x 3 pixels is empty"),
        ((bytes(9), -3, -3), "must be positive"),
        (np.zeros((0, 5), np.uint8), "."),
        (closed_image(), "closed image"),
    ],
)
def test_errors(picture: Any, message: str) -> None:
    with pytest.raises(PyZbarError, match=message):
        decode(picture)


@pytest.mark.parametrize("name", zbar.__all__)
def test_names(name: str) -> None:
    assert hasattr(zbar, name)


def test_numbers_of_zbar() -> None:
    assert (ZBarSymbol.QRCODE, ZBarSymbol.EAN13, ZBarSymbol.CODE128, ZBarSymbol.I25) == (64, 13, 128, 25)
