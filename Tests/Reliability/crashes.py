#!/usr/bin/env python3
"""Opens the states in which a power cut can leave the files of an outbox.

usage: Tests/Reliability/crashes.py [--states 10000] [--seed N] [--events 12] [--programs .build/release]

`scan-outbox add` runs under preload.c of the tests, which records each change and each fsync of the outbox's files, and
each line on standard output, which acknowledges an event. The power is cut after each record. A state has, of what was
not synced before the cut:

- of the folder's entries the first ones, because the file systems keep the order of names;
- of the changes of a file none, all, or any, and of a write any of its sectors of 512 or 4096 bytes.

In each state the database must be intact and must contain every event that was acknowledged before the cut.
PowerCutTests opens some hundred such states by the program itself; here SQLite alone opens most of them.
"""

import argparse
import hashlib
import os
import random
import sqlite3
import struct
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "outbox.sqlite"


class Disk:
    """The files of a folder, each by the number of its inode, with the changes that are not synced."""

    def __init__(self):
        self.durable, self.pending = [], []
        self.names, self.durable_names, self.entries = {}, {}, []

    def apply(self, kind, name, offset, data):
        if kind == "C":
            self.durable.append(b"")
            self.pending.append([])
            self.change_entry(name, len(self.durable) - 1)
        elif kind == "U":
            self.change_entry(name, None)
        elif kind in "WT" and name in self.names:
            self.pending[self.names[name]].append((kind, offset, data))
        elif kind == "S" and name == "":
            self.durable_names, self.entries = dict(self.names), []
        elif kind == "S" and name in self.names:
            inode = self.names[name]
            self.durable[inode] = content(self.durable[inode], self.pending[inode])
            self.pending[inode] = []

    def change_entry(self, name, inode):
        self.entries.append((name, inode))
        change_names(self.names, [(name, inode)])

    def after_cut(self, choose, keep):
        """Returns the files after a cut; `keep` is none, all, any or the size of a sector."""
        names = dict(self.durable_names)
        count = {"none": 0, "all": len(self.entries)}.get(keep)
        change_names(names, self.entries[: choose.randint(0, len(self.entries)) if count is None else count])
        files = {}
        for name, inode in names.items():
            if name.endswith(".lock"):
                continue
            kept = [
                change for change in self.pending[inode] if keep == "all" or (keep != "none" and choose.random() < 0.6)
            ]
            if isinstance(keep, int):
                kept = [part for change in kept for part in torn(choose, change, keep)]
            files[name] = content(self.durable[inode], kept)
        return files


def change_names(names, entries):
    for name, inode in entries:
        if inode is None:
            names.pop(name, None)
        else:
            names[name] = inode


def content(start, changes):
    data = bytearray(start)
    for kind, offset, written in changes:
        end = offset + len(written)
        if len(data) < end:
            data.extend(bytes(end - len(data)))
        if kind == "W":
            data[offset:end] = written
        else:
            del data[offset:]
    return bytes(data)


def torn(choose, change, sector):
    """Returns some of the sectors of a write; a truncation has no parts."""
    kind, offset, data = change
    if kind == "T":
        return [change]
    edges = [0, *range(sector - offset % sector, len(data), sector), len(data)]
    parts = [("W", offset + start, data[start:end]) for start, end in pairwise(edges) if start < end]
    return [part for part in parts if choose.random() < 0.5]


