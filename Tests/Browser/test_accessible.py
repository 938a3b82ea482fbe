"""axe-core looks at every state of the page, in both languages, light and dark, on a screen and on a phone."""
import importlib.util
import os
import uuid

from selenium.webdriver.common.by import By

from browser import at, text
from common import SharedBrowserTest
from station import Station, sample, wait_for

# The package for another browser driver has the newest axe-core in PyPI; nothing of it is used but this file.
PACKAGE = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
with open(os.path.join(PACKAGE, "axe.min.js"), encoding="utf-8") as script:
    AXE = script.read()

RUN = """
const done = arguments[0];
axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.impact} ${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`))));
"""

# Fields and buttons of which neither the border nor the ground has a contrast of 3:1 to what surrounds them. axe-core
# looks at texts alone. A quiet button has only its text.
EDGES = """
const ruler = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const over = (color, ground) => {
    ruler.fillStyle = `rgb(${ground.join(' ')})`;
    ruler.fillRect(0, 0, 1, 1);
    ruler.fillStyle = color;
    ruler.fillRect(0, 0, 1, 1);
    return [...ruler.getImageData(0, 0, 1, 1).data.slice(0, 3)];
};
const groundOf = (one) => (one ? over(getComputedStyle(one).backgroundColor, groundOf(one.parentElement)) : [255, 255, 255]);
const light = (color) => color.map((part) => part / 255).map((part) => (part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [.2126, .7152, .0722][index], 0);
const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + .05) / (dark + .05);
};
const found = [...document.querySelectorAll('button:not(.quiet, [role=tab], :disabled), select, input, .choice, .drop, '
    + '.choice :checked + span, #filter-more > summary')].filter((one) => one.offsetWidth > 1
    && !['radio', 'checkbox', 'file', 'range'].includes(one.type));
return found.flatMap((one) => {
    const outside = groundOf(one.parentElement);
    const style = getComputedStyle(one);
    const border = one.matches('span') ? style.boxShadow.split(' 0px')[0] : style.borderTopColor;
    const most = Math.max(contrast(over(border, outside), outside), contrast(groundOf(one), outside));
    return most < 3 ? [`${one.id || one.className || one.textContent}: ${most.toFixed(2)}`] : [];
});
"""

VARIANTS = [("en", "light", 1280), ("zh", "dark", 1280), ("zh", "light", 390), ("en", "dark", 390)]

CAMERA = """
const [status, problem, done] = arguments;
import('/app-camera.js').then((page) => {
    page.showCamera({ status, problem, card: 'HD Webcam', path: '/dev/video0', mode: 'trigger',
        region: { x: 0.1, y: 0.1, width: 0.5, height: 0.5 }, cameras: [
            { path: '/dev/video0', card: 'HD Webcam' }, { path: '/dev/video2', card: 'Document camera' }], controls: [
            { name: 'brightness', minimum: 0, maximum: 255, step: 1, value: 128, settable: true },
            { name: 'focus_automatic_continuous', minimum: 0, maximum: 1, step: 1, value: 1, settable: true },
            { name: 'focus_absolute', minimum: 0, maximum: 250, step: 5, value: 30, settable: false },
            { name: 'auto_exposure', minimum: 0, maximum: 3, step: 1, value: 3, settable: true,
                menu: { 1: 'Manual Mode', 3: 'Aperture Priority Mode' } }] });
    done();
});
"""


# The heights of the buttons in the bar.
TOPS = """
return ['sound', 'preferences-open', 'language'].map((id) => document.getElementById(id).getBoundingClientRect().top);
"""

# How often a live region is written while a part of the page is shown again that did not change.
WRITTEN = """
const done = arguments[0];
Promise.all(['history', 'counting', 'guns'].map((name) => import(`/app-${name}.js`))).then(([history, counting, guns]) => {
    const observer = new MutationObserver(() => {});
    for (const one of document.querySelectorAll('[aria-live], [role=status], [role=alert]')) {
        observer.observe(one, { childList: true, subtree: true, characterData: true });
    }
    const show = () => {
        history.showLatest();
        counting.showCounting();
        guns.retranslateGuns();
    };
    const written = () => observer.takeRecords().map(({ target }) => target.id);
    show();
    const found = [];
    history.showInstead('seen', { text: 'a\\tb', format: 'qr_code' });
    found.push(written().length > 0);
    history.showInstead('seen', { text: 'a\\tb', format: 'qr_code' });
    show();
    found.push(written());
    done(found);
});
"""

