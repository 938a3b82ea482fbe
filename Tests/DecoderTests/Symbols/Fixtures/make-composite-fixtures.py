#!/usr/bin/env python3
"""Makes composite.tsv: GS1 composite symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites composite.tsv. One symbol a line, fields separated by
tabs; a row is a row of modules, each module a bit:

    name  linear format  kind of component  element strings(hex)  width  rows: how many alike, a colon, hex left-justified
"""

import random
import re
import struct
import subprocess
import tempfile

GENERATOR = random.Random(24723)
GTIN = "0331234567890"
CARRIERS = {
    "EAN-13": (130, "331234567890", "ean_13"), "EAN-8": (130, "1234567", "ean_8"),
    "UPC-A": (135, "31234567890", "upc_a"), "UPC-E": (136, "0121230", "upc_e"),
    "DataBar": (132, GTIN, "databar"), "DataBar Limited": (133, GTIN, "databar_limited"),
    "DataBar Stacked": (137, GTIN, "databar"), "DataBar Stacked Omnidirectional": (138, GTIN, "databar"),
    "DataBar Expanded": (134, "[01]90614141000015[3202]000150", "databar_expanded"),
    "DataBar Expanded Stacked": (139, "[01]98898765432106[3202]012345[15]991231", "databar_expanded"),
    "GS1-128": (131, "[01]03312345678903", "code_128"),
}
FIXED = {"00", "01", "02", "11", "12", "13", "15", "16", "17"}
lines = []


def element_string(text):
    parts = re.findall(r"\[(\d+)\]([^\[]*)", text)
    return b"".join(
        (identifier + value).encode() + (b"\x1d" if identifier not in FIXED and place + 1 < len(parts) else b"")
        for place, (identifier, value) in enumerate(parts))


def picture(symbology, primary, kind, data):
    """The rows of modules; None where the data are too long for the kind."""
    with tempfile.NamedTemporaryFile(suffix=".bmp") as file:
        result = subprocess.run(
            ["zint", "-b", str(symbology), "--primary=" + primary, "--mode=" + str("abc".index(kind) + 1), "-d", data,
             "--gs1nocheck", "--notext", "--height=140", "--scale=0.5", "-o", file.name], capture_output=True)
        if result.returncode or result.stderr:
            return None
        content = open(file.name, "rb").read()
    offset, width, height = struct.unpack_from("<I", content, 10)[0], *struct.unpack_from("<ii", content, 18)
    bits = struct.unpack_from("<H", content, 28)[0]
    stride = (width * bits + 31) // 32 * 4
    rows = []
    for y in range(height - 1, -1, -1):
        row = content[offset + y * stride:offset + (y + 1) * stride]
        if bits == 1:
            values = [row[x // 8] >> (7 - x % 8) & 1 for x in range(width)]
            palette = content[54]
            rows.append([value == (0 if palette == 0 else 1) for value in values])
        else:
            rows.append([row[x * bits // 8] < 128 for x in range(width)])
    return rows


def add(name, carrier, kind, data, sizes=None):
    symbology, primary, format_name = CARRIERS[carrier]
    rows = picture(symbology, primary, kind, data)
    # What is too long for a kind is made of the next.
    if rows is None or kind < "c" and rows == picture(symbology, primary, "abc"["abc".index(kind) + 1], data):
        return False
    width = len(rows[0])
    coded = []
    for row in rows:
        bits = "".join("1" if dark else "0" for dark in row).ljust((width + 3) // 4 * 4, "0")
        text = "%0*X" % (len(bits) // 4, int(bits, 2))
        if coded and coded[-1][1] == text:
            coded[-1][0] += 1
        else:
            coded.append([1, text])
    # Symbols are as high whatever stands above them, but have different rows.
    if sizes is not None:
        if (carrier, kind, len(coded)) in sizes:
            return True
        sizes.add((carrier, kind, len(coded)))
    lines.append("\t".join([
        name, format_name, "cc_" + kind, element_string(data).hex(), str(width),
        ",".join("%d:%s" % (count, text) for count, text in coded)]))
    return True


for carrier in CARRIERS:
    for kind in "abc" if carrier == "GS1-128" else "ab":
        assert add(f"{carrier} with CC-{kind.upper()}", carrier, kind, "[11]990102[21]A1b2/3"), (carrier, kind)

for data in [
    "[11]990102", "[17]200131[10]ABC123", "[10]1234567", "[11]991231[21]abcDEF", "[17]200131[99]1234", "[90]12B345",
    "[90]999ZABCDEFG", "[90]K123[21]SER12", "[90]ABCDEFGHIJ12[8004]XY12", "[90]4A1B2C3", "[90]30W[10]77", "[90]B",
    "[90]Babc", "[90]0X", "[21]A1b2/C-3", '[21]!"%&+_?', "[21]12345678901234567890", "[21]1", "[99]12[98]34", "[10]A",
]:
    assert add(data, "GS1-128", "a", data), data

SIZES = set()
for carrier, kinds in [("UPC-E", "ab"), ("EAN-8", "ab"), ("GS1-128", "ab")]:
    for kind in kinds:
        for length in range(1, 260):
            text = "".join(GENERATOR.choice("ABCDEFGH123456789abc/-") for _ in range(length))
            data = "".join(
                "[%d]%s" % (91 + place, text[place * 80:place * 80 + 80]) for place in range((length + 79) // 80))
            if not add(f"{carrier}, {length} characters in CC-{kind.upper()}", carrier, kind, data, SIZES):
                break

with open("composite.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols,", len(SIZES), "sizes")
