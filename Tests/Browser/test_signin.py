"""A token that was changed: the page says so, asks for the new one, and goes on where it was."""
import os
import re
import unittest

from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import Setting, open_browser
from station import sample, wait_for
from test_layout import OBSERVE, shifts


class SignInTests(unittest.TestCase):
    def setUp(self):
        self.setting = Setting(["qr.png"])
        self.addCleanup(self.setting.stop)
        self.station = self.setting.station
        self.browser = open_browser()
        self.addCleanup(self.browser.quit)
        self.driver = self.browser.driver
        self.browser.enter(self.station)

    def change_token(self):
        """As docs/reference/http-api.md says: stop the station, delete the file, start it."""
        before = self.station.token
        self.station.kill()
        os.remove(os.path.join(self.station.folder, "station-token"))
        self.station.start()
        self.assertNotEqual(self.station.token, before)
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())

    def refused(self):
        """How many requests the station has refused for want of a token."""
        metrics = self.station.exchange(
            "GET", "/metrics", headers={"Authorization": "Bearer " + self.station.token})[2].decode()
        return int(float(re.search(r'scan_station_requests\S*status="401"\S* (\S+)', metrics)[1]))

    def is_connected(self):
        return self.driver.execute_script("return document.documentElement.dataset.connected === 'true'")

    def test_the_page_says_so_and_goes_on_after_signing_in(self):
        self.change_token()
        self.assertFalse(at(self.driver, "gone").is_displayed())
        self.assertIn("Sign in again", text(self.driver, "sign-in-problem"))
        # What is dropped meanwhile waits, and says for what.
        at(self.driver, "files").send_keys(sample("ean13.png"))
        wait_for("it waits", lambda: text(self.driver, "album-summary") == "1 waiting")
        self.assertIn("waiting: sign in first", text(self.driver, "uploads"))
        self.browser.screenshot("token-changed")
        at(self.driver, "language").click()
        self.assertIn("请重新登录", text(self.driver, "sign-in-problem"))
        self.assertIn("请先登录", text(self.driver, "uploads"))
        at(self.driver, "language").click()
        at(self.driver, "token").send_keys("B" * 43, Keys.ENTER)
        wait_for("the refusal", lambda: "not the key" in text(self.driver, "sign-in-problem"))
        # The page tries to connect all the while: what is read and typed stays.
        at(self.driver, "token").send_keys("C")
        before = self.refused()
        wait_for("two more attempts", lambda: self.refused() >= before + 2)
        self.assertIn("not the key", text(self.driver, "sign-in-problem"))
        self.assertEqual(at(self.driver, "token").get_property("value"), "B" * 43 + "C")
        at(self.driver, "token").clear()
        at(self.driver, "token").send_keys(self.station.token, Keys.ENTER)
        wait_for("connected", self.is_connected)
        self.assertFalse(at(self.driver, "sign-in").is_displayed())
        wait_for("the picture", lambda: text(self.driver, "album-summary") == "1 read")
        wait_for("its row", lambda: "ean13.png" in text(self.driver, "scans"))
        wait_for("the camera's picture", lambda: self.driver.execute_script(
            "return document.getElementById('stage').dataset.live === 'true'"))

    def test_signing_in_again_moves_nothing(self):
        wait_for("the camera's picture", lambda: self.driver.execute_script(
            "return document.getElementById('stage').dataset.live === 'true'"))
        for width, height in ((1366, 768), (390, 844)):
            self.browser.emulate("light", width, height)
            self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            self.driver.execute_script(OBSERVE)
            self.change_token()
            at(self.driver, "token").send_keys("B" * 43, Keys.ENTER)
            wait_for("the refusal", lambda: "not the key" in text(self.driver, "sign-in-problem"))
            at(self.driver, "token").clear()
            at(self.driver, "token").send_keys(self.station.token, Keys.ENTER)
            wait_for("connected", self.is_connected)
            # What is written into the form itself moves its button.
            moved = [shift for shift in shifts(self.driver) if set(shift["nodes"]) - {"main", "sign-in-problem"}]
            self.assertEqual(moved, [], "at %d pixels" % width)

    def test_signing_in_in_one_tab_is_enough(self):
        self.change_token()
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.browser.enter(self.station)
        self.driver.switch_to.window(first)
        wait_for("connected", self.is_connected)
        self.assertFalse(at(self.driver, "sign-in").is_displayed())

    def test_a_page_that_is_loaded_with_the_old_token_asks(self):
        self.change_token()
        self.driver.refresh()
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        self.assertIn("Sign in again", text(self.driver, "sign-in-problem"))
        self.driver.execute_script("localStorage.removeItem('quietzone.token')")
        self.driver.refresh()
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        self.assertEqual(text(self.driver, "sign-in-problem"), "")
        self.assertFalse(at(self.driver, "workplace").is_displayed())
