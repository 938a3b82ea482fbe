#!/usr/bin/env python3
"""Compares the luma that decode-image decodes with Pillow's: pictures of all kinds, and damaged ones.

usage: scripts/test-scenes pictures [--seed N] [--mutations 5000] [--decoder PATH]

Each kind is drawn in several sizes, written by Pillow, ImageMagick or tiffcp, and must have the same size, orientation
and luma in both, within a tolerance: 1 of 255 levels, 2 with alpha, which is rounded once more, and more where Pillow
takes the luma from colors that were cut off at 0 or 255. The luma of decode-image comes from --annotate; alpha is
blended with white.

A mutation has bytes flipped, or an end cut off. decode-image must not crash or hang with it. What both read without an
error is compared too: differences are counted, since no standard says what a damaged picture looks like.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import numpy
from PIL import Image, ImageFile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = [(1, 1), (7, 5), (17, 33), (64, 48), (131, 70)]
BATCH = 200
LOSSLESS = 1
ALPHA = 2
# Pillow decodes the luma of a JPEG alone too.
JPEG = 1
# Pillow takes the luma from red, green and blue.
COLOR = 24
EXACT_MODES = ["1", "L", "LA", "P", "RGB", "RGBA"]


# ---- what is drawn

def picture(r, size, mode):
    """Smooth colors with some edges, so that a wrong row, stride, channel or palette shows."""
    width, height = size
    y, x = numpy.mgrid[0:height, 0:width]
    planes = []
    for _ in range(4):
        a, b, c = (r.uniform(-3, 3) for _ in range(3))
        planes.append(128 + 120 * numpy.sin(a * x / 20 + b * y / 20 + c))
    pixels = numpy.stack(planes, axis=-1)
    for _ in range(4):
        left, top = r.randrange(width), r.randrange(height)
        pixels[top:top + r.randint(1, height), left:left + r.randint(1, width)] = [r.randrange(256) for _ in range(4)]
    whole = Image.fromarray(pixels.clip(0, 255).astype("uint8"), "RGBA")
    if mode == "RGBA":
        return whole
    if mode == "LA":
        return whole.convert("LA")
    plain = whole.convert("RGB")
    if mode == "I;16":
        deep = numpy.asarray(plain.convert("L")).astype("uint16") * 257
        return Image.fromarray(deep)
    if mode == "CMYK":
        return Image.fromarray(numpy.array(whole), "CMYK")
    return plain if mode == "RGB" else plain.convert(mode)


def saved(mode, **options):
    return lambda r, size, path: picture(r, size, mode).save(path, **options)


def oriented(mode, **options):
    def write(r, size, path):
        exif = Image.Exif()
        exif[274] = r.randint(1, 8)
        picture(r, size, mode).save(path, exif=exif, **options)
    return write


def palette(bits, transparent=False):
    def write(r, size, path):
        image = picture(r, size, "RGB").quantize(1 << bits)
        options = {"transparency": r.randrange(1 << bits)} if transparent else {}
        image.save(path, bits=bits, **options)
    return write


def converted(mode, *arguments):
    """Written by ImageMagick from a PNG."""
    def write(r, size, path):
        with tempfile.NamedTemporaryFile(suffix=".png") as source:
            picture(r, size, mode).save(source.name)
            subprocess.run(["convert", source.name, *arguments, path], check=True)
    return write


def copied(mode, *arguments):
    """Written by tiffcp from a TIFF."""
    def write(r, size, path):
        with tempfile.NamedTemporaryFile(suffix=".tif") as source:
            picture(r, size, mode).save(source.name)
            subprocess.run(["tiffcp", *arguments, source.name, path], check=True)
    return write


# A name whose last word is the ending of the file, the writer, and the tolerance.
KINDS = [
    *[(f"{mode} png", saved(mode), LOSSLESS) for mode in [*EXACT_MODES, "I;16"]],
    *[(f"palette of {bits} bits png", palette(bits), LOSSLESS) for bits in (1, 2, 4, 8)],
    ("palette with a transparent entry png", palette(8, True), LOSSLESS),
    ("oriented png", oriented("RGB"), LOSSLESS),
    *[(f"interlaced {mode} png", converted(mode, "-interlace", "PNG"), LOSSLESS) for mode in ("1", "L", "RGB", "RGBA")],
    ("16 bits RGB png", converted("RGB", "-define", "png:format=png48"), LOSSLESS),
    ("16 bits RGBA png", converted("RGBA", "-define", "png:format=png64"), LOSSLESS),
    *[(f"{mode} quality {quality} jpg", saved(mode, quality=quality), JPEG)
      for mode in ("L", "RGB") for quality in (30, 75, 95)],
    *[(f"{name} jpg", saved("RGB", subsampling=value), JPEG)
      for name, value in [("4:4:4", 0), ("4:2:2", 1), ("4:2:0", 2)]],
    *[(f"{name} jpg", converted("RGB", "-sampling-factor", name), JPEG) for name in ("4x1", "1x2", "4x2")],
    ("progressive jpg", saved("RGB", progressive=True), JPEG),
    ("progressive L jpg", saved("L", progressive=True), JPEG),
    ("restart markers jpg", saved("RGB", restart_marker_rows=1), JPEG),
    ("arithmetic coding jpg", converted("RGB", "-define", "jpeg:arithmetic-coding=on"), JPEG),
    ("CMYK jpg", saved("CMYK", quality=90), COLOR),
    ("RGB components jpg", saved("RGB", keep_rgb=True), JPEG),
    ("oriented jpg", oriented("RGB"), JPEG),
    *[(f"lossless {mode} webp", saved(mode, lossless=True), ALPHA) for mode in ("L", "RGB", "RGBA")],
    *[(f"{mode} quality {quality} webp", saved(mode, quality=quality), COLOR)
      for mode in ("RGB", "RGBA") for quality in (20, 90)],
    ("oriented webp", oriented("RGB", lossless=True), LOSSLESS),
    *[(f"{mode} {compression} tif", saved(mode, compression=compression), LOSSLESS)
      for mode in [*EXACT_MODES, "I;16", "CMYK"]
      for compression in (None, "tiff_lzw", "tiff_adobe_deflate", "packbits")],
    *[(f"{compression} tif", saved("1", compression=compression), LOSSLESS)
      for compression in ("group3", "group4", "tiff_ccitt")],
    ("jpeg tif", saved("RGB", compression="jpeg"), COLOR),
    ("oriented tif", oriented("RGB"), LOSSLESS),
    *[(f"{mode} tiles tif", copied(mode, "-t", "-w", "32", "-l", "16"), LOSSLESS)
      for mode in ("1", "L", "RGB", "RGBA")],
    *[(f"{mode} planes tif", copied(mode, "-p", "separate"), LOSSLESS) for mode in ("RGB", "RGBA")],
    ("big-endian tif", copied("RGB", "-B"), LOSSLESS),
    ("BigTIFF tif", copied("RGB", "-8"), LOSSLESS),
    ("strips of 3 rows tif", copied("RGB", "-r", "3"), LOSSLESS),
    ("predictor tif", copied("RGB", "-c", "lzw:2"), LOSSLESS),
    ("16 bits RGB tif", converted("RGB", "-depth", "16", "-compress", "none"), LOSSLESS),
    *[(f"{mode} gif", saved(mode), LOSSLESS) for mode in ("1", "L", "P")],
    ("not interlaced gif", saved("P", interlace=0), LOSSLESS),
    ("with a transparent entry gif", palette(8, True), LOSSLESS),
    *[(f"{mode} bmp", saved(mode), LOSSLESS) for mode in ("1", "L", "P", "RGB", "RGBA")],
    ("run lengths bmp", converted("P", "-colors", "200", "-compress", "RLE", "-define", "bmp:format=bmp3"), LOSSLESS),
    ("5 and 6 bits bmp", converted("RGB", "-define", "bmp:subtype=RGB565"), LOSSLESS),
]


# ---- what is read

# How an orientation of Exif turns an array of pixels upright.
TURNS = {1: lambda a: a, 2: numpy.fliplr, 3: lambda a: numpy.rot90(a, 2), 4: numpy.flipud, 5: numpy.transpose,
         6: lambda a: numpy.rot90(a, -1), 7: lambda a: numpy.rot90(numpy.transpose(a), 2), 8: numpy.rot90}

def pillow_luma(path):
    """The luma by Pillow, with alpha over white, and the orientation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image = Image.open(path)
        orientation = image.getexif().get(274, 1)
        if image.format == "JPEG" and image.mode == "RGB":
            image.draft("L", image.size)
        image.load()
        if image.mode.startswith("I;16") or image.mode == "I":
            return (numpy.asarray(image).astype("uint32") / 257).round().astype("int16"), orientation
        if image.mode == "CMYK":
            image = image.convert("RGB")
        if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
            image = image.convert("RGBA")
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
        return numpy.asarray(image.convert("L")).astype("int16"), orientation


