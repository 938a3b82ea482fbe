"""A scan gun and a scale that the station itself reads, played from a file: on its page, and for a page that is in front."""
import json
import os
import pty
import tempfile

from selenium.webdriver.support.ui import Select

from browser import at, text
from common import PlainPageTest, SharedBrowserTest
from station import wait_for

# A scan each quarter of a second for longer than the tests take.
SCANS = 4000
PAGE = """<!doctype html><title>Gun</title><p>in front</p>
<script>
    window.heard = [];
    window.receiveScanResult2 = (text) => heard.push(text);
</script>
<script src="%s/bridge.js"></script>
"""
HOSTILE = "');window.ran=1;alert(1);('"


def simulation():
    """A file that plays a gun and a scale."""
    handle, path = tempfile.mkstemp(suffix=".jsonl")
    lines = [{"device": "scale", "event": "weight", "weight": "1.250", "unit": "kg", "after": 0}]
    lines += [{"device": "gun", "event": "scan", "text": "code %d %s" % (number, HOSTILE), "after": 0.25}
              for number in range(SCANS)]
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


class DeviceTests(PlainPageTest, SharedBrowserTest):
    pictures = ("no-code.jpg",)
    html = PAGE

    @classmethod
    def setUpClass(cls):
        path = simulation()
        cls.addClassCleanup(os.unlink, path)
        cls.arguments = ("--simulate", path)
        super().setUpClass()

    def run_js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def test_the_page_in_front_hears_each_scan_once(self):
        self.driver.get(self.page.url)
        heard = wait_for("scans", lambda: [one for one in [self.run_js("return heard")] if len(one) >= 8])[0]
        first = int(heard[0].split()[1])
        self.assertEqual(heard, ["code %d %s" % (first + index, HOSTILE) for index in range(len(heard))])
        self.assertIsNone(self.run_js("return window.ran || null"))

    def test_it_answers_the_page_that_asks(self):
        self.driver.get(self.page.url)
        self.run_js("window.answers = []; quietzone.scan({source: 'any'}).then((one) => answers.push(one.rawValue))")
        answer = wait_for("an answer", lambda: self.run_js("return answers"))
        self.assertRegex(answer[0], "^code [0-9]+ ")
        self.assertNotIn(answer[0], self.run_js("return heard"))

    def test_the_card_shows_them(self):
        self.browser.complaints()
        self.browser.enter(self.station)
        wait_for("the scans", lambda: "codes" in text(self.driver, "devices"))
        self.assertFalse(at(self.driver, "devices-reconnect").is_displayed())
        before = text(self.driver, "devices")
        self.assertIn("1.250 kg", before)
        self.assertEqual(before.count("connected"), 2)
        wait_for("another scan", lambda: text(self.driver, "devices") != before)
        self.browser.screenshot("devices")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_code_that_sets_a_gun(self):
        self.browser.enter(self.station)
        wait_for("the settings", lambda: len(Select(at(self.driver, "setting-choice")).options) == 1)
        self.browser.open_preferences()
        at(self.driver, "setting-codes").find_element("tag name", "summary").click()
        field = at(self.driver, "setting-text")
        self.assertEqual(field.get_attribute("maxlength"), "20")
        field.send_keys("Ward 3")
        self.run_js("document.getElementById('setting-form').requestSubmit()")
        shown = "const one = document.getElementById('setting-picture'); return !one.hidden && one.naturalWidth"
        wait_for("the code", lambda: self.run_js(shown))
        self.assertIn("Ward 3", at(self.driver, "setting-picture").get_attribute("alt"))
        # What a download holds.
        self.run_js("window.saved = []; const make = URL.createObjectURL;"
                    " URL.createObjectURL = (blob) => { window.kind = blob.type; return make(blob); };"
                    " HTMLAnchorElement.prototype.click = function () { saved.push([this.download, kind]); }")
        for kind in ("png", "pdf"):
            self.click("setting-" + kind)
        saved = wait_for("the files", lambda: [one for one in [self.run_js("return saved")] if len(one) == 2])[0]
        self.assertEqual(sorted(saved), [["name.pdf", "application/pdf"], ["name.png", "image/png"]])
        self.run_js("document.getElementById('setting-codes').scrollIntoView({block: 'end'})")
        self.browser.screenshot("setting-code")
        # What goes wrong is said in the dialog: the page behind it is not read out.
        self.run_js("window.own = fetch; window.fetch = () => Promise.reject(new TypeError('away'))")
        self.click("learn")
        wait_for("why not", lambda: at(self.driver, "preferences-spoken").text.startswith("The station does not answer"))
        self.assertEqual(text(self.driver, "spoken"), "")
        self.run_js("window.fetch = own")
        self.click("learn")
        self.click("language")
        wait_for("Chinese words", lambda: "蓝牙" in text(self.driver, "setting-choice"))
        wait_for("the code to scan", lambda: self.run_js(shown.replace("setting-picture", "learn-picture")))
        self.run_js("document.getElementById('setting-codes').scrollIntoView({block: 'end'})")
        self.browser.screenshot("setting-code-zh")
        self.click("learn-end")
        wait_for("the end of the search", lambda: not at(self.driver, "learn-box").is_displayed())
        self.click("language")
        field.send_keys("ü")
        self.assertFalse(at(self.driver, "setting-picture").is_displayed())
        self.run_js("document.getElementById('setting-form').requestSubmit()")
        wait_for("what is wrong", lambda: "ASCII" in text(self.driver, "setting-problem"))

    def test_a_gun_that_is_found(self):
        gun, port = pty.openpty()
        self.addCleanup(os.close, gun)
        self.addCleanup(os.close, port)
        self.browser.complaints()
        self.browser.enter(self.station)
        self.browser.open_preferences()
        wait_for("the devices", lambda: at(self.driver, "learn").is_displayed())
        at(self.driver, "learn-port").send_keys(os.ttyname(port))
        self.click("learn")
        wait_for("the code to scan", lambda: at(self.driver, "learn-picture").is_displayed())
        # It goes on after a few questions that the station does not answer.
        self.run_js("const own = fetch; window.missed = 0; window.fetch = (path, init) =>"
                    " (path === '/devices/learn' && !init.method && missed < 3"
                    " ? Promise.reject(new TypeError(`missed ${missed += 1}`)) : own(path, init))")
        wait_for("no answers", lambda: self.run_js("return missed") == 3)

        def found():
            # It is not known when the port is listened to.
            os.write(gun, b"Quietzone-WAZY/1_2+3;m\r")
            return at(self.driver, "learn-lines").is_displayed()
        wait_for("the gun", found)
        self.assertIn("Found", text(self.driver, "learn-word"))
        self.assertIn("connection: serial", text(self.driver, "learn-lines"))
        self.assertIn("path: " + os.ttyname(port), text(self.driver, "learn-lines"))
        self.run_js("document.getElementById('learn-box').scrollIntoView({block: 'end'})")
        self.browser.screenshot("learn-found")
        self.click("learn-end")
        wait_for("the end", lambda: not at(self.driver, "learn-box").is_displayed())
        self.assertEqual(self.browser.complaints(), [])

    def click(self, identifier):
        """Presses a button wherever it is: the history below grows meanwhile, and the page moves."""
        self.run_js("document.getElementById(arguments[0]).click()", identifier)
