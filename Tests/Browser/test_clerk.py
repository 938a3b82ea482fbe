"""What a clerk does by hand on the station's page: typing, counting, searching, delivering again, signing in, hearing."""
import datetime
import http.server
import os
import tempfile
import threading
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import at, text
from common import Setting, StationTest, draw, open_browser
from station import Station, sample, wait_for
from test_accessible import AXE, RUN, VARIANTS
from test_layout import OBSERVE, shifts

CONFIGURATION = """
station: counter-1
place: counter-1
placeCode: "^PLACE:(.+)$"
operators:
  badge: "^STAFF-"
notifications:
  textMatches: "^RECALL|^WIFI"
"""

BUSY = """
destinations:
  his: {type: http, url: "http://127.0.0.1:%d/", unsigned: true}
"""


class ClerkTest(StationTest):
    pictures = ("order-form.png",)

    @classmethod
    def setUpClass(cls):
        cls.station = Station(configuration=CONFIGURATION, arguments=["--camera", "none"])
        cls.addClassCleanup(cls.station.stop)

    def setUp(self):
        self.browser = open_browser()
        self.addCleanup(self.browser.quit)
        self.driver = self.browser.driver
        self.browser.enter(self.station)

    def latest(self):
        return text(self.driver, "latest-content")

    def texts(self):
        return [record["event"]["symbol"]["text"] for record in self.station.scans()]

    def type(self, code):
        if not at(self.driver, "typing-text").is_displayed():
            self.browser.open_tab("type")
        at(self.driver, "typing-text").send_keys(code, Keys.ENTER)

    def check(self, state):
        """Holds the page as it is against axe's rules in every variant, and leaves a picture of each."""
        self.driver.execute_script(AXE)
        variants = [*VARIANTS, ("en", "light", 640), ("zh", "dark", 320)]
        for language, theme, width in variants:
            shown = self.driver.execute_script("return document.documentElement.lang.slice(0, 2)")
            if shown != language:
                self.driver.execute_script("document.getElementById('language').click()")
            self.browser.emulate(theme, width, 1800)
            with self.subTest(state=state, language=language, theme=theme, width=width):
                self.browser.screenshot("clerk-%s-%s-%s-%d" % (state, language, theme, width))
                self.assertEqual(self.driver.execute_async_script(RUN), [])
                broad = self.driver.execute_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(broad, width, "the page is broader than the screen")
        if self.driver.execute_script("return document.documentElement.lang.slice(0, 2)") != "en":
            self.driver.execute_script("document.getElementById('language').click()")
        self.browser.emulate("light", 1280, 900)


class CameralessTests(ClerkTest):
    def test_a_station_without_a_camera_asks_for_no_code_before_it(self):
        wait_for("what there is", lambda: self.latest() == "Type or scan a code, or drop a picture here.")
        at(self.driver, "language").click()
        self.assertEqual(self.latest(), "请输入或扫描码，或把图片拖到这里。")


