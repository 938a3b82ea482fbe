"""A station that is away or comes late, and messages that cannot be sent."""
import os
import re
import signal

from browser import text
from common import SharedBrowserTest
from plain_page import PlainPage
from station import ROOT, sample, wait_for

PAGE = '<!doctype html><title>Away</title><script src="%s/bridge.js"></script>'

TIMED = """
    const [all, done] = arguments;
    const began = performance.now();
    Promise.all(all.map((options) => quietzone.scan(options).then((one) => [one.rawValue], (error) => [error.code])
        .then((one) => one.concat((performance.now() - began) / 1000)))).then(done);
"""

# What JSON cannot hold, each as a field of a message.
UNHELD = {
    "the window": "window", "a cycle": "(() => { const one = {}; one.one = one; return one; })()", "a BigInt": "1n",
    "a function inside": "{ f() {} }", "a symbol": "Symbol('x')", "NaN": "NaN", "infinity": "Infinity",
    "a toJSON that throws": "{ toJSON() { throw new Error('no'); } }",
    "a getter that throws": "{ get x() { throw { toString() { throw 1; } }; } }",
    "an element that knows its page": "Object.assign(document.body, { page: window })",
}


class AwayTests(SharedBrowserTest):
    pictures = ("code128.png", "no-code.jpg")

    @classmethod
    def setUpClass(cls):
        cls.page = cls.serve(PlainPage(""))
        super().setUpClass()
        cls.code = cls.station.upload(sample("code128.png"))["symbols"][0]["rawValue"]

    def open(self, html=None):
        self.page.html = html or PAGE % self.station.url
        self.driver.get(self.page.url)

    def away(self):
        self.station.kill()
        self.addCleanup(self.station.start)

    def timed(self, *options):
        return self.driver.execute_async_script(TIMED, list(options))

    def test_times_hold_while_the_station_is_away(self):
        self.open()
        self.away()
        answers = self.timed({"timeout": 2}, {"timeout": 1}, {"timeout": 3})
        self.assertEqual([code for code, _ in answers], ["unreachable", "timed_out", "unreachable"])
        for (_, took), least in zip(answers, (2, 1, 3)):
            self.assertGreaterEqual(took, least - 0.01)
        # Each by its own time, however late all of them are on a busy machine.
        self.assertEqual(sorted(range(3), key=lambda number: answers[number][1]), [1, 0, 2])
        self.assertFalse(self.browser.overlay_is_open())

    def test_times_hold_while_the_station_hangs(self):
        self.open()
        self.station.process.send_signal(signal.SIGSTOP)
        try:
            # The station says nothing until this has come to an end.
            [[code, _]] = self.timed({"timeout": 2})
        finally:
            self.station.process.send_signal(signal.SIGCONT)
        self.assertIn(code, ("unreachable", "timed_out"))

    def test_times_hold_behind_another_request(self):
        self.open()
        answers = self.timed({"timeout": 3, "formats": ["ean_8"]}, {"timeout": 1})
        self.assertEqual([code for code, _ in answers], ["timed_out", "timed_out"])
        self.assertLess(answers[1][1], answers[0][1])

    def test_recordapp_hears_that_nothing_came_of_it(self):
        self.open()
        self.away()
        answer = self.driver.execute_async_script(
            "window.AppJsBridgeRequest = { Call: arguments[0] };"
            "prompt(JSON.stringify({action: 'scanCode', args: {timeout: 1}, callback: '5'}))")
        self.assertEqual((answer["status"], answer["callback"], answer["value"]), ("", "5", None))
        self.assertTrue(answer["message"])

    def test_the_loader_of_the_docs_waits_for_the_station(self):
        with open(os.path.join(ROOT, "docs/how-to/web-pages.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```html\n(.*?)```", file.read(), re.DOTALL)
        [loader] = [block for block in blocks if "stationReady" in block]
        self.assertEqual(loader.count("http://127.0.0.1:6079"), 1)
        self.station.kill()
        try:
            self.open("<!doctype html><title>Loader</title>" + loader.replace("http://127.0.0.1:6079", self.station.url))
            self.driver.execute_script("stationReady.then((bridge) => { window.ready = bridge === window.quietzone; })")
            wait_for("the word", lambda: "does not answer" in text(self.driver, "station"))
            self.assertIsNone(self.driver.execute_script("return window.ready || null"))
        finally:
            self.station.start()
        wait_for("the bridge", lambda: self.driver.execute_script("return window.ready"))
        self.assertEqual(text(self.driver, "station"), "")
        [[found, _]] = self.timed({"timeout": 30})
        self.assertEqual(found, self.code)

    def test_a_sandboxed_frame_says_what_is_wrong(self):
        inside = (PAGE % self.station.url + "<script>quietzone.scan().catch((error) => parent.postMessage("
                  "{from: error.code, message: error.message}, '*'));"
                  "wx.scanCode({fail: (error) => parent.postMessage({from: 'wx', message: error.errMsg}, '*')});</script>")
        self.open("<!doctype html><title>Frame</title><script>window.said = [];"
                  "addEventListener('message', (event) => said.push(event.data));</script>"
                  "<iframe sandbox='allow-scripts' srcdoc='%s'></iframe>"
                  % inside.replace("&", "&amp;").replace("'", "&#39;"))
        wait_for("both errors", lambda: self.driver.execute_script("return said.length === 2"))
        said = self.driver.execute_script("return said")
        self.assertEqual([error["from"] for error in said], ["opaque_origin", "wx"])
        for error in said:
            self.assertIn("allow-same-origin", error["message"])

    def test_a_wrong_argument_says_what_is_right(self):
        self.open()
        for argument, code, part in [
                ("'qr_code'", "invalid_request", 'formats: ["qr_code"]'),
                ("['qr_code']", "invalid_request", "takes an object"),
                ("5", "invalid_request", "takes an object"),
                ("() => {}", "invalid_request", "takes an object"),
                ("{format: 'qr_code'}", "invalid_request", "it takes source, formats"),
                ("{formats: ['qrcode']}", "unsupported_formats", "qr_code"),
                ("{formats: 5}", "bad_value", "array of strings"),
                ("{source: 'screen'}", "bad_value", "camera, album or any"),
                ("{timeout: -1}", "bad_value", "seconds")]:
            with self.subTest(argument):
                said = self.driver.execute_async_script(
                    "quietzone.scan(%s).then((one) => arguments[0](['taken', one.rawValue]),"
                    "(error) => arguments[0]([error.code, error.message]))" % argument)
                self.assertEqual(said[0], code)
                self.assertIn(part, said[1])
                self.assertFalse(self.browser.overlay_is_open())

    def test_what_json_cannot_hold_fails_alone(self):
        self.open()
        for name, value in UNHELD.items():
            with self.subTest(name):
                said = self.driver.execute_async_script("""
                    const done = arguments[0];
                    const bad = %s;
                    const thrown = (act) => { try { act(); return 'nothing'; } catch (error) { return error.name; } };
                    const said = {
                        hospital: thrown(() => webkit.messageHandlers.scanCode.postMessage({ context: bad })),
                        herald: thrown(() => webkit.messageHandlers.heraldAppBridge.postMessage(
                            { name: 'scanCode', context: bad })),
                    };
                    said.complete = 0;
                    const called = new Promise((fail) => wx.scanCode(
                        { context: bad, fail, complete() { said.complete += 1; } }));
                    Promise.all([
                        quietzone.scan({ source: bad }).catch((error) => error.code),
                        called.then((result) => result.errMsg),
                        wx.scanQRCode({ context: bad }).catch((result) => result.errMsg),
                    ]).then(([promise, wechat, jssdk]) => done({ ...said, promise, wechat, jssdk }),
                        (error) => done(String(error)));
                """ % ("(" + value + ")" if name == "a cycle" else value))
                self.assertIsInstance(said, dict, said)
                self.assertEqual((said["hospital"], said["herald"]), ("DataCloneError", "DataCloneError"))
                self.assertEqual((said["promise"], said["complete"]), ("invalid_request", 1))
                self.assertTrue(said["wechat"].startswith("scanCode:fail "), said)
                self.assertTrue(said["jssdk"].startswith("scanQRCode:fail "), said)
                self.assertFalse(self.browser.overlay_is_open())
        # A message that is nothing but such a thing, and options that throw when they are looked at.
        for call in ("webkit.messageHandlers.scanCode.postMessage(() => {})",
                     "webkit.messageHandlers.scanCode.postMessage(window)"):
            with self.subTest(call):
                self.assertEqual(self.driver.execute_script(
                    "try { %s; } catch (error) { return error.name; }" % call), "DataCloneError")
        self.assertEqual(self.driver.execute_async_script(
            "quietzone.scan({ get timeout() { throw 1; } }).catch((error) => arguments[0](error.code))"),
            "invalid_request")
        self.assertEqual(self.driver.execute_async_script(
            "quietzone.scan({ signal: 'now' }).catch((error) => arguments[0](error.code))"), "invalid_request")
        # And whoever asks next is served.
        [[found, _]] = self.timed({"timeout": 30})
        self.assertEqual(found, self.code)
