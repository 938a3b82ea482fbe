"""Reads the same pictures with this package, pyzbar and zxing-cpp's binding, each on all processors, and measures what
the package adds to the program's own work.

usage: beside_peers.py [--frames N] [--tiny N] LIST [EXPECTED]

LIST names pictures, one a line. EXPECTED is JSON, the file name of each and its texts: {"qr.png": ["text"], ...};
without it, found and misread are not told. The peers run in a pool of processes that load each picture with Pillow, as
their users do. All are run by turns, and the best of three runs counts. Needs numpy, pillow, pyzbar and zxing-cpp.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import quietzone

WORKERS = len(os.sched_getaffinity(0))
Texts = dict[str, list[str]]


def pyzbar_texts(path: str) -> tuple[str, list[str]]:
    from pyzbar import pyzbar

    try:
        return path, [found.data.decode("utf-8", "replace") for found in pyzbar.decode(Image.open(path))]
    except Exception:
        return path, []


def zxing_texts(path: str) -> tuple[str, list[str]]:
    import zxingcpp

    try:
        return path, [found.text for found in zxingcpp.read_barcodes(Image.open(path).convert("L"))]
    except Exception:
        return path, []


def pooled(read: Callable[[str], tuple[str, list[str]]]) -> Callable[[list[str]], Texts]:
    def run(paths: list[str]) -> Texts:
        with multiprocessing.Pool(WORKERS) as pool:
            return dict(pool.imap_unordered(read, paths, chunksize=4))

    return run


def quietzone_texts(paths: list[str]) -> Texts:
    reports = quietzone.decode_many(paths, workers=WORKERS, ordered=False)
    return {report.source: [symbol.text for symbol in report.symbols] for report in reports}


def program_texts(paths: list[str]) -> Texts:
    command = [quietzone.find_program(), "--json", "--jobs", str(WORKERS), "--files-from", "-"]
    answer = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True)
    reports = map(json.loads, answer.stdout.splitlines())
    return {report["source"]: [symbol["rawValue"] for symbol in report["symbols"]] for report in reports}


READERS: dict[str, Callable[[list[str]], Texts]] = {
    "decode-image --jobs": program_texts,
    "quietzone.decode_many": quietzone_texts,
    "pyzbar": pooled(pyzbar_texts),
    "zxing-cpp": pooled(zxing_texts),
}


def score(texts: Texts, expected: dict[str, list[str]]) -> tuple[int, int]:
    """How many of the expected texts were read, and how many texts that are none of them."""
    found = misread = 0
    for path, read in texts.items():
        wanted = collections.Counter(expected.get(Path(path).name, []))
        seen = collections.Counter(read)
        found += (wanted & seen).total()
        misread += len(set(seen) - set(wanted))
    return found, misread


def compare(paths: list[str], expected: dict[str, list[str]] | None) -> None:
    seconds: dict[str, list[float]] = collections.defaultdict(list)
    texts: dict[str, Texts] = {}
    for _ in range(3):
        for name, read in READERS.items():
            start = time.perf_counter()
            texts[name] = read(paths)
            seconds[name].append(time.perf_counter() - start)
    print("| reader | found | misread | pictures a second |\n| --- | --- | --- | --- |")
    for name in READERS:
        found, misread = score(texts[name], expected) if expected is not None else ("", "")
        print(f"| {name} | {found} | {misread} | {len(paths) / min(seconds[name]):.0f} |")
    ratio = min(seconds["decode-image --jobs"]) / min(seconds["quietzone.decode_many"])
    print(f"decode_many reaches {ratio:.2f} of decode-image --jobs {WORKERS}")


def frames(count: int) -> None:
    """What a frame of 640 x 480 costs beyond loading and decoding, one at a time and several ahead."""
    frame = np.full((480, 640), 255, np.uint8)
    sample = Image.open(Path(__file__).parents[2] / "Samples" / "qr.png").convert("RGBA").convert("L")
    frame[100 : 100 + sample.height, 100 : 100 + sample.width] = np.asarray(sample)
    with quietzone.Decoder(workers=1) as decoder:
        for _ in range(50):
            decoder.report(frame)
        beyond = []
        for _ in range(count):
            start = time.perf_counter()
            report = decoder.report(frame)
            beyond.append((time.perf_counter() - start) * 1000 - report.milliseconds.decode)
        start = time.perf_counter()
        reports = list(decoder.decode_many(frame for _ in range(count)))
        all_of_it = (time.perf_counter() - start) * 1000 / count
        decoding = statistics.fmean(report.milliseconds.decode for report in reports)
    print(
        f"a frame one at a time: {statistics.median(beyond):.2f} ms beyond its decoding (best tenth "
        f"{statistics.quantiles(beyond, n=10)[0]:.2f}); several ahead: {all_of_it - decoding:.2f} ms"
    )


def tiny(count: int) -> None:
    """The memory of this process and of the pool over many tiny pictures."""
    picture = np.full((16, 16), 255, np.uint8)

    def megabytes(process: int | str) -> float:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6

    with quietzone.Decoder(workers=WORKERS) as decoder:
        start = time.perf_counter()
        for number, _ in enumerate(decoder.decode_many((picture for _ in range(count)), ordered=False), 1):
            if number % max(1, count // 10) == 0:
                assert decoder._process is not None
                pool = megabytes(decoder._process.pid)
                print(f"{number} pictures: {megabytes('self'):.0f} MB here, {pool:.0f} MB the pool")
        print(f"{count / (time.perf_counter() - start):.0f} tiny pictures a second")


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", nargs="?", type=Path)
    parser.add_argument("expected", nargs="?", type=Path)
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--tiny", type=int, default=0)
    options: Any = parser.parse_args(arguments)
    if options.list:
        expected = json.loads(options.expected.read_text()) if options.expected else None
        compare(options.list.read_text().split("\n")[:-1], expected)
    if options.frames:
        frames(options.frames)
    if options.tiny:
        tiny(options.tiny)


if __name__ == "__main__":
    main()
