#!/usr/bin/env python3
"""decode-camera and scan-station with cameras that are commands and addresses: the real ffmpeg, gst-launch-1.0 and a
real RTSP server (gst-rtsp-server), which ask for a password, go away and come back. rpicam-vid is played, since
Debian 12 does not have it.

usage: test_cameras.py FOLDER      with both programs
"""
import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "Samples"
TEXT = "qr_code: https://example.org/quietzone"
LIMIT = 120  # Seconds after which nothing more can be hoped for.
SECRET = "pass@word"  # An address has it as it is: ffmpeg takes all up to the last @.


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command_lines():
    """The arguments of all processes of this machine but those of this test."""
    lines = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_text(errors="replace").replace("\0", " "))
    return [line for line in lines if "rtsp_server.py" not in line]


def readers_of(parent):
    """The processes of ffmpeg that a process has started and that still run, by their numbers."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = path.read_text().rpartition(")")
            state, owner = rest.split()[:2]
            if int(owner) == parent and state != "Z" and name.endswith("(ffmpeg"):
                found.append(int(path.parent.name))
    return found


@contextlib.contextmanager
def ended(process):
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def start(*arguments, **options):
    return ended(subprocess.Popen([str(argument) for argument in arguments], text=True, **options))


def decode(device, *arguments):
    return subprocess.run(
        [FOLDER / "decode-camera", "--device", device, "--once", "--timeout", str(LIMIT), *arguments],
        capture_output=True, text=True, timeout=LIMIT + 30)


def rtsp_server(port, *login):
    """A server of a camera with a QR code at /cam, when it listens."""
    process = subprocess.Popen(
        ["/usr/bin/python3", HERE / "rtsp_server.py", SAMPLES / "qr.png", str(port), *login],
        stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    return ended(process)


class MultipartServer(http.server.BaseHTTPRequestHandler):
    """What apps make of a phone: a message of JPEGs without an end, for a user with a password."""

    def do_GET(self):
        if self.headers.get("Authorization") != "Basic cGhvbmU6c2VjcmV0":  # phone:secret
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="phone"')
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        picture = (SAMPLES / "qr-colour.jpg").read_bytes()
        with contextlib.suppress(OSError):
            while True:
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                self.wfile.write(head.encode() + picture + b"\r\n")
                time.sleep(0.1)

    def log_message(self, *arguments):
        pass


class Commands(unittest.TestCase):
    def read(self, command, expected=TEXT):
        result = decode(f"exec:{command}", "--effort", "normal")
        self.assertEqual(result.stdout.splitlines()[:1], [expected], result.stderr)
        self.assertEqual(result.returncode, 0)

    def test_ffmpeg_in_each_format(self):
        source = f"ffmpeg -loglevel error -re -loop 1 -framerate 5 -i '{SAMPLES}/qr.png'"
        for label, output in [
            ("Y4M", "-pix_fmt yuv420p -f yuv4mpegpipe -"), ("gray Y4M", "-pix_fmt gray -strict -1 -f yuv4mpegpipe -"),
            ("MJPEG", "-pix_fmt yuvj420p -f mjpeg -"), ("multipart", "-pix_fmt yuvj420p -f mpjpeg -"),
            ("raw gray", "-vf scale=264:264 -pix_fmt gray -f rawvideo -#size=264x264#format=GREY"),
            ("raw NV12", "-vf scale=264:264 -pix_fmt nv12 -f rawvideo -#size=264x264#format=NV12"),
            ("raw YUYV", "-vf scale=264:264 -pix_fmt yuyv422 -f rawvideo -#size=264x264#format=YUYV"),
        ]:
            with self.subTest(label):
                self.read(f"{source} {output}")

    def test_gstreamer(self):
        source = f"gst-launch-1.0 -q filesrc location='{SAMPLES}/qr.png' ! pngdec ! imagefreeze ! videoconvert"
        for label, output in [
            ("Y4M", "! video/x-raw,format=I420,framerate=5/1 ! y4menc ! fdsink"),
            ("JPEG", "! video/x-raw,framerate=5/1 ! jpegenc ! fdsink"),
            ("multipart", "! video/x-raw,framerate=5/1 ! jpegenc ! multipartmux ! fdsink"),
            ("raw", "! videoscale ! video/x-raw,format=GRAY8,width=264,height=264 ! fdsink#size=264x264#format=GREY"),
        ]:
            with self.subTest(label):
                self.read(f"{source} {output}")

    def test_rpicam_vid(self):
        """A stand-in that takes the arguments of the guide and writes what rpicam-vid documents: JPEG after JPEG."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "rpicam-vid"
            program.write_text(
                '#!/bin/sh\n[ "$*" = "-t 0 -n --codec mjpeg --width 1280 --height 720 -o -" ] || exit 64\n'
                f"while cat '{SAMPLES}/qr-colour.jpg'; do sleep 0.1; done\n")
            program.chmod(0o755)
            self.read(f"{program} -t 0 -n --codec mjpeg --width 1280 --height 720 -o -")


