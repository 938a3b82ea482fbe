"""Advice: the page says what helps while the camera sees a code that it does not read."""
import os
import random
import shutil
import subprocess
import tempfile
import unittest

from browser import at, text
from common import open_browser
from station import Station, sample, wait_for
from test_accessible import AXE, RUN
from test_layout import OBSERVE, shifts

MODULE = 6
PAPER, INK = 220, 20
# The columns of a module before they are averaged.
FINE = 12


def draw(path, tone):
    """Draws a QR Code in gray with a disk of one tone over its middle."""
    rows = subprocess.run(
        ["qrencode", "-t", "ASCIIi", "-m", "4", "-l", "L", "ORDER-2024-081 " * 4], capture_output=True,
        text=True, check=True).stdout.splitlines()
    # ASCIIi marks light modules, two characters each.
    size = len(rows) * MODULE
    pixels = bytearray()
    for y in range(size):
        for x in range(size):
            away = (x - size / 2) ** 2 + (y - size / 2) ** 2
            is_light = rows[y // MODULE][2 * (x // MODULE):][:1] == "#"
            pixels.append(tone if away < (size / 6) ** 2 else PAPER if is_light else INK)
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (size, size) + pixels)


def draw_bars(path, module, blur):
    """Draws bars and spaces of one to three modules, as of a linear symbol, of which each pixel sees `blur` pixels."""
    numbers = random.Random(7)
    columns = [PAPER] * 240
    for bar in range(60):
        columns += [INK if bar % 2 == 0 else PAPER] * (FINE * numbers.choice((1, 1, 2, 2, 3)))
    columns += [INK] * FINE + [PAPER] * 240
    width = int(len(columns) / FINE * module)
    reach = blur / 2 * FINE / module
    row = []
    for x in range(width):
        center = (x + 0.5) * FINE / module
        part = columns[max(0, int(center - reach)):int(center + reach) + 1]
        row.append(sum(part) // len(part))
    paper = bytes([PAPER] * width) * 40
    height = max(100, int(60 * module))
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (width, height + 80) + paper + bytes(row) * height + paper)


class AdviceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = open_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.driver = cls.browser.driver

    def open(self, fill):
        """A station whose camera shows what `fill` puts into a folder, and its page."""
        folder = tempfile.mkdtemp(prefix="advice.")
        self.addCleanup(shutil.rmtree, folder)
        fill(folder)
        station = Station(folder, arguments=["--replay-rate", "8"])
        self.addCleanup(station.stop)
        self.browser.emulate("light", 1366, 768)
        self.browser.enter(station)
        wait_for("a picture", lambda: at(self.driver, "stage").get_attribute("data-live") == "true")

    def test_a_reason_that_lasts_is_said(self):
        cases = (
            ("damaged", lambda path: draw(path, 120), "Show the whole code"),
            ("glare", lambda path: draw(path, 255), "less glare"),
            ("small", lambda path: draw_bars(path, module=0.8, blur=1), "Move closer"),
            ("blurred", lambda path: draw_bars(path, module=6, blur=8), "Hold still"),
        )
        for name, picture, words in cases:
            with self.subTest(name):
                self.open(lambda folder, picture=picture: picture(os.path.join(folder, "code.pgm")))
                self.driver.execute_script(OBSERVE)
                wait_for(words, lambda words=words: words in text(self.driver, "advice"))
                self.assertEqual(shifts(self.driver), [])
                for width, height in ((1366, 768), (390, 844)):
                    self.browser.emulate("light", width, height)
                    self.browser.screenshot("advice-%s-%d" % (name, width))
                    inside = self.driver.execute_script(
                        "const [line, stage] = ['advice', 'stage'].map((id) => document.getElementById(id)"
                        ".getBoundingClientRect()); return line.left >= stage.left && line.right <= stage.right"
                        " && line.bottom <= stage.bottom")
                    self.assertTrue(inside, "at %d pixels" % width)

    def test_it_is_announced_in_the_language_of_the_page(self):
        self.open(lambda folder: draw(os.path.join(folder, "code.pgm"), 120))
        wait_for("advice", lambda: text(self.driver, "advice"))
        self.assertEqual(at(self.driver, "advice").get_attribute("aria-live"), "polite")
        self.driver.execute_script(AXE)
        self.assertEqual(self.driver.execute_async_script(RUN), [])
        at(self.driver, "language").click()
        try:
            wait_for("Chinese", lambda: "完整露出" in text(self.driver, "advice"))
        finally:
            at(self.driver, "language").click()

    def test_a_code_that_is_read_needs_none(self):
        self.open(lambda folder: shutil.copy(sample("qr.png"), folder))
        wait_for("a code", lambda: text(self.driver, "latest-content"))
        self.assertEqual(text(self.driver, "advice"), "")

    def test_it_ends_while_the_picture_stands_still(self):
        self.open(lambda folder: draw(os.path.join(folder, "code.pgm"), 120))
        wait_for("advice", lambda: text(self.driver, "advice"))
        at(self.driver, "freeze").click()
        wait_for("no advice", lambda: not text(self.driver, "advice"))


if __name__ == "__main__":
    unittest.main()
