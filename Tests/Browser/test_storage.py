"""A disk that is full: the code stays on the page, and a banner says what is wrong, in the page's language."""
import os
import shutil
import subprocess
import tempfile
import unittest

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import Setting, draw, open_browser
from station import sample, wait_for


def mount(folder):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], check=True, stderr=subprocess.DEVNULL)


class StorageTest(unittest.TestCase):
    """A station whose disk can be filled. `content` is that of the QR symbol before its camera."""

    content = b"ORDER-2024-0815"

    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        try:
            self.setting = Setting([draw(folder, "qr", self.content)], arguments=["--mode", "trigger"], prepare=mount)
        except subprocess.CalledProcessError:
            self.skipTest("no tmpfs may be mounted here")
        self.station = self.setting.station
        self.addCleanup(subprocess.run, ["umount", "-l", self.station.folder])
        self.addCleanup(self.setting.stop)
        self.browser = open_browser()
        self.addCleanup(self.browser.quit)
        self.driver = self.browser.driver
        self.browser.enter(self.station)

    def fill(self):
        # To the last byte: with parts that get smaller.
        with open(os.path.join(self.station.folder, "filler"), "wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    pass

    def empty(self):
        os.remove(os.path.join(self.station.folder, "filler"))

    def trigger(self):
        """Reads once; whether it was saved."""
        try:
            self.station.request("POST", "/camera/trigger", {"timeout": 5})
            return True
        except AssertionError:
            return False

    def said(self, *parts):
        wait_for("the banner", lambda: at(self.driver, "storage").is_displayed())
        for part in parts:
            self.assertIn(part, text(self.driver, "storage"))


class StorageTests(StorageTest):
    def test_a_picture_waits_until_there_is_room(self):
        self.fill()
        at(self.driver, "files").send_keys(sample("ean13.png"))
        wait_for("it waits", lambda: text(self.driver, "album-summary") == "1 waiting")
        self.said("disk is full", "Make room")
        self.assertIn("waiting: the disk is full", text(self.driver, "uploads"))
        self.browser.screenshot("disk-full")
        # Also for who opens the page now.
        self.driver.refresh()
        self.said("disk")
        self.empty()
        wait_for("the picture", lambda: text(self.driver, "album-summary") == "1 read")
        wait_for("the banner's end", lambda: not at(self.driver, "storage").is_displayed())

    def test_a_code_that_cannot_be_saved_stays(self):
        self.fill()
        # The log of the database may have some room of its own.
        wait_for("no room", lambda: not self.trigger())
        content = lambda: text(self.driver, "latest-content")
        expected = wait_for("its row", lambda: self.driver.execute_script(
            "return document.querySelector('#unsaved b').textContent"))
        wait_for("the code", lambda: content() == expected and expected)
        self.assertEqual(text(self.driver, "latest-state"), "Not saved")
        self.said("disk is full")
        at(self.driver, "language").click()
        self.said("工作站的磁盘已满")
        self.browser.screenshot("disk-full-zh")
        shown = self.driver.find_element(By.TAG_NAME, "body").text
        self.assertNotIn(self.station.folder, shown)
        self.assertNotIn("sqlite", shown)
        self.assertEqual(content(), expected)
        at(self.driver, "language").click()
        # It is there after a reload, and until it is saved.
        self.driver.refresh()
        wait_for("the code", lambda: expected in text(self.driver, "unsaved"))
        self.empty()
        self.assertTrue(self.trigger())
        wait_for("it is saved", lambda: not text(self.driver, "unsaved"))
        wait_for("the banner's end", lambda: not at(self.driver, "storage").is_displayed())

    def test_all_that_was_not_saved_is_saved_at_once(self):
        self.fill()
        wait_for("no room", lambda: not self.trigger())
        at(self.driver, "typing-text").send_keys("TYPED-1", Keys.ENTER)
        listed = lambda: [row.get_property("textContent")
                          for row in self.driver.find_elements(By.CSS_SELECTOR, "#unsaved b")]
        wait_for("both in one list", lambda: sorted(listed()) == ["ORDER-2024-0815", "TYPED-1"])
        self.assertEqual(text(self.driver, "todo-count"), "2")
        self.browser.open_tab("todo")
        self.browser.screenshot("unsaved")
        at(self.driver, "unsaved-save").click()
        # Both wait now, and are sent when there is room.
        wait_for("all are kept", lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#unsaved .kept")) == 2)
        self.empty()
        wait_for("the list is empty", lambda: not text(self.driver, "unsaved"))
        self.assertTrue(at(self.driver, "todo-nothing").is_displayed())
        self.assertEqual(text(self.driver, "todo-count"), "")
        events = [record["event"] for record in self.station.scans()]
        [saved] = [one for one in events if one["source"]["kind"] == "typed" and one["symbol"]["text"] != "TYPED-1"]
        self.assertEqual(saved["symbol"]["text"], "ORDER-2024-0815")
        self.assertEqual(saved["symbol"]["format"], "qr_code")

    def test_a_typed_code_waits_until_there_is_room(self):
        self.fill()
        wait_for("no room", lambda: not self.trigger())
        for _ in range(2):
            at(self.driver, "typing-text").send_keys("TYPED-1", Keys.ENTER)
        rows = lambda: [row.get_property("textContent")
                        for row in self.driver.find_elements(By.CSS_SELECTOR, "#unsaved .kept b")]
        wait_for("they wait", lambda: rows() == ["TYPED-1", "TYPED-1"])
        self.said("disk is full")
        wait_for("why", lambda: "waiting: the disk is full" in text(self.driver, "unsaved"))
        # They are sent by themselves, and nobody is asked to scan them again.
        for row in self.driver.find_elements(By.CSS_SELECTOR, "#unsaved li:not(.kept)"):
            self.assertNotIn("TYPED-1", row.get_property("textContent"))
        self.driver.refresh()
        wait_for("they wait", lambda: rows() == ["TYPED-1", "TYPED-1"])
        self.empty()
        wait_for("they are sent", lambda: not rows())
        texts = [record["event"]["symbol"]["text"] for record in self.station.scans()]
        self.assertEqual(texts.count("TYPED-1"), 2)


class PersonalTests(StorageTest):
    content = b"WIFI:T:WPA;S:ward;P:SECRET-1;;"

    def held(self):
        """All that the page shows, and all that it has in the storage of a tab and of its origin."""
        return self.driver.execute_script(
            "return document.documentElement.outerHTML + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)")

    def test_a_personal_code_that_cannot_be_saved_is_masked(self):
        self.fill()
        wait_for("no room", lambda: not self.trigger())
        wait_for("the code", lambda: text(self.driver, "latest-state") == "Not saved")
        for _ in range(2):
            wait_for("what it is", lambda: "Wireless network · ••••••" in text(self.driver, "unsaved"))
            self.assertNotIn("SECRET-1", self.held())
            self.driver.refresh()
            wait_for("connected", lambda: self.driver.execute_script(
                "return document.documentElement.dataset.connected === 'true'"))
        self.empty()
        self.assertTrue(self.trigger())
        wait_for("it is saved", lambda: not text(self.driver, "unsaved"))
        self.assertNotIn("SECRET-1", self.held())

    def test_a_typed_code_that_may_be_personal_is_masked(self):
        self.fill()
        wait_for("no room", lambda: not self.trigger())
        at(self.driver, "typing-text").send_keys("WIFI:T:WPA;S:home;P:SECRET-2;;", Keys.ENTER)
        wait_for("it waits", lambda: "••••••" in text(self.driver, "unsaved"))
        self.browser.open_tab("todo")
        self.assertEqual(text(self.driver, "latest-content"), "••••••")
        self.assertNotIn("SECRET-2", self.held())

        def show():
            """The row may be drawn anew at any time, as each attempt to send it ends."""
            try:
                button = self.driver.find_element(By.CSS_SELECTOR, "#unsaved .kept button")
                self.assertEqual(button.text, "Show personal data")
                button.click()
            except StaleElementReferenceException:
                return False
            return True

        wait_for("the button", show)
        wait_for("what it hides", lambda: "SECRET-2" in text(self.driver, "unsaved"))
        self.empty()
        wait_for("it is sent", lambda: not self.driver.find_elements(By.CSS_SELECTOR, "#unsaved .kept"))
