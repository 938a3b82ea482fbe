"""The camera or scanner that takes a picture of a drawing, and the files of pictures."""
import functools
import io
import math
from dataclasses import dataclass

import cv2
import numpy
from PIL import Image

GRID = 8  # The camera computes each eighth pixel, and interpolates.


@functools.cache
def noise():
    """A square of normal noise of standard deviation 1, 2,048 pixels a side."""
    return numpy.random.default_rng(0).standard_normal((2048, 2048), numpy.float32)


def disk(radius):
    """The point spread of a lens out of focus: a disk of the sum 1."""
    reach, fine = math.ceil(radius), 8
    offsets = (numpy.arange((2 * reach + 1) * fine) + .5) / fine - reach - .5
    inside = numpy.hypot(offsets, offsets[:, None]) <= radius
    cells = inside.reshape(2 * reach + 1, fine, 2 * reach + 1, fine).mean((1, 3))
    return (cells / cells.sum()).astype(numpy.float32)


@dataclass
class Camera:
    """The way from a drawing to a picture. Angles are in degrees, blurs in pixels of the picture.

    shrink: pixels of the drawing a pixel of the picture, in the middle.
    center: the point of the drawing in the middle of the picture; None for its middle.
    bend: the angle of a cylinder that the drawing's width spans; fold: the angle of a fold at `fold_at` of the width.
    dark, bright: the gray levels of black and white; `gradient` is the share of light that is lost to one side.
    glare: the share of contrast that is lost in the middle of a reflection; shadow: the share of light in a shadow.
    defocus: the standard deviation of the blur of a lens; out_of_focus: the radius of the disk that it makes of a point.
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
    out_of_focus: float = 0
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
        """Bends a point x pixels right of the middle of a drawing of `width`: its new x, and what is added to y."""
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
        if self.out_of_focus:
            picture = cv2.filter2D(picture, -1, disk(self.out_of_focus), borderType=cv2.BORDER_REPLICATE)
        if self.noise:
            grain = numpy.roll(noise(), r.randrange(2 ** 22))
            grain = numpy.tile(grain, (-(-self.height // 2048), -(-self.width // 2048)))
            picture += self.noise * grain[:self.height, :self.width]
        return numpy.clip(picture, 0, 255).astype(numpy.uint8)


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
