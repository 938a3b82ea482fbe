#!/usr/bin/env python3
"""Measures the table of PDF417 in docs/limits.md: this reader and zxing-cpp on the same pictures.

Needs zint 2.11, numpy, Pillow and zxing-cpp. Usage: pdf417-limits.py DECODE-IMAGE
Each step of a condition is ten pictures with different messages, angles and places, drawn by a seed that is fixed. A
step is reached when nine are read.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import numpy
import zxingcpp
from PIL import Image, ImageFilter

PICTURES = 10
ROW_HEIGHT = 3
PAPER, INK = 220, 40


def symbol(text):
    """The modules of a symbol, a row of modules for each row."""
    out = subprocess.run(
        ["zint", "-b", "PDF417", "--dump", "--cols=8", "--secure=4", "-d", text], check=True,
        capture_output=True).stdout.decode()
    rows = [bin(int("1" + line.replace(" ", ""), 16))[3:] for line in out.splitlines() if line.strip()]
    width = max(row.rindex("1") for row in rows) + 1
    return numpy.array([[digit == "1" for digit in row[:width]] for row in rows])


def picture(modules, pixels=4.0, degrees=0.0, tilt=0.0, bend=0.0, blur=0.0, noise=0.0, shift=(0, 0), seed=0):
    """A rendition: `pixels` a module, `bend` the degrees of a cylinder that the symbol goes around."""
    height, width = modules.shape
    height *= ROW_HEIGHT
    side = (int((width + 30) * pixels), int((height + 40 + width / 4) * pixels))
    y, x = numpy.mgrid[0:side[1], 0:side[0]].astype(float)
    dark = numpy.zeros((side[1], side[0]))
    turn, lean = numpy.radians(degrees), numpy.radians(tilt)
    distance = 2.5 * numpy.hypot(width, height)
    for point in range(9):
        across = (x + (point % 3 + 0.5) / 3 - side[0] / 2 + shift[0]) / pixels
        down = (y + (point // 3 + 0.5) / 3 - side[1] / 2 + shift[1]) / pixels
        u = across * numpy.cos(turn) + down * numpy.sin(turn)
        v = -across * numpy.sin(turn) + down * numpy.cos(turn)
        if tilt:
            # The sheet is turned about its vertical axis.
            u = u * distance / (distance * numpy.cos(lean) - u * numpy.sin(lean))
            v = v * (1 + u * numpy.sin(lean) / distance)
        if bend:
            radius = width / numpy.radians(bend)
            u = radius * numpy.arcsin(numpy.clip(u / radius, -1, 1))
        column = numpy.floor(u + width / 2).astype(int)
        row = numpy.floor((v + height / 2) / ROW_HEIGHT).astype(int)
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < modules.shape[0])
        dark += inside & modules[numpy.clip(row, 0, modules.shape[0] - 1), numpy.clip(column, 0, width - 1)]
    levels = Image.fromarray((PAPER - dark / 9 * (PAPER - INK)).astype(numpy.uint8))
    if blur:
        levels = levels.filter(ImageFilter.GaussianBlur(blur * pixels))
    if noise:
        contrast = noise * (PAPER - INK)
        random_levels = numpy.random.default_rng(seed).uniform(-contrast, contrast, (side[1], side[0]))
        levels = Image.fromarray(numpy.clip(numpy.array(levels) + random_levels, 0, 255).astype(numpy.uint8))
    return levels


def hidden(modules, share, generator):
    """The symbol with a part of the area of its codewords blank, in one piece."""
    result = modules.copy()
    rows, columns = modules.shape
    height = max(1, round(rows * share ** 0.5))
    width = max(1, round((columns - 35) * share ** 0.5))
    row, column = generator.randrange(rows - height + 1), 17 + generator.randrange(columns - 35 - width + 1)
    result[row:row + height, column:column + width] = False
    return result


def cut(modules, count, at_start):
    """The symbol without so many modules of a side."""
    result = modules.copy()
    if count:
        result[:, :count] = result[:, :count] & (not at_start)
        result[:, -count:] = result[:, -count:] & at_start
    return result


CONDITIONS = [
    ("smallest module, pixels", [2.5, 2, 1.8, 1.6, 1.4, 1.3, 1.2, 1.1, 1], lambda m, s, g: (m, {"pixels": s})),
    ("steepest tilt, degrees", [20, 30, 40, 45, 50, 55, 60, 65], lambda m, s, g: (m, {"tilt": s})),
    ("strongest blur, sigma in modules", [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], lambda m, s, g: (m, {"blur": s})),
    ("strongest noise, fraction of the contrast", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1],
     lambda m, s, g: (m, {"noise": s})),
    ("largest hidden part of the codewords", [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2],
     lambda m, s, g: (hidden(m, s, g), {})),
    ("strongest bend, degrees of a cylinder", [20, 40, 60, 80, 100, 120, 140, 160], lambda m, s, g: (m, {"bend": s})),
    ("modules missing at the start", [1, 4, 9, 17], lambda m, s, g: (cut(m, s, True), {})),
    ("modules missing at the stop", [1, 4, 9, 18], lambda m, s, g: (cut(m, s, False), {})),
]


def main():
    print("| condition | this | zxing-cpp |")
    print("| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for title, steps, change in CONDITIONS:
            reached = {"this": "-", "zxing": "-"}
            readers = set(reached)
            for step in steps:
                if not readers:
                    break
                generator = random.Random(f"{title} {step}")
                texts, files = [], []
                for index in range(PICTURES):
                    text = "".join(generator.choice("ABCDEFGHIJKLMNOP abcdefghij 0123456789") for _ in range(150))
                    modules, options = change(symbol(text), step, generator)
                    options.setdefault("blur", 0.1)
                    options.setdefault("noise", 0.02)
                    file = os.path.join(folder, f"{index}.png")
                    picture(
                        modules, degrees=generator.uniform(-6, 6), seed=index,
                        shift=(generator.random(), generator.random()), **options).save(file)
                    texts.append(text)
                    files.append(file)
                out = subprocess.run([sys.argv[1], "--json", *files], capture_output=True, text=True).stdout
                answers = {answer["source"]: answer for answer in map(json.loads, out.splitlines())}
                counts = {
                    "this": sum([s["rawValue"] for s in answers[f]["symbols"]] == [t] for f, t in zip(files, texts)),
                    "zxing": sum(
                        [b.text for b in zxingcpp.read_barcodes(Image.open(f), formats=zxingcpp.BarcodeFormat.PDF417)]
                        == [t] for f, t in zip(files, texts))}
                print(title, step, counts, file=sys.stderr)
                for reader in sorted(readers):
                    if counts[reader] >= 0.9 * PICTURES:
                        reached[reader] = step
                    else:
                        readers.discard(reader)
            print(f"| {title} | {reached['this']} | {reached['zxing']} |")


if __name__ == "__main__":
    main()
