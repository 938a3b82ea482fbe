"""Pages that live on the station: a page of a package that asks for a code, a new version, and what such a page may not."""
import hashlib
import http.server
import io
import json
import os
import subprocess
import tempfile
import threading
import zipfile

from selenium.webdriver.common.by import By

from browser import at
from common import SharedBrowserTest
from station import PROGRAM, sample, wait_for

PAGE = """<!doctype html><html lang="en"><title>Ward</title><link rel="stylesheet" href="app.css">
<script src="/bridge.js"></script><script src="app.js"></script>
<body><h1>Ward %s</h1><button id="scan">Scan</button><output id="code"></output><output id="inline"></output>
<script>document.getElementById('inline').textContent = 'ran';</script></body></html>"""

SCRIPT = """
window.receiveScanResult = (code) => { document.getElementById('code').textContent = code; };
addEventListener('DOMContentLoaded', () => {
    document.getElementById('scan').addEventListener('click',
        () => webkit.messageHandlers.scanCode.postMessage('scanCode'));
});
"""


def package(version):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ward/index.html", PAGE % version)
        archive.writestr("ward/app.js", SCRIPT)
        archive.writestr("ward/app.css", "h1 { color: rgb(1, 2, 3); }")
        archive.writestr("ward/login.html", "<!doctype html><title>Sign in</title><h1 id='sign'>Sign in</h1>")
    return content.getvalue()


class OAServer:
    """Hands out packages, and answers 401 to whoever asks for data."""

    def __init__(self):
        self.files = {}
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = server.files.get(self.path)
                self.send_response(401 if self.path == "/data" else 200 if body else 404)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server.server_port

    def publish(self, version):
        content = package(version)
        info = {"name": "ward", "version": version, "url": "ward-%s.zip" % version, "size": len(content),
                "sha256": hashlib.sha256(content).hexdigest()}
        self.files["/ward-%s.zip" % version] = content
        self.files["/info.json"] = json.dumps(info).encode()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class AppTests(SharedBrowserTest):
    pictures = ("code128.png",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = OAServer()
        cls.addClassCleanup(cls.server.stop)
        cls.server.publish("1.0")
        cls.command("add", cls.server.url + "/info.json", "--allow", cls.server.url, "--sign-in", "login.html")

    @classmethod
    def command(cls, *arguments):
        return subprocess.run(
            [PROGRAM, "apps", *arguments, "--database", os.path.join(cls.station.folder, "station.sqlite")],
            capture_output=True, text=True, check=True).stdout

    @property
    def address(self):
        return "http://ward.localhost:%d/" % self.station.port

    def heading(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    def test_a_page_asks_for_a_code_and_gets_it(self):
        self.driver.get(self.address)
        at(self.driver, "scan").click()
        expected = self.station.upload(sample("code128.png"))["symbols"][0]["rawValue"]
        wait_for("the code", lambda: at(self.driver, "code").text == expected)
        self.assertEqual(at(self.driver, "inline").text, "", "a script within the page does not run")
        color = self.driver.execute_script("return getComputedStyle(document.querySelector('h1')).color")
        self.assertEqual(color, "rgb(1, 2, 3)")

    def test_it_has_no_part_in_the_station(self):
        self.browser.enter(self.station)
        self.driver.get(self.address)
        self.assertIsNone(self.driver.execute_script("return localStorage.getItem('quietzone.token')"))
        reached = self.driver.execute_async_script("""
            const [station, done] = arguments;
            const session = (await_) => await_.then((answer) => answer.json());
            (async () => {
                const { data } = await session(fetch(station + '/bridge/session', { method: 'POST' }));
                const headers = { Authorization: 'Bearer ' + data.session };
                const scans = (await fetch(station + '/scans', { headers })).status;
                const own = (await fetch('/scans', { headers })).headers.get('content-type');
                const other = await fetch('https://other.example/').catch((error) => error.name);
                return [scans, own, other];
            })().then(done, (error) => done(String(error)));
        """, "http://localhost:%d" % self.station.port)
        self.assertEqual(reached, [403, "text/html; charset=utf-8", "TypeError"])

    def test_the_station_s_page_leads_to_it(self):
        self.browser.enter(self.station)
        self.browser.open_preferences()
        link = wait_for("the link", lambda: self.driver.find_element(By.CSS_SELECTOR, "#apps a"))
        self.assertEqual((link.text, link.get_attribute("href")), ("ward", self.address))
        self.browser.screenshot("page-with-apps")

    def test_what_add_prints_is_where_it_is(self):
        printed = self.command("add", self.server.url + "/info.json", "--name", "other", "--set", "server.port=8123")
        self.addCleanup(self.command, "remove", "other")
        self.assertEqual(printed.split()[-1], "http://other.localhost:8123/")

    def test_401_leads_to_the_sign_in(self):
        self.driver.get(self.address + "#order=17")
        self.driver.execute_script("fetch(arguments[0] + '/data')", self.server.url)
        wait_for("the page", lambda: at(self.driver, "sign"))
        self.assertEqual(self.driver.current_url, self.address + "login.html?back=%2F%23order%3D17")

    def test_versions(self):
        try:
            self.server.publish("1.1")
            # What a restart asks for.
            self.station.kill()
            self.station.start()
            wait_for("the new version", lambda: self.driver.get(self.address) or self.heading() == "Ward 1.1")
            self.assertIn("ward 1.1", self.command("list"))
            apps = self.station.get("/apps")["apps"]
            self.assertEqual([apps[0][key] for key in ("name", "version", "previous", "url")],
                             ["ward", "1.1", "1.0", self.address])
            self.command("rollback", "ward")
            self.driver.get(self.address)
            self.assertEqual(self.heading(), "Ward 1.0")
            # Without its server it serves what is there.
            self.server.files.clear()
            self.station.kill()
            self.station.start()
            self.driver.get(self.address)
            self.assertEqual(self.heading(), "Ward 1.0")
        finally:
            self.server.publish("1.0")

    def test_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "other.zip")
            with open(path, "wb") as file:
                file.write(package("0"))
            self.command("add", path)
        status = lambda: self.station.exchange(
            "GET", "/", None, {"Host": "other.localhost:%d" % self.station.port})[0]
        self.assertEqual(status(), 200)
        self.command("remove", "other")
        self.assertEqual(status(), 404)
        self.assertEqual(self.station.exchange("GET", "/", None, {"Host": "ward.evil.example"})[0], 421)
