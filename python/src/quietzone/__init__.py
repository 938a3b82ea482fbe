"""Reads barcodes and QR codes in pictures, in worker processes, so that a hostile picture costs no other.

    import quietzone

    for symbol in quietzone.decode("photo.jpg"):
        print(symbol.format, symbol.text, symbol.corners)

See docs/how-to/python.md; `quietzone.arrow`, `quietzone.spark` and `quietzone.ray` are modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from ._decoder import Decoder, shared_decoder
from ._join import JoinedMessage, join
from ._model import (
    Box,
    Composite,
    Content,
    ContentField,
    DecodeError,
    Milliseconds,
    Modules,
    Point,
    Problem,
    Report,
    StructuredAppend,
    Symbol,
    Unread,
)
from ._options import ColorOrder, Effort, Format, ManyOptions, Options, PictureOptions
from ._pictures import Picture, Source
from ._program import ProgramNotFound, find_program, version

if TYPE_CHECKING:
    from ._options import Unpack

__all__ = [
    "Box",
    "ColorOrder",
    "Composite",
    "Content",
    "ContentField",
    "DecodeError",
    "Decoder",
    "Effort",
    "Format",
    "JoinedMessage",
    "Milliseconds",
    "Modules",
    "Picture",
    "PictureOptions",
    "Point",
    "Problem",
    "ProgramNotFound",
    "Report",
    "Source",
    "StructuredAppend",
    "Symbol",
    "Unread",
    "decode",
    "decode_async",
    "decode_many",
    "decode_pages",
    "find_program",
    "join",
    "report",
]

__version__ = version()

#: Options that belong to the workers and not to one picture.
SETTINGS = ("workers", "timeout", "worker_megabytes", "content", "keys", "program")


def decode(picture: Source, **options: Unpack[Options]) -> list[Symbol]:
    """The symbols in a picture: a path, the bytes of a file, a PIL image or a numpy array.

    Options are those of `Decoder` and of its requests, see docs/how-to/python.md. Raises `DecodeError` if the picture
    cannot be read; one without symbols is an empty list.
    """
    settings, rest = _split(options)
    return shared_decoder(**settings).decode(picture, **rest)


def report(picture: Source, **options: Unpack[Options]) -> Report:
    """The report on a picture, which has an error where it could not be read."""
    settings, rest = _split(options)
    return shared_decoder(**settings).report(picture, **rest)


async def decode_async(picture: Source, **options: Unpack[Options]) -> list[Symbol]:
    """The same as `decode`, awaited."""
    settings, rest = _split(options)
    return await shared_decoder(**settings).decode_async(picture, **rest)


def decode_pages(document: Source, **options: Unpack[Options]) -> Iterator[Report]:
    """A report for each page of a PDF or TIFF, in order."""
    settings, rest = _split(options)
    return shared_decoder(**settings).decode_pages(document, **rest)


def decode_many(
    pictures: Iterable[Source],
    *,
    workers: int | None = None,
    ordered: bool = True,
    **options: Unpack[ManyOptions],
) -> Iterator[Report]:
    """A report for each picture, in order or as done, whatever happens to a worker; see `Decoder.decode_many`."""
    settings, rest = _split(options)
    decoder = Decoder(workers=workers, **settings)
    # Here and not with the first report: what is wrong with the call is an error of the call.
    reports = decoder.decode_many(pictures, ordered=ordered, **rest)
    return _closing(decoder, reports)


def _closing(decoder: Decoder, reports: Iterator[Report]) -> Iterator[Report]:
    with decoder:
        yield from reports


def _split(options: Options | ManyOptions) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of the workers, and those of a picture."""
    given = cast("dict[str, Any]", options)
    settings = {name: value for name, value in given.items() if name in SETTINGS}
    return settings, {name: value for name, value in given.items() if name not in SETTINGS}
