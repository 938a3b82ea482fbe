"""History and count on paper: a table with a heading, place, time and page numbers, and no button."""
import base64
import os
import re
import subprocess

from browser import at, text
from common import OwnBrowserTest
from station import OUT, Station, wait_for


class PrintTests(OwnBrowserTest):
    pictures = ("no-code.jpg",)

    def setUp(self):
        super().setUp()
        self.station = Station(configuration="station: ward-3\n", arguments=["--camera", "none"])
        self.addCleanup(self.station.stop)
        self.browser.enter(self.station)

    def store(self, code):
        self.station.request("POST", "/typed", {"text": code, "gun": True})

    def press(self, identifier):
        """Presses a button that prints, and keeps what it would print for the printer below."""
        self.driver.execute_script(
            "window.print = () => { window.printed = document.getElementById('paper').innerText; }; window.printed = '';"
            "document.getElementById(arguments[0]).click()", identifier)
        return wait_for("the table", lambda: self.driver.execute_script("return window.printed"))

    def pdf(self, name):
        """Prints as Ctrl+P does; the text of each page."""
        path = os.path.join(OUT, "screenshots", name + ".pdf")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = self.browser.cdp("Page.printToPDF", preferCSSPageSize=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
        said = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True).stdout
        return said.rstrip("\f").split("\f")

    def test_the_history_is_a_table_on_numbered_pages(self):
        for number in range(120):
            self.store("ORDER-%03d" % number)
        self.store("WIFI:T:WPA;S:ward;P:SECRET-1;;")
        wait_for("rows", lambda: "Wireless network" in text(self.driver, "scans"))
        self.driver.execute_script("document.getElementById('rows').scrollTop = 1e9")
        wait_for("all", lambda: self.driver.execute_script(
            "return document.getElementById('table').getAttribute('aria-rowcount') === '122'"))
        pages = self.pdf("print-history")
        self.assertGreater(len(pages), 2)
        self.assertRegex(pages[0], r"History\n+Place: ward-3 · Printed .* · 121 codes")
        for number, page in enumerate(pages, 1):
            self.assertRegex(page, "Quietzone +%d ?/ ?%d" % (number, len(pages)))
            self.assertRegex(page, "Time +Content +Format")
            for button in ("Copy", "CSV", "Filters", "To do"):
                self.assertNotIn(button, page)
        whole = "".join(pages)
        self.assertEqual(sorted(re.findall("ORDER-[0-9]{3}", whole)), ["ORDER-%03d" % number for number in range(120)])
        self.assertNotIn("SECRET-1", whole)

    def test_the_button_prints_what_was_searched_for(self):
        for number in range(60):
            self.store("ORDER-%03d" % number)
        wait_for("rows", lambda: "ORDER-059" in text(self.driver, "scans"))
        at(self.driver, "search").send_keys("ORDER-01")
        wait_for("found", lambda: self.driver.execute_script(
            "return document.getElementById('table').getAttribute('aria-rowcount') === '11'"))
        printed = self.press("print")
        self.assertEqual(len(re.findall("ORDER-01[0-9]", printed)), 10)
        self.assertNotIn("ORDER-059", printed)

    def test_a_count_prints_with_its_name_and_quantities(self):
        self.station.request("POST", "/counts", {"name": "shelf 3"})
        for code in ("A-1", "B-2", "A-1"):
            self.store(code)
        wait_for("counted", lambda: "3 in all, 2 different codes" in text(self.driver, "counting-total")
                 and "B-2" in text(self.driver, "counting-lines"))
        printed = self.press("counting-print")
        self.assertRegex(printed, r"(?s)shelf 3.*Place: ward-3.*3 in all, 2 different codes.*Quantity")
        self.assertRegex(printed, r"A-1\s*Code\s*2")
