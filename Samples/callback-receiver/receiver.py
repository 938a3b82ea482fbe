#!/usr/bin/env python3
"""Receives scans as Standard Webhooks 1.0.0, checks their signatures and prints them. Python 3.9, nothing else.

usage: receiver.py --secret-file FILE [--port 8001] [--tolerance 300] [--fail]
"""
import argparse
import base64
import collections
import hashlib
import hmac
import http.server
import json
import sys
import threading
import time

LARGEST_BODY = 1 << 20
REMEMBERED = 100_000


class Refused(Exception):
    """Why a message is not believed."""


def read_secrets(path):
    """The secrets of a file, one a line: whsec_ and base64. Several while one is being changed."""
    with open(path, encoding="ascii") as file:
        lines = [line.strip() for line in file if line.strip()]
    secrets = []
    for line in lines:
        key = base64.b64decode(line.removeprefix("whsec_"), validate=True)
        if len(key) < 24:
            raise ValueError("a secret has 24 bytes at least")
        secrets.append(key)
    if not secrets:
        raise ValueError("there is no secret in it")
    return secrets


def verify(secrets, headers, body, now, tolerance):
    """The identifier of a message that was signed by one of the secrets, and not long ago. Else raises Refused."""
    identifier = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not identifier:
        raise Refused("there is no webhook-id")
    if not timestamp.isascii() or not timestamp.isdigit():
        raise Refused("webhook-timestamp is no number of seconds")
    if abs(now - int(timestamp)) > tolerance:
        raise Refused("webhook-timestamp is further than %d s from this machine's clock" % tolerance)
    # The bytes as they came: JSON that was parsed and written anew has another signature.
    signed = identifier.encode() + b"." + timestamp.encode() + b"." + body
    for part in signatures.split():
        version, _, given = part.partition(",")
        # Other versions are other kinds of signature, which may stand beside ours.
        if version != "v1":
            continue
        for secret in secrets:
            expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest())
            if hmac.compare_digest(expected, given.encode()):
                return identifier
    raise Refused("no signature in webhook-signature is of a secret that is known here")


class Seen:
    """The identifiers of the last messages: a message may come twice, and counts once."""

    def __init__(self, most):
        self.most = most
        self.lock = threading.Lock()
        self.identifiers = collections.OrderedDict()

    def is_new(self, identifier):
        with self.lock:
            if identifier in self.identifiers:
                return False
            self.identifiers[identifier] = True
            if len(self.identifiers) > self.most:
                self.identifiers.popitem(last=False)
            return True


def line(message):
    """What is printed of a message: one line, and nothing that a terminal obeys, whatever the code holds."""
    event = message.get("data", message)
    symbol = event.get("symbol", {})
    text = json.dumps(symbol.get("text"), ensure_ascii=False)
    text = "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
    return "%s  %s  %s" % (event.get("time"), symbol.get("format"), text)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if length > LARGEST_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        try:
            identifier = verify(
                self.server.secrets, self.headers, body, time.time(), self.server.options.tolerance)
            message = json.loads(body)
        except (Refused, ValueError) as reason:
            print("refused: %s" % reason, file=sys.stderr, flush=True)
            return self.answer(401)
        if self.server.options.fail:
            return self.answer(500)
        # A real receiver remembers the identifier in the transaction that stores the message.
        if self.server.seen.is_new(identifier):
            print(line(message), flush=True)
        else:
            print("again, and left out: %s" % identifier, file=sys.stderr, flush=True)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def main():
    parser = argparse.ArgumentParser(description="Receives scans, checks their signatures and prints them.")
    parser.add_argument("--secret-file", required=True, help="whsec_ and base64, one a line")
    parser.add_argument("--port", type=int, default=8001, help="8001; 0 for any that is free")
    parser.add_argument("--tolerance", type=int, default=300, help="seconds that a message may be old; 300")
    parser.add_argument("--fail", action="store_true", help="answer 500, to see what the station does then")
    options = parser.parse_args()
    try:
        secrets = read_secrets(options.secret_file)
    except (OSError, ValueError) as reason:
        sys.exit("receiver.py: %s: %s" % (options.secret_file, reason))
    server = Server(("127.0.0.1", options.port), Handler)
    server.options, server.secrets, server.seen = options, secrets, Seen(REMEMBERED)
    print("receiver.py: listening on http://127.0.0.1:%d/" % server.server_port, file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
