"""The interface of zxing-cpp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

from conftest import SAMPLES
from quietzone import zxing
from quietzone.zxing import BarcodeFormat, BarcodeFormats, EanAddOnSymbol, TextMode, read_barcode, read_barcodes

TEXT = "https://example.org/quietzone"


def gray(name: str = "qr.png") -> Any:
    return Image.open(SAMPLES / name).convert("RGBA").convert("L")


@pytest.mark.parametrize("form", ["image", "color image", "array", "color array", "gray array of 3D", "memory"])
def test_forms(form: str) -> None:
    image = gray()
    array = np.asarray(image)
    picture = {
        "image": image,
        "color image": image.convert("RGB"),
        "array": array,
        "color array": np.dstack([array, array, array]),
        "gray array of 3D": array[:, :, np.newaxis],
        "memory": memoryview(array),
    }[form]
    assert [(found.text, found.format) for found in read_barcodes(picture)] == [(TEXT, BarcodeFormat.QRCode)]


def test_colors_are_bgr() -> None:
    """Red weighs more than blue: taken for the other way round, this symbol is light on dark."""
    array = np.asarray(gray())
    bgr = np.dstack([255 - array, np.zeros_like(array), array])
    assert [found.text for found in read_barcodes(bgr, try_invert=False)] == [TEXT]
    assert read_barcodes(bgr[:, :, ::-1], try_invert=False) == []


def test_fields() -> None:
    (found,) = read_barcodes(gray())
    assert found.bytes == TEXT.encode()
    assert (found.content_type, found.symbology_identifier) == (zxing.ContentType.Text, "]Q1")
    assert (found.valid, found.error, found.ec_level, found.orientation) == (True, None, "L", 0)
    assert str(found.position) == "16x16 116x16 116x116 16x116"
    assert found.extra == {"ECLevel": "L", "Version": "2"}
    assert (str(found.format), found.format.name, int(found.format)) == ("QR Code", "QRCode", 8273)


@pytest.mark.parametrize(
    ("file", "form", "text", "orientation"),
    [
        ("code128-rotated90.png", "Code 128", "Quietzone 128", 90),
        ("ean13-rotated180.png", "EAN-13", "4006381333931", 180),
        ("qr-rotated37.png", "QR Code", TEXT, 37),
        ("upca.png", "EAN-13", "0036000291452", 0),
        ("upce.png", "UPC-E", "0042100005264", 0),
        ("code32.png", "Code 32", "A123456788", 0),
        ("databar.png", "DataBar Omni", "(01)09501101530003", 0),
        ("databar-expanded.png", "DataBar Expanded", "(01)90012345678908(3103)001750", 0),
        ("gs1-128.png", "Code 128", "(01)09501101530003(10)LOT42(21)7F3", 0),
        ("micro-pdf417.png", "MicroPDF417", "Quietzone MicroPDF417", 0),
        ("telepen-numeric.png", "Telepen Numeric", "0123456789", 0),
    ],
)
def test_symbols(file: str, form: str, text: str, orientation: int) -> None:
    assert [(str(found.format), found.text, found.orientation) for found in read_barcodes(gray(file))] == [
        (form, text, orientation)
    ]


def test_bars_are_outlined_by_their_last_pixels() -> None:
    (found,) = read_barcodes(gray("ean13.png"))
    assert (found.position.top_left.x, found.position.top_right.x) == (22, 211)


@pytest.mark.parametrize(
    ("mode", "file", "text"),
    [
        (TextMode.Plain, "gs1-128.png", "010950110153000310LOT42\x1d217F3"),
        (TextMode.HRI, "gs1-128.png", "(01)09501101530003(10)LOT42(21)7F3"),
        (TextMode.Escaped, "gs1-128.png", "010950110153000310LOT42<GS>217F3"),
        (TextMode.Hex, "qr-digits.png", " ".join(f"{ord(digit):02X}" for digit in "31415926535897932384626433832795")),
        (TextMode.Escaped, "qr-umlaut.png", "Zürich, Привет"),
    ],
)
def test_text_modes(mode: TextMode, file: str, text: str) -> None:
    assert [found.text for found in read_barcodes(gray(file), text_mode=mode)] == [text]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("0109501101530003", "(01)09501101530003"),
        ("3922795\x1d10AB", "(3922)795(10)AB"),
        ("168901", "168901"),
        ("", ""),
    ],
)
def test_element_strings(message: str, text: str) -> None:
    """What is too short for its identifier stays as it is."""
    assert zxing._element_strings(message) == text


def test_binary_text() -> None:
    assert read_barcodes(gray("qr-binary.png"))[0].text.startswith("<NUL><SOH><STX>")


@pytest.mark.parametrize("mode", [TextMode.ECI, TextMode.HexECI])
def test_text_modes_that_are_missing(mode: TextMode) -> None:
    with pytest.raises(ValueError, match="one of Plain, HRI, Escaped and Hex"):
        read_barcodes(gray(), text_mode=mode)


@pytest.mark.parametrize(
    ("file", "formats", "found"),
    [
        ("qr.png", BarcodeFormat.QRCode, ["QR Code"]),
        ("qr.png", BarcodeFormat.MicroQRCode, []),
        ("qr.png", [BarcodeFormat.EAN13, BarcodeFormat.QRCode], ["QR Code"]),
        ("qr.png", BarcodeFormats([BarcodeFormat.QRCode]), ["QR Code"]),
        ("qr.png", BarcodeFormat.EAN13 | BarcodeFormat.QRCode, ["QR Code"]),
        ("qr.png", BarcodeFormat.AllLinear, []),
        ("qr.png", BarcodeFormat.AllMatrix, ["QR Code"]),
        ("micro-qr.png", BarcodeFormat.QRCode, ["Micro QR Code"]),
        ("ean13.png", BarcodeFormat.LinearCodes, ["EAN-13"]),
        ("ean13.png", BarcodeFormat.NONE, []),
        ("ean13.png", [], ["EAN-13"]),
        ("upca.png", BarcodeFormat.UPCA, ["UPC-A"]),
        ("upca.png", BarcodeFormat.EAN13, ["EAN-13"]),
        ("upca.png", BarcodeFormat.EANUPC, ["EAN-13"]),
    ],
)
def test_formats(file: str, formats: Any, found: list[str]) -> None:
    assert [str(one.format) for one in read_barcodes(gray(file), formats)] == found


@pytest.mark.parametrize(
    ("file", "mode", "texts"),
    [
        ("ean13-addon2.png", EanAddOnSymbol.Ignore, ["9771234567003"]),
        ("ean13-addon2.png", EanAddOnSymbol.Read, ["9771234567003", "977123456700305"]),
        ("ean13-addon2.png", EanAddOnSymbol.Require, ["977123456700305"]),
        ("upca-addon5.png", EanAddOnSymbol.Require, ["003600029145212345"]),
        ("ean13.png", EanAddOnSymbol.Require, []),
        ("qr.png", EanAddOnSymbol.Require, [TEXT]),
    ],
)
def test_add_ons(file: str, mode: EanAddOnSymbol, texts: list[str]) -> None:
    found = read_barcodes(gray(file), ean_add_on_symbol=mode)
    assert [one.text for one in found] == texts
    assert [one.bytes.decode() for one in found] == texts


def test_one() -> None:
    found = read_barcode(gray())
    assert found is not None and found.text == TEXT
    assert read_barcode(np.full((50, 50), 255, np.uint8)) is None


def test_inverted() -> None:
    assert [one.text for one in read_barcodes(gray("qr-inverted.png"))] == [TEXT]
    assert read_barcodes(gray("qr-inverted.png"), try_invert=False) == []


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("QRCode", BarcodeFormat.QRCode),
        ("QR Code", BarcodeFormat.QRCode),
        ("qr_code", BarcodeFormat.QRCode),
        ("EAN-13", BarcodeFormat.EAN13),
    ],
)
def test_names_of_formats(name: str, form: BarcodeFormat) -> None:
    assert zxing.barcode_format_from_str(name) is form
    assert zxing.barcode_formats_from_str(f"{name},Aztec") == BarcodeFormats([form, BarcodeFormat.Aztec])


def test_unknown_format() -> None:
    with pytest.raises(ValueError, match="not a valid barcode format: 'foo'"):
        zxing.barcode_formats_from_str("foo")


@pytest.mark.parametrize("picture", ["a.png", b"bytes", None, np.zeros((2, 2), np.float32), memoryview(b"one row")])
def test_what_is_no_picture(picture: Any) -> None:
    with pytest.raises(TypeError):
        read_barcodes(picture)


@pytest.mark.parametrize("name", ["create_barcode", "write_barcode", "write_barcode_to_image", "write_barcode_to_svg"])
def test_nothing_is_written(name: str) -> None:
    with pytest.raises(NotImplementedError, match="does not write"):
        getattr(zxing, name)("text", BarcodeFormat.QRCode)


@pytest.mark.parametrize("name", zxing.__all__)
def test_names(name: str) -> None:
    assert hasattr(zxing, name)


def test_beside_zxing_cpp() -> None:
    """Where it is installed: the same symbols in a few samples, by every field that both have."""
    peer = pytest.importorskip("zxingcpp")
    assert {one.name: int(one) for one in BarcodeFormat} == {one.name: int(one) for one in peer.BarcodeFormat}
    assert {str(one) for one in BarcodeFormat} == {str(one) for one in peer.BarcodeFormat}
    fields = ("text", "bytes", "symbology_identifier", "orientation", "ec_level")
    for file in ("qr.png", "code128.png", "ean13.png", "upca.png", "upce.png", "data-matrix-gs1.png", "databar.png"):
        expected = peer.read_barcodes(gray(file))
        found = read_barcodes(gray(file))
        for field in fields:
            assert [getattr(one, field) for one in found] == [getattr(one, field) for one in expected], (file, field)
        assert [str(one.format) for one in found] == [str(one.format) for one in expected], file
        assert [one.content_type.name for one in found] == [one.content_type.name for one in expected], file