class TypingTests(ClerkTest):
    def test_a_code_is_typed_and_stored_by_enter(self):
        self.type("ORDER-77")
        wait_for("stored", lambda: self.latest() == "ORDER-77")
        record = self.station.scans()[0]["event"]
        self.assertEqual(record["source"]["kind"], "typed")
        self.assertIn("Typed", text(self.driver, "latest-facts"))
        # The field is empty, and ready for the next.
        wait_for("ready", lambda: at(self.driver, "typing-text").get_property("value") == "")
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "typing-text")
        self.type("4006381333931")
        wait_for("stored", lambda: self.latest() == "4006381333931")
        self.assertIn("EAN-13", text(self.driver, "latest-facts"))
        self.assertEqual(self.browser.complaints(), [])

    def test_a_wrong_check_digit_is_told_and_kept_only_by_a_second_act(self):
        before = len(self.station.scans())
        self.type("4006381333932")
        wait_for("it is told", lambda: "would have to be 1" in text(self.driver, "typing-problem"))
        self.browser.complaints()  # The refusal is one.
        self.check("typing-wrong")
        self.assertIn("would have to be 1", text(self.driver, "typing-problem"))
        # Enter in the field alone keeps nothing.
        at(self.driver, "typing-text").send_keys(Keys.ENTER)
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "typing-keep")
        self.assertEqual(len(self.station.scans()), before)
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        wait_for("kept", lambda: self.latest() == "4006381333932")
        # One that is corrected needs no second act.
        self.type("4006381333933")
        wait_for("it is told", lambda: text(self.driver, "typing-problem"))
        at(self.driver, "typing-again").click()
        at(self.driver, "typing-text").send_keys("4006381333931", Keys.ENTER)
        wait_for("stored", lambda: self.latest() == "4006381333931")
        self.assertEqual(len(self.station.scans()), before + 2)

    def test_a_chosen_kind_is_checked(self):
        Select(at(self.driver, "typing-format")).select_by_visible_text("EAN-8")
        self.type("1234")
        wait_for("it is told", lambda: "number of digits" in text(self.driver, "typing-problem"))
        at(self.driver, "typing-text").clear()
        self.type("96385074")
        wait_for("stored", lambda: self.latest() == "96385074")

    def test_a_gun_types_anywhere_that_is_no_field(self):
        self.driver.execute_script("document.activeElement.blur()")
        self.browser.keys("GUN 4711-a\n")
        wait_for("stored", lambda: self.latest() == "GUN 4711-a")
        source = self.station.scans()[0]["event"]["source"]
        self.assertEqual((source["kind"], source["name"]), ("device", "scan gun"))
        # A button that has the focus is not pressed by what a gun types.
        before = self.driver.execute_script("return document.documentElement.lang")
        self.driver.execute_script("document.getElementById('language').focus()")
        self.browser.keys("BUTTON 12\n")
        wait_for("stored", lambda: self.latest() == "BUTTON 12")
        self.assertEqual(self.driver.execute_script("return document.documentElement.lang"), before)
        # A list chooses nothing by it.
        self.driver.execute_script("document.getElementById('typing-format').focus()")
        self.browser.keys("CHOICE 12\n")
        wait_for("stored", lambda: self.latest() == "CHOICE 12")
        self.assertEqual(at(self.driver, "typing-format").get_property("value"), "")
        # A code that begins with a space presses and opens nothing.
        for identifier in ("language", "typing-format"):
            self.driver.execute_script("document.getElementById(arguments[0]).focus()", identifier)
            self.browser.keys(" %s 12\n" % identifier)
            wait_for("stored", lambda: self.texts()[0] == " %s 12" % identifier)
        self.assertEqual(self.driver.execute_script("return document.documentElement.lang"), before)
        self.assertFalse(at(self.driver, "typing-format").get_property("value"))
        self.assertFalse(self.driver.execute_script("return document.getElementById('typing-format').matches(':open')"))
        # That of a person presses, a moment later.
        self.driver.execute_script("document.getElementById('language').focus()")
        for language in ("zh", "en"):
            self.browser.keys(" ")
            wait_for("the other language", lambda: self.driver.execute_script(
                "return document.documentElement.lang").startswith(language))
        # A person types no code by chance, and a field keeps what is typed there.
        count = len(self.station.scans())
        self.browser.keys("slowly typed\n", gap=0.3)
        at(self.driver, "search").click()
        self.browser.keys("in a field\n")
        self.assertEqual(at(self.driver, "search").get_property("value"), "in a field")
        self.type("the end")
        wait_for("stored", lambda: self.latest() == "the end")
        self.assertEqual(len(self.station.scans()), count + 1)

    def test_a_code_in_the_midst_of_which_a_field_gets_or_loses_the_focus_arrives_whole(self):
        search, away = "document.getElementById('search').focus()", "document.activeElement.blur()"
        for code, before, after in (("LEAVES 0815", search, away), ("COMES 0815", away, search)):
            self.driver.execute_script(before)
            moment = self.browser.keys(code[:3])
            self.driver.execute_script(after)
            self.browser.keys(code[3:] + "\n", start=moment)
            self.type("the end")
            wait_for("stored", lambda: self.texts()[0] == "the end")
            self.assertEqual(self.texts()[1], code)

    def test_a_gun_sends_gs_and_no_function_keys(self):
        self.driver.execute_script("document.activeElement.blur()")
        self.browser.keys("010400638133393110AB\x1d21XYZ\n")
        wait_for("stored", lambda: "010400638133393110AB\x1d21XYZ" in self.texts())
        count = len(self.station.scans())
        # What the gun meant by the key is not known, so that this is no code; it is said and kept in the list.
        self.browser.keys("10AB" + Keys.F8 + "21XYZ\n")
        wait_for("not saved", lambda: "10AB21XYZ" in text(self.driver, "unsaved"))
        self.browser.keys("THE NEXT\n")
        wait_for("stored", lambda: "THE NEXT" in self.texts())
        self.assertEqual(len(self.station.scans()), count + 1)

    def test_two_codes_in_a_row_in_the_field(self):
        # The station answers the first one late.
        self.driver.execute_script("""
            const ask = window.fetch;
            window.fetch = (path, init) => String(path) !== '/typed' ? ask(path, init)
                : new Promise((done) => { window.answer = () => done(ask(path, init)); });""")
        field = at(self.driver, "typing-text")
        field.send_keys("FIRST-1", Keys.ENTER)
        field.send_keys("SEC")
        self.assertEqual(field.get_property("value"), "SEC")
        wait_for("it is asked", lambda: self.driver.execute_script("return Boolean(window.answer)"))
        self.driver.execute_script("window.answer(); window.answer = null")
        wait_for("stored", lambda: "FIRST-1" in self.texts())
        field.send_keys("OND-2", Keys.ENTER)
        wait_for("it is asked", lambda: self.driver.execute_script("return Boolean(window.answer)"))
        self.driver.execute_script("window.answer()")
        wait_for("stored", lambda: "SECOND-2" in self.texts())

    def kept(self):
        """The codes that the page keeps for the station, the newest first."""
        rows = self.driver.find_elements(By.CSS_SELECTOR, "#unsaved .kept b")
        return [row.get_property("textContent") for row in rows]

    def events(self):
        return [record["event"] for record in self.station.scans()]

    def test_what_is_scanned_and_typed_while_the_station_is_away_is_sent_later(self):
        # The browser keeps the page itself for the reload below.
        self.driver.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        self.station.kill()
        try:
            wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
            self.driver.execute_script("document.activeElement.blur()")
            for _ in range(2):
                self.browser.keys("SAME-4711\n")
            self.type("BY-HAND")
            self.assertEqual(at(self.driver, "typing-text").get_property("value"), "")
            for code in ("4006381333935", "4006381333936"):
                self.type(code)
            expected = ["4006381333936", "4006381333935", "BY-HAND", "SAME-4711", "SAME-4711"]
            wait_for("all are kept", lambda: self.kept() == expected)
            self.assertEqual(text(self.driver, "latest-state"), "Kept here, sent by itself")
            self.assertFalse(self.driver.find_elements(By.CSS_SELECTOR, "#unsaved li:not(.kept)"))
            self.browser.open_tab("todo")
            self.check("kept")
            self.driver.refresh()
            wait_for("all are kept", lambda: self.kept() == expected)
        finally:
            back = time.time()
            self.station.start()
        wait_for("those that need nobody are sent", lambda: self.kept() == expected[:2])
        wait_for("what is wrong is told", lambda: "would have to be 1" in text(self.driver, "unsaved"))
        found = [event for event in self.events() if event["symbol"]["text"] in expected]
        self.assertEqual([event["symbol"]["text"] for event in found], ["BY-HAND", "SAME-4711", "SAME-4711"])
        times = [datetime.datetime.fromisoformat(event["time"]).timestamp() for event in found]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(len(set(times)), 3)
        self.assertLess(times[0], back)
        self.assertEqual([event["source"]["kind"] for event in found], ["typed", "device", "device"])
        # The others wait for a person, also after a reload.
        self.driver.refresh()
        wait_for("they wait", lambda: self.kept() == expected[:2])
        self.browser.open_tab("todo")
        at(self.driver, "unsaved-save").click()
        wait_for("they are saved", lambda: not text(self.driver, "unsaved"))
        self.assertEqual([event["symbol"]["text"] for event in self.events()][:2], expected[:2])

    def test_a_code_whose_answer_is_lost_is_stored_once(self):
        self.driver.execute_script("""
            const ask = window.fetch;
            window.sent = [];
            window.fetch = async (path, init) => {
                const answer = await ask(path, init);
                if (String(path) !== '/typed') return answer;
                window.sent.push(init.headers['Idempotency-Key']);
                if (window.sent.length === 1) throw new TypeError('the answer is lost');
                return answer;
            };""")
        self.type("ONCE-1")
        # The events of the station say that it has the code; sent again, it is no other one.
        wait_for("stored", lambda: self.latest() == "ONCE-1")
        wait_for("nothing is kept", lambda: not text(self.driver, "unsaved"))
        self.type("TWICE-1")
        wait_for("stored", lambda: "TWICE-1" in self.texts())
        wait_for("both answers", lambda: len(set(self.driver.execute_script("return window.sent"))) == 2)
        self.assertEqual(self.texts().count("ONCE-1"), 1)


