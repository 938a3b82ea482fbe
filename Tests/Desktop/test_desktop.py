#!/usr/bin/env python3
"""decode-image and scan-station at a desktop: a real X server with its clipboard and screen, and on a real session bus a
portal and a service of notifications that are played. Run by scripts/test-desktop under dbus-run-session and Xvfb.

usage: test_desktop.py FOLDER      with both programs
"""
import json
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

FOLDER = Path(sys.argv.pop(1))
PROGRAM = FOLDER / "decode-image"
SAMPLES = Path(__file__).resolve().parents[2] / "Samples"


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)


def clip(*arguments, data=None):
    # What is given to xclip it keeps in the background, and its output with it.
    output = subprocess.PIPE if data is None else subprocess.DEVNULL
    return subprocess.run(
        ["xclip", "-selection", "clipboard", *arguments], input=data, stdout=output, stderr=subprocess.DEVNULL,
        timeout=60)


class Portal(dbus.service.Object):
    """org.freedesktop.portal.Screenshot: the user agrees, or does not."""

    picture = None

    @dbus.service.method(
        "org.freedesktop.portal.Screenshot", in_signature="sa{sv}", out_signature="o", sender_keyword="sender")
    def Screenshot(self, parent, options, sender):
        place = sender[1:].replace(".", "_")
        path = f"/org/freedesktop/portal/desktop/request/{place}/{options['handle_token']}"
        assert options["interactive"]
        request = Request(self.connection, path)
        results = {"uri": dbus.String(f"file://{self.picture}", variant_level=1)} if self.picture else {}
        GLib.idle_add(lambda: request.Response(dbus.UInt32(0 if self.picture else 1), results) or
                      request.remove_from_connection())
        return dbus.ObjectPath(path)


class Request(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.portal.Request", signature="ua{sv}")
    def Response(self, response, results):
        pass


class Notifications(dbus.service.Object):
    """org.freedesktop.Notifications: remembers what was shown."""

    shown = []

    @dbus.service.method("org.freedesktop.Notifications", in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, name, replaces, icon, title, body, actions, hints, timeout):
        self.shown.append((str(title), str(body), [str(action) for action in actions]))
        if actions:
            GLib.idle_add(lambda: self.NotificationClosed(dbus.UInt32(1), dbus.UInt32(2)))
        return dbus.UInt32(1)

    @dbus.service.method("org.freedesktop.Notifications", out_signature="as")
    def GetCapabilities(self):
        return dbus.Array(["body", "actions"], signature="s")

    @dbus.service.method("org.freedesktop.Notifications", out_signature="ssss")
    def GetServerInformation(self):
        return "test", "test", "1", "1.2"

    @dbus.service.signal("org.freedesktop.Notifications", signature="uu")
    def NotificationClosed(self, number, reason):
        pass


class DesktopTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        dbus.mainloop.glib.threads_init()
        bus = dbus.SessionBus()
        cls.names = [dbus.service.BusName(name, bus) for name in ("org.freedesktop.Notifications",)]
        cls.bus = bus
        cls.notifications = Notifications(bus, "/org/freedesktop/Notifications")
        cls.portal = Portal(bus, "/org/freedesktop/portal/desktop")
        loop = GLib.MainLoop()
        threading.Thread(target=loop.run, daemon=True).start()
        cls.addClassCleanup(loop.quit)

    def test_a_picture_is_read_from_the_clipboard(self):
        clip("-t", "image/png", "-i", data=(SAMPLES / "qr.png").read_bytes())
        answer = run("--clipboard")
        self.assertEqual((answer.stdout, answer.returncode), ("qr_code: https://example.org/quietzone\n", 0), answer.stderr)

    def test_what_was_read_is_copied(self):
        answer = run("--copy", str(SAMPLES / "ean13.png"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        # xclip becomes the clipboard's owner when it has gone to the background.
        limit = time.monotonic() + 30
        while clip("-o").stdout != b"4006381333931" and time.monotonic() < limit:
            time.sleep(0.05)
        self.assertEqual(clip("-o").stdout, b"4006381333931")

    def test_the_screen_is_read_by_the_programs_of_x11(self):
        window = subprocess.Popen(["display", "-geometry", "+0+0", str(SAMPLES / "qr.png")])
        try:
            limit = time.monotonic() + 60
            answer = run("--screen")
            # Until the window is drawn there is no code.
            while answer.returncode == 4 and time.monotonic() < limit:
                answer = run("--screen")
            self.assertEqual(answer.stdout, "qr_code: https://example.org/quietzone\n", answer.stderr)
        finally:
            window.kill()
            window.wait()

    def test_the_screen_is_read_by_the_portal(self):
        name = dbus.service.BusName("org.freedesktop.portal.Desktop", self.bus)
        try:
            with tempfile.TemporaryDirectory() as folder:
                picture = Path(folder) / "screen.png"
                picture.write_bytes((SAMPLES / "aztec.png").read_bytes())
                self.portal.picture = picture
                answer = run("--screen")
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertTrue(answer.stdout.startswith("aztec: "), answer.stdout)
                self.assertFalse(picture.exists(), "the picture of the screen was left behind")
            self.portal.picture = None
            answer = run("--screen")
            self.assertEqual(answer.returncode, 1)
            self.assertIn("the request was canceled", answer.stderr)
        finally:
            del name

    def test_what_was_read_is_shown(self):
        self.notifications.shown.clear()
        answer = run("--notify", str(SAMPLES / "qr.png"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        answer = run("--notify", str(SAMPLES / "ean13.png"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(
            self.notifications.shown,
            [("QR Code", "https://example.org/quietzone", ["open", "Open"]), ("EAN-13", "4006381333931", [])])

    def test_the_station_shows_what_its_configuration_names(self):
        self.notifications.shown.clear()
        with tempfile.TemporaryDirectory() as folder:
            configuration = Path(folder) / "scan-station.yaml"
            configuration.write_text(
                f"database: {folder}/station.sqlite\nnotifications:\n  textMatches: ^RECALL|^WIFI\n  desktop: true\n")
            scans = Path(folder) / "scans.jsonl"
            scans.write_text("".join(
                json.dumps({"device": "gun", "event": "scan", "text": text}) + "\n"
                for text in ("OTHER-1", "RECALL-<1>\\377\\n", "WIFI:T:WPA;S:ward;P:correct horse;;")))
            log = Path(folder) / "log"
            with open(log, "w") as file:
                station = subprocess.Popen(
                    [FOLDER / "scan-station", "--config", configuration, "--port", "0", "--camera", "none",
                     "--simulate", scans], stdout=file, stderr=file)
            try:
                limit = time.monotonic() + 60
                while len(self.notifications.shown) < 2 and station.poll() is None and time.monotonic() < limit:
                    time.sleep(0.05)
                self.assertEqual(
                    self.notifications.shown,
                    [("Code read", "RECALL-&lt;1&gt;\\377\\n", []), ("Code read", "wifi", [])], log.read_text())
            finally:
                station.terminate()
                self.assertEqual(station.wait(60), 0, log.read_text())


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0 or result.testsRun == 0)