def recorded(programs, folder, events):
    """Runs `scan-outbox add` three times and returns the records of preload.c: kind, name, offset and data."""
    library, log, disk = folder / "preload.so", folder / "log", folder / "disk"
    disk.mkdir()
    source = ROOT / "Tests/Support/TestSupport/Programs/preload.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    line = subprocess.check_output([programs / "decode-image", "--json", ROOT / "Samples/qr.png"])
    environment = dict(
        os.environ, LD_PRELOAD=str(library), QUIETZONE_RECORD=str(log), QUIETZONE_RECORD_PREFIX=f"{disk}/outbox"
    )
    # Several processes, so that the write-ahead log is deleted and created again.
    for _ in range(3):
        command = [programs / "scan-outbox", "add", "--database", disk / DATABASE]
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as add:
            for _ in range(events):
                # One at a time, so that each is a transaction of its own.
                add.stdin.write(line)
                add.stdin.flush()
                if not add.stdout.readline():
                    sys.exit(f"scan-outbox add stored nothing: {add.stderr.read().decode()}")
            add.stdin.close()
            if add.wait() != 0:
                sys.exit(f"scan-outbox add failed: {add.stderr.read().decode()}")
    log, position, records = log.read_bytes(), 0, []
    while position < len(log):
        kind, name_length, offset, length = struct.unpack_from("<c3xIqQ", log, position)
        position += 24
        name = log[position : position + name_length].decode().removeprefix(str(disk)).removeprefix("/")
        position += name_length
        data = log[position : position + length] if kind in b"WO" else b""
        position += len(data)
        records.append((kind.decode(), name, offset, data))
    return records


def fault(folder, acknowledged, scan_outbox):
    """Returns the fault of the outbox in a folder, or None; reads it by `scan_outbox` too unless that is None."""
    if not (folder / DATABASE).exists():
        return f"there is no database, and {len(acknowledged)} events were acknowledged" if acknowledged else None
    if scan_outbox:
        run = subprocess.run(
            [scan_outbox, "verify", "--database", folder / DATABASE], capture_output=True, timeout=60, check=False
        )
        if run.returncode != 0:
            return f"scan-outbox verify: status {run.returncode}: {run.stderr.decode()}"
    database = sqlite3.connect(folder / DATABASE)
    try:
        answer = database.execute("PRAGMA integrity_check").fetchone()[0]
        if answer != "ok":
            return f"integrity_check: {answer}"
        if not acknowledged:
            return None
        missing = acknowledged - {row[0] for row in database.execute("SELECT id FROM event")}
        return f"{len(missing)} acknowledged events are missing" if missing else None
    except sqlite3.DatabaseError as error:
        return f"SQLite: {error}"
    finally:
        database.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--events", type=int, default=12, help="events of each of the three processes")
    parser.add_argument("--programs", type=Path, default=Path(os.environ.get("QUIETZONE_PROGRAMS", ".build/release")))
    options = parser.parse_args()
    choose = random.Random(options.seed)
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        folder = Path(folder)
        records = recorded(options.programs, folder, options.events)
        seen, faults, by_program, tried = set(), [], 0, 0
        # The first round has each prefix with nothing and with all of what was not synced; the others draw.
        rounds = ["none", "all"]
        while len(seen) < options.states and tried < 20 * options.states:
            keep = rounds.pop(0) if rounds else choose.choice(["any", 512, 4096])
            disk, acknowledged = Disk(), set()
            for number, (kind, name, offset, data) in enumerate(records):
                disk.apply(kind, name, offset, data)
                if kind == "O":
                    acknowledged.update(data.decode().split())
                tried += 1
                files = disk.after_cut(choose, keep)
                digest = hashlib.sha256(repr((sorted(files.items()), len(acknowledged))).encode()).digest()
                if digest in seen:
                    continue
                seen.add(digest)
                state = folder / "state"
                state.mkdir()
                for file, bytes_of_file in files.items():
                    (state / file).write_bytes(bytes_of_file)
                program = options.programs / "scan-outbox" if len(seen) % 200 == 0 else None
                by_program += program is not None
                problem = fault(state, acknowledged, program)
                if problem:
                    faults.append(f"after record {number} of {len(records)} ({kind} {name}), kept {keep}: {problem}")
                for file in state.iterdir():
                    file.unlink()
                state.rmdir()
                if len(seen) >= options.states:
                    break
    for line in faults[:20]:
        print(line, file=sys.stderr)
    print(
        f"{len(seen)} states of {len(records)} records, {by_program} of them opened by scan-outbox too, "
        f"{3 * options.events} events acknowledged, {len(faults)} faults, seed {options.seed}"
    )
    if not seen or faults or len(seen) < options.states:
        sys.exit("the outbox did not survive every cut, or there were fewer different states than asked for")


if __name__ == "__main__":
    main()