class SearchTests(ClerkTest):
    def test_parts_in_any_case_and_days(self):
        for code in ("Box-ALPHA-1", "box-beta-2", "条码七号仓库"):
            self.type(code)
            wait_for("stored", lambda: self.latest() == code)
        rows = lambda: [row.text for row in self.driver.find_elements(By.CSS_SELECTOR, "#scans td.content")]
        search = at(self.driver, "search")
        for part, expected in [("alpha", ["Box-ALPHA-1"]), ("OX-", ["box-beta-2", "Box-ALPHA-1"]), ("七号", ["条码七号仓库"]),
                               ("nothing", [])]:
            search.clear()
            search.send_keys(part)
            wait_for(part, lambda: rows() == expected)
        search.clear()
        search.send_keys("box")
        wait_for("both", lambda: len(rows()) == 2)
        self.driver.execute_script("document.getElementById('filter-more').open = true")
        self.driver.execute_script(
            "const to = document.getElementById('filter-to'); to.value = '2020-01-01';"
            "to.dispatchEvent(new Event('change'))")
        wait_for("none so early", lambda: rows() == [])
        self.driver.execute_script(
            "for (const id of ['filter-from', 'filter-to']) { const field = document.getElementById(id);"
            "const now = new Date(); field.value = now.getFullYear() + '-' + String(now.getMonth() + 1).padStart(2, '0')"
            " + '-' + String(now.getDate()).padStart(2, '0'); field.dispatchEvent(new Event('change')); }")
        wait_for("today", lambda: len(rows()) == 2)
        self.check("search")


