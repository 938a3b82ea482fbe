"""Scenes with codes, drawn from a seed: `scene(seed, index)` depends on these two numbers alone."""
import functools
import io
import math
import random
from dataclasses import dataclass, field

import numpy
from PIL import Image

from canvas import WORDS, Camera, Canvas, words
from symbols import DIGITS, pick

# The groups, and how often each is drawn in 100 scenes.
GROUPS = {
    "package": 28, "office": 5, "office scan": 7, "sheet": 3, "sheet scan": 4, "columns": 8, "columns scan": 8,
    "shelf": 6, "screen": 11, "covered": 14, "empty": 6}
OFFICE = ["ean_13", "code_128", "code_39", "itf", "code_93", "codabar", "qr_code", "data_matrix", "pdf417", "aztec"]
LINEAR_OFFICE = OFFICE[:6]
SHELF = ["ean_13", "ean_8", "upc_a", "code_128", "qr_code", "data_matrix", "databar", "databar_expanded", "code_39"]
COVERED = ["ean_13", "ean_8", "upc_a", "upc_e", "itf", "code_128", "code_39"]
INVERTED = ["qr_code", "qr_code", "data_matrix", "data_matrix", "aztec", "code_128"]


@dataclass
class Truth:
    """A code in a picture. corners: from the top left of the symbol around it, in pixels; module: pixels a module."""
    kind: str
    text: str
    texts: list
    corners: list
    module: float
    hidden: float = 0


@dataclass
class Scene:
    """A picture and the codes in it. picture: an array of gray levels; data: the bytes of its file, PNG or JPEG."""
    seed: int
    index: int
    group: str
    picture: numpy.ndarray = field(repr=False)
    data: bytes = field(repr=False)
    codes: list


def frame(r, large=.03, least=.3):
    """The width and height of a photo: `least` to 3.5 megapixels, and 8 to 12 in the share `large`."""
    pixels = 1e6 * (r.uniform(8, 12) if r.random() < large else math.exp(r.uniform(math.log(least), math.log(3.5))))
    aspect = r.choice([4 / 3, 3 / 4, 16 / 9, 9 / 16, 1])
    return round(math.sqrt(pixels * aspect)), round(math.sqrt(pixels / aspect))


def module_size(r, most=8):
    """Pixels a module in the picture, and in the drawing, where it is a whole number."""
    size = min(most, max(.9, math.exp(r.gauss(math.log(2.9), .5))))
    return size, max(2, math.ceil(size))


def photo(r, canvas, width, height, shrink, size, fill=.9, center=None):
    """A camera with a random difficulty. size: pixels a module; fill: the share of the frame that the drawing has."""
    hard = r.random() ** 1.5
    return Camera(
        width, height, shrink, center,
        turn=r.choice([0, r.gauss(0, 3), r.gauss(0, 8), r.uniform(-40, 40) if fill < .75 else 0]),
        tilt=(r.gauss(0, 3 + 14 * hard), r.gauss(0, 3 + 14 * hard)),
        bend=r.uniform(30, 110) if r.random() < .2 and not center else 0,
        fold=r.uniform(10, 40) if r.random() < .12 and not center else 0, fold_at=r.uniform(.2, .8),
        dark=r.uniform(0, 40 + 40 * hard), bright=255 - r.uniform(0, 50 + 60 * hard),
        gradient=r.uniform(0, .2 + .5 * hard),
        glare=r.uniform(.3, .75) if r.random() < .25 else 0, shadow=r.uniform(.4, .8) if r.random() < .25 else 1,
        defocus=.3 + size * r.uniform(0, .25 + .4 * hard),
        motion=size * r.uniform(.4, 1.4) if r.random() < .15 else 0,
        noise=r.uniform(.5, 2 + 6 * hard), background=r.randint(60, 220))


def box_of(x, y, width, height, around=0):
    """Left, top, right and bottom, with `around` pixels more at each side."""
    return x - around, y - around, x + width + around, y + height + around


def corners_of(camera, canvas, box):
    left, top, right, bottom = box
    return camera.project(canvas, [(left, top), (right, top), (right, bottom), (left, bottom)])


