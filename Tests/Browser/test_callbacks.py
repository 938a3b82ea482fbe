"""Which functions a code can reach: those that the page itself has defined, and nothing of the browser's."""
import unittest

from common import open_browser
from plain_page import PlayedStation

PAGE = """<!doctype html><title>Callbacks</title><body>
<form id="byId"><input name="field"></form><iframe name="byName" srcdoc="<p>x"></iframe>
<script>
    // What the bridge says of a callback that it does not call.
    window.refused = [];
    console.error = (message) => refused.push((/no function (\\S+)/.exec(message) || [])[1] || message);
    window.heard = [];
    const hear = (owner, text) => heard.push([owner, text]);
    // As scripts that watch a page wrap what the browser has.
    const timer = window.setTimeout;
    window.setTimeout = function (...given) { return timer.apply(this, given); };
    const html = Element.prototype.setHTMLUnsafe;
    Element.prototype.setHTMLUnsafe = function (text) { return html.call(this, text); };

    function declared(text) { hear(this === window, text); }
    window.arrow = (text) => hear(true, text);
    var App = {
        cb(text) { hear(this === App, text); },
        deep: { er: { cb(text) { hear(this === App.deep.er, text); } } },
    };
    window.Page = class { static taken(text) { hear(this === Page || this === Derived, text); } };
    window.Derived = class extends Page {};
    window.form = new (class { field = 1; take(text) { hear(this.field === 1, text); } })();
    // A framework: functions that are objects, with methods on what is their prototype.
    window.$ = function (selector) { return this; };
    $.fn = $.prototype = { take(text) { hear(true, text); } };
    $.take = function (text) { hear(this === $, text); };
    $.plugins = Object.create({ late(text) { hear(this === $.plugins, text); } });
    customElements.define('page-form', class extends HTMLElement { take(text) { hear(this === App.element, text); } });
    App.element = document.body.appendChild(document.createElement('page-form'));
    App.component = new Proxy({ take(text) { hear(this === App.component, text); } }, {});
    window.receiveScanResult = App.cb.bind(App);
    new Promise((resolve) => { window.AppJsBridgeRequest = { Call: resolve }; }).then((text) => hear(true, text));
    window.receiveScanResult2 = location.assign;

    // What a page may have put among its own.
    App.window = window;
    App.frame = document.querySelector('iframe').contentWindow;
    App.document = document;
    App.place = location;
    App.body = document.body;
    App.assign = location.assign;
    App.bound = location.assign.bind(location);
    App.proxy = new Proxy(location.assign, {});
    App.eval = window.eval;
    App.wrapped = { window };
    App.list = [];
    Object.defineProperty(App, 'getter', { get() { return App.cb; } });
</script>
<script src="/bridge.js"></script>
"""

OWN = ["declared", "arrow", "App.cb", "App.deep.er.cb", "Page.taken", "Derived.taken", "form.take", "$.take",
       "$.fn.take", "$.plugins.late", "App.element.take", "App.component.take", "receiveScanResult",
       "AppJsBridgeRequest.Call"]

STRANGE = ["App.bound", "App.proxy", "App.eval", "App.assign", "App.getter", "App.window.declared", "App.window.arrow",
           "App.frame.location.assign", "App.frame.eval", "App.frame.setTimeout", "App.body.setHTMLUnsafe",
           "App.body.append", "App.document.write", "App.place.assign", "App.wrapped.window.declared", "App.list.push",
           "App.cb.call", "App.cb.apply", "App.cb.bind", "App.toString", "App.valueOf", "byId.submit", "byId.field.focus",
           "byName.eval", "frames.byName.eval", "setTimeout", "globalThis.arrow", "self.arrow", "window.arrow",
           "Page.constructor", "Page.prototype.constructor", "form.__proto__.take", "form.constructor",
           "quietzone.scan", "quietzone._settle.call", "wx.scanCode", "webkit.messageHandlers.scanCode.postMessage",
           "webkit.messageHandlers.heraldAppBridge.postMessage", "BarcodeDetector.getSupportedFormats", "prompt",
           "App.nothing", "nothing", "receiveScanResult2"]

