"""The right code in the right field: one request at the camera at a time, and no code twice while it stays."""

from common import SharedBrowserTest
from plain_page import PlainPage
from station import sample, wait_for

PAGE = '<!doctype html><title>Turns</title><script src="%s/bridge.js"></script>'

ASK = """
    window.answers = window.answers || [];
    quietzone.scan(arguments[0]).then((one) => answers.push(one.rawValue), (error) => answers.push(error.code));
"""


class TurnTests(SharedBrowserTest):
    # A code that lies there and never leaves the view.
    pictures = ("code128.png",)

    @classmethod
    def setUpClass(cls):
        cls.pages = [cls.serve(PlainPage("")) for _ in range(2)]
        super().setUpClass()
        for page in cls.pages:
            page.html = PAGE % cls.station.url
        cls.code = cls.station.upload(sample("code128.png"))["symbols"][0]["rawValue"]
        cls.tabs = [cls.driver.current_window_handle]
        cls.driver.switch_to.new_window("window")
        cls.tabs.append(cls.driver.current_window_handle)

    def setUp(self):
        for number in range(2):
            self.show(number)
            self.driver.get(self.pages[number].url)
        # What answered the test before still lies there.
        self.show(0)
        self.ask()
        self.press_again_until_answered()
        self.driver.execute_script("window.answers = []")

    def press_again_until_answered(self):
        def is_answered():
            if self.answers():
                return True
            if "Scan it again" in self.browser.overlay_buttons():
                self.browser.press_in_overlay("Scan it again")
            return False

        try:
            wait_for("an answer", is_answered)
        except AssertionError as error:
            raise AssertionError("%s; the overlay says: %s" % (error, self.browser.overlay_text())) from None

    def show(self, number):
        self.driver.switch_to.window(self.tabs[number])

    def ask(self, **options):
        self.driver.execute_script(ASK, options)

    def answers(self):
        return self.driver.execute_script("return window.answers || []")

    def said(self, words):
        return wait_for("the overlay says " + words, lambda: words in self.browser.overlay_text())

    def test_the_code_that_still_lies_there_does_not_fill_the_next_field(self):
        self.ask()
        self.said("was scanned just now")
        self.assertEqual(self.answers(), [])
        self.assertTrue(self.browser.overlay_is_open())
        self.browser.screenshot("oa-page-overlay-repeated")
        self.browser.press_in_overlay("Scan it again")
        wait_for("the answer", lambda: self.answers() == [self.code])
        wait_for("no overlay", lambda: not self.browser.overlay_is_open())

    def test_nor_the_field_of_another_page(self):
        self.show(1)
        self.ask()
        self.said("was scanned just now")
        self.assertEqual(self.answers(), [])
        self.driver.execute_script("quietzone.cancel()")
        wait_for("the end", lambda: self.answers() == ["cancelled"])

    def test_the_second_waits_and_says_for_whom(self):
        # Nothing of this kind is there, so that it stays open.
        self.ask(formats=["ean_8"])
        wait_for("the overlay", self.browser.overlay_is_open)
        self.show(1)
        self.ask()
        self.said("Waiting for " + self.pages[0].url)
        self.assertNotIn("Scan it again", self.browser.overlay_buttons())
        self.browser.screenshot("oa-page-overlay-waiting")
        self.show(0)
        self.driver.execute_script("quietzone.cancel()")
        wait_for("the end", lambda: self.answers() == ["cancelled"])
        self.show(1)
        self.said("was scanned just now")
        self.browser.press_in_overlay("Scan it again")
        wait_for("the answer", lambda: self.answers() == [self.code])

    def test_the_time_of_one_that_waits_runs(self):
        self.ask(formats=["ean_8"])
        wait_for("the overlay", self.browser.overlay_is_open)
        self.show(1)
        self.ask(timeout=1)
        wait_for("the end", lambda: self.answers() == ["timed_out"])
        self.show(0)
        self.driver.execute_script("quietzone.cancel()")
        wait_for("the end", lambda: self.answers() == ["cancelled"])

    def test_a_page_that_goes_gives_its_turn_up(self):
        self.ask(formats=["ean_8"])
        wait_for("the overlay", self.browser.overlay_is_open)
        self.show(1)
        self.ask()
        self.said("Waiting for " + self.pages[0].url)
        self.show(0)
        self.driver.get("about:blank")
        self.show(1)
        self.said("was scanned just now")
        self.driver.execute_script("quietzone.cancel()")
        wait_for("the end", lambda: self.answers() == ["cancelled"])

    def test_a_request_that_is_canceled_before_the_station_knows_it_does_not_stay_at_the_camera(self):
        # Once as ever, for a session.
        self.ask(formats=["ean_8"])
        wait_for("the overlay", self.browser.overlay_is_open)
        self.driver.execute_script("quietzone.cancel()")
        wait_for("the end", lambda: self.answers() == ["cancelled"])
        # Then the request is slower than what the page sends after it.
        answer = self.driver.execute_async_script("""
            const [done] = arguments;
            const ask = window.fetch;
            const sent = [];
            let release;
            const held = new Promise((resolve) => { release = resolve; });
            window.fetch = (address, init) => {
                const isRequest = init.method === 'POST' && address.endsWith('/bridge/promise');
                const asking = isRequest ? held.then(() => ask(address, { ...init, signal: null })) : ask(address, init);
                if (isRequest || init.method === 'DELETE') sent.push(asking);
                return asking;
            };
            const stop = new AbortController();
            const scanning = quietzone.scan({ signal: stop.signal, formats: ['ean_8'] }).catch((error) => error.code);
            stop.abort();
            setTimeout(async () => {
                const request = sent.shift();
                await Promise.allSettled(sent);
                release();
                await request;
                const code = await scanning;
                await Promise.allSettled(sent);
                done(code);
            });
        """)
        self.assertEqual(answer, "cancelled")
        self.assertEqual(self.station.get("/bridge/requests")["requests"], [])

    def test_the_station_s_own_page_waits_too(self):
        self.ask(formats=["ean_8"])
        wait_for("the overlay", self.browser.overlay_is_open)
        status, _, content = self.station.exchange(
            "POST", "/camera/trigger", b'{"timeout": 0.3}', {"Authorization": "Bearer " + self.station.token})
        self.assertEqual(status, 409, content)
        self.assertIn(self.pages[0].url.encode(), content.replace(b"\\/", b"/"))
        self.driver.execute_script("quietzone.cancel()")
        wait_for("the end", lambda: self.answers() == ["cancelled"])
        # Who presses there wants what lies there.
        self.assertEqual(self.station.request("POST", "/camera/trigger", {})[0]["rawValue"], self.code)
