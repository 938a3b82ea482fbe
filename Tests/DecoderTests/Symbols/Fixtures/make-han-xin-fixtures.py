#!/usr/bin/env python3
"""Makes han-xin.tsv: Han Xin symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites han-xin.tsv. One symbol a line, fields separated by
tabs:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  -  width  height  rows(hex, left-justified)

The name begins with version, level and mask: `4-2-1, ...`.
"""

import random
import subprocess
import tempfile

GENERATOR = random.Random(20830)
lines = []


def zint(name, payload, expected, *options, ecis="-", identifier="]h0", version=None, level=None, mask=None):
    with tempfile.NamedTemporaryFile() as file:
        file.write(payload)
        file.flush()
        # Segments can follow data of the command line only; NUL and the like can stand in a file only.
        source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
        for option, value in [("vers", version), ("secure", level)]:
            options += (f"--{option}={value}",) if value else ()
        options += (f"--mask={mask}",) if mask is not None else ()
        out = subprocess.run(
            ["zint", "-b", "HANXIN", "--dump", *source, *options], check=True, capture_output=True).stdout.decode()
    rows = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    size = len(rows)
    assert all(len(row) == (size + 3) // 4 for row in rows), name
    name = f"{(size - 21) // 2}-{level or '*'}-{'*' if mask is None else mask}, {name}"
    lines.append("\t".join([name, identifier, expected.hex(), ecis, "-", str(size), str(size), "".join(rows)]))


def plain(name, payload, *options, **facts):
    zint(name, payload, payload, "--binary", *options, **facts)


for version in range(1, 85):
    for level in [1, 2, 3, 4] if version <= 24 else [version % 4 + 1]:
        length = version * 2 if version < 20 else version * 4
        payload = bytes(GENERATOR.choice(b"abcdefghijKLMNOP0123456789 .,-") for _ in range(length // 2 + 2))
        plain("every version", payload, version=version, level=level, mask=GENERATOR.randrange(4))
for mask in range(4):
    plain("every mask", b"Quietzone " * 6, mask=mask)

ALPHABETS = {
    "digits": b"0123456789", "letters and digits": b"ABCDabcd0123", "text": b"Abc,.-/ 12~|{[@",
    "control characters": bytes(range(28)), "bytes": bytes(range(256)),
}
for name, alphabet in ALPHABETS.items():
    for length in [1, 2, 3, 4, 7, 20, 61]:
        plain(f"{length} of {name}", bytes(GENERATOR.choice(alphabet) for _ in range(length)))
for index in range(30):
    plain(f"mixture {index}", b"".join(
        bytes(GENERATOR.choice(alphabet) for _ in range(GENERATOR.randrange(1, 14)))
        for alphabet in GENERATOR.choices(list(ALPHABETS.values()), k=4)))

REGIONS = {
    "region one": "汉信码是一种二维条码，。、", "region two": "亍丌兀丐廿卅丕亘丞", "two bytes": "丂丄丅丆丏丒丗",
    "four bytes": "㐀㐁㐂㐃", "mixed": "Han Xin 汉信码 亍丌 丂丄 㐀 2026",
}
for name, text in REGIONS.items():
    for count in [1, 2, 5, len(text)]:
        zint(f"{name}, {count}", text[:count].encode(), text[:count].encode("gb18030"), "--eci=32", ecis="32",
             identifier="]h1")
    # So few of the mixed ones are Chinese that all are bytes.
    zint(f"{name}, no ECI", text.encode(), text.encode("gb18030"), ecis="-" if name == "mixed" else "32")
for first, second in [("region one", "region two"), ("region two", "region one"), ("two bytes", "four bytes")]:
    text = REGIONS[first] + REGIONS[second] + REGIONS[first]
    zint(f"{first} and {second}", text.encode(), text.encode("gb18030"), "--eci=32", ecis="32", identifier="]h1")

zint("Latin-1 by default", "Zürich".encode(), "Zürich".encode("latin-1"))
for eci, text, name in [(3, "Zürich", "latin-1"), (7, "Привет", "iso8859-5"), (20, "日本ｱｲｳ", "shift_jis"),
                        (26, "你好, Zürich", "utf-8")]:
    zint(f"ECI {eci}", text.encode(), text.encode(name), f"--eci={eci}", ecis=str(eci), identifier="]h1")
for eci in [127, 128, 899, 16383, 16384, 811799, 999999]:
    plain(f"ECI {eci}", b"of a number", f"--eci={eci}", ecis=str(eci), identifier="]h1")
zint("two ECIs", "Zürich ".encode(), "Zürich ".encode("latin-1") + "Привет".encode("iso8859-5"),
     "--eci=3", "--seg1=7,Привет", ecis="3,7", identifier="]h1")

with open("han-xin.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
