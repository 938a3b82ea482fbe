#!/usr/bin/env python3
"""Makes qr.tsv: QR symbols of two independent encoders, and what a decoder must find in them.

Needs qrencode 4.1 and zint 2.11 (Debian 12). Run it in this folder; it overwrites qr.tsv. One symbol a line,
fields separated by tabs:

    name  identifier  bytes(hex)  ECI of each segment, runs joined  index/count/parity  width  height
    rows(hex, left-justified)
"""

import subprocess
import tempfile

lines = []


def emit(name, identifier, payload, ecis, append, rows):
    size = len(rows)
    assert all(len(row) == size for row in rows), name
    width = (size + 3) // 4 * 4
    packed = ["%0*x" % (width // 4, int("".join(row) + "0" * (width - size), 2)) for row in rows]
    lines.append("\t".join([name, identifier, payload.hex(), ecis, append, str(size), str(size), "".join(packed)]))


def qrencode(name, payload, *options, identifier="]Q1"):
    out = subprocess.run(
        ["qrencode", "-o", "-", "-t", "ASCII", "-m", "0", *options],
        input=payload, check=True, capture_output=True).stdout.decode()
    rows = [["1" if line[x] == "#" else "0" for x in range(0, len(line), 2)] for line in out.splitlines() if line]
    emit("qrencode " + name, identifier, payload, "-", "-", rows)


def zint(name, payload, expected, *options, identifier="]Q1", ecis="-", append="-"):
    file = tempfile.NamedTemporaryFile()
    file.write(payload)
    file.flush()
    # Segments can follow data of the command line only; NUL and the like can stand in a file only.
    source = ["-d", payload] if any(option.startswith("--seg") for option in options) else ["-i", file.name]
    out = subprocess.run(
        ["zint", "-b", "QRCODE", "--dump", *source, *options], check=True, capture_output=True).stdout.decode()
    file.close()
    hexes = [line.replace(" ", "") for line in out.splitlines() if line.strip()]
    size = len(hexes)
    rows = [list(bin(int("1" + row, 16))[3:][:size]) for row in hexes]
    emit("zint " + name, identifier, expected, ecis, append, rows)


texts = {
    "Zürich": ["utf-8", "latin-1"],
    "你好": ["utf-8", "gb18030", "shift_jis"],
    "Привет": ["utf-8", "iso8859-5", "windows-1251"],
    "ｱｲｳｴｵ": ["utf-8", "shift_jis"],
    "日本語テスト": ["utf-8", "shift_jis", "euc_jp"],
    "𠮷野家": ["utf-8", "gb18030"],
}
for text, charsets in texts.items():
    for charset in charsets:
        if text == "你好" and charset == "shift_jis":
            continue
        raw = text.encode(charset)
        qrencode(f"{text} as {charset}", raw, "-8")
        zint(f"{text} as {charset}", raw, raw, "--binary")
qrencode("日本語 in kanji mode", "日本語テスト".encode("shift_jis"), "-k")
qrencode("mixed kanji, digits and bytes", "漢字12345678ABCDabcdカナ".encode("shift_jis"), "-k", "-l", "Q")
zint("日本語 in kanji mode", "日本語テスト".encode(), "日本語テスト".encode("shift_jis"))
zint("ECI 3", "Zürich".encode(), "Zürich".encode("latin-1"), "--eci=3", identifier="]Q2", ecis="3")
zint("ECI 7", "Привет".encode(), "Привет".encode("iso8859-5"), "--eci=7", identifier="]Q2", ecis="7")
zint("ECI 20", "日本ｱｲｳabc".encode(), "日本ｱｲｳabc".encode("shift_jis"), "--eci=20", identifier="]Q2", ecis="20")
zint("ECI 26", "你好, Zürich".encode(), "你好, Zürich".encode(), "--eci=26", identifier="]Q2", ecis="26")
zint("ECI 29", "你好".encode(), "你好".encode("gb2312"), "--eci=29", identifier="]Q2", ecis="29")
zint("ECI 899", bytes(range(256)), bytes(range(256)), "--binary", "--eci=899", identifier="]Q2", ecis="899")
zint("ECI 16383", b"two bytes", b"two bytes", "--binary", "--eci=16383", identifier="]Q2", ecis="16383")
zint("ECI 811800", b"three bytes", b"three bytes", "--binary", "--eci=811800", identifier="]Q2", ecis="811800")
zint("two ECIs", "Zürich ".encode(), "Zürich ".encode("latin-1") + "Привет".encode("iso8859-5"),
     "--eci=3", "--seg1=7,Привет", identifier="]Q2", ecis="3,7")
zint("all byte values", bytes(range(256)), bytes(range(256)), "--binary")
zint("embedded NUL", b"a\0b\0\0c", b"a\0b\0\0c", "--binary")
qrencode("embedded NUL", b"a\0b\0\0c", "-8")
zint("SO and SI", b"\x0e\x0f\x0e\x0f", b"\x0e\x0f\x0e\x0f", "--binary")
for length in range(1, 12):
    digits = b"98765432109"[:length]
    qrencode(f"{length} digits", digits)
    zint(f"{length} digits", digits, digits)
    letters = b"A-B C:D/E$%"[:length]
    qrencode(f"{length} alphanumeric", letters)
    zint(f"{length} alphanumeric", letters, letters)
zint("GS1", b"[01]09501101530003[17]250101[10]ABC123", b"010950110153000317250101" b"10ABC123",
     "--gs1", identifier="]Q3")
zint("GS1 with a separator in capitals", b"[10]ABC123[21]XYZ", b"10ABC123\x1d21XYZ", "--gs1", identifier="]Q3")
zint("GS1 with a separator in bytes", b"[10]abc123[21]xyz", b"10abc123\x1d21xyz", "--gs1", identifier="]Q3")
zint("GS1 with percent", b"[10]ABC%123[21]50%", b"10ABC%123\x1d2150%", "--gs1", identifier="]Q3")
zint("GS1 with ECI", "[10]abc[21]xyz".encode(), b"10abc\x1d21xyz", "--gs1", "--eci=3", identifier="]Q4", ecis="3")
for index, count, parity in [(1, 2, 0), (2, 2, 77), (3, 16, 255), (16, 16, 200)]:
    text = f"part {index} of {count}".encode()
    zint(text.decode(), text, text, "--binary", f"--structapp={index},{count},{parity}",
         append=f"{index - 1}/{count}/{parity}")
for mask in range(8):
    zint(f"mask {mask}", b"masked by choice", b"masked by choice", f"--mask={mask}")
for version in range(1, 41):
    for level in "LMQH":
        text = f"V{version}{level}".encode()
        qrencode(f"version {version} level {level}", text, "-v", str(version), "-l", level)
for version in (1, 7, 14, 21, 27, 32, 40):
    for level in "1234":
        text = b"0123456789" * (version // 2 + 1)
        zint(f"version {version} level {'LMQH'[int(level) - 1]}", text, text, f"--vers={version}", f"--secure={level}")

with open("qr.tsv", "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
print(len(lines), "symbols")
