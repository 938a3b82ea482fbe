#!/usr/bin/env python3
"""A receiver of webhooks that behaves as badly as it is told to.

usage: receiver.py LEDGER [CERTIFICATE KEY]

Prints its port, then serves until it is ended. The path says how it answers:

    /ok                 204
    /fail/N/...         500 for the first N attempts at each webhook-id, then 204
    /status/S/...       the status S, always
    /hang               nothing, ever
    /gate/FILE          204 once there is such a file, whose path is absolute
    /reset              takes the request and resets the connection
    /half               half an answer
    /header             204 with a header of 100 KB
    /close              204, and the end of the connection without a word of it
    /redirect           307 to /ok
    /throttle/seconds   429 with "Retry-After: 2" for the first request, then 204
    /pause/S            429 with "Retry-After: S" for the first request, then 204
    /throttle/date      the same with a date two seconds from now
    /parse/CODE?code=   204; the ledger has what the path, the query and the body say
    /says/S/WORD        the status S with the JSON {"result": {"status": WORD}}
    /token/S            an access token that expires after S seconds, for the client "scanner 1" and its secret "a+b c"
    /guarded/N          204 with the Nth of these tokens or a later one, else 401
    /check/SECRET...    204 where one of the secrets (hexadecimal) verifies the signature, else 401

Each request that is answered with 2xx, and each other one, is a line of JSON in LEDGER, flushed before the answer.
"""
import base64
import email.utils
import json
import os
import re
import socket
import socketserver
import ssl
import struct
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

LOCK = threading.Lock()
ATTEMPTS = {}
LEDGER = None


def note(**entry):
    with LOCK:
        LEDGER.write(json.dumps(entry) + "\n")
        LEDGER.flush()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", parsed=None, **headers):
        note(method=self.command, headers={name.lower(): value for name, value in self.headers.items()}, parsed=parsed,
             id=self.headers.get("webhook-id"), path=self.path, status=status, time=time.time(),
             timestamp=self.headers.get("webhook-timestamp"), signature=self.headers.get("webhook-signature"),
             type=self.headers.get("content-type"), body=self.body.decode(errors="replace"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.body = b""
        self.answer(204)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.body = self.rfile.read(length)
        if len(self.body) < length:
            # The sender was killed in the middle of it: nobody gets an answer, and nothing was received.
            self.close_connection = True
            return
        words = self.path.partition("?")[0].strip("/").split("/")
        identifier = self.headers.get("webhook-id")
        with LOCK:
            key = (words[0], words[1] if words[0] in ("throttle", "pause") else identifier)
            count = ATTEMPTS[key] = ATTEMPTS.get(key, 0) + 1
        getattr(self, "answer_" + words[0])(words[1:], count)

    do_PUT = do_PATCH = do_POST

    def answer_ok(self, words, count):
        self.answer(204)

    def answer_fail(self, words, count):
        self.answer(500 if count <= int(words[0]) else 204)

    def answer_status(self, words, count):
        self.answer(int(words[0]))

    def answer_hang(self, words, count):
        note(id=self.headers.get("webhook-id"), path=self.path, status=0, time=time.time())
        threading.Event().wait()

    def answer_gate(self, words, count):
        note(id=self.headers.get("webhook-id"), path=self.path, status=0, time=time.time())
        while not os.path.exists("/" + "/".join(words)):
            time.sleep(0.01)
        self.answer(204)

    def answer_reset(self, words, count):
        note(id=self.headers.get("webhook-id"), path=self.path, status=0, time=time.time())
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def answer_half(self, words, count):
        note(id=self.headers.get("webhook-id"), path=self.path, status=0, time=time.time())
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def answer_header(self, words, count):
        self.answer(204, X_Long="x" * 100_000)

    def answer_close(self, words, count):
        self.answer(204)
        self.close_connection = True

    def answer_pause(self, words, count):
        if count > 1:
            self.answer(204)
        else:
            self.answer(429, Retry_After=words[0])

    def answer_redirect(self, words, count):
        self.answer(307, Location="/ok")

    def answer_throttle(self, words, count):
        if count > 1:
            self.answer(204)
        elif words[0] == "seconds":
            self.answer(429, Retry_After="2")
        else:
            self.answer(429, Retry_After=email.utils.formatdate(time.time() + 3, usegmt=True))

    def parts(self):
        """The parts of a multipart body by their names, each with the name of its file and its value."""
        boundary = self.headers["content-type"].partition("boundary=")[2].encode()
        assert self.body.endswith(b"--" + boundary + b"--\r\n"), self.body
        parts = {}
        for part in (b"\r\n" + self.body).split(b"\r\n--" + boundary)[1:-1]:
            head, _, value = part.partition(b"\r\n\r\n")
            words = dict(re.findall(r'(\w+)="([^"]*)"', head.decode()))
            parts[words["name"]] = {"file": words.get("filename"), "value": value.decode("utf-8", "replace")}
        return parts

    def answer_parse(self, words, count):
        path, _, query = self.path.partition("?")
        kind = self.headers["content-type"].partition(";")[0]
        if kind == "multipart/form-data":
            body = {name: part["value"] for name, part in self.parts().items()}
        elif kind == "application/x-www-form-urlencoded":
            body = dict(urllib.parse.parse_qsl(self.body.decode(), keep_blank_values=True, strict_parsing=True))
        else:
            body = json.loads(self.body)
        query = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
        segments = [urllib.parse.unquote(word) for word in path.split("/")]
        self.answer(204, parsed=[segments[2], query["code"], body["code"], str(len(segments)), str(len(body))])

    def answer_says(self, words, count):
        self.answer(int(words[0]), json.dumps({"result": {"status": words[1]}}).encode())

    def answer_token(self, words, count):
        expected = "Basic " + base64.b64encode(b"scanner%201:a%2bb%20c").decode()
        if self.headers["authorization"] != expected or self.body != b"grant_type=client_credentials&scope=scan%20write":
            return self.answer(401, b'{"error": "invalid_client"}')
        answer = {"access_token": f"token-{count}", "token_type": "Bearer", "expires_in": int(words[0])}
        self.answer(200, json.dumps(answer).encode())

    def answer_guarded(self, words, count):
        kind, _, number = (self.headers["authorization"] or "").partition(" token-")
        self.answer(204 if kind == "Bearer" and int(number) >= int(words[0]) else 401)

    def answer_check(self, words, count):
        from standardwebhooks.webhooks import Webhook, WebhookVerificationError
        headers = {name.lower(): value for name, value in self.headers.items()}
        for word in words:
            try:
                Webhook(bytes.fromhex(word)).verify(self.body, headers)
                return self.answer(204)
            except WebhookVerificationError:
                pass
        self.answer(401)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        pass


def main():
    global LEDGER
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    LEDGER = open(sys.argv[1], "a")
    server = Server(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
    if len(sys.argv) == 4:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_address[1], flush=True)
    # Whoever started it holds its standard input; it ends with them.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server.serve_forever()


main()
