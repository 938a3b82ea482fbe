"""A history of 2,000 codes: few elements, whatever is scrolled to; the row numbers that a screen reader says; search,
filters and the keyboard; and rows that stay where somebody reads."""
import unittest
from concurrent.futures import ThreadPoolExecutor

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import at, text
from common import open_browser
from station import Station, wait_for

COUNT = 2000
# Elements of the whole page, of which a row has about ten.
MOST_ELEMENTS = 1200

# The numbers and contents of the rows that are in view.
IN_VIEW = """
const box = document.getElementById('rows').getBoundingClientRect();
return [...document.querySelectorAll('#scans tr')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > Math.max(box.top, 0) && top < Math.min(box.bottom, innerHeight);
}).map((row) => [Number(row.getAttribute('aria-rowindex')), row.querySelector('.content').textContent]);
"""

# Scrolls from the top to the end, by less than what is in view in each frame, and tells what every frame showed: where
# rows were missing or wrong, the most rows in the document, and how many were made.
SCROLL = """
const [expected, done] = arguments;
const box = document.getElementById('rows');
const body = document.getElementById('scans');
const found = { frames: 0, wrong: [], most: 0, made: 0 };
const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) found.made += addedNodes.length;
});
observer.observe(body, { childList: true });
const painted = () => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
const look = () => {
    const outer = box.getBoundingClientRect();
    const [top, bottom] = [document.querySelector('#table thead').getBoundingClientRect().bottom, outer.bottom];
    const rows = [...body.children].map((row) => ({ row, box: row.getBoundingClientRect() }))
        .filter((one) => one.box.bottom > top + 1 && one.box.top < bottom - 1);
    const isFull = rows.length && rows[0].box.top <= top + 1
        && rows.at(-1).box.bottom >= Math.min(bottom, body.getBoundingClientRect().bottom) - 1
        && rows.every((one, index) => !index || Math.abs(one.box.top - rows[index - 1].box.bottom) < 1);
    const isRight = rows.every(({ row }) => {
        const [id, content] = expected[row.getAttribute('aria-rowindex') - 2];
        return row.dataset.id === id && row.querySelector('.content').textContent === content;
    });
    if (!isFull || !isRight) found.wrong.push(box.scrollTop);
    found.most = Math.max(found.most, body.childElementCount);
    found.frames += 1;
};
(async () => {
    box.scrollTop = 0;
    await painted();
    found.made = 0;
    for (;;) {
        look();
        const before = box.scrollTop;
        box.scrollTop += box.clientHeight * .8;
        if (box.scrollTop === before) break;
        await painted();
    }
    observer.disconnect();
    done(found);
})();
"""

# Tells the page of codes that are waiting to be delivered, then that the last one was given up: whether they were all new
# and had rows, and whether the first one and a late one would be new once more.
UNFOUND = """
const [count, done] = arguments;
import('/app-history.js').then(({ take, takeDeliveries }) => {
    const record = (number) => {
        const name = String(number).padStart(4, '0');
        return {
            event: {
                id: 'zzzz-' + name, time: new Date().toISOString(), source: { kind: 'typed' },
                symbol: { text: 'UNFOUND-' + name, format: 'unknown' },
            },
            deliveries: [{ destination: 'his', state: 'pending', attempts: 0 }],
        };
    };
    const isNew = Array.from({ length: count }, (_, number) => take(record(number))).every(Boolean);
    const rows = document.querySelectorAll('#scans tr').length > 0;
    takeDeliveries(record(count - 1).event.id, [{ destination: 'his', state: 'dead', attempts: 3, lastError: 'no' }]);
    done([isNew, rows, [take(record(0)), take(record(count - 2))]]);
});
"""


class HistoryTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.station = Station(arguments=["--camera", "none"])
        cls.addClassCleanup(cls.station.stop)
        cls.browser = open_browser(width=1366, height=768)
        cls.addClassCleanup(cls.browser.quit)
        cls.driver = cls.browser.driver
        # The page is open all day: it hears of each code.
        cls.browser.enter(cls.station)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(cls.store, ["ORDER-%04d" % number for number in range(COUNT - 1)]))
        cls.store("4006381333931", format="ean_13", gun=None)

    @classmethod
    def store(cls, code, **more):
        cls.station.request("POST", "/typed", {"text": code, "gun": True, **more})

    def stored(self):
        """Identifier and text of every stored code, in the order of the page's rows.

        The station sorts the codes of one millisecond by when they were stored, the page by their identifiers.
        """
        events = [record["event"] for record in self.station.scans()]
        return sorted(([event["id"], event["symbol"]["text"]] for event in events), reverse=True)

    def setUp(self):
        self.browser.emulate("light", 1366, 768)

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def rows(self):
        return self.script(IN_VIEW)

    def row_count(self):
        return self.script("return Number(document.getElementById('table').getAttribute('aria-rowcount'))")

    def elements(self):
        return self.script("return document.querySelectorAll('*').length")

    def scroll_to_end(self, count=COUNT):
        """Scrolls down until the oldest row is there: older ones are fetched on the way."""
        def is_there():
            self.script("document.getElementById('rows').scrollTop = 1e9; scrollTo(0, 1e9)")
            self.assertLess(self.elements(), MOST_ELEMENTS)
            return self.row_count() == count + 1 and self.rows() and self.rows()[-1][0] == count + 1
        wait_for("the oldest row", is_there)

    def test_all_rows_are_reached_with_few_elements(self):
        for width, height in ((1366, 768), (390, 844)):
            self.browser.emulate("light", width, height)
            self.browser.enter(self.station)
            # Nobody knows how many there are before they are all there.
            wait_for("rows", self.rows)
            self.assertEqual(self.row_count(), -1)
            self.assertEqual(self.rows()[0], [2, "4006381333931"])
            self.scroll_to_end()
            stored = [content for _, content in self.stored()]
            self.assertEqual(len(stored), COUNT)
            for number, content in self.rows():
                self.assertEqual(content, stored[number - 2])
            # Somewhere between, too.
            self.script("document.getElementById('rows').scrollTop /= 2; scrollTo(0, scrollY / 2)")
            middle = wait_for("rows", lambda: [row for row in self.rows() if row[0] < COUNT])
            for number, content in middle:
                self.assertEqual(content, stored[number - 2])

    def memory(self):
        """Bytes and nodes that the page holds."""
        # Twice: what the first one finalizes goes with the second.
        for _ in range(2):
            self.browser.cdp("HeapProfiler.collectGarbage")
        heap = self.browser.cdp("Runtime.getHeapUsage")["usedSize"]
        return heap, self.browser.cdp("Memory.getDOMCounters")["nodes"]

    def test_every_frame_of_scrolling_shows_the_right_rows(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        expected = self.stored()
        self.scroll_to_end(len(expected))
        self.browser.cdp("HeapProfiler.enable")
        held = []
        for _ in range(2):
            found = self.driver.execute_async_script(SCROLL, expected)
            self.assertEqual(found["wrong"], [])
            self.assertGreater(found["frames"], 200)
            # Those in view, and a few on either side.
            self.assertLess(found["most"], 40)
            # Each row is made once on the way.
            self.assertLessEqual(found["made"], len(expected))
            held.append(self.memory())
        # Where each row has been made before, another time leaves nothing.
        self.assertLess(held[1][0] - held[0][0], 1 << 20)
        self.assertLess(held[1][1] - held[0][1], 500)

    def test_codes_that_arrive_all_day_leave_few_elements(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        before = self.elements()
        for number in range(40):
            self.store("AGAIN-%d" % (number % 2))
        wait_for("the newest", lambda: self.rows()[0][1] == "AGAIN-1")
        self.assertLess(self.elements(), before + 20)

    def test_search_and_filters_count_what_they_find(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        found = [content for _, content in self.stored() if content.startswith("ORDER-004")]
        at(self.driver, "search").send_keys("ORDER-004")
        wait_for("ten rows", lambda: self.row_count() == 11 and self.rows()[:1] == [[2, found[0]]])
        at(self.driver, "search").clear()
        at(self.driver, "search").send_keys("ORDER-0042")
        wait_for("one row", lambda: self.row_count() == 2 and self.rows() == [[2, "ORDER-0042"]])
        at(self.driver, "search").clear()
        self.script("const field = document.getElementById('filter-format'); field.value = 'ean_13';"
                    "field.dispatchEvent(new Event('change', { bubbles: true }))")
        wait_for("one row", lambda: self.row_count() == 2 and self.rows() == [[2, "4006381333931"]])

    def test_codes_that_a_filter_does_not_find(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        self.script("const field = document.getElementById('filter-state'); field.value = 'dead';"
                    "field.dispatchEvent(new Event('change', { bubbles: true }))")
        wait_for("no row", lambda: at(self.driver, "empty").is_displayed())
        # The page hears of so many that it does not keep the first of them.
        self.assertEqual(self.driver.execute_async_script(UNFOUND, 600), [True, False, [True, False]])
        wait_for("one row", lambda: self.rows() == [[2, "UNFOUND-0599"]])
        self.assertFalse(at(self.driver, "empty").is_displayed())

    def test_a_search_while_the_station_is_away(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        self.station.kill()
        at(self.driver, "search").send_keys("ORDER-0042")
        wait_for("it is searched for", lambda: self.script(
            "return document.getElementById('csv').dataset.path.includes('q=ORDER-0042')"))
        self.station.start()
        wait_for("one row", lambda: self.row_count() == 2 and self.rows() == [[2, "ORDER-0042"]])

    def test_the_keyboard_reaches_row_after_row(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        self.script("document.querySelector('#scans tr .actions button:not([hidden])').focus()")
        numbers = []
        for _ in range(40):
            numbers.append(self.script(
                "const row = document.activeElement.closest('tr');"
                "return row && Number(row.getAttribute('aria-rowindex'))"))
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        self.assertEqual(numbers, list(range(2, 42)))
        # The one that has the focus is in view.
        wait_for("its row", lambda: 42 in [number for number, _ in self.rows()])
        self.script("document.getElementById('rows').focus()")
        ActionChains(self.driver).send_keys(Keys.HOME).perform()
        wait_for("the first", lambda: self.rows()[0][0] == 2)

    def test_rows_stay_where_somebody_reads(self):
        self.browser.enter(self.station)
        wait_for("rows", self.rows)
        self.script("document.getElementById('rows').scrollTop = 400")
        before = wait_for("further down", lambda: self.rows()[0][0] > 2 and self.rows())
        self.store("WHILE-READING")
        wait_for("it is said", lambda: at(self.driver, "newer").is_displayed())
        self.assertEqual(text(self.driver, "newer-count"), "1")
        # The line that says it may take the room of a row at the end, or the page may add one there a moment later.
        after = self.rows()
        both = min(len(before), len(after))
        self.assertGreater(both, 3)
        self.assertEqual(after[:both], before[:both])
        self.assertEqual(self.script("return document.getElementById('rows').scrollTop"), 400)
        at(self.driver, "newer").click()
        wait_for("the newest", lambda: self.rows()[0] == [2, "WHILE-READING"])
        self.assertFalse(at(self.driver, "newer").is_displayed())


