"""A flat drawing in gray levels, with text, tables, shapes and symbols.

Positions are in pixels of the drawing, x to the right and y down. `r` is a random.Random, the only source of chance.
"""
import functools
import importlib.util
import pathlib
from dataclasses import dataclass

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


@functools.cache
def font(index, size):
    package, file = FONTS[index].split("/")
    folder = pathlib.Path(importlib.util.find_spec(package).origin).parent
    return ImageFont.truetype(folder / "files" / file, size)


def words(r, count):
    """Words, and a number now and then."""
    return " ".join(
        r.choice(WORDS) if r.random() < .85 else symbols.pick(r, symbols.DIGITS, 1, 9) for _ in range(count))


def box_of(x, y, width, height, around=0):
    """Left, top, right and bottom, with `around` pixels more at each side."""
    return x - around, y - around, x + width + around, y + height + around


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
