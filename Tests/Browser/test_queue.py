"""Pictures that wait, and pictures that came to nothing: none is lost, none is stored twice, all are counted."""
import os
import tempfile

from selenium.webdriver.common.by import By

from browser import at, text
from common import OwnBrowserTest
from station import sample, wait_for

# The answer to the next upload is lost on its way to the page, or is another one.
LOSE_ANSWER = """
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (body) {
    XMLHttpRequest.prototype.send = send;
    this.onload = () => { window.lost = true; this.onerror(); };
    send.call(this, body);
};"""
CHANGE_ANSWER = """
const [status, reason] = arguments;
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (body) {
    XMLHttpRequest.prototype.send = send;
    const answer = { isSuccess: false, code: status, errorMsg: 'A sentence with /a/path.', data: { reason } };
    Object.defineProperties(this, { status: { value: status }, response: { value: answer } });
    send.call(this, body);
};"""


class QueueTests(OwnBrowserTest):
    def setUp(self):
        super().setUp()
        self.browser.enter(self.station)

    def choose(self, *names):
        at(self.driver, "files").send_keys("\n".join(
            name if os.path.isabs(name) else sample(name) for name in names))

    def items(self):
        """Name, state and result of every picture that is listed, from top to bottom."""
        return self.driver.execute_script(
            "return Array.from(document.querySelectorAll('.uploads li'), (item) => [item.querySelector('.name')"
            ".textContent, item.dataset.state, item.querySelector('.result').textContent])")

    def summary(self, expected):
        wait_for(expected, lambda: text(self.driver, "album-summary") == expected)

    def stored(self, name):
        return sum(record["event"]["source"].get("name") == name for record in self.station.scans())

    def test_what_is_dropped_while_the_station_is_away_is_sent_when_it_is_back(self):
        before = {name: self.stored(name) for name in ("code39.png", "itf14.png", "codabar.png")}
        self.station.kill()
        wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
        self.browser.open_tab("pictures")
        self.browser.drop("drop", [sample("code39.png")])
        self.choose("itf14.png", "codabar.png")
        self.summary("3 waiting")
        self.assertEqual({item[2] for item in self.items()}, {"waiting for the station"})
        self.browser.screenshot("queue-away")
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Remove: codabar.png']").click()
        self.summary("2 waiting")
        self.station.start()
        self.summary("2 read")
        for name, more in (("code39.png", 1), ("itf14.png", 1), ("codabar.png", 0)):
            self.assertEqual(self.stored(name), before[name] + more, name)

    def test_what_waits_survives_that_the_page_is_closed(self):
        before = self.stored("upce.png")
        self.station.kill()
        wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
        self.choose("upce.png")
        self.summary("1 waiting")
        self.driver.get("about:blank")
        self.station.start()
        self.browser.enter(self.station)
        self.summary("1 read")
        self.assertEqual(self.stored("upce.png"), before + 1)
        # It is gone from what the browser keeps: nothing is sent by the next page.
        self.driver.refresh()
        wait_for("the row", lambda: "upce.png" in text(self.driver, "scans"))
        self.assertEqual(self.items(), [])
        self.assertEqual(self.stored("upce.png"), before + 1)

    def test_what_a_person_asks_for_in_vain_is_said(self):
        wait_for("a row", lambda: text(self.driver, "scans"))
        self.station.kill()
        try:
            wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
            for expected in ("The station does not answer", "工作站没有响应"):
                at(self.driver, "csv").click()
                wait_for("why", lambda: at(self.driver, "spoken").text.startswith(expected))
                at(self.driver, "language").click()
        finally:
            self.station.start()

    def test_a_browser_that_keeps_nothing_says_so(self):
        self.driver.execute_script(
            "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };")
        before = self.stored("upca.png")
        self.station.kill()
        wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
        self.choose("upca.png")
        self.summary("1 waiting")
        wait_for("the hint", lambda: "leave this page open" in self.items()[0][2])
        self.station.start()
        self.summary("1 read")
        self.assertEqual(self.stored("upca.png"), before + 1)

    def test_a_picture_whose_answer_was_lost_is_stored_once(self):
        before = self.stored("code93.png")
        self.driver.execute_script(LOSE_ANSWER)
        self.choose("code93.png")
        self.summary("1 read")
        self.assertTrue(self.driver.execute_script("return window.lost"))
        self.assertEqual(self.stored("code93.png"), before + 1)

    def test_a_station_that_is_busy_or_full_is_tried_again(self):
        # All that the summary says: a station that is well again may be found so at once.
        self.driver.execute_script(
            "window.said = []; const summary = document.getElementById('album-summary');"
            "new MutationObserver(() => window.said.push(summary.textContent)).observe(summary, { childList: true })")
        for status, reason in ((503, "busy"), (429, "too_many_requests"), (409, "upload_under_way"), (507, "no_room"),
                               (503, "not_saved")):
            with self.subTest(reason):
                self.driver.execute_script("window.said = []")
                self.driver.execute_script(CHANGE_ANSWER, status, reason)
                self.choose("ean8.png")
                wait_for("1 waiting, then 1 read", lambda: self.driver.execute_script(
                    "return said.includes('1 waiting') && said.at(-1) === '1 read'"))

    def test_failures_are_counted_come_first_and_are_tried_again(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = os.path.join(folder, "broken.png")
            with open(broken, "wb") as file:
                file.write(b"no picture at all")
            empty = os.path.join(folder, "empty.png")
            open(empty, "wb").close()
            good = ["code39.png", "itf14.png", "qr-umlaut.png", "code128.png"]
            self.choose(broken, *good[:2], "no-code.jpg", *good[2:], empty)
            self.summary("4 read, 2 could not be read, 1 without a code")
        items = self.items()
        self.assertEqual({item[0] for item in items[:3]}, {"broken.png", "empty.png", "no-code.jpg"})
        self.assertEqual({item[1] for item in items[3:]}, {"good"})
        said = {name: result for name, _, result in items}
        self.assertEqual(said["no-code.jpg"], "no code")
        self.assertIn("PNG or JPEG", said["broken.png"])
        self.assertEqual(said["empty.png"], "is empty")
        self.assertTrue(self.driver.find_element(By.ID, "failures").is_displayed())
        self.browser.screenshot("failures")
        # In the other language too, and after a reload.
        at(self.driver, "language").click()
        self.summary("已识别 4 张，2 张无法识别，1 张没有码")
        self.browser.screenshot("failures-zh")
        at(self.driver, "language").click()
        self.driver.refresh()
        self.summary("2 could not be read, 1 without a code")
        # One, and all: they are looked at harder than the first time.
        self.browser.requested()
        self.browser.open_tab("pictures")
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Try again: no-code.jpg']").click()
        self.summary("2 could not be read, 1 without a code")
        at(self.driver, "again-all").click()
        sent = []
        wait_for("all of them", lambda: sent.extend(
            url for url in self.browser.requested() if "/scan?effort=thorough" in url) or len(sent) == 4)
        self.summary("2 could not be read, 1 without a code")
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Remove: no-code.jpg']").click()
        self.summary("2 could not be read")
        at(self.driver, "remove-all").click()
        self.summary("")
        self.driver.refresh()
        wait_for("the page", lambda: text(self.driver, "scans"))
        self.assertEqual(self.items(), [])

    def test_a_failure_that_is_tried_again_may_be_read(self):
        self.driver.execute_script(CHANGE_ANSWER, 422, "timed_out")
        self.choose("isbn.png")
        self.summary("1 could not be read")
        self.assertEqual(self.items(), [["isbn.png", "bad", "took too long"]])
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Try again: isbn.png']").click()
        self.summary("1 read")

    def test_a_folder_is_no_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            self.browser.open_tab("pictures")
            self.browser.drop("drop", [folder])
            self.summary("1 could not be read")
            self.assertIn("a folder", self.items()[0][2])
