"""What can be decoded, as what is sent to the program."""

from __future__ import annotations

import base64
import os
import sys
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeAlias

from ._options import LARGEST_NUMBER, ColorOrder, Fields, check_color_order, check_range

#: A path, the bytes of a file, a PIL image or a numpy array; `Any` because neither PIL nor numpy need be installed.
Source: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | Any"


#: The longest path that Linux opens, and the longest name that a request has, in bytes.
LONGEST_PATH = 4096
LONGEST_NAME = 1 << 16


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with the name that its report has, of at most 64 KiB, and the page of a document, from 1."""

    data: Source
    name: str | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """A picture as it is sent: fields of the request, as JSON text, and bytes behind it."""

    name: bytes
    fields: str
    payload: bytes | memoryview | None
    #: The width and height if the bytes are pixels, which have no format and no pages.
    size: tuple[int, int] | None = None

    def limit_exceeded(self, fields: Fields) -> str | None:
        """The reason why an array is too large to be sent; the program would speak of a file."""
        if self.size is None:
            return None
        width, height = self.size
        if width * height > fields.max_pixels:
            megapixels = fields.max_pixels / 1e6
            return f"the picture is {width} x {height} pixels; the limit is {megapixels:g} megapixels (max_megapixels)"
        if self.payload is not None and len(self.payload) > fields.max_bytes:
            return (
                f"the pixels of the picture are {len(self.payload)} bytes; "
                f"the limit is {fields.max_bytes} (max_file_megabytes)"
            )
        return None


def is_one_picture(source: Any) -> bool:
    """Whether this is a picture, although Python can count through some: a path has letters, and an array has rows."""
    if isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview, Picture)):
        return True
    image_module, numpy = sys.modules.get("PIL.Image"), sys.modules.get("numpy")
    if image_module is not None and isinstance(source, image_module.Image):
        return True
    if numpy is not None and isinstance(source, numpy.ndarray):
        # Arrays one above the other are several gray pictures, unless they are colors.
        return source.ndim == 2 or (source.ndim == 3 and source.shape[2] in (1, 3, 4))
    return False


def prepare(
    source: Source, default_name: str = "", color_order: ColorOrder | None = None, limits: Fields | None = None
) -> Sent:
    """Turns a picture into what is sent; raises TypeError or ValueError for what is none."""
    if isinstance(source, Sent):
        return source
    check_color_order(color_order)
    page = None
    name = None
    if isinstance(source, Picture):
        name, page, source = source.name, source.page, source.data
    fields = ""
    if page is not None:
        check_range("page", page, 1, LARGEST_NUMBER, kind=Integral)
        fields = f',"page":{int(page)}'
    if isinstance(source, (str, os.PathLike)):
        path = _checked_path(os.fsencode(source))
        encoded = base64.b64encode(os.path.abspath(path)).decode()
        return Sent(path if name is None else _bytes(name), f'{fields},"path":"{encoded}"', None)
    named = _bytes(default_name if name is None else name)
    if isinstance(source, (bytes, bytearray, memoryview)):
        payload = source if isinstance(source, bytes) else _contiguous(memoryview(source))
        return Sent(named, f'{fields},"bytes":{len(payload)}', payload)
    size = _size(source)
    if size is not None and limits is not None and size[0] * size[1] > limits.max_pixels:
        # An image of PIL would be read now, and an array converted, which takes several times its memory.
        return Sent(named, fields, None, size)
    gray = _gray(source, color_order)
    if gray is None:
        raise TypeError(
            "a picture is a path, the bytes of a file, a PIL image or a numpy array of uint8, uint16 or bool, "
            f"not {_description(source)}"
        )
    return _pixels(named, fields, *gray)


def gray_pixels(pixels: bytes | memoryview, width: int, height: int) -> Sent:
    """Gray pixels, one byte each, row after row without a gap."""
    return _pixels(b"", "", width, height, width, pixels)


def _pixels(name: bytes, fields: str, width: int, height: int, stride: int, payload: bytes | memoryview) -> Sent:
    shape = f'"gray":{{"height":{height},"stride":{stride},"width":{width}}}'
    return Sent(name, f'{fields},"bytes":{len(payload)},{shape}', payload, (width, height))


def _checked_path(path: bytes) -> bytes:
    if not path:
        raise ValueError("the path is empty")
    if b"\0" in path:
        raise ValueError("a path has no NUL")
    if len(path) > LONGEST_PATH:
        raise ValueError(
            f"a path has at most {LONGEST_PATH} bytes; if this is the text of a picture, decode it from base64 first: "
            f"{os.fsdecode(path[:40])!r} and {len(path) - 40} bytes more"
        )
    return path


def _contiguous(view: memoryview) -> memoryview | bytes:
    return view.cast("B") if view.c_contiguous else view.tobytes()


def _bytes(name: str) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"the name of a picture is a str, not {type(name).__name__}")
    encoded = name.encode("utf-8", "surrogateescape")
    if len(encoded) > LONGEST_NAME:
        raise ValueError(f"the name of a picture has at most {LONGEST_NAME} bytes, not {len(encoded)}")
    return encoded


def _description(source: Any) -> str:
    shape, kind = getattr(source, "shape", None), getattr(source, "dtype", None)
    return f"{type(source).__name__}" + (f" of {kind} and shape {tuple(shape)}" if shape is not None else "")


def _size(source: Any) -> tuple[int, int] | None:
    """The width and height of an image or array, which are known before its pixels are; None for anything else."""
    image_module, numpy = sys.modules.get("PIL.Image"), sys.modules.get("numpy")
    if image_module is not None and isinstance(source, image_module.Image):
        width, height = source.size
        return width, height
    if numpy is not None and isinstance(source, numpy.ndarray) and source.ndim in (2, 3):
        return source.shape[1], source.shape[0]
    return None


def _gray(source: Any, color_order: ColorOrder | None) -> tuple[int, int, int, memoryview | bytes] | None:
    """Width, height, bytes from row to row, and the pixels; None for what is no picture."""
    # Whoever has an image of PIL, or an array, has imported the module.
    image_module = sys.modules.get("PIL.Image")
    if image_module is not None and isinstance(source, image_module.Image):
        return _gray_of_image(source, image_module)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(source, numpy.ndarray):
        return _gray_of_array(source, numpy, color_order)
    return None


def _gray_of_image(image: Any, module: Any) -> tuple[int, int, int, bytes]:
    if image.mode == "La":
        image = image.convert("LA")
    if image.mode[0] in "IF":
        image = _gray_of_deep_image(image)
    elif "A" in image.getbands() or "a" in image.getbands() or "transparency" in image.info:
        # What is transparent is seen over white, as the program has it.
        layers = image.convert("RGBA")
        image = module.composite(layers.convert("L"), module.new("L", image.size, 255), layers.getchannel("A"))
    elif image.mode != "L":
        image = image.convert("L")
    width, height = image.size
    return width, height, width, image.tobytes()


def _gray_of_deep_image(image: Any) -> Any:
    if image.mode == "F" and image.size[0] and image.size[1] and image.getextrema()[1] <= 1:
        return image.point(lambda value: value * 255 + 0).convert("L")
    image = image.convert("I")
    # None if the image is empty.
    divisor = 1 << _spare_bits((image.getextrema() or (0, 0))[1])
    return image.point(lambda value: value / divisor).convert("L")


def _spare_bits(highest: int) -> int:
    """The number of low bits without which the highest value of a picture fits in 8 bits.

    A picture with 16 or 32 bits a pixel uses 8 of them, or 10, 12 or 14 as cameras do, or all.
    """
    return max(0, highest.bit_length() - 8)


def _gray_of_array(array: Any, numpy: Any, color_order: ColorOrder | None) -> tuple[int, int, int, memoryview] | None:
    if array.dtype == numpy.bool_:
        array = array.astype(numpy.uint8) * numpy.uint8(255)
    elif array.dtype.kind == "u" and array.dtype.itemsize == 2:
        array = (array >> _spare_bits(int(array.max(initial=0)))).astype(numpy.uint8)
    if array.dtype != numpy.uint8:
        return None
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    elif array.ndim == 3 and array.shape[2] in (3, 4):
        if color_order is None:
            raise ValueError(
                f"an array of {array.shape[2]} colors a pixel needs color_order: "
                '"rgb" as PIL and imageio have it, "bgr" as OpenCV has it'
            )
        # Red, green, blue: the weights of BT.601 in parts of 65,536, as the program has them.
        weights = numpy.array([19595, 38470, 7471], dtype=numpy.uint32)
        if color_order == "bgr":
            weights = weights[::-1]
        luma = (array[:, :, :3].astype(numpy.uint32) @ weights + 32768) >> 16
        if array.shape[2] == 4:
            alpha = array[:, :, 3].astype(numpy.uint32)
            luma = (luma * alpha + 255 * (255 - alpha) + 127) // 255
        array = luma.astype(numpy.uint8)
    if array.ndim != 2:
        return None
    height, width = array.shape
    stride = array.strides[0]
    if array.size == 0 or array.strides[1] != 1 or stride < width or height == 1:
        array = numpy.ascontiguousarray(array)
        stride = width
    if stride == width:
        return width, height, stride, memoryview(array).cast("B") if array.size else memoryview(b"")
    # Part of a larger picture: sent with what stands between its rows, which costs less than a copy.
    if stride > 2 * width:
        array = numpy.ascontiguousarray(array)
        return width, height, width, memoryview(array).cast("B")
    whole = numpy.lib.stride_tricks.as_strided(array, ((height - 1) * stride + width,), (1,), writeable=False)
    return width, height, stride, memoryview(whole)
