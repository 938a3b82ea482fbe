"""A pool of workers, which is `decode-image --pool`, and the pictures that are sent to it."""

from __future__ import annotations

import asyncio
import atexit
import base64
import collections
import functools
import itertools
import os
import queue
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

from ._model import Report, Symbol
from ._options import ColorOrder, Fields, PictureOptions, check_color_order, check_worker_options, request_fields
from ._pictures import LONGEST_NAME, Picture, Sent, Source, is_one_picture, prepare
from ._program import ProgramNotFound, is_other_program, locate, program_version
from ._worker import (
    PIPE_BYTES,
    Worker,
    WorkerLost,
    advance,
    close_pipes,
    decode_answer,
    encode_request,
    end,
    kill,
    last_error,
    leave,
    start,
)

if TYPE_CHECKING:
    from ._options import Unpack

#: A pool that is lost over the same pictures so often is not started for them again.
_ATTEMPTS = 3

#: So many reports at most wait for one before them, where they are wanted in order.
_AHEAD = 4096

#: The reason why a picture was not decoded.
_CLOSED = "the decoder was closed"

#: All decoders of this process, which a forked child must not share with its parent.
_decoders: weakref.WeakSet[Decoder] = weakref.WeakSet()

#: Sends a picture under a name.
_Submit: TypeAlias = Callable[[Source, str], Future[Report]]


@dataclass(slots=True)
class _Job:
    """A request that waits for its answer, and what it takes to ask again."""

    header: bytes
    payload: bytes | memoryview | None
    name: str
    future: Future[Report]
    attempts: int = 0


