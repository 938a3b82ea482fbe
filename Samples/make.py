#!/usr/bin/env python3
"""Makes the pictures of this folder, and expected.json, which says what they hold.

usage: make.py [--check]

Needs zint, qrencode and ImageMagick (convert). The pictures are committed: run this only to add or change one.
Nothing is left to chance, so that a run on the same versions of the tools changes no byte. With --check nothing
is written here: the pictures are made elsewhere and compared, byte for byte.
"""
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# One thread: ImageMagick's noise depends on how rows fall to threads, whatever the seed.
ENVIRONMENT = dict(os.environ, MAGICK_THREAD_LIMIT="1", LC_ALL="C.UTF-8", SOURCE_DATE_EPOCH="0")
# What ImageMagick would write about itself and the clock.
PLAIN = ["+set", "date:create", "+set", "date:modify", "-strip", "-define", "png:exclude-chunks=date,time"]
FONT = "DejaVu-Sans"

expected = []


# ---- the tools

def run(*command, data=None):
    subprocess.run([str(c) for c in command], input=data, env=ENVIRONMENT, check=True)


def zint(file, kind, text, *options):
    """A symbol by zint; `kind` is zint's name for the symbology."""
    run("zint", "-b", kind, "--quietzones", *options, "-o", file, "-d", text)


def qr(file, content, *options):
    """A QR Code by qrencode, in byte mode unless an option says otherwise, with no ECI."""
    mode = [] if any(o in ("-k", "--kanji", "--mixed") for o in options) else ["-8"]
    run("qrencode", *mode, *[o for o in options if o != "--mixed"], "-o", file, "-r", "/dev/stdin", data=content)


def magick(*arguments):
    """ImageMagick; the last argument is the file to write."""
    run("convert", *arguments[:-1], *PLAIN, arguments[-1])


def holds(file, *symbols):
    """Writes down what a picture holds."""
    expected.append({"file": file, "symbols": list(symbols)})


def symbol(kind, text, **more):
    return {"format": kind, "text": text, **more}


def exact(data):
    return {"bytesBase64": base64.b64encode(data).decode()}


# ---- one linear symbol a picture

def linear():
    def one(file, kind, name, data, text=None, *options, **more):
        zint(file, kind, data, *options)
        holds(file, symbol(name, data if text is None else text, **more))

    two = ("--scale", "2")
    one("ean13.png", "EANX", "ean_13", "4006381333931")
    one("ean13-addon2.png", "EANX", "ean_13", "9771234567003+05", "9771234567003", *two, addOn="05")
    one("ean13-addon5.png", "EANX", "ean_13", "9780306406157+54495", "9780306406157", *two, addOn="54495")
    one("isbn.png", "ISBNX", "ean_13", "9783161484100", "9783161484100", *two)
    one("ean8.png", "EANX", "ean_8", "9638507", "96385074")
    one("upca.png", "UPCA", "upc_a", "036000291452")
    one("upca-addon5.png", "UPCA", "upc_a", "036000291452+12345", "036000291452", *two, addOn="12345")
    one("upce.png", "UPCE", "upc_e", "0425261", "042100005264", *two)
    one("code128.png", "CODE128", "code_128", "Quietzone 128")
    one("code93.png", "CODE93", "code_93", "QUIETZONE 93")
    one("code39.png", "CODE39", "code_39", "QUIETZONE-39")
    # Code 39 in full ASCII stands for small letters by pairs, Code 32 for nine digits by six characters.
    one("code39-extended.png", "EXCODE39", "code_39_extended", "Quietzone 39", None, *two)
    one("code32.png", "CODE32", "code_32", "12345678", "A123456788", *two)
    one("telepen.png", "TELEPEN", "telepen", "Telepen 42", None, *two)
    one("telepen-numeric.png", "TELEPEN_NUM", "telepen_numeric", "0123456789", None, *two)
    one("codabar.png", "CODABAR", "codabar", "A1234567B")
    one("itf.png", "C25INTER", "itf", "1234567890", None, *two)
    one("itf14.png", "ITF14", "itf", "1540014128876", "15400141288763", *two)
    # In GS1 symbols square brackets mark the application identifiers; 0x1D ends a field of variable length.
    one("gs1-128.png", "GS1_128", "code_128", "[01]09501101530003[10]LOT42[21]7F3",
        "010950110153000310LOT42\x1d217F3", *two)
    one("databar.png", "DBAR_OMN", "databar", "0950110153000", "0109501101530003", *two)
    one("databar-stacked.png", "DBAR_STK", "databar", "0950110153000", "0109501101530003", "--scale", "4")
    one("databar-stacked-omni.png", "DBAR_OMNSTK", "databar", "0950110153000", "0109501101530003", *two)
    one("databar-limited.png", "DBAR_LTD", "databar_limited", "0950110153000", "0109501101530003", *two)
    weight = "[01]90012345678908[3103]001750"
    one("databar-expanded.png", "DBAR_EXP", "databar_expanded", weight, "01900123456789083103001750", *two)
    one("databar-expanded-stacked.png", "DBAR_EXPSTK", "databar_expanded",
        "[01]09501101530003[17]270630[10]AB123", "01095011015300031727063010AB123", *two, "--cols=4")
    one("pdf417.png", "PDF417", "pdf417", "Quietzone PDF417", None, *two)
    one("composite.png", "EANX_CC", "ean_13", "[17]270630[10]AB123", "3312345678903", *two, "--vwhitesp=4",
        "--primary=331234567890", composite="1727063010AB123")
    one("micro-pdf417.png", "MICROPDF417", "micro_pdf417", "Quietzone MicroPDF417", None, *two, "--cols=2")


