#!/usr/bin/env python3
"""Makes micro-qr.tsv: Micro QR and rMQR symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites micro-qr.tsv. One symbol a line, fields separated by
tabs; the level stands in the name:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  -  width  height  rows(hex, left-justified)
"""

import random
import subprocess
import tempfile

GENERATOR = random.Random(23941)
HEIGHTS = [7, 9, 11, 13, 15, 17]
RECTANGLES = [(width, height) for height in HEIGHTS for width in [27, 43, 59, 77, 99, 139]
              if width > 27 or height in (11, 13)]
# Levels of each version of Micro QR, and the numbers of zint for them.
MICRO = {1: "-", 2: "LM", 3: "LM", 4: "LMQ"}
SECURE = {"L": 1, "M": 2, "Q": 3, "H": 4}
ALPHANUMERIC = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
KANJI = "点茗漢字日本語説明書東京大阪"

lines = []


def zint(name, kind, payload, expected, *options, identifier="]Q1", ecis="-"):
    """Adds a symbol; False where it does not hold the payload."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
        run = subprocess.run(["zint", "-b", kind, "--dump", *source, *options], capture_output=True)
    if run.returncode >= 5:
        return False
    rows = [line.replace(" ", "") for line in run.stdout.decode().splitlines() if line.strip()]
    if kind == "MICROQR":
        width = len(rows)
        assert width in (11, 13, 15, 17), name
    else:
        widths = [width for width, height in RECTANGLES if height == len(rows) and (width + 3) // 4 == len(rows[0])]
        assert len(widths) == 1, name
        width = widths[0]
    lines.append("\t".join([name, identifier, expected.hex(), ecis, "-", str(width), str(len(rows)), "".join(rows)]))
    return True


def longest(name, kind, make, *options):
    """The longest payload that still fits, one of half its length, and one character."""
    length = next((each for each in range(361, 0, -1) if zint(name + f", {each}", kind, *make(each), *options)), 0)
    for shorter in {1, length // 2} - {0, length}:
        zint(name + f", {shorter}", kind, *make(shorter), *options)


def digits(length):
    payload = bytes(GENERATOR.choice(b"0123456789") for _ in range(length))
    return payload, payload


def capitals(length):
    payload = bytes(GENERATOR.choice(ALPHANUMERIC) for _ in range(length))
    return payload, payload


def octets(length):
    payload = bytes(GENERATOR.randrange(256) for _ in range(length))
    return payload, payload


def kanji(length):
    text = "".join(GENERATOR.choice(KANJI) for _ in range(length))
    return text.encode(), text.encode("shift_jis")


def mixture(length):
    runs = [b"0123456789", b"ABCDEFGHIJ $%*", b"abcdefgh#!"]
    payload = b"".join(
        bytes(GENERATOR.choice(runs[index % 3]) for _ in range(min(7, length - start)))
        for index, start in enumerate(range(0, length, 7)))
    return payload, payload


MODES = {"digits": digits, "capitals": capitals, "bytes": octets, "Kanji": kanji, "mixture": mixture}


def options_of(mode):
    return ["--binary"] if mode in ("bytes",) else []


for version, levels in MICRO.items():
    for level in levels:
        for mode, make in MODES.items():
            options = options_of(mode) + [f"--vers={version}"]
            if level != "-":
                options.append(f"--secure={SECURE[level]}")
            longest(f"M{version} level {level}, {mode}", "MICROQR", make, *options)
        for mask in range(4):
            payload = b"%d" % (mask + 1)
            zint(f"M{version} level {level}, mask {mask}", "MICROQR", payload, payload, f"--vers={version}",
                 f"--mask={mask}", *([f"--secure={SECURE[level]}"] if level != "-" else []))
for number, (width, height) in enumerate(RECTANGLES, start=1):
    for level in "MH":
        for mode, make in MODES.items():
            longest(f"R{height}x{width} level {level}, {mode}", "RMQR", make, *options_of(mode), f"--vers={number}",
                    f"--secure={SECURE[level]}")

zint("R level M, ECI 3", "RMQR", "Zürich".encode(), "Zürich".encode("latin-1"), "--eci=3", identifier="]Q2", ecis="3")
zint("R level M, ECI 20", "RMQR", "日本ｱｲｳabc".encode(), "日本ｱｲｳabc".encode("shift_jis"), "--eci=20",
     identifier="]Q2", ecis="20")
zint("R level M, ECI 26", "RMQR", "你好".encode(), "你好".encode(), "--eci=26", identifier="]Q2", ecis="26")
for eci in [127, 128, 16383, 16384, 999999]:
    zint(f"R level M, ECI {eci}", "RMQR", b"number", b"number", "--binary", f"--eci={eci}", identifier="]Q2",
         ecis=str(eci))
zint("R level M, GS1", "RMQR", b"[01]09501101530003[17]250101[10]ABC123", b"010950110153000317250101" b"10ABC123",
     "--gs1", identifier="]Q3")
zint("R level M, GS1 with a separator", "RMQR", b"[10]ABC123[21]XYZ", b"10ABC123\x1d21XYZ", "--gs1",
     identifier="]Q3")
zint("R level M, GS1 with percents", "RMQR", b"[10]AB%C1%%23[21]XYZ", b"10AB%C1%%23\x1d21XYZ", "--gs1",
     identifier="]Q3")
zint("R level M, GS1 with ECI", "RMQR", b"[10]abc[21]xyz", b"10abc\x1d21xyz", "--gs1", "--eci=3", identifier="]Q4",
     ecis="3")

with open("micro-qr.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
