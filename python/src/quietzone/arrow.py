"""Reports as Arrow record batches: one row for a symbol, and one for a picture without.

The columns are made of the fields of `Report` and `Symbol`; docs/how-to/python.md lists them. Needs pyarrow.
"""

from __future__ import annotations

import dataclasses
import os
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ._model import Report, Symbol

#: Fields of a report that are columns of another form.
_REPORT_APART = ("schema", "symbols", "milliseconds", "error")

#: The number of a row's symbol among those of its picture, from 0; null for a picture without.
_INDEX = pa.field("symbol", pa.int32())


def arrow_type(kind: Any) -> pa.DataType:
    """The Arrow type of a type that a field of a report has."""
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return pa.struct([pa.field(field.name, arrow_type(hints[field.name])) for field in dataclasses.fields(kind)])
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        return pa.list_(pa.field("item", arrow_type(arguments[0])))
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return arrow_type(next(one for one in arguments if one is not type(None)))
    plain = {str: pa.string(), int: pa.int32(), float: pa.float64(), bool: pa.bool_(), bytes: pa.binary()}
    return plain[kind]


def _columns(kind: Any, apart: tuple[str, ...] = ()) -> list[pa.Field]:
    hints = typing.get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind) if field.name not in apart]
    return [pa.field(name, arrow_type(hints[name])) for name in names]


_REPORT_COLUMNS = _columns(Report, _REPORT_APART)
_SYMBOL_COLUMNS = _columns(Symbol)

#: The columns of a batch.
SCHEMA = pa.schema(
    [
        *_REPORT_COLUMNS,
        pa.field("load_milliseconds", pa.float64()),
        pa.field("decode_milliseconds", pa.float64()),
        pa.field("error_code", pa.string()),
        pa.field("error_message", pa.string()),
        _INDEX,
        *_SYMBOL_COLUMNS,
    ]
)

_REPORT_NAMES = [field.name for field in _REPORT_COLUMNS]
_SYMBOL_NAMES = [field.name for field in _SYMBOL_COLUMNS]
_PLAIN = (str, int, float, bool, bytes)
_INTEGERS = range(-(2**31), 2**31)


def rows(report: Report) -> Iterator[dict[str, Any]]:
    """A row for each symbol of a report, or one for a report without."""
    picture = {name: _plain(getattr(report, name)) for name in _REPORT_NAMES}
    picture["load_milliseconds"] = report.milliseconds.load
    picture["decode_milliseconds"] = report.milliseconds.decode
    picture["error_code"] = report.error.code if report.error else None
    picture["error_message"] = report.error.message if report.error else None
    if not report.symbols:
        yield picture
    for index, symbol in enumerate(report.symbols):
        yield picture | {"symbol": index} | {name: _plain(getattr(symbol, name)) for name in _SYMBOL_NAMES}


def batches(reports: Iterable[Report], rows_per_batch: int = 1024) -> Iterator[pa.RecordBatch]:
    """Record batches of `SCHEMA` with about so many rows each; the symbols of a picture stay together."""
    waiting: list[dict[str, Any]] = []
    for report in reports:
        waiting.extend(rows(report))
        if len(waiting) >= rows_per_batch:
            yield pa.RecordBatch.from_pylist(waiting, SCHEMA)
            waiting = []
    if waiting:
        yield pa.RecordBatch.from_pylist(waiting, SCHEMA)


def write_parquet(reports: Iterable[Report], path: str | os.PathLike[str], rows_per_batch: int = 16384) -> int:
    """Writes reports to a Parquet file, a row group for each batch; the result is the number of rows."""
    count = 0
    with pq.ParquetWriter(path, SCHEMA) as writer:
        for batch in batches(reports, rows_per_batch):
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _plain(value: Any) -> Any:
    """A value as Arrow takes it: dataclasses as dictionaries."""
    if isinstance(value, int) and value not in _INTEGERS:
        # A hostile symbol may state any number of symbols, which would fail the batch with all others.
        return None
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {name: _plain(getattr(value, name)) for name in value.__slots__}
