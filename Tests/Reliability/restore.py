#!/usr/bin/env python3
"""Restores backups of outboxes that were in use, and checks what arrives.

usage: Tests/Reliability/restore.py [--rounds 20] [--seed N] [--programs .build/release]

In each round events are added to an outbox and delivered to a receiver that refuses one request in ten, by a program
that is stopped or killed after some requests. Amid this a backup is taken, in one of the ways of docs/how-to/deliver.md.
Then the outbox goes on and is lost, and the backup is restored in another folder and delivered.

Each event that was acknowledged before the backup must arrive, unchanged. One that arrives twice must have the same
identifier and the same body. `scan-outbox verify` must find nothing in the copy. Events after the backup that had not
been delivered are lost with the disk; they are counted.
"""
import argparse
import contextlib
import http.server
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Only a limit for hangs.
SECONDS = 300


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The bodies by the identifiers of the events, each with its number of requests.
    received = {}
    refusals = random.Random(0)
    requests = 0

    def do_POST(self):
        Receiver.requests += 1
        length = int(self.headers["content-length"])
        body = self.rfile.read(length)
        if len(body) < length:
            # The program was killed while it sent.
            self.close_connection = True
            return
        is_refused = Receiver.refusals.random() < 0.1
        if not is_refused:
            bodies = Receiver.received.setdefault(self.headers["webhook-id"], {})
            bodies[body] = bodies.get(body, 0) + 1
        self.send_response(503 if is_refused else 204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Programs are killed amid their requests."""


class Outbox:
    def __init__(self, programs, folder, port):
        self.programs, self.folder, self.database = programs, folder, folder / "outbox.sqlite"
        folder.mkdir()
        (folder / "outbox.yaml").write_text(
            f"database: outbox.sqlite\ndestinations:\n  receiver:\n    type: http\n    url: http://127.0.0.1:{port}/\n"
            "    unsigned: true\n    retryAfterSeconds: [1, 1, 1, 1, 1, 1, 1, 1]\n")

    def command(self, *arguments):
        return [self.programs / "scan-outbox", *arguments, "--config", self.folder / "outbox.yaml", "--database",
                self.database]

    def run(self, *arguments, text=""):
        return subprocess.run(self.command(*arguments), input=text, capture_output=True, text=True, timeout=SECONDS,
                              check=False)

    def add(self, line, texts):
        """Returns the identifiers that the program acknowledged, with their texts."""
        report = json.loads(line)
        lines = []
        for text in texts:
            report["symbols"][0]["rawValue"] = text
            lines.append(json.dumps(report))
        added = self.run("add", text="\n".join(lines) + "\n")
        if added.returncode:
            sys.exit(f"scan-outbox add ended with {added.returncode}: {added.stderr}")
        return dict(zip(added.stdout.split(), texts, strict=True))

    def deliver_some(self, count, end):
        """Delivers until the receiver has got so many requests, or all of them, and ends the program by a signal."""
        most = Receiver.requests + count
        process = subprocess.Popen(self.command("run", "--log-level", "error"), stdin=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while Receiver.requests < most and self.pending(process):
            time.sleep(0.002)
        process.send_signal(end)
        process.wait(SECONDS)

    def pending(self, process):
        """Waits for a request; false if none comes any more."""
        before = Receiver.requests
        end = time.monotonic() + 5
        while Receiver.requests == before and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        return Receiver.requests > before

    def deliver_all(self):
        for _ in range(60):
            status = self.run("run", "--once", "--log-level", "error").returncode
            if status != 3:
                return status
            # The delay of a retry.
            time.sleep(1)
        return 3


def back_up(r, outbox, copy):
    way = r.choice(["copy", "backup", "vacuum"])
    if way == "copy":
        for name in "outbox.sqlite", "outbox.sqlite-wal":
            if (outbox.folder / name).exists():
                shutil.copy(outbox.folder / name, copy / name)
    else:
        with contextlib.closing(sqlite3.connect(outbox.database)) as database:
            if way == "vacuum":
                database.execute("VACUUM INTO ?", (str(copy / "outbox.sqlite"),))
            else:
                with contextlib.closing(sqlite3.connect(copy / "outbox.sqlite")) as target:
                    database.backup(target)
    return way


def play(r, number, programs, folder, port, line):
    """Returns what is wrong, and the numbers of events before the backup, after it, sent twice, and lost with the disk."""
    Receiver.received.clear()
    outbox = Outbox(programs, folder / f"{number}", port)
    counter = iter(range(10**9))

    def steps(count):
        added = {}
        for _ in range(count):
            added |= outbox.add(line, [f"event {number}.{next(counter)}" for _ in range(r.randint(1, 40))])
            if r.random() < 0.7:
                outbox.deliver_some(r.randint(0, 120), r.choice([signal.SIGTERM, signal.SIGKILL]))
        return added

    before = steps(r.randint(1, 3))
    restored = Outbox(programs, folder / f"{number}-restored", port)
    way = back_up(r, outbox, restored.folder)
    after = steps(r.randint(0, 4))
    shutil.rmtree(outbox.folder)
    wrong = []
    verified = restored.run("verify")
    if verified.returncode:
        wrong.append(f"verify after {way}: {verified.stdout}{verified.stderr}")
    status = restored.deliver_all()
    if status:
        wrong.append(f"the delivery after {way} ended with {status}")
    texts = before | after
    for identifier, bodies in Receiver.received.items():
        if len(bodies) > 1:
            wrong.append(f"{identifier} was sent with different bodies")
        elif json.loads(next(iter(bodies)))["data"]["symbol"]["text"] != texts.get(identifier):
            wrong.append(f"{identifier} arrived with another text")
    wrong += [f"{identifier} was acknowledged before the backup ({way}) and did not arrive"
              for identifier in before if identifier not in Receiver.received]
    twice = sum(sum(bodies.values()) > 1 for bodies in Receiver.received.values())
    return wrong, (len(before), len(after), twice, sum(identifier not in Receiver.received for identifier in after))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=20)
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    p.add_argument("--programs", type=Path, default=os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release"))
    arguments = p.parse_args()
    programs = Path(arguments.programs).resolve()
    print(f"seed {arguments.seed}", flush=True)
    r = random.Random(arguments.seed)
    server = Server(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    line = subprocess.check_output([programs / "decode-image", "--json", ROOT / "Samples/qr.png"], text=True)
    violations, totals = 0, [0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.rounds):
            wrong, counts = play(r, number, programs, Path(folder), server.server_port, line)
            for sentence in wrong:
                print(f"round {number}: {sentence}", flush=True)
            violations += len(wrong)
            totals = [total + count for total, count in zip(totals, counts)]
    before, after, twice, lost = totals
    print(f"{arguments.rounds} restored backups: {before} events before them, all of which must arrive; {after} after "
          f"them, of which {lost} were lost with the disk; {twice} arrived more than once, with the same identifier")
    print(f"{violations} violations")
    sys.exit(violations > 0)


if __name__ == "__main__":
    main()
