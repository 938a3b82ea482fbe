"""Tests of the scenes, the scorer and the gate."""
import random
import unittest

import cv2
import numpy

import gate
import run
import scenes
import symbols
from camera import Camera
from canvas import Canvas


def truth(text, kind="code_128", texts=None):
    return scenes.Truth(kind, text, texts or [text], [[0, 0]] * 4, 3)


def answer(text, kind="code_128", **more):
    return {"format": kind, "rawValue": text, **more}


class SceneTests(unittest.TestCase):
    def test_same_seed_draws_same_bytes(self):
        for index in range(8):
            one, two = scenes.scene(5, index), scenes.scene(5, index)
            self.assertEqual(one.data, two.data)
            self.assertEqual(one.codes, two.codes)
        self.assertNotEqual(scenes.scene(5, 0).data, scenes.scene(6, 0).data)

    def test_one_group_alone(self):
        self.assertEqual({scenes.scene(5, index, "covered").group for index in range(8)}, {"covered"})
        self.assertNotEqual(scenes.scene(5, 0, "covered").data, scenes.scene(5, 1, "covered").data)

    def test_corners_are_in_the_picture(self):
        for index in range(40):
            scene = scenes.scene(7, index)
            height, width = scene.picture.shape
            for code in scene.codes:
                with self.subTest(index=index, code=code.text):
                    for x, y in code.corners:
                        self.assertTrue(-.1 <= x <= width + .1 and -.1 <= y <= height + .1)
            self.assertEqual(scene.group == "empty", not scene.codes, (index, scene.group))

    def test_texts_of_a_scene_differ(self):
        for index in range(40):
            texts = [text for code in scenes.scene(8, index).codes for text in code.texts]
            self.assertEqual(len(texts), len(set(texts)))

    def test_peer_reads_clear_symbols_at_their_corners(self):
        """zxing-cpp reads each symbology, large and photographed from an angle, between the corners of the truth."""
        for kind in sorted({row[0] for row in symbols.TABLE}):
            for number in range(3):
                with self.subTest(kind=kind, number=number):
                    r = random.Random(f"{kind} {number}")
                    drawing = Canvas(r, 1400, 1000)
                    drawing.symbol(drawing.new_symbol([kind], 240), 200, 250, 4, 160)
                    # zxing-cpp reads some symbologies upright alone.
                    upright = kind in ("maxi_code", "micro_pdf417", "rmqr_code")
                    camera = Camera(1400, 1000, turn=0 if upright else 6, tilt=(0, 0) if upright else (4, 3))
                    codes = scenes.truths(camera, drawing)
                    picture = camera.take(drawing)
                    found = list(run.zxing_symbols(picture))
                    self.assertEqual(run.score(codes, found)[0], {0}, (codes, found))
                    corners = numpy.array(codes[0].corners, numpy.float32)
                    position = run.zxing_center(picture)
                    self.assertGreater(cv2.pointPolygonTest(corners, position, False), 0, (corners, position))


class ScoreTests(unittest.TestCase):
    def test_counts_read_missed_wrong_and_twice(self):
        codes = [truth("A1"), truth("B2"), truth("C3")]
        read, wrong, twice = run.score(codes, [answer("B2"), answer("X9"), answer("B2"), answer("A1")])
        self.assertEqual((read, [s["rawValue"] for s in wrong], twice), ({0, 1}, ["X9"], 1))

    def test_texts_that_readers_write_differently_are_equal(self):
        upc = truth("036000291452", "upc_a", ["36000291452"])
        for text, kind in ("0036000291452", "EAN-13"), ("036000291452", "upc_a"), ("036000291452 12", "UPC-A"):
            self.assertEqual(run.score([upc], [answer(text, kind)])[:2], ({0}, []), text)
        upce = truth("042100005264", "upc_e", ["42100005264"])
        self.assertEqual(run.score([upce], [answer("04252614", "UPC-E")])[0], {0})
        bar = truth("0109501101530003", "databar", ["109501101530003"])
        self.assertEqual(run.score([bar], [answer("(01)09501101530003", "DataBar")])[0], {0})

    def test_wrong_add_on_is_wrong(self):
        book = truth("978030640615+54495", "ean_13", ["9780306406157"])
        self.assertEqual(run.score([book], [answer("9780306406157", "ean_13", addOn="54495")])[1], [])
        self.assertEqual(run.score([book], [answer("9780306406157", "ean_13")])[0], {0})
        self.assertEqual(len(run.score([book], [answer("9780306406157", "ean_13", addOn="54490")])[1]), 1)

    def test_any_text_in_an_empty_scene_is_wrong(self):
        self.assertEqual(len(run.score([], [answer("12345678")])[1]), 1)


class GateTests(unittest.TestCase):
    floors = {"shelf": {"there": 100, "read": 80, "wrong": 1, "twice": 0}}

    def check(self, slack=0, **changes):
        failures, better = gate.check(self.floors, {"shelf": self.floors["shelf"] | changes}, slack)
        return len(failures), len(better)

    def test_fails_if_a_count_gets_worse(self):
        self.assertEqual(self.check(), (0, 0))
        self.assertEqual(self.check(read=79), (1, 0))
        self.assertEqual(self.check(read=81), (0, 1))
        self.assertEqual(self.check(wrong=2), (1, 0))
        self.assertEqual(self.check(twice=1), (1, 0))
        self.assertEqual(self.check(there=99), (1, 0))

    def test_allows_one_in_a_hundred_with_other_versions(self):
        self.assertEqual(self.check(.01, read=79), (0, 0))
        self.assertEqual(self.check(.01, read=78), (1, 0))

    def test_fails_if_a_group_is_missing_or_new(self):
        self.assertEqual(len(gate.check(self.floors, {})[0]), 1)
        self.assertEqual(len(gate.check({}, self.floors)[0]), 1)


if __name__ == "__main__":
    unittest.main()
