"""The switch on the station's page that has codes typed into other windows. Nothing is typed here: whenever the keyboard is
armed and a code comes, the page has the focus, since the keyboard of whoever runs the tests would type it."""
from browser import at, text
from common import open_browser
from plain_page import PlainPage
from station import Station, wait_for
from test_clerk import ClerkTest

CONFIGURATION = """
station: counter-1
destinations:
  window:
    type: keyboard
    forPages: true
"""
PAGE = """<!doctype html><title>Form</title><p>in front</p><script src="%s/bridge.js"></script>"""
TYPE = """
    const done = arguments[arguments.length - 1];
    quietzone.type('4006381333931').then(() => done('typed'), (error) => done(error.code));
"""
TEXT = {"text": "ORDER-1"}


class KeyboardTests(ClerkTest):
    @classmethod
    def setUpClass(cls):
        cls.page = PlainPage("")
        cls.addClassCleanup(cls.page.stop)
        cls.station = Station(
            origins=[cls.page.url], configuration=CONFIGURATION, arguments=["--camera", "none"])
        cls.addClassCleanup(cls.station.stop)
        cls.page.html = PAGE % cls.station.url

    def setUp(self):
        super().setUp()
        self.addCleanup(self.station.request, "POST", "/keyboard", {"armed": False})

    def keyboard(self):
        return self.station.get("/keyboard")

    def state(self):
        return text(self.driver, "keyboard-state")

    def store(self):
        self.station.request("POST", "/typed", TEXT)

    def arm(self):
        wait_for("the page has the focus", lambda: self.keyboard()["focused"])
        at(self.driver, "keyboard-armed").click()
        wait_for("armed", lambda: self.keyboard()["armed"])

    def test_it_is_off_and_never_types_into_its_own_page(self):
        wait_for("the switch", lambda: at(self.driver, "keyboard-box").is_displayed())
        self.assertFalse(at(self.driver, "keyboard-armed").is_selected())
        self.assertIn("Off", self.state())
        before = self.keyboard()["held"]
        self.store()
        wait_for("not typed", lambda: self.keyboard()["held"]["disarmed"] == before["disarmed"] + 1)
        wait_for("it is said", lambda: "not typed while it was off" in text(self.driver, "keyboard-counts"))
        wait_for("not called delivered", lambda: "Not sent" in text(self.driver, "latest-deliveries"))
        self.assertIn("typing is switched off", text(self.driver, "latest-deliveries"))
        self.assertEqual(text(self.driver, "latest-state"), "Saved")
        self.arm()
        wait_for("it is said", lambda: "this page has the focus" in self.state())
        self.store()
        wait_for("not typed", lambda: self.keyboard()["held"]["focused"] == before["focused"] + 1)
        wait_for("it is said", lambda: "while this page had the focus" in text(self.driver, "keyboard-counts"))
        self.assertEqual(self.keyboard()["typed"], 0)
        self.check("keyboard")
        self.assertEqual(self.browser.complaints(), [])
        at(self.driver, "keyboard-armed").click()
        wait_for("off", lambda: "Off" in self.state())
        self.assertFalse(self.keyboard()["armed"])

    def test_another_window_in_front(self):
        self.arm()
        own = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        wait_for("another page is in front", lambda: not self.keyboard()["focused"])
        self.driver.close()
        self.driver.switch_to.window(own)
        wait_for("it is in front again", lambda: self.keyboard()["focused"])

    def test_a_page_that_vanishes(self):
        self.arm()
        self.browser.quit()
        wait_for("it has the focus no more", lambda: not self.keyboard()["focused"], seconds=20)

    def test_it_is_switched_elsewhere(self):
        wait_for("the switch", lambda: at(self.driver, "keyboard-box").is_displayed())
        self.station.request("POST", "/keyboard", {"armed": True})
        wait_for("it is shown", lambda: at(self.driver, "keyboard-armed").is_selected())
        self.station.request("POST", "/keyboard", {"armed": False})
        wait_for("it is shown", lambda: not at(self.driver, "keyboard-armed").is_selected())

    def test_a_page_that_asks(self):
        page = open_browser()
        self.addCleanup(page.quit)
        page.driver.get(self.page.url)
        self.assertEqual(page.driver.execute_async_script(TYPE), "not_armed")
        self.arm()
        self.assertEqual(page.driver.execute_async_script(TYPE), "page_focused")
        self.assertEqual(self.keyboard()["typed"], 0)


del ClerkTest
