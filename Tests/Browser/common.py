"""What the tests share: a station with a receiver, and browsers."""
import os
import secrets
import base64
import shutil
import subprocess
import tempfile
import unittest

from browser import Browser
from plain_page import PlainPage
from station import Receiver, Station, sample

CONFIGURATION = """
station: counter-1
deduplication:
  policy: window
  seconds: 5
destinations:
  receiver:
    type: http
    url: http://127.0.0.1:%d/
    secretFile: %s
    retryAfterSeconds: [1, 2]
"""


class Setting:
    """A station whose camera shows `pictures` one after the other, and whose scans go to a receiver."""

    def __init__(self, pictures=("order-form.png",), origins=(), arguments=(), prepare=None):
        self.folder = tempfile.mkdtemp(prefix="setting.")
        secret = os.path.join(self.folder, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write("whsec_" + base64.b64encode(secrets.token_bytes(32)).decode() + "\n")
        replay = os.path.join(self.folder, "replay")
        os.mkdir(replay)
        for picture in pictures:
            shutil.copy(picture if os.path.isabs(picture) else sample(picture), replay)
        self.receiver = Receiver(secret)
        self.station = Station(
            replay, origins, CONFIGURATION % (self.receiver.port, secret), ["--replay-rate", "2", *arguments], prepare)

    def stop(self):
        self.station.stop()
        self.receiver.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# What runs where contents are taken for a script, ends HTML, ends a line of JavaScript but not of JSON, ends a string
# in C, and is half a character.
HOSTILE = {
    "quote": b"');window.ran=1;alert(1);('",
    "script": b"</script><script>window.ran=1;alert(1)</script><img src=x onerror=alert(1)>",
    "separators": "a\u2028window.ran=1\u2029//".encode(),
    "nul": b"a\x00b\x00window.ran=1",
    "template": b"${alert(1)}`\\u0027\\\");alert(1)//",
    "gbk": "条码');alert(1);('".encode("gb18030"),
    "half": "条码".encode("gb18030")[:3] + b"';alert(1)",
}


def draw(folder, name, content, module=6):
    """Draws a QR symbol that holds exactly these bytes, each module of so many pixels."""
    path = os.path.join(folder, name + ".png")
    subprocess.run(["qrencode", "-8", "-s", str(module), "-o", path], input=content, check=True)
    return path


def open_browser(**options):
    return Browser(**options)


class StationTest(unittest.TestCase):
    """Tests of one station, which all of a class share.

    `pictures` are what its camera shows, `origins` those of the pages that may use the bridge, `arguments` what else it is
    started with.
    """

    pictures = ("qr.png",)
    origins = ()
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.setting = Setting(cls.pictures, cls.origins, cls.arguments)
        cls.addClassCleanup(cls.setting.stop)
        cls.station = cls.setting.station

    @classmethod
    def serve(cls, page):
        """Takes a page of another origin, which has to be there before the station: it may use the bridge."""
        cls.addClassCleanup(page.stop)
        cls.origins = (*cls.origins, page.url)
        return page


class SharedBrowserTest(StationTest):
    """All tests of a class share a browser too."""

    browser_options = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = open_browser(**cls.browser_options)
        cls.addClassCleanup(cls.browser.quit)
        cls.driver = cls.browser.driver


class OwnBrowserTest(StationTest):
    """Each test has a browser with a profile of its own: nobody is signed in, and nothing waits to be sent."""

    def setUp(self):
        self.browser = open_browser()
        self.addCleanup(self.browser.quit)
        self.driver = self.browser.driver


class PlainPageTest(StationTest):
    """A page of another origin besides, which has the bridge; put it before the class that opens the browser.

    `html` is the page, with `%s` in place of the station's address.
    """

    html = ""

    @classmethod
    def setUpClass(cls):
        cls.page = cls.serve(PlainPage(""))
        super().setUpClass()
        cls.page.html = cls.html % cls.station.url
