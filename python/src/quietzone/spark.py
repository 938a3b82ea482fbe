"""Decoding on the executors of Spark, by `mapInArrow`. Needs pyspark here, and pyarrow on the executors.

from quietzone import spark as qz

pictures = session.read.format("binaryFile").load("s3a://bucket/scans/")
qz.decode(pictures).write.parquet("s3a://bucket/symbols/")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from ._decoder import shared_decoder
from ._model import Report
from ._options import check_worker_options, request_fields
from ._pictures import Picture
from .arrow import SCHEMA, batches

if TYPE_CHECKING:
    from pyspark.accumulators import Accumulator
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Metrics:
    """What was done, counted on the executors; a task that Spark runs again counts again."""

    pictures: Accumulator[int]
    symbols: Accumulator[int]
    unreadable: Accumulator[int]

    @classmethod
    def of(cls, session: SparkSession) -> Metrics:
        """Counters of a session."""
        context = session.sparkContext
        return cls(context.accumulator(0), context.accumulator(0), context.accumulator(0))

    def add(self, report: Report) -> None:
        """Counts one picture."""
        self.pictures.add(1)
        self.symbols.add(len(report.symbols))
        if report.error is not None:
            self.unreadable.add(1)


def decode(
    df: DataFrame,
    *,
    picture: str | None = None,
    name: str | None = None,
    metrics: Metrics | None = None,
    workers: int = 1,
    timeout: float = 30,
    worker_megabytes: int = 1024,
    content: bool = False,
    keys: str | None = None,
    program: str | None = None,
    **options: Any,
) -> DataFrame:
    """The symbols in the pictures of a frame: the columns of `quietzone.arrow.SCHEMA`, at least one row a picture.

    The workers are kept for the life of an executor's Python worker. A picture that crashes one, hangs or takes too
    much memory is a row with an error code.

    Args:
        df: pictures, such as those of `binaryFile`.
        picture: the column of their bytes, or of paths that the executors can open; `content` where there is one, else
            `path`.
        name: the column of their names, `source` in the result; `path` where there is one, else what `picture` says.
        metrics: counts what is done, see `Metrics.of`.
        workers: the processes that decode for one task, which has one core unless Spark is told otherwise. With one
            more than its cores, none of these waits for a picture that hangs.
        timeout: as `quietzone.Decoder` has it, as are `worker_megabytes`, `content`, `keys` and `program`.
        options: what is looked for, as `quietzone.Decoder.decode_many` has it.
    """
    picture = picture or ("content" if "content" in df.columns else "path")
    name = name or ("path" if "path" in df.columns else picture)
    # A mistake in the options is one here, and not on every executor.
    request_fields(**options)
    check_worker_options(workers=workers, timeout=timeout, worker_megabytes=worker_megabytes)
    settings = {
        "workers": workers,
        "timeout": timeout,
        "worker_megabytes": worker_megabytes,
        "content": content,
        "keys": keys,
        "program": program,
    }
    function = mapper(picture, name, settings, options, metrics)
    return df.select(*dict.fromkeys([name, picture])).mapInArrow(function, ddl(SCHEMA))


def mapper(
    picture: str, name: str, settings: dict[str, Any], options: dict[str, Any], metrics: Metrics | None = None
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What turns batches of pictures into batches of symbols."""

    def decode_batches(inputs: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        decoder = shared_decoder(**settings)
        reports: Iterable[Report] = decoder.decode_many(
            # Rows have no order, and so none waits behind a picture that hangs.
            pictures(inputs, picture, name),
            ordered=False,
            **options,
        )
        if metrics is not None:
            reports = _counted(reports, metrics)
        return batches(reports)

    return decode_batches


def pictures(inputs: Iterable[pa.RecordBatch], picture: str, name: str) -> Iterator[Picture]:
    """The pictures in batches: bytes as they are, paths without `file:`."""
    for batch in inputs:
        column, names = batch.column(picture), batch.column(name)
        named = pa.types.is_string(names.type) or pa.types.is_large_string(names.type)
        for value, label in zip(column, names, strict=True):
            data = value.as_py()
            text = label.as_py() if named else None
            yield Picture(local_path(data) if isinstance(data, str) else data, text)


def local_path(name: str) -> str:
    """A path of the file system, where a name is an address that begins with `file:`."""
    return unquote(urlsplit(name).path) if name.startswith("file:") else name


def ddl(kind: pa.Schema | pa.DataType) -> str:
    """A schema, or a type, of Arrow in the words of Spark."""
    if isinstance(kind, pa.Schema):
        return ", ".join(f"`{field.name}` {ddl(field.type)}" for field in kind)
    if pa.types.is_struct(kind):
        return "struct<" + ", ".join(f"{field.name}: {ddl(field.type)}" for field in kind) + ">"
    if pa.types.is_list(kind):
        return f"array<{ddl(kind.value_type)}>"
    words = {"string": "string", "int32": "int", "double": "double", "bool": "boolean", "binary": "binary"}
    return words[str(kind)]


def _counted(reports: Iterable[Report], metrics: Metrics) -> Iterator[Report]:
    for report in reports:
        metrics.add(report)
        yield report
