"""Many tabs of one browser, which makes six connections to a station and no more."""
from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import OwnBrowserTest, PlainPageTest
from station import wait_for

TABS = 10
PAGE = '<!doctype html><title>Tabs</title><script src="%s/bridge.js"></script>'
ASK = """
    window.answer = null;
    quietzone.scan({timeout: 600}).then((one) => { window.answer = one.rawValue; },
        (error) => { window.answer = 'error: ' + error.code; });
"""

class TabTests(PlainPageTest, OwnBrowserTest):
    pictures = ("no-code.jpg",)
    html = PAGE

    def connected(self):
        return self.driver.execute_script("return document.documentElement.dataset.connected === 'true'")

    def open_tabs(self, url):
        """As many tabs as there are to be, each of which has answered something."""
        tabs = []
        for number in range(TABS):
            if tabs:
                self.driver.switch_to.new_window("tab")
            tabs.append(self.driver.current_window_handle)
            self.driver.get(url)
        return tabs

    def in_each(self, tabs, what, condition):
        for number, tab in enumerate(tabs):
            self.driver.switch_to.window(tab)
            wait_for("%s in tab %d" % (what, number + 1), condition)

    def type(self, code):
        self.browser.open_tab("type")
        at(self.driver, "typing-text").send_keys(code, Keys.ENTER)

    def test_all_tabs_of_the_station_work(self):
        self.browser.enter(self.station)
        tabs = self.open_tabs(self.station.url)
        self.in_each(tabs, "connected", self.connected)
        self.type("TAB-10")
        self.in_each(tabs, "the code", lambda: text(self.driver, "latest-content") == "TAB-10")
        self.driver.switch_to.window(tabs[0])
        self.type("TAB-1")
        self.in_each(tabs, "the code", lambda: text(self.driver, "latest-content") == "TAB-1")
        # A page that asks has connections left, too.
        self.driver.switch_to.new_window("tab")
        self.driver.get(self.page.url)
        self.driver.execute_script(ASK)
        wait_for("the window", self.browser.overlay_is_open)
        self.browser.keys("ASKED-1\n")
        wait_for("the answer", lambda: self.driver.execute_script("return window.answer") == "ASKED-1")
        # All of them notice that the station is gone, and that it is back.
        self.station.kill()
        self.in_each(tabs, "away", lambda: not self.connected())
        self.station.start()
        self.in_each(tabs, "connected", self.connected)
        # The tabs that stay do not need the one that was there first.
        self.driver.switch_to.window(tabs.pop(0))
        self.driver.close()
        self.driver.switch_to.window(tabs[0])
        self.type("TAB-2")
        self.in_each(tabs, "the code", lambda: text(self.driver, "latest-content") == "TAB-2")

    def test_all_tabs_that_ask_are_answered(self):
        tabs = self.open_tabs(self.page.url)
        for tab in tabs:
            self.driver.switch_to.window(tab)
            self.driver.execute_script(ASK)
        self.in_each(tabs, "the window", self.browser.overlay_is_open)
        for number, tab in enumerate(tabs):
            self.driver.switch_to.window(tab)
            self.browser.keys("ASKED-%d\n" % number)
            wait_for("the answer of tab %d" % number, lambda: self.driver.execute_script(
                "return window.answer") == "ASKED-%d" % number)
