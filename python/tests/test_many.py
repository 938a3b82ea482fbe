"""Many pictures, whatever becomes of the processes that decode them."""

from __future__ import annotations

import contextlib
import fcntl
import io
import itertools
import mmap
import multiprocessing
import os
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import quietzone
from conftest import POISON, SAMPLES, png
from quietzone import Picture, Report, _decoder, _worker
from quietzone._options import request_fields
from quietzone._pictures import Sent, prepare

QR = SAMPLES / "qr.png"
TEXT = "https://example.org/quietzone"


def outcome(report: Report) -> str:
    return report.error.code if report.error else ",".join(symbol.text for symbol in report.symbols)


def group_of(process: int) -> list[str]:
    """The processes of a process group, those that have ended and were not yet waited for left out."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                state, _, group = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:3]
                if int(group) == process and state != "Z":
                    found.append(folder.name)
    return found


def unread(pipe: int) -> int:
    """The number of bytes in a pipe."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@pytest.mark.parametrize("ordered", [True, False])
def test_every_picture_has_a_report(ordered: bool) -> None:
    pictures = [QR, QR.read_bytes(), b"", 3, "/nowhere", SAMPLES / "no-code.jpg"] * 8
    reports = list(quietzone.decode_many(pictures, workers=2, ordered=ordered))
    wanted = [TEXT, TEXT, "empty_file", "invalid_request", "not_found", ""] * 8
    found = [outcome(report) for report in reports]
    assert found == wanted if ordered else sorted(found) == sorted(wanted)
    if ordered:
        assert [report.source for report in reports[:4]] == [str(QR), "1", "2", "3"]


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(
    ("bad", "source"),
    [
        (Picture(QR.read_bytes(), page=10**30), "3"),
        (Picture(QR.read_bytes(), name="named", page=0), "named"),
        (Picture(QR.read_bytes(), name="x" * 900_000), "3"),
        (Picture(QR.read_bytes(), name=3), "3"),  # type: ignore[arg-type]
        ("A" * 1_000_000, "3"),
        (Image.open(io.BytesIO(QR.read_bytes()[:200])), "3"),
    ],
)
def test_a_picture_that_cannot_be_requested_costs_no_other(bad: Any, source: str, ordered: bool) -> None:
    reports = list(quietzone.decode_many([*[QR.read_bytes()] * 3, bad, *[QR.read_bytes()] * 3], ordered=ordered))
    found = {report.source: outcome(report) for report in reports}
    assert found == {**dict.fromkeys("012456", TEXT), source: "invalid_request"}


def test_a_request_that_ends_the_pool_costs_no_other() -> None:
    bad = Sent(b"bad", f',"page":{10**30},"bytes":3', b"abc")
    pictures: list[Any] = [QR.read_bytes()] * 40
    for place in (5, 6, 25):
        pictures.insert(place, bad)
    reports = list(quietzone.decode_many(pictures, workers=2))
    assert [outcome(report) for report in reports] == ["no_worker" if one is bad else TEXT for one in pictures]