class Addresses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def address(self, text):
        file = self.folder / "camera.txt"
        file.write_text(text + "\n")
        file.chmod(0o600)
        return f"@{file}"

    def test_http_of_ffmpeg(self):
        address = f"http://127.0.0.1:{free_port()}/video"
        server = [
            "ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-loop", "1", "-framerate", "5", "-i",
            SAMPLES / "qr.png", "-pix_fmt", "yuvj420p", "-f", "mpjpeg", "-listen", "1", address]
        with start(*server, stderr=subprocess.DEVNULL):
            # It is started again until the server listens.
            result = decode(address)
        self.assertEqual(result.stdout, TEXT + "\n", result.stderr)

    def test_phone_with_a_password(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), MultipartServer) as server:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever).start()
            try:
                # A name, so that ffmpeg looks it up in its sandbox.
                host = f"localhost:{server.server_port}"
                result = decode(self.address(f"http://phone:secret@{host}/video"))
                refused = subprocess.run(
                    [FOLDER / "decode-camera", "--device", self.address(f"http://phone:guess@{host}/video"),
                     "--timeout", "5"], capture_output=True, text=True, timeout=LIMIT)
            finally:
                server.shutdown()
        self.assertEqual(result.stdout, TEXT + "\n", result.stderr)
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"decode-camera: http://{host}/video: ffmpeg ended with exit status 1: ", refused.stderr)
        self.assertIn("401", refused.stderr)
        self.assertNotIn("guess", refused.stderr)

    def test_https(self):
        key = self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key,
             "-out", key.with_name("certificate.pem")], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(key.with_name("certificate.pem"), key)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), MultipartServer) as server:
            server.daemon_threads = True
            server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever).start()
            try:
                result = decode(self.address(f"https://phone:secret@localhost:{server.server_port}/video"))
            finally:
                server.shutdown()
        self.assertEqual(result.stdout, TEXT + "\n", result.stderr)

    def test_password_on_the_command_line_is_refused(self):
        result = decode(f"rtsp://user:{SECRET}@127.0.0.1/cam")
        self.assertEqual(result.returncode, 64)
        self.assertNotIn("pass", result.stderr.replace("a password on", ""))

    def test_rtsp_is_cut_off_and_comes_back(self):
        """The station's camera is lost with its server, and is back with it; nothing shows the password."""
        port, web = free_port(), free_port()
        (self.folder / "scan-station.yaml").write_text(
            f"camera:\n  device: rtsp://user:{SECRET}@127.0.0.1:{port}/cam\n")
        station = [
            FOLDER / "scan-station", "--config", self.folder / "scan-station.yaml", "--database",
            self.folder / "outbox.sqlite", "--port", web, "--log-level", "trace"]
        log = self.folder / "log"
        with open(log, "w", encoding="utf-8") as output:
            process = start(*station, stdout=output, stderr=output)
        with process as station:
            def camera(*statuses):
                token = (self.folder / "station-token").read_text().strip()
                request = urllib.request.Request(
                    f"http://127.0.0.1:{web}/camera", headers={"Authorization": f"Bearer {token}"})
                answer = json.load(urllib.request.urlopen(request, timeout=30))
                self.assertNotIn(SECRET, json.dumps(answer))
                return answer["data"]["status"] in statuses and answer["data"]

            self.wait("lost at first", lambda: camera("lost"))
            for _ in range(2):
                with rtsp_server(port, "user", SECRET):
                    state = self.wait("running", lambda: camera("running"))
                    name = f"rtsp://127.0.0.1:{port}/cam"
                    self.assertEqual(state["path"], name)
                    self.assertIn({"path": name, "card": name}, state["cameras"])
                    self.assertFalse([line for line in command_lines() if SECRET in line])
                    readers = readers_of(station.pid)
                    self.assertTrue(readers)
                    for reader in readers:
                        status = pathlib.Path(f"/proc/{reader}/status").read_text()
                        # A filter of system calls.
                        self.assertRegex(status, r"Seccomp:\s2\n")
                state = self.wait("lost", lambda: camera("lost"))
                self.assertIn("ffmpeg", state["problem"])
                self.wait("end of ffmpeg", lambda old=readers: not set(old) & set(readers_of(station.pid)))
            with rtsp_server(port, "user", SECRET) as server:
                self.wait("running again", lambda: camera("running"))
                server.send_signal(signal.SIGSTOP)
                self.wait("a stall", lambda: "No frame arrived" in log.read_text())
                server.send_signal(signal.SIGCONT)
                self.wait("frames after the stall", lambda: log.read_text().count("Frames come") >= 4)
                readers = readers_of(station.pid)
                station.terminate()
                self.assertEqual(station.wait(LIMIT), 0)
            for reader in readers:
                self.assertFalse(os.path.exists(f"/proc/{reader}"), "ffmpeg has outlived the station")
        self.assertNotIn(SECRET, log.read_text())

    def wait(self, what, condition):
        end, last = time.monotonic() + LIMIT, None
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                last = condition()
                if last:
                    return last
            time.sleep(0.1)
        self.fail(f"{what}: not within {LIMIT} s; {last}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
