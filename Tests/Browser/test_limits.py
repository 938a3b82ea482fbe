"""What a page of an allowed origin, or a program without the token, may take; and that the rest is left to others."""
import contextlib
import http.client
import json
import socket
import unittest

from common import Setting
from station import wait_for

ORIGIN = "http://oa.example"
OTHER = "http://other.example"


class LimitTests(unittest.TestCase):
    def setUp(self):
        # A station for each test: what one takes is not the next one's.
        self.setting = Setting(["qr.png"], origins=[ORIGIN, OTHER])
        self.addCleanup(self.setting.stop)
        self.station = self.setting.station
        self.open = contextlib.ExitStack()
        self.addCleanup(self.open.close)

    def exchange(self, method, path, headers, body=None):
        status, answer, content = self.station.exchange(
            method, path, None if body is None else json.dumps(body).encode(), headers)
        return status, answer, content

    def session(self, origin=ORIGIN):
        """What a page of an origin sends with its requests."""
        def ask():
            status, _, content = self.exchange("POST", "/bridge/session", {"Origin": origin, "Content-Length": "0"})
            return json.loads(content)["data"]["session"] if status == 200 else None
        # An origin may ask for so many a second.
        return {"Origin": origin, "Authorization": "Bearer " + wait_for("a session", ask)}

    def ask(self, page, identifier, **message):
        """The answer to a request for a code; one that only came too fast is sent again."""
        def post():
            answer = self.exchange("POST", "/bridge/promise", page, {"request": identifier, "message": message})
            return answer if b"too_many_requests\"" not in answer[2] else None
        return wait_for("an answer", post)

    def listen(self, headers):
        """The status of an event stream that stays open until the test ends."""
        connection = self.open.enter_context(contextlib.closing(
            http.client.HTTPConnection("127.0.0.1", self.station.port, timeout=120)))
        connection.request("GET", "/events", headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers

    @property
    def own(self):
        return {"Authorization": "Bearer " + self.station.token}

    def test_a_session_does_not_watch_unasked(self):
        page = self.session()
        wait_for("a picture", lambda: self.exchange("GET", "/frame.jpg", self.own)[0] == 200)
        status, headers, content = self.exchange("GET", "/frame.jpg", page)
        self.assertEqual(status, 403, content[:100])
        self.assertIsNone(headers["X-Symbols"])
        # A format that the camera does not see keeps the request open.
        self.assertEqual(self.ask(page, "request-1", source="camera", formats=["ean_8"])[0], 202)
        wait_for("outlines", lambda: "corners" in self.exchange("GET", "/frame.jpg", page)[1]["X-Symbols"])
        symbols = json.loads(self.exchange("GET", "/frame.jpg", page)[1]["X-Symbols"])
        self.assertEqual({frozenset(symbol) for symbol in symbols}, {frozenset(("corners", "format"))})
        own = json.loads(self.exchange("GET", "/frame.jpg", self.own)[1]["X-Symbols"])
        self.assertIn("text", own[0])
        self.exchange("DELETE", "/bridge/requests/request-1", page)
        self.assertEqual(self.exchange("GET", "/frame.jpg", page)[0], 403)

    def test_a_request_that_waits_for_the_camera_does_not_watch(self):
        pages = [self.session(), self.session(), self.session(OTHER)]
        wait_for("a picture", lambda: self.exchange("GET", "/frame.jpg", self.own)[0] == 200)
        # A format that the camera does not see keeps the first request at the camera.
        for number, (page, source) in enumerate(zip(pages, ("camera", "camera", "any"))):
            status, _, content = self.ask(page, "request-%d" % number, source=source, formats=["ean_8"])
            self.assertEqual((status, json.loads(content)["data"]["state"]), (202, "waiting" if number else "open"))
        self.assertEqual([self.exchange("GET", "/frame.jpg", page)[0] for page in pages], [200, 403, 403])
        # The other origin comes first: it has waited while this one had its turn.
        self.exchange("DELETE", "/bridge/requests/request-0", pages[0])
        self.assertEqual([self.exchange("GET", "/frame.jpg", page)[0] for page in pages], [403, 403, 200])
        self.exchange("DELETE", "/bridge/requests/request-2", pages[2])
        self.assertEqual([self.exchange("GET", "/frame.jpg", page)[0] for page in pages], [403, 200, 403])

    def test_spellings_of_an_origin_share_its_part(self):
        statuses = []
        for number in range(32):
            spelling = "http://" + "".join(
                letter.upper() if number >> place & 1 else letter for place, letter in enumerate("other")) + ".example"
            statuses.append(self.ask(self.session(spelling), "request-%04d" % number, source="album")[0])
        self.assertEqual(statuses, [202] * 24 + [429] * 8)

    def test_a_head_takes_no_place(self):
        # More than there are places for: of events and of the preview.
        for path, headers, count in (("/events", self.session(), 8), ("/events", self.own, 70), ("/preview", self.own, 20)):
            with self.subTest(path, count=count):
                self.assertEqual({self.exchange("HEAD", path, headers)[0] for _ in range(count)}, {200})

    def test_one_origin_leaves_requests_to_others(self):
        answers = []
        for number in range(64):
            answers.append(self.ask(self.session(), "request-%04d" % number, source="album", timeout=600))
        refused = [answer for answer in answers if answer[0] != 202]
        self.assertTrue(refused)
        for status, headers, content in refused:
            self.assertEqual(status, 429, content)
            self.assertEqual(headers["Retry-After"], "5")
            self.assertEqual(json.loads(content)["data"]["reason"], "too_many_requests_open")
        self.assertEqual(self.ask(self.session(OTHER), "another-page", source="album")[0], 202)
        self.assertEqual(self.ask(self.own, "the-station-s-own", source="album")[0], 202)

    def test_one_page_opens_few_requests_and_none_for_an_hour(self):
        page = self.session()
        statuses = [self.ask(page, "request-%04d" % number, source="album")[0] for number in range(12)]
        self.assertEqual(statuses, [202] * 8 + [429] * 4)
        self.assertEqual(self.ask(self.session(), "for-an-hour", source="album", timeout=3600)[0], 422)

    def test_one_origin_leaves_event_streams_to_others(self):
        statuses = [self.listen(self.session())[0] for _ in range(64)]
        self.assertIn(429, statuses)
        self.assertEqual(self.listen(self.session(OTHER))[0], 200)
        self.assertEqual(self.listen(self.own)[0], 200)

    def test_pictures_and_detections_count_as_requests(self):
        for path in ("GET /frame.jpg", "POST /detect?formats=nothing"):
            with self.subTest(path):
                method, path = path.split()
                page = "".join("%s: %s\r\n" % field for field in self.session().items())
                head = "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%sContent-Length: 0\r\n\r\n" % (
                    method, path, self.station.port, page)
                with socket.create_connection(("127.0.0.1", self.station.port), timeout=120) as connection:
                    connection.sendall((head * 100 + "GET /ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").encode())
                    answers = b"".join(iter(lambda: connection.recv(65536), b""))
                self.assertTrue(b"HTTP/1.1 429 " in answers, "none was refused")

    def test_idle_sockets_shut_nobody_out(self):
        for _ in range(1100):
            idle = self.open.enter_context(socket.create_connection(("127.0.0.1", self.station.port), timeout=120))
            idle.sendall(b"G")
        # That nobody waits for the time that the header of an idle socket has is what ServerTests tries.
        self.assertEqual(self.exchange("GET", "/ping", {})[0], 200)

    def test_slow_readers_hold_a_file_once(self):
        ask = b"GET /bridge.js HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % self.station.port
        for _ in range(1000):
            slow = self.open.enter_context(socket.create_connection(("127.0.0.1", self.station.port), timeout=120))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            slow.sendall(ask * 60)
        self.assertEqual(self.exchange("GET", "/ping", {})[0], 200)
        # What docs/reference/http-api.md has as the most; each answer by itself was more than a GiB.
        self.assertLess(self.station.most_memory(), 400)

    def test_a_slow_header_ends_the_connection(self):
        with socket.create_connection(("127.0.0.1", self.station.port), timeout=120) as slow:
            slow.sendall(b"GET /ping HTTP/1.1\r\n")
            self.assertEqual(slow.recv(1), b"")

    def test_the_request_of_a_page_that_died_ends(self):
        page = self.session()
        connection = http.client.HTTPConnection("127.0.0.1", self.station.port, timeout=120)
        connection.request("GET", "/events", headers=page)
        self.assertEqual(connection.getresponse().status, 200)
        self.assertEqual(self.ask(page, "of-the-dead", source="album", timeout=600)[0], 202)
        self.assertEqual(self.station.get("/health")["requests"], 1)
        connection.sock.shutdown(socket.SHUT_RDWR)
        wait_for("its end", lambda: self.station.get("/health")["requests"] == 0)


if __name__ == "__main__":
    unittest.main()
