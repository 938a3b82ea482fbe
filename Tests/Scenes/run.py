#!/usr/bin/env python3
"""Draws scenes with codes, reads them with decode-image and other readers, and counts what is read, missed and wrong.

usage: run.py [OPTION...]                             draws, reads and prints tables
       run.py gate [--update --reason TEXT]           fails if a count is worse than in bench/reads.json
       run.py reader zxing-cpp|zbar                   reads the pictures named on standard input, as decode-image does

Scene i of a seed, and of a group if one is named, is the same however many are drawn. See CONTRIBUTING.md.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import gate
import scenes
from symbols import normalized

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = 25  # Pictures that a process draws before it asks the readers.
SIZES = [0, 1.2, 1.6, 2, 2.5, 3, 4, 6]  # Limits of the table by pixels a module.
OURS = "decode-image"


# ---- readers

def zxing_symbols(picture):
    import zxingcpp
    for code in zxingcpp.read_barcodes(picture):
        yield {"format": str(code.format), "rawValue": code.text, "other": code.bytes.decode("latin-1")}


def zxing_center(picture):
    """The middle of the first symbol that zxing-cpp finds."""
    import zxingcpp
    p = zxingcpp.read_barcodes(picture)[0].position
    points = p.top_left, p.top_right, p.bottom_right, p.bottom_left
    return sum(q.x for q in points) / 4, sum(q.y for q in points) / 4


def zbar_symbols(picture):
    from pyzbar import pyzbar
    for code in pyzbar.decode(picture):
        yield {"format": code.type, "rawValue": code.data.decode("utf-8", "replace")}


PEERS = {"zxing-cpp": zxing_symbols, "zbar": zbar_symbols}


def serve(name):
    """Answers each path on standard input by a line of JSON, with the fields of decode-image that `score` needs."""
    import cv2
    for path in map(str.strip, sys.stdin):
        picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        print(json.dumps({"source": path, "symbols": list(PEERS[name](picture))}), flush=True)


def ask(command, paths):
    """The symbols that a reader finds in each picture, by path. A reader that dies has found none in that picture."""
    answers, left = {}, list(paths)
    while left:
        run = subprocess.run(command, input="\n".join(left) + "\n", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True)
        for line in run.stdout.splitlines():
            answer = json.loads(line)
            answers[answer["source"]] = answer.get("symbols") or []
        left = [path for path in left if path not in answers]
        if left:
            print(f"{command[-1]} ended with status {run.returncode} at {left[0]}", file=sys.stderr)
            answers[left.pop(0)] = []
    return answers


# ---- score

def kind_of(symbol):
    """The name of decode-image for the symbology that a reader reports."""
    name = re.sub("[- ]", "_", symbol["format"].lower())
    return {"ean13": "ean_13", "ean8": "ean_8", "upca": "upc_a", "upce": "upc_e", "i25": "itf", "code39": "code_39",
            "code93": "code_93", "code128": "code_128", "qrcode": "qr_code"}.get(name, name)


def score(codes, symbols):
    """(indices of the codes that are read, [wrong symbols], duplicates) for the truth and the answer of a picture."""
    read, wrong, twice = set(), [], 0
    for symbol in symbols:
        kind = kind_of(symbol)
        texts = {normalized(t, kind) for t in (symbol.get("rawValue"), symbol.get("other")) if t is not None}
        hits = [i for i, code in enumerate(codes) if texts & set(code.texts)]
        extra = symbol.get("addOn")
        if not hits or extra and not any(codes[i].text.endswith("+" + extra) for i in hits):
            wrong.append(symbol)
        elif read.issuperset(hits):
            twice += 1
        else:
            read.update(hits)
    return read, wrong, twice


class Tally:
    """Counts of one reader: what was there, read, wrong and reported twice, by group, symbology and pixels a module."""

    def __init__(self):
        self.there, self.read, self.wrong, self.twice = (collections.Counter() for _ in range(4))

    def add(self, scene, symbols):
        """Adds a scene; returns the indices of the codes that are read."""
        read, wrong, twice = score(scene.codes, symbols)
        for i, code in enumerate(scene.codes):
            size = max(s for s in SIZES if code.module >= s)
            for key in ("all",), ("group", scene.group), ("symbology", code.kind), ("module", size):
                self.there[key] += 1
                self.read[key] += i in read
        for symbol in wrong:
            self.wrong["symbology", kind_of(symbol)] += 1
        for key in ("all",), ("group", scene.group):
            self.there[key] += 0
            self.wrong[key] += len(wrong)
            self.twice[key] += twice
        return read, wrong

    def merge(self, other):
        """Adds the counts of another tally."""
        for counts, more in ((self.there, other.there), (self.read, other.read), (self.wrong, other.wrong),
                             (self.twice, other.twice)):
            counts.update(more)


def table(tallies):
    """The lines of the tables: read / there, and wrong and twice if there are any."""
    def cell(tally, key):
        share = f"{100 * tally.read[key] / tally.there[key]:.1f} %" if tally.there[key] else ""
        notes = [f"{getattr(tally, name)[key]} {name}" for name in ("wrong", "twice") if getattr(tally, name)[key]]
        return f"{tally.read[key]:6} {share:>8}  {', '.join(notes):<20}"

    names = {size: f"{size} to {after} px" for size, after in zip(SIZES, [*SIZES[1:], 99])}
    for what in "group", "symbology", "module", "all":
        keys = sorted({key for t in tallies.values() for key in [*t.there, *t.wrong] if key[0] == what},
                      key=lambda key: key[1:])
        print(f"{what:<18} {'there':>6} " + "".join(f"{name:>12}{'':26}" for name in tallies))
        for key in keys:
            first = next(iter(tallies.values()))
            name = names[key[1]] if what == "module" else key[-1]
            print(f"{name:<18} {first.there[key]:6} " + "".join(cell(t, key) for t in tallies.values()).rstrip())
        print()


# ---- the run

def run(seed, count, commands, keep=None, lost=None, first=0, quiet=False, group=None):
    """Draws scenes and asks the readers, as many batches at a time as there are processors; a tally for each reader.

    commands: the command of each reader by name, ours first. keep: a folder for the pictures of which a peer reads
    more, or of which our answer is wrong. lost: a list that takes a line for each of these. group: the only group that
    is drawn.
    """
    tallies = {name: Tally() for name in commands}
    end = first + count
    with concurrent.futures.ProcessPoolExecutor() as pool:
        batches = [pool.submit(run_batch, seed, range(start, min(start + BATCH, end)), commands, keep, group)
                   for start in range(first, end, BATCH)]
        for done, batch in enumerate(batches, 1):
            try:
                its_tallies, its_lost = batch.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            for name, tally in its_tallies.items():
                tallies[name].merge(tally)
            if lost is not None:
                lost += its_lost
            if not quiet:
                print(f"{min(done * BATCH, count)} of {count} scenes", file=sys.stderr)
    return tallies


def run_batch(seed, indices, commands, keep, group):
    """The tallies of the scenes of these indices, and a line for each code that only a peer reads and each wrong one."""
    tallies, lost = {name: Tally() for name in commands}, []
    with tempfile.TemporaryDirectory() as folder:
        drawn = {}
        for index in indices:
            scene = scenes.scene(seed, index, group)
            path = os.path.join(folder, f"{index:05}." + ("png" if scene.data.startswith(b"\x89PNG") else "jpg"))
            pathlib.Path(path).write_bytes(scene.data)
            scene.picture = scene.data = None
            drawn[path] = scene
        answers = {name: ask(command, drawn) for name, command in commands.items()}
        for path, scene in drawn.items():
            read = {name: tallies[name].add(scene, answers[name][path]) for name in commands}
            ours, wrong = read[OURS]
            notes = [f"wrong: {s['format']} {s['rawValue']!r}" + (f" + {s['addOn']}" if s.get("addOn") else "")
                     for s in wrong]
            for i, code in enumerate(scene.codes):
                by = [name for name in read if i in read[name][0] and i not in ours]
                if by:
                    notes.append(f"{' and '.join(by)} read {code.kind} {code.text!r}, {code.module} px a module")
            lost += [f"scene {scene.index} ({scene.group}): {note}" for note in notes]
            if notes and keep:
                os.makedirs(keep, exist_ok=True)
                (pathlib.Path(keep) / os.path.basename(path)).write_bytes(pathlib.Path(path).read_bytes())
    return tallies, lost


def main():
    if sys.argv[1:2] == ["reader"]:
        return serve(sys.argv[2])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("gate", nargs="?", choices=["gate"])
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=2000, help="scenes to draw")
    p.add_argument("--first", type=int, default=0, help="the index of the first scene")
    p.add_argument("--group", choices=scenes.GROUPS, help="draw scenes of this group alone")
    p.add_argument("--peers", action="store_true", help="also read with zxing-cpp and zbar")
    p.add_argument("--effort", default="normal", choices=["fast", "normal", "thorough"])
    programs = os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release")
    p.add_argument("--decoder", default=os.path.join(programs, OURS))
    p.add_argument("--keep", metavar="FOLDER", help="write pictures there of which a peer reads more, or we read wrong")
    p.add_argument("--update", action="store_true", help="gate: write the counts down as the new floors")
    p.add_argument("--corpus", metavar="FOLDER", help="gate: the corpus; ../shared/corpus unless given, none if empty")
    p.add_argument("--reason", help="gate: why the floors change")
    options = p.parse_args()
    if not os.access(options.decoder, os.X_OK):
        sys.exit(f"{options.decoder} is not there: build it by scripts/build-release decode-image, or give --decoder")
    ours = [options.decoder, "--json", "--quiet", "--effort", options.effort, "--jobs", "1", "--files-from", "-"]
    if options.gate:
        return gate.main(options, ours, run, ask)
    commands = {OURS: ours}
    if options.peers:
        commands |= {name: [sys.executable, __file__, "reader", name] for name in PEERS}
    print(f"seed {options.seed}, scenes {options.first} to {options.first + options.count - 1}, {options.effort}")
    lost = []
    tallies = run(options.seed, options.count, commands, options.keep, lost, options.first, group=options.group)
    print("\n".join(lost), end="\n\n")
    table(tallies)


if __name__ == "__main__":
    main()
