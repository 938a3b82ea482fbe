#!/usr/bin/env python3
"""Verifies the signatures of delivered events by the library of Standard Webhooks for Python, and by Perl's HMAC.

usage: .build/python/bin/python3 Tests/Reliability/webhooks.py [--events 500] [--seed N] [--programs .build/release]

scripts/test-python makes that Python.

scan-outbox delivers events with texts of all kinds to a receiver, signed with two secrets as during a rotation. Both
must accept each request with either secret, and reject it with another secret, a changed byte of the body, another
identifier and another time.
"""
import argparse
import base64
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

ROOT = Path(__file__).resolve().parents[2]
# Reads lines of [secret, identifier, time, body in base64, signatures], and writes for each whether one is right.
PERL = r"""
while (<STDIN>) {
    my ($secret, $id, $time, $body, $signatures) = @{decode_json($_)};
    $secret =~ s/^whsec_//;
    my $mac = hmac_sha256("$id.$time." . decode_base64($body), decode_base64($secret));
    my $expected = "v1," . encode_base64($mac, "");
    print((grep { $_ eq $expected } split / /, $signatures) ? "1\n" : "0\n");
}
"""


def by_python(requests):
    for secret, body, headers in requests:
        try:
            Webhook(secret).verify(body, headers)
            yield True
        except WebhookVerificationError:
            yield False


def by_perl(requests):
    lines = "\n".join(
        json.dumps([secret, *(headers["webhook-" + name] for name in ("id", "timestamp")),
                    base64.b64encode(body).decode(), headers["webhook-signature"]])
        for secret, body, headers in requests)
    run = subprocess.run(["perl", "-MDigest::SHA=hmac_sha256", "-MMIME::Base64", "-MJSON::PP", "-e", PERL], input=lines,
                         stdout=subprocess.PIPE, text=True, check=True)
    return [line == "1" for line in run.stdout.split()]


def report(r, index):
    """A line of decode-image --json with a symbol of a random text."""
    alphabet = r.choice(["0123456789", "abc \"\\/<>&'", "äöü€漢字\U0001f600", "\0\x01\x1d\r\n\t\x7f\u2028\ufeff"])
    text = "".join(r.choices(alphabet, k=r.choice([1, 20, 2000])))
    corners = [{"x": x, "y": y} for x, y in [(0, 0), (9, 0), (9, 9), (0, 9)]]
    symbol = {"format": "qr_code", "rawValue": text, "rawBytes": base64.b64encode(text.encode()).decode(),
              "charset": "utf-8", "charsetSource": "validity", "check": "error_correction", "cornerPoints": corners,
              "boundingBox": {"x": 0, "y": 0, "width": 9, "height": 9}, "gs1": False, "inverted": False,
              "quality": 1, "rotation": 0, "symbologyIdentifier": "]Q1"}
    return {"schema": 1, "source": f"{index}.png", "error": None, "width": 9, "height": 9, "orientation": 1,
            "milliseconds": {"load": 1, "decode": 1}, "searchEnd": "complete", "truncated": False, "symbols": [symbol]}


def delivered(arguments, secrets):
    """The body and the headers of each request that scan-outbox sends."""
    requests = []

    class Receiver(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            requests.append((body, {name.lower(): value for name, value in self.headers.items()}))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    r = random.Random(arguments.seed)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        secret_file = Path(folder, "secret")
        secret_file.touch(mode=0o600)
        secret_file.write_text("\n".join(secrets) + "\n")
        configuration = Path(folder, "outbox.yaml")
        configuration.write_text(
            f"database: {folder}/outbox.sqlite\ndestinations:\n  receiver:\n    type: http\n"
            f"    url: http://127.0.0.1:{server.server_port}/\n    secretFile: {secret_file}\n")
        lines = "\n".join(json.dumps(report(r, index)) for index in range(arguments.events))
        run = subprocess.run(
            [Path(arguments.programs, "scan-outbox"), "run", "--add", "--once", "--config", configuration,
             "--log-level", "warning"], check=False, input=lines, text=True, stdout=subprocess.DEVNULL)
        if run.returncode:
            sys.exit(f"scan-outbox ended with {run.returncode}")
    server.shutdown()
    return requests


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--events", type=int, default=500)
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    p.add_argument("--programs", default=os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release"))
    arguments = p.parse_args()
    secrets = ["whsec_" + base64.b64encode(os.urandom(size)).decode() for size in (24, 64, 32)]
    requests = delivered(arguments, secrets[:2])
    cases = []
    for body, headers in requests:
        later = {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}
        changed = bytes([body[0], body[1] ^ 1]) + body[2:]
        cases += [
            ((secrets[0], body, headers), True), ((secrets[1], body, headers), True),
            ((secrets[2], body, headers), False), ((secrets[0], changed, headers), False),
            ((secrets[0], body, {**headers, "webhook-id": headers["webhook-id"] + "0"}), False),
            ((secrets[0], body, later), False),
        ]
    faults = int(len(requests) != arguments.events)
    for name, verify in ("Python", by_python), ("Perl", by_perl):
        answers = list(verify([request for request, _ in cases]))
        wrong = sum(answer != expected for answer, (_, expected) in zip(answers, cases, strict=True))
        faults += wrong
        print(f"{name}: {len(cases)} checks of {len(requests)} requests, {wrong} wrong")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
