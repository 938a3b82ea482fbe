"""Lookups: the page shows what another system says of the latest code, and that it is away."""
import contextlib
import http.server
import json
import os
import threading
import unittest

from browser import at, text
from common import open_browser
from station import Station, wait_for
from test_layout import OBSERVE, shifts

CONFIGURATION = """
station: counter-1
lookup:
  url: http://127.0.0.1:%d/items/{{symbol.text}}
  text: "{{name}}"
  goodField: ok=true
  imageField: image
destinations:
  shelf:
    type: http
    unsigned: true
    url: http://127.0.0.1:%d/shelf
"""

PICTURE = os.path.join(os.path.dirname(__file__), "../../Samples/qr.png")

# Each sound since then, also those that others have followed.
LISTEN = """
window.sounds = [];
new MutationObserver(() => window.sounds.push(document.documentElement.dataset.sounded))
    .observe(document.documentElement, { attributeFilter: ['data-sounded'] });
"""


class System:
    """Answers about the codes GOOD, BAD, HTML, BIG, MOVED and HANG, and knows no other. It takes each scan."""

    def __init__(self):
        self.may_end = threading.Event()
        self.delivered = 0
        system = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, content, **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                # The station leaves before it has all of a long answer.
                with contextlib.suppress(ConnectionError):
                    self.wfile.write(content)

            def do_GET(self):
                code = self.path.split("/")[-1]
                if code in ("GOOD", "BAD"):
                    name = {"GOOD": "<b>Gauze</b>", "BAD": "Recalled " * 100}[code]
                    image = {"GOOD": "/pictures/gauze.png"}.get(code)
                    self.answer(200, json.dumps({"name": name, "ok": code == "GOOD", "image": image}).encode())
                elif code == "gauze.png":
                    with open(PICTURE, "rb") as file:
                        self.answer(200, file.read(), **{"Content-Type": "image/png"})
                elif code == "HTML":
                    self.answer(200, b"<script>window.ran = 1</script>")
                elif code == "BIG":
                    self.answer(200, b" " * 10_000_000)
                elif code == "MOVED":
                    self.answer(302, b"", Location="/items/GOOD")
                elif code == "HANG":
                    system.may_end.wait(60)
                else:
                    self.answer(404, b"")

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                system.delivered += 1
                self.answer(204, b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.may_end.set()
        self.server.shutdown()
        self.server.server_close()


class LookupTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.system = System()
        cls.addClassCleanup(cls.system.stop)
        port = cls.system.server.server_port
        cls.station = Station(configuration=CONFIGURATION % (port, port), arguments=["--camera", "none"])
        cls.addClassCleanup(cls.station.stop)
        cls.browser = open_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.driver = cls.browser.driver

    def setUp(self):
        self.browser.emulate("light", 1366, 768)
        self.browser.enter(self.station)
        wait_for("lookups are known", lambda: at(self.driver, "latest").get_attribute("data-looks-up") == "true")

    def scan(self, code):
        self.station.request("POST", "/typed", {"text": code, "gun": True})

    def line(self, state):
        """The text of the line, once it has this state."""
        wait_for(state, lambda: at(self.driver, "latest-lookup").get_attribute("data-state") == state)
        return text(self.driver, "latest-lookup")

    def test_answers(self):
        rows = (
            ("GOOD", "answered", "good", "<b>Gauze</b>"), ("BAD", "answered", "bad", "Recalled Recalled"),
            ("NEW", "unknown", "bad", "The other system does not know this code."),
            ("HTML", "unusable", "", "gave no usable answer. The code is saved"),
            ("BIG", "unusable", "", "gave no usable answer"), ("MOVED", "unusable", "", "gave no usable answer"),
            ("..", "refused", "", "This code cannot be looked up. It is saved."),
            ("HANG", "slow", "", "takes too long. The code is saved."),
        )
        self.scan("GOOD")
        self.line("answered")
        self.driver.execute_script(OBSERVE)
        self.driver.execute_script(LISTEN)
        for code, state, tone, words in rows:
            with self.subTest(code):
                before = self.system.delivered
                self.scan(code)
                wait_for("the code", lambda code=code: text(self.driver, "latest-content") == code)
                self.assertIn(words, self.line(state))
                self.assertEqual(at(self.driver, "latest-lookup").get_attribute("data-tone"), tone)
                sounds = self.driver.execute_script("return window.sounds.splice(0)")
                self.assertEqual([sound for sound in sounds if sound in ("good", "bad")], [tone] if tone else [])
                wait_for("delivered", lambda before=before: self.system.delivered > before)
        self.assertEqual(shifts(self.driver), [])
        self.assertIsNone(self.driver.execute_script("return window.ran || null"))

    def test_the_picture_of_an_answer(self):
        def shown():
            return self.driver.execute_script(
                "const picture = document.getElementById('latest-lookup-picture');"
                "return picture.hidden ? 0 : picture.naturalWidth")

        self.scan("GOOD")
        self.line("answered")
        wait_for("the picture", lambda: shown() == 132)
        self.scan("BAD")
        wait_for("no picture", lambda: shown() == 0)
        self.scan("GOOD")
        wait_for("the picture again", lambda: shown() == 132)
        self.browser.enter(self.station)
        wait_for("the picture on a page that comes later", lambda: shown() == 132)

    def test_a_page_that_comes_later_and_another_language(self):
        self.scan("NEW")
        self.line("unknown")
        self.browser.enter(self.station)
        self.assertIn("does not know", self.line("unknown"))
        at(self.driver, "language").click()
        try:
            self.assertEqual(text(self.driver, "latest-lookup"), "对方系统中没有此码。")
        finally:
            at(self.driver, "language").click()

    def test_waiting(self):
        self.scan("HANG")
        self.assertIn("Asking", self.line("waiting"))
        self.line("slow")


class WithoutLookupTests(unittest.TestCase):
    def test_no_line(self):
        station = Station(arguments=["--camera", "none"])
        self.addCleanup(station.stop)
        browser = open_browser()
        self.addCleanup(browser.quit)
        browser.enter(station)
        wait_for("it is known", lambda: at(browser.driver, "latest").get_attribute("data-looks-up") == "false")
        self.assertFalse(at(browser.driver, "latest-lookup").is_displayed())


if __name__ == "__main__":
    unittest.main()
