"""The window that bridge.js opens in a page: who asks and for what, typing, codes of the wrong kind, and failure."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from common import open_browser, SharedBrowserTest
from station import OAPage, Station, sample, wait_for


class WindowTests(SharedBrowserTest):
    pictures = ("code128.png",)

    @classmethod
    def setUpClass(cls):
        cls.page = cls.serve(OAPage(0))
        super().setUpClass()
        cls.page.station_port = cls.station.port

    def ask(self, options="{}", browser=None):
        driver = (browser or self.browser).driver
        driver.get(self.page.url + "/")
        driver.execute_script(
            "window.said = null; quietzone.scan(%s).then((one) => { said = one; }, (error) => { said = error.code; })"
            % options)
        wait_for("the window", (browser or self.browser).overlay_is_open)
        return driver

    def said(self):
        return wait_for("an answer", lambda: self.driver.execute_script("return window.said"))

    def test_who_asks_and_for_what(self):
        self.ask("{formats: ['ean_8', 'pdf417'], timeout: 60}")
        host = self.page.url.removeprefix("http://")
        wait_for("who", lambda: host + " asks for: EAN-8, PDF417" in self.browser.overlay_text())
        self.ask("{source: 'album'}")
        wait_for("who", lambda: host + " asks for: any code" in self.browser.overlay_text())

    def test_a_code_of_the_wrong_kind_is_shown_as_such(self):
        self.ask("{formats: ['ean_8'], timeout: 60}")
        wait_for("the word", lambda: "Wrong kind of code: Code 128" in self.browser.overlay_text())
        self.assertIn("The page needs: EAN-8.", self.browser.overlay_text())
        self.browser.screenshot("window-wrong-kind")
        self.assertIsNone(self.driver.execute_script("return window.said"))
        # The same in a picture.
        self.ask("{source: 'album', formats: ['ean_8']}")
        self.browser.choose_in_overlay(sample("qr.png"))
        wait_for("the word", lambda: "Wrong kind of code: QR Code." in self.browser.overlay_text())
        self.browser.choose_in_overlay(sample("ean8.png"))
        self.assertEqual(self.said()["format"], "ean_8")

    def test_typing_by_hand_with_the_keyboard_alone(self):
        self.ask("{formats: ['ean_8'], timeout: 60}")
        self.browser.press_in_overlay("Type it…")
        keys = ActionChains(self.driver)
        # Two keys at a time, as fast fingers do; a space within is no button's.
        keys.send_keys("AB 12").pause(0.1).send_keys("34", Keys.ENTER).perform()
        self.assertEqual(self.said()["rawValue"], "AB 1234")
        [typed] = [scan["event"] for scan in self.station.scans() if scan["event"]["symbol"]["text"] == "AB 1234"]
        self.assertEqual(typed["source"]["kind"], "typed")
        self.assertFalse(self.browser.overlay_is_open())

    def test_the_countdown_stops_when_it_has_failed(self):
        # Of a kind that the camera never shows: the window stays.
        self.ask("{formats: ['ean_8'], timeout: 60}")
        self.driver.execute_script("quietzone.cancel()")
        self.driver.execute_script(
            "webkit.messageHandlers.scanCode.postMessage(JSON.stringify({callback: 'eval'}))")
        wait_for("the refusal", lambda: "The scan failed." in self.browser.overlay_text())
        self.assertNotRegex(self.browser.overlay_text(), r"\b\d+ s\b")
        self.browser.screenshot("window-failed")

    def hint(self):
        """The classes and the words of the hint."""
        found = {}

        def walk(node, is_inside):
            attributes = dict(zip(node.get("attributes", [])[::2], node.get("attributes", [])[1::2]))
            if is_inside and attributes.get("id") == "hint":
                found["class"] = attributes.get("class", "")
                found["text"] = "".join(child.get("nodeValue", "") for child in node.get("children", []))
            for child in node.get("children", []):
                walk(child, is_inside)
            for root in node.get("shadowRoots", []):
                walk(root, root.get("shadowRootType") == "closed")

        walk(self.browser.cdp("DOM.getDocument", depth=-1, pierce=True)["root"], False)
        return found

    def test_what_is_said_of_a_wrong_kind_ends_with_its_request(self):
        self.ask("{formats: ['ean_8'], timeout: 60}")
        wait_for("the wrong kind", lambda: self.hint().get("class") == "wrong")
        self.assertIn("Wrong kind of code", self.hint()["text"])
        self.driver.execute_script("quietzone.cancel()")
        wait_for("closed", lambda: not self.browser.overlay_is_open())
        self.driver.execute_script("quietzone.scan({source: 'album', timeout: 60}).catch(() => {})")
        wait_for("open again", lambda: "Choose a picture" in self.hint().get("text", ""))
        self.assertEqual(self.hint()["class"], "")
        self.driver.execute_script("quietzone.cancel()")

    def box(self):
        """Left, top, right and bottom of the window, in pixels."""
        [node] = self.browser.in_shadow(lambda name, attributes: name == "DIALOG" and "open" in attributes)
        corners = self.browser.cdp("DOM.getBoxModel", backendNodeId=node)["model"]["border"]
        return corners[0], corners[1], corners[4], corners[5]

    def test_it_opens_beside_the_field_that_asked(self):
        self.addCleanup(self.browser.emulate, "light", 1280, 900)
        for width, height, left in ((1280, 900, 40), (1280, 900, 1000), (1280, 900, 500), (390, 800, 40)):
            self.browser.emulate("light", width, height)
            self.driver.get(self.page.url + "/")
            self.driver.execute_script("""
                const field = document.createElement('input');
                field.style = `position: fixed; top: 80px; width: 200px; left: ${arguments[0]}px`;
                document.body.append(field);
                field.focus();
                quietzone.scan({formats: ['ean_8'], timeout: 60}).catch(() => {});
            """, left)
            wait_for("the window", self.browser.overlay_is_open)
            first, top, last, bottom = self.box()
            with self.subTest(width=width, left=left):
                self.assertGreaterEqual(min(first, top), 0)
                self.assertLessEqual(last, width)
                self.assertLessEqual(bottom, height)
                if left == 40 and width == 1280:
                    self.assertGreaterEqual(first, 240)
                    self.assertLess(first, 280)
                elif left == 1000:
                    self.assertLessEqual(last, 1000)
                    self.assertGreater(last, 960)
                elif width == 390:
                    self.assertAlmostEqual(first, width - last, delta=2)
            self.browser.screenshot("window-beside-%d-%d" % (width, left))
            self.driver.execute_script("quietzone.cancel()")

    def test_without_a_camera_pictures_and_typing_have_its_place(self):
        station = Station(arguments=["--camera", "none", "--allow-origin", self.page.url])
        self.addCleanup(station.stop)
        before, self.page.station_port = self.page.station_port, station.port
        try:
            self.ask("{timeout: 60}")
            wait_for("what to do", lambda: "Choose a picture that shows the code, or type the code."
                     in self.browser.overlay_text())
            self.assertNotIn("Hold the code before the camera", self.browser.overlay_text())
            self.browser.screenshot("window-no-camera")
            self.driver.execute_script("quietzone.cancel()")
        finally:
            self.page.station_port = before

    def test_how_it_looks(self):
        for name, language, theme, width, height in (
                ("desktop", "en", "light", 1280, 900), ("phone", "zh", "light", 390, 800),
                ("dark", "zh", "dark", 1280, 900), ("large", "en", "light", 640, 450)):
            browser = open_browser(language=language, theme=theme, width=width, height=height)
            try:
                driver = self.ask("{formats: ['ean_8', 'qr_code'], timeout: 60}", browser)
                wait_for("a picture", lambda: ("ean" in browser.overlay_text().lower()))
                browser.press_in_overlay("手动输入…" if language == "zh" else "Type it…")
                browser.screenshot("window-" + name)
                box = driver.execute_script("return [innerWidth, document.documentElement.scrollWidth]")
                self.assertLessEqual(box[1], box[0])
                driver.execute_script("quietzone.cancel()")
            finally:
                browser.quit()