def test_poison(poison_library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", str(poison_library))
    pictures = [Picture(QR.read_bytes(), str(number)) for number in range(40)]
    for place, width in zip((5, 20, 30), POISON, strict=True):
        pictures.insert(place, Picture(png(width), f"poison {width}"))
    reports = list(quietzone.decode_many(pictures, workers=2, timeout=10, worker_megabytes=256))
    assert [report.source for report in reports] == [picture.name for picture in pictures]
    for report in reports:
        assert outcome(report) == (POISON[int(report.source.split()[1])] if "poison" in report.source else TEXT)


def test_a_pool_that_is_killed() -> None:
    """What was not answered is asked again, and nothing is lost or answered twice."""
    with quietzone.Decoder(workers=2) as decoder:
        for _ in range(2):
            reports = []
            for report in decoder.decode_many([QR.read_bytes()] * 60):
                reports.append(report)
                if len(reports) == 10:
                    assert decoder._process is not None
                    os.kill(decoder._process.pid, signal.SIGKILL)
            assert [report.source for report in reports] == [str(number) for number in range(60)]
            assert {outcome(report) for report in reports} == {TEXT}


def signal_while_writing(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends this thread a signal once it writes a request to the pool that is larger than the pipe."""
    # A pool that reads nothing, as one that has enough to do.
    process.send_signal(signal.SIGSTOP)
    assert process.stdin is not None
    pipe, writing = process.stdin.fileno(), threading.get_ident()

    def run() -> None:
        while unread(pipe) < fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) // 2:
            time.sleep(0.001)
        signal.pthread_kill(writing, number)

    threading.Thread(target=run).start()


def test_an_interrupted_request() -> None:
    """Ctrl-C while a picture is written to the pool costs no other picture."""
    with quietzone.Decoder(workers=1) as decoder:
        assert outcome(decoder.report(QR)) == TEXT
        process = decoder._process
        assert process is not None
        # What runs in the background may have inherited that Ctrl-C is ignored.
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        signal_while_writing(process, signal.SIGINT)
        other = decoder.submit(prepare(QR), request_fields())
        with pytest.raises(KeyboardInterrupt):
            decoder.submit(prepare(bytes(1 << 24)), request_fields())
        signal.signal(signal.SIGINT, handler)
        process.send_signal(signal.SIGCONT)
        for future in (other, decoder.submit(prepare(QR), request_fields())):
            assert outcome(future.result(timeout=60)) == TEXT
        assert not decoder._jobs


@pytest.mark.parametrize("program", ["/bin/false", "/bin/true", "/bin/echo", "/bin/ls", Path("/bin/true")])
def test_a_program_that_is_not_decode_image(program: str | Path) -> None:
    with quietzone.Decoder(workers=1, program=program) as decoder:
        report = decoder.report(QR)
        assert outcome(report) == "no_worker"
        assert report.source == str(QR)
        assert report.error is not None and f"{program} is probably not decode-image" in report.error.message


@pytest.mark.parametrize("program", ["/bin/false", "/bin/ls"])
def test_keys_for_a_program_that_is_not_decode_image(program: str) -> None:
    with pytest.raises(quietzone.ProgramNotFound, match=f"^{program} is probably not decode-image$"):
        quietzone.Decoder(program=program, content=True, keys=SAMPLES / "seal-keys")


@pytest.mark.parametrize("picture", [QR, np.zeros((9, 9), np.uint8)])
@pytest.mark.parametrize("program", ["/nonexistent", "/tmp", Path("/nonexistent")])
def test_a_program_that_does_not_exist(program: str | Path, picture: Any) -> None:
    with (
        quietzone.Decoder(workers=1, program=program) as decoder,
        pytest.raises(quietzone.ProgramNotFound, match=f"{program} is not a program"),
    ):
        decoder.report(picture)


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ("first\nlibheif.so.1: cannot open shared object file\n\n", "libheif.so.1: cannot open shared object file"),
        ("Error: Unknown option '--pool'\nUsage: decode-image\n", "Error: Unknown option '--pool'"),
    ],
)
def test_the_error_of_a_program_that_ends_at_once(tmp_path: Path, errors: str, told: str) -> None:
    program = tmp_path / "decode-image"
    program.write_text(f'#!/bin/sh\nprintf %s "{errors}" >&2\nexit 127\n')
    program.chmod(0o755)
    with quietzone.Decoder(workers=1, program=str(program)) as decoder:
        report = decoder.report(QR)
        assert report.error is not None and report.error.code == "no_worker"
        assert report.error.message == f"was not decoded: its process ended: {told}"


def test_answers_of_another_version(tmp_path: Path) -> None:
    program = tmp_path / "newer"
    program.write_text('#!/bin/sh\nread line\necho \'{"schema":9,"id":1,"answer":{}}\'\nexec cat >/dev/null\n')
    program.chmod(0o755)
    with quietzone.Decoder(workers=1, program=str(program)) as decoder:
        report = decoder.report(QR)
        assert report.error is not None and report.error.code == "no_worker"
        assert "version 9 of the protocol" in report.error.message


@pytest.mark.parametrize("report", ["[]", '{"symbols":[[]]}', "3", "null"])
def test_answers_that_are_no_reports(tmp_path: Path, report: str) -> None:
    """A worker that a picture has taken over may answer anything, which a pool hands on."""
    program = tmp_path / "taken-over"
    program.write_text(f'#!/bin/sh\nread line\necho \'{{"schema":1,"id":1,"report":{report}}}\'\nexec cat >/dev/null\n')
    program.chmod(0o755)
    with quietzone.Decoder(workers=1, program=str(program)) as decoder:
        # Not for ever, as it once was.
        answer = decoder.submit(prepare(QR), request_fields()).result(timeout=60)
        assert outcome(answer) == "no_worker"


def test_a_map_of_a_file_that_was_cut_off(tmp_path: Path) -> None:
    """Bytes that cannot be sent any more cost no other picture, whose request would be taken for them."""
    file = tmp_path / "map"
    file.write_bytes(QR.read_bytes() + bytes(1 << 20))
    with file.open("rb") as opened:
        cut = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
    os.truncate(file, 4096)
    with quietzone.Decoder(workers=1) as decoder:
        pictures = [QR.read_bytes(), cut, QR.read_bytes()]
        futures = [decoder.submit(prepare(picture), request_fields()) for picture in pictures]
        assert [outcome(future.result(timeout=60)) for future in futures] == [TEXT, "no_worker", TEXT]


def test_a_link_to_the_requests_costs_no_other(tmp_path: Path) -> None:
    """The descriptors of the pool are those of its requests and answers."""
    links = [tmp_path / str(number) for number in range(8)]
    for number, link in enumerate(links):
        link.symlink_to(f"/proc/self/fd/{number}")
    with quietzone.Decoder(workers=2) as decoder:
        futures = [decoder.submit(prepare(picture), request_fields()) for picture in (*links, *[QR] * 30)]
        outcomes = [outcome(future.result(timeout=60)) for future in futures]
    assert outcomes[8:] == [TEXT] * 30
    # Not every number is one of an open file.
    assert outcomes[0] == "unreadable" and set(outcomes[:8]) <= {"unreadable", "not_found"}


def test_pictures_are_taken_as_reports_are() -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        for _ in itertools.count():
            taken += 1
            yield QR.read_bytes()

    with quietzone.Decoder(workers=1) as decoder:
        reports = decoder.decode_many(endless())
        for _ in range(10):
            assert outcome(next(reports)) == TEXT
        assert taken <= 10 + 8 * decoder.window


def test_a_decoder_that_is_closed(tmp_path: Path) -> None:
    silent = tmp_path / "silent"
    os.mkfifo(silent)
    decoder = quietzone.Decoder(workers=1)
    reports: list[Report] = []
    waiting = threading.Thread(target=lambda: reports.append(decoder.report(silent)))
    waiting.start()
    # Opens once the pool has it open too.
    with open(silent, "wb"):
        assert decoder._process is not None
        pool = decoder._process.pid
        # The pool, its worker, and the helper that starts the programs for documents outside of the sandbox; the pool
        # opens a file while the worker starts.
        while len(group_of(pool)) < 3:
            time.sleep(0.01)
        decoder.close()
        waiting.join()
        assert [outcome(report) for report in reports] == ["cancelled"]
        assert reports[0].error is not None and reports[0].error.message == "was not decoded: the decoder was closed"
        # The worker waits for a pipe that is still open: it was ended too.
        while group_of(pool):
            time.sleep(0.01)
    with pytest.raises(RuntimeError):
        decoder.report(QR)


def test_a_decoder_that_is_dropped() -> None:
    """Its processes, its thread and its descriptors are gone without `close()`."""

    # Those of earlier tests may still be ending.
    others = set(threading.enumerate())

    def count_of_threads() -> int:
        return sum(thread.name == "quietzone answers" for thread in set(threading.enumerate()) - others)

    frame = np.asarray(Image.open(QR).convert("RGBA").convert("L"))
    descriptors = len(os.listdir("/proc/self/fd"))
    decoder = quietzone.Decoder(workers=1)
    assert [outcome(decoder.report(picture)) for picture in (frame, QR)] == [TEXT] * 2
    assert decoder._process is not None and decoder._worker is not None
    processes = [decoder._process.pid, decoder._worker._process.pid]
    assert count_of_threads() == 1
    del decoder
    limit = time.monotonic() + 60
    while count_of_threads() > 0 or any(map(group_of, processes)):
        assert time.monotonic() < limit
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/fd")) <= descriptors


def test_shared_decoders_of_many_settings() -> None:
    """Those that were not used for longest are dropped, and their processes end."""
    first, second = (_decoder.shared_decoder(workers=1, timeout=40 + number) for number in range(2))
    assert outcome(second.report(QR)) == TEXT
    assert second._process is not None
    pool = second._process.pid
    del second
    for number in range(2, 9):
        _decoder.shared_decoder(workers=1, timeout=40 + number)
        assert _decoder.shared_decoder(timeout=40, workers=1) is first
    limit = time.monotonic() + 60
    while group_of(pool):
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_a_decoder_that_is_closed_by_the_handler_of_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while its processes are started."""
    decoder = quietzone.Decoder(workers=1)

    def start(*arguments: Any, **settings: Any) -> Any:
        process = _worker.start(*arguments, **settings)
        signal.raise_signal(signal.SIGUSR1)
        return process

    monkeypatch.setattr(_decoder, "start", start)
    handler = signal.signal(signal.SIGUSR1, lambda *_: decoder.close())
    try:
        assert outcome(decoder.report(QR)) == "cancelled"
    finally:
        signal.signal(signal.SIGUSR1, handler)
    with pytest.raises(RuntimeError):
        decoder.report(QR)


def test_a_decoder_that_is_closed_while_a_request_is_written() -> None:
    decoder = quietzone.Decoder(workers=1)
    assert outcome(decoder.report(QR)) == TEXT
    process = decoder._process
    assert process is not None
    left: list[int] = []

    def close(*_: Any) -> None:
        decoder.close()
        left.append(len(decoder._jobs))

    handler = signal.signal(signal.SIGUSR1, close)
    try:
        signal_while_writing(process, signal.SIGUSR1)
        assert outcome(decoder.submit(prepare(bytes(1 << 24)), request_fields()).result()) == "cancelled"
    finally:
        signal.signal(signal.SIGUSR1, handler)
    assert left == [0]


def test_a_forked_child_has_processes_of_its_own() -> None:
    """The child's requests and its `close()` leave the parent's pool and worker alone."""
    frame = np.asarray(Image.open(QR).convert("RGBA").convert("L"))
    fork = multiprocessing.get_context("fork")
    with quietzone.Decoder(workers=1) as decoder:

        def outcomes() -> list[str]:
            """By the worker for arrays, and by the pool."""
            return [outcome(decoder.report(picture)) for picture in (frame, QR)]

        def run_child(results: Connection) -> None:
            results.send(outcomes())
            decoder.close()

        assert outcomes() == [TEXT] * 2
        process, worker = decoder._process, decoder._worker
        receiving, sending = fork.Pipe(duplex=False)
        child = fork.Process(target=run_child, args=(sending,))
        child.start()
        try:
            assert receiving.poll(60), "the child has no answer"
            assert receiving.recv() == [TEXT] * 2
            child.join()
        finally:
            child.kill()
        assert child.exitcode == 0
        assert outcomes() == [TEXT] * 2
        assert (decoder._process, decoder._worker) == (process, worker)


def test_a_forked_child_does_not_keep_the_pool_of_its_parent() -> None:
    with quietzone.Decoder(workers=1) as decoder:
        assert outcome(decoder.report(QR)) == TEXT
        process = decoder._process
        assert process is not None and process.stdin is not None
        release, hold = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(hold)
            os.read(release, 1)
            os._exit(0)
        # A pool ends when its input is closed everywhere.
        process.stdin.close()
        try:
            assert process.wait(timeout=60) == 0
        finally:
            os.close(hold)
            os.close(release)
            os.waitpid(child, 0)
        assert outcome(decoder.report(QR)) == TEXT


def test_a_forked_child_has_no_warnings() -> None:
    script = f"""
import os, sys
import numpy, PIL.Image, quietzone
decoder = quietzone.Decoder(workers=1)
frame = numpy.asarray(PIL.Image.open({str(QR)!r}).convert("RGBA").convert("L"))
for picture in ({str(QR)!r}, frame):
    decoder.decode(picture)
child = os.fork()
if child == 0:
    del decoder
    sys.exit(0)
os.waitpid(child, 0)
# Those of the parent still run.
worker, pool = decoder._worker, decoder._process
for picture in ({str(QR)!r}, frame):
    decoder.decode(picture)
assert (worker, pool) == (decoder._worker, decoder._process)
decoder.close()
# The warnings of this process do not count.
os._exit(0)
"""
    command = [sys.executable, "-X", "dev", "-W", "ignore::DeprecationWarning", "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_threads() -> None:
    found: list[str] = []
    with quietzone.Decoder(workers=2) as decoder:
        threads = [
            threading.Thread(target=lambda: found.extend(outcome(decoder.report(QR)) for _ in range(10)))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [TEXT] * 80


def test_names_that_are_no_utf8() -> None:
    name = os.fsdecode(b"/tmp/\xff\xfe")
    report = quietzone.report(name)
    assert report.source_bytes == b"/tmp/\xff\xfe" and outcome(report) == "not_found"
