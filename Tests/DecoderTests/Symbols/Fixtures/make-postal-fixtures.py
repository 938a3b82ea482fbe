#!/usr/bin/env python3
"""Makes postal.tsv: postal symbols of another encoder, and what a decoder must find in them.

Needs zint 2.11 (Debian 12). Run it in this folder; it overwrites postal.tsv. One symbol a line, fields separated by tabs:

    format  message  states of the bars: 0 full, 1 ascender, 2 descender, 3 track
"""

import random
import subprocess

GENERATOR = random.Random(4)
lines = []


def zint(kind, name, data, message=None):
    out = subprocess.run(["zint", "-b", kind, "--dump", "-d", data], check=True, capture_output=True).stdout.decode()
    rows = [bin(int("1" + line.replace(" ", ""), 16))[3:] for line in out.splitlines() if line.strip()]
    upper, track = rows[0], rows[1]
    lower = rows[2] if len(rows) > 2 else "0" * len(track)
    states = "".join(
        str((0 if lower[place] == "1" else 1) + (0 if upper[place] == "1" else 2))
        for place in range(0, len(track), 2) if track[place] == "1")
    lines.append("\t".join([name, message if message is not None else data, states]))


def digits(count):
    return "".join(GENERATOR.choice("0123456789") for _ in range(count))


def letters(count, alphabet="0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
    return "".join(GENERATOR.choice(alphabet) for _ in range(count))


for count in [0, 5, 9, 11]:
    for _ in range(4):
        tracking = digits(1) + GENERATOR.choice("01234") + digits(18)
        routing = digits(count)
        zint("USPS_IMAIL", "usps_imail", tracking + ("-" + routing if routing else ""), tracking + routing)
for routing in ["00000", "99999", "000000000", "999999999", "00000000000", "99999999999"]:
    zint("USPS_IMAIL", "usps_imail", "0" * 20 + "-" + routing, "0" * 20 + routing)
for count in [5, 9, 11]:
    for _ in range(3):
        zint("POSTNET", "postnet", digits(count))
for count in [11, 13]:
    for _ in range(3):
        zint("PLANET", "planet", digits(count))
for count in [5, 6, 7, 8, 9, 12, 20]:
    zint("RM4SCC", "royal_mail", letters(count))
for count in [1, 2, 4, 6, 9, 12]:
    zint("KIX", "kix", GENERATOR.choice("123456789") + digits(3) + letters(2, "ABCDEFGHJKLMNPRSTVWXZ") + digits(1)
         + letters(count - 1))
for _ in range(4):
    point = digits(8)
    zint("AUSPOST", "australia_post", point, "11" + point)
for kind, code in [("AUSREPLY", "45"), ("AUSROUTE", "87"), ("AUSREDIRECT", "92")]:
    point = digits(8)
    zint(kind, "australia_post", point, code + point)
for text, code in [("12345678", "59"), ("90909090", "59"), ("12345", "59"), ("ABCDE", "59"), ("z b#a", "59"),
                   ("ABCDEFGHIJ", "62"), ("Quietzone#", "62"), ("123456789012345", "62"), ("AB12cd 34#", "62")]:
    point = digits(8)
    zint("AUSPOST", "australia_post", point + text, code + point + text)
    # What the customer added is digits or letters, and where it can be both it is given as bars: all groups of three bars
    # are letters, and pairs are digits without a track, but for the nine.
    name, message, states = lines[-1].split("\t")
    bars = states[22:-14].rstrip("3")
    pairs = [(bars + "3")[place:place + 2] for place in range(0, len(bars), 2)]
    may_be_digits = all("3" not in pair or pair == "30" for pair in pairs)
    may_be_letters = -(-len(bars) // 3) * 3 <= len(states[22:-14])
    if may_be_digits and may_be_letters:
        lines[-1] = "\t".join([name, code + point + bars, states])
for text in ["1540023", "15400233-17-2-203", "6540123789-A-K-Z", "123-4567A12", "0000000"]:
    zint("JAPANPOST", "japan_post", text)

with open("postal.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
