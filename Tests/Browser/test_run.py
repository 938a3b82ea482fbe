"""A long run at the counter: 5,000 codes, as in an hour, one after the other as fast as the station takes them. Neither
the page nor the station holds more memory at the end than after the first part.

QUIETZONE_RUN is how many codes; without it there are few, which show that the measurement works and no more.
"""
import os
import unittest
from concurrent.futures import ThreadPoolExecutor

from browser import text
from common import open_browser
from station import Station, wait_for

COUNT = int(os.environ.get("QUIETZONE_RUN", 200))
# What either may grow by from a third of the run to its end. An outbox's pages in memory are full by then.
LARGEST_HEAP_GROWTH = 4 << 20
LARGEST_STATION_GROWTH = 24 << 20
LARGEST_NODE_GROWTH = 2000
# What a row of the page's table may take; the table has the rows that are in view.
NODES_OF_A_ROW = 40


class RunTests(unittest.TestCase):
    def setUp(self):
        self.station = Station(arguments=["--camera", "none"])
        self.addCleanup(self.station.stop)
        self.browser = open_browser()
        self.addCleanup(self.browser.quit)
        self.browser.enter(self.station)
        self.browser.cdp("HeapProfiler.enable")

    def scan(self, numbers):
        def store(number):
            self.station.request("POST", "/typed", {"text": "ORDER-%06d" % number, "gun": True})
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(store, numbers))
        last = "ORDER-%06d" % numbers[-1]
        self.station.request("POST", "/typed", {"text": last + "-END", "gun": True})
        wait_for("the page has it", lambda: last + "-END" in text(self.browser.driver, "latest-content"))

    def measure(self):
        # Twice: what the first one finalizes goes with the second.
        for _ in range(2):
            self.browser.cdp("HeapProfiler.collectGarbage")
        heap = self.browser.cdp("Runtime.getHeapUsage")["usedSize"]
        nodes = self.browser.cdp("Memory.getDOMCounters")["nodes"]
        with open("/proc/%d/status" % self.station.process.pid) as file:
            [resident] = [int(line.split()[1]) << 10 for line in file if line.startswith("VmRSS:")]
        rows = self.browser.driver.execute_script("return document.getElementById('scans').childElementCount")
        return heap, nodes, rows, resident

    def test_memory_stays_flat(self):
        third = COUNT // 3
        self.scan(range(third))
        heap, nodes, rows, resident = self.measure()
        self.scan(range(third, COUNT))
        last_heap, last_nodes, last_rows, last_resident = self.measure()
        print("%d codes: heap of the page %.1f to %.1f MiB, nodes %d to %d, rows %d to %d, station %.1f to %.1f MiB" % (
            COUNT, heap / 2**20, last_heap / 2**20, nodes, last_nodes, rows, last_rows, resident / 2**20,
            last_resident / 2**20))
        self.assertLess(last_heap - heap, LARGEST_HEAP_GROWTH)
        self.assertLess(last_resident - resident, LARGEST_STATION_GROWTH)
        self.assertLess(last_nodes - nodes, LARGEST_NODE_GROWTH + (last_rows - rows) * NODES_OF_A_ROW)
        self.assertEqual(len(self.station.scans()), COUNT + 2)