def our_answers(decoder, paths, folder):
    """The answer of decode-image for each path, with its luma under `luma` if it read the picture."""
    command = [decoder, "--json", "--quiet", "--jobs", "1", "--effort", "fast", "--formats", "qr_code", "--annotate",
               folder, "--files-from", "-"]
    run = subprocess.run(command, check=False, input="\n".join(paths) + "\n", stdout=subprocess.PIPE, text=True)
    answers = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        # The pages of a document have copies of their own; only the first one is compared.
        page = "-page-1" if answer.get("pages") else ""
        copy = pathlib.Path(folder, os.path.basename(answer["source"]) + page + ".png")
        answer["luma"] = None
        if copy.exists() and answer["error"] is None:
            answer["luma"] = numpy.asarray(Image.open(copy).convert("L")).astype("int16")
        answers.setdefault(answer["source"], answer)
    if answers.keys() != set(paths):
        sys.exit(f"decode-image answered {len(answers)} of {len(paths)} pictures, and ended with {run.returncode}")
    return answers


def compared(answer, path, tolerance):
    """How the two readers agree on a picture, and by how much the luma differs."""
    error = answer["error"]
    if error and error["code"] in ("reader_crashed", "timeout"):
        return error["code"], None
    try:
        luma, orientation = pillow_luma(path)
    except Exception:  # noqa: BLE001 (Pillow raises all kinds for damaged files.)
        return ("neither reads it" if error else "only decode-image reads it"), None
    if error:
        return "only Pillow reads it", error["code"]
    ours = answer["luma"]
    if ours is not None and path.endswith(".tif"):
        ours = TURNS[answer["orientation"]](ours)  # Pillow has turned it.
    if ours is None:
        return "not annotated", None
    if ours.shape != luma.shape:
        return "another size", f"{ours.shape} and {luma.shape}"
    if orientation not in (None, answer["orientation"]):
        return "another orientation", f"{answer['orientation']} and {orientation}"
    difference = int(abs(ours - luma).max())
    return ("the same" if difference <= tolerance else "other luma"), difference


