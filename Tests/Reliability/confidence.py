#!/usr/bin/env python3
"""Compares the confidence of the symbols that decode-image reads with the share of those that are right.

usage: scripts/test-scenes confidence [--scenes 500] [--symbols 20000] [--seed N] [--decoder PATH]

It draws scenes, and damaged symbols of each symbology in turn, as `scripts/test-scenes differential` draws them. A
symbol is wrong if its message is not in the picture; a character set that was guessed wrong does not count. Scenes are
read with all symbologies that can be drawn, so that print that is not a symbol may look like any of them; damaged
symbols are read with the default ones, or with their own.

For each kind of check and confidence it prints the number of symbols, the number of wrong ones, and the lower bound of
the share of right ones: the end of the one-sided 95 % interval of Wilson. The status is 1 if more are wrong than a
confidence allows, by such an interval of 99.9 %.
"""
import argparse
import collections
import math
import os
import pathlib
import random
import signal
import sys
import tempfile

import cv2

import differential  # Finds the modules of Tests/Scenes too.
import run
import scenes

BATCH = 100  # Pictures that are on the disk at a time.
KINDS = sorted(differential.BY_DEFAULT | {row[0] for row in differential.ZINT})
# An add-on by itself is a part of a symbol.
IN_SCENES = ",".join(kind for kind in KINDS if kind not in ("ean_2", "ean_5"))
LIKELY, ALMOST_SURE = 1.645, 3.09  # Quantiles of the normal distribution: 95 % and 99.9 %.


def wilson(wrong, count, z):
    """The two ends of Wilson's interval of the share of wrong symbols, for a quantile of the normal distribution."""
    share = wrong / count
    middle, spread = share + z * z / 2 / count, z * math.sqrt(share * (1 - share) / count + (z / 2 / count) ** 2)
    return [(middle + side * spread) / (1 + z * z / count) for side in (-1, 1)]


def command(decoder, formats):
    options = ["--formats", formats] if formats else []
    return [decoder, "--json", "--quiet", "--jobs", "1", *options, "--files-from", "-"]


def read_scenes(seed, indices, decoder):
    """(symbol, True if it is wrong) for each symbol that is read in scenes."""
    with tempfile.TemporaryDirectory() as folder:
        drawn = {}
        for index in indices:
            scene = scenes.scene(seed, index)
            path = os.path.join(folder, f"{index}." + ("png" if scene.data.startswith(b"\x89PNG") else "jpg"))
            pathlib.Path(path).write_bytes(scene.data)
            drawn[path] = scene.codes
        for path, symbols in run.ask(command(decoder, IN_SCENES), drawn).items():
            for symbol in symbols:
                yield symbol, bool(run.score(drawn[path], [symbol])[1])


def read_damaged(seed, indices, decoder):
    """The same for damaged symbols."""
    with tempfile.TemporaryDirectory() as folder:
        batch = collections.defaultdict(dict)
        for index in indices:
            kind = KINDS[index % len(KINDS)]
            drawn = differential.Drawn(seed, index, [kind])
            path = os.path.join(folder, f"{index}.pgm")
            cv2.imwrite(path, drawn.picture)
            batch[None if kind in differential.BY_DEFAULT else kind][path] = drawn
        for formats, pictures in batch.items():
            for path, symbols in run.ask(command(decoder, formats), pictures).items():
                for symbol in symbols:
                    _, text, data = differential.reading(symbol)
                    drawn = pictures[path]
                    # Han Xin: the confidence is that of the bytes, and the character set of a short text is a guess.
                    yield symbol, not (drawn.is_right(text, data)
                                       or data.decode("gb18030", "replace") == drawn.symbol.text)


def count(name, read, total, arguments, counts):
    """Adds the symbols and the wrong ones by check and confidence; prints the wrong ones."""
    for start in range(0, total, BATCH):
        for symbol, is_wrong in read(arguments.seed, range(start, min(start + BATCH, total)), arguments.decoder):
            row = counts[symbol["check"], symbol["confidence"]]
            row[name, "symbols"] += 1
            row[name, "wrong"] += is_wrong
            if is_wrong:
                print(f"{name}: wrong {symbol['format']} {differential.shown(symbol['rawValue'])}, confidence "
                      f"{symbol['confidence']}", flush=True)
        print(f"{min(start + BATCH, total)} of {total} {name}", file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--scenes", type=int, default=500, help="scenes to draw")
    p.add_argument("--symbols", type=int, default=20_000, help="damaged symbols to draw")
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    programs = os.environ.get("QUIETZONE_PROGRAMS", differential.ROOT / ".build/release")
    p.add_argument("--decoder", default=os.path.join(programs, "decode-image"))
    arguments = p.parse_args()
    print(f"seed {arguments.seed}, {arguments.scenes} scenes, {arguments.symbols} damaged symbols")
    counts = collections.defaultdict(collections.Counter)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        count("damaged", read_damaged, arguments.symbols, arguments, counts)
        count("scenes", read_scenes, arguments.scenes, arguments, counts)
    except KeyboardInterrupt:
        pass  # The tables have what was counted.

    failures = []
    print("\n| check | confidence | damaged symbols | wrong | symbols in scenes | wrong | right, at least |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for (check, confidence), row in sorted(counts.items(), key=lambda item: (item[0][0], -item[0][1])):
        cells = [row[name, what] for name in ("damaged", "scenes") for what in ("symbols", "wrong")]
        symbols, wrong = cells[0] + cells[2], cells[1] + cells[3]
        bound = 1 - wilson(wrong, symbols, LIKELY)[1]
        print(f"| `{check}` | {confidence} | " + " | ".join(f"{cell:,}" for cell in cells) + f" | {bound:.4f} |")
        if wilson(wrong, symbols, ALMOST_SURE)[0] > 1 - confidence:
            failures.append(f"{check} with confidence {confidence}: {wrong} of {symbols} symbols are wrong")

    print("\n| confidence at least | symbols | wrong |\n| --- | --- | --- |")
    for least in sorted({confidence for _, confidence in counts}):
        rows = [row for (_, confidence), row in counts.items() if confidence >= least]
        total = {what: sum(row[name, what] for row in rows for name in ("damaged", "scenes"))
                 for what in ("symbols", "wrong")}
        print(f"| {least} | {total['symbols']:,} | {total['wrong']:,} |")
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