# ---- the edge of a film, which no program here makes

def film_edge():
    """Draws the code of product 36, generation 2, frame 20A: the data track above the clock track."""
    data = f"0{36:07b}0{2:04b}{20:06b}10"
    data = "10101" + data + str(data.count("1") % 2) + "0" + "101"
    clock = "1" * 5 + "01" * 11 + "0" + "1" * 3
    assert len(data) == len(clock) == 31
    rows = [data] * 3 + [clock] * 3
    run("convert", "pbm:-", "-scale", "400%", "-bordercolor", "white", "-border", "32", *PLAIN, "film-edge.png",
        data=("P1 31 6\n" + "\n".join(" ".join(row) for row in rows) + "\n").encode())
    holds("film-edge.png", symbol("dx_film_edge", "36-2/20A"))


# ---- QR

def qr_codes():
    def one(file, content, *options, text=None, **more):
        qr(file, content, *options)
        holds(file, symbol("qr_code", content.decode() if text is None else text, **more))

    def eci(file, number, text, charset):
        zint(file, "QRCODE", text, f"--eci={number}", "--scale", "2")
        holds(file, symbol("qr_code", text, **exact(text.encode(charset))))

    one("qr.png", b"https://example.org/quietzone", "-s", "4")
    one("qr-digits.png", b"31415926535897932384626433832795", "-s", "4", "--mixed")
    one("qr-version40.png", bytes(33 + i * 7 % 90 for i in range(2900)), "-s", "3", "-l", "L")

    chinese = "条码与二维码：你好，世界"
    one("qr-utf8.png", chinese.encode(), "-s", "4", **exact(chinese.encode()))
    one("qr-gb18030.png", chinese.encode("gb18030"), "-s", "4", text=chinese, **exact(chinese.encode("gb18030")))
    one("qr-umlaut.png", "Zürich, Привет".encode(), "-s", "4", **exact("Zürich, Привет".encode()))
    kanji = "日本語の漢字"
    one("qr-kanji.png", kanji.encode("shift_jis"), "-k", "-s", "4", text=kanji, **exact(kanji.encode("shift_jis")))
    eci("qr-eci-utf8.png", 26, "你好 Zürich", "utf-8")
    eci("qr-eci-latin1.png", 3, "Zürich Genève", "latin-1")
    eci("qr-eci-latin9.png", 17, "Preis: 5 €", "iso8859-15")
    eci("qr-eci-sjis.png", 20, "ﾊﾝｶｸｶﾅ", "shift_jis")

    # Every byte value, NUL among them. It is no text: a reader may show it in any way, the bytes count.
    every = bytes(range(256))
    one("qr-binary.png", every, "-s", "3", text=every.decode("latin-1"), **exact(every))

    # A visible digital seal: the specimen of the German authorities for an address on an identity card, signed with the
    # key of seal-keys/.
    seal = bytes.fromhex(
        "DC03D9C56D32C8A72CB16ECF476ECF47F9080106CF3519AF974C02061A70208519A1030E395E463E740C749FAD19D31E"
        "FE32FF388F16D14E828A86E0F8E31DDF13CC2CB3E0D8F5E4706562C9503D7326AD6C0FA84154607D70975E5B7DFB2E36"
        "197988ECE64345D37AD9B97C"
    )
    one("seal.png", seal, "-s", "4", text=seal.decode("latin-1"), **exact(seal))

    # One message over two symbols: each is a picture, and both stand in a third.
    halves = ["The first of two halves,", " the second."]
    run("qrencode", "-8", "-S", "-v", "2", "-l", "M", "-s", "4", "-o", "qr-append.png", "".join(halves))
    parts = sorted(f for f in os.listdir(".") if f.startswith("qr-append-"))
    assert parts == ["qr-append-01.png", "qr-append-02.png"], parts
    places = [symbol("qr_code", half, structuredAppend={"index": i, "count": 2}) for i, half in enumerate(halves)]
    for file, place in zip(parts, places):
        holds(file, place)
    magick(*parts, "-bordercolor", "white", "-border", "16", "+append", "qr-append-both.png")
    holds("qr-append-both.png", *places)


