"""A station that hangs, a network that is gone without a word, and a worker of the pages that crashed."""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import OwnBrowserTest, PlainPageTest
from station import PROGRAM, wait_for

PAGE = '<!doctype html><title>Silence</title><script src="%s/bridge.js"></script>'
ASK = """
    quietzone.scan({timeout: 600}).then((one) => { window.answer = one.rawValue; },
        (error) => { window.answer = 'error: ' + error.code; });
"""
# Twelve hours later the page asks for another session; from then on its pictures are counted.
RENEW = """
    const { now } = Date;
    const real = fetch;
    let isRenewed = false;
    window.seen = 0;
    Date.now = () => now() + 12 * 3600e3;
    window.fetch = async (url, init) => {
        const isSession = String(url).endsWith('/bridge/session');
        if (isSession) Date.now = now;
        const response = await real(url, init);
        if (isSession) isRenewed = true;
        if (isRenewed && response.ok && String(url).includes('/frame.jpg')) window.seen += 1;
        return response;
    };
"""
# In a network of its own: the loopback of a machine cannot be taken away from everybody.
LISTEN = """
import http.client, os, socket, subprocess, sys, tempfile, time
program, folder = sys.argv[1:]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
log = open(os.path.join(folder, "log"), "wb")
token = os.path.join(folder, "token")
station = subprocess.Popen(
    [program, "--port", "6079", "--camera", "none", "--database", os.path.join(folder, "a.sqlite"), "--token-file", token],
    stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "XDG_CONFIG_HOME": folder})
def streams():
    found = subprocess.run(
        ["ss", "-Htn", "state", "established", "sport", "=", ":6079"], check=True, capture_output=True, text=True).stdout
    return len(found.splitlines())
def until(condition):
    end = time.monotonic() + 120
    while not condition():
        if time.monotonic() > end:
            sys.exit("not within 120 s: " + condition.__name__)
        time.sleep(0.2)
try:
    def listens():
        return os.path.exists(token) and socket.socket().connect_ex(("127.0.0.1", 6079)) == 0
    until(listens)
    connection = http.client.HTTPConnection("127.0.0.1", 6079)
    with open(token, encoding="ascii") as file:
        connection.request("GET", "/events", headers={"Authorization": "Bearer " + file.read().strip()})
    answer = connection.getresponse()
    answer.readline()
    assert answer.status == 200 and streams() >= 1
    subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
    def the_station_lets_go():
        return streams() == 0
    until(the_station_lets_go)
finally:
    station.kill()
    station.wait()
"""


class SilenceTests(PlainPageTest, OwnBrowserTest):
    pictures = ("no-code.jpg",)
    html = PAGE

    def hang(self):
        self.station.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.go_on)

    def go_on(self):
        self.station.process.send_signal(signal.SIGCONT)

    def test_the_page_says_that_the_station_hangs(self):
        self.browser.enter(self.station)
        self.hang()
        # A code that is typed before anything is noticed is kept too.
        at(self.driver, "typing-text").send_keys("HANGS-1", Keys.ENTER)
        wait_for("it is kept", lambda: "HANGS-1" in text(self.driver, "unsaved"))
        wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
        self.go_on()
        wait_for("connected", lambda: not at(self.driver, "gone").is_displayed())
        wait_for("it is sent", lambda: not text(self.driver, "unsaved"))
        texts = [record["event"]["symbol"]["text"] for record in self.station.scans()]
        self.assertEqual(texts.count("HANGS-1"), 1)
        wait_for("the camera's picture", lambda: self.driver.execute_script(
            "return document.getElementById('stage').dataset.live === 'true'"))

    def test_the_window_of_a_page_says_so(self):
        self.driver.get(self.page.url)
        self.driver.execute_script(ASK)
        wait_for("the window", lambda: self.browser.overlay_is_open() and "left" in self.browser.overlay_text()
                 or "Hold the code" in self.browser.overlay_text())
        self.assertNotIn("does not answer", self.browser.overlay_text())
        self.hang()
        wait_for("it is said", lambda: "does not answer" in self.browser.overlay_text())
        self.go_on()
        wait_for("it answers", lambda: "does not answer" not in self.browser.overlay_text())
        self.browser.keys("HANGS-2\n")
        wait_for("the answer", lambda: self.driver.execute_script("return window.answer || null") == "HANGS-2")

    def test_a_session_that_ends_while_a_page_asks_is_replaced(self):
        self.driver.get(self.page.url)
        self.driver.execute_script(ASK)
        wait_for("the window", self.browser.overlay_is_open)
        self.driver.execute_script(RENEW)
        wait_for("the camera's picture for another session", lambda: self.driver.execute_script("return window.seen"))
        wait_for("the picture in the window", lambda: self.browser.in_overlay(
            "function () { return this.querySelector('.none').hidden; }"))

    def test_the_pages_do_without_a_worker_that_crashed(self):
        self.browser.enter(self.station)
        workers = [one for one in self.browser.cdp("Target.getTargets", filter=[{"type": "shared_worker"}])["targetInfos"]
                   if one["url"] == self.station.url + "/app-shared.js"]
        self.assertEqual(len(workers), 1)
        self.browser.cdp("Target.closeTarget", targetId=workers[0]["targetId"])
        wait_for("another one", lambda: [
            one for one in self.browser.cdp("Target.getTargets", filter=[{"type": "shared_worker"}])["targetInfos"]
            if one["targetId"] != workers[0]["targetId"]])
        self.station.request("POST", "/typed", {"text": "ANOTHER-1"})
        wait_for("the code", lambda: text(self.driver, "latest-content") == "ANOTHER-1")


class NetworkTests(unittest.TestCase):
    def test_the_station_lets_go_of_a_page_whose_network_is_gone(self):
        if subprocess.run(["unshare", "-n", "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("no network of its own may be made here")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["unshare", "-n", sys.executable, "-c", LISTEN, PROGRAM, folder], capture_output=True, text=True, check=False)
            with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as file:
                self.assertEqual(done.returncode, 0, done.stderr + file.read()[-2000:])
