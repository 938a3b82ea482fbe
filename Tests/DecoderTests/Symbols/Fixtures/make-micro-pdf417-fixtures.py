#!/usr/bin/env python3
"""Makes micro-pdf417.tsv: MicroPDF417 symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites micro-pdf417.tsv. One symbol a line, fields separated
by tabs; a row of the symbol is one row of modules:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  index/count/file identifier  width  height
    rows(hex, left-justified)
"""

import random
import subprocess
import tempfile

GENERATOR = random.Random(24728)
WIDTHS = {1: 38, 2: 55, 3: 82, 4: 99}
lines = []


def zint(name, payload, expected, *options, identifier="]L2", ecis="-", append="-", sizes=None):
    """Adds the symbol, unless `sizes` is given and has its size."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        out = subprocess.run(
            ["zint", "-b", "MICROPDF417", "--dump", "-i", file.name, *options], check=True,
            capture_output=True).stdout.decode()
    rows = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    bits = [bin(int("1" + row, 16))[3:] for row in rows]
    # The last module of every row is dark.
    width = max(row.rindex("1") for row in bits) + 1
    columns = {value: key for key, value in WIDTHS.items()}[width]
    if sizes is not None:
        if (columns, len(rows)) in sizes:
            return
        sizes.add((columns, len(rows)))
        name = f"{columns} by {len(rows)}"
    digits = (width + 3) // 4
    lines.append("\t".join([name, identifier, expected.hex(), ecis, append, str(width), str(len(rows)),
                            "".join(row[:digits] for row in rows)]))


def both(name, payload, *options, **facts):
    zint(name, payload, payload, *options, **facts)


SIZES = set()
for columns, most in [(1, 30), (2, 60), (3, 130), (4, 200)]:
    for length in range(4, most):
        payload = bytes(GENERATOR.choice(b"ABCDEFGHIJ abcdefghij 0123456789") for _ in range(length))
        try:
            both("", payload, f"--cols={columns}", sizes=SIZES)
        except (subprocess.CalledProcessError, KeyError):
            break
print(len(SIZES), "sizes")

ALPHABETS = {
    "digits": b"0123456789",
    "capitals": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789",
    "small letters": b"abcdefghijklmnopqrstuvwxyz ",
    "mixed case": b"ABCabcDEFdef,.-#+<>;{}'\"",
    "ASCII": bytes(range(128)),
    "high bytes": bytes(range(128, 256)),
}
for name, alphabet in ALPHABETS.items():
    for length in [1, 2, 5, 6, 7, 12, 13, 43, 44, 45, 60]:
        both(f"{length} of {name}", bytes(GENERATOR.choice(alphabet) for _ in range(length)), "--binary")
for index in range(30):
    payload = b"".join(
        bytes(GENERATOR.choice(alphabet) for _ in range(GENERATOR.randrange(1, 14)))
        for alphabet in GENERATOR.sample(list(ALPHABETS.values()), 5))
    both(f"mixture {index}", payload, "--binary")

zint("ECI 7", "Привет".encode(), "Привет".encode("iso8859-5"), "--eci=7", identifier="]L1", ecis="7")
both("ECI 26", "你好, Zürich".encode(), "--eci=26", identifier="]L1", ecis="26")
for eci in [899, 900, 810899, 810900, 811799]:
    both(f"ECI {eci}", b"of a number", "--binary", f"--eci={eci}", identifier="]L1", ecis=str(eci))
for index, count, name in [(1, 2, "017053"), (2, 2, "017053"), (3, 99, "123"), (4, 4, "001002003")]:
    text = f"part {index} of {count}".encode()
    both(text.decode(), text, f"--structapp={index},{count},{name}", append=f"{index - 1}/{count}/{int(name)}")
both("reader programming", b"SETUP", "--init")

with open("micro-pdf417.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