class CountingTests(ClerkTest):
    def test_a_count_by_keyboard_survives_a_kill_and_becomes_an_event(self):
        total = lambda: text(self.driver, "counting-total")
        self.browser.open_tab("count")
        at(self.driver, "counting-name").send_keys("shelf 3", Keys.ENTER)
        wait_for("open", lambda: at(self.driver, "counting-open").is_displayed())
        for code in ("A-1", "B-2", "A-1", "A-1"):
            self.type(code)
            wait_for("the field", lambda: at(self.driver, "typing-text").get_property("value") == "")
        wait_for("counted", lambda: "4 in all, 2 different codes" in total())
        self.browser.open_tab("count")
        at(self.driver, "counting-undo").send_keys(Keys.ENTER)
        wait_for("one less", lambda: "3 in all, 2 different codes" in total())
        # In one step until it has the focus: the lines are drawn again when the station tells of the count.
        focus = ("const field = document.querySelector(\"#counting-lines input[aria-label='Quantity: B-2']\");"
                 "if (field) { field.focus(); field.select(); } return Boolean(field)")
        wait_for("the lines", lambda: self.driver.execute_script(focus))
        self.driver.switch_to.active_element.send_keys("12", Keys.TAB)
        wait_for("the quantity", lambda: "14 in all, 2 different codes" in total())
        self.check("counting")
        self.station.kill()
        self.station.start()
        wait_for("connected", lambda: not at(self.driver, "gone").is_displayed())
        self.driver.refresh()
        wait_for("still open", lambda: "14 in all, 2 different codes" in total())
        self.type("A-1")
        wait_for("it goes on", lambda: "15 in all" in total())
        with tempfile.TemporaryDirectory() as folder:
            self.browser.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
            self.browser.open_tab("count")
            at(self.driver, "counting-csv").click()
            wait_for("the file", lambda: [name for name in os.listdir(folder) if name.endswith(".csv")])
            with open(os.path.join(folder, os.listdir(folder)[0]), encoding="utf-8-sig") as file:
                self.assertIn('"B-2","12"', file.read())
        number = self.station.get("/counts")["counts"][0]["number"]
        self.station.request("POST", "/counts/%d/close" % number, {})
        wait_for("closed on the page", lambda: not at(self.driver, "counting-open").is_displayed())
        event = self.station.scans()[0]["event"]
        self.assertEqual(event["source"]["kind"], "count")
        self.assertEqual([(line["text"], line["quantity"]) for line in event["count"]["lines"]], [("A-1", 3), ("B-2", 12)])
        self.assertIn("shelf 3", text(self.driver, "counting-list"))

    def test_a_gun_counts_although_a_quantity_has_the_focus(self):
        number = self.station.request("POST", "/counts", {"name": "shelf"})["number"]
        lines = lambda: {line["text"]: line["quantity"] for line in self.station.get("/counts/%d" % number)["lines"]}
        self.browser.open_tab("count")
        wait_for("open", lambda: at(self.driver, "counting-open").is_displayed())
        self.browser.keys("4711\n")
        wait_for("counted", lambda: lines() == {"4711": 1})
        focus = ("const field = document.querySelector('#counting-lines input');"
                 "if (field) { field.focus(); field.select(); } return Boolean(field)")
        wait_for("the lines", lambda: self.driver.execute_script(focus))
        self.driver.switch_to.active_element.send_keys("12", Keys.ENTER)
        wait_for("the quantity", lambda: lines() == {"4711": 12})
        self.browser.keys("4711\n")
        wait_for("counted", lambda: lines() == {"4711": 13})
        self.assertEqual(self.driver.switch_to.active_element.get_property("value"), "12")
        # Nor does a day take a code, or a field without a number mean none.
        self.driver.switch_to.active_element.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, Keys.ENTER)
        wait_for("what it was", lambda: self.driver.switch_to.active_element.get_property("value") == "12")
        at(self.driver, "filter-more").find_element(By.TAG_NAME, "summary").click()
        at(self.driver, "filter-from").click()
        self.browser.keys("4712\n")
        wait_for("counted", lambda: lines() == {"4711": 13, "4712": 1})
        self.assertEqual(at(self.driver, "filter-from").get_property("value"), "")
        self.station.request("POST", "/counts/%d/close" % number, {"deliver": False})

    def test_the_last_step_is_undone_when_nothing_is_left(self):
        total = lambda: text(self.driver, "counting-total")
        number = self.station.request("POST", "/counts", {"name": "slip"})["number"]
        self.browser.open_tab("count")
        wait_for("open", lambda: at(self.driver, "counting-open").is_displayed())
        self.assertFalse(at(self.driver, "counting-undo").is_enabled())
        self.type("SLIP-1")
        wait_for("counted", lambda: "1 in all" in total())
        self.station.request("POST", "/counts/%d/lines" % number, {"format": "unknown", "text": "SLIP-1", "quantity": 0})
        wait_for("nothing", lambda: "0 in all" in total())
        self.browser.open_tab("count")
        at(self.driver, "counting-undo").send_keys(Keys.ENTER)
        wait_for("it is there again", lambda: "1 in all" in total())
        self.station.request("POST", "/counts/%d/close" % number, {"deliver": False})
        wait_for("closed on the page", lambda: not at(self.driver, "counting-open").is_displayed())