class Decoder:
    """Worker processes that decode pictures; a picture that crashes or hangs one costs no other.

    May be used by several threads. It is closed by `close()`, by `with`, when it is dropped, or with the program.
    """

    # Also if the options were wrong.
    _process: subprocess.Popen[bytes] | None = None

    def __init__(
        self,
        *,
        workers: int | None = None,
        timeout: float = 30,
        worker_megabytes: int = 2048,
        content: bool = False,
        keys: str | os.PathLike[str] | None = None,
        program: str | os.PathLike[str] | None = None,
    ) -> None:
        """A pool, which is started with the first picture.

        Args:
            workers: the number of processes that decode, 1 to 1024; that of the processors unless said otherwise.
            timeout: seconds for one picture, 0.001 to 86400, after which its worker is killed and it is the error
                `timed_out`.
            worker_megabytes: the memory that one worker may take, 64 to 1000000.
            content: whether what the messages say is told too, see docs/reference/content.md.
            keys: a folder of public keys and certificates to check signatures with; with `content`.
            program: the program `decode-image`; see `find_program` for where it is looked for.

        Raises:
            TypeError, ValueError: for an option that no worker can have.
            ProgramNotFound: with `keys`, if the program is not `decode-image`.
        """
        check_worker_options(workers=workers, timeout=timeout, worker_megabytes=worker_megabytes)
        self.workers = workers or len(os.sched_getaffinity(0))
        self._timeout = timeout
        self._megabytes = worker_megabytes
        self._content = content
        self._arguments = ["--pool", "--jobs", str(self.workers), "--timeout", f"{float(timeout):g}"]
        self._arguments += ["--worker-megabytes", str(worker_megabytes)]
        if content:
            self._arguments.append("--content")
        if keys is not None:
            if not content:
                raise ValueError("keys need content=True: what they confirm is a field of the content")
            self._arguments += ["--keys", os.fspath(keys)]
        self._program = None if program is None else os.fspath(program)
        if keys is not None:
            self._check_arguments()
        self._ids = itertools.count(1)
        self._closed = False
        # How many requests may be under way: as many as the program takes in hand, and a few in the pipe.
        self.window = 6 * self.workers
        self._begin()
        _decoders.add(self)

    def _begin(self) -> None:
        """Sets the state without a process and without requests."""
        self._jobs: dict[int, _Job] = {}
        # Held for the state below, and while a request is written, which another must not cut in two.
        # The handler of a signal may call close() in the middle of a call that holds the state.
        self._state = threading.RLock()
        self._writing = threading.Lock()
        self._process = None
        # For arrays that come one at a time; held by whoever waits for its answer.
        self._worker: Worker | None = None
        self._asking = threading.Lock()

    def _begin_in_child(self) -> None:
        """Leaves the processes and requests to the parent, in a child that was just forked from it."""
        process, worker = self._process, self._worker
        self._begin()
        if process is not None:
            leave(process)
        if worker is not None:
            worker.leave()

    def _check_arguments(self) -> None:
        """Raises ValueError with what the program says of its arguments; a pool without requests ends at once."""
        command = [locate(self._program), *self._arguments]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            if not ended.stderr or is_other_program(command[0]):
                raise ProgramNotFound(f"{command[0]} is probably not decode-image")
            error = ended.stderr.partition("\n")[0].removeprefix("Error: ")
            # The program's own sentence stands behind the name of its argument.
            raise ValueError(error.partition("'--keys <keys>': ")[2] or error)

    # Single pictures

    def decode(
        self, picture: Source, *, color_order: ColorOrder | None = None, **options: Unpack[PictureOptions]
    ) -> list[Symbol]:
        """The symbols in a picture, from top to bottom; raises `DecodeError` where it could not be read."""
        report = self.report(picture, color_order=color_order, **options)
        report.raise_for_error()
        return list(report.symbols)

    def report(
        self, picture: Source, *, color_order: ColorOrder | None = None, **options: Unpack[PictureOptions]
    ) -> Report:
        """The report on a picture; one that could not be read is a report with an error."""
        fields = request_fields(**options)
        sent = prepare(picture, color_order=color_order, limits=fields)
        return self._ask_worker(sent, fields) or self.submit(sent, fields).result()

    async def decode_async(
        self, picture: Source, *, color_order: ColorOrder | None = None, **options: Unpack[PictureOptions]
    ) -> list[Symbol]:
        """The same as `decode`, awaited."""
        fields = request_fields(**options)
        sent = prepare(picture, color_order=color_order, limits=fields)
        # A pipe that is full blocks whoever writes.
        future = await asyncio.get_running_loop().run_in_executor(None, self.submit, sent, fields)
        report = await asyncio.wrap_future(future)
        report.raise_for_error()
        return list(report.symbols)

    # Many pictures

    def decode_many(
        self,
        pictures: Iterable[Source],
        *,
        ordered: bool = True,
        color_order: ColorOrder | None = None,
        **options: Unpack[PictureOptions],
    ) -> Iterator[Report]:
        """A report for each picture, whatever happens to a worker.

        Pictures are taken only as fast as reports are, a few ahead, and more of them behind one that takes long. What
        is no picture at all is a report with the error `invalid_request`. A picture without a name is called by its
        place, from 0.

        Args:
            pictures: paths, bytes, images or arrays; `Picture` gives one a name.
            ordered: whether the reports come in the order of the pictures, or each as soon as it is there.
            color_order: `rgb` or `bgr`, which arrays of colors need.
            options: as `PictureOptions` has them.

        Raises:
            TypeError: for one picture in place of several, at once.
            ValueError: for an option that no picture can be read with, at once.
        """
        if is_one_picture(pictures) or not isinstance(pictures, Iterable):
            raise TypeError(
                f"decode_many takes several pictures, such as a list, not {type(pictures).__name__}; "
                "for one picture there are decode and report"
            )
        check_color_order(color_order)
        fields = request_fields(**options)
        submit = functools.partial(self._submit_any, fields=fields, color_order=color_order)
        return self._in_order(pictures, submit) if ordered else self._as_done(pictures, submit)

    def decode_pages(
        self, document: Source, *, color_order: ColorOrder | None = None, **options: Unpack[PictureOptions]
    ) -> Iterator[Report]:
        """A report for each page of a PDF or TIFF, in order; any other picture is one page.

        A page that cannot be read is a report with an error, and the others are read. Options are those of `decode`.
        """
        check_color_order(color_order)
        request_fields(**options)
        return self._pages(document, color_order, options)

    def _pages(self, document: Source, color_order: ColorOrder | None, options: PictureOptions) -> Iterator[Report]:
        first = document if isinstance(document, Picture) else Picture(document)
        pages = (replace(first, page=number) for number in itertools.count(1))
        report = self.report(next(pages), color_order=color_order, **options)
        yield report
        if report.pages is not None:
            rest = itertools.islice(pages, report.pages - 1)
            yield from self.decode_many(rest, color_order=color_order, **options)

    def _in_order(self, pictures: Iterable[Source], submit: _Submit) -> Iterator[Report]:
        waiting: collections.deque[Future[Report]] = collections.deque()
        # Pictures behind a slow one are read meanwhile; only so many wait for their answer, and for their turn.
        room = threading.Semaphore(4 * self.window)
        for place, picture in enumerate(pictures):
            room.acquire()
            future = submit(picture, str(place))
            future.add_done_callback(lambda _: room.release())
            waiting.append(future)
            while waiting and (len(waiting) >= _AHEAD or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _as_done(self, pictures: Iterable[Source], submit: _Submit) -> Iterator[Report]:
        done: queue.SimpleQueue[Future[Report]] = queue.SimpleQueue()
        under_way = 0
        for place, picture in enumerate(pictures):
            submit(picture, str(place)).add_done_callback(done.put)
            under_way += 1
            while under_way >= self.window or (under_way and not done.empty()):
                yield done.get().result()
                under_way -= 1
        for _ in range(under_way):
            yield done.get().result()

    def _submit_any(
        self, picture: Source, name: str, *, fields: Fields, color_order: ColorOrder | None
    ) -> Future[Report]:
        try:
            sent = prepare(picture, name, color_order, fields)
        except Exception as error:
            # Of any kind: an image of PIL reads its file only now.
            if isinstance(picture, Picture) and isinstance(picture.name, str) and len(picture.name) <= LONGEST_NAME:
                name = picture.name
            return _answered(Report.failed(name, "invalid_request", f"is not a valid request: {error}"))
        return self.submit(sent, fields)

    # One array at a time

    def _ask_worker(self, sent: Sent, fields: Fields) -> Report | None:
        """The report on an array, by the worker that no other picture waits for; None where a pool has to see to it.

        What costs this worker is asked again of the pool, which finds out why.
        """
        if sent.size is None or self._content or self._jobs or sent.limit_exceeded(fields):
            return None
        if not self._asking.acquire(blocking=False):
            return None
        assert sent.payload is not None
        try:
            if self._worker is None or self._worker.is_worn:
                self._drop_worker()
                program = locate(self._program)
                with self._state:
                    if self._closed:
                        return None
                    self._worker = Worker(program, timeout=self._timeout, megabytes=self._megabytes)
            name = base64.b64encode(sent.name).decode()
            return self._worker.ask(name, sent.fields + fields.text, sent.payload)
        except TimeoutError:
            self._drop_worker()
            return Report.failed(
                sent.name.decode("utf-8", "replace"),
                "timed_out",
                f"took longer than {self._timeout:g} seconds to decode; allow more time, or use less effort",
            )
        except WorkerLost:
            self._drop_worker()
            if not self._closed:
                return None
            return _not_decoded(sent.name.decode("utf-8", "replace"), "cancelled", _CLOSED)
        except BaseException:
            # Its answer would be taken for that to the next picture.
            self._drop_worker()
            raise
        finally:
            self._asking.release()

    def _drop_worker(self) -> None:
        """Ends the worker for arrays; held by whoever asks."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    # Requests and answers

    def submit(self, sent: Sent, fields: Fields) -> Future[Report]:
        """Sends a picture that was prepared; waits where the workers have enough to do."""
        name = sent.name.decode("utf-8", "replace")
        if limit := sent.limit_exceeded(fields):
            return _answered(Report.failed(name, "too_large", limit))
        number = next(self._ids)
        header = encode_request(number, base64.b64encode(sent.name).decode(), sent.fields + fields.text)
        job = _Job(header, sent.payload, name, Future())
        # A future that is running cannot be cancelled, as asyncio does after a timeout: the answer comes all the same.
        job.future.set_running_or_notify_cancel()
        try:
            with self._state:
                if self._closed:
                    raise RuntimeError("the decoder is closed")
                process = self._process or self._start()
                self._jobs[number] = job
            self._send(process, job)
        except BaseException:
            # Nobody waits for its answer.
            self._jobs.pop(number, None)
            raise
        return job.future

    def _start(self) -> subprocess.Popen[bytes]:
        """Starts the program; the state's lock is held."""
        process = start(locate(self._program), *self._arguments, keep_errors=True)
        self._process = process
        receiving = (weakref.ref(self), self._jobs, process)
        threading.Thread(target=_receive, args=receiving, name="quietzone answers", daemon=True).start()
        if self._closed:
            # By the handler of a signal, which did not see this process yet.
            kill(process)
        return process

    def _send(self, process: subprocess.Popen[bytes], job: _Job) -> None:
        job.attempts += 1
        assert process.stdin is not None
        with self._writing:
            parts: list[bytes | memoryview] = [job.header] if job.payload is None else [job.header, job.payload]
            try:
                while parts:
                    advance(parts, os.writev(process.stdin.fileno(), parts))
            except (OSError, ValueError):
                # The program is gone, or the bytes are, of a map of a file that was cut off: the next request would be
                # taken for the rest of this one. Whoever reads the answers sees the end too, and asks again.
                kill(process)
            except BaseException:
                # The next request would be taken for the rest of this one. The other requests are asked again.
                kill(process)
                raise

    def _recover(self, process: subprocess.Popen[bytes], reason: str) -> None:
        """Asks again for what a program that is gone has not answered."""
        kill(process)
        process.wait()
        error = last_error(process)
        program = cast("list[str]", process.args)[0]
        is_asked = self._jobs and not self._closed
        if is_asked and (is_other_program(program) or (error is None and program_version(program) is None)):
            reason += f"; {program} is probably not decode-image"
        elif error:
            reason += f": {error}"
        with self._state:
            if self._process is process:
                self._process = None
            lost = list(self._jobs.items())
            again: list[_Job] = []
            next_process: subprocess.Popen[bytes] | None = None
            if not self._closed and any(job.attempts < _ATTEMPTS for _, job in lost):
                try:
                    next_process = self._process or self._start()
                except (OSError, RuntimeError) as error:
                    reason = str(error)
            for number, job in lost:
                if next_process is not None and job.attempts < _ATTEMPTS:
                    again.append(job)
                else:
                    self._jobs.pop(number, None)
                    code, why = ("cancelled", _CLOSED) if self._closed else ("no_worker", reason)
                    job.future.set_result(_not_decoded(job.name, code, why))
        # Not before the others are answered: close() may have interrupted a thread that writes, and waits for them.
        # Nobody writes meanwhile: the number of a descriptor that is closed is soon that of another.
        with self._writing:
            close_pipes(process)
        # One at a time: a request that ends the next process too takes no other with it. If that happens, the jobs
        # that are left are asked again by the thread of that process.
        for job in again:
            if next_process is None or self._process is not next_process:
                break
            self._send(next_process, job)
            job.future.result()

    # The end

    def close(self) -> None:
        """Waits for nothing: what is under way is answered with the error `cancelled`."""
        with self._state:
            self._closed = True
            process, worker = self._process, self._worker
        if worker is not None:
            worker.kill()
            # Who asks sees that at once, unless this is called by a signal's handler in the middle of it.
            if self._asking.acquire(timeout=1):
                self._drop_worker()
                self._asking.release()
        if process is None:
            return
        kill(process)
        # Those who wait are answered by the thread that sees the program's end.
        limit = time.monotonic() + 5
        while self._jobs and time.monotonic() < limit:
            time.sleep(0.001)

    def __del__(self) -> None:
        # The thread that reads the answers sees the end of the process, and ends too.
        if self._process is not None:
            kill(self._process)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Decoder cannot be sent to another process; make one there, or call quietzone.decode")

    def __enter__(self) -> Decoder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _not_decoded(name: str, code: str, reason: str) -> Report:
    return Report.failed(name, code, f"was not decoded: {reason}")


def _answered(report: Report) -> Future[Report]:
    future: Future[Report] = Future()
    future.set_result(report)
    return future


def _receive(decoder: weakref.ref[Decoder], jobs: dict[int, _Job], process: subprocess.Popen[bytes]) -> None:
    """Reads the answers of a pool to its end; keeps no decoder alive that nobody else has."""
    assert process.stdout is not None
    reason = "its process ended"
    with os.fdopen(os.dup(process.stdout.fileno()), "rb", buffering=PIPE_BYTES) as answers:
        for line in answers:
            try:
                number, report = decode_answer(line)
            except ValueError as error:
                reason = f"its answer is none that is known: {error}"
                break
            job = jobs.pop(number, None)
            if job is not None:
                job.future.set_result(report)
    owner = decoder()
    if owner is not None:
        owner._recover(process, reason)
        return
    end(process)
    for job in jobs.values():
        job.future.set_result(_not_decoded(job.name, "cancelled", _CLOSED))


#: The shared decoders; the one used last stands at the end.
_shared: dict[tuple[Any, ...], Decoder] = {}
_shared_lock = threading.Lock()
#: So many are kept: a program may have other settings, such as the time limit, for each picture.
_MOST_SHARED = 8


def shared_decoder(**settings: Any) -> Decoder:
    """The decoder of this process for the given settings of `Decoder`, made where there is none.

    Of more than eight, the one that was not used for longest is dropped.
    """
    key = tuple(sorted(settings.items()))
    try:
        hash(key)
    except TypeError:
        # No option has such a value, which the decoder says.
        return Decoder(**settings)
    with _shared_lock:
        decoder = _shared.pop(key) if key in _shared else Decoder(**settings)
        _shared[key] = decoder
        if len(_shared) > _MOST_SHARED:
            del _shared[next(iter(_shared))]
        return decoder


def _begin_in_child() -> None:
    global _shared_lock
    # Another thread of the parent, which does not exist here, may hold it.
    _shared_lock = threading.Lock()
    for decoder in list(_decoders):
        decoder._begin_in_child()


os.register_at_fork(after_in_child=_begin_in_child)


@atexit.register
def _close_shared() -> None:
    for decoder in list(_shared.values()):
        decoder.close()
