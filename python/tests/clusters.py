"""What tests of clusters share: pictures of which some do harm, and what became of them."""

from __future__ import annotations

import collections
import json
import os
import random
import re
import subprocess
import time
from pathlib import Path

import pyarrow.dataset as ds

from conftest import POISON, ROOT, SAMPLES, png

PROGRAM = ROOT / ".build" / "release" / "decode-image"
#: Of a thousand pictures one does harm, in turn by a crash and by too much memory, and one in ten of these by a hang.
HARM = 1000
TIMEOUT = 10
MEGABYTES = 256


def make_pictures(folder: Path, count: int, seed: int) -> list[Path]:
    """Small pictures made of Samples, some that cannot be read, and some that do harm."""
    numbers = random.Random(seed)
    originals = [
        path for path in sorted(SAMPLES.glob("*.png")) + sorted(SAMPLES.glob("*.jpg")) if path.stat().st_size < 20_000
    ]
    files = [path.read_bytes() for path in originals]
    names = [path.suffix for path in originals]
    paths = []
    for number in range(count):
        below = folder / f"{number // 1000:04d}"
        below.mkdir(exist_ok=True)
        which = numbers.randrange(len(files))
        content, suffix = files[which], names[which]
        if number % HARM == HARM // 2:
            turn = number // HARM
            width = 6662 if turn % 10 == 2 else (6661, 6663)[turn % 2]
            content, suffix = png(width, 3), f".{width}.png"
        elif number % 50 == 7:
            # Not to nothing: Spark leaves out empty files.
            content = content[: numbers.randrange(1, len(content))]
        path = below / f"{number}{suffix}"
        path.write_bytes(content)
        paths.append(path)
    return paths


def outcomes_of_files(result: Path) -> dict[str, tuple[object, ...]]:
    """By name: what was read, or the error; fails where a picture has more than one outcome."""
    columns = ["source", "symbol", "format", "text", "error_code"]
    rows = collections.defaultdict(list)
    for row in ds.dataset(result).to_table(columns).to_pylist():
        rows[re.sub("^file:", "", row["source"])].append(row)
    answers: dict[str, tuple[object, ...]] = {}
    for name, some in rows.items():
        places = sorted(row["symbol"] for row in some if row["symbol"] is not None)
        assert len(some) == 1 or places == list(range(len(some))), f"{name} has more than one outcome: {some}"
        read = [(row["format"], row["text"]) for row in some if row["symbol"] is not None]
        answers[name] = (some[0]["error_code"], *sorted(read))
    return answers


def outcomes_of_program(lines: list[str]) -> dict[str, tuple[object, ...]]:
    answers = {}
    for report in map(json.loads, lines):
        read = [(symbol["format"], symbol["rawValue"]) for symbol in report["symbols"]]
        answers[report["source"]] = (report["error"] and report["error"]["code"], *sorted(read))
    return answers


def decode_by_program(paths: list[Path], folder: Path, library: Path) -> tuple[dict[str, tuple[object, ...]], float]:
    """What `decode-image --jobs 2` says of pictures, and the seconds that it took."""
    names = folder / "names"
    names.write_text("".join(f"{path}\n" for path in paths))
    command = [PROGRAM, "--json", "--jobs", "2", "--timeout", str(TIMEOUT), "--worker-megabytes", str(MEGABYTES)]
    start = time.monotonic()
    answer = subprocess.run(
        [*command, "--files-from", names],
        env={**os.environ, "LD_PRELOAD": str(library)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    seconds = time.monotonic() - start
    print(f"decode-image --jobs 2: {len(paths)} pictures in {seconds:.1f} s", flush=True)
    return outcomes_of_program(answer.stdout.splitlines()), seconds


def compare(paths: list[Path], wanted: dict[str, tuple[object, ...]], found: dict[str, tuple[object, ...]]) -> None:
    """Fails unless each picture has one outcome, the same as by the program."""
    assert set(found) == set(wanted) == {str(path) for path in paths}, "a picture is missing"
    differing = [name for name in wanted if wanted[name] != found[name]]
    assert not differing, [(name, wanted[name], found[name]) for name in differing[:5]]
    harmed = collections.Counter(code for code, *_ in found.values() if code in POISON.values())
    print(f"{len(found)} pictures with one outcome each, as decode-image's; {dict(harmed)}")
