#!/usr/bin/env python3
"""Sends a running scan-station requests that two HTTP parsers could read differently (request smuggling).

usage: Tests/Reliability/smuggling.py [--program .build/release/scan-station]

A second request is hidden behind most of them: a server that ends the first one elsewhere than another would answers
it too. Each case must give one of the expected answers, and after it at most another 400. After a malformed request the
connection must be closed. The status is 1 if a case is answered otherwise.
"""
import argparse
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: HOST\r\n\r\n"
INSIDE = b"GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /typed HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n"
GET = b"GET /ping HTTP/1.1\r\nHost: HOST\r\n"


def chunked(body):
    return POST + b"Transfer-Encoding: chunked\r\n\r\n" + body


REFUSED = {400}  # Or the connection is closed without an answer.

# A name, the bytes, and the statuses of an answer that is safe.
CASES = [
    # Two lengths, or a length that is none
    ("two lengths, the first longer", POST + b"Content-Length: 40\r\nContent-Length: 0\r\n\r\n" + HIDDEN, REFUSED),
    ("two lengths, the second longer", POST + b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n" + HIDDEN, REFUSED),
    ("two lengths in one header", POST + b"Content-Length: 0, 40\r\n\r\n" + HIDDEN, REFUSED),
    ("a length with a sign", POST + b"Content-Length: +0\r\n\r\n" + HIDDEN, REFUSED),
    ("a negative length", POST + b"Content-Length: -1\r\n\r\n" + HIDDEN, REFUSED),
    ("a hexadecimal length", POST + b"Content-Length: 0x0\r\n\r\n" + HIDDEN, REFUSED),
    ("a length with a fraction", POST + b"Content-Length: 0.0\r\n\r\n" + HIDDEN, REFUSED),
    ("a length with a blank in it", POST + b"Content-Length: 4 0\r\n\r\n" + HIDDEN, REFUSED),
    ("an empty length", POST + b"Content-Length: \r\n\r\n" + HIDDEN, REFUSED),
    ("a length beyond 64 bits", POST + b"Content-Length: 18446744073709551616\r\n\r\n" + HIDDEN, REFUSED),
    ("a length in digits of another script", POST + "Content-Length: \u0660\r\n\r\n".encode() + HIDDEN, REFUSED),
    ("an underscore for the hyphen", GET + b"Content_Length: 40\r\n\r\n", {200}),
    # A length and chunks
    ("a length and chunks", POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
     REFUSED),
    ("chunks and a length", POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + HIDDEN,
     REFUSED),
    ("chunks of HTTP 1.0", POST.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
     {400, 415, 422}),
    # Codings
    ("an unknown coding", POST + b"Transfer-Encoding: x\r\n\r\n" + HIDDEN, REFUSED),
    ("a coding before chunks", POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    ("a coding after chunks", POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    ("chunks twice", POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
     REFUSED),
    ("two codings", POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + HIDDEN,
     REFUSED),
    ("a quoted coding", POST + b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n' + HIDDEN, REFUSED),
    ("a vertical tab before the coding", POST + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    ("a parameter of the coding", POST + b"Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    ("an empty coding", POST + b"Transfer-Encoding:\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    # Names and lines of headers
    ("a blank before the colon", POST + b"Content-Length : 40\r\n\r\n" + HIDDEN, REFUSED),
    ("a tab before the colon", POST + b"Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    ("a blank before the first name", b"GET /ping HTTP/1.1\r\n Host: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("a folded length", POST + b"Content-Length:\r\n 40\r\n\r\n" + HIDDEN, REFUSED),
    ("a folded coding", POST + b"A: b\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN, REFUSED),
    ("a line without a colon", GET + b"Content-Length 40\r\n\r\n" + HIDDEN, REFUSED),
    ("an empty name", GET + b": 40\r\n\r\n" + HIDDEN, REFUSED),
    ("a NUL in a name", GET + b"Content\0-Length: 40\r\n\r\n" + HIDDEN, REFUSED),
    ("a NUL in a value", GET + b"A: b\0c\r\n\r\n" + HIDDEN, REFUSED),
    ("a return in a value", GET + b"A: b\rContent-Length: 40\r\n\r\n" + HIDDEN, REFUSED),
    ("lines that end in line feeds", GET.replace(b"\r", b"") + b"\n" + HIDDEN, REFUSED),
    ("one line that ends in a line feed", GET + b"A: b\nContent-Length: 40\r\n\r\n" + HIDDEN, REFUSED),
    ("a head that ends in line feeds", GET + b"A: b\n\n" + HIDDEN, REFUSED),
    ("lines that end in returns", GET.replace(b"\n", b"") + b"\r" + HIDDEN, REFUSED),
    ("a byte beyond ASCII in a name", GET + b"Content-Lengt\xe8: 40\r\n\r\n" + HIDDEN, REFUSED),
    # Request lines
    ("two hosts", GET + b"Host: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("two other hosts", GET + b"Host: evil\r\n\r\n" + HIDDEN, REFUSED),
    ("two hosts in one header", b"GET /ping HTTP/1.1\r\nHost: HOST, evil\r\n\r\n", {400, 421}),
    ("no host", b"GET /ping HTTP/1.1\r\n\r\n", {400, 421}),
    # The server takes the host from the header alone, and never forwards a request.
    ("another host in the line", b"GET http://evil/ping HTTP/1.1\r\nHost: HOST\r\n\r\n", {200, 400, 421}),
    ("the host with a user", b"GET /ping HTTP/1.1\r\nHost: evil@HOST\r\n\r\n", {400, 421}),
    ("a blank in the path", b"GET /ping /x HTTP/1.1\r\nHost: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("a tab in the line", b"GET\t/ping\tHTTP/1.1\r\nHost: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("a NUL in the path", b"GET /pi\0ng HTTP/1.1\r\nHost: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("a return in the path", b"GET /ping\rHTTP/1.1\r\nHost: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("an unknown version", b"GET /ping HTTP/1.9\r\nHost: HOST\r\n\r\n" + HIDDEN, {400, 505}),
    ("a version of two digits", b"GET /ping HTTP/1.10\r\nHost: HOST\r\n\r\n" + HIDDEN, {400, 505}),
    ("no version", b"GET /ping\r\n\r\n" + HIDDEN, REFUSED),
    ("the start of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN, {400, 505}),
    ("an unknown method", b"SMUGGLE /ping HTTP/1.1\r\nHost: HOST\r\n\r\n" + HIDDEN, REFUSED),
    ("a method in small letters", b"get /ping HTTP/1.1\r\nHost: HOST\r\n\r\n" + HIDDEN, REFUSED),
    # Chunks
    ("a chunk of no size", chunked(b"\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a negative chunk", chunked(b"-1\r\n\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk with a sign", chunked(b"+0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk size with 0x", chunked(b"0x0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk beyond 64 bits", chunked(b"10000000000000000\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk size with a blank in front", chunked(b" 0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk size with a blank behind", chunked(b"0 \r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk size with a fraction", chunked(b"0.0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk that is longer than its size", chunked(b"1\r\nab\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk without its line end", chunked(b"2\r\n{}0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk size that ends in a line feed", chunked(b"2\n{}\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk that ends in a line feed", chunked(b"2\r\n{}\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a chunk size that ends in a return", chunked(b"2\r{}\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("chunks that end in a line feed", chunked(b"2\r\n{}\r\n0\n\n" + HIDDEN), REFUSED),
    ("a line feed in an extension", chunked(b"2;a\n{}\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a return in an extension", chunked(b"2;a\rb\r\n{}\r\n0\r\n\r\n" + HIDDEN), REFUSED),
    ("a huge extension", chunked(b"2;" + b"a" * 200_000 + b"\r\n{}\r\n0\r\n\r\n"), {400, 415, 422}),
    ("a huge trailer", chunked(b"0\r\nA: " + b"a" * 200_000 + b"\r\n\r\n" + HIDDEN), REFUSED),
    ("a trailer with a blank before the colon", chunked(b"0\r\nA : b\r\n\r\n" + HIDDEN), REFUSED),
    ("a second message in the trailer", chunked(b"0\r\nContent-Length: 40\r\n\r\n"), {400, 415, 422}),
    # Bodies where a server may expect none
    ("a body of GET", GET + b"Content-Length: %d\r\n\r\n" % len(INSIDE) + INSIDE, {200, 400}),
    ("chunks of GET", GET + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(INSIDE) + INSIDE
     + b"\r\n0\r\n\r\n", {200, 400}),
    ("a body that must not be read yet", POST + b"Content-Length: 40\r\nExpect: 100-continue\r\n\r\n", {100, 415, 422}),
    ("a change to another protocol", GET + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", {200}),
    ("a length that the connection names", POST + b"Connection: Content-Length\r\nContent-Length: 2\r\n\r\n{}",
     {400, 415, 422}),
]


def exchange(port, data, seconds=4):
    """What the server answers, until it closes or says nothing for some time, and whether it closed."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(seconds)
        try:
            connection.sendall(data)
            while True:
                part = connection.recv(65536)
                if not part:
                    return answer, True
                answer += part
        except TimeoutError:
            return answer, False
        except ConnectionError:
            return answer, True


def judged(case, port, token):
    """What is wrong with the answer to a case, or None; and the answer in a word."""
    _, data, allowed = case
    data = data.replace(b"HOST", b"127.0.0.1:%d" % port).replace(b"TOKEN", token)
    answer, closed = exchange(port, data)
    statuses = [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]
    said = " ".join(map(str, statuses)) + (", closed" if closed else ", open")
    if set(statuses[1:]) - {400}:
        return "the hidden request was answered", said
    if not statuses and (not closed or 400 not in allowed):
        return "no answer", said
    if statuses and statuses[0] not in allowed:
        return "another answer than " + " or ".join(map(str, sorted(allowed))), said
    if allowed == REFUSED and not closed:
        return "refused, and still open", said
    return None, said


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    programs = os.environ.get("QUIETZONE_PROGRAMS", ROOT / ".build/release")
    p.add_argument("--program", default=os.path.join(programs, "scan-station"))
    arguments = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        token_file, log = Path(folder, "token"), Path(folder, "log")
        with open(log, "wb") as errors:
            station = subprocess.Popen(
                [arguments.program, "--port", "0", "--camera", "none", "--token-file", token_file, "--database",
                 Path(folder, "outbox.sqlite")], stdout=subprocess.DEVNULL, stderr=errors,
                env={**os.environ, "HOME": folder, "XDG_STATE_HOME": folder})
        try:
            end = time.monotonic() + 60
            while not (listening := re.search(r"listening on http://[^:]*:(\d+)", log.read_text())):
                if time.monotonic() > end or station.poll() is not None:
                    sys.exit(log.read_text())
                time.sleep(0.05)
            port, token = int(listening[1]), token_file.read_bytes().strip()
            wrong = 0
            for case in CASES:
                fault, said = judged(case, port, token)
                if fault:
                    wrong += 1
                    print(f"{case[0]}: {fault} ({said})")
            if station.poll() is not None:
                sys.exit("the station ended: " + log.read_text())
        finally:
            station.terminate()
            station.wait()
    print(f"{len(CASES)} requests, {wrong} answered wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
