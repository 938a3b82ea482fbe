"""The camera of the device that shows the page, as a phone's is used: its frames are read by the station."""
import json
import os
import subprocess
import tempfile
import unittest

from browser import Browser, at, text
from station import Station, sample, wait_for
from test_accessible import AXE, RUN

SIZE = (640, 480)


def film(folder, picture):
    """A Y4M film of one picture, as Chromium plays it in place of a camera."""
    gray = subprocess.run(
        ["convert", picture, "-background", "white", "-flatten", "-resize", "%dx%d" % SIZE, "-gravity", "center",
         "-extent", "%dx%d" % SIZE, "-colorspace", "Gray", "-depth", "8", "gray:-"],
        check=True, capture_output=True).stdout
    path = os.path.join(folder, "film.y4m")
    with open(path, "wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420jpeg\n" % SIZE)
        for _ in range(3):
            file.write(b"FRAME\n" + gray + b"\x80" * (SIZE[0] * SIZE[1] // 2))
    return path


class PhoneTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.station = Station(arguments=["--camera", "none", "--allow-host", "station.test"])
        self.addCleanup(self.station.stop)
        self.browser = Browser(width=390, height=800, arguments=(
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--use-file-for-fake-video-capture=" + film(folder.name, sample("qr.png"))))
        self.addCleanup(self.browser.quit)
        self.driver = self.browser.driver
        self.browser.enter(self.station)

    def test_frames_of_the_device_are_read(self):
        self.browser.open_tab("phone")
        # Two presses are one.
        self.driver.execute_script("""
            const { mediaDevices } = navigator;
            const open = mediaDevices.getUserMedia.bind(mediaDevices);
            window.opened = [];
            mediaDevices.getUserMedia = (wanted) => {
                opened.push(open(wanted));
                return opened.at(-1);
            };
            document.getElementById('phone-use').click();
            document.getElementById('phone-use').click();
        """)
        first = wait_for("a scan", self.station.scans)
        self.assertEqual(first[0]["event"]["symbol"]["format"], "qr_code")
        self.browser.screenshot("phone-camera")
        # What is said of a scan may lie over the button for a moment.
        self.driver.execute_script("document.getElementById('phone-use').click()")
        wait_for("it has stopped", lambda: not at(self.driver, "phone-video").is_displayed())
        self.assertEqual(self.driver.execute_async_script(
            "const done = arguments[0]; Promise.all(opened).then((streams) => done(streams.map("
            "(one) => one.getTracks().map((track) => track.readyState))))"), [["ended"]])

    def test_the_symbol_that_brings_a_phone_here(self):
        self.browser.open_tab("phone")
        at(self.driver, "phone-pair").click()
        wait_for("why not", lambda: "cannot reach the station" in text(self.driver, "phone-hint"))
        self.assertFalse(at(self.driver, "phone-symbol").is_displayed())
        # It stays open in another language.
        self.driver.execute_script("document.getElementById('language').click()")
        wait_for("in Chinese", lambda: "无法连接工作站" in text(self.driver, "phone-hint"))
        self.driver.execute_script("document.getElementById('language').click()")
        status, _, content = self.station.exchange("POST", "/phones", None, {
            "Host": "station.test:%d" % self.station.port, "Authorization": "Bearer " + self.station.token})
        self.assertEqual(status, 200)
        self.assertNotIn(self.station.token, content.decode())
        self.assertEqual(self.station.exchange("POST", "/phones", None, {})[0], 401)

    def phone_link(self):
        """The link of a new phone, for this machine."""
        status, _, content = self.station.exchange("POST", "/phones", None, {
            "Host": "station.test:%d" % self.station.port, "Authorization": "Bearer " + self.station.token})
        self.assertEqual(status, 200)
        link = json.loads(content)["data"]["link"]
        self.assertTrue(link.startswith("http://station.test:%d/phone#token=" % self.station.port))
        return link.replace("station.test", "127.0.0.1")

    def test_a_phone_s_token_does_not_open_the_station_s_page(self):
        token = self.phone_link().split("#token=")[1]
        self.driver.execute_script("localStorage.clear()")
        self.driver.get("about:blank")
        self.driver.get(self.station.url + "/#token=" + token)
        wait_for("the refusal", lambda: "not the key" in text(self.driver, "sign-in-problem"))
        self.assertIsNone(self.driver.execute_script("return localStorage.getItem('quietzone.token')"))
        at(self.driver, "token").send_keys(self.station.token + "\n")
        wait_for("connected", lambda: self.driver.execute_script(
            "return document.documentElement.dataset.connected === 'true'"))

    def test_a_picture_that_was_not_sent_can_be_sent_again(self):
        self.driver.get(self.phone_link())
        self.driver.execute_script("window.own = fetch; window.fetch = () => Promise.reject(new TypeError('away'))")
        at(self.driver, "phone-file").send_keys(sample("ean13.png"))
        wait_for("why not", lambda: text(self.driver, "phone-problem") == "The station does not answer. Try again.")
        self.driver.execute_script("window.fetch = own")
        at(self.driver, "phone-again").click()
        wait_for("its code", lambda: "EAN-13" in text(self.driver, "phone-codes"))
        wait_for("all is well", lambda: not text(self.driver, "phone-problem"))
        self.assertFalse(at(self.driver, "phone-again").is_displayed())

    def test_none_of_several_pictures_that_were_not_sent_is_lost(self):
        self.driver.get(self.phone_link())
        self.driver.execute_script("window.own = fetch; window.fetch = () => Promise.reject(new TypeError('away'))")
        for picture in ("ean13.png", "code128.png"):
            at(self.driver, "phone-file").send_keys(sample(picture))
            wait_for("why not", lambda: at(self.driver, "phone-again").is_displayed())
        self.driver.execute_script("window.fetch = own")
        at(self.driver, "phone-file").send_keys(sample("qr.png"))
        wait_for("its code", lambda: "QR Code" in text(self.driver, "phone-codes"))
        at(self.driver, "phone-again").click()
        wait_for("their codes", lambda: all(
            name in text(self.driver, "phone-codes") for name in ("EAN-13", "Code 128")))
        wait_for("nothing is left", lambda: not at(self.driver, "phone-again").is_displayed())

    def test_a_phone_has_a_token_of_its_own(self):
        self.driver.execute_script("localStorage.clear()")
        self.driver.get(self.phone_link())
        # It stays in no address.
        self.assertEqual(self.driver.execute_script("return location.hash"), "")
        at(self.driver, "phone-use").click()
        wait_for("its own code", lambda: "QR Code" in text(self.driver, "phone-codes"))
        for name, theme in (("light", "light"), ("dark", "dark")):
            self.browser.emulate(theme, 390, 800)
            self.browser.screenshot("phone-own-page-" + name)
            self.driver.execute_script(AXE)
            self.assertEqual(self.driver.execute_async_script(RUN), [])
        at(self.driver, "language").click()
        wait_for("Chinese", lambda: "手机" in text(self.driver, "phone-title"))
        self.browser.screenshot("phone-own-page-chinese")
        at(self.driver, "language").click()
        # It sees nothing else.
        self.assertEqual(self.driver.execute_async_script("""
            const done = arguments[0];
            const headers = { Authorization: 'Bearer ' + sessionStorage.getItem('quietzone.phone') };
            Promise.all(['/scans', '/events', '/frame.jpg', '/camera', '/phones'].map((path) => fetch(path, { headers })))
                .then((answers) => done(answers.map((one) => one.status)));
        """), [403] * 5)
        # The station's page lists it and sends it away.
        self.driver.switch_to.new_window("tab")
        self.browser.enter(self.station)
        # What is said of a scan may lie over the button for a moment.
        self.driver.execute_script("document.getElementById('phone-pair').click()")
        wait_for("the phone", lambda: "A phone, last here" in text(self.driver, "phone-list"))
        self.browser.open_tab("phone")
        self.browser.screenshot("phone-list")
        self.driver.execute_script("document.querySelector('#phone-list button').click()")
        wait_for("it is gone", lambda: "A phone, last here" not in text(self.driver, "phone-list"))
        self.driver.switch_to.window(self.driver.window_handles[0])
        wait_for("it is told", lambda: "may not send codes any more" in text(self.driver, "phone-problem"))
