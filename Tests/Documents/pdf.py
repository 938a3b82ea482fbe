#!/usr/bin/env python3
"""Writes a PDF on standard output with a page for each JPEG: pdf.py PICTURE.jpg..."""
import pathlib
import re
import sys


def size(jpeg):
    """The width, height and number of components in the header of a JPEG's frame."""
    frame = re.search(rb"\xff[\xc0-\xc2]..\x08(....)([\x01\x03])", jpeg, re.S)
    return int.from_bytes(frame[1][2:], "big"), int.from_bytes(frame[1][:2], "big"), frame[2][0]


def write(pictures):
    """Returns the bytes of the PDF. Viewers find the objects without a table of them, so there is none."""
    kids = " ".join(f"{10 * page} 0 R" for page in range(1, len(pictures) + 1))
    parts = [b"%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n",
             f"2 0 obj <</Type /Pages /Count {len(pictures)} /Kids [{kids}]>> endobj\n".encode()]
    for page, jpeg in enumerate(pictures, 1):
        width, height, components = size(jpeg)
        space = {1: "DeviceGray", 3: "DeviceRGB"}[components]
        drawing = f"{width} 0 0 {height} 0 0 cm /P Do"
        number = 10 * page
        parts.append((
            f"{number} 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {number + 1} 0 R "
            f"/Resources <</XObject <</P {number + 2} 0 R>>>>>> endobj\n"
            f"{number + 1} 0 obj <</Length {len(drawing)}>> stream\n{drawing}\nendstream endobj\n"
            f"{number + 2} 0 obj <</Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /{space} "
            f"/BitsPerComponent 8 /Filter /DCTDecode /Length {len(jpeg)}>> stream\n").encode())
        parts += [jpeg, b"\nendstream endobj\n"]
    return b"".join(parts) + b"trailer <</Root 1 0 R>>\n%%EOF\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(write([pathlib.Path(name).read_bytes() for name in sys.argv[1:]]))
