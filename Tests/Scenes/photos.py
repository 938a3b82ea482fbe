"""Photos of packages, shelves, screens and covered codes.

Each function returns the drawing, the camera, and the function that makes the file of a picture.
"""
import math

from camera import Camera, aim, jpeg, png
from canvas import WORDS, Canvas, box_of, words

SHELF = ["ean_13", "ean_8", "upc_a", "code_128", "qr_code", "data_matrix", "databar", "databar_expanded", "code_39"]
COVERED = ["ean_13", "ean_8", "upc_a", "upc_e", "itf", "code_128", "code_39"]
OBLIQUE = ["ean_13", "ean_13", "ean_8", "upc_a", "code_128", "code_39", "itf"]
CAN = ["qr_code", "qr_code", "data_matrix", "ean_13"]
INVERTED = ["qr_code", "qr_code", "data_matrix", "data_matrix", "aztec", "code_128"]


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


def label(r, kinds, size, lowest=35, highest=65):
    """A label with one symbol and a line of text, and the pixels of the drawing a pixel of the picture.

    size: pixels a module in the picture; lowest, highest: the height of bars, in modules.
    """
    module = max(2, math.ceil(size))
    blank = Canvas(r, 1, 1)
    symbol = blank.new_symbol(kinds)
    tall, caption = r.uniform(lowest, highest) * module, 7 * module if symbol.is_linear else 0
    wide, high = blank.size_of(symbol, module, tall, caption)
    margin = r.uniform(0, 6) * module
    canvas = Canvas(r, wide + 2 * margin, high + 2 * margin + 9 * module, r.choice([255, 240, 210]))
    canvas.symbol(symbol, margin, margin, module, tall, caption)
    canvas.text(margin, canvas.height - 9 * module, words(r, 2)[:int(wide / module / 5)], 7 * module)
    return canvas, module / size


def can(r):
    """A label around a can or a bottle, seen from above or below."""
    size = r.uniform(2, 6)
    canvas, shrink = label(r, CAN, size)
    side = round(1.5 * max(canvas.width, canvas.height) / shrink)
    camera = Camera(side, side, shrink, turn=r.gauss(0, 15), tilt=(r.gauss(0, 12), r.gauss(0, 15)),
                    bend=r.uniform(50, 130), dark=r.uniform(0, 50), bright=r.uniform(170, 255),
                    gradient=r.uniform(0, .4), defocus=.3 + size * r.uniform(0, .25), noise=r.uniform(.5, 5),
                    background=r.randint(20, 220))
    return photographed(canvas, camera)


def oblique(r):
    """A low linear code on a label that is seen from the side: its bars slant, or spread like a fan."""
    size = r.uniform(1.6, 4)
    canvas, shrink = label(r, OBLIQUE, size, 14, 45)
    side = round(1.2 * max(canvas.width, canvas.height) / shrink)
    camera = Camera(side, side, shrink, turn=r.gauss(0, 12),
                    tilt=tuple(max(-50, min(50, r.gauss(0, 28))) for _ in range(2)), dark=r.uniform(0, 50),
                    bright=r.uniform(170, 255), gradient=r.uniform(0, .3), defocus=.3 + size * r.uniform(0, .2),
                    noise=r.uniform(.5, 5), background=r.randint(20, 220))
    return photographed(canvas, camera)


def defocused(r):
    """An EAN-13 or UPC-A in front of a lens that is focused on something else."""
    size = r.uniform(1.2, 4)
    canvas, shrink = label(r, ["ean_13", "ean_13", "upc_a"], size)
    side = round(1.5 * canvas.width / shrink)
    camera = Camera(side, side, shrink, turn=r.gauss(0, 6), tilt=(r.gauss(0, 8), r.gauss(0, 8)),
                    dark=r.uniform(0, 60), bright=r.uniform(150, 255), gradient=r.uniform(0, .4),
                    out_of_focus=size * r.uniform(.8, 2.8), noise=r.uniform(.5, 4), background=r.randint(20, 220))
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
