"""The layout: codes that arrive move nothing, the history is in view, and no window is too narrow."""
import unittest

from browser import at, text
from common import SharedBrowserTest, open_browser
from station import Station, sample, wait_for

# Long texts, GS1, links, and kinds that look different.
SAMPLES = (
    "qr.png", "qr-version40.png", "gs1-128.png", "data-matrix-gs1.png", "code128.png", "code39.png", "ean13.png",
    "itf14.png", "code128-rotated90.png", "order-form.png",
)

# Personal codes, links and payments, as a scan gun types them.
TYPED = (
    "WIFI:T:WPA;S:ward;P:not-shown;;", "BEGIN:VCARD\nVERSION:3.0\nFN:Anna Example\nTEL:+49 30 1\nEND:VCARD",
    "https://example.org/a/very/long/path?" + "query=value&" * 40, "ORDER-2024-081 " * 100, "mailto:anna@example.org",
    "otpauth://totp/Ward:anna?secret=JBSWY3DPEHPK3PXP&issuer=Ward",
)

OBSERVE = """
window.shifts = [];
requestAnimationFrame(() => requestAnimationFrame(() => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
        window.shifts.push({ value: entry.value, nodes: entry.sources.map(({ node }) => node
            && (node.id || node.getAttribute?.('class') || node.parentNode && node.parentNode.id || node.nodeName)) });
    }
}).observe({ type: 'layout-shift' })));
"""

ROWS = """
const sees = (row) => {
    const box = row.getBoundingClientRect();
    const x = box.left + 40;
    return [box.top + 2, box.bottom - 2].every((y) => y < innerHeight && row.contains(document.elementFromPoint(x, y)));
};
return [...document.querySelectorAll('#scans tr')].filter(sees).length;
"""

OUTSIDE = """
return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 8).map((one) => one.nodeName + ' ' + one.id + ' ' + one.className);
"""

INSTEAD = """
const [state, text, done] = arguments;
import('/app-history.js').then((page) => { page.showInstead(state, { text, format: 'qr_code' }); done(); });
"""


def shifts(driver):
    """What has moved since OBSERVE was run."""
    # The last frame is reported after it is painted.
    driver.execute_async_script("setTimeout(arguments[0], 300)")
    return driver.execute_script("return window.shifts")


# A station of which the page shows all that it may show: a place, a person and an answer of a lookup.
EVERYTHING = """
station: counter-1
place: Ward 3
operators:
  badge: "^STAFF-"
lookup:
  url: http://127.0.0.1:1/{{symbol.text}}
  text: "{{name}}"
"""


class OpeningTests(unittest.TestCase):
    def test_a_page_that_opens_moves_nothing(self):
        station = Station(arguments=["--camera", "none"], configuration=EVERYTHING)
        self.addCleanup(station.stop)
        station.upload(sample("code39.png"))
        station.request("POST", "/typed", {"text": "STAFF-0042", "gun": True})
        browser = open_browser()
        self.addCleanup(browser.quit)
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=OBSERVE)
        for width, height in ((1366, 768), (390, 844)):
            browser.emulate("light", width, height)
            browser.enter(station)
            self.assertIn("Ward 3", text(browser.driver, "workplace-place"))
            self.assertEqual(shifts(browser.driver), [], "at %d pixels" % width)

    def test_the_bar_has_its_height_while_its_parts_arrive(self):
        """A page that arrives in pieces is painted with the first of them."""
        station = Station(arguments=["--camera", "none"], configuration=EVERYTHING)
        self.addCleanup(station.stop)
        browser = open_browser()
        self.addCleanup(browser.quit)
        for width, height in ((1366, 768), (390, 844)):
            browser.emulate("light", width, height)
            browser.enter(station)
            late, early = browser.driver.execute_script("""
                const top = () => document.querySelector('.bar img').getBoundingClientRect().top;
                const late = top();
                for (const part of [...document.querySelector('.bar').children].slice(1)) part.hidden = true;
                return [late, top()];
            """)
            self.assertAlmostEqual(early, late, delta=0.5, msg="at %d pixels" % width)


# A station that tries again long after a destination has not answered.
WAITING = """
station: counter-1
destinations:
  receiver:
    type: http
    url: http://127.0.0.1:1/
    unsigned: true
    retryAfterSeconds: [600]
"""