def aim(camera, canvas):
    """The camera with turn, tilt and bend reduced until all codes are in the picture with their quiet zones."""
    for _ in range(6):
        corners = [(9, 9)]
        for placed in canvas.placed:
            left, top, right, bottom = placed.box
            quiet = (right - left) / placed.symbol.width * placed.symbol.quiet
            above = quiet / 5 if placed.symbol.is_linear else quiet
            box = left - quiet, top - above, right + quiet, bottom + above
            corners += corners_of(camera, canvas, box).tolist()
        x, y = numpy.array(corners).T
        if min(x) > 2 and min(y) > 2 and max(x) < camera.width - 2 and max(y) < camera.height - 2:
            return camera
        camera.turn *= .5
        camera.tilt = tuple(.5 * t for t in camera.tilt)
        camera.bend *= .5
        camera.fold *= .5
        camera.__post_init__()
    return camera


def truths(camera, canvas):
    """The codes of a drawing as the camera shows them. Corners outside of the picture are moved to its sides."""
    found = []
    for placed in canvas.placed:
        corners = corners_of(camera, canvas, placed.box)
        across = (numpy.hypot(*(corners[1] - corners[0])) + numpy.hypot(*(corners[2] - corners[3]))) / 2
        corners = numpy.clip(corners, 0, [camera.width, camera.height])
        symbol = placed.symbol
        found.append(Truth(symbol.kind, symbol.text, sorted(symbol.texts), corners.round(1).tolist(),
                           round(float(across) / symbol.width, 2), placed.hidden))
    return found


def jpeg(r, picture, lowest, highest, tint=.5):
    """The bytes of a JPEG. tint: the share of pictures that are tinted, as lamps and cameras do."""
    image, out = Image.fromarray(picture), io.BytesIO()
    if r.random() < tint:
        darkest, lightest = [r.randint(0, 30) for _ in range(3)], [r.randint(215, 255) for _ in range(3)]
        table = [round(a + (b - a) * i / 255) for a, b in zip(darkest, lightest) for i in range(256)]
        image = Image.merge("RGB", [image] * 3).point(table)
    image.save(out, "JPEG", quality=r.randint(lowest, highest))
    return out.getvalue()


def png(picture):
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=1)
    return out.getvalue()


# ---- groups: each returns the drawing, the camera, and the function that makes the file

def photographed(canvas, camera):
    r = canvas.r
    return canvas, aim(camera, canvas), lambda picture: jpeg(r, picture, 50, 95)


