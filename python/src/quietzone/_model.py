"""What is known of a picture and its symbols: the fields of `decode-image --json` as dataclasses.

Each field carries the name that it has in JSON. docs/reference/json.md describes them; a test compares the two.
"""

from __future__ import annotations

import base64
import dataclasses
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

#: The type, where a field has its name.
Bytes: typing.TypeAlias = bytes


def _named(name: str) -> dict[str, str]:
    """What marks a field that JSON calls by another name."""
    return {"json": name}


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the stored picture, in pixels from its top left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Modules:
    """How many modules a matrix symbol has."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class StructuredAppend:
    """The place of a symbol in a message over several."""

    index: int
    count: int | None = None
    parity: int | None = None
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class ContentField:
    """One thing that a message says."""

    name: str
    value: str
    label: str | None = None
    meaning: str | None = None
    personal: bool | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says, such as the GTIN and the batch in GS1 element strings."""

    kind: str
    fields: tuple[ContentField, ...]


@dataclass(frozen=True, slots=True)
class Composite:
    """The part of a GS1 composite symbol that stands above its linear part."""

    format: str
    text: str = field(metadata=_named("rawValue"))
    bytes: Bytes = field(metadata=_named("rawBytes"))
    symbology_identifier: str = field(metadata=_named("symbologyIdentifier"))
    corners: tuple[Point, ...] = field(metadata=_named("cornerPoints"))


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol, see "A symbol" in docs/reference/json.md."""

    format: str
    text: str = field(metadata=_named("rawValue"))
    bytes: Bytes = field(metadata=_named("rawBytes"))
    symbology_identifier: str = field(metadata=_named("symbologyIdentifier"))
    charset: str
    charset_source: str = field(metadata=_named("charsetSource"))
    corners: tuple[Point, ...] = field(metadata=_named("cornerPoints"))
    bounding_box: Box = field(metadata=_named("boundingBox"))
    inverted: bool
    quality: int
    gs1: bool = False
    check: str = "none"
    add_on: str | None = field(default=None, metadata=_named("addOn"))
    page_points: tuple[Point, ...] | None = field(default=None, metadata=_named("pagePoints"))
    rotation: float | None = None
    mirrored: bool | None = None
    error_correction_level: str | None = field(default=None, metadata=_named("errorCorrectionLevel"))
    module_size: float | None = field(default=None, metadata=_named("moduleSize"))
    contrast: float | None = None
    correction_used: float | None = field(default=None, metadata=_named("correctionUsed"))
    confidence: float | None = None
    version: int | None = None
    modules: Modules | None = None
    structured_append: StructuredAppend | None = field(default=None, metadata=_named("structuredAppend"))
    reader_programming: bool | None = field(default=None, metadata=_named("readerProgramming"))
    symbol_characters: str | None = field(default=None, metadata=_named("symbolCharacters"))
    composite: Composite | None = None
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A symbol that was located and not read, see "Seen but not read" in docs/reference/json.md."""

    kind: str
    corners: tuple[Point, ...] = field(metadata=_named("cornerPoints"))
    module_size: float = field(metadata=_named("moduleSize"))
    reason: str


@dataclass(frozen=True, slots=True)
class Milliseconds:
    """What a picture took."""

    load: float
    decode: float


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning, see "Errors" in docs/reference/json.md."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """The answer for one picture, see "The picture" in docs/reference/json.md."""

    schema: int
    source: str
    width: int
    height: int
    orientation: int
    symbols: tuple[Symbol, ...]
    truncated: bool
    milliseconds: Milliseconds
    error: Problem | None = None
    warnings: tuple[Problem, ...] = ()
    source_bytes: Bytes | None = field(default=None, metadata=_named("sourceBytes"))
    page: int | None = None
    pages: int | None = None
    resolution: float | None = None
    search_end: str | None = field(default=None, metadata=_named("searchEnd"))
    unread: tuple[Unread, ...] = ()

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Report:
        """The report that `decode-image --json` printed, as `json.loads` reads it; unknown fields are passed over."""
        return typing.cast(Report, reader(cls)(record))

    def to_json(self) -> dict[str, Any]:
        """The report as `decode-image --json` prints it, for `json.dumps`; `from_json` makes the same report of it."""
        record = typing.cast("dict[str, Any]", _plain_json(self))
        # The one field that stands there although it says nothing.
        record.setdefault("error", None)
        return record

    @classmethod
    def failed(cls, source: str, code: str, message: str) -> Report:
        """The report on a picture that nothing was read of."""
        return cls(1, source, 0, 0, 1, (), False, Milliseconds(0, 0), Problem(code, message))

    def raise_for_error(self) -> None:
        """Raises a `DecodeError` where the picture could not be read."""
        if self.error is not None:
            raise DecodeError(self.error.code, self.error.message, self.source)


class DecodeError(Exception):
    """A picture that could not be read; `code` is one of those in docs/reference/json.md."""

    def __init__(self, code: str, message: str, source: str = "") -> None:
        super().__init__(code, message, source)
        self.code = code
        self.message = message
        self.source = source

    def __str__(self) -> str:
        return f"{self.source}: {self.message}" if self.source else self.message


def json_name(row: dataclasses.Field[Any]) -> str:
    """What JSON calls a field."""
    return typing.cast(str, row.metadata.get("json", row.name))


_readers: dict[Any, Callable[[Any], Any]] = {}


def reader(kind: Any) -> Callable[[Any], Any]:
    """What turns JSON into a value of a type: a dataclass of this module or what its fields are made of."""
    known = _readers.get(kind)
    if known is None:
        known = _readers[kind] = _make_reader(kind)
    return known


def _make_reader(kind: Any) -> Callable[[Any], Any]:
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        make = typing.cast(Callable[..., Any], kind)
        # A field that needs no turning is taken as it is: most do not, and there may be many symbols.
        rows = [(row.name, json_name(row), reader(hints[row.name])) for row in dataclasses.fields(kind)]
        plain = [(name, key) for name, key, read in rows if read is _same]
        turned = [(name, key, read) for name, key, read in rows if read is not _same]

        def read_record(record: Mapping[str, Any]) -> Any:
            values = {name: record[key] for name, key in plain if key in record}
            for name, key, read in turned:
                value = record.get(key)
                if value is not None:
                    values[name] = read(value)
            return make(**values)

        return read_record
    if kind is bytes:
        return base64.b64decode
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        item = reader(arguments[0])
        return lambda values: tuple([item(value) for value in values])
    if type(None) in arguments:
        return reader(arguments[0])
    return _same


def _same(value: Any) -> Any:
    return value


def _plain_json(value: Any) -> Any:
    """A value as JSON has it: dataclasses as objects without what is not known, bytes in base64."""
    if dataclasses.is_dataclass(value):
        rows = [(row, getattr(value, row.name)) for row in dataclasses.fields(value)]
        # A default that is no value of its own stands for a field that is absent.
        return {
            json_name(row): _plain_json(item)
            for row, item in rows
            if (item is not None and item != ()) or row.default is dataclasses.MISSING
        }
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, tuple):
        return [_plain_json(item) for item in value]
    return value
