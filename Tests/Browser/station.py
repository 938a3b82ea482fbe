"""The built program, a receiver and an OA page, each started as a user starts it."""
import contextlib
import functools
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = os.path.join(ROOT, "Samples")
PROGRAMS = os.environ.get("QUIETZONE_PROGRAMS", ".build/release")
PROGRAM = os.path.join(ROOT, PROGRAMS, "scan-station")
OUT = os.path.join(ROOT, "out")


def sample(name):
    return os.path.join(SAMPLES, name)


def wait_for(what, condition, seconds=120):
    """The first true value of `condition`, asked again and again; what it raises counts as not yet.

    It waits for so long that on a busy machine too nothing more can be hoped for.
    """
    end = time.monotonic() + seconds
    last = None
    while True:
        try:
            value = condition()
            if value:
                return value
        except Exception as error:  # the page or the server is not there yet
            last = error
        if time.monotonic() > end:
            raise AssertionError("%s: not within %g s%s" % (what, seconds, "; %s" % last if last else ""))
        time.sleep(0.05)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Station:
    """scan-station with a folder of its own; killed and started again it keeps folder, port and token.

    `prepare` is called with the folder before anything is in it.
    """

    def __init__(self, replay=None, origins=(), configuration="", arguments=(), prepare=None):
        self.folder = tempfile.mkdtemp(prefix="station.")
        if prepare:
            prepare(self.folder)
        self.port = free_port()
        self.arguments = list(arguments)
        if replay:
            self.arguments += ["--replay", replay]
        for origin in origins:
            self.arguments += ["--allow-origin", origin]
        self.configuration = os.path.join(self.folder, "scan-station.yaml")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(configuration or "station: test\n")
        self.log = os.path.join(self.folder, "log")
        self.process = None
        self.start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.port

    @property
    def token(self):
        with open(os.path.join(self.folder, "station-token"), encoding="ascii") as file:
            return file.read().strip()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "--port", str(self.port), "--config", self.configuration,
                 "--database", os.path.join(self.folder, "station.sqlite"),
                 "--token-file", os.path.join(self.folder, "station-token")] + self.arguments,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for("the station listens", self.ping)

    def ping(self):
        if self.process.poll() is not None:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                sys.exit("scan-station ended with %d: %s" % (self.process.returncode, file.read()[-2000:]))
        return self.get("/ping")["name"] == "quietzone"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def most_memory(self):
        """The most memory that the server held so far, in MiB. Its workers count for themselves."""
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read()).group(1)) / 1024

    def exchange(self, method, path, body=None, headers=None, timeout=120):
        """Status, headers and body of one request, with no header but those given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            skip_host = any(name.lower() == "host" for name in headers or {})
            connection.putrequest(method, path, skip_host=skip_host, skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def request(self, method, path, body=None, headers=None):
        headers = {"Authorization": "Bearer " + self.token, **(headers or {})}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        status, _, content = self.exchange(method, path, body, headers)
        answer = json.loads(content)
        if not answer["isSuccess"]:
            raise AssertionError("%s %s: %d %s" % (method, path, status, answer["errorMsg"]))
        return answer["data"]

    def get(self, path):
        return self.request("GET", path)

    def upload(self, path, content=None):
        if content is None:
            with open(path, "rb") as file:
                content = file.read()
        name = urllib.parse.quote(os.path.basename(path))
        data = self.request("POST", "/scan?name=" + name, content, {"Content-Type": "application/octet-stream"})
        return data["pictures"][0]

    def scans(self):
        """Every record, the newest first."""
        found, before = [], ""
        while True:
            page = self.get("/scans?limit=200" + before)
            found += page["scans"]
            if not page["next"]:
                return found
            before = "&before=" + page["next"]


@functools.cache
def bridge_script():
    """bridge.js, as a station serves it."""
    station = Station(arguments=["--camera", "none"])
    try:
        return station.exchange("GET", "/bridge.js", None, {})[2]
    finally:
        station.stop()


class Receiver:
    """Samples/callback-receiver, with what it printed."""

    def __init__(self, secret_file):
        self.lines = []
        self.port = 0
        self.secret_file = secret_file
        self.start()

    def start(self, *options):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(SAMPLES, "callback-receiver/receiver.py"),
             "--secret-file", self.secret_file, "--port", str(self.port), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        self.port = int(re.search(r":(\d+)/", first).group(1))
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            self.lines.append(line.rstrip("\n"))

    def pause(self):
        """Answers 500 from now on."""
        self.stop()
        self.start("--fail")

    def resume(self):
        self.stop()
        self.start()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class OAPage:
    """Samples/oa-page as another origin, its one line for the bridge naming the station's port."""

    def __init__(self, station_port, script=None):
        folder = os.path.join(SAMPLES, "oa-page")
        self.station_port = station_port
        page_of_this = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def do_GET(self):
                path = self.path.split("?")[0]
                if path not in ("/", "/index.html"):
                    return super().do_GET()
                with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
                    page = file.read()
                line = "http://127.0.0.1:6079/bridge.js"
                assert page.count(line) == 1
                name = "http://127.0.0.1:%d/bridge.js" % page_of_this.station_port
                content = page.replace(line, name).encode()
                if script:
                    content = content.replace(b"<script", script.encode() + b"<script", 1)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server.server_port

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
