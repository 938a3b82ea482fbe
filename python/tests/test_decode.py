"""One picture, in all the forms that it may have."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import quietzone
from conftest import SAMPLES, expected
from quietzone._options import request_fields
from quietzone._pictures import prepare

QR = SAMPLES / "qr.png"
TEXT = "https://example.org/quietzone"


MODES = ["1", "L", "LA", "La", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV", "I", "F"]
MODES += ["I;16", "I;16B", "I;16L"]


def gray() -> Any:
    return np.asarray(Image.open(QR).convert("RGBA").convert("L"))


def strided() -> Any:
    large = np.full((200, 300), 7, np.uint8)
    large[20 : 20 + gray().shape[0], 30 : 30 + gray().shape[1]] = gray()
    return large[20 : 20 + gray().shape[0], 30 : 30 + gray().shape[1]]


def narrow() -> Any:
    large = np.zeros((gray().shape[0], 5 * gray().shape[1]), np.uint8)
    large[:, : gray().shape[1]] = gray()
    return large[:, : gray().shape[1]]


def transparent() -> Any:
    """Black everywhere; what is light is transparent."""
    image = Image.new("RGBA", (gray().shape[1], gray().shape[0]), (0, 0, 0, 255))
    image.putalpha(Image.fromarray(255 - gray()))
    return image


PICTURES: dict[str, Callable[[], Any]] = {
    "path": lambda: QR,
    "text": lambda: str(QR),
    "bytes": QR.read_bytes,
    "bytearray": lambda: bytearray(QR.read_bytes()),
    "memoryview": lambda: memoryview(QR.read_bytes()),
    "memoryview of every second byte": lambda: memoryview(np.repeat(np.frombuffer(QR.read_bytes(), np.uint8), 2))[::2],
    "image": lambda: Image.open(QR),
    "gray image": lambda: Image.fromarray(gray()),
    "color image": lambda: Image.fromarray(gray()).convert("RGB"),
    "bilevel image": lambda: Image.fromarray(gray()).convert("1"),
    "deep image": lambda: Image.fromarray(gray().astype(np.uint16) * 257),
    "deep image of 8 bits": lambda: Image.fromarray(gray().astype(np.uint16)),
    "deep image of 10 bits": lambda: Image.fromarray(gray().astype(np.uint16) * 4),
    "big-endian image": lambda: Image.frombytes("I;16B", gray().shape[::-1], gray().astype(">u2").tobytes()),
    "image of 32 bits": lambda: Image.fromarray(gray()).convert("I"),
    "image of 32 bits, all used": lambda: Image.fromarray(gray().astype(np.int32) << 23),
    "image of fractions": lambda: Image.fromarray(gray().astype(np.float32) / 255),
    "image of floats": lambda: Image.fromarray(gray().astype(np.float32)),
    "image of 16 bits as floats": lambda: Image.fromarray(gray().astype(np.float32) * 257),
    "premultiplied gray image": lambda: Image.fromarray(gray()).convert("LA").convert("La"),
    "transparent image": transparent,
    "transparent array": lambda: np.asarray(transparent()),
    "array": gray,
    "color array": lambda: np.asarray(Image.fromarray(gray()).convert("RGB")),
    "one channel": lambda: gray()[:, :, None],
    "deep array": lambda: gray().astype(np.uint16) * 257,
    "deep array of 8 bits": lambda: gray().astype(np.uint16),
    "deep array of 12 bits": lambda: gray().astype(np.uint16) * 16,
    "big-endian array": lambda: gray().astype(">u2") * 257,
    "deep array of colors": lambda: np.dstack([gray().astype(np.uint16) * 4] * 3),
    "bool array": lambda: gray() > 127,
    "part of an array": strided,
    "narrow part of an array": narrow,
    "upside down": lambda: gray()[::-1],
    "columns first": lambda: np.asfortranarray(gray()),
    "with a name": lambda: quietzone.Picture(QR.read_bytes(), "name"),
}


@pytest.mark.parametrize("form", PICTURES)
def test_forms(form: str) -> None:
    symbols = quietzone.decode(PICTURES[form](), color_order="rgb")
    assert [symbol.text for symbol in symbols] == [TEXT]
    assert symbols[0].bytes == TEXT.encode()
    assert symbols[0].format == "qr_code"
    assert len(symbols[0].corners) == 4


@pytest.mark.parametrize("file", expected())
def test_samples(file: str) -> None:
    for picture in (SAMPLES / file, (SAMPLES / file).read_bytes()):
        found = quietzone.decode(picture)
        assert {(symbol.format, symbol.text) for symbol in found} == expected()[file]


def test_pixels_are_grayed_as_files_are() -> None:
    """A color picture gives the same symbols, corners and all, as an array and as a file."""
    path = SAMPLES / "qr-colour.jpg"
    image = Image.open(path)
    assert image.mode == "RGB"
    buffer = io.BytesIO()
    image.save(buffer, "png")
    symbols = quietzone.decode(image)
    assert symbols == quietzone.decode(buffer.getvalue())
    assert symbols == quietzone.decode(np.asarray(image), color_order="rgb")
    assert symbols == quietzone.decode(np.asarray(image)[:, :, ::-1], color_order="bgr")


@pytest.mark.parametrize("colors", [3, 4])
def test_an_array_of_colors_needs_their_order(colors: int) -> None:
    array = np.zeros((9, 9, colors), np.uint8)
    with pytest.raises(ValueError, match='"bgr" as OpenCV'):
        quietzone.decode(array)
    (report,) = quietzone.decode_many([array], workers=1)
    assert report.error is not None and "color_order" in report.error.message
    with pytest.raises(ValueError, match="there is no color_order 'BGR'; did you mean 'bgr'"):
        quietzone.decode(array, color_order="BGR")  # type: ignore[arg-type]


@pytest.mark.parametrize("picture", [3, None, 1.5, [1], np.zeros((2, 2), np.float32), np.zeros((2, 2, 2, 2), np.uint8)])
def test_what_is_no_picture(picture: Any) -> None:
    with pytest.raises(TypeError, match="a picture is a path"):
        quietzone.decode(picture)


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        ("/nowhere", "not_found"),
        (b"", "empty_file"),
        (b"nonsense", "unsupported_format"),
        (np.zeros((0, 5), np.uint8), "corrupt"),
    ],
)
def test_errors(picture: Any, code: str) -> None:
    with pytest.raises(quietzone.DecodeError) as caught:
        quietzone.decode(picture)
    assert caught.value.code == code
    report = quietzone.report(picture)
    assert report.error is not None and report.error.code == code and not report.symbols


@pytest.mark.parametrize("mode", MODES)
def test_images_of_any_mode(mode: str) -> None:
    for size in [(0, 0), (0, 5), (30, 20)]:
        report = quietzone.report(Image.new(mode, size))
        assert (report.error and report.error.code) == (None if size[0] else "corrupt")


@pytest.mark.parametrize(
    ("highest", "seen"), [(1, 1), (255, 255), (256, 128), (1023, 255), (4095, 255), (40_000, 156), (65_535, 255)]
)
def test_the_highest_value_decides_the_scale(highest: int, seen: int) -> None:
    values = np.array([[0, highest]], np.uint16)
    for picture in (values, values.astype(">u2"), Image.fromarray(values), Image.fromarray(values.astype(np.int32))):
        assert list(prepare(picture).payload or b"") == [0, seen]


def test_values_of_an_image_of_fractions() -> None:
    fractions = np.array([[-1, 0, 0.5, 1]], np.float32)
    assert list(prepare(Image.fromarray(fractions)).payload or b"") == [0, 0, 127, 255]


@pytest.mark.parametrize(
    ("picture", "kind", "message"),
    [
        ("", ValueError, "the path is empty"),
        ("A" * 1_000_000, ValueError, "a path has at most 4096 bytes; if this is the text of a picture, decode it"),
        (quietzone.Picture(QR, page=0), ValueError, "page is from 1 to 2147483647, not 0"),
        (quietzone.Picture(QR, page=1 << 31), ValueError, "page is from 1 to 2147483647"),
        (quietzone.Picture(QR, page=1.5), TypeError, "page is a whole number, not 1.5"),  # type: ignore[arg-type]
        (quietzone.Picture(QR, page=True), TypeError, "page is a whole number, not True"),
        (quietzone.Picture(QR, name="x" * 65_537), ValueError, "a picture has at most 65536 bytes, not 65537"),
        (quietzone.Picture(QR, name=3), TypeError, "a picture is a str, not int"),  # type: ignore[arg-type]
    ],
)
def test_pictures_that_cannot_be_requested(picture: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        quietzone.decode(picture)
    assert len(str(caught.value)) < 200


def test_the_longest_names_and_largest_numbers() -> None:
    name = "x" * 65_536
    report = quietzone.report(quietzone.Picture(QR.read_bytes(), name, np.int64(1)))  # type: ignore[arg-type]
    assert report.source == name and [symbol.text for symbol in report.symbols] == [TEXT]
    limits = {"max_count": 2**31 - 1, "max_megapixels": 4000, "max_file_megabytes": 100_000, "time_budget": 86_400}
    picture = quietzone.Picture(QR, page=2**31 - 1)
    error = quietzone.report(picture, **limits).error  # type: ignore[arg-type]
    assert error is not None and "2147483647" in error.message
    assert quietzone.report("a" * 4096).error.code in ("not_found", "unreadable")  # type: ignore[union-attr]
    assert len(quietzone.decode(QR, formats=["qr_code"] * 200_000)) == 1


def test_the_limit_is_checked_before_pixels_are_read() -> None:
    """Of an image of PIL only the header is there; an array may repeat one value."""
    header = io.BytesIO()
    Image.new("L", (2000, 1000)).save(header, "png")
    cut = Image.open(io.BytesIO(header.getvalue()[:60]))
    for picture in (cut, np.broadcast_to(np.uint16(9), (1 << 20, 1 << 20))):
        report = quietzone.report(picture, max_megapixels=1)
        assert report.error is not None and report.error.code == "too_large"


def test_an_array_that_is_too_large() -> None:
    picture = np.zeros((20_000, 20_000), np.uint8)
    for options, message in [
        ({}, "the picture is 20000 x 20000 pixels; the limit is 200 megapixels"),
        ({"max_megapixels": 400}, r"pixels of the picture are 400000000 bytes; the limit is 268435456 \(max_file_meg"),
    ]:
        with pytest.raises(quietzone.DecodeError, match=message) as caught:
            quietzone.decode(picture, **options)  # type: ignore[arg-type]
        assert caught.value.code == "too_large"


def test_options() -> None:
    assert quietzone.decode(QR, formats=["ean_13"]) == []
    assert len(quietzone.decode(SAMPLES / "qr-sheet.png", max_count=1)) == 1
    assert quietzone.report(QR, max_megapixels=0.001).error.code == "too_large"  # type: ignore[union-attr]
    assert quietzone.report(QR.read_bytes(), max_file_megabytes=0.0001).error.code == "too_large"  # type: ignore[union-attr]
    content = quietzone.decode(SAMPLES / "data-matrix-gs1.png", content=True)[0].content
    assert content is not None and content.kind == "gs1"


def test_signatures() -> None:
    def signature(**keys: Any) -> list[str]:
        content = quietzone.decode(SAMPLES / "seal.png", content=True, **keys)[0].content
        assert content is not None and content.kind == "digital_seal"
        return [field.value for field in content.fields if field.name in ("signature", "signed_by")]

    assert signature() == []
    assert signature(keys=SAMPLES / "seal-keys") == ["valid", "DETS-32.pem"]
    with pytest.raises(ValueError, match="content=True"):
        quietzone.decode(SAMPLES / "seal.png", keys=SAMPLES / "seal-keys")
    with pytest.raises(ValueError, match=r"^The folder of keys /nowhere cannot be read"):
        quietzone.decode(SAMPLES / "seal.png", content=True, keys="/nowhere")


def test_async() -> None:
    async def both() -> list[list[quietzone.Symbol]]:
        return await asyncio.gather(*(quietzone.decode_async(picture) for picture in [QR, gray()] * 10))

    assert all([symbol.text for symbol in symbols] == [TEXT] for symbols in asyncio.run(both()))


def test_async_that_is_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer that comes later costs no other call."""
    silent = tmp_path / "silent"
    os.mkfifo(silent)

    async def cancel(decoder: quietzone.Decoder) -> None:
        waits = asyncio.Event()
        wrap_future = asyncio.wrap_future

        def wrap(future: Any) -> Any:
            waits.set()
            return wrap_future(future)

        monkeypatch.setattr(asyncio, "wrap_future", wrap)
        task = asyncio.create_task(decoder.decode_async(silent))
        await waits.wait()
        monkeypatch.undo()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with quietzone.Decoder(workers=1) as decoder:
        asyncio.run(cancel(decoder))
        silent.write_bytes(QR.read_bytes())
        report = decoder.submit(prepare(QR), request_fields()).result(timeout=60)
        assert [symbol.text for symbol in report.symbols] == [TEXT]


@pytest.mark.parametrize("kind", ["PDF", "TIFF"])
def test_pages(kind: str) -> None:
    names = ["qr.png", "no-code.jpg", "ean13.png"]
    pages = [Image.open(SAMPLES / name).convert("RGBA").convert("L") for name in names]
    document = io.BytesIO()
    pages[0].save(document, kind, save_all=True, append_images=pages[1:])
    reports = list(quietzone.decode_pages(quietzone.Picture(document.getvalue(), "a document")))
    assert [[symbol.text for symbol in report.symbols] for report in reports] == [[TEXT], [], ["4006381333931"]]
    assert [(report.source, report.page, report.pages) for report in reports] == [
        ("a document", number, 3) for number in (1, 2, 3)
    ]


def test_pages_of_a_picture() -> None:
    assert [[symbol.text for symbol in report.symbols] for report in quietzone.decode_pages(QR)] == [[TEXT]]
    assert [report.error and report.error.code for report in quietzone.decode_pages("/nowhere")] == ["not_found"]
