"""Arrays one at a time, which have a worker to themselves, and what becomes of them when it is lost."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import quietzone
from conftest import SAMPLES
from quietzone import Decoder, Picture, Report, _worker

TEXT = "https://example.org/quietzone"


def outcome(report: Report) -> str:
    return report.error.code if report.error else ",".join(symbol.text for symbol in report.symbols)


@pytest.fixture(name="frame", scope="module")
def make_frame() -> Any:
    """A gray picture with a QR symbol."""
    return np.asarray(Image.open(SAMPLES / "qr.png").convert("RGBA").convert("L"))


def process_of(decoder: Decoder) -> int:
    assert decoder._worker is not None
    return decoder._worker._process.pid


def program_that_first(folder: Path, does: str) -> str:
    """A decode-image that as a worker, when it is started for the first time, does something else."""
    program = folder / "decode-image"
    program.write_text(
        f"#!/bin/sh\nif [ $1 = --worker ] && mkdir {folder}/started 2>/dev/null; then\n{does}\nfi\n"
        f'exec {quietzone.find_program()} "$@"\n'
    )
    program.chmod(0o755)
    return str(program)


def wait_for(file: Path) -> None:
    while not file.exists():
        time.sleep(0.01)


def test_no_pool_is_started(frame: Any) -> None:
    with Decoder(workers=1) as decoder:
        reports = [decoder.report(Picture(frame, f"frame {number}")) for number in range(20)]
        assert [report.source for report in reports] == [f"frame {number}" for number in range(20)]
        assert {outcome(report) for report in reports} == {TEXT}
        assert decoder._process is None


def test_a_worker_opens_no_pictures() -> None:
    program = quietzone.find_program()
    if b"Landlock" not in subprocess.run([program, "--version"], capture_output=True, check=True).stdout:
        pytest.skip("needs Landlock")
    worker = _worker.Worker(program, timeout=30, megabytes=512)
    path = base64.b64encode(os.fsencode(SAMPLES / "qr.png")).decode()
    assert outcome(worker.ask("", f',"path":"{path}"', b"")) == "permission_denied"
    worker.close()


def test_the_answer_is_that_of_a_pool(frame: Any) -> None:
    with Decoder(workers=1) as decoder:
        alone = decoder.report(frame)
        (pooled,) = decoder.decode_many([Picture(frame, "")])
    assert alone.symbols == pooled.symbols
    assert (alone.source, alone.width, alone.height) == (pooled.source, pooled.width, pooled.height)


def test_what_is_asked_for_is_what_is_read(frame: Any) -> None:
    with Decoder(workers=1) as decoder:
        assert decoder.report(frame, formats=["ean_13"]).symbols == ()
        assert outcome(decoder.report(frame, max_megapixels=0.001)) == "too_large"
        assert outcome(decoder.report(frame)) == TEXT


def test_an_array_that_no_pipe_holds(frame: Any) -> None:
    large = np.full((4000, 3000), 255, np.uint8)
    large[1000 : 1000 + frame.shape[0], 500 : 500 + frame.shape[1]] = frame
    with Decoder(workers=1) as decoder:
        assert outcome(decoder.report(large)) == TEXT


def test_files_have_the_pool(frame: Any) -> None:
    with Decoder(workers=1) as decoder:
        assert outcome(decoder.report(SAMPLES / "qr.png")) == TEXT
        assert decoder._worker is None
        assert outcome(decoder.report(frame)) == TEXT


def test_a_worker_that_was_killed(frame: Any) -> None:
    with Decoder(workers=1) as decoder:
        for _ in range(3):
            assert outcome(decoder.report(frame)) == TEXT
            os.kill(process_of(decoder), signal.SIGKILL)
            assert outcome(decoder.report(frame)) == TEXT


@pytest.mark.parametrize(
    "does",
    ["exit 1", "kill -SEGV $$", "head -c 100 >/dev/null; exit 71", "echo rubbish; exec sleep 100", "exec cat"]
    + [f"echo '{line}'; exec sleep 100" for line in ('{"schema":9,"id":1}', '{"schema":1,"id":7,"report":{}}', "[]")]
    + [f"""echo '{{"schema":1,"id":1,"report":{report}}}'; exec sleep 100""" for report in ("[]", '{"symbols":[[]]}')]
    # Lists in lists, and an answer, without end.
    + ["head -c 200000 /dev/zero | tr '\\0' '['; echo; exec sleep 100", "exec tr '\\0' '[' </dev/zero"],
)
def test_a_worker_that_is_lost_costs_nothing(tmp_path: Path, frame: Any, does: str) -> None:
    with Decoder(workers=1, program=program_that_first(tmp_path, does)) as decoder:
        assert [outcome(decoder.report(frame)) for _ in range(3)] == [TEXT] * 3
        assert (tmp_path / "started").exists()


def test_a_worker_that_hangs_costs_its_picture(tmp_path: Path, frame: Any) -> None:
    with Decoder(workers=1, program=program_that_first(tmp_path, "exec sleep 100"), timeout=0.5) as decoder:
        start = time.monotonic()
        report = decoder.report(Picture(frame, "slow"))
        assert time.monotonic() - start >= 0.5
        assert outcome(report) == "timed_out" and report.source == "slow"
    with Decoder(workers=1, program=program_that_first(tmp_path, ":")) as decoder:
        assert outcome(decoder.report(frame)) == TEXT


def test_a_worker_that_takes_nothing(tmp_path: Path) -> None:
    """The time is kept while the picture is written too."""
    program = program_that_first(tmp_path, "exec sleep 100")
    with Decoder(workers=1, program=program, timeout=0.5) as decoder:
        assert outcome(decoder.report(np.full((4000, 3000), 255, np.uint8))) == "timed_out"


def test_a_worker_is_replaced_in_time(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_worker, "PICTURES", 3)
    with Decoder(workers=1) as decoder:
        processes = []
        for _ in range(9):
            assert outcome(decoder.report(frame)) == TEXT
            processes.append(process_of(decoder))
    assert len(set(processes)) == 3


def test_an_interrupted_question(tmp_path: Path, frame: Any) -> None:
    """Its answer is not taken for that to the next picture."""
    does = f"touch {tmp_path}/asked; while [ ! -e {tmp_path}/interrupted ]; do sleep 0.05; done"
    main = threading.get_ident()

    def interrupt() -> None:
        wait_for(tmp_path / "asked")
        signal.pthread_kill(main, signal.SIGINT)

    # What runs in the background may have inherited that Ctrl-C is ignored.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    with Decoder(workers=1, program=program_that_first(tmp_path, does)) as decoder:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            decoder.report(Picture(frame, "first"))
        signal.signal(signal.SIGINT, handler)
        (tmp_path / "interrupted").touch()
        report = decoder.report(Picture(np.full((40, 40), 255, np.uint8), "second"))
        assert report.source == "second" and report.symbols == ()


def test_a_decoder_that_is_closed_meanwhile(tmp_path: Path, frame: Any) -> None:
    program = program_that_first(tmp_path, f"touch {tmp_path}/hangs; exec sleep 100")
    decoder = Decoder(workers=1, program=program)
    codes: list[str] = []
    waiting = threading.Thread(target=lambda: codes.append(outcome(decoder.report(frame))))
    waiting.start()
    wait_for(tmp_path / "hangs")
    decoder.close()
    waiting.join()
    assert codes == ["cancelled"]
    with pytest.raises(RuntimeError):
        decoder.report(frame)


def test_threads(frame: Any) -> None:
    """One of them has the worker, the others the pool."""
    found: list[str] = []
    with Decoder(workers=2) as decoder:
        threads = [
            threading.Thread(target=lambda: found.extend(outcome(decoder.report(frame)) for _ in range(20)))
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [TEXT] * 120
