"""Samples/callback-receiver as a program: what it believes, and what it does not."""
import base64
import hashlib
import hmac
import http.client
import json
import os
import secrets
import tempfile
import time
import unittest

from station import Receiver, wait_for

EVENT = {"type": "scan.created", "data": {"time": "2026-01-01T00:00:00.000Z", "symbol": {
    "format": "qr_code", "text": "a\n');alert(1);('\u2028"}}}


class ReceiverTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keys = [secrets.token_bytes(32), secrets.token_bytes(24)]
        with tempfile.NamedTemporaryFile("w", suffix=".secret", delete=False) as file:
            file.write("".join("whsec_%s\n" % base64.b64encode(key).decode() for key in cls.keys))
            cls.secret_file = file.name
        cls.receiver = Receiver(file.name)

    @classmethod
    def tearDownClass(cls):
        cls.receiver.stop()
        os.unlink(cls.secret_file)

    def sign(self, key, identifier, timestamp, body):
        signed = b"%s.%s.%s" % (identifier.encode(), timestamp.encode(), body)
        return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()

    def post(self, headers, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.receiver.port, timeout=120)
        connection.request("POST", "/", body, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def test_what_is_believed(self):
        body = json.dumps(EVENT).encode()
        now = str(int(time.time()))
        stranger = secrets.token_bytes(32)
        cases = {
            "the first secret": (204, "m1", now, [self.keys[0]], {}, body),
            "the second secret": (204, "m2", now, [self.keys[1]], {}, body),
            "several signatures, the last one known": (204, "m3", now, [stranger, stranger, self.keys[0]], {}, body),
            "a little old": (204, "m4", str(int(now) - 200), [self.keys[0]], {}, body),
            "an unknown secret": (401, "m5", now, [stranger], {}, body),
            "no signature": (401, "m6", now, [], {}, body),
            "too old": (401, "m7", str(int(now) - 400), [self.keys[0]], {}, body),
            "of the future": (401, "m8", str(int(now) + 400), [self.keys[0]], {}, body),
            "no number": (401, "m9", "soon", [self.keys[0]], {}, body),
            "another body": (401, "m10", now, [self.keys[0]], {}, body + b" "),
            "another identifier": (401, "m11", now, [self.keys[0]], {"webhook-id": "m12"}, body),
            "another version": (401, "m13", now, [self.keys[0]], {"v1": "v2"}, body),
        }
        for name, (status, identifier, timestamp, keys, changes, sent) in cases.items():
            with self.subTest(name):
                signature = " ".join(self.sign(key, identifier, timestamp, body) for key in keys)
                if "v1" in changes:
                    signature = signature.replace("v1,", changes["v1"] + ",")
                headers = {"webhook-id": changes.get("webhook-id", identifier), "webhook-timestamp": timestamp,
                           "webhook-signature": signature}
                self.assertEqual(self.post(headers, sent), status)

    def test_what_comes_twice_counts_once_and_stays_on_one_line(self):
        body = json.dumps(EVENT).encode()
        now = str(int(time.time()))
        headers = {"webhook-id": "twice", "webhook-timestamp": now,
                   "webhook-signature": self.sign(self.keys[0], "twice", now, body)}
        before = len(self.lines())
        self.assertEqual([self.post(headers, body) for _ in range(3)], [204, 204, 204])
        wait_for("the notes", lambda: sum("left out: twice" in line for line in self.receiver.lines) == 2)
        self.assertEqual(len(self.lines()), before + 1)
        self.assertIn('"a\\n\');alert(1);(\'\\u2028"', self.lines()[-1])

    def lines(self):
        return [line for line in self.receiver.lines if line.startswith("2026-01-01")]
