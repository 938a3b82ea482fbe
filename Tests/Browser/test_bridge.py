"""Pages of another origin that ask for a code: Samples/oa-page in every dialect, and what a page may do wrong."""
import tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import at
from common import HOSTILE, SharedBrowserTest, draw
from station import OAPage, sample, wait_for

DIALECTS = ("hospital", "promise", "wechat", "jssdk", "herald", "recordapp")


class BridgeTests(SharedBrowserTest):
    # The code leaves the view again and again: what has answered does not answer twice while it stays.
    pictures = ("code128.png", "no-code.jpg")
    browser_options = {"height": 850}

    @classmethod
    def setUpClass(cls):
        cls.page = cls.serve(OAPage(0))
        super().setUpClass()
        cls.page.station_port = cls.station.port
        cls.code = cls.station.upload(sample("code128.png"))["symbols"][0]["rawValue"]

    def open(self, dialect="hospital"):
        self.driver.get(self.page.url + "/?dialect=" + dialect)

    def press(self, field, source):
        self.driver.find_element(By.CSS_SELECTOR, "[data-scan=%s][data-from=%s]" % (field, source)).click()

    def value(self, field):
        return at(self.driver, field).get_property("value")

    def camera(self, dialect):
        self.open(dialect)
        self.press("asset", "camera")
        wait_for("the field", lambda: self.value("asset") == self.code)
        wait_for("no overlay", lambda: not self.browser.overlay_is_open())

    def album(self, dialect):
        self.open(dialect)
        self.press("drug", "album")
        self.browser.choose_in_overlay(sample("qr.png"))
        wait_for("the field", lambda: self.value("drug"))
        expected = self.station.upload(sample("qr.png"))["symbols"][0]["rawValue"]
        self.assertEqual(self.value("drug"), expected)

    def test_barcode_detector_reads_a_picture_of_the_page(self):
        self.open("detector")
        self.press("drug", "album")
        wait_for("the field for files", lambda: at(self.driver, "chooser")).send_keys(sample("code128.png"))
        wait_for("the field", lambda: self.value("drug") == self.code)
        found = self.driver.execute_async_script("""
            const done = arguments[0];
            (async () => {
                const canvas = document.createElement('canvas');
                const empty = await new BarcodeDetector({formats: ['qr_code', 'pdf417']}).detect(
                    Object.assign(canvas, {width: 50, height: 50}));
                const formats = await BarcodeDetector.getSupportedFormats();
                const refused = [{formats: []}, {formats: ['nonsense']}, {formats: ['unknown']}].map((options) => {
                    try { new BarcodeDetector(options); return 'taken'; } catch (error) { return error.name; }
                });
                const nothing = await new BarcodeDetector().detect({}).catch((error) => error.name);
                return [empty, formats.includes('qr_code'), refused, nothing, String(new BarcodeDetector())];
            })().then(done, (error) => done(String(error)));
        """)
        self.assertEqual(found, [[], True, ["TypeError"] * 3, "TypeError", "[object BarcodeDetector]"])

    def test_esc_cancels_and_the_page_goes_on(self):
        self.open("promise")
        self.press("patient", "album")
        wait_for("the overlay", self.browser.overlay_is_open)
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        wait_for("the word", lambda: "canceled" in at(self.driver, "said").text)
        self.assertFalse(self.browser.overlay_is_open())
        focused = self.driver.switch_to.active_element.get_attribute("data-scan")
        self.assertEqual(focused, "patient", "the focus is where it was")
        self.press("patient", "camera")
        wait_for("the field", lambda: self.value("patient") == self.code)

    def test_several_requests_are_answered_one_after_the_other(self):
        self.open()
        answers = self.driver.execute_async_script("""
            const done = arguments[0];
            const failed = quietzone.scan({timeout: 1, formats: ['ean_8']}).catch((error) => error.code);
            const list = [failed, quietzone.scan({source: 'camera'}), quietzone.scan({formats: ['code_128']})];
            Promise.all(list).then((all) => done(all.map((one) => one.rawValue || one)), (error) => done(error.code));
        """)
        self.assertEqual(answers, ["timed_out", self.code, self.code])

    def test_a_picture_without_a_code_may_be_followed_by_another(self):
        self.open("promise")
        self.press("drug", "album")
        self.browser.choose_in_overlay(sample("no-code.jpg"))
        wait_for("what is wrong", lambda: "There is no code in this picture." in self.browser.overlay_text())
        self.assertTrue(self.browser.overlay_is_open())
        self.browser.choose_in_overlay(sample("ean8.png"))
        wait_for("the field", lambda: self.value("drug"))

    def test_hostile_contents_arrive_letter_for_letter(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in HOSTILE.items():
                path = draw(folder, "hostile-" + name, content)
                expected = self.station.upload(path)["symbols"][0]["rawValue"]
                for dialect, take in (
                        ("hospital", "window.receiveScanResult = (text) => window.heard.push(text);"
                                     "webkit.messageHandlers.scanCode.postMessage({source: 'album'})"),
                        ("promise", "quietzone.scan({source: 'album'}).then((one) => window.heard.push(one.rawValue))"),
                        ("recordapp", "window.AppJsBridgeRequest = {Call: (answer) => window.heard.push(answer.value)};"
                                      "prompt(JSON.stringify({action: 'scanCode', callback: '1',"
                                      " args: {source: 'album'}}))")):
                    with self.subTest(name + " " + dialect):
                        self.open()
                        self.driver.execute_script("window.heard = []; " + take)
                        self.browser.choose_in_overlay(path)
                        heard = wait_for("the text", lambda: self.driver.execute_script("return window.heard"))
                        self.assertEqual(heard, [expected])
                        self.assertIsNone(self.driver.execute_script("return window.ran || null"))
                # The bytes are what was drawn, whatever characters they were taken for.
                if content.isascii():
                    self.assertEqual(expected, content.decode())

    def test_a_page_that_names_a_function_which_runs_text_is_not_obeyed(self):
        self.open()
        for name in ("eval", "setTimeout", "document.write", "Function", "constructor.constructor", "a b", "x('"):
            with self.subTest(name):
                self.driver.execute_script(
                    "webkit.messageHandlers.scanCode.postMessage(JSON.stringify({callback: arguments[0]}))", name)
                wait_for("the refusal", lambda: "The scan failed." in self.browser.overlay_text())
                self.driver.execute_script("quietzone.cancel()")
        self.assertIsNone(self.driver.execute_script("return window.ran || null"))

    def test_messages_as_pages_in_the_wild_send_them(self):
        for message in ("'scanCode'", "''", "null", "undefined", "JSON.stringify({callback: 'mine.take'})",
                        "{onlyFromCamera: true, eventId: 7}"):
            with self.subTest(message):
                self.open()
                self.driver.execute_script(
                    "window.heard = []; window.mine = {take(text) { heard.push([this === mine, text]); }};"
                    "window.receiveScanResult = (text, id) => heard.push([id === undefined || id, text]);"
                    "webkit.messageHandlers.scanCode.postMessage(%s)" % message)
                heard = wait_for("the text", lambda: self.driver.execute_script("return window.heard"))
                self.assertEqual(heard, [[7 if "eventId" in message else True, self.code]])

    def test_a_request_survives_a_station_that_is_killed(self):
        self.open("promise")
        self.press("drug", "album")
        wait_for("the overlay", self.browser.overlay_is_open)
        self.station.kill()
        is_away = lambda: "does not answer" in self.browser.overlay_text()
        wait_for("it is said", is_away)
        self.assertTrue(self.browser.overlay_is_open())
        self.station.start()
        wait_for("the page has found the station", lambda: not is_away())
        self.browser.choose_in_overlay(sample("qr.png"))
        wait_for("the field", lambda: self.value("drug"))

    def test_reload_in_the_middle_leaves_no_request_behind(self):
        self.open("promise")
        self.press("drug", "album")
        wait_for("the overlay", self.browser.overlay_is_open)
        self.open("promise")
        self.assertFalse(self.browser.overlay_is_open())
        self.press("drug", "camera")
        wait_for("the field", lambda: self.value("drug") == self.code)

    def test_pages_that_are_left_hold_no_connection(self):
        """A browser keeps pages for "back", and has six connections to one host."""
        one_stream = lambda: self.station.get("/health")["listeners"] == 1
        for dialect in DIALECTS:
            self.open(dialect)
            wait_for("one stream, of this page", one_stream, 20)
        # A page that is shown again has its stream again.
        self.driver.back()
        wait_for("one stream, of the page before", one_stream, 20)
        self.press("drug", "album")
        self.browser.choose_in_overlay(sample("qr.png"))
        wait_for("the field", lambda: self.value("drug"))

    def test_a_scan_gun_is_a_fast_keyboard(self):
        self.open()
        self.driver.execute_script("window.heard = []; window.receiveScanResult2 = (text) => heard.push(text);"
                                   "document.activeElement.blur()")
        self.browser.keys("PAT-2024-000815\n")
        heard = wait_for("the text", lambda: self.driver.execute_script("return window.heard"))
        self.assertEqual(heard, ["PAT-2024-000815"])
        # In a field the gun types as ever.
        at(self.driver, "asset").send_keys("PUMP-17")
        self.assertEqual(self.value("asset"), "PUMP-17")
        self.assertEqual(self.driver.execute_script("return window.heard.length"), 1)

    def test_a_page_is_left_as_it_was(self):
        self.open()
        self.driver.execute_script("setTimeout(() => { window.said = prompt('Your name?', 'nobody'); })")
        alert = wait_for("the page's own prompt", lambda: self.driver.switch_to.alert)
        self.assertEqual(alert.text, "Your name?")
        alert.send_keys("Quietzone")
        alert.accept()
        self.assertEqual(self.driver.execute_script("return window.said"), "Quietzone")
        ours = self.driver.execute_script(
            "const frame = document.body.appendChild(document.createElement('iframe'));"
            "const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow)); frame.remove();"
            "return Object.getOwnPropertyNames(window).filter((name) => !plain.has(name) && isNaN(name))")
        # The last is the driver's.
        page = {"receiveScanResult", "receiveScanResult2", "receive", "refuse", "scanCode", "said", "ret_nodes"}
        named = {name for name in ours if not name.startswith(("cdc_", "$cdc"))}
        self.assertEqual(named - page, {"quietzone", "webkit", "wx", "BarcodeDetector"})

    def test_what_a_page_has_already_is_kept(self):
        page = OAPage(self.station.port, script=(
            "<script>window.mark = () => 'mine';"
            "window.webkit = {messageHandlers: {scanCode: {postMessage: mark}}};"
            "window.wx = {scanCode: mark}; window.BarcodeDetector = mark;</script>"))
        try:
            self.driver.get(page.url)
            kept = self.driver.execute_script(
                "return [webkit.messageHandlers.scanCode.postMessage === mark, wx.scanCode === mark, "
                "BarcodeDetector === mark, typeof wx.scanQRCode, typeof quietzone.scan]")
            self.assertEqual(kept, [True, True, True, "function", "function"])
        finally:
            page.stop()

    def test_messages_of_an_app_that_are_no_scan_do_no_harm(self):
        self.open()
        self.driver.execute_script(
            "webkit.messageHandlers.heraldAppBridge.postMessage({action: 'navigate', name: 'x', path: '/'});"
            "window.heard = []; window.AppJsBridgeRequest = {Call: (answer) => heard.push(answer)};"
            "window.now = JSON.parse(prompt(JSON.stringify({action: 'recordStart', args: {}, callback: '3'})))")
        answer = wait_for("the refusal", lambda: self.driver.execute_script("return window.heard"))[0]
        self.assertEqual((answer["status"], answer["callback"], answer["value"]), ("", "3", None))
        self.assertTrue(answer["message"])
        self.assertFalse(self.browser.overlay_is_open())

    def test_screenshots_of_the_overlay(self):
        for theme, size in (("light", (1280, 850)), ("dark", (390, 800))):
            self.browser.emulate(theme, *size)
            self.open("promise")
            # A format that is not there keeps the overlay open.
            self.driver.execute_script("quietzone.scan({source: 'any', formats: ['ean_8']}).catch(() => {})")
            wait_for("the overlay", self.browser.overlay_is_open)
            # A picture is asked for once the one before it is drawn; the third comes after the window has risen.
            asked = []
            wait_for("the camera's picture", lambda: asked.extend(
                url for url in self.browser.requested() if url.endswith("/frame.jpg")) or len(asked) > 2)
            self.browser.screenshot("oa-page-overlay-" + theme)
            self.driver.execute_script("quietzone.cancel()")
        self.browser.emulate("light", 1280, 850)
        self.open()
        self.browser.screenshot("oa-page")


def _test(way, dialect):
    return lambda self: getattr(self, way)(dialect)


for _dialect in DIALECTS:
    for _way in ("camera", "album"):
        setattr(BridgeTests, "test_%s_by_%s" % (_dialect, _way), _test(_way, _dialect))