# Those that a hostile page would name.
SEEN = ["location.assign", "location.replace", "window.location.replace", "document.body.setHTMLUnsafe", "document.write",
        "document.body.insertAdjacentHTML", "document.execCommand", "navigation.navigate", "eval", "Function", "open",
        "window.eval", "top.location.assign", "setInterval", "document.defaultView.eval", "history.pushState"]

# Every function that can be reached from the window by names: the shortest path to each, and what each alias of the
# window has besides. Elements are found by their id too.
WALK = """
    const isName = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
    const known = new Set([window]);
    const paths = [];
    let layer = [[window, []]];
    const depth = arguments[0];
    for (let level = 0; level < depth; level += 1) {
        const next = [];
        for (const [object, path] of layer) {
            const names = new Set();
            try {
                for (let one = object; one; one = Object.getPrototypeOf(one)) {
                    for (const name of Object.getOwnPropertyNames(one)) if (isName.test(name)) names.add(name);
                }
            } catch (error) {
                continue;
            }
            for (const name of names) {
                let value;
                try {
                    value = object[name];
                } catch (error) {
                    continue;
                }
                if (value === null || !['object', 'function'].includes(typeof value) || known.has(value)) continue;
                known.add(value);
                const here = path.concat(name);
                if (typeof value === 'function') paths.push(here.join('.'));
                next.push([value, here]);
            }
        }
        layer = next;
    }
    const top = paths.filter((path) => !path.includes('.'));
    for (const alias of ['window', 'self', 'globalThis', 'frames', 'top', 'parent', 'document.defaultView']) {
        for (const path of top) paths.push(alias + '.' + path);
    }
    return paths;
"""

ASK = """
    const done = arguments[2];
    refused.length = 0;
    heard.length = 0;
    const calls = arguments[0].map((path) => ({ function: path.split('.'), arguments: [arguments[1]] }));
    fetch('/calls', { method: 'POST', body: JSON.stringify(calls) })
        .then(() => quietzone.scan())
        .then(() => done({ refused, heard, ran: window.ran || null, at: location.href }), (error) => done(String(error)));
"""

HOSTILE = "javascript:window.ran=1;top.ran=1//"


class CallbackTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.station = PlayedStation(PAGE)
        cls.browser = open_browser()
        cls.driver = cls.browser.driver

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.station.stop()

    def setUp(self):
        self.driver.get(self.station.url)

    def call(self, *paths):
        answer = self.driver.execute_async_script(ASK, list(paths), HOSTILE)
        self.assertIsInstance(answer, dict, answer)
        self.assertIsNone(answer["ran"])
        self.assertEqual(answer["at"], self.station.url + "/")
        return answer

    def test_a_function_of_the_page_is_called_on_its_object(self):
        for path in OWN:
            with self.subTest(path):
                answer = self.call(path)
                self.assertEqual(answer["heard"], [[True, HOSTILE]])
                self.assertEqual(answer["refused"], [])

    def test_what_is_not_the_page_s_own_is_not_called(self):
        for path in STRANGE:
            with self.subTest(path):
                answer = self.call(path)
                self.assertEqual(answer["heard"], [])
                self.assertEqual(answer["refused"], [path])

    def test_nothing_that_the_browser_has_is_called(self):
        paths = self.driver.execute_script(WALK, 4)
        # The page's own are called, as the test above says; some of them are classes.
        own = set(OWN) | {"$", "Page", "Derived"}
        # What the station calls to settle a promise; it takes no page's word for a callback of that name.
        own.add("quietzone._settle")
        paths = [path for path in paths if path not in own]
        self.assertGreater(len(paths), 5000, "the walk has found the browser's functions")
        paths += [path for path in SEEN if path not in paths]
        answer = self.call(*paths)
        self.assertEqual(answer["heard"], [])
        self.assertEqual(set(paths) - set(answer["refused"]), set())
        self.assertEqual(len(answer["refused"]), len(paths))
        print("        %d functions of the browser, none called" % len(paths))

    def test_a_page_whose_scripts_have_changed_the_language_is_as_safe(self):
        self.driver.execute_script(
            "Function.prototype.toString = function () { return 'function () {}'; };"
            "RegExp.prototype.exec = function () { return null; };")
        answer = self.call("location.assign", "App.assign", "App.eval", "arrow")
        self.assertEqual(answer["heard"], [[True, HOSTILE]])
