"""The dataclasses against docs/reference/json.md, which says what JSON holds."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from conftest import ROOT
from quietzone import Milliseconds, Modules, Problem, Report, StructuredAppend, Symbol, Unread
from quietzone._model import json_name

PAGE = (ROOT / "docs" / "reference" / "json.md").read_text()


def documented(title: str) -> set[str]:
    """The names of the fields in the table below a title."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ((?:`\w+` ?)+)\|", section, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


@pytest.mark.parametrize(
    ("title", "kind"), [("The picture", Report), ("A symbol", Symbol), ("Seen but not read", Unread)]
)
def test_fields_are_those_of_the_page(title: str, kind: Any) -> None:
    assert documented(title) == {json_name(field) for field in dataclasses.fields(kind)}


@pytest.mark.parametrize("kind", [Milliseconds, Modules, Problem, StructuredAppend])
def test_parts_are_named_on_the_page(kind: Any) -> None:
    for field in dataclasses.fields(kind):
        assert f"`{json_name(field)}`" in PAGE


def test_unknown_fields_are_passed_over() -> None:
    report = Report.from_json(
        {
            "schema": 1,
            "source": "a",
            "width": 2,
            "height": 3,
            "orientation": 1,
            "symbols": [],
            "truncated": False,
            "milliseconds": {"load": 1, "decode": 2},
            "error": {"code": "new", "message": "is new"},
            "novelty": {"x": 1},
        }
    )
    assert report.error == Problem("new", "is new")
    assert (report.width, report.pages, report.warnings) == (2, None, ())
