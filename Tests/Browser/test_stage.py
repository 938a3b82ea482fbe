"""The stage of the page: labels beside codes, controls at hand, a still, success that is felt, no camera, no station."""
import http.server
import random
import signal
import threading
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import OwnBrowserTest, SharedBrowserTest
from station import Station, sample, wait_for

PLACE = """
const [boxes, sizes, frame, done] = arguments;
import('/app-stage.js').then((stage) => done(stage.placeLabels(boxes, sizes, frame, 4)));
"""

CONTROLS = """
const [done] = arguments;
import('/app-camera.js').then((page) => {
    page.showCamera({ status: 'running', card: 'Document camera', path: '/dev/video2', mode: 'continuous',
        cameras: [{ path: '/dev/video0', card: 'HD Webcam' }, { path: '/dev/video2', card: 'Document camera' }],
        controls: [
            { name: 'brightness', minimum: 0, maximum: 255, step: 1, value: 128, settable: true },
            { name: 'focus_automatic_continuous', minimum: 0, maximum: 1, step: 1, value: 0, settable: true },
            { name: 'focus_absolute', minimum: 0, maximum: 250, step: 5, value: 30, settable: true },
            { name: 'zoom_absolute', minimum: 100, maximum: 400, step: 1, value: 100, settable: true },
            { name: 'exposure_time_absolute', minimum: 1, maximum: 5000, step: 1, value: 250, settable: false },
            { name: 'led1_mode', minimum: 0, maximum: 3, step: 1, value: 0, settable: true,
                menu: { 0: 'Off', 1: 'On' } }] });
    done([...document.querySelectorAll('#quick .row')].map((row) => row.querySelector('span').textContent));
});
"""


class StageTests(SharedBrowserTest):
    pictures = ("order-form.png",)

    def setUp(self):
        self.browser.emulate("light", 1280, 900)
        self.browser.enter(self.station)

    def test_labels_never_cover_a_code(self):
        seed = random.randrange(1 << 32)
        numbers = random.Random(seed)
        frame = {"width": 640, "height": 480}
        for _ in range(60):
            boxes, sizes = [], []
            for _ in range(numbers.randint(1, 9)):
                left, top = numbers.uniform(-20, 600), numbers.uniform(-20, 440)
                boxes.append({"left": left, "top": top, "right": left + numbers.uniform(10, 500),
                              "bottom": top + numbers.uniform(10, 400)})
                sizes.append({"width": numbers.uniform(20, 300), "height": 24})
            placed = [one for one in self.driver.execute_async_script(PLACE, boxes, sizes, frame) if one]
            for index, one in enumerate(placed):
                self.assertTrue(one["left"] >= 0 and one["top"] >= 0 and one["right"] <= 640
                                and one["bottom"] <= 480, "seed %d" % seed)
                for other in boxes + placed[:index]:
                    apart = (one["right"] <= other["left"] or one["left"] >= other["right"]
                             or one["bottom"] <= other["top"] or one["top"] >= other["bottom"])
                    self.assertTrue(apart, "seed %d: %s over %s" % (seed, one, other))
        alone = self.driver.execute_async_script(
            PLACE, [{"left": 100, "top": 100, "right": 200, "bottom": 200}], [{"width": 150, "height": 20}], frame)
        self.assertEqual(alone[0]["top"], 204)

    def test_the_latest_code_stands_above_the_fold_of_a_phone(self):
        wait_for("a code", lambda: text(self.driver, "latest-content"))
        self.browser.emulate("light", 390, 780)
        self.driver.execute_script("scrollTo(0, 0)")
        self.browser.screenshot("stage-phone")
        bottom = self.driver.execute_script(
            "return document.getElementById('latest-state').getBoundingClientRect().bottom")
        self.assertLess(bottom, 780)

    def test_a_still_is_read_again(self):
        wait_for("a picture", lambda: at(self.driver, "freeze").is_enabled())
        at(self.driver, "freeze").click()
        wait_for("it stands", lambda: at(self.driver, "freeze").get_attribute("aria-pressed") == "true")
        known = {scan["event"]["id"] for scan in self.station.scans()}
        self.browser.screenshot("stage-frozen")
        at(self.driver, "freeze-read").click()
        wait_for("it was read", lambda: [scan for scan in self.station.scans() if scan["event"]["id"] not in known])
        wait_for("it goes on", lambda: at(self.driver, "freeze").get_attribute("aria-pressed") == "false")

    def test_controls_that_the_camera_has_are_at_hand(self):
        # Until then the page asks for its own camera, whose state would replace this one.
        wait_for("a picture", lambda: at(self.driver, "stage").get_attribute("data-live") == "true")
        names = self.driver.execute_async_script(CONTROLS)
        self.assertEqual(names, ["Zoom", "Focus automatic continuous", "Focus", "Led1 mode"])
        wait_for("the cameras", lambda: at(self.driver, "cameras").is_displayed())
        self.browser.screenshot("stage-controls")

    def test_gs1_128_is_called_so(self):
        for name, said in (("gs1-128.png", "GS1-128 ·"), ("code128.png", "Code 128 ·")):
            self.station.upload(sample(name))
            wait_for(said, lambda said=said: text(self.driver, "latest-facts").startswith(said))

    def test_a_message_over_two_symbols_is_joined(self):
        self.station.upload(sample("qr-append-02.png"))
        wait_for("a part", lambda: "part 2 of 2, missing: 1" in text(self.driver, "latest-facts"))
        # A part alone does not tell whether the message is personal.
        self.assertEqual(text(self.driver, "latest-content"), "Part of a message · ••••••")
        self.browser.screenshot("part")
        self.station.upload(sample("qr-append-01.png"))
        wait_for("the whole", lambda: text(self.driver, "latest-content") == "The first of two halves, the second.")
        self.assertIn("joined from 2 symbols", text(self.driver, "latest-facts"))
        rows = self.driver.find_elements(By.CSS_SELECTOR, "#scans tr .format")
        self.assertEqual([row.text for row in rows[:3]], [
            "QR Code · joined from 2 symbols", "QR Code · part 1 of 2", "QR Code · part 2 of 2, missing: 1"])
        self.browser.screenshot("joined")

    def test_success_is_felt(self):
        self.driver.execute_script("document.getElementById('stage').dataset.felt = ''")
        self.station.upload(sample("qr.png"))
        wait_for("the flash", lambda: at(self.driver, "stage").get_attribute("data-felt") in ("saved", "delivered"))


