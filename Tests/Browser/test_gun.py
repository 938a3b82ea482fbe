"""A scan gun, which is a keyboard: its code arrives once, where it is wanted, and presses nothing."""

from selenium.webdriver.common.keys import Keys

from browser import at
from common import PlainPageTest, SharedBrowserTest
from station import wait_for

CODE = "PAT 2024 000815"

PAGE = """<!doctype html><title>Gun</title>
<input id="field"><input id="fixed" readonly value="fixed"><button id="button">Press</button>
<input id="input" type="button" value="Press"><label><input id="box" type="checkbox">Box</label>
<details><summary id="summary">More</summary>more</details><a id="link" href="#link">link</a>
<select id="list"><option>none<option>PAT<option>AB<option selected>last</select>
<div id="role" role="button" tabindex="0">Press</div><div id="open"></div><div id="closed"></div>
<script>
    // While keys are pressed no time passes for timers: the driver may be slower than any gun.
    const [later, forget] = [setTimeout, clearTimeout];
    const due = new Map();
    let isTyping = false;
    window.setTimeout = (act, time, ...given) => {
        const number = later(() => (isTyping ? due.set(number, () => act(...given)) : act(...given)), time);
        return number;
    };
    window.clearTimeout = (number) => {
        due.delete(number);
        forget(number);
    };
    window.type = (is) => {
        isTyping = is;
        if (isTyping) return;
        for (const [number, act] of due) if (due.delete(number)) act();
    };
    window.heard = [];
    window.pressed = [];
    for (const one of document.querySelectorAll('button, [type=button], [type=checkbox], summary, a, [role]')) {
        one.addEventListener('click', () => pressed.push(one.id));
    }
    HTMLSelectElement.prototype.showPicker = function () { pressed.push(this.id); };
    document.getElementById('role').addEventListener('keydown', (event) => {
        if ([' ', 'Enter'].includes(event.key)) pressed.push('role');
    });
    window.fields = ['open', 'closed'].map((mode) => {
        const field = document.createElement('input');
        document.getElementById(mode).attachShadow({ mode }).append(field);
        return field;
    });
    const listen = () => { window.receiveScanResult2 = (text) => heard.push(text); };
    listen();
</script>
<script src="%s/bridge.js"></script>
"""


