"""A flat drawing in gray levels with text, tables, shapes and symbols, and the camera that takes its picture.

Positions are in pixels of the drawing, x to the right and y down. `r` is always a random.Random, and all chance.
"""
import functools
import importlib.util
import pathlib
from dataclasses import dataclass

import cv2
import numpy
from PIL import Image, ImageDraw, ImageFont

import symbols

WORDS = ("Delivery note invoice amount total net gross order article weight pieces street storage patient sample date "
         "of birth ward fragile handle with care batch supplier number material position quantity unit price tax best "
         "before store cool dry water sugar salt Zutaten Weizenmehl Hefe sel eau fabrique contains traces of nuts milk "
         "soy shake well organic fresh taste original recipe family pack").split()
FONTS = ["font_roboto/Roboto-Regular.ttf", "font_roboto/Roboto-Bold.ttf", "font_roboto/Roboto-Italic.ttf",
         "font_source_serif_pro/SourceSerifPro-Regular.ttf", "font_source_serif_pro/SourceSerifPro-Bold.ttf",
         "font_hanken_grotesk/HankenGrotesk-Regular.otf", "font_caladea/Caladea-Regular.ttf",
         "font_fjallaone/FjallaOne-Regular.ttf"]
GRID = 8  # The camera computes each eighth pixel, and interpolates.


@functools.cache
def font(index, size):
    package, file = FONTS[index].split("/")
    folder = pathlib.Path(importlib.util.find_spec(package).origin).parent
    return ImageFont.truetype(folder / "files" / file, size)


@functools.cache
def noise():
    """A square of normal noise of standard deviation 1, 2,048 pixels a side."""
    return numpy.random.default_rng(0).standard_normal((2048, 2048), numpy.float32)


def words(r, count):
    """Words, and a number now and then."""
    return " ".join(
        r.choice(WORDS) if r.random() < .85 else symbols.pick(r, symbols.DIGITS, 1, 9) for _ in range(count))


@dataclass
class Placed:
    """A symbol in a drawing. box: left, top, right, bottom without quiet zone; hidden: the share of its width."""
    symbol: symbols.Symbol
    box: tuple
    hidden: float = 0