# Whether the focus and what is unfolded stay when a list gets another row, and where the focus is after its row has
# changed, has another button before it, and is replaced by a row about something else.
KEPT = """
const done = arguments[0];
Promise.all(['storage', 'deliveries', 'lists', 'text'].map((name) => import(`/app-${name}.js`))).then((all) => {
    const [storage, deliveries, { showRows }, { details, element }] = all;
    const found = [];
    storage.takeUnsaved(['ORDER-1', 'ORDER-2'].map((text) => ({ text, format: 'code_128' })));
    document.getElementById('tab-todo').click();
    const button = document.querySelector('#unsaved [aria-label="Remove: ORDER-2"]');
    button.focus();
    storage.takeUnsaved([{ text: 'ORDER-3', format: 'code_128' }]);
    deliveries.showWaiting();
    found.push(document.activeElement === button, document.querySelectorAll('#unsaved li').length);

    const list = element('ul', {});
    document.getElementById('panel-todo').append(list);
    const row = (key, ...names) => element('li', { key }, details('Reason', 'away'), ...names.map((textContent) => element(
        'button', { type: 'button', textContent })));
    showRows(list, [row(1, 'Remove'), row(2, 'Remove')]);
    const unfolded = list.lastElementChild.querySelector('details');
    unfolded.open = true;
    list.lastElementChild.querySelector('button').focus();
    const place = () => {
        const { activeElement } = document;
        return [[...list.children].findIndex((one) => one.contains(activeElement)), activeElement.textContent];
    };
    showRows(list, [row(3, 'Remove'), row(1, 'Remove'), row(2, 'Remove')]);
    found.push(place(), unfolded.isConnected);
    showRows(list, [row(2, 'Keep', 'Remove'), row(3, 'Remove')]);
    found.push(place(), list.firstElementChild.querySelector('details').open, list.childElementCount);
    showRows(list, [row(4, 'Keep', 'Remove'), row(3, 'Remove')]);
    found.push(document.activeElement === document.body, list.firstElementChild.querySelector('details').open);
    list.remove();
    sessionStorage.clear();
    done(found);
});
"""


