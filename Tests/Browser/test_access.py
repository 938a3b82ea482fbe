"""How a person signs in, and that what lets the page in is worth nothing anywhere else."""
import http.server
import tempfile
import threading

from browser import at, text
from common import OwnBrowserTest, Setting
from station import wait_for


class Neighbor:
    """Another server of the machine: it has a page of these bytes, and notes the headers of what it is asked."""

    def __init__(self, page=b"<!doctype html><title>Neighbor</title>"):
        heard = self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                heard.append(str(self.headers))
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d/" % self.server.server_port

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class AccessTests(OwnBrowserTest):
    def is_connected(self):
        return self.driver.execute_script("return document.documentElement.dataset.connected === 'true'")

    def kept(self):
        return self.driver.execute_script("return localStorage.getItem('quietzone.token')")

    def test_the_token_reaches_no_other_port(self):
        neighbor = Neighbor()
        self.addCleanup(neighbor.stop)
        self.browser.enter(self.station)
        self.driver.get(neighbor.url)
        self.driver.execute_async_script("fetch('/again').then(arguments[0], arguments[0])")
        self.assertGreaterEqual(len(neighbor.heard), 2)
        for headers in neighbor.heard:
            self.assertNotIn(self.station.token, headers)
            self.assertNotIn("Cookie", headers)
        self.assertEqual(self.driver.execute_script("return [localStorage.length, document.cookie]"), [0, ""])

    def test_two_stations_in_one_browser_do_not_sign_each_other_out(self):
        other = Setting(["qr.png"])
        self.addCleanup(other.stop)
        for station in (self.station, other.station):
            self.browser.enter(station)
        for station in (self.station, other.station):
            self.driver.get(station.url)
            wait_for("connected", self.is_connected)

    def test_a_link_leaves_no_token_in_the_address(self):
        for link in ("/#token=", "/?token="):
            with self.subTest(link):
                self.driver.get(self.station.url + link + self.station.token)
                wait_for("connected", self.is_connected)
                self.assertEqual(self.driver.current_url, self.station.url + "/")
                self.driver.execute_script("localStorage.clear()")

    def test_a_person_signs_in_by_the_form(self):
        self.driver.get(self.station.url)
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        self.assertFalse(at(self.driver, "workplace").is_displayed())
        at(self.driver, "token").send_keys("A" * 43 + "\n")
        wait_for("the refusal", lambda: "not the key" in text(self.driver, "sign-in-problem"))
        at(self.driver, "token").clear()
        at(self.driver, "token").send_keys(self.station.token + "\n")
        wait_for("connected", self.is_connected)
        self.assertFalse(at(self.driver, "sign-in").is_displayed())
        self.driver.refresh()
        wait_for("connected again", self.is_connected)

    def test_a_station_that_fails_admits_no_key(self):
        self.driver.get(self.station.url)
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        self.driver.execute_script(
            "window.own = fetch; window.fetch = (path, init) => path.startsWith('/scans')"
            " ? Promise.resolve(new Response('{}', { status: 503 })) : own(path, init)")
        at(self.driver, "token").send_keys(self.station.token + "\n")
        wait_for("why", lambda: "does not answer" in text(self.driver, "sign-in-problem"))
        self.assertIsNone(self.kept())
        self.driver.execute_script("window.fetch = own")
        at(self.driver, "token").send_keys("\n")
        wait_for("connected", self.is_connected)

    def test_a_wrong_link_signs_nobody_out(self):
        self.browser.enter(self.station)
        self.driver.get("about:blank")
        self.driver.get(self.station.url + "/#token=" + "A" * 43)
        wait_for("connected", self.is_connected)
        self.assertEqual(self.kept(), self.station.token)

    def test_a_browser_that_denies_storage_shows_the_page(self):
        self.browser.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
            for (const name of ['localStorage', 'sessionStorage']) {
                Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
            }
            window.SharedWorker = class { constructor() { throw new DOMException('denied', 'SecurityError'); } };
        """)
        self.browser.enter(self.station)
        # What is chosen holds for as long as the page is open.
        at(self.driver, "language").click()
        wait_for("Chinese", lambda: text(self.driver, "history-title") == "历史记录")
        self.station.request("POST", "/typed", {"text": "DENIED-1"})
        wait_for("the row", lambda: "DENIED-1" in text(self.driver, "scans"))

    def test_what_cannot_be_read_in_the_storage_is_left_out(self):
        self.browser.enter(self.station)
        self.driver.execute_script(
            "localStorage.setItem('quietzone.aloud', '{'); sessionStorage.setItem('quietzone.unsaved', '[')")
        self.driver.refresh()
        wait_for("connected", self.is_connected)

    def test_links_from_another_site_work(self):
        page = '<!doctype html><a id="to" href="%s">station</a>' % self.station.url
        neighbor = Neighbor(page.encode())
        self.addCleanup(neighbor.stop)
        # Another site than 127.0.0.1, as a browser sees it.
        site = neighbor.url.replace("127.0.0.1", "localhost")
        self.driver.get(site)
        at(self.driver, "to").click()
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        at(self.driver, "token").send_keys(self.station.token + "\n")
        wait_for("connected", self.is_connected)
        self.driver.get(site)
        at(self.driver, "to").click()
        wait_for("connected without the form", self.is_connected)

    def test_a_file_of_the_kiosk_opens_the_page(self):
        with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
            file.write("<meta http-equiv=refresh content='0; url=%s/#token=%s'>"
                       % (self.station.url, self.station.token))
            file.flush()
            self.driver.get("file://" + file.name)
            wait_for("connected", self.is_connected)

    def test_a_cookie_of_an_earlier_version_is_taken_back_and_opens_nothing(self):
        cookie = {"Cookie": "quietzone_token=" + self.station.token}
        status, headers, _ = self.station.exchange("GET", "/", None, cookie)
        self.assertEqual(status, 200)
        self.assertRegex(headers["Set-Cookie"], "^quietzone_token=;.*Max-Age=0$")
        self.assertEqual(self.station.exchange("GET", "/scans", None, cookie)[0], 401)
        self.assertIsNone(self.station.exchange("GET", "/", None, {})[1]["Set-Cookie"])