class SeenTests(StationTest):
    pictures = ("qr.png",)

    def test_a_code_that_was_seen_is_copied_and_counted(self):
        browser = open_browser()
        self.addCleanup(browser.quit)
        browser.cdp("Browser.grantPermissions", origin=self.station.url, permissions=["clipboardReadWrite"])
        browser.enter(self.station)
        count = self.station.request("POST", "/counts", {})
        browser.open_tab("count")
        wait_for("open", lambda: at(browser.driver, "counting-open").is_displayed())
        wait_for("in view", lambda: browser.driver.find_elements(By.CSS_SELECTOR, "#outlines .symbol"))
        # What the camera tells of a code within its window; its own way there is test_page's.
        browser.driver.execute_async_script(
            "const done = arguments[0]; import('/app-history.js').then((page) => {"
            "page.showInstead('seen', {text: 'SEEN-1', format: 'unknown'}); done(); })")
        self.assertEqual(text(browser.driver, "latest-facts"), "Code")
        at(browser.driver, "language").click()
        self.assertEqual(text(browser.driver, "latest-facts"), "码")
        at(browser.driver, "language").click()
        self.assertTrue(at(browser.driver, "latest-copy").is_displayed())
        self.assertFalse(at(browser.driver, "latest-retry").is_displayed())
        at(browser.driver, "latest-copy").click()
        wait_for("copied", lambda: "Copied" in text(browser.driver, "latest-copy"))
        self.assertEqual(browser.driver.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"), "SEEN-1")
        self.station.request("POST", "/counts/%d/close" % count["number"], {"deliver": False})


class WorkplaceTests(ClerkTest):
    def test_a_badge_and_a_place(self):
        who = lambda: text(self.driver, "workplace-operator")
        wait_for("nobody", lambda: "Nobody" in who())
        self.assertEqual(text(self.driver, "workplace-place"), "counter-1")
        before = len(self.station.scans())
        self.type("STAFF-0042")
        wait_for("signed in", lambda: len(who()) == 8)
        self.type("PLACE:ward-7")
        wait_for("the place", lambda: text(self.driver, "workplace-place") == "ward-7")
        at(self.driver, "workplace-name").send_keys("Anna", Keys.ENTER)
        wait_for("the name", lambda: who() == "Anna")
        self.type("SAMPLE-1")
        wait_for("stored", lambda: self.latest() == "SAMPLE-1")
        self.assertIn("Anna · ward-7", text(self.driver, "latest-facts"))
        self.check("workplace")
        records = self.station.scans()
        self.assertEqual(len(records), before + 1, "a badge and a place are no events")
        self.assertEqual((records[0]["event"]["operator"], records[0]["event"]["place"]), ("Anna", "ward-7"))
        self.assertEqual(len(self.station.get("/scans?operator=Anna&q=sample")["scans"]), 1)
        at(self.driver, "workplace-out").click()
        wait_for("signed out", lambda: "Nobody" in who())
        at(self.driver, "workplace-change").click()
        at(self.driver, "workplace-place-name").clear()
        at(self.driver, "workplace-place-name").send_keys(Keys.ENTER)
        wait_for("the place of the configuration", lambda: self.station.get("/workplace")["place"] is None
                 or self.station.get("/workplace")["place"] == "counter-1")
        with open(os.path.join(self.station.folder, "station.sqlite"), "rb") as file:
            self.assertNotIn(b"STAFF-0042", file.read())

    def test_a_wrong_clock_asks_the_station_no_more_than_a_right_one(self):
        self.driver.execute_script("""
            const [now, later] = [Date.now, window.setTimeout];
            window.longest = 0;
            Date.now = () => now() - 60 * 86400000;
            window.setTimeout = (act, time, ...given) => {
                longest = Math.max(longest, time || 0);
                return later(act, time, ...given);
            };
        """)
        self.station.request("POST", "/typed", {"text": "STAFF-0060", "gun": True})
        wait_for("the badge", lambda: at(self.driver, "workplace-out").is_displayed())
        # A browser ends a longer one at once.
        self.assertLess(self.driver.execute_script("return longest"), 2**31)
        self.station.request("POST", "/workplace", {"signOut": True})

    def test_a_badge_and_a_place_move_nothing(self):
        for width, height in ((1366, 768), (1024, 768), (390, 844)):
            self.browser.emulate("light", width, height)
            self.browser.enter(self.station)
            wait_for("nobody", lambda: "Nobody" in text(self.driver, "workplace-operator"))
            self.driver.execute_script(OBSERVE)
            self.station.request("POST", "/typed", {"text": "STAFF-%d" % width, "gun": True})
            wait_for("the form", lambda: at(self.driver, "workplace-name-form").is_displayed())
            at(self.driver, "workplace-name").send_keys("Anna", Keys.ENTER)
            wait_for("the name", lambda: text(self.driver, "workplace-operator") == "Anna")
            at(self.driver, "workplace-change").click()
            at(self.driver, "workplace-place-name").send_keys(Keys.ESCAPE)
            self.assertEqual(shifts(self.driver), [], "at %d pixels" % width)
            at(self.driver, "workplace-out").click()
            wait_for("signed out", lambda: "Nobody" in text(self.driver, "workplace-operator"))


class AloudTests(ClerkTest):
    def setUp(self):
        super().setUp()
        self.driver.execute_script(
            "window.said = []; speechSynthesis.speak = (one) => window.said.push([one.text, one.lang]);"
            "window.notices = []; window.Notification = class { static permission = 'granted';"
            "constructor(title, options) { window.notices.push([title, options.body]); } addEventListener() {} }")

    def choose(self, **values):
        self.driver.execute_script(
            "for (const [name, value] of Object.entries(arguments[0])) {"
            "const field = document.getElementById('aloud-' + name);"
            "if (typeof value === 'boolean') field.checked = value; else field.value = value;"
            "field.dispatchEvent(new Event('change')); }", values)

    def test_nothing_is_said_before_somebody_asks_and_then_after_the_commit(self):
        said = lambda: self.driver.execute_script("return window.said")
        self.type("QUIET-1")
        wait_for("stored", lambda: self.latest() == "QUIET-1")
        self.assertEqual(said(), [])
        self.choose(speaks="text", rule="^ORDER")
        self.type("ORDER-9")
        wait_for("said", lambda: said() == [["ORDER-9", "en-GB"]])
        self.assertIn("ORDER-9", self.texts())
        self.assertEqual(self.driver.execute_script("return window.notices"), [["Quietzone · Code read", "ORDER-9"]])
        self.choose(speaks="digits")
        at(self.driver, "language").click()
        self.type("AB-123456")
        wait_for("the last ones, in Chinese", lambda: said()[-1] == ["3 4 5 6", "zh-CN"])
        self.driver.execute_script("document.getElementById('language').click()")
        with tempfile.TemporaryDirectory() as folder:
            self.station.upload(draw(folder, "wifi", b"WIFI:T:WPA;S:ward-3;P:correct horse;;"))
        wait_for("of a secret only what it is", lambda: said()[-1] == ["Wireless network", "en-GB"])
        self.choose(rule="(")
        self.assertIn("not a regular expression", text(self.driver, "aloud-problem"))
        self.browser.open_preferences()
        self.check("aloud")

    def test_a_clock_that_is_ahead_keeps_nothing_from_being_said(self):
        # Pages share their events by a worker, whose clock this cannot set.
        self.browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=(
            "const { now } = Date; Date.now = () => now() + 60000; delete window.SharedWorker;"
            "window.said = []; speechSynthesis.speak = (one) => window.said.push(one.text);"))
        self.browser.enter(self.station)
        self.choose(speaks="text")
        self.type("ORDER-10")
        wait_for("stored", lambda: self.latest() == "ORDER-10")
        wait_for("said", lambda: self.driver.execute_script("return window.said") == ["ORDER-10"])

    def test_the_station_tells_of_what_its_configuration_names(self):
        notices = lambda: self.driver.execute_script("return window.notices")
        self.type("RECALL-1")
        wait_for("shown", lambda: self.driver.execute_script(
            "return document.documentElement.dataset.notice") == "RECALL-1")
        self.assertEqual(notices(), [], "nobody has asked this browser for notifications")
        self.choose(station=True)
        for code in ("OTHER-2", "RECALL-2"):
            self.type(code)
            wait_for("stored", lambda: self.latest() == code)
        with tempfile.TemporaryDirectory() as folder:
            self.station.upload(draw(folder, "wifi-2", b"WIFI:T:WPA;S:ward-4;P:battery staple;;"))
        wait_for("both", lambda: notices() == [
            ["Quietzone · Code read", "RECALL-2"], ["Quietzone · Code read", "Wireless network"]])

    def test_the_choice_is_kept(self):
        self.choose(speaks="digits", again=True)
        self.driver.refresh()
        wait_for("the page", lambda: at(self.driver, "aloud-speaks").get_property("value") == "digits")
        self.assertTrue(at(self.driver, "aloud-again").is_selected())


