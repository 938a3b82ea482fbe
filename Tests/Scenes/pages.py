"""Pages of an office with codes, as they are printed or as a scanner gives them.

Each function returns the drawing, the camera, and the function that makes the file of a picture.
"""
import math

from camera import Camera, aim, jpeg, png
from canvas import Canvas, words
from symbols import DIGITS, pick

OFFICE = ["ean_13", "code_128", "code_39", "itf", "code_93", "codabar", "qr_code", "data_matrix", "pdf417", "aztec"]
LINEAR_OFFICE = OFFICE[:6]


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
