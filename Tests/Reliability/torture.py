#!/usr/bin/env python3
"""Fails each call of the C library by which a program reaches files and sockets, once in each run.

usage: Tests/Reliability/torture.py [--part add|run|decode|watch|watching|station|worker|decode-several] [--every N]
                                    [--only FUNCTION:CALL:ERRNO] [--programs .build/release]

The library of torture.c counts the calls of a program, then fails one call in each run: with an error, or as a short
read or write. The process itself is tested, not its workers; a worker is a part of its own, in which allocations fail.
After that, `scan-outbox run --once` delivers without a fault. Each event whose identifier was printed, or that an `add`
with status 0 was given, or that a station answered, must arrive, and no other text. A folder is watched once more
without a fault: then the code of each picture must arrive once, and each picture lie in done/. While a folder is
watched and while a station runs, what arrives must be read in spite of the fault. A worker must answer each request
with the right code or an error, or end with the status for a lack of memory. No run may crash, hang, end with a status
that is not documented, or fail without a message.
"""
import argparse
import base64
import errno
import http.client
import http.server
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHORT = "SHORT"
# The functions in the order of torture.c, each with the errors to try.
FUNCTIONS = {
    "open": ["EMFILE", "EIO"], "read": ["EIO", "EINTR", SHORT], "pread": ["EIO", "EINTR", SHORT],
    "write": ["EIO", "ENOSPC", "EINTR", SHORT], "pwrite": ["EIO", "ENOSPC", "EINTR", SHORT], "fsync": ["EIO"],
    "rename": ["EIO"], "unlink": ["EIO"], "mkdir": ["ENOSPC"], "ftruncate": ["EIO"], "socket": ["EMFILE"],
    "connect": ["ENETUNREACH", "EINTR"], "send": ["ECONNRESET", "EINTR"], "recv": ["ECONNRESET", "EINTR"],
    "poll": ["EINTR"], "epoll_wait": ["EINTR"], "pipe": ["EMFILE"], "bind": ["EADDRINUSE"], "listen": ["EADDRINUSE"],
    "accept": ["EMFILE", "ECONNABORTED", "EINTR"], "inotify": ["EMFILE", "ENOSPC"], "malloc": ["ENOMEM"],
}
# Without --part, not the last one: its faults reach swift-subprocess, which does not survive all of them.
STATUSES = {"add": {0, 1, 78}, "run": {0, 1, 3, 78}, "decode": {0, 1}, "watch": {0, 1, 3, 75, 78},
            "watching": {0, 1, 3, 75, 78}, "station": {0, 1, 75, 78}, "worker": {0, 71}, "decode-several": {0, 1}}
# The only functions that fail in a part. Swift ends a process that has no memory; a worker is made for that.
ONLY = {"worker": ["malloc"], "watching": ["inotify", "epoll_wait", "poll", "read", "open"],
        "station": [name for name in FUNCTIONS if name not in ("malloc", "pipe", "inotify")]}
