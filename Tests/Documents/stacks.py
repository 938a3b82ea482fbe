#!/usr/bin/env python3
"""Makes stacks of scans like those that paperless-ngx tests its barcode rules with: stacks.py FOLDER"""
import pathlib
import subprocess
import sys
import tempfile

import pdf

# The pages of each document, each with its codes: zint's name of the symbology and the text.
STACKS = {
    "stickers": [[("CODE39", "ASN00123")], [], [("CODE39", "ASN00124"), ("QRCODE", "TAG:Tax 2026")]],
    "mixed": [[("CODE39", "ASN00125")], [], [("CODE39", "PATCHT")], []],
    "two letters": [[], [("CODE39", "PATCHT")], [], []],
    "invoice": [[("CODE128", "INV-4711/Miller")], []],
    "letter": [[]],
}


def page(codes, folder):
    """Returns the JPEG of a page of A4 at 100 dpi with lines of text and the codes."""
    command = ["convert", "-size", "827x1169", "xc:white", "-fill", "gray30"]
    for line in range(20):
        command += ["-draw", f"rectangle 80,{600 + 24 * line} {700 - 37 * line % 200},{606 + 24 * line}"]
    for number, (symbology, text) in enumerate(codes):
        picture = folder / f"{number}.png"
        subprocess.run(["zint", "-b", symbology, "--scale=1", "-w", "10", "-o", picture, "-d", text], check=True)
        command += [picture, "-geometry", f"+80+{80 + 260 * number}", "-composite"]
    subprocess.run([*command, "-colorspace", "Gray", folder / "page.jpg"], check=True)
    return (folder / "page.jpg").read_bytes()


def main(target):
    with tempfile.TemporaryDirectory() as folder:
        for name, pages in STACKS.items():
            jpegs = [page(codes, pathlib.Path(folder)) for codes in pages]
            (pathlib.Path(target) / f"{name}.pdf").write_bytes(pdf.write(jpegs))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