# ---- Aztec

def aztec():
    def one(file, text, *options, kind="AZTEC", **more):
        zint(file, kind, text, "--scale", "2", *options)
        holds(file, symbol("aztec", text, **more))

    one("aztec.png", "https://example.org/quietzone")
    one("aztec-full.png", "A boarding pass of a fair length, from here to there and back again. " * 6)
    one("aztec-rune.png", "025", kind="AZRUNE")


# ---- Data Matrix

def data_matrix():
    def one(file, data, text, *options):
        zint(file, "DATAMATRIX", data, "--scale", "2", *options)
        holds(file, symbol("data_matrix", text))

    one("data-matrix.png", "Quietzone Data Matrix", "Quietzone Data Matrix")
    one("data-matrix-gs1.png", "[01]09501101530003[17]270630[10]AB123[21]7F3", "01095011015300031727063010AB123\x1d217F3",
        "--gs1")
    # Size 28 is 16 by 36 modules.
    one("data-matrix-rectangle.png", "https://example.org/qz", "https://example.org/qz", "--vers=28")
    magick("data-matrix-gs1.png", "-bordercolor", "white", "-border", "20", "-scale", "200%", "-background", "white",
           "-rotate", "24", "-colorspace", "gray", "-negate", "data-matrix-inverted.png")
    holds("data-matrix-inverted.png", symbol("data_matrix", "01095011015300031727063010AB123\x1d217F3"))


# ---- Micro QR and rMQR

def micro_qr_codes():
    def one(file, kind, name, text, *options, **more):
        zint(file, kind, text, "--scale", "2", *options)
        holds(file, symbol(name, text, **more))

    one("micro-qr.png", "MICROQR", "micro_qr_code", "LOT 0815-27", "--vers=4")
    one("micro-qr-m1.png", "MICROQR", "micro_qr_code", "31415", "--vers=1")
    one("rmqr.png", "RMQR", "rmqr_code", "https://example.org/quietzone", "--vers=13")


# ---- other matrix symbols

