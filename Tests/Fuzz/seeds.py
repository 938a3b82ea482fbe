#!/usr/bin/env python3
"""Makes seeds for the fuzz targets out of Samples/.

usage: seeds.py TARGET FOLDER

FuzzImageCodecs gets the picture files that are not large, and heads cut off them. FuzzZBarReader gets pictures
in its own form, a byte for each side less one and then the pixels, from those that fit into 256 x 256. FuzzReports
gets a line of each kind behind a byte that says in what chunks it comes.
"""
import base64
import json
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


def lines():
    """A report, a worker's answer with it, and a request."""
    symbol = {"format": "qr_code", "rawValue": "a\u0000", "rawBytes": "YQA=", "symbologyIdentifier": "]Q1",
              "charset": "utf-8", "charsetSource": "eci", "addOn": "05", "quality": 1, "inverted": False,
              "cornerPoints": [{"x": x, "y": y} for x, y in [(0, 0), (9.25, 0), (9, 9), (0, -1)]],
              "boundingBox": {"x": 0, "y": 0, "width": 9, "height": 9}, "rotation": 90,
              "structuredAppend": {"index": 0, "count": 2, "parity": 3}}
    report = {"schema": 1, "source": "a\ufffd.png", "sourceBytes": "Yf8=", "width": 640, "height": 480,
              "orientation": 6, "symbols": [symbol], "truncated": True,
              "milliseconds": {"load": 1.125, "decode": 22}, "error": None,
              "warnings": [{"code": "not_written", "message": "m"}]}
    name = base64.b64encode(b"a.png").decode()
    request = {"schema": 1, "id": 7, "path": name, "name": name, "formats": ["qr_code", "itf"], "effort": "fast",
               "timeBudgetMilliseconds": 1.5, "maximumCount": 1, "maximumPixels": 100, "maximumSide": 100,
               "maximumFileBytes": 100, "annotation": name}
    yield "report", report
    yield "reply", {"schema": 1, "id": 7, "report": report}
    yield "request", request
    yield "other", {"schema": 2, "id": 7}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    if target == "FuzzReports":
        for name, line in lines():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(bytes([40]) + json.dumps(line).encode() + b"\n")
        return
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
