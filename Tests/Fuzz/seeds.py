#!/usr/bin/env python3
"""Makes seeds for the fuzz targets out of Samples/.

usage: seeds.py TARGET FOLDER

FuzzImageCodecs gets the picture files that are not large, and heads cut off them. FuzzZBarReader gets pictures
in its own form, a byte for each side less one and then the pixels, from those that fit into 256 x 256.
"""
import os
import shutil
import subprocess
import sys

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Samples")
LARGEST = 10_000


def pictures():
    for name in sorted(os.listdir(SAMPLES)):
        path = os.path.join(SAMPLES, name)
        if name.endswith((".png", ".jpg", ".webp", ".pgm", ".pbm")) and os.path.getsize(path) <= LARGEST:
            yield name, path


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name, path in pictures():
        if target == "FuzzImageCodecs":
            shutil.copyfile(path, os.path.join(folder, name))
            with open(path, "rb") as f:
                whole = f.read()
            # The short ones are quick, and are where most bytes of a header get changed.
            for count in [len(whole) // 2, 100]:
                with open(os.path.join(folder, f"{name}-{count}"), "wb") as f:
                    f.write(whole[:count])
        elif shutil.which("convert"):
            # Reduced by whole pixels only, so that bars stay sharp.
            for percent in ["100%", "50%"]:
                made = subprocess.run(
                    ["convert", path, "-background", "white", "-flatten", "-sample", percent, "-depth", "8", "pgm:-"],
                    capture_output=True, check=True).stdout
                _, size, _, pixels = made.split(b"\n", 3)
                width, height = map(int, size.split())
                if width > 256 or height > 256:
                    continue
                with open(os.path.join(folder, f"{name}-{percent[:-1]}"), "wb") as f:
                    f.write(bytes([width - 1, height - 1]) + pixels)


if __name__ == "__main__":
    main()
