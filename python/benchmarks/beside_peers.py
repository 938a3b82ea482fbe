"""Reads the same pictures with this package, pyzbar and zxing-cpp's binding, each on all processors, and measures what
the package adds to the program's own work.

usage: beside_peers.py [--frames N] [--tiny N] LIST [EXPECTED]

LIST names pictures, one a line. EXPECTED is JSON, each name of the list and its messages as base64:
{"pictures/qr.png": ["dGV4dA=="], ...}; without it, found and misread are not told. The peers run in a pool of processes
that load each picture with Pillow, as their users do. All are run by turns, and the best of three runs counts. Needs
numpy, pillow, pyzbar and zxing-cpp.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import time
from base64 import b64decode
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import quietzone

WORKERS = len(os.sched_getaffinity(0))
# For each picture its symbols, and for each of these its message in the forms in which a list may have it: bytes, text.
Messages = dict[str, list[list[bytes]]]


def pyzbar_messages(path: str) -> tuple[str, list[list[bytes]]]:
    from pyzbar import pyzbar

    messages: list[list[bytes]] = []
    try:
        for found in pyzbar.decode(Image.open(path)):
            if found.type in ("EAN2", "EAN5") and messages:
                messages[-1][0] += found.data
            else:
                messages.append([found.data])
    except Exception:
        pass
    return path, messages


def zxing_messages(path: str) -> tuple[str, list[list[bytes]]]:
    import zxingcpp

    try:
        image = Image.open(path).convert("L")
        found = zxingcpp.read_barcodes(image, ean_add_on_symbol=zxingcpp.EanAddOnSymbol.Read)
        return path, [[bytes(one.bytes), one.text.encode()] for one in found]
    except Exception:
        return path, []


def pooled(read: Callable[[str], tuple[str, list[list[bytes]]]]) -> Callable[[list[str]], Messages]:
    def run(paths: list[str]) -> Messages:
        with multiprocessing.Pool(WORKERS) as pool:
            return dict(pool.imap_unordered(read, paths, chunksize=4))

    return run


def quietzone_messages(paths: list[str]) -> Messages:
    reports = quietzone.decode_many(paths, workers=WORKERS, ordered=False)
    return {report.source: [[symbol.bytes, symbol.text.encode()] for symbol in report.symbols] for report in reports}


def program_messages(paths: list[str]) -> Messages:
    command = [quietzone.find_program(), "--json", "--jobs", str(WORKERS), "--files-from", "-"]
    answer = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True)
    reports = map(json.loads, answer.stdout.splitlines())
    return {
        report["source"]: [
            [b64decode(symbol["rawBytes"]), (symbol.get("rawValue") or "").encode()] for symbol in report["symbols"]
        ]
        for report in reports
    }


READERS: dict[str, Callable[[list[str]], Messages]] = {
    "decode-image --jobs": program_messages,
    "quietzone.decode_many": quietzone_messages,
    "pyzbar": pooled(pyzbar_messages),
    "zxing-cpp": pooled(zxing_messages),
}


def plain(message: bytes) -> bytes:
    """A message without what readers and lists have each in their own way."""
    message = message.strip(b"\r\n")
    digits = message.replace(b" ", b"")
    if digits.isdigit():
        # A UPC has 12 digits, or 13 as an EAN.
        return digits.lstrip(b"0")
    if re.fullmatch(rb"[A-D][0-9$+:/.-]+[A-D]", message, re.IGNORECASE):
        return message[1:-1]
    return message


def score(messages: Messages, expected: dict[str, list[bytes]]) -> tuple[int, int]:
    """How many of the expected messages were read, and how many symbols say none of them."""
    found = misread = 0
    for path, symbols in messages.items():
        wanted = [plain(message) for message in expected.get(path, [])]
        left = list(wanted)
        for symbol in symbols:
            forms = [plain(form) for form in symbol]
            hit = next((form for form in forms if form in left), None)
            if hit is not None:
                left.remove(hit)
                found += 1
            elif not any(form in wanted for form in forms):
                misread += 1
    return found, misread


def compare(paths: list[str], expected: dict[str, list[bytes]] | None) -> None:
    seconds: dict[str, list[float]] = collections.defaultdict(list)
    messages: dict[str, Messages] = {}
    for _ in range(3):
        for name, read in READERS.items():
            start = time.perf_counter()
            messages[name] = read(paths)
            seconds[name].append(time.perf_counter() - start)
    print("| reader | found | misread | pictures a second |\n| --- | --- | --- | --- |")
    for name in READERS:
        found, misread = score(messages[name], expected) if expected is not None else ("", "")
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
        expected = None
        if options.expected:
            listed = json.loads(options.expected.read_text())
            expected = {name: [b64decode(one) for one in some] for name, some in listed.items()}
        compare(options.list.read_text().split("\n")[:-1], expected)
    if options.frames:
        frames(options.frames)
    if options.tiny:
        tiny(options.tiny)


if __name__ == "__main__":
    main()
