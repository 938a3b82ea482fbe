"""Mistakes in a call are errors of the call, before any picture is read."""

from __future__ import annotations

import itertools
import json
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import quietzone
from conftest import ROOT, SAMPLES
from quietzone import Format, Picture, Report

QR = SAMPLES / "qr.png"

CALLS: dict[str, Callable[..., Any]] = {
    "decode": lambda **options: quietzone.decode(QR, **options),
    "report": lambda **options: quietzone.report(QR, **options),
    "decode_pages": lambda **options: quietzone.decode_pages(QR, **options),
    # Its pictures never end: none of them may be taken.
    "decode_many": lambda **options: quietzone.decode_many(itertools.repeat(QR), **options),
    "Decoder.decode_many": lambda **options: quietzone.Decoder().decode_many(itertools.repeat(QR), **options),
}

MISTAKES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"formats": ["QRCode"]}, ValueError, "there is no format 'QRCode'; did you mean 'qr_code'?"),
    ({"formats": ["qr_code", "CODE-128"]}, ValueError, "did you mean 'code_128'?"),
    ({"formats": ["ean"]}, ValueError, "did you mean 'ean_"),
    ({"formats": ["zzz"]}, ValueError, "known are qr_code, aztec"),
    ({"formats": []}, ValueError, "formats names none"),
    ({"formats": "qr_code"}, TypeError, "formats is a list of names"),
    ({"formats": [3]}, TypeError, "is a name, not 3"),
    ({"effort": "heroic"}, ValueError, "known are fast, normal, thorough"),
    ({"effort": "thorogh"}, ValueError, "did you mean 'thorough'?"),
    ({"max_count": 0}, ValueError, "max_count is more than 0"),
    ({"max_count": 1.5}, TypeError, "max_count is a whole number"),
    ({"max_megapixels": -1}, ValueError, "max_megapixels is more than 0"),
    ({"time_budget": "1"}, TypeError, "time_budget is a number"),
    ({"resolution": 7}, ValueError, "from 36 to 2400"),
    ({"resolution": "150"}, TypeError, "resolution is a number"),
    ({"resolution": True}, TypeError, "resolution is a number"),
    ({"max_count": 10**20}, ValueError, "max_count is more than 0 and at most 2147483647"),
    ({"max_count": True}, TypeError, "max_count is a whole number"),
    ({"max_megapixels": 1e13}, ValueError, "max_megapixels is more than 0 and at most 4000, not"),
    ({"max_file_megabytes": 100_001}, ValueError, "max_file_megabytes is more than 0 and at most 100000"),
    ({"time_budget": 1e308}, ValueError, "time_budget is more than 0 and at most 86400"),
    ({"time_budget": float("nan")}, ValueError, "time_budget is more than 0"),
    ({"fromats": ["qr_code"]}, TypeError, "there is no option 'fromats'; did you mean 'formats'?"),
    ({"maxcount": 1}, TypeError, "there is no option 'maxcount'; did you mean 'max_count'?"),
    ({"timout": 1}, TypeError, "there is no option 'timout'; did you mean 'timeout'?"),
]

WORKER_MISTAKES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"workers": 0}, ValueError, "workers is from 1 to 1024 processes, not 0"),
    ({"workers": -1}, ValueError, "workers is from 1 to 1024"),
    ({"workers": 2000}, ValueError, "workers is from 1 to 1024"),
    ({"workers": 1.5}, TypeError, "workers is a whole number, not 1.5"),
    ({"timeout": 0}, ValueError, "timeout is from 0.001 to 86400 seconds, not 0"),
    ({"timeout": -1}, ValueError, "timeout is from 0.001"),
    ({"timeout": float("inf")}, ValueError, "timeout is from 0.001"),
    ({"timeout": float("nan")}, ValueError, "timeout is from 0.001"),
    ({"timeout": "3"}, TypeError, "timeout is a number, not '3'"),
    ({"timeout": None}, TypeError, "timeout is a number"),
    ({"worker_megabytes": 0}, ValueError, "worker_megabytes is from 64 to 1000000 megabytes, not 0"),
    ({"worker_megabytes": 2048.5}, TypeError, "worker_megabytes is a whole number"),
    ({"workers": [2]}, TypeError, "workers is a whole number, not [2]"),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("options", "kind", "message"), MISTAKES)