class Canvas:
    """A drawing of `width` by `height` pixels."""

    def __init__(self, r, width, height, paper=255):
        self.r, self.width, self.height, self.paper = r, int(width), int(height), paper
        self.image = Image.new("L", (self.width, self.height), paper)
        self.pen = ImageDraw.Draw(self.image)
        self.placed, self.taken = [], []

    def free(self, width, height, margin=0, tries=40):
        """The left and top of a box that overlaps nothing that was placed, or None; it is taken from then on."""
        for _ in range(tries):
            x = self.r.uniform(margin, self.width - width - margin)
            y = self.r.uniform(margin, self.height - height - margin)
            if width + 2 * margin > self.width or height + 2 * margin > self.height:
                return None
            if all(x >= right or x + width <= left or y >= bottom or y + height <= top
                   for left, top, right, bottom in self.taken):
                self.taken.append((x, y, x + width, y + height))
                return int(x), int(y)
        return None

    def new_symbol(self, kinds=None, widest=None):
        """A symbol of at most `widest` modules with quiet zone whose text is not in the drawing yet, or None."""
        for _ in range(25):
            symbol = symbols.symbol(self.r, kinds)
            if widest is None or symbol.width + 2 * symbol.quiet <= widest:
                if not any(symbol.texts & other.symbol.texts for other in self.placed):
                    return symbol
        return None

    def text(self, x, y, line, size, ink=0, face=0):
        self.pen.text((x, y), line, fill=ink, font=font(face, max(5, round(size))))

    def paragraph(self, x, y, width, height, size, ink=0, face=0):
        """Lines of words that fill a box."""
        size = max(5, round(size))
        for top in range(int(y), int(y + height - 1.25 * size), round(1.25 * size)):
            line = words(self.r, 2 + int(width / size / 2))
            line = line[:int(width / size / .58)]
            self.text(x, top, line, size, ink, face)

    def table(self, x, y, width, height, size, ink=0):
        """Rows of a name and two figures between lines, as of nutrients or of an invoice."""
        size = max(6, round(size))
        row = round(1.6 * size)
        if height < row:
            return
        for top in range(int(y), int(y + height - row), row):
            self.pen.line((x, top, x + width, top), fill=ink, width=max(1, size // 12))
            self.text(x + size / 3, top + .15 * size, words(self.r, 2)[:int(width / size * .8)], size, ink)
            for column in (.6, .82):
                self.text(x + column * width, top + .15 * size, f"{self.r.uniform(0, 90):.1f} g", size, ink)
        self.pen.rectangle((x, y, x + width, y + height), outline=ink, width=max(1, size // 8))

    def logo(self, x, y, size):
        """A few shapes and a word."""
        r = self.r
        for _ in range(r.randint(2, 5)):
            a, b = sorted(r.uniform(0, size) for _ in range(2)), sorted(r.uniform(0, size) for _ in range(2))
            tone, box = r.randint(0, 255), (x + a[0], y + b[0], x + a[1] + 2, y + b[1] + 2)
            shape = r.choice([self.pen.ellipse, self.pen.rectangle, None])
            if shape:
                shape(box, fill=tone)
            else:
                self.pen.polygon([(x + r.uniform(0, size), y + r.uniform(0, size)) for _ in range(5)], fill=tone)
        self.text(x, y + .35 * size, r.choice(WORDS).upper(), size * .25, r.choice([0, 255]), 7)

    def symbol(self, symbol, x, y, module, height=None, caption=0, inverted=False, patch=True):
        """Draws a symbol whose quiet zone begins at x and y; returns the right and the bottom of what was drawn.

        module, height, caption: pixels a module, of the bars of a linear symbol, and of the text below it.
        patch: indicates whether the quiet zone is painted, which is then white, or black around an inverted symbol.
        """
        cells = symbol.drawn(module, height)
        quiet = symbol.quiet * module
        above = module * min(2, symbol.quiet) if symbol.is_linear else quiet
        left, top = int(x) + quiet, int(y) + above
        right, bottom = left + cells.shape[1], top + cells.shape[0]
        below = bottom + above + (1.2 * caption if caption else 0)
        if patch:
            self.pen.rectangle((x, y, right + quiet - 1, below - 1), fill=0 if inverted else 255)
        self.image.paste(Image.fromarray(255 - cells if inverted else cells), (left, top))
        if caption:
            text = "".join(c for c in symbol.text if c.isprintable())
            self.text(left, bottom + .1 * caption, text, caption, 255 if inverted else 0)
        self.placed.append(Placed(symbol, (left, top, right, bottom)))
        return right + quiet, int(below)

    def size_of(self, symbol, module, height=None, caption=0):
        """The width and height that `symbol` takes, with quiet zone and caption."""
        quiet = symbol.quiet * module
        above = module * min(2, symbol.quiet) if symbol.is_linear else quiet
        rows, columns = symbol.drawn(module, height).shape
        return columns + 2 * quiet, rows + 2 * above + int(1.2 * caption)


@dataclass
class Camera:
    """The way from a drawing to a picture. Angles are in degrees, blurs in pixels of the picture.

    shrink: pixels of the drawing a pixel of the picture, in the middle.
    center: the point of the drawing in the middle of the picture; None for its middle.
    bend: the angle of a cylinder that the drawing's width spans; fold: the angle of a fold at `fold_at` of the width.
    dark, bright: the gray levels of black and white; `gradient` is the share of light that is lost to one side.
    glare: the share of contrast that is lost in the middle of a reflection; shadow: the share of light in a shadow.
    noise: its standard deviation in gray levels.
    """
    width: int
    height: int
    shrink: float = 1
    center: tuple = None
    turn: float = 0
    tilt: tuple = (0, 0)
    bend: float = 0
    fold: float = 0
    fold_at: float = .5
    dark: float = 0
    bright: float = 255
    gradient: float = 0
    glare: float = 0
    shadow: float = 1
    defocus: float = 0
    motion: float = 0
    noise: float = 0
    background: int = 255

    def __post_init__(self):
        rotation = numpy.eye(3)
        for angle, i, j in (self.turn, 0, 1), (self.tilt[0], 0, 2), (self.tilt[1], 1, 2):
            c, s = numpy.cos(numpy.radians(angle)), numpy.sin(numpy.radians(angle))
            axis = numpy.eye(3)
            axis[i, i], axis[i, j], axis[j, i], axis[j, j] = c, -s, s, c
            rotation = axis @ rotation
        distance = 2 * max(self.width, self.height)
        lens = numpy.array([[distance, 0, self.width / 2], [0, distance, self.height / 2], [0, 0, 1]])
        self.homography = lens @ numpy.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])

    def middle(self, canvas):
        return self.center or (canvas.width / 2, canvas.height / 2)

    def bent(self, x, width):
        """Where a point x pixels right of the middle of a drawing of `width` lies after bending: x, and y to add."""
        if self.bend:
            radius = width / numpy.radians(self.bend)
            return radius * numpy.sin(x / radius), -.35 * radius * (1 - numpy.cos(x / radius))
        at, angle = (self.fold_at - .5) * width, numpy.radians(self.fold)
        beyond = numpy.maximum(x - at, 0)
        return x - beyond * (1 - numpy.cos(angle)), .35 * beyond * numpy.sin(angle)

    def unbent(self, x, width):
        """The reverse of `bent`, and the light there."""
        if self.bend:
            radius = width / numpy.radians(self.bend)
            angle = numpy.arcsin(numpy.clip(x / radius, -.999, .999))
            return radius * angle, .4 + .6 * numpy.cos(angle)
        at, angle = (self.fold_at - .5) * width, numpy.radians(self.fold)
        beyond = numpy.maximum(x - at, 0)
        return x + beyond * (1 / numpy.cos(angle) - 1), numpy.where(beyond > 0, numpy.cos(angle), 1)

    def project(self, canvas, points):
        """The points of the picture for points of the drawing: an array of rows of x and y."""
        middle = self.middle(canvas)
        x, y = (numpy.asarray(points, float) - middle).T / self.shrink
        x, add = self.bent(x, canvas.width / self.shrink)
        out = self.homography @ numpy.vstack([x, y + add, numpy.ones_like(x)])
        return (out[:2] / out[2]).T

    def maps(self, canvas):
        """x and y in the drawing, and the light, for each pixel of the picture: three arrays of its size."""
        x = numpy.arange(-1, self.width // GRID + 2) * GRID
        y = numpy.arange(-1, self.height // GRID + 2) * GRID
        grid = numpy.stack(numpy.broadcast_arrays(x + .5, y[:, None] + .5, 1.)).reshape(3, -1)
        u, v, w = numpy.linalg.inv(self.homography) @ grid
        u, v = u / w, v / w
        u, light = self.unbent(u, canvas.width / self.shrink)
        v = v - self.bent(u, canvas.width / self.shrink)[1]
        middle = self.middle(canvas)
        maps = [u * self.shrink + middle[0] - .5, v * self.shrink + middle[1] - .5, light]
        return [self.enlarged(m.reshape(len(y), len(x))) for m in maps]

    def enlarged(self, coarse):
        """An array of the size of the picture from one of each eighth pixel that begins one step outside of it."""
        coarse = numpy.asarray(coarse, numpy.float32)
        step = numpy.array([[1 / GRID, 0, 1], [0, 1 / GRID, 1]], numpy.float32)
        return cv2.warpAffine(coarse, step, (self.width, self.height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                              borderMode=cv2.BORDER_REPLICATE)

    def light(self, r):
        """The share of light and of glare, as coarse arrays for `enlarged`."""
        rows, columns = self.height // GRID + 3, self.width // GRID + 3
        y, x = numpy.mgrid[0:rows, 0:columns] / max(rows, columns)
        angle = r.uniform(0, 6.28)
        across = x * numpy.cos(angle) + y * numpy.sin(angle)
        across = (across - across.min()) / (numpy.ptp(across) or 1)
        light = 1 - self.gradient * across
        if self.shadow < 1:
            angle = r.uniform(0, 6.28)
            edge = (x - r.uniform(.2, .6)) * numpy.cos(angle) + (y - r.uniform(.2, .6)) * numpy.sin(angle)
            light *= 1 - (1 - self.shadow) / (1 + numpy.exp(-numpy.clip(edge / r.uniform(.003, .05), -40, 40)))
        glare = numpy.zeros_like(light)
        if self.glare:
            a, b, size = r.uniform(.2, .8), r.uniform(.2, .8), r.uniform(.05, .2)
            glare = self.glare * numpy.exp(-((x - a) ** 2 + (y - b) ** 2) / 2 / size ** 2)
        return light, glare

    def take(self, canvas):
        """The picture of a drawing: an array of gray levels."""
        r = canvas.r
        flat = numpy.asarray(canvas.image)
        if self.shrink > 1:
            flat = cv2.GaussianBlur(flat, (0, 0), .45 * self.shrink)
        u, v, bend_light = self.maps(canvas)
        picture = cv2.remap(flat, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(numpy.float32)
        outside = (u < 0) | (v < 0) | (u > canvas.width - 1) | (v > canvas.height - 1)
        if self.background < 255 and outside.any():
            seeded = numpy.random.default_rng(r.randrange(2 ** 31))
            texture = seeded.uniform(.5, 1, (r.randint(3, 90), r.randint(3, 40))).astype(numpy.float32)
            texture = cv2.resize(texture, (self.width, self.height), interpolation=cv2.INTER_CUBIC)
            picture = numpy.where(outside, texture * self.background, picture)
        else:
            picture[outside] = 255
        light, glare = self.light(r)
        if self.gradient or self.shadow < 1 or self.bend or self.fold:
            picture *= self.enlarged(light) * bend_light
        picture *= (self.bright - self.dark) / 255
        picture += self.dark
        if self.glare:
            glare = self.enlarged(glare)
            picture += (255 - picture) * glare
        if self.motion > 1:
            side = int(self.motion) | 1
            kernel = numpy.zeros((side, side), numpy.float32)
            angle, half = r.uniform(0, 3.14), self.motion / 2
            for t in numpy.linspace(-half, half, 4 * side):
                row, column = (round(side // 2 + t * f(angle)) % side for f in (numpy.sin, numpy.cos))
                kernel[row, column] += 1
            picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
        if self.defocus > .2:
            picture = cv2.GaussianBlur(picture, (0, 0), self.defocus)
        if self.noise:
            grain = numpy.roll(noise(), r.randrange(2 ** 22))
            grain = numpy.tile(grain, (-(-self.height // 2048), -(-self.width // 2048)))
            picture += self.noise * grain[:self.height, :self.width]
        return numpy.clip(picture, 0, 255).astype(numpy.uint8)