class ConfidenceTests(ClerkTest):
    def test_a_doubtful_code_is_shown_with_its_confidence(self):
        self.station.upload(sample("qr.png"))
        wait_for("a sure code", lambda: "QR" in text(self.driver, "latest-facts"))
        self.assertNotIn("certain", text(self.driver, "latest-facts"))
        self.station.upload(sample("code32.png"))
        wait_for("a doubtful code", lambda: "95 % certain" in text(self.driver, "latest-facts"))
        at(self.driver, "language").click()
        wait_for("in Chinese", lambda: "可信度 95%" in text(self.driver, "latest-facts"))


class MeaningTests(ClerkTest):
    def test_a_link_in_full_names_for_people_and_fields_in_chinese(self):
        self.station.upload(sample("data-matrix-gs1.png"))
        wait_for("the fields", lambda: "BATCH/LOT" in text(self.driver, "latest-meaning"))
        self.assertIn("Data Matrix", text(self.driver, "latest-facts"))
        at(self.driver, "language").click()
        wait_for("in Chinese", lambda: "批号" in text(self.driver, "latest-meaning"))
        # The same name says something else in another kind of message.
        with tempfile.TemporaryDirectory() as folder:
            self.station.upload(draw(folder, "pass", b"M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 326J001A0025 100"))
        wait_for("where to", lambda: "到达机场" in text(self.driver, "latest-meaning"))
        self.station.upload(sample("data-matrix-gs1.png"))
        wait_for("the fields again", lambda: "批号" in text(self.driver, "latest-meaning"))
        at(self.driver, "language").click()
        self.check("meaning")
        with tempfile.TemporaryDirectory() as folder:
            self.station.upload(draw(folder, "link", b"HTTPS://EXAMPLE.org/a/../b?c=d"))
        wait_for("the link", lambda: "https://example.org/b?c=d" in text(self.driver, "latest-meaning"))

    def test_a_long_label_leaves_room_for_its_value(self):
        with tempfile.TemporaryDirectory() as folder:
            self.station.upload(draw(folder, "part", b"[)>\x1e06\x1dPQ1045-ND\x1d1P364019-01\x1dQ3\x1e\x04"))
        wait_for("the part", lambda: "364019-01" in text(self.driver, "latest-meaning"))
        for width in (1366, 1024, 390):
            self.browser.emulate("light", width, 900)
            lines = self.driver.execute_script(
                "return [...document.querySelectorAll('#latest-meaning dd:nth-of-type(odd)')].map((value) =>"
                " value.getBoundingClientRect().height / parseFloat(getComputedStyle(value).lineHeight))")
            self.assertEqual(len(lines), 3)
            self.assertLess(max(lines), 1.9, "a value is broken at %d pixels" % width)


