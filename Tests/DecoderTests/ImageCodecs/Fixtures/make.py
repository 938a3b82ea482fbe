"""Makes the pictures that no tool makes reliably: every kind of PNG and PNM, and patched copies. See make.sh."""

import struct
import sys
import zlib

WIDTH, HEIGHT = 37, 29  # Odd sides, so that every pass of an interlaced picture ends in the middle of a byte.
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def luma(r, g, b):
    return 0.299 * r + 0.587 * g + 0.114 * b


def over_white(value, alpha):
    return value * alpha + 255 * (1 - alpha)


def write_pgm(name, width, height, values):
    with open(name, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (width, height))
        file.write(bytes(min(255, max(0, int(v + 0.5))) for v in values))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pack(rows, depth, colour_type):
    """Packs and filters rows of pixels (tuples of samples), each row with the next of the five filters."""
    out = b""
    step = max(1, CHANNELS[colour_type] * depth // 8)
    previous = None
    for number, row in enumerate(rows):
        samples = [s for pixel in row for s in pixel]
        if depth == 16:
            line = b"".join(struct.pack(">H", s) for s in samples)
        elif depth == 8:
            line = bytes(samples)
        else:
            bits = "".join(format(s, "0%db" % depth) for s in samples)
            bits += "0" * (-len(bits) % 8)
            line = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
        above = previous or bytes(len(line))
        filter_type = number % 5
        filtered = bytearray()
        for i, value in enumerate(line):
            a = line[i - step] if i >= step else 0
            b = above[i]
            c = above[i - step] if i >= step else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            guess = [0, a, b, (a + b) // 2, nearest][filter_type]
            filtered.append((value - guess) & 255)
        out += bytes([filter_type]) + bytes(filtered)
        previous = line
    return out


def png(pixels, depth, colour_type, interlaced=False, before=b"", after=b"", width=WIDTH, height=HEIGHT):
    """A PNG of pixels[y][x], each a tuple of samples."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced))
    if interlaced:
        raw = b""
        for x0, y0, dx, dy in PASSES:
            rows = [row[x0::dx] for row in pixels[y0::dy]]
            if rows and rows[0]:
                raw += pack(rows, depth, colour_type)
    else:
        raw = pack(pixels, depth, colour_type)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + before
        + chunk(b"IDAT", zlib.compress(raw, 9))
        + after
        + chunk(b"IEND", b"")
    )


def colour(x, y):
    """The picture: blocks as a symbol has them, a grey ramp and a ramp of colours; red, green, blue, alpha, 0 to 1."""
    if x < 16 and y < 16:
        v = float((x // 2 * 7 + y // 2 * 5 + x // 2 * (y // 2)) % 3 == 0)
        return (v, v, v, 1.0)
    if y < 16:
        v = (x - 16) / (WIDTH - 17)
        return (v, v, v, 0.25 + 0.75 * y / 15)
    u, w = x / (WIDTH - 1), (y - 16) / (HEIGHT - 17)
    return (u, w, 1 - u, 1 - w / 2)


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def make_png(name, depth, colour_type, before=b"", transparent=None, palette=None):
    top = (1 << depth) - 1
    pixels, expected = [], []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            r, g, b, a = colour(x, y)
            if colour_type == 3:
                index = int((x + y * 3) % len(palette))
                sample = (index,)
                r, g, b, a = (v / 255 for v in palette[index])
            else:
                grey = luma(r, g, b)
                values = {0: (grey,), 2: (r, g, b), 4: (grey, a), 6: (r, g, b, a)}[colour_type]
                sample = tuple(int(v * top + 0.5) for v in values)
                if colour_type in (0, 4):
                    r = g = b = sample[0] / top
                else:
                    r, g, b = (v / top for v in sample[:3])
                a = sample[-1] / top if colour_type in (4, 6) else float(sample != transparent)
            row.append(sample)
            expected.append(over_white(luma(r, g, b) * 255, a))
        pixels.append(row)
    write(name + ".png", png(pixels, depth, colour_type, False, before))
    write(name + "-i.png", png(pixels, depth, colour_type, True, before))
    write_pgm(name + ".pgm", WIDTH, HEIGHT, expected)
    return pixels


def make_pngs():
    for depth in (1, 2, 4, 8, 16):
        make_png("png-grey%d" % depth, depth, 0)
    for depth in (8, 16):
        make_png("png-rgb%d" % depth, depth, 2)
        make_png("png-greya%d" % depth, depth, 4)
        make_png("png-rgba%d" % depth, depth, 6)
    palette = [(i * 37 % 256, i * 91 % 256, i * 151 % 256, 255) for i in range(256)]
    for depth in (1, 2, 4, 8):
        colours = palette[: 1 << depth]
        data = chunk(b"PLTE", b"".join(bytes(c[:3]) for c in colours))
        make_png("png-palette%d" % depth, depth, 3, data, palette=colours)
    colours = [(i * 16, 255 - i * 16, 40, i * 17) for i in range(16)]
    data = chunk(b"PLTE", b"".join(bytes(c[:3]) for c in colours)) + chunk(b"tRNS", bytes(c[3] for c in colours))
    make_png("png-palette4-trns", 4, 3, data, palette=colours)
    make_png("png-grey8-trns", 8, 0, chunk(b"tRNS", struct.pack(">H", 0)), transparent=(0,))
    make_png("png-grey16-trns", 16, 0, chunk(b"tRNS", struct.pack(">H", 0)), transparent=(0,))
    make_png("png-rgb8-trns", 8, 2, chunk(b"tRNS", struct.pack(">HHH", 0, 0, 0)), transparent=(0, 0, 0))

    grey = make_png("png-grey8", 8, 0)
    write("png-exif-6.png", png(grey, 8, 0, before=chunk(b"eXIf", tiff(6, ">"))))
    write("png-exif-3-behind.png", png(grey, 8, 0, after=chunk(b"eXIf", tiff(3, "<"))))
    control = struct.pack(">IIIIIHHBB", 0, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
    second = struct.pack(">IIIIIHHBB", 1, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
    black = struct.pack(">I", 2) + zlib.compress(bytes(HEIGHT * (WIDTH + 1)), 9)
    write(
        "png-animated.png",
        png(
            grey, 8, 0,
            before=chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", control),
            after=chunk(b"fcTL", second) + chunk(b"fdAT", black),
        ),
    )


def make_pnms():
    grey = [[luma(*colour(x, y)[:3]) for x in range(WIDTH)] for y in range(HEIGHT)]
    flat = [v for row in grey for v in row]
    rgb = [colour(x, y)[:3] for y in range(HEIGHT) for x in range(WIDTH)]
    size = b"%d %d\n" % (WIDTH, HEIGHT)
    bits = [[int(v < 0.5) for v in row] for row in grey]

    def numbers(values, top):
        lines = [b" ".join(b"%d" % int(v * top + 0.5) for v in values[i : i + 12]) for i in range(0, len(values), 12)]
        return b"\n".join(lines) + b"\n"

    channels = [c for pixel in rgb for c in pixel]
    write("pnm-p1.pbm", b"P1\n" + size + b"\n".join(b"".join(b"%d" % b for b in row) for row in bits) + b"\n")
    packed = b""
    for row in bits:
        line = "".join(map(str, row)) + "0" * (-WIDTH % 8)
        packed += bytes(int(line[i : i + 8], 2) for i in range(0, len(line), 8))
    write("pnm-p4.pbm", b"P4 " + size + packed)
    write("pnm-p2.pgm", b"P2\n# a comment\n" + size + b"# 255 100\n100\n" + numbers(flat, 100))
    write("pnm-p3.ppm", b"P3 " + size + b"255\n" + numbers(channels, 255))
    write("pnm-p5.pgm", b"P5\n" + size + b"255\n" + bytes(int(v * 255 + 0.5) for v in flat))
    write("pnm-p5-max100.pgm", b"P5#x\n" + size + b"100\n" + bytes(int(v * 100 + 0.5) for v in flat))
    write("pnm-p5-16.pgm", b"P5\n" + size + b"65535\n" + b"".join(struct.pack(">H", int(v * 65535 + 0.5)) for v in flat))
    write("pnm-p6.ppm", b"P6\n%d\t%d\r\n255\n" % (WIDTH, HEIGHT) + bytes(int(v * 255 + 0.5) for v in channels))
    write("pnm-p6-1000.ppm", b"P6\n" + size + b"1000\n" + b"".join(struct.pack(">H", int(v * 1000 + 0.5)) for v in channels))
    write_pgm("pnm-bits.pgm", WIDTH, HEIGHT, [255 * (1 - b) for row in bits for b in row])
    write_pgm("pnm-grey.pgm", WIDTH, HEIGHT, [255 * v for v in flat])


def make_photo():
    """64 x 48 without hard edges in colour, so that chroma that is stored coarsely changes nothing."""
    width, height = 64, 48
    data, grey = bytearray(), []
    for y in range(height):
        for x in range(width):
            if x < 32:
                v = 230 if (x // 4 + y // 4 * 3) % 5 < 2 else 25
                pixel = (v, v, v)
            else:
                pixel = (60 + 2 * (x - 32), 200 - 3 * y, 90 + y + x)
            data += bytes(pixel)
            grey.append(luma(*pixel))
    write("photo.ppm", b"P6\n%d %d\n255\n" % (width, height) + bytes(data))
    write_pgm("photo.pgm", width, height, grey)


def tiff(orientation, order):
    """A TIFF structure whose first directory has two tags, the orientation last."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entries = struct.pack(order + "HHIHH", 0x010F, 2, 1, 0, 0) + struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    return mark + struct.pack(order + "IH", 8, 2) + entries + struct.pack(order + "I", 0)


def make_patches():
    with open("jpeg-420.jpg", "rb") as file:
        jpeg = file.read()
    for orientation, order in ((6, "<"), (8, ">")):
        exif = b"Exif\0\0" + tiff(orientation, order)
        segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
        write("jpeg-exif-%d.jpg" % orientation, jpeg[:2] + segment + jpeg[2:])
    # Adobe's marker ends in the transform: 0 CMYK, 2 YCCK.
    with open("jpeg-cmyk.jpg", "rb") as file:
        cmyk = bytearray(file.read())
    cmyk[cmyk.index(b"Adobe") + 11] = 2
    write("jpeg-ycck.jpg", bytes(cmyk))
    with open("jpeg-cmyk-white.jpg", "rb") as file:
        white = file.read()
    at = white.index(b"\xff\xee")
    write("jpeg-cmyk-plain.jpg", white[:at] + white[at + 2 + struct.unpack(">H", white[at + 2 : at + 4])[0] :])


def main():
    if sys.argv[1] == "sources":
        make_photo()
        make_pngs()
        make_pnms()
        write("orientation-8.exif", tiff(8, "<"))
    elif sys.argv[1] == "patches":
        make_patches()
    elif sys.argv[1] == "grey":
        with open(sys.argv[2], "rb") as file:
            kind, width, height, _, pixels = file.read().replace(b"\n", b" ", 3).split(b" ", 4)
        rgb = [pixels[i : i + 3] for i in range(0, len(pixels), 3)]
        write_pgm(sys.argv[3], int(width), int(height), [luma(*p) for p in rgb])


main()
