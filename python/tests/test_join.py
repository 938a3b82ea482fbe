"""Messages over several symbols, compared with what `decode-image --join` makes of the same pictures."""

from __future__ import annotations

import base64
import dataclasses
import json
import random
import subprocess

import pytest

import quietzone
from conftest import ROOT
from quietzone import StructuredAppend, Symbol, find_program

SAMPLES = ROOT / "Samples"


@pytest.mark.parametrize(
    "names",
    [
        ["qr-append-01.png", "qr-append-02.png"],
        ["qr-append-02.png", "qr.png", "qr-append-01.png"],
        ["qr-append-both.png"],
        ["qr-append-02.png"],
        ["qr-append-01.png", "qr-append-01.png"],
        ["qr.png"],
    ],
)
def test_joins_as_the_program_does(names: list[str]) -> None:
    paths = [str(SAMPLES / name) for name in names]
    symbols = [symbol for path in paths for symbol in quietzone.decode(path)]
    found = [
        {
            "format": message.format,
            "parity": message.parity,
            "count": message.count,
            "missing": list(message.missing),
            "conflicts": list(message.conflicts),
            "rawValue": message.text,
            "rawBytes": message.bytes and base64.b64encode(message.bytes).decode(),
        }
        for message in quietzone.join(symbols)
    ]
    printed = subprocess.run([find_program(), "--json", "--join", *paths], capture_output=True, text=True, check=False)
    expected = json.loads(printed.stdout.splitlines()[-1])["joined"]
    assert found == [{key: message.get(key) for key in found[0]} for message in expected]


def part(index: int, count: int | None, data: bytes, **changes: object) -> Symbol:
    """A symbol that is a part of a message, of a QR Code unless `changes` says something else."""
    [symbol] = quietzone.decode(SAMPLES / "qr.png")
    return dataclasses.replace(
        symbol,
        text=data.decode("latin-1"),
        bytes=data,
        structured_append=StructuredAppend(index, count, 7),
        **changes,  # type: ignore[arg-type]
    )


def test_order_and_repetition_do_not_matter() -> None:
    seed = random.randrange(1 << 32)
    numbers = random.Random(seed)
    parts = [part(index, 9, bytes([65 + index]) * 3) for index in range(9)]
    for _ in range(20):
        some = parts + numbers.choices(parts, k=5)
        numbers.shuffle(some)
        [message] = quietzone.join(some)
        assert message.complete and message.bytes == b"".join(one.bytes for one in parts), f"seed {seed}"


def test_what_is_missing_or_in_conflict_is_said() -> None:
    [message] = quietzone.join([part(1, 4, b"B"), part(3, 4, b"D"), part(3, 4, b"E")])
    assert (message.complete, message.missing, message.conflicts) == (False, (0, 2), (3,))
    assert message.text is None and message.bytes is None


def test_a_pdf417_need_not_state_how_many() -> None:
    parts = [part(0, None, b"A", format="pdf417"), part(1, None, b"B", format="pdf417")]
    [message] = quietzone.join(parts)
    assert (message.count, message.complete) == (None, False)
    [message] = quietzone.join([*parts, part(2, 3, b"C", format="pdf417")])
    assert message.text == "ABC"


def test_a_character_over_two_symbols_is_one() -> None:
    halves = [part(index, 2, half, charset_source="validity") for index, half in enumerate([b"\xe6", b"\x97\xa5"])]
    [message] = quietzone.join(halves)
    assert message.text == "日"


def test_an_index_beyond_all_is_left_out() -> None:
    assert quietzone.join([part(100_000, 2, b"A")]) == []