def package(r):
    width, height = frame(r, least=.4)
    fill = r.choice([.6, .75, .9, .95])
    size, module = module_size(r)
    first = Canvas(r, 1, 1).new_symbol()
    size = max(.9, min(size, .7 * fill * width / (first.width + 2 * first.quiet), .3 * fill * height / (
        20 if first.is_linear else first.cells.shape[0] / first.scale)))
    module = max(2, math.ceil(size))
    shrink = module / size
    canvas = Canvas(r, fill * width * shrink, fill * height * shrink, r.choice([255, 235, 210, 170, 120, 60]))
    unit = min(canvas.width, canvas.height) / 100
    for _ in range(r.randint(0, 3)):
        x, y = r.uniform(0, .7) * canvas.width, r.uniform(0, .7) * canvas.height
        canvas.pen.rectangle((x, y, x + r.uniform(.2, .6) * canvas.width, y + r.uniform(.2, .5) * canvas.height),
                             fill=r.randint(40, 255))
    for number in range(r.choice([1, 1, 1, 2, 3])):
        symbol = first if number == 0 else canvas.new_symbol()
        tall, caption = r.uniform(20, 70) * module, r.choice([0, 7, 9]) * module if symbol.is_linear else 0
        pixels = module if number == 0 else max(2, module + r.choice([-1, 0, 1]))
        tall = min(tall, .4 * canvas.height)
        box = canvas.size_of(symbol, pixels, tall, caption)
        margin = r.choice([0, 2, 6])
        spot = canvas.free(box[0] + 2 * margin, box[1] + 2 * margin, 2)
        if spot:
            canvas.symbol(symbol, spot[0] + margin, spot[1] + margin, pixels, tall, caption)
            if r.random() < .2:
                canvas.pen.rectangle(box_of(*spot, box[0] + 2 * margin, box[1] + 2 * margin), outline=0,
                                     width=max(1, module // 2))
    for _ in range(r.randint(6, 24)):
        what = r.choice(["text", "text", "text", "title", "table", "logo"])
        w, h = r.uniform(15, 60) * unit, r.uniform(8, 40) * unit
        if what == "logo":
            w = h = r.uniform(12, 30) * unit
        spot = canvas.free(w, h, unit, 12)
        if not spot:
            continue
        under = canvas.image.getpixel((int(spot[0] + w / 2), int(spot[1] + h / 2)))
        ink = r.randint(0, 50) if under > 110 else r.randint(200, 255)
        if what == "text":
            canvas.paragraph(*spot, w, h, r.choice([1.2, 1.8, 2.5, 3.5]) * unit, ink, r.randrange(8))
        elif what == "title":
            size_of_text = min(h * .8, r.uniform(5, 14) * unit)
            canvas.text(*spot, words(r, 2)[:max(2, int(w / size_of_text / .6))], size_of_text, ink, r.choice([1, 4, 7]))
        elif what == "table":
            canvas.table(*spot, w, h, r.choice([1.6, 2.4]) * unit, ink)
        else:
            canvas.logo(*spot, w)
    if r.random() < .3:
        canvas.pen.rectangle(box_of(2, 2, canvas.width - 5, canvas.height - 5), outline=r.randint(0, 255),
                             width=int(unit) + 1)
    return photographed(canvas, photo(r, canvas, width, height, shrink, size, fill))


class Page:
    """A page of paper: the drawing, and its scale in pixels a millimeter."""

    def __init__(self, r, scanned, sizes):
        self.r, self.scanned = r, scanned
        wide, high, self.dpi = r.choice(sizes)
        self.mm = r.choice([.25, .3, .33, .4, .5])  # A module of a linear symbol.
        if scanned:
            size = self.mm * self.dpi / 25.4
            self.module = max(2, math.ceil(size))
            self.shrink = self.module / size
        else:
            self.module, self.shrink = max(2, round(self.mm * self.dpi / 25.4)), 1
        self.scale = self.dpi / 25.4 * self.shrink
        self.size = round(wide * self.dpi / 25.4), round(high * self.dpi / 25.4)
        self.canvas = Canvas(r, wide * self.scale, high * self.scale)

    def module_of(self, symbol):
        """Pixels a module: matrix symbols are printed larger."""
        return self.module if symbol.is_linear else max(self.module, round(self.module * 1.5))

    def finish(self):
        r, canvas = self.r, self.canvas
        if not self.scanned:
            return canvas, Camera(canvas.width, canvas.height), png
        camera = Camera(
            *self.size, self.shrink, turn=r.uniform(-2, 2), dark=r.uniform(0, 50), bright=r.uniform(225, 255),
            defocus=r.uniform(.3, .9), noise=r.uniform(1, 6))
        return canvas, aim(camera, canvas), lambda picture: jpeg(r, picture, 60, 80, 0)


A4 = [(210, 297, 150), (210, 297, 200)]
SMALL = [(148, 210, 200), (148, 210, 300), (105, 148, 300), (105, 148, 200)]


def office(r, scanned=False):
    """A form or a delivery note: lines of text with codes."""
    page = Page(r, scanned, A4 + 2 * SMALL + [(210, 297, 300)] * (r.random() < .1))
    canvas, s = page.canvas, page.scale
    canvas.text(12 * s, 8 * s, words(r, 3).title(), 6 * s, face=1)
    canvas.paragraph(12 * s, 17 * s, canvas.width * .5, 18 * s, 3 * s)
    kinds = r.choice([None, OFFICE, [r.choice(OFFICE)]])
    step, tall = r.uniform(18, 40) * s, r.choice([6, 8, 10, 14]) * s
    top, face = 38 * s, r.randrange(8)
    while top < canvas.height - step - 6 * s:
        left = r.choice([10, 60, 90]) * s
        symbol = canvas.new_symbol(kinds, (canvas.width - left - 6 * s) / page.module)
        if symbol:
            module, caption = page.module_of(symbol), r.choice([0, 2.6 * s])
            box = canvas.size_of(symbol, module, tall, caption)
            if left + box[0] < canvas.width - 4 * s and top + box[1] < canvas.height - 4 * s:
                end = canvas.symbol(symbol, left, top, module, tall, caption, patch=False)
                if left > 30 * s:
                    canvas.paragraph(10 * s, top, left - 14 * s, 12 * s, 3 * s, face=face)
                top = max(top + step, end[1] + 2 * s)
                if r.random() < .5:
                    canvas.pen.line((8 * s, top - 1.5 * s, canvas.width - 8 * s, top - 1.5 * s), fill=0,
                                    width=max(1, round(.3 * s)))
                continue
        canvas.table(10 * s, top, canvas.width - 20 * s, step * .8, 3 * s)
        top += step
    return page.finish()


def sheet(r, scanned=False):
    """A sheet of labels with a code each."""
    page = Page(r, scanned, A4)
    canvas, s = page.canvas, page.scale
    columns, rows = r.choice([(3, 8), (3, 8), (2, 7), (4, 10), (3, 7), (2, 5)])
    wide, high = canvas.width / columns, canvas.height / rows
    kinds = [r.choice(OFFICE + ["ean_13", "code_128", "data_matrix"])]
    for row in range(rows):
        for column in range(columns):
            x, y = column * wide + 4 * s, row * high + 3 * s
            canvas.text(x, y, words(r, 3)[:int(wide / s / 3)], 3.4 * s, face=1)
            canvas.text(x, y + 4 * s, "Art. " + pick(r, DIGITS, 7), 2.6 * s)
            module = page.module
            symbol = canvas.new_symbol(kinds, (wide - 7 * s) / module)
            if not symbol:
                symbol = canvas.new_symbol(["data_matrix"], (wide - 7 * s) / module)
            if symbol is None:
                continue
            tall = high - 18 * s
            box = canvas.size_of(symbol, module, tall)
            if not symbol.is_linear and box[1] > high - 12 * s:
                continue
            canvas.symbol(symbol, x, y + 8 * s, module, tall, 2.4 * s if symbol.is_linear else 0, patch=False)
    return page.finish()


def columns(r, scanned=False):
    """Codes above and beside each other; 0.3 mm or more lie between their quiet zones."""
    page = Page(r, scanned, 2 * SMALL + A4)
    canvas, s = page.canvas, page.scale
    gap = r.choice([.3, .5, 1, 2, 5]) * s
    kinds = r.choice([LINEAR_OFFICE, OFFICE, [r.choice(OFFICE)], None])
    if r.random() < .5:
        canvas.paragraph(8 * s, 4 * s, canvas.width - 16 * s, 14 * s, r.choice([2.5, 4]) * s)
    left, lowest = r.uniform(4, 12) * s, 0
    for _ in range(r.choice([1, 1, 2, 3])):
        top, right = r.uniform(20, 30) * s, left
        for _ in range(r.randint(2, 6)):
            symbol = canvas.new_symbol(kinds, (canvas.width - left - 4 * s) / page.module)
            if not symbol:
                break
            module = page.module_of(symbol)
            tall = r.choice([5, 8, 12, 18]) * s
            box = canvas.size_of(symbol, module, tall)
            if left + box[0] > canvas.width - 2 * s or top + box[1] > canvas.height - 2 * s:
                continue
            # Bars need no quiet zone above and below: `symbol` leaves two modules there.
            end = canvas.symbol(symbol, left, top - (2 * module if symbol.is_linear else 0), module, tall, patch=False)
            top = end[1] + gap - (2 * module if symbol.is_linear else 0)
            right, lowest = max(right, end[0]), max(lowest, end[1])
        left = right + gap
    canvas.table(8 * s, lowest + 4 * s, canvas.width - 16 * s, canvas.height - lowest - 12 * s, 3 * s)
    return page.finish()


def shelf(r):
    """Price labels below rows of products."""
    width, height = frame(r, .06, 1)
    size = min(max(1.3, module_size(r, 3)[0]), .9 * width / 200, .9 * height / 120)
    module = max(2, math.ceil(size))
    shrink = module / size
    canvas = Canvas(r, .97 * width * shrink, .97 * height * shrink, r.randint(80, 200))
    kinds = [r.choice(SHELF + 3 * ["ean_13"])] if r.random() < .6 else SHELF
    tall = r.uniform(16, 40) * module
    wide, high = r.uniform(140, 190) * module, tall + r.uniform(30, 50) * module
    y = r.uniform(5, 60) * module
    while y + high < canvas.height:
        x = r.uniform(2, 60) * module
        canvas.pen.rectangle((0, y - 3 * module, canvas.width, y + high + 3 * module), fill=r.randint(40, 230))
        while x + wide < canvas.width:
            symbol = canvas.new_symbol(kinds, wide / module - 4)
            canvas.pen.rectangle(box_of(x, y, wide, high), fill=r.choice([255, 255, 240]), outline=r.choice([255, 120]))
            price = f"{r.randint(0, 49)},{r.randint(0, 99):02}"
            if symbol:
                box = canvas.size_of(symbol, module, tall)
                if box[1] < high - 2 * module:
                    canvas.symbol(symbol, x + 2 * module, y + high - box[1] - module, module, tall)
                    if box[0] < .62 * wide:
                        canvas.text(x + box[0] + 4 * module, y + .4 * high, price, 17 * module, face=1)
                    if box[1] < high - 22 * module:
                        canvas.text(x + 4 * module, y + 2 * module, words(r, 3)[:20], 11 * module, face=7)
            x += wide + r.choice([1, 3, 20, 60]) * module
        y += high + 6 * module
        depth, x = r.uniform(60, 160) * module, 0
        while x < canvas.width:
            broad = r.uniform(40, 130) * module
            canvas.pen.rectangle(box_of(x, y, broad, depth), fill=r.randint(30, 230), outline=r.randint(0, 255),
                                 width=2)
            canvas.text(x + 5 * module, y + depth * .3, r.choice(WORDS).upper(), 16 * module, r.choice([0, 255]), 7)
            canvas.paragraph(x + 5 * module, y + depth * .6, broad - 10 * module, depth * .35, 5 * module, 20)
            x += broad + r.uniform(0, 8) * module
        y += depth + 6 * module
    return photographed(canvas, photo(r, canvas, width, height, shrink, size))


def screen(r):
    """An app or a page on a screen: a screenshot, or a photo of the screen."""
    width, height = frame(r, .01)
    kinds = [r.choice(INVERTED)] if r.random() < .35 else None
    first = Canvas(r, 1, 1).new_symbol(kinds)
    high = 30 if first.is_linear else first.cells.shape[0] / first.scale
    size = max(.9, min(module_size(r)[0], .8 * width / (first.width + 2 * first.quiet), .6 * height / (high + 8)))
    module = max(2, math.ceil(size)) if r.random() < .7 else max(2, int(size))
    shrink = max(1, module / size)
    size = module / shrink
    dark = r.random() < .5
    canvas = Canvas(r, width * shrink, height * shrink, r.randint(0, 40) if dark else r.randint(225, 255))
    ink, unit = (230 if dark else 30), min(canvas.width, canvas.height) / 100
    canvas.pen.rectangle((0, 0, canvas.width, 7 * unit), fill=r.randint(60, 200))
    canvas.text(3 * unit, 1.5 * unit, words(r, 3).title(), 4 * unit, 255, 1)
    tall = r.uniform(25, 60) * module
    caption = r.choice([0, 8 * module]) if first.is_linear else 0
    box = canvas.size_of(first, module, tall, caption)
    spot = canvas.free(*box, 8 * unit) or (int((canvas.width - box[0]) / 2), int((canvas.height - box[1]) / 2))
    inverted = kinds is not None
    around = r.uniform(0, 4) * unit
    canvas.pen.rounded_rectangle(box_of(*spot, *box, around), 2 * unit, fill=0 if inverted else 255)
    canvas.symbol(first, *spot, module, tall, caption, inverted)
    canvas.taken += [box_of(*spot, *box, 5 * unit), (0, 0, canvas.width, 8 * unit)]
    for _ in range(r.randint(3, 9)):
        w, h = r.uniform(20, 70) * unit, r.uniform(5, 25) * unit
        spot = canvas.free(w, h, 2 * unit, 15)
        if spot:
            if r.random() < .4:
                canvas.pen.rounded_rectangle(box_of(*spot, w, h), unit, outline=ink, width=int(unit / 3) + 1)
            canvas.paragraph(spot[0] + unit, spot[1] + unit, w - 2 * unit, h, r.choice([2, 3, 4]) * unit, ink,
                             r.choice([0, 1, 5]))
    if r.random() < .5:
        camera = Camera(width, height, shrink, defocus=0 if shrink == 1 else r.uniform(0, .4))
        return canvas, camera, png
    camera = photo(r, canvas, width, height, shrink, size, 1)
    camera.bend = camera.fold = 0
    return photographed(canvas, camera)


def covered(r):
    """A linear code of which 6 to 30 % of the width is hidden."""
    size, module = module_size(r, 5)
    size = max(1.4, size)
    module = max(2, math.ceil(size))
    shrink = module / size
    symbol = Canvas(r, 1, 1).new_symbol(COVERED)
    tall, caption = r.uniform(30, 60) * module, r.choice([0, 8 * module])
    wide, high = Canvas(r, 1, 1).size_of(symbol, module, tall, caption)
    canvas = Canvas(r, 2.6 * wide, 2.6 * wide, r.choice([255, 255, 225, 180]))
    x, y = int(.8 * wide), int(1.3 * wide - high / 2)
    canvas.symbol(symbol, x, y, module, tall, caption)
    placed = canvas.placed[0]
    left, top, right, bottom = placed.box
    share = placed.hidden = r.uniform(.06, .3)
    part, middle = share * (right - left), (top + bottom) / 2
    for _ in range(r.randint(0, 6)):
        canvas.paragraph(r.uniform(.1, 1.6) * wide, r.choice([y - .5 * wide, y + high + .1 * wide]), .7 * wide,
                         r.uniform(.1, .4) * wide, 8 * module, 30, r.randrange(8))
    how = r.choice(["white", "gray", "black", "finger", "torn", "cut", "label"])
    center = [canvas.width / 2, canvas.height / 2]
    frame_width, frame_height = 1.5 * wide, r.uniform(1, 1.5) * max(.6 * wide, high)
    at = r.uniform(left - part / 2, right - part / 2)
    if how == "cut":
        center[0] = right - part - frame_width / 2 if r.random() < .5 else left + part + frame_width / 2
    elif how == "finger":
        tone = r.randint(110, 190)
        side = r.choice([-1, 1])
        tip, root = bottom + .3 * part if side < 0 else top - .3 * part, middle + side * 3 * wide
        canvas.pen.rounded_rectangle((at, min(tip, root), at + part, max(tip, root)), part / 2, fill=tone,
                                     outline=tone - 25, width=max(1, module))
    elif how == "torn":
        from_left = r.random() < .5
        edge, ys = left + part if from_left else right - part, range(0, canvas.height + 8, 8)
        outer = 0 if from_left else canvas.width
        canvas.pen.polygon([(edge + r.uniform(-.03, .03) * (right - left), v) for v in ys]
                           + [(outer, canvas.height + 8), (outer, 0)], fill=r.choice([255, 160, 90]))
    elif how == "label":
        tilt = r.uniform(-.2, .2) * high
        canvas.pen.polygon([(at, top - high), (at + part, top - high), (at + part + tilt, bottom + high),
                            (at + tilt, bottom + high)], fill=250, outline=150)
        for v in range(int(top - .8 * high), int(bottom + .8 * high), 12 * module):
            canvas.text(at + .2 * part + tilt * .5, v, r.choice(WORDS)[:max(1, int(part / module / 8))], 9 * module)
    else:
        tone = {"white": 255, "gray": r.randint(90, 190), "black": r.choice([0, 20])}[how]
        full = r.random() < .5
        high_part = (bottom - top) * (1 if full else r.uniform(.6, .95))
        begin = top if full or r.random() < .5 else bottom - high_part
        canvas.pen.rectangle((at, begin - (3 * module if full else 0), at + part, begin + high_part), fill=tone)
    camera = photo(r, canvas, round(frame_width / shrink), round(frame_height / shrink), shrink, size, 1, tuple(center))
    camera.tilt, camera.turn = (0, 0), 0 if how == "cut" else r.gauss(0, 5)
    camera.motion, camera.glare, camera.defocus = 0, 0, min(camera.defocus, .4 * size)
    camera.__post_init__()
    if r.random() < .3:
        return canvas, Camera(camera.width, camera.height, shrink, tuple(center)), png
    return canvas, camera, lambda picture: jpeg(r, picture, 60, 95)


def empty(r):
    """No code, but what looks like one."""
    width, height = frame(r, .02)
    canvas = Canvas(r, width, height, r.choice([255, 240, 200]))
    pen, ink = canvas.pen, r.choice([0, 30, 80])
    what = r.choice(["text", "table", "blinds", "ruler", "hatching", "brick", "foliage", "music", "halftone", "stripes",
                     "groups of stripes"])
    if what == "text":
        y = 10
        while y < height - 20:
            size, lines = r.choice([10, 12, 14, 18, 24, 40, 70]), r.randint(1, 8)
            canvas.paragraph(r.randint(5, 40), y, width - 50, min(1.25 * size * (lines + .2), height - y), size, ink,
                             r.randrange(8))
            y += 1.3 * size * lines
    elif what == "table":
        canvas.table(10, 10, width - 20, height - 20, r.choice([9, 12, 16, 24]), ink)
    elif what == "blinds":
        y = 0
        while y < height:
            slat = r.randint(3, 14)
            pen.rectangle((0, y, width, y + slat), fill=r.randint(20, 120))
            y += slat + r.randint(2, 12)
    elif what == "ruler":
        step = r.choice([3, 4, 5, 6, 8])
        for y in range(20, height - 60, r.choice([80, 140, 300])):
            for i, x in enumerate(range(20, width - 20, step)):
                pen.line((x, y, x, y + (40 if i % 10 == 0 else 28 if i % 5 == 0 else 18)), fill=ink,
                         width=r.choice([1, 2]) if step > 4 else 1)
                if i % 10 == 0:
                    canvas.text(x, y + 42, str(i // 10), 12, ink)
    elif what == "hatching":
        step = r.choice([4, 6, 8, 12])
        for x in range(-height, width, step):
            pen.line((x, 0, x + height, height), fill=ink, width=max(1, step // 3))
    elif what == "brick":
        wide, high = r.randint(20, 80), r.randint(10, 30)
        for row, y in enumerate(range(0, height, high)):
            for x in range(-wide + row % 2 * wide // 2, width, wide):
                pen.rectangle((x + 2, y + 2, x + wide - 2, y + high - 2), fill=r.randint(80, 160))
    elif what == "foliage":
        for _ in range(4000):
            x, y, a = r.uniform(0, width), r.uniform(0, height), r.uniform(3, 30)
            pen.ellipse((x, y, x + a, y + a * r.uniform(.3, 1.5)), fill=r.randint(10, 200))
    elif what == "music":
        for y in range(30, height - 60, r.choice([70, 90, 130])):
            for line in range(5):
                pen.line((20, y + 8 * line, width - 20, y + 8 * line), fill=ink, width=1)
            for x in range(40, width - 40, r.choice([18, 25, 40])):
                v = y + r.randint(-1, 9) * 4
                pen.ellipse((x, v - 4, x + 10, v + 4), fill=ink)
                pen.line((x + 9, v, x + 9, v - 26), fill=ink, width=2)
                if r.random() < .15:
                    pen.line((x + 14, y, x + 14, y + 32), fill=ink, width=2)
    elif what == "halftone":
        step = r.choice([5, 6, 8, 10])
        for y in range(0, height, step):
            for x in range(0, width, step):
                s = step / 2 * abs(math.sin(x / 90) * math.cos(y / 70))
                pen.ellipse((x - s, y - s, x + s, y + s), fill=ink)
    else:
        rows = [(0, height)] if what == "stripes" else [(y, y + r.randint(25, 60)) for y in range(10, height - 60, 100)]
        for top, bottom in rows:
            x, module = r.randint(0, 150), r.randint(2, 6)
            count = 10 ** 6 if what == "stripes" else r.choice([20, 30, 60])
            while x < width and count > 0:
                bar = module * r.randint(1, 4)
                pen.rectangle((x, top, x + bar - 1, bottom), fill=ink)
                x, count = x + bar + module * r.randint(1, 4), count - 1
    if r.random() < .3:
        return canvas, Camera(width, height), png
    camera = photo(r, canvas, width, height, r.choice([1, 1, 1.5]), 2, 1)
    return canvas, camera, lambda picture: jpeg(r, picture, 50, 95)


MAKERS = {
    "package": package, "office": office, "office scan": functools.partial(office, scanned=True), "sheet": sheet,
    "sheet scan": functools.partial(sheet, scanned=True), "columns": columns,
    "columns scan": functools.partial(columns, scanned=True), "shelf": shelf, "screen": screen, "covered": covered,
    "empty": empty}


def scene(seed, index):
    """The scene `index` of a seed."""
    r = random.Random(f"{seed} {index}")
    group = r.choices(list(GROUPS), list(GROUPS.values()))[0]
    canvas, camera, encode = MAKERS[group](r)
    plain = camera.shrink == 1 and (camera.width, camera.height) == (canvas.width, canvas.height) and encode is png
    picture = numpy.asarray(canvas.image) if plain else camera.take(canvas)
    codes = truths(camera, canvas)
    quarter = r.choice([0, 0, 0, 0, 1, 2, 3])
    for _ in range(quarter):
        for code in codes:
            code.corners = [[y, picture.shape[1] - x] for x, y in code.corners]
        picture = numpy.ascontiguousarray(numpy.rot90(picture))
    return Scene(seed, index, group, picture, encode(picture), codes)