class GunTests(PlainPageTest, SharedBrowserTest):
    pictures = ("no-code.jpg",)
    html = PAGE

    def setUp(self):
        self.driver.get(self.page.url)

    def run_js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def focus(self, identifier):
        self.run_js("document.getElementById(arguments[0]).focus()", identifier)

    def heard(self):
        return self.run_js("return heard")

    def pressed(self):
        return self.run_js("return pressed")

    def ask(self, what="quietzone.scan()"):
        self.run_js("window.answers = []; Promise.resolve(%s).then((one) => answers.push(one), "
                    "(error) => answers.push(error.code))" % what)
        wait_for("the overlay", self.browser.overlay_is_open)

    def answers(self):
        return wait_for("an answer", lambda: self.run_js("return answers"))

    def keys(self, keys, **options):
        """Presses keys as fast as a gun does, by the page's clock too."""
        self.run_js("type(true)")
        end = self.browser.keys(keys, **options)
        self.run_js("type(false)")
        return end

    def settled(self):
        """Whatever a key does late has been done: timers end in the order of their times, and a blank that is held back
        presses after a tenth of a second.
        """
        self.driver.execute_async_script("setTimeout(arguments[0], 400)")

    def test_a_code_presses_nothing(self):
        for identifier in ("button", "input", "box", "summary", "link", "role", "fixed", "list"):
            for code in (CODE, " " + CODE, "  AB 1"):
                with self.subTest(identifier + " " + repr(code)):
                    self.driver.get(self.page.url)
                    self.focus(identifier)
                    self.keys(code + "\n")
                    self.settled()
                    self.assertEqual(self.heard(), [code])
                    self.assertEqual(self.pressed(), [])
                    self.assertEqual(at(self.driver, "list").get_property("value"), "last")

    def test_a_list_is_for_people_and_for_a_page_that_hears_no_guns(self):
        chosen = lambda: at(self.driver, "list").get_property("value")
        self.focus("list")
        self.keys("PAT", gap=0.2)
        self.assertEqual((chosen(), self.heard()), ("PAT", []))
        self.driver.get(self.page.url)
        self.focus("list")
        self.keys("AB")
        self.settled()
        self.assertEqual((chosen(), self.heard()), ("AB", []))
        self.driver.get(self.page.url)
        self.run_js("delete window.receiveScanResult2")
        self.focus("list")
        self.keys("PAT\n")
        self.assertEqual(chosen(), "PAT")

    def test_gs_is_a_part_of_the_code_and_a_function_key_ends_it(self):
        self.focus("button")
        self.keys("0104006381333931\x1d21ABC\n")
        self.assertEqual(self.heard(), ["0104006381333931\x1d21ABC"])
        self.keys("0104006381333931" + Keys.F8 + "21ABC\n")
        self.keys(CODE + "\n")
        self.assertEqual((self.heard()[1:], self.pressed()), ([CODE], []))

    def test_a_second_end_presses_nothing(self):
        for end in ("\n\n", "\t\n", "\t"):
            with self.subTest(repr(end)):
                self.driver.get(self.page.url)
                self.focus("button")
                self.keys(CODE + end)
                self.settled()
                self.assertEqual((self.heard(), self.pressed()), ([CODE], []))
                self.assertEqual(self.run_js("return document.activeElement.id"), "button")

    def test_an_end_that_comes_late_is_the_code_s(self):
        self.focus("button")
        end = self.keys(CODE)
        self.keys("\n", start=end + 0.3)
        self.settled()
        self.assertEqual((self.heard(), self.pressed()), ([CODE], []))

    def test_a_person_s_keys_press_once(self):
        for identifier in ("button", "input", "box", "summary", "role", "list"):
            for key in " \n":
                if key == "\n" and identifier in ("box", "list"):
                    continue
                with self.subTest(identifier + " " + repr(key)):
                    self.driver.get(self.page.url)
                    self.focus(identifier)
                    self.keys(key)
                    self.settled()
                    self.assertEqual((self.heard(), self.pressed()), ([], [identifier]))
                    self.keys(key)
                    self.settled()
                    self.assertEqual(self.pressed(), [identifier] * 2)

    def test_a_page_without_a_function_for_it_hears_the_keys_and_is_not_pressed(self):
        self.run_js("delete window.receiveScanResult2; window.typed = '';"
                    "document.addEventListener('keydown', (event) => { typed += event.key; })")
        self.focus("button")
        self.keys(CODE + "\n")
        self.settled()
        self.assertEqual(self.run_js("return typed"), CODE + "Enter")
        self.assertEqual((self.heard(), self.pressed()), ([], []))

    def test_in_a_field_it_types_as_ever(self):
        self.run_js("window.entered = 0; document.getElementById('field').addEventListener('keydown', (event) => {"
                    "if (event.key === 'Enter' && !event.defaultPrevented) entered += 1; })")
        self.focus("field")
        self.keys(CODE + "\n")
        self.assertEqual(at(self.driver, "field").get_property("value"), CODE)
        self.assertEqual((self.heard(), self.run_js("return entered")), ([], 1))

    def test_where_the_page_moves_on_after_a_field_nothing_is_pressed(self):
        self.run_js("document.getElementById('field').addEventListener('keydown', (event) => {"
                    "if (event.key === 'Enter') document.getElementById('button').focus(); })")
        self.focus("field")
        self.keys(CODE + "\n\n")
        self.settled()
        self.assertEqual(at(self.driver, "field").get_property("value"), CODE)
        self.assertEqual((self.heard(), self.pressed()), ([], []))

    def test_in_a_shadow_root_s_field_it_arrives_once(self):
        for index in range(2):
            with self.subTest(["open", "closed"][index]):
                self.driver.get(self.page.url)
                self.run_js("fields[arguments[0]].focus()", index)
                self.keys(CODE + "\n")
                self.settled()
                self.assertEqual(self.run_js("return fields[arguments[0]].value", index), CODE)
                self.assertEqual(self.heard(), [])

    def test_it_answers_the_open_request(self):
        cases = {
            "quietzone.scan()": "return answers[0].rawValue",
            "quietzone.scan({source: 'any', formats: ['ean_13']})": "return answers[0].rawValue",
            "wx.scanCode({})": "return answers[0].result",
            "wx.scanQRCode({needResult: 1})": "return answers[0].resultStr",
            "new Promise((done) => { window.receiveScanResult = done;"
            " webkit.messageHandlers.scanCode.postMessage('scanCode'); })": "return answers[0]",
            "new Promise((done) => { window.AppJsBridgeRequest = {Call: (answer) => answer.status && done(answer)};"
            " prompt(JSON.stringify({action: 'scanCode', callback: '7'})); })": "return answers[0].value",
        }
        for number, (what, answer) in enumerate(cases.items()):
            with self.subTest(what):
                self.driver.get(self.page.url)
                # A blank at the beginning would press the button that has the focus.
                code = " %s %d" % (CODE, number)
                self.ask(what)
                self.keys(code + "\n")
                self.answers()
                self.settled()
                self.assertEqual(self.run_js(answer), code)
                self.assertEqual(self.run_js("return answers.length"), 1)
                self.assertEqual(self.heard(), [])
                self.assertFalse(self.browser.overlay_is_open())
                event = self.station.scans()[0]["event"]
                self.assertEqual((event["symbol"]["text"], event["source"]["kind"]), (code, "device"))

    def test_a_gun_that_begins_with_enter_or_tab_answers_the_open_request(self):
        for start in ("\n", "\t", "\n\n"):
            with self.subTest(repr(start)):
                self.driver.get(self.page.url)
                self.ask()
                self.keys(start + CODE + "\n")
                [answer] = self.answers()
                self.assertIsInstance(answer, dict, answer)
                self.assertEqual(answer["rawValue"], CODE)

    def test_a_code_in_the_midst_of_which_the_window_opens_arrives_whole(self):
        for field in ("document.getElementById('field')", "fields[0]", "fields[1]"):
            with self.subTest(field):
                self.driver.get(self.page.url)
                self.run_js(field + ".focus()")
                end = self.keys(CODE[:5])
                self.ask()
                self.keys(CODE[5:] + "\n", start=end)
                self.assertEqual(self.answers()[0]["rawValue"], CODE)
                self.assertEqual(self.heard(), [])

    def test_a_code_in_the_midst_of_which_the_window_closes_is_typed_into_no_field(self):
        for is_entry in (False, True):
            with self.subTest(is_entry=is_entry):
                self.driver.get(self.page.url)
                self.run_js("window.entered = 0; document.getElementById('field').addEventListener('keydown', (event) => {"
                            "if (event.key === 'Enter') entered += 1; })")
                self.focus("field")
                self.ask("quietzone.scan({source: 'any'})")
                if is_entry:
                    self.browser.press_in_overlay("Type it…")
                end = self.keys(CODE[:5])
                [request] = self.station.get("/bridge/requests")["requests"]
                # As the camera would, which sees the same code.
                self.station.request("POST", "/bridge/requests/%s/typed" % request["request"], {"text": CODE})
                self.answers()
                wait_for("the focus", lambda: self.run_js("return document.activeElement.id") == "field")
                self.keys(CODE[5:] + "\n\n", start=end)
                self.settled()
                self.assertEqual(at(self.driver, "field").get_property("value"), "")
                self.assertEqual((self.heard(), self.run_js("return entered")), ([CODE], 0))

    def test_a_person_still_cancels_by_key(self):
        for key in " \n":
            with self.subTest(repr(key)):
                self.driver.get(self.page.url)
                self.ask()
                self.keys(key)
                self.assertEqual(self.answers(), ["cancelled"])

    def test_a_code_is_kept_while_the_station_is_away(self):
        self.ask()
        self.station.kill()
        self.keys(CODE + "\n")
        self.settled()
        self.assertTrue(self.browser.overlay_is_open())
        self.station.start()
        self.assertEqual(self.answers()[0]["rawValue"], CODE)
        self.assertEqual(self.answers()[0]["format"], "unknown")
