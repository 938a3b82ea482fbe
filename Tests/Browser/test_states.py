"""The page in each state, in four sizes, light and dark, and in Chinese: no state makes the page broader than its window,
or a text longer than its button or field. If QUIETZONE_SCREENSHOTS is set, pictures are left in out/screenshots/states.
"""
import os
import unittest

from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import Setting, open_browser
from station import Station, sample, wait_for

SIZES = ((1920, 1080), (1366, 768), (1024, 768), (390, 844))
VIEWS = [("en", theme, width, height) for width, height in SIZES for theme in ("light", "dark")] + [
    ("zh", "light", 1366, 768), ("zh", "dark", 1024, 768), ("zh", "light", 390, 844)]

# Buttons, tabs, and hints of empty fields that do not fit.
CUT = """
const ruler = document.createElement('canvas').getContext('2d');
const room = (field) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    ruler.font = font;
    return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
        - ruler.measureText(field.placeholder).width;
};
return [...document.querySelectorAll('button, [role=tab]')].filter((one) => one.offsetWidth
    && one.scrollWidth > one.clientWidth + 1).map((one) => one.id + ': ' + one.textContent)
    .concat([...document.querySelectorAll('input')].filter((one) => one.placeholder && one.offsetWidth > 1 && room(one) < 0)
        .map((one) => one.id + ': ' + one.placeholder));
"""

# What begins to the left of the window, where nobody can scroll to.
LEFT = """
return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility({ visibilityProperty: true })
    && one.getBoundingClientRect().left < -1).map((one) => one.nodeName + ' ' + one.id);
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
    page.takeUnsaved(Array.from({length: 3}, (_, index) => ({
        text: 'ORDER-2024-081' + index, format: 'code_128', identifier: ']C0' })));
    return import('/app-history.js');
}).then((page) => {
    page.showInstead('not-saved', { text: 'ORDER-2024-0812', format: 'code_128', identifier: ']C0' });
    done();
});
"""

WORKPLACE = """
station: counter-1
place: Ward 3
operators:
  badge: "^STAFF-"
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

    def look(self, state):
        for language, theme, width, height in VIEWS:
            self.speak(language)
            self.browser.emulate(theme, width, height)
            # The page draws what changes with its size in the next frame.
            self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            with self.subTest(state=state, language=language, width=width, theme=theme):
                self.browser.screenshot(os.path.join("states", "%s-%s-%d-%s" % (state, language, width, theme)))
                self.assertLessEqual(self.driver.execute_script("return document.documentElement.scrollWidth"), width)
                self.assertEqual(self.driver.execute_script(CUT), [])
                self.assertEqual(self.driver.execute_script(LEFT), [])
                self.assertEqual(self.driver.execute_script(OUTSIDE), [])
        self.speak("en")

    def speak(self, language):
        # An open dialog leaves no button behind it that could be clicked.
        self.driver.execute_script(
            "if (!document.documentElement.lang.startsWith(arguments[0])) document.getElementById('language').click()",
            language)

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
        at(self.driver, "preferences-close").click()
        at(self.driver, "settings").click()
        self.look("camera-settings")
        at(self.driver, "settings").click()
        self.browser.open_tab("count")
        at(self.driver, "counting-name").send_keys("shelf 3", Keys.ENTER)
        wait_for("open", lambda: at(self.driver, "counting-open").is_displayed())
        self.station.request("POST", "/typed", {"text": "036000291452"})
        wait_for("counted", lambda: "1 in all" in text(self.driver, "counting-total"))
        self.look("counting")
        self.station.request("POST", "/counts/1/close", {"deliver": False})
        self.browser.emulate("light", 1366, 768)
        self.driver.execute_script("document.getElementById('filter-more').open = true")
        self.look("filters")
        self.driver.execute_script("document.getElementById('filter-more').open = false")

    def test_who_and_where(self):
        station = Station(configuration=WORKPLACE, arguments=["--camera", "none"])
        try:
            self.browser.enter(station)
            wait_for("nobody", lambda: "Nobody" in text(self.driver, "workplace-operator"))
            self.look("nobody")
            station.request("POST", "/typed", {"text": "STAFF-0042", "gun": True})
            wait_for("a badge", lambda: at(self.driver, "workplace-name-form").is_displayed())
            self.look("new-badge")
            at(self.driver, "workplace-name").send_keys("Anna", Keys.ENTER)
            wait_for("the name", lambda: text(self.driver, "workplace-operator") == "Anna")
            self.assertEqual(text(self.driver, "bar-place"), " · Ward 3")
            self.look("somebody")
        finally:
            station.stop()

    def test_signed_out(self):
        self.browser.enter(self.station)
        self.driver.execute_async_script(
            "import('/app-access.js').then((page) => { page.askToSignIn('signedOut'); arguments[0](); })")
        self.look("signed-out")

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
        station = Station(arguments=["--camera", "/dev/no-such-camera"])
        try:
            self.browser.enter(station)
            wait_for("it is said", lambda: at(self.driver, "stage").get_attribute("data-status") == "lost"
                     and at(self.driver, "blank").is_displayed())
            self.look("camera-lost")
        finally:
            station.stop()

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
