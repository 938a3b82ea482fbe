"""Pictures without a code, of what looks like one."""
import math

from camera import Camera, jpeg, png
from canvas import Canvas
from photos import frame, photo


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
