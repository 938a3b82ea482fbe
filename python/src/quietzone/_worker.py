"""A worker that is asked for one picture at a time by whoever waits for the answer."""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import select
import signal
import subprocess
import time
import weakref

from ._model import Report

#: The versions of the worker protocol, see docs/reference/worker-protocol.md: of requests with bytes, and of answers.
REQUEST_SCHEMA = 2
ANSWER_SCHEMA = 1

PIPE_BYTES = 1 << 20

#: An answer is mostly shorter, and a larger buffer is fetched from the system and given back for each.
_ANSWER_BYTES = 1 << 16

#: The most bytes of an answer, as in a pool.
LONGEST_ANSWER = 16 << 20

#: After so many pictures a worker is replaced by a fresh one, as in a pool.
PICTURES = 1000


class WorkerLost(Exception):
    """The worker ended, or answered what is no answer."""


def encode_request(number: int, name: str, fields: str) -> bytes:
    """A line that asks for a picture.

    Args:
        number: comes back with the answer.
        name: the picture's name in the report, in base64.
        fields: the other fields as JSON text, a comma before each.
    """
    return f'{{"schema":{REQUEST_SCHEMA},"id":{number},"name":"{name}"{fields}}}\n'.encode()


def decode_answer(line: bytes | bytearray) -> tuple[int, Report]:
    """The number and the report of an answer; raises ValueError for what is none."""
    try:
        answer = json.loads(line)
        if answer["schema"] != ANSWER_SCHEMA:
            raise ValueError(f"it uses version {answer['schema']} of the protocol")
        return int(answer["id"]), Report.from_json(answer["report"])
    except Exception as error:
        # Of any kind: a worker that a picture has taken over may answer a list, or lists in lists without end.
        raise ValueError(str(error)) from error


def start(program: str, *arguments: str, keep_errors: bool = False) -> subprocess.Popen[bytes]:
    """Starts the program as the other end of the protocol.

    Args:
        program: the program `decode-image`.
        arguments: its arguments.
        keep_errors: whether `last_error` can tell what it writes to standard error.
    """
    # A file in memory, because nobody drains a pipe.
    errors = os.fdopen(os.memfd_create("standard error"), "w+b") if keep_errors else None
    process = subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors or subprocess.DEVNULL,
        bufsize=0,
        # Swift's own crash reporter takes seconds to minutes to look at the dead.
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
        # A process group of its own, which is ended as one; Ctrl-C is for the program that reads the answers.
        start_new_session=True,
    )
    process.stderr = errors
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            # A larger pipe saves waiting for each other; what the system allows may be less.
            with contextlib.suppress(OSError):
                fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a program and what it started, which are of its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


def last_error(process: subprocess.Popen[bytes]) -> str | None:
    """The error that a program wrote before it ended, or its last line; None without one."""
    if process.stderr is None:
        return None
    process.stderr.seek(0)
    lines = [line for line in process.stderr.read().decode(errors="replace").splitlines() if line.strip()]
    # The usage comes after a wrong argument.
    return next((line for line in lines if line.startswith("Error: ")), lines[-1] if lines else None)


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Closes this side's ends of the pipes to a program, and the file with its errors."""
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a program, waits for it and closes the pipes to it."""
    kill(process)
    process.wait()
    close_pipes(process)


def leave(process: subprocess.Popen[bytes]) -> None:
    """Leaves a program to the parent of this process, which was just forked.

    A pipe that stays open here would keep the program alive after the parent's end.
    """
    close_pipes(process)
    # As if it had ended: nothing here kills it, waits for it or warns that it is still running.
    process.returncode = 0


def advance(parts: list[bytes | memoryview], written: int) -> None:
    """Takes from the parts what was written of them."""
    while parts and written >= len(parts[0]):
        written -= len(parts.pop(0))
    if parts and written:
        parts[0] = memoryview(parts[0])[written:]


class Worker:
    """A process `decode-image --worker`, which the caller's thread writes to and reads from itself.

    A frame costs half of what it does by a pool, whose threads and whose process hand it on.
    """

    def __init__(self, program: str, *, timeout: float, megabytes: int) -> None:
        """Starts the process.

        Args:
            program: the program `decode-image`.
            timeout: seconds for one picture.
            megabytes: the memory that the process may take.
        """
        self._timeout = timeout
        # It ends itself where nobody is left to do it.
        seconds = min(math.ceil(timeout) + 5, 1_000_000)
        limits = ["--memory-megabytes", str(megabytes), "--picture-seconds", str(seconds)]
        # It gets pixels, and may open no files.
        self._process = start(program, "--worker", *limits, "--picture-folder", "/dev/null")
        assert self._process.stdin is not None and self._process.stdout is not None
        # A worker that is dropped is ended as one that is closed.
        self._end = weakref.finalize(self, end, self._process)
        self._end.atexit = False
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        for descriptor in (self._input, self._output):
            os.set_blocking(descriptor, False)
        self._pictures = 0

    @property
    def is_worn(self) -> bool:
        """Whether it has decoded as many pictures as one worker should."""
        return self._pictures >= PICTURES

    def ask(self, name: str, fields: str, payload: bytes | memoryview) -> Report:
        """The report on a picture whose bytes are sent along.

        Raises:
            WorkerLost: the process is gone, whatever the reason.
            TimeoutError: it took too long.
        """
        self._pictures += 1
        limit = time.monotonic() + self._timeout
        parts: list[bytes | memoryview] = [encode_request(self._pictures, name, fields), payload]
        try:
            while parts:
                try:
                    advance(parts, os.writev(self._input, parts))
                except BlockingIOError:
                    _wait(self._input, select.POLLOUT, limit)
            line = bytearray()
            while b"\n" not in line[-_ANSWER_BYTES:]:
                _wait(self._output, select.POLLIN, limit)
                some = os.read(self._output, _ANSWER_BYTES)
                if not some:
                    raise WorkerLost("its process ended")
                line += some
                if len(line) > LONGEST_ANSWER:
                    raise WorkerLost(f"its answer has more than {LONGEST_ANSWER} bytes")
            number, report = decode_answer(line)
        except TimeoutError:
            raise
        except (OSError, ValueError) as error:
            raise WorkerLost(str(error)) from error
        if number != self._pictures:
            raise WorkerLost(f"it answers request {number}, and {self._pictures} was asked")
        return report

    def kill(self) -> None:
        """Ends the process; whoever waits for an answer sees that."""
        kill(self._process)

    def close(self) -> None:
        """Ends the process and forgets it; nobody may wait for an answer."""
        self._end()

    def leave(self) -> None:
        """Leaves the process to the parent of this one, which was just forked."""
        leave(self._process)


def _wait(descriptor: int, event: int, limit: float) -> None:
    """Waits until a descriptor is ready; raises TimeoutError where the limit, of the monotonic clock, comes before."""
    poll = select.poll()
    poll.register(descriptor, event)
    if not poll.poll(max(0, limit - time.monotonic()) * 1000):
        raise TimeoutError
