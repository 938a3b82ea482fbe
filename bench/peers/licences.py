#!/usr/bin/env python3
"""Reads drawn driving licences as a phone would photograph them, with both readers on the same pictures.

Needs what limits.py needs. Usage: licences.py DECODE-IMAGE [PICTURES-OF-EACH-SIZE]

The message is a licence of AAMVA's card design standard of 1.2 kB with invented values, as PDF417 of 17 columns and
error correction of level 5. Each picture has turn, tilt, bend, blur, noise, uneven light and a reflection of its own,
drawn by a seed that is fixed.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import numpy
import zxingcpp
from PIL import Image

from limits import Symbology, picture

SIZES = [4, 3, 2.5, 2, 1.75, 1.5]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ELEMENTS = "DCA DCB DCD DBA DCS DAC DAD DBD DBB DBC DAY DAU DAG DAI DAJ DAK DCF DCG DDE DDF DDG DAZ DCI DCJ DCK DDA DDB DAW".split()


def licence(generator):
    """A message of about 1,200 characters: header, a subfile of the licence and one of the jurisdiction."""
    def word(shortest, longest):
        return "".join(generator.choice(LETTERS) for _ in range(generator.randint(shortest, longest)))

    def number(digits):
        return "".join(generator.choice("0123456789") for _ in range(digits))

    person = "DLDAQ" + number(9) + "\n" + "".join(
        name + (number(8) if name[1] in "BD" else word(4, 20)) + "\n" for name in ELEMENTS) + "\r"
    state = "ZV" + "".join(f"ZV{LETTERS[index]}{word(20, 34)}\n" for index in range(22)) + "\r"
    start = 21 + 2 * 10
    header = (f"@\n\x1e\rANSI 636000100002DL{start:04}{len(person):04}ZV{start + len(person):04}{len(state):04}")
    return header + person + state


def lit(image, generator):
    """The picture under a light from one side, with a reflection."""
    levels = numpy.asarray(image).astype(float)
    height, width = levels.shape
    y, x = numpy.mgrid[0:height, 0:width]
    direction = generator.uniform(0, 2 * numpy.pi)
    across = (x / width - 0.5) * numpy.cos(direction) + (y / height - 0.5) * numpy.sin(direction)
    levels *= 1 - generator.uniform(0, 0.5) * (across + 0.5)
    radius = generator.uniform(0.02, 0.12) * width
    column, row = generator.uniform(0.2, 0.8) * width, generator.uniform(0.3, 0.7) * height
    levels += generator.uniform(0, 300) * numpy.exp(-((x - column) ** 2 + (y - row) ** 2) / (2 * radius ** 2))
    return Image.fromarray(numpy.clip(levels, 0, 255).astype(numpy.uint8))


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    symbology = Symbology("PDF417", ["-b", "PDF417", "--cols=17", "--secure=5", "--binary"], "PDF417", 0)
    peer = zxingcpp.BarcodeFormat.PDF417
    totals = [0, 0, 0, 0]
    print("| pixels a module | pictures | this | zxing-cpp |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            messages = {}
            for index in range(count):
                generator = random.Random(f"licence {size} {index}")
                text = licence(generator)
                file = os.path.join(folder, f"{size}-{index}.png")
                image = picture(
                    symbology.modules(text), 3, pixels=size, degrees=generator.uniform(-5, 5),
                    tilt=generator.uniform(0, 35), bend=generator.uniform(0, 45), blur=generator.uniform(0.1, 0.6),
                    noise=generator.uniform(0.01, 0.12), contrast=generator.uniform(80, 180),
                    shift=(generator.random(), generator.random()), seed=index)
                lit(image, generator).save(file)
                messages[file] = text
            out = subprocess.run([sys.argv[1], "--json", *messages], capture_output=True, text=True).stdout
            answers = {answer["source"]: answer for answer in map(json.loads, out.splitlines())}
            read = [[s["rawValue"] for s in answers[file]["symbols"]] for file in messages]
            # Its text writes control characters by their names.
            others = [
                [b.bytes.decode("latin-1") for b in zxingcpp.read_barcodes(Image.open(file), formats=peer)]
                for file in messages]
            texts = [[text] for text in messages.values()]
            found = [sum(map(list.__eq__, answer, texts)) for answer in (read, others)]
            wrong = [sum(bool(a) and a != t for a, t in zip(answer, texts)) for answer in (read, others)]
            for place, value in enumerate(found + wrong):
                totals[place] += value
            print(f"| {size} | {count} | {found[0]} | {found[1]} |", flush=True)
    print(f"| all | {count * len(SIZES)} | {totals[0]} | {totals[1]} |")
    print(f"wrong: {totals[2]} and {totals[3]}", file=sys.stderr)


if __name__ == "__main__":
    main()
