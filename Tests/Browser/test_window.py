"""The window that bridge.js opens in a page: who asks and for what, typing, codes of the wrong kind, and failure."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from common import open_browser, SharedBrowserTest
from plain_page import PlainPage
from station import OAPage, Station, sample, wait_for

# What cannot be read or reached in the window: words that are cut, lie over the picture, or have little contrast, and
# buttons that are covered or outside of the window.
FAULTS = """
function () {
    const root = this.getRootNode();
    const light = (color) => {
        const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255)
            .map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4));
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const contrast = (one, other) => {
        const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
        return (bright + .05) / (dark + .05);
    };
    const found = [];
    const isInView = ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!isInView(this.getBoundingClientRect())) found.push('outside');
    if (this.scrollWidth > this.clientWidth) found.push('scrolls sideways');
    const stage = this.querySelector('.stage').getBoundingClientRect();
    for (const one of this.querySelectorAll('h2, p, .none')) {
        const box = one.getBoundingClientRect();
        if (!one.textContent || !box.height) continue;
        const isCut = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
        if (isCut) found.push('cut: ' + one.textContent);
        const isInside = one.className === 'none';
        if (root.elementFromPoint(box.left + 20, box.bottom - 4) !== one) found.push('covered: ' + one.textContent);
        const isOver = !isInside && box.bottom > stage.top + 1 && box.top < stage.bottom - 1;
        if (isOver) found.push('over the picture: ' + one.textContent);
        const back = getComputedStyle(isInside ? one : this).backgroundColor;
        if (contrast(getComputedStyle(one).color, back) < 4.5) found.push('faint: ' + one.textContent);
    }
    for (const one of this.querySelectorAll('button:not([hidden])')) {
        const { left, top, width, height, bottom } = one.getBoundingClientRect();
        if (!height) continue;
        if (one.scrollWidth > one.clientWidth) found.push('cut: ' + one.textContent);
        const isFirst = root.elementFromPoint(left + width / 2, top + height / 2) === one;
        if (!isFirst || bottom > innerHeight) found.push('not reached: ' + one.textContent);
    }
    return found;
}
"""
FOCUS = "function () { return this.getRootNode().activeElement.textContent || this.getRootNode().activeElement.id; }"
# What the problem says.
PROBLEM = "function () { return this.querySelector('.problem').textContent; }"


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

    def test_an_upload_ends_with_its_request(self):
        self.ask("{source: 'album', timeout: 60}")
        # The upload is never answered, but ends where it is aborted.
        self.driver.execute_script("""
            const own = window.fetch;
            window.uploads = [];
            window.fetch = (address, init) => (String(address).includes('/scan?') ? new Promise((_, reject) => {
                uploads.push(init.signal);
                init.signal.addEventListener('abort', () => reject(init.signal.reason));
            }) : own(address, init));
        """)
        self.browser.choose_in_overlay(sample("qr.png"))
        wait_for("the upload", lambda: self.hint().get("text") == "Reading the picture…"
                 and self.driver.execute_script("return uploads.length"))
        self.driver.execute_script("quietzone.cancel()")
        wait_for("closed", lambda: not self.browser.overlay_is_open())
        self.assertEqual(self.driver.execute_script("return uploads.map((one) => one.aborted)"), [True])
        self.driver.execute_script("quietzone.scan({source: 'album', timeout: 60}).catch(() => {})")
        wait_for("open again", lambda: "Choose a picture" in self.hint().get("text", ""))
        self.assertEqual(self.browser.in_overlay(PROBLEM), "")
        self.assertFalse(self.browser.in_overlay("function () { return this.querySelector('.main:not([type=submit])').disabled; }"))
        self.driver.execute_script("quietzone.cancel()")

    def test_a_signal_is_listened_to_for_as_long_as_its_request_is_open(self):
        self.ask("{source: 'album', timeout: 60}")
        self.driver.execute_script("quietzone.cancel()")
        self.said()
        heard = self.driver.execute_async_script("""
            const done = arguments[0];
            const { signal } = new AbortController();
            let count = 0;
            const [add, remove] = [signal.addEventListener, signal.removeEventListener];
            signal.addEventListener = (...given) => { count += 1; add.apply(signal, given); };
            signal.removeEventListener = (...given) => { count -= 1; remove.apply(signal, given); };
            const all = [1, 2].map(() => quietzone.scan({ source: 'album', timeout: 60, signal }).catch(() => {}));
            const during = count;
            quietzone.cancel();
            Promise.all(all).then(() => done([during, count]));
        """)
        self.assertEqual(heard, [2, 0])

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

    def look(self, state, focus):
        for width, height in ((320, 240), (1280, 900)):
            for theme in ("light", "dark"):
                self.browser.emulate(theme, width, height)
                self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
                with self.subTest(state=state, width=width, theme=theme):
                    self.browser.screenshot("window-%s-%d-%s" % (state, width, theme))
                    self.assertEqual(self.browser.in_overlay(FAULTS), [])
                    self.assertEqual(self.browser.in_overlay(FOCUS), focus)

    def test_everything_is_read_and_reached_in_a_small_frame_too(self):
        self.addCleanup(self.browser.emulate, "light", 1280, 900)
        self.browser.emulate("light", 320, 240)
        self.ask("{formats: ['ean_8'], timeout: 600}")
        wait_for("the wrong kind", lambda: self.hint().get("class") == "wrong")
        self.look("wrong-kind", "Cancel")
        self.browser.press_in_overlay("Type it…")
        self.look("typing", "entry")
        self.browser.press_in_overlay("Type it…")
        self.station.kill()
        try:
            wait_for("it is said", lambda: "does not answer" in (self.browser.in_overlay(PROBLEM) or ""))
            wait_for("no picture", lambda: "type the code" in self.hint()["text"])
            self.look("lost-station", "Type it…")
        finally:
            self.station.start()
        wait_for("back", lambda: self.hint().get("class") == "wrong")
        self.driver.execute_script("quietzone.cancel()")
        station = Station(arguments=["--camera", "none", "--allow-origin", self.page.url])
        self.addCleanup(station.stop)
        before, self.page.station_port = self.page.station_port, station.port
        try:
            self.ask("{timeout: 600}")
            wait_for("what to do", lambda: "type the code" in self.hint()["text"])
            self.look("no-camera", "From album…")
            self.driver.execute_script("quietzone.cancel()")
        finally:
            self.page.station_port = before

    def test_a_page_in_a_frame_of_another_page(self):
        host = PlainPage('<title>Host</title><iframe src="%s/" width="340" height="260"></iframe>' % self.page.url)
        self.addCleanup(host.stop)
        self.driver.get(host.url)
        self.driver.switch_to.frame(self.driver.find_element("tag name", "iframe"))
        self.addCleanup(self.driver.switch_to.default_content)
        wait_for("bridge.js", lambda: self.driver.execute_script("return Boolean(window.quietzone)"))
        self.driver.execute_script(
            "window.said = null; quietzone.scan({source: 'album', timeout: 60})"
            ".then((one) => { said = one; }, (error) => { said = error.code; })")
        wait_for("the window", self.browser.overlay_is_open)
        self.assertEqual(self.browser.in_overlay(FAULTS), [])
        self.browser.screenshot("window-in-a-frame")
        self.browser.choose_in_overlay(sample("ean8.png"))
        self.assertEqual(self.said()["format"], "ean_8")
        self.assertFalse(self.browser.overlay_is_open())

    def test_how_it_looks(self):
        for name, language, theme, width, height in (
                ("desktop", "en", "light", 1280, 900), ("phone", "zh", "light", 390, 800),
                ("dark", "zh", "dark", 1280, 900), ("large", "en", "light", 640, 450)):
            browser = open_browser(language=language, theme=theme, width=width, height=height)
            try:
                driver = self.ask("{formats: ['ean_8', 'qr_code'], timeout: 60}", browser)
                wait_for("a picture", lambda: ("ean" in browser.overlay_text().lower()))
                self.assertEqual(browser.in_overlay("function () { return this.lang; }"), language)
                browser.press_in_overlay("手动输入…" if language == "zh" else "Type it…")
                browser.screenshot("window-" + name)
                box = driver.execute_script("return [innerWidth, document.documentElement.scrollWidth]")
                self.assertLessEqual(box[1], box[0])
                driver.execute_script("quietzone.cancel()")
            finally:
                browser.quit()
