"""The station's own page."""
import json
import os
import subprocess
import tempfile
import time
import uuid

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import HOSTILE, Setting, SharedBrowserTest, draw, open_browser
from station import sample, wait_for


class PageTests(SharedBrowserTest):
    pictures = ("order-form.png",)

    def setUp(self):
        self.browser.complaints()
        self.browser.requested()
        self.browser.enter(self.station)

    def rows(self):
        script = "return Array.from(document.querySelectorAll('#scans tr'), (row) => row.dataset.id)"
        return self.driver.execute_script(script)

    def post(self, message):
        return self.station.request("POST", "/camera", message)

    def test_it_loads_without_a_complaint_and_asks_nobody_else(self):
        wait_for("the camera's picture", lambda: self.driver.execute_script(
            "return document.getElementById('stage').dataset.live === 'true'"))
        self.assertEqual(self.browser.complaints(), [])
        foreign = [url for url in self.browser.requested()
                     if not url.startswith((self.station.url + "/", "data:", "blob:"))]
        self.assertEqual(foreign, [])

    def test_no_width_scrolls_sideways(self):
        # Rows with all that a row may have.
        self.setting.receiver.pause()
        self.addCleanup(self.setting.receiver.resume)
        self.station.request("POST", "/typed", {"text": "4006381333931"})
        self.station.request("POST", "/typed", {"text": "W" * 60})
        wait_for("the rows", lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#scans .again:not([hidden])")) >= 2)
        self.addCleanup(self.browser.emulate, "light", 1280, 900)
        for language in ("en", "zh"):
            for width in (320, 400, 480, 560, 639, 641, 660, 683, 700, 740, 767, 769, 850, 959, 961, 1100, 1199, 1201, 1366):
                self.browser.emulate("light", width, 1400)
                with self.subTest(language=language, width=width):
                    self.assertLessEqual(
                        self.driver.execute_script("return document.documentElement.scrollWidth"), width)
                    content = "return document.querySelector('#scans .content').getBoundingClientRect().width"
                    self.assertGreaterEqual(self.driver.execute_script(content), 120, "too narrow to be read")
                    if width in (660, 740, 1366):
                        self.browser.screenshot("width-%s-%d" % (language, width))
            at(self.driver, "language").click()

    def test_what_the_camera_sees_is_outlined_saved_and_delivered(self):
        wait_for("outlines", lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#outlines .symbol")) == 5)
        labels = self.driver.execute_script(
            "return Array.from(document.querySelectorAll('#outlines .label'), (label) => label.textContent)")
        self.assertIn("ORDER-2024-0815", labels)
        wait_for("the history", lambda: any(
            row.text.startswith("ORDER-2024-0815") or "ORDER-2024-0815" in row.text
            for row in self.driver.find_elements(By.CSS_SELECTOR, "#scans tr")))
        wait_for("delivered", lambda: at(self.driver, "latest").get_attribute("data-state") == "delivered")
        self.assertTrue(any('"ORDER-2024-0815"' in line for line in self.setting.receiver.lines))

    def test_saved_delivered_seen_again_and_failed_look_and_sound_different(self):
        state = lambda: at(self.driver, "latest").get_attribute("data-state")
        # Each sound that is asked for, in their order, of which "sounded" holds the last; and each state.
        self.driver.execute_script(
            "window.heard = []; new MutationObserver(() => window.heard.push(document.documentElement.dataset.sounded))"
            ".observe(document.documentElement, {attributeFilter: ['data-sounded']});"
            "const latest = document.getElementById('latest');"
            "window.seen = []; new MutationObserver(() => window.seen.push(latest.dataset.state))"
            ".observe(latest, {attributeFilter: ['data-state']})")
        heard = lambda: self.driver.execute_script("return window.heard")
        self.station.upload(sample("databar.png"))
        wait_for("delivered", lambda: state() == "delivered" and heard()[-1:] == ["delivered"])
        self.assertIn(heard(), (["saved", "delivered"], ["delivered"]))
        # One code of the form, so that no other follows it; out of the camera's sight for a while, and there again: the
        # second or third time that is within the window.
        outlines = lambda: self.driver.find_elements(By.CSS_SELECTOR, "#outlines .symbol")
        self.addCleanup(lambda: wait_for("the whole form", lambda: len(outlines()) == 5))
        self.addCleanup(self.post, {"region": None})
        shown = lambda: self.driver.execute_script(
            "const word = document.getElementById('latest-state').textContent;"
            "return [document.getElementById('latest').dataset.state, word]")
        for _ in range(4):
            self.post({"region": {"x": 0.9, "y": 0.9, "width": 0.1, "height": 0.1}})
            wait_for("nothing in view", lambda: not outlines())
            # Nothing says when a code counts again: that no frame has shown it for a second is what is needed.
            time.sleep(1.2)
            before = len(heard())
            self.post({"region": {"x": 0, "y": 0.1, "width": 1, "height": 0.15}})
            wait_for("the code again", lambda: len(heard()) > before)
            if "seen" in heard():
                break
        wait_for("seen", lambda: shown() == ["seen", "Already seen"])
        self.browser.screenshot("latest-seen")
        self.setting.receiver.pause()
        try:
            before = len(heard())
            self.station.upload(sample("code128-rotated90.png"))
            wait_for("given up", lambda: state() == "failed" and heard()[-1] == "failed")
            self.assertIn("saved", heard()[before:])
            self.assertIn("retrying", self.driver.execute_script("return window.seen"), "not delivered, and tried again")
            self.browser.screenshot("latest-failed")
            why = lambda: [at(self.driver, "latest-deliveries").text, self.driver.execute_script(
                "return document.querySelector('#scans .badge[data-state=failed]').title")]
            self.assertTrue(all("did not take it" in one and "500" not in one for one in why()), why())
            # Found anew each time: the card is drawn again when it hears of the delivery again.
            reason = lambda: self.driver.find_element(By.CSS_SELECTOR, "#latest-deliveries .reason")
            def press():
                reason().find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
                return True
            self.assertIsNone(wait_for("the reason", lambda: [reason().get_attribute("open")])[0])
            wait_for("the key on the reason", press)
            wait_for("the reason in words", lambda: "answered 500" in reason().text)
            wait_for("the key on the reason again", press)
            at(self.driver, "language").click()
            try:
                wait_for("why, in Chinese", lambda: all(
                    "对方系统没有收到" in one and "answered" not in one for one in why()))
            finally:
                at(self.driver, "language").click()
        finally:
            self.setting.receiver.resume()
        at(self.driver, "latest-retry").click()
        wait_for("delivered in the end", lambda: state() == "delivered" and heard()[-1] == "delivered")

    def test_what_a_message_says_is_shown_and_what_is_personal_only_to_whoever_asks(self):
        meaning = lambda: text(self.driver, "latest-meaning")
        self.station.upload(sample("data-matrix-gs1.png"))
        wait_for("the fields", lambda: "BATCH/LOT" in meaning())
        self.assertIn("2027-06-30", meaning())
        self.assertIn("09501101530003", meaning())
        self.browser.screenshot("meaning-gs1")
        with tempfile.TemporaryDirectory() as folder:
            self.station.upload(draw(folder, "wifi", b"WIFI:T:WPA;S:ward-3;P:correct horse;;"))
            wait_for("the network", lambda: "ward-3" in meaning())
            self.assertNotIn("correct horse", self.driver.find_element(By.TAG_NAME, "body").text)
            self.assertIn("Wireless network", text(self.driver, "latest-content"))
            self.browser.screenshot("meaning-personal")
            # In one step: the box is drawn again when its event has been delivered.
            reveal = lambda: self.driver.execute_script("document.querySelector('#latest-meaning .reveal').click()")
            reveal()
            self.assertIn("correct horse", meaning())
            self.assertIn("WIFI:T:WPA", text(self.driver, "latest-content"))
            reveal()
            self.assertNotIn("correct horse", self.driver.find_element(By.TAG_NAME, "body").text)
            links = lambda: self.driver.execute_script(
                "return Array.from(document.querySelectorAll('#latest-meaning a'), (link) => link.href)")
            for address, expected in [("https://example.org/a?b=c", ["https://example.org/a?b=c"]),
                                      ("https://bank.example@evil.example/", []), ("http://xn--80ak6aa92e.com/", [])]:
                self.station.upload(draw(folder, "link", address.encode()))
                wait_for("the link", lambda: text(self.driver, "latest-content") == address)
                self.assertEqual(links(), expected)
                self.assertIn("Host", meaning())

    def test_pictures_that_are_dropped_and_chosen_are_read(self):
        self.browser.open_tab("pictures")
        self.browser.drop("drop", [sample("qr-gb18030.png")])
        wait_for("the dropped picture", lambda: "条码与二维码：你好，世界" in text(self.driver, "scans"))
        names = ["code39.png", "itf14.png", "no-code.jpg", "qr-umlaut.png"]
        at(self.driver, "files").send_keys("\n".join(sample(name) for name in names))
        wait_for("all of them", lambda: text(self.driver, "album-summary") == "3 read, 1 without a code")
        states = {item.find_element(By.CLASS_NAME, "name").text: item.get_attribute("data-state")
                  for item in self.driver.find_elements(By.CSS_SELECTOR, ".uploads li")}
        at(self.driver, "remove-all").click() if at(self.driver, "remove-all").is_displayed() else \
            self.driver.find_element(By.CSS_SELECTOR, "[data-state=none] [aria-label^=Remove]").click()
        self.assertEqual(states["no-code.jpg"], "none")
        self.assertEqual(states["code39.png"], "good")
        stored = {record["event"]["source"].get("name") for record in self.station.scans()}
        self.assertLessEqual({"qr-gb18030.png", "code39.png", "itf14.png", "qr-umlaut.png"}, stored)

    def test_pages_of_a_document_are_shown_with_their_codes_outlined(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pages.tif")
            subprocess.run(["convert", sample("qr-umlaut.png"), sample("no-code.jpg"), sample("ean8.png"), path],
                           check=True)
            at(self.driver, "files").send_keys(path)
            item = wait_for("the pages", lambda: next(iter(
                self.driver.find_elements(By.CSS_SELECTOR, "#uploads li[data-state=good] .pages")), None))
            item.find_element(By.TAG_NAME, "summary").click()
            pages = self.driver.execute_script("""
                return Array.from(arguments[0].querySelectorAll('figure'), (figure) => [
                    figure.querySelector('figcaption').textContent, figure.querySelectorAll('polygon').length,
                    figure.querySelector('svg').getBoundingClientRect().height > 50])""", item)
            self.assertEqual(pages, [["Page 1: 1 code", 1, True], ["Page 2: 0 codes", 0, True],
                                     ["Page 3: 1 code", 1, True]])
            # Each outline lies within its page.
            self.assertTrue(self.driver.execute_script("""
                return Array.from(arguments[0].querySelectorAll('polygon')).every((outline) => {
                    const [own, page] = [outline.getBoundingClientRect(), outline.closest('svg').getBoundingClientRect()];
                    return own.width > 10 && own.left >= page.left && own.right <= page.right
                        && own.top >= page.top && own.bottom <= page.bottom;
                })""", item))
        self.assertEqual(self.browser.complaints(), [])

    def test_a_picture_that_cannot_be_read_says_so(self):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(b"no picture at all")
            file.flush()
            at(self.driver, "files").send_keys(file.name)
            item = wait_for(
                "the refusal", lambda: self.driver.find_element(By.CSS_SELECTOR, "#failures [data-state=bad]"))
            self.assertGreater(len(item.find_element(By.CLASS_NAME, "result").text), 10)
            item.find_element(By.CSS_SELECTOR, "[aria-label^=Remove]").click()

    def test_hostile_contents_are_shown_and_run_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in HOSTILE.items():
                with self.subTest(name):
                    path = draw(folder, "hostile-" + name, content)
                    at(self.driver, "files").send_keys(path)
                    record = wait_for("the event", lambda: next(
                        record for record in self.station.scans()
                        if record["event"]["source"].get("name") == os.path.basename(path)))
                    # The signs that stand for what cannot be seen are elements; the rest is the text as it is.
                    shown, signs = wait_for("its row", lambda: self.driver.execute_script(
                        "const cell = document.querySelector(`[data-id='${arguments[0]}'] .content`);"
                        "const nodes = Array.from(cell.childNodes);"
                        "return [nodes.filter((node) => node.nodeType === 3).map((node) => node.data).join(''),"
                        "nodes.filter((node) => node.className === 'sign').length]", record["event"]["id"]))
                    exact = record["event"]["symbol"]["text"]
                    unseen = {character for character in exact if character < " " or character in "\u2028\u2029\x7f"
                              or "\x80" <= character <= "\x9f" or character == "\u00ad"}
                    self.assertEqual(shown, "".join(character for character in exact if character not in unseen))
                    self.assertEqual(signs, sum(character in unseen for character in exact))
        self.assertIsNone(self.driver.execute_script("return window.ran || null"))
        self.assertEqual(self.browser.complaints(), [])

    def test_what_has_no_width_is_shown_by_its_name_and_no_character_in_half(self):
        shown = lambda record: wait_for("its row", lambda: self.driver.execute_script(
            "return document.querySelector(`[data-id='${arguments[0]}'] .content`).textContent", record["event"]["id"]))
        typed = lambda content: self.station.request("POST", "/typed", {"text": content, "gun": True})["scan"]
        self.assertEqual(shown(typed("a\u034fb\u3164c\U000e0041d")), "aU+034FbU+3164cU+E0041d")
        self.assertEqual(shown(typed("x" * 119 + "\U0001f600y")), "x" * 119 + "…")

    def test_a_copy_is_exact(self):
        self.browser.cdp("Browser.grantPermissions", origin=self.station.url, permissions=["clipboardReadWrite"])
        with tempfile.TemporaryDirectory() as folder:
            content = "x\u2028');alert(1);('\u200b\ty"
            at(self.driver, "files").send_keys(draw(folder, "copied", content.encode()))
            row = lambda: next(
                row for row in self.driver.find_elements(By.CSS_SELECTOR, "#scans tr") if "U+2028" in row.text
                and "U+200B" in row.text)
            # The row is drawn again when its event has been delivered.
            wait_for("its row, delivered", lambda: "Delivered" in row().text)
        row().find_element(By.XPATH, ".//button[text()='Copy']").click()
        wait_for("copied", lambda: "Copied" in row().text)
        self.assertEqual(self.driver.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"), content)

    def test_history_is_searched_and_exported(self):
        self.station.upload(sample("code39.png"))
        self.station.upload(sample("ean8.png"))
        wait_for("rows", lambda: "EAN-8" in text(self.driver, "scans"))
        expected = next(record["event"]["symbol"]["text"] for record in self.station.scans()
                        if record["event"]["symbol"]["format"] == "ean_8")
        at(self.driver, "search").send_keys(expected[:4])
        wait_for("only what fits", lambda: {row.find_element(By.CLASS_NAME, "format").text for row in
                 self.driver.find_elements(By.CSS_SELECTOR, "#scans tr")} == {"EAN-8"})
        with tempfile.TemporaryDirectory() as folder:
            self.browser.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
            at(self.driver, "csv").click()
            path = os.path.join(folder, "scans.csv")
            wait_for("the file", lambda: os.path.exists(path))
            with open(path, encoding="utf-8") as file:
                content = file.read()
        # Without it Excel takes the text for another encoding.
        self.assertEqual(content[0], "\ufeff")
        lines = content.strip().splitlines()
        self.assertIn(expected, content)
        self.assertNotIn("code_39", content)
        self.assertGreaterEqual(len(lines), 2)

    def test_reload_loses_nothing(self):
        self.station.upload(sample("isbn.png"))
        wait_for("the row", lambda: "isbn.png" in text(self.driver, "scans"))
        newest = self.rows()
        self.driver.refresh()
        wait_for("the rows again", lambda: set(newest[:40]) <= set(self.rows()))

    def test_a_station_that_was_killed_comes_back_with_every_event(self):
        acknowledged = []
        for name in ("upca.png", "upce.png", "code93.png", "codabar.png"):
            acknowledged += self.station.upload(sample(name))["events"]
        self.station.kill()
        wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
        self.assertIn("does not answer", text(self.driver, "gone"))
        self.browser.screenshot("station-gone")
        self.station.start()
        acknowledged += self.station.upload(sample("qr-digits.png"))["events"]
        wait_for("the page is back", lambda: not at(self.driver, "gone").is_displayed())
        self.assertEqual(len(acknowledged), 5)
        wait_for("every event", lambda: set(acknowledged) <= set(self.rows()))
        stored = {record["event"]["id"] for record in self.station.scans()}
        self.assertLessEqual(set(acknowledged), stored)

    def test_the_banner_of_a_full_disk_ends_though_the_station_once_did_not_say_so(self):
        self.driver.execute_async_script("""
            const done = arguments[0];
            const own = window.fetch;
            window.refused = 0;
            const refusal = JSON.stringify({ isSuccess: false, code: 429, errorMsg: 'Too many requests.', data: null });
            window.fetch = (path, init) => {
                if (path !== '/health' || refused) return own(path, init);
                refused += 1;
                return Promise.resolve(new Response(refusal, { status: 429 }));
            };
            import('/app-storage.js').then((page) => { page.cannotSave('disk_full'); done(); });
        """)
        wait_for("the banner", lambda: at(self.driver, "storage").is_displayed())
        wait_for("the banner's end", lambda: not at(self.driver, "storage").is_displayed())
        self.assertEqual(self.driver.execute_script("return refused"), 1)

    def test_on_demand_by_button_and_space_bar(self):
        self.driver.find_element(By.CSS_SELECTOR, "input[value=trigger]").click()
        button = at(self.driver, "trigger")
        wait_for("the button", button.is_displayed)
        try:
            before = len(self.station.scans())
            button.click()
            wait_for("what was read", lambda: len(self.station.scans()) > before)
            wait_for("the end of the reading", lambda: text(self.driver, "trigger-word") == "Scan")
            before = len(self.station.scans())
            # By script: what lies in the middle of the card depends on the screen.
            self.driver.execute_script("document.getElementById('history').focus()")
            ActionChains(self.driver).send_keys(Keys.SPACE).perform()
            wait_for("what was read", lambda: len(self.station.scans()) > before)
            wait_for("the end of the reading", lambda: text(self.driver, "trigger-word") == "Scan")
            # It opens what it opens elsewhere, and reads nothing behind a dialog.
            self.browser.requested()
            self.driver.execute_script("document.querySelector('#filter-more summary').focus()")
            ActionChains(self.driver).send_keys(Keys.SPACE).perform()
            wait_for("the filters", lambda: at(self.driver, "filter-more").get_property("open"))
            self.browser.open_preferences()
            at(self.driver, "preferences-title").click()
            ActionChains(self.driver).send_keys(Keys.SPACE).perform()
            at(self.driver, "preferences-close").click()
            wait_for("the dialog is closed", lambda: not at(self.driver, "preferences").is_displayed())
            self.assertEqual([url for url in self.browser.requested() if url.endswith("/camera/trigger")], [])
        finally:
            self.post({"mode": "continuous"})

    def test_a_region_is_drawn_with_the_mouse_and_given_by_numbers(self):
        wait_for("the picture", lambda: self.driver.execute_script(
            "return document.getElementById('stage').dataset.live === 'true'"))
        at(self.driver, "region-draw").click()
        picture = at(self.driver, "stage")
        width, height = picture.size["width"], picture.size["height"]
        ActionChains(self.driver).move_to_element_with_offset(picture, -width // 6, -height // 4).click_and_hold() \
            .move_by_offset(width // 4, height // 5).move_by_offset(width // 12, height // 20).release().perform()
        try:
            region = wait_for("the region", lambda: self.station.get("/camera")["region"])
            self.assertAlmostEqual(region["height"], 0.25, delta=0.05)
            at(self.driver, "settings").click()
            field = at(self.driver, "region-height")
            field.clear()
            field.send_keys("50", Keys.TAB)
            wait_for("the number", lambda: abs(self.station.get("/camera")["region"]["height"] - 0.5) < 0.02)
            at(self.driver, "region-clear").click()
            wait_for("the whole picture", lambda: self.station.get("/camera")["region"] is None)
        finally:
            self.post({"region": None})

    def test_a_camera_that_is_set_and_unplugged(self):
        # A recording has no controls and no plug: the page is told of a camera as the station would tell it.
        show = ("const [status, done] = arguments; import('/app-camera.js').then((page) => { page.showCamera({status,"
                "card: 'HD Webcam', path: '/dev/video0', mode: 'continuous', region: null, problem: null, cameras: ["
                "{path: '/dev/video0', card: 'HD Webcam'}, {path: '/dev/video2', card: 'Document camera'}], controls: ["
                "{name: 'brightness', minimum: 0, maximum: 255, step: 1, value: 128, settable: true},"
                "{name: 'focus_automatic_continuous', minimum: 0, maximum: 1, step: 1, value: 1, settable: true},"
                "{name: 'focus_absolute', minimum: 0, maximum: 250, step: 5, value: 30, settable: false},"
                "{name: 'auto_exposure', minimum: 0, maximum: 3, step: 1, value: 3, settable: true,"
                " menu: {1: 'Manual Mode', 3: 'Aperture Priority Mode'}}]});"
                # At once: news of the station's own camera draw the fields again.
                "done({cameras: [...document.querySelectorAll('#cameras option')].map((option) => option.text),"
                " controls: [...document.querySelectorAll('#controls :is(input, select)')].map((field) => ["
                "field.id, field.localName, !field.disabled])}); })")
        # Until then the page asks for its own camera, whose state would replace this one.
        wait_for("the camera's picture", lambda: self.driver.execute_script(
            "return document.getElementById('stage').dataset.live === 'true'"))
        at(self.driver, "settings").click()
        shown = self.driver.execute_async_script(show, "running")
        self.assertEqual(shown["cameras"], ["HD Webcam", "Document camera"])
        self.assertCountEqual(shown["controls"], [
            ["control-brightness", "input", True], ["control-focus_automatic_continuous", "input", True],
            ["control-focus_absolute", "input", False], ["control-auto_exposure", "select", True]])
        self.driver.execute_script(
            "window.sent = []; const real = fetch; window.fetch = (path, options) => {"
            " if (path === '/camera' && options && options.body) sent.push(options.body);"
            " return real(path, options); }")
        def press():
            self.driver.execute_async_script(show, "running")
            try:
                at(self.driver, "control-brightness").send_keys(Keys.ARROW_RIGHT)
            except StaleElementReferenceException:
                return False  # The state of the station's own camera came in between.
            return True
        wait_for("a control", press)
        wait_for("what is set", lambda: self.driver.execute_script("return sent") == ['{"controls":{"brightness":129}}'])
        # A recording has no such control: the station's sentence is shown.
        wait_for("the refusal", lambda: len(text(self.driver, "settings-problem")) > 10)
        self.browser.screenshot("settings")
        # The station tells the page of its own camera again whenever the frame rate has changed.
        def tell(status):
            self.driver.execute_async_script(show, status)
            return text(self.driver, "camera-word"), at(self.driver, "blank").text
        wait_for("it is said", lambda: tell("lost")[0] == "Camera lost" and "comes back by itself" in tell("lost")[1])
        self.browser.screenshot("camera-lost")
        tell("running")
        wait_for("the picture", lambda: not at(self.driver, "blank").is_displayed())

    def test_a_page_that_asks_is_shown_and_can_be_refused(self):
        request = {"request": str(uuid.uuid4()), "message": {"source": "album"}}
        self.assertEqual(self.station.request("POST", "/bridge/promise", request)["state"], "open")
        wait_for("the word", lambda: at(self.driver, "asking").is_displayed())
        self.assertEqual(text(self.driver, "asking-word"), "A program asks for a picture")
        at(self.driver, "asking-cancel").click()
        wait_for("its end", lambda: not at(self.driver, "asking").is_displayed())
        self.assertEqual(self.station.request("POST", "/bridge/promise", request)["state"], "cancelled")

    def test_who_asks_is_named_also_after_a_reload(self):
        origin = "http://oa.example"
        other = Setting(["no-code.jpg"], origins=[origin])
        try:
            _, _, content = other.station.exchange("POST", "/bridge/session", b"", {"Origin": origin})
            session = {"Origin": origin, "Authorization": "Bearer " + json.loads(content)["data"]["session"],
                       "Content-Type": "application/json"}
            self.browser.enter(other.station)
            body = {"request": str(uuid.uuid4()), "message": {"source": "camera", "timeout": 60}}
            self.assertEqual(other.station.exchange(
                "POST", "/bridge/promise", json.dumps(body).encode(), session)[0], 202)
            said = "http://oa.example asks for a code"
            wait_for("who asks", lambda: at(self.driver, "asking-word").is_displayed()
                     and text(self.driver, "asking-word") == said)
            self.driver.refresh()
            wait_for("who asks, after a reload", lambda: at(self.driver, "asking-word").is_displayed()
                     and text(self.driver, "asking-word") == said)
            self.browser.screenshot("asking")
            other.station.exchange("DELETE", "/bridge/requests/" + body["request"], None, session)
            wait_for("its end", lambda: not at(self.driver, "asking").is_displayed())
        finally:
            other.stop()

    def test_every_copy_button_names_its_code(self):
        for name in ("ean13.png", "databar.png"):
            self.station.upload(sample(name))
        wait_for("the row", lambda: "databar" in text(self.driver, "scans"))
        self.browser.emulate("light", 390, 1200)
        try:
            # Rows are drawn again when their events have been delivered.
            names, codes = wait_for("rows that stay", lambda: (
                self.browser.named("#scans .actions button:not(.again)"),
                [row.find_element(By.CSS_SELECTOR, "td.content").text
                 for row in self.driver.find_elements(By.CSS_SELECTOR, "#scans tr")]))
            self.assertEqual([name.split(": ", 1)[0] for name in names], ["Copy"] * len(codes))
            self.assertIn("Copy: 4006381333931", names)
            for name, code in zip(names, codes):
                self.assertEqual(name.split(": ", 1)[1][:20], code[:20])
            self.assertEqual(self.browser.named("#sound"), ["Sound on"])
        finally:
            self.browser.emulate("light", 1280, 900)

    def test_the_sound_button_says_what_is_so(self):
        browser = open_browser(sounds=False)
        try:
            browser.enter(self.station)
            state = lambda: (at(browser.driver, "sound").get_attribute("aria-pressed"), text(browser.driver, "sound-word"))
            self.assertEqual(state(), ("false", "Turn on sound"))
            # The button itself starts it, and does not switch it off.
            at(browser.driver, "sound").click()
            wait_for("sound", lambda: state() == ("true", "Sound on"))
            at(browser.driver, "sound").click()
            self.assertEqual(state(), ("false", "Sound off"))
            browser.driver.refresh()
            wait_for("off after a reload", lambda: state() == ("false", "Sound off"))
            at(browser.driver, "sound").click()
            wait_for("sound", lambda: state() == ("true", "Sound on"))
        finally:
            browser.quit()

    def test_any_click_starts_the_sound(self):
        browser = open_browser(sounds=False)
        try:
            browser.enter(self.station)
            self.assertEqual(text(browser.driver, "sound-word"), "Turn on sound")
            at(browser.driver, "history-title").click()
            wait_for("sound", lambda: text(browser.driver, "sound-word") == "Sound on")
        finally:
            browser.quit()

    def test_both_languages_and_a_name_for_every_control(self):
        at(self.driver, "settings").click()
        for expected in ("历史记录", "History"):
            at(self.driver, "language").click()
            wait_for("the language", lambda: text(self.driver, "history-title") == expected)
            tree = self.browser.cdp("Accessibility.getFullAXTree")["nodes"]
            roles = {"button", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider", "spinbutton", "link"}
            nameless = [node for node in tree if node.get("role", {}).get("value") in roles
                        and not node.get("ignored") and not node.get("name", {}).get("value")]
            self.assertEqual(nameless, [])
        self.assertEqual(at(self.driver, "latest-live").get_attribute("aria-live"), "polite")

    def test_every_control_is_reached_by_the_tab_key(self):
        reached = set()
        at(self.driver, "filter-more").find_element(By.TAG_NAME, "summary").click()
        # The keys of the arrows open one tab after the other.
        for _ in range(5):
            self.driver.execute_script("document.getElementById('stage').tabIndex = -1; stage.focus()")
            for _ in range(60):
                ActionChains(self.driver).send_keys(Keys.TAB).perform()
                reached.add(self.driver.switch_to.active_element.get_attribute("id"))
            tab = self.driver.find_element(By.CSS_SELECTOR, "[role=tab][aria-selected=true]")
            tab.send_keys(Keys.ARROW_RIGHT)
        self.assertLessEqual(
            {"sound", "language", "region-draw", "settings", "typing-text", "typing-format", "typing-store",
             "counting-name", "files", "search", "filter-format", "csv", "preferences-open", "phone-use"}, reached)

    def test_screenshots(self):
        wait_for("outlines", lambda: self.driver.find_elements(By.CSS_SELECTOR, "#outlines .symbol"))
        for width, size in (("wide", (1280, 1150)), ("narrow", (390, 1500))):
            for theme in ("light", "dark"):
                self.browser.emulate(theme, *size)
                wait_for("outlines", lambda: self.driver.find_elements(By.CSS_SELECTOR, "#outlines .symbol"))
                broad = self.driver.execute_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(broad, size[0], "the page is broader than the screen")
                self.browser.screenshot("page-%s-%s" % (width, theme))
        at(self.driver, "language").click()
        at(self.driver, "settings").click()
        self.browser.screenshot("page-narrow-dark-zh")
        at(self.driver, "language").click()
        self.browser.emulate("light", 1280, 900)