class AccessibleTests(SharedBrowserTest):
    pictures = ("order-form.png",)

    def setUp(self):
        self.browser.emulate("light", 1280, 900)
        self.browser.enter(self.station)
        self.speak("en")

    def speak(self, language):
        # Not by a click at a place, which may be that of another button by then: the bar moves when the camera changes.
        self.driver.execute_script(
            "if (!document.documentElement.lang.startsWith(arguments[0])) document.getElementById('language').click()",
            language)
        self.assertTrue(self.driver.execute_script("return document.documentElement.lang").startswith(language))

    def check(self, state, words=True):
        """Looks at the page in all its variants, and leaves a picture of each."""
        self.driver.execute_script(AXE)
        for language, theme, width in VARIANTS:
            if words:
                self.speak(language)
            self.browser.emulate(theme, width, 1500)
            with self.subTest(state=state, language=language, theme=theme, width=width):
                self.browser.screenshot("state-%s-%s-%s-%d" % (state, language, theme, width))
                self.assertEqual(self.driver.execute_async_script(RUN), [])
                self.assertEqual(self.driver.execute_script(EDGES), [])
                broad = self.driver.execute_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(broad, width, "the page is broader than the screen")

    def test_results(self):
        self.station.upload(sample("qr-version40.png"))
        self.station.upload(sample("code39.png"))
        wait_for("rows", lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "#scans tr")) > 5)
        wait_for("delivered", lambda: at(self.driver, "latest").get_attribute("data-state") == "delivered")
        self.check("results")

    def test_what_a_message_says(self):
        # Again if the camera has seen another code right after it, which takes its place.
        wait_for("fields", lambda: self.station.upload(sample("data-matrix-gs1.png"))
                 and at(self.driver, "latest-meaning").is_displayed())
        self.check("meaning")

    def test_a_long_content(self):
        self.driver.execute_async_script(
            "const done = arguments[0]; import('/app-history.js').then((page) => {"
            "page.showInstead('seen', {text: 'ab\\t'.repeat(900), format: 'qr_code'}); done(); })")
        self.check("seen")

    def test_what_did_not_change_is_not_read_out_again(self):
        self.station.request("POST", "/counts", {"name": "Shelf"})
        try:
            wait_for("the sum", lambda: text(self.driver, "counting-total"))
            self.assertEqual(self.driver.execute_async_script(WRITTEN), [True, []])
        finally:
            self.station.request("POST", "/counts/1/close", {"deliver": False})

    def test_lists_keep_the_focus(self):
        self.assertEqual(self.driver.execute_async_script(KEPT), [
            True, 3, [2, "Remove"], True, [0, "Remove"], True, 2, True, False])

    def test_nothing_yet_and_no_camera(self):
        station = Station(arguments=["--camera", "none"])
        try:
            self.browser.enter(station)
            wait_for("it is said", lambda: at(self.driver, "empty").is_displayed())
            self.check("empty")
        finally:
            station.stop()

    def test_settings(self):
        wait_for("a picture", lambda: at(self.driver, "stage").get_attribute("data-live") == "true")
        at(self.driver, "settings").click()
        self.driver.execute_async_script(CAMERA, "running", None)
        self.driver.execute_script("document.getElementById('settings-problem').textContent = 'It cannot be set.'")
        at(self.driver, "region-draw").click()
        self.driver.execute_script(
            "const said = document.getElementById('spoken'); said.textContent = 'No code was seen.';"
            "said.className = 'toast'")
        self.check("settings")

    def test_camera_lost(self):
        station = Station(arguments=["--camera", "/dev/no-such-camera"])
        try:
            self.browser.enter(station)
            wait_for("it is said", lambda: at(self.driver, "stage").get_attribute("data-status") == "lost"
                     and at(self.driver, "blank").is_displayed())
            tops = self.driver.execute_script(TOPS)
            self.assertEqual(max(tops), min(tops), "the bar wraps")
            self.check("camera-lost")
        finally:
            station.stop()

    def test_failures(self):
        at(self.driver, "files").send_keys("\n".join(
            sample(name) for name in ("no-code.jpg", "README.md", "make.py", "ean13.png", "itf14.png")))
        wait_for("the end", lambda: text(self.driver, "album-summary")
                 == "2 read, 2 could not be read, 1 without a code")
        self.check("failures")
        at(self.driver, "remove-all").click()

    def test_not_delivered(self):
        self.setting.receiver.pause()
        try:
            self.station.upload(sample("code128-rotated90.png"))
            state = lambda: at(self.driver, "latest").get_attribute("data-state")
            # It lasts three seconds, which a busy machine may miss.
            wait_for("tried again", lambda: state() in ("retrying", "failed"))
            wait_for("the bar", lambda: text(self.driver, "delivery-word")
                     in ("Waiting for the other system", "Not accepted"))
            self.check("retrying")
            wait_for("given up", lambda: state() == "failed")
            wait_for("the bar", lambda: text(self.driver, "delivery-word") == "Not accepted")
            self.check("failed")
        finally:
            self.setting.receiver.resume()

    def test_signing_in(self):
        self.driver.execute_script("localStorage.removeItem('quietzone.token')")
        self.driver.refresh()
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        self.check("sign-in")

    def test_a_changed_token(self):
        self.driver.execute_script("localStorage.setItem('quietzone.token', 'A'.repeat(43))")
        self.driver.refresh()
        wait_for("the form", lambda: at(self.driver, "sign-in").is_displayed())
        self.check("token-changed")

    def test_a_full_disk(self):
        # test_storage has a real one.
        self.driver.execute_async_script(
            "const done = arguments[0]; import('/app-storage.js').then((page) => { page.cannotSave('disk_full');"
            "page.takeUnsaved(Array.from({length: 9}, (_, index) => ({text: 'ORDER-2024-081' + index,"
            "format: 'code_128'}))); document.getElementById('tab-todo').click();"
            "return import('/app-history.js'); }).then((page) => {"
            "page.showInstead('not-saved', {text: 'ORDER-2024-0810', format: 'code_128'}); done(); })")
        self.check("disk-full")
        self.driver.execute_script("sessionStorage.clear()")

    def test_a_page_that_asks(self):
        request = {"request": str(uuid.uuid4()), "message": {"source": "album"}}
        self.station.request("POST", "/bridge/promise", request)
        wait_for("the word", lambda: at(self.driver, "asking").is_displayed())
        self.check("asking")
        at(self.driver, "asking-cancel").click()

    def test_station_away(self):
        at(self.driver, "search").send_keys("nothing begins so")
        wait_for("nothing", lambda: at(self.driver, "empty").is_displayed())
        self.station.kill()
        try:
            wait_for("it is said", lambda: at(self.driver, "gone").is_displayed())
            at(self.driver, "files").send_keys(sample("ean13.png"))
            wait_for("it waits", lambda: text(self.driver, "album-summary") == "1 waiting")
            self.check("away")
        finally:
            self.station.start()
