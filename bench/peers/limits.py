#!/usr/bin/env python3
"""Measures the tables of docs/reference/limits.md in which zxing-cpp stands: both readers on the same pictures.

Needs zint 2.11, numpy, Pillow and zxing-cpp. Usage: limits.py DECODE-IMAGE [SYMBOLOGY...]
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
PAPER, INK = 220, 40
MIXED = "ABCDEFGHIJKLMNOP abcdefghij 0123456789"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789"


class Symbology:
    def __init__(self, title, options, format_of_peer, length, letters=MIXED, row_height=1, conditions=None):
        self.title, self.options, self.format_of_peer = title, options, format_of_peer
        self.length, self.letters, self.row_height, self.conditions = length, letters, row_height, conditions

    def modules(self, text):
        """The modules of a symbol, a row of modules for each row."""
        out = subprocess.run(
            ["zint", *self.options, "--dump", "-d", text], check=True, capture_output=True).stdout.decode()
        rows = [bin(int("1" + line.replace(" ", ""), 16))[3:] for line in out.splitlines() if line.strip()]
        width = max(row.rfind("1") for row in rows) + 1
        return numpy.array([[digit == "1" for digit in row[:width]] for row in rows])


def picture(
        modules, row_height, pixels=4.0, degrees=0.0, tilt=0.0, bend=0.0, blur=0.0, noise=0.0, contrast=PAPER - INK,
        shift=(0, 0), seed=0):
    """A rendition: `pixels` a module, `bend` the degrees of a cylinder that the symbol goes around."""
    height, width = modules.shape
    height *= row_height
    paper = 130 + contrast / 2
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
        row = numpy.floor((v + height / 2) / row_height).astype(int)
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < modules.shape[0])
        dark += inside & modules[numpy.clip(row, 0, modules.shape[0] - 1), numpy.clip(column, 0, width - 1)]
    levels = Image.fromarray((paper - dark / 9 * contrast).round().astype(numpy.uint8))
    if blur:
        levels = levels.filter(ImageFilter.GaussianBlur(blur * pixels))
    if noise:
        deviation = noise * contrast
        random_levels = numpy.random.default_rng(seed).uniform(-deviation, deviation, (side[1], side[0]))
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


def covered(modules, share, generator):
    """The symbol with a square part of its area blank, away from its sides."""
    result = modules.copy()
    rows, columns = modules.shape
    side = max(1, round((rows * columns * share) ** 0.5))
    row, column = generator.randrange(2, rows - side - 1), generator.randrange(2, columns - side - 1)
    result[row:row + side, column:column + side] = False
    return result


COMMON = [
    ("smallest module, pixels", [2.5, 2, 1.8, 1.6, 1.4, 1.3, 1.2, 1.1, 1], lambda m, s, g: (m, {"pixels": s})),
    ("steepest tilt, degrees", [20, 30, 40, 45, 50, 55, 60, 65, 70], lambda m, s, g: (m, {"tilt": s})),
    ("strongest blur, sigma in modules", [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], lambda m, s, g: (m, {"blur": s})),
    ("strongest noise, fraction of the contrast", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1],
     lambda m, s, g: (m, {"noise": s})),
]
MATRIX = COMMON + [
    ("lowest contrast, of 255", [60, 40, 30, 20, 15, 12, 10, 8, 6], lambda m, s, g: (m, {"contrast": s})),
    ("largest hidden part", [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2], lambda m, s, g: (covered(m, s, g), {})),
    ("strongest bend, degrees of a cylinder", [20, 40, 60, 80, 100, 120, 140], lambda m, s, g: (m, {"bend": s})),
]
STACKED = COMMON + [
    ("largest hidden part of the codewords", [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2],
     lambda m, s, g: (hidden(m, s, g), {})),
    ("strongest bend, degrees of a cylinder", [20, 40, 60, 80, 100, 120, 140, 160], lambda m, s, g: (m, {"bend": s})),
    ("modules missing at the start", [1, 4, 9, 17], lambda m, s, g: (cut(m, s, True), {})),
    ("modules missing at the stop", [1, 4, 9, 18], lambda m, s, g: (cut(m, s, False), {})),
]
SYMBOLOGIES = {
    "data_matrix": Symbology("Data Matrix 24 x 24", ["-b", "71", "--vers=8"], "DataMatrix", 30, conditions=MATRIX),
    "data_matrix_8x32": Symbology(
        "Data Matrix 8 x 32", ["-b", "71", "--vers=26"], "DataMatrix", 9, conditions=MATRIX[:5]),
    "aztec": Symbology(
        "Aztec 23 x 23", ["-b", "92", "--vers=3"], "Aztec", 30,
        conditions=[condition for condition in MATRIX if "hidden" not in condition[0]]),
    "micro_qr_code": Symbology(
        "Micro QR M4 M", ["-b", "97", "--vers=4", "--secure=2"], "MicroQRCode", 11, conditions=MATRIX[:5]),
    "rmqr_code": Symbology(
        "rMQR R13x59 M", ["-b", "145", "--vers=19", "--secure=2"], "RMQRCode", 20, CAPITALS, conditions=MATRIX[:5]),
    "pdf417": Symbology(
        "PDF417", ["-b", "PDF417", "--cols=8", "--secure=4"], "PDF417", 150, row_height=3, conditions=STACKED),
}


def measure(symbology, folder):
    """The hardest step of each condition that each reader reaches."""
    for title, steps, change in symbology.conditions:
        reached = {"this": "-", "zxing": "-"}
        readers = set(reached)
        for step in steps:
            if not readers:
                break
            generator = random.Random(f"{title} {step}")
            texts, files = [], []
            for index in range(PICTURES):
                text = "".join(generator.choice(symbology.letters) for _ in range(symbology.length))
                modules, options = change(symbology.modules(text), step, generator)
                options.setdefault("blur", 0.1)
                options.setdefault("noise", 0.02)
                file = os.path.join(folder, f"{index}.png")
                picture(
                    modules, symbology.row_height, degrees=generator.uniform(-6, 6), seed=index,
                    shift=(generator.random(), generator.random()), **options).save(file)
                texts.append(text)
                files.append(file)
            out = subprocess.run([sys.argv[1], "--json", *files], capture_output=True, text=True).stdout
            answers = {answer["source"]: answer for answer in map(json.loads, out.splitlines())}
            format_of_peer = getattr(zxingcpp.BarcodeFormat, symbology.format_of_peer)
            counts = {
                "this": sum([s["rawValue"] for s in answers[f]["symbols"]] == [t] for f, t in zip(files, texts)),
                "zxing": sum(
                    [b.text for b in zxingcpp.read_barcodes(Image.open(f), formats=format_of_peer)] == [t]
                    for f, t in zip(files, texts))}
            print(symbology.title, title, step, counts, file=sys.stderr)
            for reader in sorted(readers):
                if counts[reader] >= 0.9 * PICTURES:
                    reached[reader] = step
                else:
                    readers.discard(reader)
        print(f"| {title} | {reached['this']} | {reached['zxing']} |", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[2:] or SYMBOLOGIES:
            print(f"\n| {SYMBOLOGIES[name].title} | this | zxing-cpp |\n| --- | --- | --- |")
            measure(SYMBOLOGIES[name], folder)


if __name__ == "__main__":
    main()