# ---- the run

def check_kinds(arguments, folder):
    """Compares undamaged pictures; returns their paths with their tolerances, and the number of faults."""
    r = random.Random(arguments.seed)
    paths = {}
    for number, (name, write, tolerance) in enumerate(KINDS):
        for size in SIZES:
            path = f"{folder}/{number}-{size[0]}.{name.split()[-1]}"
            write(r, size, path)
            paths[path] = (name, size, tolerance)
    answers = our_answers(arguments.decoder, list(paths), folder + "/annotated")
    faults = collections.Counter()
    most = collections.defaultdict(int)
    for path, (name, size, tolerance) in paths.items():
        verdict, detail = compared(answers[path], path, tolerance)
        if isinstance(detail, int):
            most[tolerance] = max(most[tolerance], detail if verdict == "the same" else 0)
        if verdict != "the same":
            faults[verdict] += 1
            print(f"{name}, {size[0]} by {size[1]}: {verdict} ({detail})")
    differences = " and ".join(f"{value} (tolerance {tolerance})" for tolerance, value in sorted(most.items()))
    print(f"{len(paths)} pictures of {len(KINDS)} kinds, {sum(faults.values())} not the same; the largest differences: "
          + differences)
    return {path: tolerance for path, (_, _, tolerance) in paths.items()}, sum(faults.values())


def mutated(r, data):
    data = bytearray(data)
    if r.random() < 0.3:
        del data[r.randrange(len(data)):]
    for _ in range(r.choice([0, 1, 1, 2, 8])):
        if data:
            # Half of them in the head, where the sizes and tables are.
            place = r.randrange(min(len(data), 64) if r.random() < 0.5 else len(data))
            data[place] ^= 1 << r.randrange(8)
    return bytes(data)


def check_mutations(arguments, originals, folder):
    counts = collections.defaultdict(collections.Counter)
    for start in range(0, arguments.mutations, BATCH):
        paths = {}
        with tempfile.TemporaryDirectory(dir=folder) as batch:
            for index in range(start, min(start + BATCH, arguments.mutations)):
                r = random.Random(f"{arguments.seed} {index}")
                original = r.choice(list(originals))
                path = f"{batch}/{index}{pathlib.Path(original).suffix}"
                pathlib.Path(path).write_bytes(mutated(r, pathlib.Path(original).read_bytes()))
                paths[path] = originals[original]
            answers = our_answers(arguments.decoder, list(paths), batch + "/annotated")
            for path, tolerance in paths.items():
                verdict, detail = compared(answers[path], path, tolerance)
                if verdict == "other luma" and answers[path]["truncated"]:
                    verdict = "reported as truncated"
                counts[pathlib.Path(path).suffix[1:]][verdict] += 1
                counts["all"][verdict] += 1
                if arguments.verbose or verdict in ("reader_crashed", "timeout"):
                    print(f"mutation {pathlib.Path(path).name}: {verdict} {detail or ''}")
    verdicts = sorted(counts["all"])
    print("| format | " + " | ".join(verdicts) + " |\n| --- |" + " --- |" * len(verdicts))
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        print(f"| {name} | " + " | ".join(f"{counts[name][verdict]:,}" for verdict in verdicts) + " |")
    return counts["all"]["reader_crashed"] + counts["all"]["timeout"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    p.add_argument("--mutations", type=int, default=5000)
    p.add_argument("--verbose", action="store_true", help="print a line for each mutation")
    programs = os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release")
    p.add_argument("--decoder", default=os.path.join(programs, "decode-image"))
    arguments = p.parse_args()
    # Pillow refuses what it cannot decode whole, as it does unless told otherwise.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    print(f"seed {arguments.seed}, Pillow {Image.__version__}")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        originals, faults = check_kinds(arguments, folder)
        faults += check_mutations(arguments, originals, folder)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
