#!/usr/bin/env python3
"""Makes data-matrix.tsv: Data Matrix symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites data-matrix.tsv. One symbol a line, fields separated
by tabs:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  index/count/file identifier  width  height
    rows(hex, left-justified)
"""

import random
import subprocess
import tempfile

SQUARES = [10, 12, 14, 16, 18, 20, 22, 24, 26, 32, 36, 40, 44, 48, 52, 64, 72, 80, 88, 96, 104, 120, 132, 144]
RECTANGLES = ["8x18", "8x32", "12x26", "12x36", "16x36", "16x48"]
EXTENDED = ["8x48", "8x64", "8x80", "8x96", "8x120", "8x144", "12x64", "12x88", "16x64", "20x36", "20x44", "20x64",
            "22x48", "24x48", "24x64", "26x40", "26x48", "26x64"]
# Rows and columns in the order of zint's numbers for them.
SIZES = [(side, side) for side in SQUARES] + [tuple(map(int, size.split("x"))) for size in RECTANGLES + EXTENDED]
GENERATOR = random.Random(16022)

lines = []


def zint(name, payload, expected, *options, identifier="]d1", ecis="-", append="-", size=None):
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        # Segments can follow data of the command line only; NUL and the like can stand in a file only.
        source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
        if size:
            options += (f"--vers={SIZES.index(size) + 1}",)
        out = subprocess.run(
            ["zint", "-b", "DATAMATRIX", "--dump", *source, *options], check=True, capture_output=True).stdout.decode()
    rows = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    sizes = [each for each in SIZES if each[0] == len(rows) and (each[1] + 3) // 4 == len(rows[0])]
    assert size is None or size in sizes, name
    # The bottom row is dark from end to end, which tells the width.
    width = bin(int(rows[-1], 16)).count("1")
    assert (len(rows), width) in sizes, name
    lines.append("\t".join([name, identifier, expected.hex(), ecis, append, str(width), str(len(rows)), "".join(rows)]))


def both(name, payload, *options, **facts):
    zint(name, payload, payload, *options, **facts)


for number, (rows, columns) in enumerate(SIZES, start=1):
    size = (rows, columns)
    name = f"size {columns} by {rows}"
    both(name, b"A1", size=size)
    # Half of the codewords at least are data, but in the smallest.
    room = (rows - 2) * (columns - 2) // 8
    if room >= 20:
        payload = bytes(GENERATOR.randrange(256) for _ in range(room // 3))
        both(name + ", bytes", payload, "--binary", size=size)
    payload = bytes(GENERATOR.randrange(48, 58) for _ in range(room // 2))
    if room >= 20:
        both(name + ", digits", payload, size=size)

ALPHABETS = {
    "digits": b"0123456789",
    "capitals": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789",
    "small letters": b"abcdefghijklmnopqrstuvwxyz 0123456789",
    "X12": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*>\r ",
    "EDIFACT": bytes(range(33, 94)),
    "ASCII": bytes(range(128)),
    "control characters": bytes(range(32)),
    "mixed case": b"ABCabcDEFdef,.-#+<>",
    "high bytes": bytes(range(128, 256)),
}
for name, alphabet in ALPHABETS.items():
    for length in [*range(1, 24), 40, 41, 42, 43, 60, 100, 251, 400]:
        payload = bytes(GENERATOR.choice(alphabet) for _ in range(length))
        both(f"{length} of {name}", payload, "--binary", "--square")
# Runs that each want an encodation of their own.
for index in range(60):
    payload = b"".join(
        bytes(GENERATOR.choice(alphabet) for _ in range(GENERATOR.randrange(1, 20)))
        for alphabet in GENERATOR.sample(list(ALPHABETS.values()), 5))
    both(f"mixture {index}", payload, "--binary")
    if index < 20:
        both(f"mixture {index}, fast", payload, "--binary", "--fast")
both("all byte values", bytes(range(256)), "--binary")
both("embedded NUL", b"a\0b\0\0c", "--binary")
both("1555 bytes", bytes(GENERATOR.randrange(256) for _ in range(1555)), "--binary")
both("249 bytes", bytes(GENERATOR.randrange(128, 256) for _ in range(249)), "--binary")
both("250 bytes", bytes(GENERATOR.randrange(128, 256) for _ in range(250)), "--binary")

zint("Latin-1 by default", "Zürich".encode(), "Zürich".encode("latin-1"))
zint("ECI 3", "Zürich".encode(), "Zürich".encode("latin-1"), "--eci=3", identifier="]d4", ecis="3")
zint("ECI 7", "Привет".encode(), "Привет".encode("iso8859-5"), "--eci=7", identifier="]d4", ecis="7")
zint("ECI 20", "日本ｱｲｳabc".encode(), "日本ｱｲｳabc".encode("shift_jis"), "--eci=20", identifier="]d4", ecis="20")
both("ECI 26", "你好, Zürich".encode(), "--eci=26", identifier="]d4", ecis="26")
for eci in [126, 127, 128, 899, 16382, 16383, 16384, 80898, 80899, 811800, 999999]:
    both(f"ECI {eci}", b"of a number", "--binary", f"--eci={eci}", identifier="]d4", ecis=str(eci))
zint("two ECIs", "Zürich ".encode(), "Zürich ".encode("latin-1") + "Привет".encode("iso8859-5"),
     "--eci=3", "--seg1=7,Привет", identifier="]d4", ecis="3,7")

zint("GS1", b"[01]09501101530003[17]250101[10]ABC123", b"010950110153000317250101" b"10ABC123",
     "--gs1", identifier="]d2")
zint("GS1 with a separator", b"[10]ABC123[21]XYZ", b"10ABC123\x1d21XYZ", "--gs1", identifier="]d2")
zint("GS1 with a separator in Text", b"[10]abcdefghijkl[21]mnopqrstuv", b"10abcdefghijkl\x1d21mnopqrstuv", "--gs1",
     identifier="]d2")
zint("GS1 with a separator in C40", b"[10]ABCDEFGHIJKL[21]MNOPQRSTUV", b"10ABCDEFGHIJKL\x1d21MNOPQRSTUV", "--gs1",
     identifier="]d2")
zint("GS1 with GS", b"[10]ABC123[21]XYZ", b"10ABC123\x1d21XYZ", "--gs1", "--gssep", identifier="]d2")
zint("GS1 with ECI", b"[10]abc[21]xyz", b"10abc\x1d21xyz", "--gs1", "--eci=3", identifier="]d5", ecis="3")

for index, count, identification in [(1, 2, "001001"), (2, 2, "005007"), (3, 16, "254254"), (16, 16, "001254")]:
    text = f"part {index} of {count}".encode()
    first, second = int(identification[:3]), int(identification[3:])
    both(text.decode(), text, "--binary", f"--structapp={index},{count},{identification}",
         append=f"{index - 1}/{count}/{first * 256 + second}")
zint("GS1 in a part", b"[10]ABC", b"10ABC", "--gs1", "--structapp=1,2,002003", identifier="]d2", append="0/2/515")
both("reader programming", b"SETUP", "--init")

with open("data-matrix.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
