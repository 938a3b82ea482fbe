#!/usr/bin/env python3
"""Makes maxi-code.tsv: MaxiCode symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites maxi-code.tsv. One symbol a line, fields separated
by tabs:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  index/count  width  height
    rows(hex, left-justified; the last module of every other row does not exist)

The name begins with the mode: `mode 4, ...`.
"""

import random
import subprocess
import tempfile

GENERATOR = random.Random(16023)
lines = []


def zint(name, payload, expected=None, *options, mode=4, ecis="-", append="-"):
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        # Segments can follow data of the command line only; NUL and the like can stand in a file only.
        source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
        out = subprocess.run(
            ["zint", "-b", "MAXICODE", "--dump", f"--mode={mode}", *source, *options],
            check=True, capture_output=True).stdout.decode()
    rows = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    assert len(rows) == 33 and all(len(row) == 8 for row in rows), name
    identifier = f"]U{(1 if mode in (2, 3) else 0) + (2 if ecis != '-' else 0)}"
    expected = payload if expected is None else expected
    lines.append("\t".join(
        [f"mode {mode}, {name}", identifier, expected.hex(), ecis, append, "30", "33", "".join(rows)]))


def carried(name, postal, country, service, payload, *options, mode, header=b"", year=b"", **facts):
    """A structured carrier message, whose fields are sent behind the header where there is one."""
    fields = f"{postal}\x1d{country:03}\x1d{service:03}\x1d".encode()
    primary = f"--primary={postal}{country:03}{service:03}"
    zint(name, payload, header + year + fields + payload, "--binary", primary, *options, mode=mode, **facts)


ALPHABETS = {
    "digits": b"0123456789",
    "capitals": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789",
    "small letters": b"abcdefghijklmnopqrstuvwxyz",
    "mixed case": b"ABCabcDEFdef,.-#+<>",
    "set C": bytes(range(0xC0, 0xE0)) + bytes([0xAA, 0xAC, 0xB1, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE])
             + bytes(range(0x80, 0x8A)),
    "set D": bytes(range(0xE0, 0x100)) + bytes([0xA1, 0xA8, 0xAB, 0xAF, 0xB0, 0xB4, 0xB7, 0xB8, 0xBB, 0xBF])
             + bytes(range(0x8A, 0x95)),
    "set E": bytes(range(0x20)) + bytes(range(0x95, 0xA1)) + bytes([0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA9]),
    "bytes": bytes(range(256)),
}
# zint 2.11 shifts to a set for single characters and fails to latch back from some of those runs: the lengths are those
# that fit whatever is chosen.
for mode in (4, 5, 6):
    for name, alphabet in ALPHABETS.items():
        for length in [1, 2, 3, 5, 8, 9, 10, 17, 30]:
            payload = bytes(GENERATOR.choice(alphabet) for _ in range(length))
            zint(f"{length} of {name}", payload, None, "--binary", mode=mode)
    zint("as many digits as fit", b"1234567890" * (13 if mode != 5 else 11), None, "--binary", mode=mode)
    zint("as many capitals as fit", b"QUIETZONE " * (9 if mode != 5 else 7), None, "--binary", mode=mode)
for start in range(0, 256, 16):
    zint(f"bytes {start} to {start + 15}", bytes(range(start, start + 16)), None, "--binary")
# Runs that each want a set of their own.
for index in range(40):
    payload = b"".join(
        bytes(GENERATOR.choice(alphabet) for _ in range(GENERATOR.randrange(1, 8)))
        for alphabet in GENERATOR.sample(list(ALPHABETS.values()), 4))
    zint(f"mixture {index}", payload, None, "--binary")

for index in range(12):
    postal = "".join(GENERATOR.choice("0123456789") for _ in range(9))
    carried(f"{postal}", postal, GENERATOR.randrange(1000), GENERATOR.randrange(1000), b"TO THE DOOR", mode=2)
    postal = "".join(GENERATOR.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-") for _ in range(6))
    carried(f"{postal}", postal, GENERATOR.randrange(1000), GENERATOR.randrange(1000), b"to the door", mode=3)
for mode, postal in [(2, "152382802"), (3, "B1050 ")]:
    carried("with a header", postal, 840, 1, b"1Z00004951\x1dUPSN\x1d06X610\x1d159\x1d1234567\x1d1/1\x1d\x1dY\x1d",
            "--scmvv=96", mode=mode, header=b"[)>\x1e01\x1d", year=b"96")
    carried("with ECI", postal, 56, 999, b"of a number", "--eci=26", mode=mode, ecis="26")
    carried("part 2 of 3", postal, 276, 1, b"second", "--structapp=2,3", mode=mode, append="1/3")

zint("Latin-1 by default", "Zürich".encode(), "Zürich".encode("latin-1"))
zint("ECI 3", "Zürich".encode(), "Zürich".encode("latin-1"), "--eci=3", ecis="3")
zint("ECI 7", "Привет".encode(), "Привет".encode("iso8859-5"), "--eci=7", ecis="7")
zint("ECI 20", "日本ｱｲｳabc".encode(), "日本ｱｲｳabc".encode("shift_jis"), "--eci=20", ecis="20")
zint("ECI 26", "你好, Zürich".encode(), None, "--binary", "--eci=26", ecis="26")
for eci in [31, 32, 899, 1023, 1024, 32767, 32768, 811800, 999999]:
    zint(f"ECI {eci}", b"of a number", None, "--binary", f"--eci={eci}", ecis=str(eci))
zint("two ECIs", "Zürich ".encode(), "Zürich ".encode("latin-1") + "Привет".encode("iso8859-5"),
     "--eci=3", "--seg1=7,Привет", ecis="3,7")
for index, count in [(1, 2), (2, 2), (3, 8), (8, 8)]:
    for mode in (4, 5, 6):
        text = f"Part {index} of {count}".encode()
        zint(text.decode().lower(), text, None, "--binary", f"--structapp={index},{count}", mode=mode,
             append=f"{index - 1}/{count}")

with open("maxi-code.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