def maxi_code():
    header, rest = "[)>\x1e01\x1d96", "1Z00004951\x1dUPSN\x1d06X610\x1d159\x1d1234567\x1d1/1\x1d\x1dY\x1d"
    zint("maxi.png", "MAXICODE", rest, "--mode=2", "--primary=152382802840001", "--scmvv=96", "--scale", "0.7")
    magick("maxi.png", "-rotate", "15", "-colorspace", "Gray", "maxicode-rotated15.png")
    os.remove("maxi.png")
    holds("maxicode-rotated15.png", symbol("maxi_code", f"{header}152382802\x1d840\x1d001\x1d{rest}"))

    zint("han-xin.png", "HANXIN", "汉信码 Quietzone 2026", "--eci=32", "--secure=2")
    magick("han-xin.png", "-bordercolor", "white", "-border", "12", "-colorspace", "Gray", "han-xin.png")
    # Read by choice.
    holds("han-xin.png")

    zint("dot-code.png", "DOTCODE", "[01]09501101530003[17]271231[10]LOT42", "--gs1", "--scale", "3")
    magick("dot-code.png", "-bordercolor", "white", "-border", "18", "-colorspace", "Gray", "dot-code.png")
    holds("dot-code.png")

    zint("intelligent-mail.png", "USPS_IMAIL", "01234567094987654321-01234567891", "--scale", "2")
    holds("intelligent-mail.png")


# ---- SQ Code, which no program here makes

