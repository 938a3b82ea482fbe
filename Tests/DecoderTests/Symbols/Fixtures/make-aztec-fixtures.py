#!/usr/bin/env python3
"""Makes aztec.tsv: Aztec symbols and runes of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites aztec.tsv. One symbol a line, fields separated by
tabs:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  index/count/identifier  width  height
    rows(hex, left-justified)
"""

import random
import subprocess
import tempfile

# In the order of zint's numbers for them: whether it is compact, layers.
SIZES = [(True, layers) for layers in range(1, 5)] + [(False, layers) for layers in range(1, 33)]
GENERATOR = random.Random(24778)

lines = []


def side(compact, layers):
    if compact:
        return 11 + 4 * layers
    return 15 + 4 * layers + 2 * ((6 + 2 * layers) // 15)


def bits(compact, layers):
    return ((88 if compact else 112) + 16 * layers) * layers


def zint(name, payload, expected, *options, identifier="]z0", ecis="-", append="-", size=None, kind="AZTEC"):
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        # Segments can follow data of the command line only; NUL and the like can stand in a file only.
        source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
        if size:
            options += (f"--vers={SIZES.index(size) + 1}",)
        out = subprocess.run(
            ["zint", "-b", kind, "--dump", *source, *options], check=True, capture_output=True).stdout.decode()
    rows = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    modules = len(rows)
    assert size is None or side(*size) == modules, name
    assert all(len(row) == (modules + 3) // 4 for row in rows), name
    lines.append(
        "\t".join([name, identifier, expected.hex(), ecis, append, str(modules), str(modules), "".join(rows)]))


def both(name, payload, *options, **facts):
    zint(name, payload, payload, *options, **facts)


for size in SIZES:
    name = f"{'compact' if size[0] else 'full'}, {size[1]} layers"
    both(name, b"A1", size=size)
    # Half of the bits at the most are data.
    room = bits(*size) // 2 - 24
    payload = bytes(GENERATOR.randrange(256) for _ in range(room // 9))
    both(name + ", bytes", payload or b"\xFF", "--binary", size=size)
    # Zeros and ones, which need stuffing.
    both(name + ", zeros", bytes(max(1, room // 10)), "--binary", size=size)

ALPHABETS = {
    "digits": b"0123456789",
    "digits and stops": b"0123456789,. ",
    "capitals": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ ",
    "small letters": b"abcdefghijklmnopqrstuvwxyz ",
    "punctuation": b"!\"#$%&'()*+,-./:;<=>?[]{}\r",
    "mixed characters": bytes(range(1, 14)) + bytes(range(27, 32)) + b"@\\^_`|~\x7F ",
    "mixed case": b"ABCabcDEFdef",
    "ASCII": bytes(range(128)),
    "high bytes": bytes(range(128, 256)),
}
for name, alphabet in ALPHABETS.items():
    for length in [*range(1, 16), 30, 31, 32, 33, 61, 62, 63, 64, 100]:
        payload = bytes(GENERATOR.choice(alphabet) for _ in range(length))
        both(f"{length} of {name}", payload, "--binary")
# Runs that each want a character set of their own.
for index in range(60):
    payload = b"".join(
        bytes(GENERATOR.choice(alphabet) for _ in range(GENERATOR.randrange(1, 12)))
        for alphabet in GENERATOR.sample(list(ALPHABETS.values()), 5))
    both(f"mixture {index}", payload, "--binary")
both("pairs", b"One. Two, Three: Four\r\nFive. SIX, SEVEN: 8\r\n", "--binary")
both("all byte values", bytes(range(256)), "--binary")
both("embedded NUL", b"a\0b\0\0c", "--binary")
both("1500 bytes", bytes(GENERATOR.randrange(256) for _ in range(1500)), "--binary", "--secure=1")
for level in range(1, 5):
    both(f"level {level}", b"How much of it corrects errors", f"--secure={level}")

zint("Latin-1 by default", "Zürich".encode(), "Zürich".encode("latin-1"))
zint("ECI 3", "Zürich".encode(), "Zürich".encode("latin-1"), "--eci=3", identifier="]z3", ecis="3")
zint("ECI 7", "Привет".encode(), "Привет".encode("iso8859-5"), "--eci=7", identifier="]z3", ecis="7")
zint("ECI 20", "日本ｱｲｳabc".encode(), "日本ｱｲｳabc".encode("shift_jis"), "--eci=20", identifier="]z3", ecis="20")
both("ECI 26", "你好, Zürich".encode(), "--eci=26", identifier="]z3", ecis="26")
for eci in [9, 10, 99, 100, 899, 1000, 16383, 99999, 100000, 811800, 999999]:
    both(f"ECI {eci}", b"of a number", "--binary", f"--eci={eci}", identifier="]z3", ecis=str(eci))
zint("two ECIs", "Zürich ".encode(), "Zürich ".encode("latin-1") + "Привет".encode("iso8859-5"),
     "--eci=3", "--seg1=7,Привет", identifier="]z3", ecis="3,7")

zint("GS1", b"[01]09501101530003[17]250101[10]ABC123", b"010950110153000317250101" b"10ABC123",
     "--gs1", identifier="]z1")
zint("GS1 with a separator", b"[10]ABC123[21]XYZ", b"10ABC123\x1d21XYZ", "--gs1", identifier="]z1")
zint("GS1 with small letters", b"[10]abcdefghijkl[21]mnopqrstuv", b"10abcdefghijkl\x1d21mnopqrstuv", "--gs1",
     identifier="]z1")
zint("GS1 with ECI", b"[10]abc[21]xyz", b"10abc\x1d21xyz", "--gs1", "--eci=3", identifier="]z4", ecis="3")

for index, count, name in [(1, 2, ""), (2, 2, "7"), (3, 26, "254254"), (26, 26, "19")]:
    text = f"part {index} of {count}".encode()
    both(text.decode(), text, "--binary", f"--structapp={index},{count}" + ("," + name if name else ""),
         identifier="]z6", append=f"{index - 1}/{count}/{name or 0}")
zint("ECI in a part", "Привет".encode(), "Привет".encode("iso8859-5"), "--eci=7", "--structapp=2,3", identifier="]z9",
     ecis="7", append="1/3/0")
both("reader programming", b"SETUP", "--init")
both("reader programming, compact", b"S", "--init", size=(True, 1))
both("reader programming, full", b"SETUP", "--init", size=(False, 22))

for value in range(256):
    zint(f"rune {value}", str(value).encode(), f"{value:03}".encode(), identifier="]zC", kind="AZRUNE")

with open("aztec.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
