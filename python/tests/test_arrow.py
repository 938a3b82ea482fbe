"""Record batches, and what Spark and Ray make of them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quietzone
from conftest import ROOT, SAMPLES
from quietzone import arrow, spark
from quietzone.ray import _Mapper

PICTURES = [SAMPLES / name for name in ("qr.png", "no-code.jpg", "qr-sheet.png", "ean13-addon5.png")]
SETTINGS = {"workers": 1, "content": True}


def test_the_page_lists_the_columns() -> None:
    section = (ROOT / "docs" / "how-to" / "python.md").read_text().split("<!-- columns -->")[1]
    listed = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", section, re.MULTILINE)
    assert listed == [(field.name, spark.ddl(field.type)) for field in arrow.SCHEMA]


def test_a_row_for_each_symbol_and_one_for_none(tmp_path: Path) -> None:
    reports = list(quietzone.decode_many([*PICTURES, "/nowhere"], workers=1))
    path = tmp_path / "symbols.parquet"
    count = arrow.write_parquet(reports, path, rows_per_batch=3)
    table = pq.read_table(path)
    assert table.schema == arrow.SCHEMA
    assert count == table.num_rows == sum(max(1, len(report.symbols)) for report in reports)
    rows = table.to_pylist()
    assert {row["source"] for row in rows} == {report.source for report in reports}
    first = rows[0]
    symbol = reports[0].symbols[0]
    assert (first["text"], first["bytes"], first["symbol"]) == (symbol.text, symbol.bytes, 0)
    assert [(point["x"], point["y"]) for point in first["corners"]] == [(point.x, point.y) for point in symbol.corners]
    assert first["modules"] == {"columns": symbol.modules.columns, "rows": symbol.modules.rows}  # type: ignore[union-attr]
    lost = rows[-1]
    assert (lost["error_code"], lost["format"], lost["symbol"]) == ("not_found", None, None)


def test_a_number_that_no_column_holds() -> None:
    """A Macro PDF417 may state that its message has 10 to the power of 17 symbols."""
    (report,) = quietzone.decode_many([SAMPLES / "qr.png"], workers=1)
    place = quietzone.StructuredAppend(index=0, count=10**17)
    hostile = replace(report, symbols=(replace(report.symbols[0], structured_append=place),))
    (batch,) = arrow.batches([report, hostile])
    places = batch.column("structured_append").to_pylist()
    assert places == [None, {"index": 0, "count": None, "parity": None, "identifier": None}]


def inputs(kind: str) -> pa.RecordBatch:
    paths = [f"file:{path}" for path in PICTURES]
    values = [path.read_bytes() for path in PICTURES] if kind == "bytes" else paths
    return pa.RecordBatch.from_pydict({"picture": values, "name": paths})


@pytest.mark.parametrize("kind", ["bytes", "paths"])
def test_what_the_executors_do(kind: str) -> None:
    function = spark.mapper("picture", "name", SETTINGS, {"effort": "fast"})
    outputs = list(function(iter([inputs(kind), inputs(kind)])))
    table = pa.Table.from_batches(outputs, arrow.SCHEMA)
    # Reports come as they are ready: rows of one picture together, pictures in any order.
    reports = quietzone.decode_many(PICTURES, workers=1, effort="fast")
    rows = Counter((f"file:{one.source}", index) for one in reports for index in range(max(1, len(one.symbols))))
    found = Counter((row["source"], row["symbol"] or 0) for row in table.to_pylist())
    assert found == rows + rows
    assert _Mapper("picture", "name", SETTINGS, {})(pa.Table.from_batches([inputs(kind)])).schema == arrow.SCHEMA


@pytest.mark.parametrize(
    ("name", "path"), [("file:/a%20b", "/a b"), ("file:///a/b", "/a/b"), ("/a%20b", "/a%20b"), ("b", "b")]
)
def test_paths(name: str, path: str) -> None:
    assert spark.local_path(name) == path