def test_mistakes(call: str, options: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        CALLS[call](**options)
    assert message in str(caught.value)


@pytest.mark.parametrize("call", ["decode", "report", "decode_pages", "decode_many"])
@pytest.mark.parametrize(("options", "kind", "message"), WORKER_MISTAKES)
def test_mistakes_in_worker_options(call: str, options: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        CALLS[call](**options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"workers": 1, "timeout": 0.001, "worker_megabytes": 64},
        {"workers": 1024, "timeout": 86_400, "worker_megabytes": 1_000_000},
        {"workers": np.int64(1), "timeout": np.float32(5), "worker_megabytes": np.int32(256)},
    ],
)
def test_worker_options_that_the_program_takes(options: dict[str, Any]) -> None:
    quietzone.Decoder(**options)._check_arguments()


def test_a_decoder_stays_in_its_process() -> None:
    with pytest.raises(TypeError, match="a Decoder cannot be sent to another process; make one there"):
        pickle.dumps(quietzone.Decoder())


def test_an_option_of_the_workers_is_not_one_of_a_picture() -> None:
    with pytest.raises(TypeError, match="timeout is not an option of this call; Decoder or"):
        quietzone.Decoder().decode(QR, timeout=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.uint8, Fraction])
def test_numbers_of_any_kind(kind: Any) -> None:
    options = {
        "resolution": kind(150),
        "time_budget": kind(60),
        "max_megapixels": kind(3),
        "max_file_megabytes": kind(1),
    }
    assert len(quietzone.decode(QR, timeout=kind(20), **options)) == 1
    if kind in (np.int64, np.uint8):
        assert len(quietzone.decode(QR, max_count=kind(1))) == 1


@pytest.mark.parametrize(
    "pictures",
    [
        "photo.jpg",
        QR,
        QR.read_bytes(),
        Picture(QR),
        Image.new("L", (9, 9)),
        np.zeros((9, 9), np.uint8),
        np.zeros((9, 9, 3), np.uint8),
        3,
    ],
)
def test_one_picture_in_place_of_many(pictures: Any) -> None:
    with pytest.raises(TypeError, match="decode_many takes several pictures"):
        quietzone.decode_many(pictures)


def test_a_stack_of_arrays() -> None:
    reports = list(quietzone.decode_many(np.zeros((2, 30, 40), np.uint8), workers=1))
    assert [(report.width, report.height) for report in reports] == [(40, 30)] * 2


def test_formats_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "reference" / "symbologies.md").read_text()
    assert all(f"`{name}`" in page for name in Format)
    help_text = subprocess.run([quietzone.find_program(), "--help"], capture_output=True, text=True, check=True).stdout
    known = "".join(" ".join(help_text.split()).split("The symbologies are ")[1].split(";")[0].split()).split(",")
    assert known == [str(name) for name in Format]


def test_a_format_is_its_name() -> None:
    assert Format.QR_CODE == "qr_code" and f"{Format.QR_CODE}" == "qr_code"
    (symbol,) = quietzone.decode(QR, formats=[Format.QR_CODE, "ean_13"])
    assert symbol.format == Format.QR_CODE


@pytest.mark.parametrize("name", ["qr.png", "ean13-addon5.png", "data-matrix-gs1.png", "no-code.jpg", "nowhere"])
def test_a_report_is_what_the_program_prints(name: str) -> None:
    path = str(SAMPLES / name)
    report = quietzone.report(path, content=True)
    record = report.to_json()
    assert Report.from_json(json.loads(json.dumps(record))) == report
    program = subprocess.run(
        [quietzone.find_program(), "--json", "--content", path], capture_output=True, text=True, check=False
    )
    printed = json.loads(program.stdout)
    for one in (record, printed):
        one.pop("milliseconds")
    assert record == printed


def test_a_type_checker_knows_the_options(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    good = """
        from pathlib import Path

        import quietzone
        from quietzone import Format

        for report in quietzone.decode_many(["a.png"], workers=2, formats=[Format.QR_CODE, "ean_13"], timeout=3):
            print(report.to_json()["source"])
        quietzone.decode("a.png", effort="fast", color_order="bgr", program=Path("decode-image"))
        """
    bad = """
        import quietzone

        quietzone.decode("a.png", fromats=["qr_code"])
        quietzone.decode_many(["a.png"], effort="heroic")
        quietzone.Decoder().report("a.png", max_count="3")
        """
    for name, text in [("good.py", good), ("bad.py", bad)]:
        (tmp_path / name).write_text(textwrap.dedent(text))
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        errors = [line for line in checked.stdout.splitlines() if f"{name}:" in line and "error:" in line]
        assert len(errors) == (0 if name == "good.py" else 3), checked.stdout