class WaitingTests(StationTest):
    def test_what_waits_is_said_and_delivered_again(self):
        setting = Setting(("no-code.jpg",))
        self.addCleanup(setting.stop)
        browser = open_browser()
        self.addCleanup(browser.quit)
        browser.enter(setting.station)
        self.assertFalse(at(browser.driver, "waiting-box").is_displayed())
        setting.receiver.pause()
        said = lambda: at(browser.driver, "waiting").text
        for code in ("W-1", "W-2"):
            at(browser.driver, "typing-text").send_keys(code, Keys.ENTER)
            wait_for("the field", lambda: at(browser.driver, "typing-text").get_property("value") == "")
        browser.open_tab("todo")
        wait_for("not accepted", lambda: "2 codes were not accepted: tell your administrator" in said())
        self.assertNotIn("500", said())
        browser.driver.find_element(By.CSS_SELECTOR, "#waiting .reason summary").send_keys(Keys.ENTER)
        wait_for("why", lambda: "answered 500" in said())
        browser.screenshot("clerk-waiting")
        setting.receiver.resume()
        wait_for("the button", lambda: at(browser.driver, "waiting-replay").is_displayed())
        at(browser.driver, "waiting-replay").send_keys(Keys.ENTER)
        wait_for("delivered", lambda: all(
            delivery["state"] == "delivered" for record in setting.station.scans() for delivery in record["deliveries"]))
        wait_for("nothing waits", lambda: not at(browser.driver, "waiting-box").is_displayed())

    def test_a_pause_is_shown_with_its_end(self):
        class Busy(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(429)
                self.send_header("Retry-After", "3600")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy)
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        station = Station(configuration=BUSY % receiver.server_port, arguments=["--camera", "none"])
        self.addCleanup(station.stop)
        browser = open_browser()
        self.addCleanup(browser.quit)
        browser.enter(station)
        at(browser.driver, "typing-text").send_keys("W-3", Keys.ENTER)
        wait_for("the pause", lambda: "asked for a pause until " in text(browser.driver, "waiting"))
        self.assertIn("answered 429", text(browser.driver, "waiting"))
