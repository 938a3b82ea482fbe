"""Scenes with codes, drawn from a seed: `scene(seed, index, group)` depends on its arguments alone."""
import functools
import random
from dataclasses import dataclass, field

import numpy

from camera import corners_of, png
from pages import columns, office, sheet
from photos import can, covered, defocused, oblique, package, screen, shelf
from plain import empty

# The groups: how often each is drawn in 100 scenes, and by what. Those with 0 are drawn only by their name: a new
# weight would change all scenes of a seed.
GROUPS = {
    "package": (26, package),
    "office": (5, office), "office scan": (7, functools.partial(office, scanned=True)),
    "sheet": (3, sheet), "sheet scan": (4, functools.partial(sheet, scanned=True)),
    "columns": (8, columns), "columns scan": (8, functools.partial(columns, scanned=True)),
    "shelf": (6, shelf), "screen": (9, screen), "covered": (12, covered),
    "can": (4, can), "defocused": (2, defocused), "empty": (6, empty), "oblique": (0, oblique)}


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


def scene(seed, index, group=None):
    """The scene `index` of a seed: of the given group, or of any."""
    r = random.Random(f"{seed} {index} {group}" if group else f"{seed} {index}")
    group = group or r.choices(list(GROUPS), [weight for weight, _ in GROUPS.values()])[0]
    canvas, camera, encode = GROUPS[group][1](r)
    plain = camera.shrink == 1 and (camera.width, camera.height) == (canvas.width, canvas.height) and encode is png
    picture = numpy.asarray(canvas.image) if plain else camera.take(canvas)
    codes = truths(camera, canvas)
    quarter = r.choice([0, 0, 0, 0, 1, 2, 3])
    for _ in range(quarter):
        for code in codes:
            code.corners = [[y, picture.shape[1] - x] for x, y in code.corners]
        picture = numpy.ascontiguousarray(numpy.rot90(picture))
    return Scene(seed, index, group, picture, encode(picture), codes)