class AwayTests(OwnBrowserTest):
    def test_without_a_camera_pictures_have_its_place(self):
        station = Station(arguments=["--camera", "none"])
        self.addCleanup(station.stop)
        self.browser.enter(station)
        wait_for("the button", lambda: at(self.driver, "blank-drop").find_element(By.ID, "drop").is_displayed())
        named = self.driver.find_elements(By.XPATH, "//*[text()='Choose pictures']")
        self.assertEqual(len([one for one in named if one.is_displayed()]), 1)
        self.assertIn("This station has no camera.", text(self.driver, "blank-word"))
        self.assertFalse(at(self.driver, "freeze").is_displayed())
        for name, theme, width in (("desktop", "light", 1280), ("phone", "light", 390), ("dark", "dark", 1280)):
            self.browser.emulate(theme, width, 900)
            self.browser.screenshot("no-camera-" + name)
        at(self.driver, "language").click()
        wait_for("Chinese", lambda: "没有摄像头" in text(self.driver, "blank-word"))
        self.browser.screenshot("no-camera-chinese")

    def test_it_opens_when_the_station_is_away_and_keeps_what_it_is_given(self):
        self.browser.enter(self.station)
        self.driver.execute_async_script(
            "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done())")
        found = self.driver.execute_async_script("""
            const done = arguments[0];
            fetch('/manifest.webmanifest').then((answer) => answer.json()).then((found) => done(found.start_url));
        """)
        self.assertEqual(found, "/")
        self.station.kill()
        try:
            self.driver.get("about:blank")
            self.driver.get(self.station.url + "/")
            wait_for("it says so", lambda: at(self.driver, "gone").is_displayed())
            at(self.driver, "files").send_keys(sample("ean13.png"))
            wait_for("it waits", lambda: text(self.driver, "album-summary") == "1 waiting")
            self.browser.screenshot("opened-away")
        finally:
            self.station.start()
        wait_for("it was read", lambda: text(self.driver, "album-summary").startswith("1 read"))

    def test_it_opens_when_a_proxy_answers_or_nobody_does(self):
        class Proxy(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_error(503)

            def log_message(self, *_):
                pass

        def is_said():
            return self.driver.title.endswith("Quietzone") and at(self.driver, "gone").is_displayed()

        self.browser.enter(self.station)
        self.driver.execute_async_script("navigator.serviceWorker.ready.then(() => arguments[0]())")
        self.driver.get("about:blank")
        self.station.kill()
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", self.station.port), Proxy)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            self.driver.get(self.station.url + "/")
            wait_for("it says so", is_said)
            self.driver.get("about:blank")
        finally:
            proxy.shutdown()
            proxy.server_close()
            self.station.start()
        self.station.process.send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            self.driver.get(self.station.url + "/")
            # Its first file is waited for, and no other one.
            self.assertLess(time.monotonic() - began, 15)
            wait_for("it says so", is_said)
        finally:
            self.station.process.send_signal(signal.SIGCONT)
        wait_for("it is back", lambda: not at(self.driver, "gone").is_displayed())

    def test_the_stage_with_the_keyboard_alone(self):
        self.browser.enter(self.station)
        wait_for("a picture", lambda: at(self.driver, "freeze").is_enabled())
        for _ in range(40):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            if self.driver.switch_to.active_element.get_attribute("id") == "freeze":
                break
        ActionChains(self.driver).send_keys(Keys.SPACE).perform()
        wait_for("it stands", lambda: at(self.driver, "freeze").get_attribute("aria-pressed") == "true")
        self.assertTrue(self.driver.find_element(By.ID, "freeze-read").is_displayed())
