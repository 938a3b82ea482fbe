#!/usr/bin/env python3
"""Makes dot-code.tsv: DotCode symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites dot-code.tsv. One symbol a line, fields separated by
tabs:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  append  width  height  rows(hex, left-justified)
"""

import random
import subprocess
import tempfile

GENERATOR = random.Random(115)
lines = []


def zint(name, payload, *options, expected=None, identifier="]J0", ecis="-", append="-"):
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
        command = ["zint", "-b", "DOTCODE", "--dump", *source, *options]
        out = subprocess.run(command, check=True, capture_output=True).stdout.decode()
        draw = [*command[:3], "--direct", "--filetype=svg", "--scale=0.5", *source, *options]
        svg = subprocess.run(draw, check=True, capture_output=True).stdout.decode()
    rows = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    # The dump is in whole nibbles; the picture tells the width.
    width = int(float(svg.split('<svg width="')[1].split('"')[0]))
    assert (width + 3) // 4 == len(rows[0]), (name, width, len(rows[0]))
    expected = payload if expected is None else expected
    lines.append("\t".join([name, identifier, expected.hex(), ecis, append, str(width), str(len(rows)), "".join(rows)]))


def plain(name, payload, *options, **facts):
    zint(name, payload, "--binary", *options, **facts)


ALPHABETS = {
    "digits": b"0123456789", "letters": b"ABCDEFGHabcdefgh", "capitals and control characters": b"ABC\r\n\x01\x02",
    "text with breaks": b"Abc,.-/ 12~|{[@\t\x1c\x1e", "bytes": bytes(range(256)), "upper half": bytes(range(128, 256)),
    "upper half and digits": bytes(range(128, 256)) + b"0123456789" * 12,
}
for name, alphabet in ALPHABETS.items():
    for length in [1, 2, 3, 5, 8, 13, 40, 120]:
        payload = bytes(GENERATOR.choice(alphabet) for _ in range(length))
        # This version of zint leaves out the FNC1 that would say of two digits that they are no GS1 message.
        plain(f"{length} of {name}", payload, identifier="]J1" if length == 2 and payload.isdigit() else "]J0")
for index in range(40):
    plain(f"mixture {index}", b"".join(
        bytes(GENERATOR.choice(alphabet) for _ in range(GENERATOR.randrange(1, 14)))
        for alphabet in GENERATOR.choices(list(ALPHABETS.values()), k=4)))
for columns in [7, 12, 15, 20, 33, 60, 101]:
    plain(f"{columns} columns", b"Quietzone 2026, made of dots", f"--cols={columns}")
for mask in range(4):
    plain(f"mask {mask}", b"Quietzone 2026", f"--mask={mask}")
for lines_of_text in [b"a\r\nb\r\nc", b"\tab", b"[)>\x1e05\x1dABC\x1e\x04", b"[)>\x1e06\x1dABC123\x1e\x04",
                      b"[)>\x1e12\x1dABCDE\x1e\x04", b"[)>\x1e07ABC\x04"]:
    plain("breaks and macros", lines_of_text)
for message in ["[01]09501101530003", "[01]09501101530003[17]271231[10]LOT42[21]A1b2", "[01]09501101530003[10]ABC[37]5"]:
    data = message.encode()
    # Fields of variable length end with GS.
    expected = b"".join(
        part for part in [message.replace("[01]", "01").replace("[17]", "17").replace("[10]LOT42[", "10LOT42\x1d[")
                          .replace("[10]ABC[", "10ABC\x1d[").replace("[10]", "10").replace("[21]", "21")
                          .replace("[37]", "37").encode()])
    zint("GS1", data, "--gs1", expected=expected, identifier="]J1")
for eci, text, name in [(3, "Zürich", "latin-1"), (7, "Привет", "iso8859-5"), (20, "日本ｱｲｳ", "shift_jis"),
                        (26, "你好, Zürich", "utf-8")]:
    zint(f"ECI {eci}", text.encode(), f"--eci={eci}", expected=text.encode(name), ecis=str(eci), identifier="]J3")
for eci in [39, 40, 113, 899, 16383, 811799]:
    plain(f"ECI {eci}", b"of a number", f"--eci={eci}", ecis=str(eci), identifier="]J3")
zint("two ECIs", "Zürich ".encode(), "--eci=3", "--seg1=7,Привет",
     expected="Zürich ".encode("latin-1") + "Привет".encode("iso8859-5"), ecis="3,7", identifier="]J3")
zint("two ECIs in bytes", "üüüü".encode(), "--eci=3", "--seg1=7,Привет",
     expected="üüüü".encode("latin-1") + "Привет".encode("iso8859-5"), ecis="3,7", identifier="]J3")
for index, count in [(1, 2), (2, 2), (9, 35), (35, 35), (10, 12)]:
    plain("structured append", b"Part of a message", f"--structapp={index},{count}",
          append=f"{index - 1}/{count}/0")
    plain("structured append, digits", b"1234567890", f"--structapp={index},{count}", append=f"{index - 1}/{count}/0")
    plain("structured append, bytes", bytes(range(200, 230)), f"--structapp={index},{count}",
          append=f"{index - 1}/{count}/0")
plain("reader programming", b"Setup", "--init")

with open("dot-code.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