PICTURES = ("qr.png", "ean13.png", "code128.png")
TEXTS = [f"torture {index}" for index in range(3)]
# Only a limit for hangs.
SECONDS = 60


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    received = {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        Receiver.received[self.headers["webhook-id"]] = body
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Connections that a fault cuts off are what is tested."""


def lines(programs):
    """Lines of decode-image --json, each with another text."""
    line = subprocess.check_output([programs / "decode-image", "--json", ROOT / "Samples/qr.png"])
    for text in TEXTS:
        report = json.loads(line)
        report["symbols"][0]["rawValue"] = text
        yield json.dumps(report)


class Torture:
    def __init__(self, programs, folder, port):
        self.programs, self.folder, self.port = programs, folder, port
        self.library, self.counts = folder / "torture.so", folder / "counts"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, Path(__file__).with_name("torture.c"),
                        "-ldl"], check=True)
        self.input = "\n".join(lines(programs)) + "\n"
        self.stored = folder / "stored"
        self.prepare(self.stored)
        self.run(self.outbox(self.stored, "add"), self.input)
        self.code_of = {name: json.loads(subprocess.check_output(
            [programs / "decode-image", "--json", ROOT / "Samples" / name]))["symbols"][0]["rawValue"]
                        for name in PICTURES}
        self.codes = sorted(self.code_of.values())

    def prepare(self, folder):
        folder.mkdir()
        (folder / "outbox.yaml").write_text(
            "database: outbox.sqlite\ndestinations:\n  receiver:\n    type: http\n"
            f"    url: http://127.0.0.1:{self.port}/\n    unsigned: true\n    retryAfterSeconds: [1, 1, 1, 1]\n")

    def outbox(self, folder, *arguments):
        return [self.programs / "scan-outbox", *arguments, "--config", folder / "outbox.yaml", "--database",
                folder / "outbox.sqlite"]

    def run(self, command, text="", fault=None):
        """Runs a command; `fault` is a function, a call and an error, or empty if the calls are only counted."""
        return subprocess.run(command, input=text, env=self.environment(fault), capture_output=True, text=True,
                              timeout=SECONDS, check=False)

    def environment(self, fault):
        environment = dict(os.environ)
        if fault is not None:
            self.counts.write_bytes(bytes(8 * len(FUNCTIONS)))
            environment |= {"LD_PRELOAD": str(self.library), "QUIETZONE_TORTURE_PARENT": str(os.getpid()),
                            "QUIETZONE_TORTURE_COUNTS": str(self.counts)}
            if fault:
                function, call, name = fault
                number = 0 if name == SHORT else getattr(errno, name)
                environment["QUIETZONE_TORTURE"] = f"{function}:{call}:{number}"
        return environment

    def called(self):
        return dict(zip(FUNCTIONS, struct.unpack(f"{len(FUNCTIONS)}q", self.counts.read_bytes()), strict=True))

    def tortured(self, part, fault):
        """Returns what is wrong after a run with a fault."""
        Receiver.received.clear()
        folder = self.folder / "outbox"
        shutil.rmtree(folder, ignore_errors=True)
        if part == "run":
            shutil.copytree(self.stored, folder)
        else:
            self.prepare(folder)
        if part == "worker":
            return self.worker(fault)
        if part == "station":
            return self.station(folder, fault)
        if part in ("watch", "watching"):
            (folder / "inbox").mkdir()
        if part == "watching":
            return self.watching(folder, fault)
        if part == "watch":
            self.fill(folder / "inbox")
        command = {
            "watch": self.watch(folder),
            "add": self.outbox(folder, "add"),
            "run": [*self.outbox(folder, "run"), "--once", "--log-level", "warning"],
            "decode": [self.programs / "decode-image", ROOT / "Samples/qr.png"],
            "decode-several": [self.programs / "decode-image",
                               *(ROOT / "Samples" / name for name in ("qr.png", "qr.png", "qr.png"))],
        }[part]
        try:
            run = self.run(command, self.input if part == "add" else "", fault)
        except subprocess.TimeoutExpired:
            return ["hangs"]
        wrong = self.badly_ended(part, run.returncode, run.stderr)
        if part == "watch":
            wrong += self.unread(folder)
        if part in ("add", "run"):
            wrong += self.undelivered(folder, run, part)
        return wrong

    def badly_ended(self, part, status, messages):
        if status < 0:
            return [f"ended by signal {-status}"]
        if status not in STATUSES[part]:
            return [f"status {status}: {messages.strip()[-200:]}"]
        # What reads from a worker knows what its status means.
        if status and part != "worker" and not messages.strip():
            return ["failed without a message"]
        return []

    def fill(self, inbox):
        for name in PICTURES:
            shutil.copy(ROOT / "Samples" / name, inbox)

    def worker(self, fault):
        """Asks a worker for two pictures, of which the first loads what a process loads once."""
        expected = {}
        for number, name in enumerate(PICTURES[:2]):
            path = base64.b64encode(str(ROOT / "Samples" / name).encode()).decode()
            expected[number] = (f'{{"id":{number},"path":"{path}"}}\n', self.code_of[name])
        try:
            run = self.run([self.programs / "decode-image", "--worker"], "".join(line for line, _ in expected.values()),
                           fault)
        except subprocess.TimeoutExpired:
            return ["hangs"]
        wrong = self.badly_ended("worker", run.returncode, run.stderr)
        lines = run.stdout.split("\n")
        if run.returncode == 0 and len(lines) != len(expected) + 1:
            wrong.append(f"{len(lines) - 1} answers")
        for line in lines[:-1]:
            answer = json.loads(line)
            report = answer["report"]
            codes = [symbol["rawValue"] for symbol in report["symbols"]]
            if not report["error"] and codes != [expected[answer["id"]][1]]:
                wrong.append(f"answered {codes}")
        return wrong

    def idle_worker(self):
        """Returns the calls of a worker that is asked for nothing."""
        self.run([self.programs / "decode-image", "--worker"], "", ())
        return self.called()

    def serving(self, command, fault, body):
        """Runs a program that serves; `body` gets its process and its messages, and returns what is wrong."""
        messages = []
        process = subprocess.Popen(command, env=self.environment(fault), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        reader = threading.Thread(target=lambda: messages.extend(process.stderr), daemon=True)
        reader.start()
        wrong = body(process, messages)
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            wrong.append("does not end")
        reader.join()
        return process.returncode, "".join(messages), wrong

    def until(self, process, condition):
        """Waits until a condition holds; false if the process ends, or after the time limit."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if condition():
                return True
            if process.poll() is not None:
                return False
            time.sleep(0.02)
        return False

    def watching(self, folder, fault):
        """Watches a folder in which pictures arrive."""
        def arrive(process, _):
            self.fill(folder / "inbox")
            done = folder / "inbox/done"
            if self.until(process, lambda: len(list(done.rglob("*.png"))) == len(PICTURES)):
                return []
            return [] if process.poll() is not None else ["the pictures stay"]
        command = [word for word in self.watch(folder) if word != "--once"]
        status, messages, wrong = self.serving(command, fault, arrive)
        return wrong + self.badly_ended("watching", status, messages) + self.unread(folder)

    def station(self, folder, fault):
        """Uploads pictures to a station; a request without an answer is repeated."""
        answered = []

        def upload(process, messages):
            address = None

            def listens():
                nonlocal address
                found = re.search(r"listening on (http://[0-9.:]+)", "".join(messages))
                address = found and found[1]
                return address
            if not self.until(process, listens):
                return [] if process.poll() is not None else ["does not listen"]
            token = (folder / "token").read_text().strip()
            for name in PICTURES:
                request = urllib.request.Request(
                    f"{address}/scan?name={name}", (ROOT / "Samples" / name).read_bytes(),
                    {"Authorization": f"Bearer {token}", "Content-Type": "image/png"})
                for _ in range(3):
                    try:
                        answer = json.load(urllib.request.urlopen(request, timeout=SECONDS))
                        answered.extend(picture["events"][0] for picture in answer["data"]["pictures"])
                        break
                    except (OSError, http.client.HTTPException):
                        continue
                else:
                    return [] if process.poll() is not None else [f"{name} is not accepted"]
            return []
        command = [self.programs / "scan-station", "--port", "0", "--camera", "none", "--log-level", "warning",
                   "--config", folder / "outbox.yaml", "--database", folder / "outbox.sqlite", "--token-file",
                   folder / "token"]
        status, messages, wrong = self.serving(command, fault, upload)
        wrong += self.badly_ended("station", status, messages)
        wrong += self.again([*self.outbox(folder, "run"), "--once", "--log-level", "warning"])
        texts = {json.loads(body)["data"]["symbol"]["text"] for body in Receiver.received.values()}
        wrong += [f"delivered, but never sent: {text}" for text in texts - set(self.codes)]
        return wrong + [f"answered, but not delivered: {id}" for id in answered if id not in Receiver.received]

    def watch(self, folder):
        return [self.programs / "watch-folder", folder / "inbox", "--once", "--log-level", "warning", "--config",
                folder / "outbox.yaml", "--database", folder / "outbox.sqlite"]

    def again(self, command):
        """Repeats a command without a fault until nothing waits, and returns what is wrong."""
        for _ in range(10):
            try:
                last = self.run(command)
            except subprocess.TimeoutExpired:
                return ["the run after it hangs"]
            if last.returncode != 3:
                break
            # The shortest delay of the retries.
            threading.Event().wait(1)
        if last.returncode:
            return [f"the run after it ended with {last.returncode}: {last.stderr.strip()[-200:]}"]
        return []

    def unread(self, folder):
        wrong = self.again(self.watch(folder))
        texts = sorted(json.loads(body)["data"]["symbol"]["text"] for body in Receiver.received.values())
        if texts != self.codes:
            wrong.append(f"delivered are {texts}")
        done = sorted(path.name for path in (folder / "inbox/done").rglob("*.png"))
        if done != sorted(PICTURES):
            wrong.append(f"in done/ are {done}")
        return wrong

    def undelivered(self, folder, run, part):
        wrong = self.again([*self.outbox(folder, "run"), "--once", "--log-level", "warning"])
        if wrong:
            return wrong
        texts = [json.loads(body)["data"]["symbol"]["text"] for body in Receiver.received.values()]
        wrong = [f"not added, but delivered: {text}" for text in texts if text not in TEXTS]
        if part == "run" or run.returncode == 0:
            wrong += [f"not delivered: {text}" for text in TEXTS if text not in texts]
        if part == "add":
            # A last line without its end is not an acknowledgment.
            wrong += [f"acknowledged, but not delivered: {id}" for id in run.stdout.split("\n")[:-1]
                      if id not in Receiver.received]
        return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--part", choices=list(STATUSES), help="all but decode-several unless given")
    p.add_argument("--every", type=int, default=1, help="only each Nth call")
    p.add_argument("--only", help="one fault, such as fsync:3:EIO")
    p.add_argument("--programs", type=Path, default=os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release"))
    arguments = p.parse_args()
    programs = Path(arguments.programs).resolve()
    server = Server(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    violations = 0
    with tempfile.TemporaryDirectory() as folder:
        torture = Torture(programs, Path(folder), server.server_port)
        for part in [arguments.part] if arguments.part else [part for part in STATUSES if part != "decode-several"]:
            wrong = torture.tortured(part, ())
            calls = torture.called()
            # A worker without memory at its start is one that does not start: libseccomp does not survive that.
            quiet = torture.idle_worker() if part == "worker" else {}
            if wrong or not sum(calls.values()):
                sys.exit(f"{part} without a fault: {wrong or 'no call was counted'}")
            faults = [(function, call, name) for function, names in FUNCTIONS.items()
                      if function in ONLY.get(part, [name for name in FUNCTIONS if name != "malloc"])
                      for call in range(1 + quiet.get(function, 0), calls[function] + 1, arguments.every) for name in names]
            if arguments.only:
                function, call, name = arguments.only.split(":")
                faults = [(function, int(call), name)]
            reached = 0
            for fault in faults:
                wrong = torture.tortured(part, fault)
                reached += torture.called()[fault[0]] >= fault[1]
                for sentence in wrong:
                    print(f"--part {part} --only {':'.join(map(str, fault))}: {sentence}", flush=True)
                violations += bool(wrong)
            print(f"{part}: {sum(calls.values())} calls, {len(faults)} faults tried, {reached} reached", flush=True)
    print(f"{violations} violations")
    sys.exit(violations > 0)


if __name__ == "__main__":
    main()
