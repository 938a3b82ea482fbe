"""Who is refused: another origin, another host, whoever has no token."""
import json

from common import Setting, StationTest, open_browser
from station import OAPage, sample, wait_for


class SafetyTests(StationTest):
    def refused(self, expected, method, path, headers, body=None):
        status, answer, content = self.station.exchange(method, path, body, headers)
        self.assertEqual(status, expected, content[:200])
        self.assertIsNone(answer.get("Access-Control-Allow-Origin"))
        return content

    def test_nothing_without_the_token(self):
        for method, path in (("GET", "/scans"), ("GET", "/scans.csv"), ("GET", "/events"), ("GET", "/camera"),
                             ("GET", "/frame.jpg"), ("GET", "/preview"), ("POST", "/camera"), ("POST", "/scan"),
                             ("POST", "/detect"), ("POST", "/bridge/promise"), ("POST", "/camera/trigger")):
            with self.subTest(path):
                content = self.refused(401, method, path, {}, b"{}" if method == "POST" else None)
                self.assertEqual(json.loads(content)["isSuccess"], False)
                self.refused(401, method, path, {"Authorization": "Bearer " + "A" * 43},
                             b"{}" if method == "POST" else None)

    def test_no_other_origin(self):
        token = {"Authorization": "Bearer " + self.station.token}
        for origin in ("http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:%d" % self.station.port):
            with self.subTest(origin):
                self.refused(403, "GET", "/scans", {**token, "Origin": origin})
                self.refused(403, "POST", "/bridge/session", {"Origin": origin}, b"")
                self.refused(403, "OPTIONS", "/scan", {"Origin": origin, "Access-Control-Request-Method": "POST"})

    def test_no_other_host(self):
        token = {"Authorization": "Bearer " + self.station.token}
        for host in ("evil.example", "evil.example:%d" % self.station.port, "127.0.0.1:1", "127.0.0.1.evil.example"):
            with self.subTest(host):
                self.refused(421, "GET", "/scans", {**token, "Host": host})
                # As after DNS rebinding, where both are the attacker's name.
                self.refused(421, "POST", "/bridge/session", {"Host": host, "Origin": "http://" + host}, b"")

    def test_a_page_of_another_origin_gets_no_scan(self):
        page = OAPage(self.station.port)
        browser = open_browser()
        try:
            browser.driver.get(page.url + "/?dialect=promise")
            said = browser.driver.execute_async_script(
                "const done = arguments[0]; quietzone.scan().then(() => done('read'), (error) => done(error.code))")
            self.assertEqual(said, "unknown_origin")
            answer = browser.driver.execute_async_script(
                "fetch(arguments[0] + '/scans', {credentials: 'include'}).then(() => arguments[1]('read'), "
                "() => arguments[1]('refused'))", self.station.url)
            self.assertEqual(answer, "refused")
        finally:
            browser.quit()
            page.stop()

    def test_a_session_of_a_page_reads_no_history(self):
        origin = "http://oa.example"
        other = Setting(["qr.png"], origins=[origin])
        try:
            status, headers, content = other.station.exchange("POST", "/bridge/session", b"", {"Origin": origin})
            self.assertEqual(status, 200, content)
            self.assertEqual(headers["Access-Control-Allow-Origin"], origin)
            self.assertIn("Origin", headers["Vary"])
            session = json.loads(content)["data"]["session"]
            pass_on = {"Origin": origin, "Authorization": "Bearer " + session}
            for method, path in (("GET", "/scans"), ("GET", "/scans.csv"), ("GET", "/camera"), ("POST", "/camera")):
                status, _, content = other.station.exchange(method, path, b"{}" if method == "POST" else None, pass_on)
                self.assertIn(status, (401, 403), (path, content))
            # Nor does another origin get anything for it.
            status, _, _ = other.station.exchange(
                "GET", "/frame.jpg", None, {**pass_on, "Origin": "http://evil.example"})
            self.assertEqual(status, 403)
            # Nor is the session worth anything without its origin, or with the station's own.
            for name in (None, other.station.url):
                headers = {"Authorization": "Bearer " + session, **({"Origin": name} if name else {})}
                status, _, _ = other.station.exchange("POST", "/detect", b"", headers)
                self.assertEqual(status, 401, name)
        finally:
            other.stop()

    def test_the_token_is_in_no_log(self):
        self.station.exchange("GET", "/?token=" + self.station.token)
        self.station.upload(sample("qr.png"))
        with open(self.station.log, encoding="utf-8") as file:
            self.assertNotIn(self.station.token, file.read())

    def test_the_page_s_policy_is_strict(self):
        status, headers, _ = self.station.exchange("GET", "/", None, {})
        self.assertEqual(status, 200)
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotIn("*", policy)
