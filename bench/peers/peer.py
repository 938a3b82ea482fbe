#!/usr/bin/env python3
"""A reader that bench measures beside Quietzone: names of pictures in, a line of JSON out for each.

usage: peer.py zxing-cpp|opencv [PICTURE...]      without a picture, names are taken from standard input, one a line

The first line says which reader answers, and its version. Each further line belongs to one picture: the nanoseconds
of loading (file to grey pixels, by Pillow) and of decoding, and the symbols with text, bytes (base64) and centre.
Both are measured here, so that neither the pipe nor JSON counts. One thread.
"""
import base64
import importlib.metadata
import json
import sys
import time

import numpy
from PIL import Image

# Pictures are the user's own: a limit against bombs would only turn away large ones.
Image.MAX_IMAGE_PIXELS = None


def zxing():
    import zxingcpp

    def read(grey):
        for symbol in zxingcpp.read_barcodes(grey):
            corners = symbol.position
            points = [corners.top_left, corners.top_right, corners.bottom_right, corners.bottom_left]
            yield symbol.text, symbol.bytes, [(p.x, p.y) for p in points]

    return importlib.metadata.version("zxing-cpp"), read


def opencv():
    import cv2

    cv2.setNumThreads(1)
    codes, bars = cv2.QRCodeDetector(), cv2.barcode.BarcodeDetector()

    def read(grey):
        found, texts, points, _ = codes.detectAndDecodeMulti(grey)
        for text, corners in zip(texts, points) if found else ():
            if text:
                yield text, None, corners
        found, texts, _, points = bars.detectAndDecodeWithType(grey)
        for text, corners in zip(texts, points) if found else ():
            if text:
                yield text, None, corners

    return cv2.__version__, read


def load(path):
    """The grey pixels of a picture, transparent ones over white, as Quietzone has them."""
    with Image.open(path) as image:
        # A JPEG decoder can leave out colour; Pillow does where it is asked before the first pixel.
        if image.format == "JPEG":
            image.draft("L", image.size)
        if image.mode in ("RGBA", "LA", "P", "PA"):
            image = image.convert("RGBA")
            image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
        return numpy.ascontiguousarray(numpy.asarray(image.convert("L")))


def describe(text, data, corners):
    # A text may hold what is no Unicode; it is then compared by its bytes alone.
    text = text.encode("utf-8", "replace").decode()
    symbol = {"text": text, "center": [float(sum(c) / len(corners)) for c in zip(*corners)]}
    if data is not None:
        symbol["bytes"] = base64.b64encode(data).decode()
    return symbol


def main():
    readers = {"zxing-cpp": zxing, "opencv": opencv}
    if len(sys.argv) < 2 or sys.argv[1] not in readers:
        sys.exit(__doc__)
    version, read = readers[sys.argv[1]]()
    print(json.dumps({"reader": sys.argv[1], "version": version}), flush=True)
    for path in sys.argv[2:] or (line.rstrip("\n") for line in sys.stdin):
        answer = {"symbols": [], "error": None}
        processor = time.process_time_ns()
        start = loaded = time.perf_counter_ns()
        try:
            grey = load(path)
            loaded = time.perf_counter_ns()
            symbols = list(read(grey))
            end = time.perf_counter_ns()
            answer["symbols"] = [describe(*symbol) for symbol in symbols]
        except Exception as error:  # whatever a reader throws at a picture is its answer to it
            end = time.perf_counter_ns()
            answer["error"] = str(error)
        answer["processorNanoseconds"] = time.process_time_ns() - processor
        answer["loadNanoseconds"] = loaded - start
        answer["decodeNanoseconds"] = end - loaded
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
