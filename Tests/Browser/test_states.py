"""Pictures of the page in each state, in four sizes, light and dark, in out/screenshots/states, for looking at. No state
makes the page broader than its window, or a text of a button longer than the button."""
import os
import unittest

from browser import at
from common import Setting, open_browser
from station import OUT, Station, sample, wait_for

SIZES = ((1920, 1080), (1366, 768), (1024, 768), (390, 844))

# Buttons and tabs in which something does not fit.
CUT = """
return [...document.querySelectorAll('button, [role=tab]')].filter((one) => one.offsetWidth
    && one.scrollWidth > one.clientWidth + 1).map((one) => one.id + ': ' + one.textContent);
"""

# What is said in place of the camera's picture, and has no room there.
OUTSIDE = """
const stage = document.getElementById('stage').getBoundingClientRect();
return [...document.querySelectorAll('#blank > p, #blank .drop')].filter((one) => {
    const { top, bottom, height } = one.getBoundingClientRect();
    return height && (top < stage.top - 1 || bottom > stage.bottom + 1);
}).map((one) => one.textContent);
"""

UNSAVED = """
const done = arguments[0];
import('/app-storage.js').then((page) => {
    page.cannotSave('disk_full');
    page.takeUnsaved(Array.from({length: 3}, (_, index) => ({ text: 'ORDER-2024-081' + index, format: 'code_128' })));
    return import('/app-history.js');
}).then((page) => {
    page.showInstead('not-saved', { text: 'ORDER-2024-0812' }, 'Code 128');
    done();
});
"""

LOST = """
const done = arguments[0];
import('/app-camera.js').then((page) => {
    page.showCamera({ status: 'lost', problem: null, card: 'HD Webcam', path: '/dev/video0', mode: 'continuous',
        region: null, cameras: [], controls: [] });
    done();
});
"""


class StateTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.setting = Setting(("order-form.png",))
        cls.addClassCleanup(cls.setting.stop)
        cls.station = cls.setting.station
        cls.browser = open_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.driver = cls.browser.driver
        os.makedirs(os.path.join(OUT, "screenshots", "states"), exist_ok=True)

    def look(self, state):
        for width, height in SIZES:
            for theme in ("light", "dark"):
                self.browser.emulate(theme, width, height)
                # The page draws what changes with its size in the next frame.
                self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
                with self.subTest(state=state, width=width, theme=theme):
                    self.browser.screenshot(os.path.join("states", "%s-%d-%s" % (state, width, theme)))
                    self.assertLessEqual(
                        self.driver.execute_script("return document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.driver.execute_script(CUT), [])
                    self.assertEqual(self.driver.execute_script(OUTSIDE), [])

    def test_in_use_and_each_tab(self):
        for name in ("qr.png", "gs1-128.png", "ean13.png", "code39.png"):
            self.station.upload(sample(name))
        self.browser.enter(self.station)
        wait_for("a code", lambda: at(self.driver, "latest").get_attribute("data-state") == "delivered")
        wait_for("a picture", lambda: at(self.driver, "stage").get_attribute("data-live") == "true")
        self.look("in-use")
        for name in ("type", "pictures", "count", "phone", "todo"):
            self.browser.open_tab(name)
            self.look("tab-" + name)
        self.browser.open_preferences()
        self.look("preferences")

    def test_not_accepted(self):
        self.setting.receiver.pause()
        try:
            self.browser.enter(self.station)
            self.station.upload(sample("codabar.png"))
            wait_for("given up", lambda: at(self.driver, "latest").get_attribute("data-state") == "failed")
            self.browser.open_tab("todo")
            self.look("not-accepted")
        finally:
            self.setting.receiver.resume()

    def test_not_saved(self):
        self.browser.enter(self.station)
        self.driver.execute_async_script(UNSAVED)
        self.browser.open_tab("todo")
        self.look("not-saved")
        self.driver.execute_script("sessionStorage.clear()")

    def test_camera_lost(self):
        self.browser.enter(self.station)
        # Until then the page asks for its own camera, whose state would replace this one.
        wait_for("a picture", lambda: at(self.driver, "stage").get_attribute("data-live") == "true")
        self.driver.execute_async_script(LOST)
        wait_for("it is said", lambda: at(self.driver, "blank").is_displayed())
        self.look("camera-lost")

    def test_empty_and_away(self):
        station = Station(arguments=["--camera", "none"])
        try:
            self.browser.enter(station)
            wait_for("it is said", lambda: at(self.driver, "empty").is_displayed())
            self.look("empty")
            station.kill()
            wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
            self.look("away")
        finally:
            station.stop()