def sq_code():
    """Draws an SQ Code by the rules that zbar reads it by.

    A square of cells: a border of dots, every second cell, then two blank cells, then the bits, a dark cell for a one.
    The dots count from the top left corner along the top and the left side, and from the bottom right corner along
    the other two. Where the two counts meet, top right and bottom left, stand two cells that touch by a corner.
    """
    message = b"An SQ Code holds bytes, not text"
    inner = 16
    side = inner + 6
    last = side - 1
    dark = set()
    for i in range(0, side - 3, 2):
        dark |= {(i, 0), (0, i), (last - i, last), (last, last - i)}
    for x, y in [(last - 1, 0), (0, last - 1)]:
        dark |= {(x, y), (x + 1, y + 1)}
    for i in range(inner * inner):
        if message[i // 8] >> (7 - i % 8) & 1:
            dark.add((3 + i % inner, 3 + i // inner))
    rows = [" ".join("01"[(x, y) in dark] for x in range(side)) for y in range(side)]
    magick_input = f"P1 {side} {side}\n" + "\n".join(rows) + "\n"
    run("convert", "pbm:-", "-scale", "800%", "-bordercolor", "white", "-border", "32", *PLAIN, "sq.png",
        data=magick_input.encode())
    # zbar hands out the bytes as base64, and nothing else: that is what it reads.
    holds("sq.png", symbol("sq_code", base64.b64encode(message).decode()))


# ---- turned, inverted, mirrored

def turned():
    def one(file, source, *change, name, text):
        magick(source, "-background", "white", *change, file)
        holds(file, symbol(name, text))

    text = "https://example.org/quietzone"
    one("qr-inverted.png", "qr.png", "-negate", name="qr_code", text=text)
    one("qr-rotated37.png", "qr.png", "-scale", "150%", "-rotate", "37", "-colorspace", "Gray", name="qr_code", text=text)
    one("qr-mirrored.png", "qr.png", "-flop", name="qr_code", text=text)
    one("code128-rotated90.png", "code128.png", "-rotate", "90", name="code_128", text="Quietzone 128")
    one("ean13-rotated180.png", "ean13.png", "-rotate", "180", name="ean_13", text="4006381333931")


# ---- formats of picture files

def formats():
    text = "https://example.org/quietzone"

    def one(file, *change, source="qr.png", name="qr_code", content=text):
        magick(source, *change, file)
        holds(file, symbol(name, content))

    one("qr-colour.jpg", "+level-colors", "navy,lemonchiffon", "-scale", "200%", "-sampling-factor", "4:2:0", "-quality", "85")
    one("ean13-progressive.jpg", "-scale", "200%", "-colorspace", "Gray", "-interlace", "Plane", "-quality", "80",
        source="ean13.png", name="ean_13", content="4006381333931")
    one("qr-cmyk.jpg", "-scale", "200%", "-colorspace", "CMYK", "-quality", "85")
    one("qr-lossy.webp", "-scale", "200%", "-quality", "60")
    one("code128-lossless.webp", "-define", "webp:lossless=true",
        source="code128.png", name="code_128", content="Quietzone 128")
    one("ean8.pgm", "-colorspace", "Gray", "-depth", "8", source="ean8.png", name="ean_8", content="96385074")
    one("qr.pbm", "-monochrome")
    os.rename("qr.pbm", "qr-bits.pbm")
    expected[-1]["file"] = "qr-bits.pbm"
    one("qr-interlaced.png", "-interlace", "PNG")
    one("qr-transparent.png", "-transparent", "white", "-define", "png:color-type=6")
    one("qr-grey16.png", "-colorspace", "Gray", "-depth", "16", "-define", "png:bit-depth=16", "-define", "png:color-type=0")

    # A phone held upright stores its picture lying on its side and says so: 6 is "turn me 90 degrees clockwise".
    magick("code128.png", "-rotate", "-90", "-scale", "200%", "-colorspace", "Gray", "-quality", "85", "upright.jpg")
    with open("upright.jpg", "rb") as f:
        jpeg = f.read()
    os.remove("upright.jpg")
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    app1 = b"Exif\0\0" + tiff
    with open("code128-exif6.jpg", "wb") as f:
        f.write(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(app1) + 2) + app1 + jpeg[2:])
    holds("code128-exif6.jpg", symbol("code_128", "Quietzone 128"))


# ---- several symbols in one picture

def pages():
    zint("a.png", "EANX", "4006381333931")
    zint("b.png", "CODE128", "ORDER-2024-0815")
    zint("c.png", "CODE39", "SHELF-17")
    zint("d.png", "C25INTER", "00340123456789")
    qr("e.png", b"https://example.org/order/0815", "-s", "4")
    magick(
        "-size", "900x1200", "xc:white", "-font", FONT, "-fill", "black",
        "-pointsize", "36", "-annotate", "+60+90", "Order 2024-0815",
        "-pointsize", "20", "-annotate", "+60+190", "Order number", "-annotate", "+60+420", "3 x pencils, box of 12",
        "-annotate", "+60+640", "Shelf", "-annotate", "+60+860", "Parcel",
        "-draw", "line 60,120 840,120 line 60,370 840,370 line 60,590 840,590 line 60,810 840,810",
        "b.png", "-geometry", "+320+150", "-composite", "a.png", "-geometry", "+480+400", "-composite",
        "c.png", "-geometry", "+320+620", "-composite", "d.png", "-geometry", "+320+840", "-composite",
        "e.png", "-geometry", "+60+980", "-composite", "-colorspace", "Gray", "-colors", "16", "order-form.png")
    holds("order-form.png", symbol("code_128", "ORDER-2024-0815"), symbol("ean_13", "4006381333931"),
          symbol("code_39", "SHELF-17"), symbol("itf", "00340123456789"),
          symbol("qr_code", "https://example.org/order/0815"))

    tiles = []
    for number in range(1, 13):
        qr(f"t{number}.png", f"ASSET-{number:04d}".encode(), "-s", "3")
        tiles += [f"t{number}.png"]
    rows = []
    for row in range(3):
        rows += ["(", *tiles[row * 4:row * 4 + 4], "-bordercolor", "white", "-border", "12", "+append", ")"]
    magick(*rows, "-append", "qr-sheet.png")
    holds("qr-sheet.png", *[symbol("qr_code", f"ASSET-{n:04d}") for n in range(1, 13)])

    magick("-size", "640x480", "gradient:#d8d0c0-#706858", "-seed", "7", "-attenuate", "0.3", "+noise", "Gaussian",
           "-font", FONT, "-pointsize", "40", "-fill", "#303030", "-gravity", "Center", "-annotate", "0", "No code here",
           "-quality", "60", "no-code.jpg")
    holds("no-code.jpg")
    for file in ["a.png", "b.png", "c.png", "d.png", "e.png", *tiles]:
        os.remove(file)


# ---- a photo: 12 megapixels, slanted, unevenly lit, noisy, slightly blurred

def photo():
    qr("a.png", b"PATIENT 0042-7781; WARD 3", "-s", "14", "-l", "M")
    zint("b.png", "CODE128", "0042-7781", "--scale", "4", "--height", "50", "--notext")
    # The wristband, flat.
    magick("-size", "1800x620", "xc:#f4f2ec", "-font", FONT, "-fill", "#202020",
           "-pointsize", "64", "-annotate", "+620+110", "Jane Example", "-pointsize", "44", "-annotate", "+620+190", "Ward 3",
           "a.png", "-geometry", "+70+70", "-composite", "b.png", "-geometry", "+620+250", "-composite",
           "-bordercolor", "#b8c8d8", "-border", "24", "band.png")
    # Laid on a table by a perspective, lit from the upper left, then the camera's blur and noise. The noise is made
    # at half size, as a phone's own smoothing leaves it, and added: 128 is "no change".
    magick("-size", "4000x3000", "gradient:#9a8a74-#5c5244",
           "(", "band.png", "-alpha", "set", "-virtual-pixel", "transparent",
           "+distort", "Perspective", "0,0 960,1010  1848,0 2900,760  1848,668 3080,1560  0,668 860,1830", ")",
           "-flatten",
           "(", "-size", "4000x3000", "radial-gradient:white-#787878", "-distort", "SRT", "1400,1100 1.3 0 2000,1500", ")",
           "-compose", "Multiply", "-composite", "-compose", "Over", "-gaussian-blur", "0x1.6",
           "(", "-size", "2000x1500", "xc:gray50", "-seed", "12", "-attenuate", "0.15", "+noise", "Gaussian",
           "-resize", "4000x3000!", ")",
           "-compose", "Mathematics", "-define", "compose:args=0,1,1,-0.5", "-composite",
           "-sampling-factor", "4:2:0", "-quality", "60", "scene-12mp.jpg")
    holds("scene-12mp.jpg", symbol("qr_code", "PATIENT 0042-7781; WARD 3"), symbol("code_128", "0042-7781"))
    for file in ["a.png", "b.png", "band.png"]:
        os.remove(file)


def make(folder):
    os.chdir(folder)
    for part in [linear, film_edge, qr_codes, aztec, maxi_code, data_matrix, micro_qr_codes, sq_code, turned, formats, pages, photo]:
        part()
    rows = ",\n".join("  " + json.dumps(e, ensure_ascii=False) for e in sorted(expected, key=lambda e: e["file"]))
    with open("expected.json", "w", encoding="utf-8") as f:
        f.write("[\n" + rows + "\n]\n")
    return sorted(e["file"] for e in expected) + ["expected.json"]


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        changed = 0
        for file in make(folder):
            with open(os.path.join(folder, file), "rb") as f:
                made = f.read()
            path = os.path.join(HERE, file)
            try:
                with open(path, "rb") as f:
                    same = f.read() == made
            except FileNotFoundError:
                same = False
            if same:
                continue
            changed += 1
            if sys.argv[1:]:
                print(f"Samples/{file}: differs from what make.py makes", file=sys.stderr)
            else:
                with open(path, "wb") as f:
                    f.write(made)
                print(f"wrote Samples/{file}")
        os.chdir(HERE)
        print(f"{len(expected)} pictures, {changed} changed")
    sys.exit(1 if changed and sys.argv[1:] else 0)


if __name__ == "__main__":
    main()