class BarTests(unittest.TestCase):
    def test_the_bar_says_that_a_destination_is_waited_for(self):
        station = Station(arguments=["--camera", "none"], configuration=WAITING)
        self.addCleanup(station.stop)
        browser = open_browser()
        self.addCleanup(browser.quit)
        browser.enter(station)
        self.assertEqual(text(browser.driver, "delivery-word"), "Delivering")
        station.upload(sample("code39.png"))
        wait_for("the bar", lambda: text(browser.driver, "delivery-word") == "Waiting for the other system")
        at(browser.driver, "language").click()
        self.assertEqual(text(browser.driver, "delivery-word"), "等待对方系统")


class LayoutTests(SharedBrowserTest):
    pictures = ("order-form.png",)

    def setUp(self):
        self.browser.emulate("light", 1366, 768)
        self.browser.enter(self.station)

    def tearDown(self):
        self.browser.emulate("light", 1280, 900)

    def fill(self):
        for name in SAMPLES:
            self.station.upload(sample(name))
        wait_for("rows", lambda: len(self.driver.find_elements("css selector", "#scans tr")) >= 10)

    def show(self, width, height):
        """Opens the page in a window of this size, and waits until nothing is missing."""
        self.browser.emulate("light", width, height)
        self.browser.enter(self.station)
        wait_for("a code", lambda: at(self.driver, "latest").get_attribute("data-state") != "none")
        wait_for("a picture", lambda: at(self.driver, "stage").get_attribute("data-live") == "true")

    def scan(self, store):
        """Stores a code, and waits until the page shows it."""
        newest = "return document.querySelector('#scans tr').dataset.id"
        known = self.driver.execute_script(newest)
        store()
        wait_for("its row", lambda: self.driver.execute_script(newest) != known)

    def test_codes_that_arrive_move_nothing(self):
        for width, height in ((1366, 768), (1920, 1080), (390, 844)):
            self.show(width, height)
            self.driver.execute_script(OBSERVE)
            for name in SAMPLES:
                self.scan(lambda name=name: self.station.upload(sample(name)))
            for code in TYPED:
                self.scan(lambda code=code: self.station.request("POST", "/typed", {"text": code, "gun": True}))
            self.setting.receiver.pause()
            try:
                # The second has a meaning, below its delivery.
                for name in ("upca.png", "data-matrix-gs1.png"):
                    self.scan(lambda name=name: self.station.upload(sample(name)))
                wait_for("given up", lambda: at(self.driver, "latest").get_attribute("data-state") == "failed")
            finally:
                self.setting.receiver.resume()
            for index in range(10):
                state = ("seen", "not-saved")[index % 2]
                self.driver.execute_async_script(INSTEAD, state, "ORDER-2024-081 " * 4 ** (index % 5))
            self.assertEqual(shifts(self.driver), [], "at %d pixels" % width)

    def test_rows_that_push_each_other_would_be_noticed(self):
        self.show(1366, 768)
        self.driver.execute_script(
            "const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet];"
            "sheet.replaceSync('#scans tr { position: static !important; transform: none !important }')")
        self.driver.execute_script(OBSERVE)
        self.scan(lambda: self.station.upload(sample("codabar.png")))
        self.assertNotEqual(shifts(self.driver), [])

    def test_rows_of_the_history_are_in_view(self):
        self.fill()
        for width, height, least in ((1366, 768, 5), (1366, 625, 2), (1920, 1080, 8), (1024, 768, 3), (390, 844, 2)):
            for theme in ("dark", "light"):
                self.browser.emulate(theme, width, height)
                self.driver.execute_script("scrollTo(0, 0)")
                self.browser.screenshot("layout-%dx%d-%s" % (width, height, theme))
            self.assertGreaterEqual(self.driver.execute_script(ROWS), least, "at %d x %d" % (width, height))

    def test_nothing_scrolls_sideways(self):
        self.fill()
        # The last two are 1366 x 768 and 390 x 844 at 200 %.
        for width, height in ((320, 640), (390, 844), (768, 1024), (961, 700), (1024, 768), (1366, 768), (1920, 1080),
                              (2560, 1440), (683, 384), (195, 422)):
            self.browser.emulate("light", width, height)
            broad = self.driver.execute_script("return document.documentElement.scrollWidth")
            outside = self.driver.execute_script(OUTSIDE)
            self.assertLessEqual(broad, width, "at %d x %d: %s" % (width, height, outside))

    def test_the_stage_is_at_most_half_of_the_window(self):
        for width, height in ((1366, 768), (1920, 1080), (390, 844)):
            self.browser.emulate("light", width, height)
            size = self.driver.execute_script(
                "const box = document.getElementById('stage').getBoundingClientRect(); return box.height")
            self.assertLessEqual(size, height / 2)
