"""A headless Chromium, and what selenium has no method for."""
import json
import os
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from station import OUT, wait_for


def at(driver, identifier):
    return driver.find_element(By.ID, identifier)


def text(driver, identifier):
    """What stands in an element, seen or not."""
    return at(driver, identifier).get_property("textContent")


SPECIAL_KEYS = {
    "\x1d": {"key": "]", "code": "BracketRight", "windowsVirtualKeyCode": 221, "modifiers": 2},
    Keys.F8: {"key": "F8", "code": "F8", "windowsVirtualKeyCode": 119},
}


class Browser:
    """One Chromium; `language` and `theme` are what the person's system says.

    `arguments` are further ones of Chromium. `sounds` is whether pages may sound before anybody has touched them, as a kiosk's may and others may not.
    """

    def __init__(self, language="en", theme="light", width=1280, height=900, sounds=True,
                 arguments=()):
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--mute-audio", "--autoplay-policy="
                         + ("no-user-gesture-required" if sounds else "document-user-activation-required"),
                         "--disable-background-networking", "--disable-component-update", "--no-first-run",
                         *arguments):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(120)
        self.emulate(theme, width, height)

    def emulate(self, theme, width, height):
        """Makes the page as large and as light or dark as a person's system would."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        # A page that scrolls smoothly is not yet where a click is aimed.
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def quit(self):
        self.driver.quit()

    def enter(self, station):
        """Opens the station's page by its link, as a person does."""
        # In a page that is open already only the fragment would change, and everything else would stay as it was.
        self.driver.get("about:blank")
        self.driver.get(station.url + "/#token=" + station.token)
        wait_for("the page is connected", lambda: self.driver.execute_script(
            "return document.documentElement.dataset.connected === 'true'"))

    def open_tab(self, name):
        """Opens a tab of the page: history, type, pictures, count, phone or todo."""
        # After a reload the page shows itself once the station has answered.
        wait_for("the tab is shown", lambda: at(self.driver, "tab-" + name).is_displayed())
        at(self.driver, "tab-" + name).click()

    def open_preferences(self):
        at(self.driver, "preferences-open").click()

    def complaints(self):
        """What the console said that is worse than a hint."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requested(self):
        """The addresses that were asked for since the last call."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def drop(self, identifier, files):
        """Drops files from outside, with the browser's own events."""
        # The events go to a place of the window, which has to show the element there.
        x, y = self.driver.execute_script(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});"
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2];", at(self.driver, identifier))
        place = {"x": x, "y": y, "data": {"items": [], "files": files, "dragOperationsMask": 1}}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.cdp("Input.dispatchDragEvent", type=kind, **place)

    def named(self, selector):
        """The names by which the elements of a selector are read out."""
        root = self.cdp("DOM.getDocument", depth=0)["root"]["nodeId"]
        found = self.cdp("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]
        trees = [self.cdp("Accessibility.getPartialAXTree", nodeId=node, fetchRelatives=False) for node in found]
        return [tree["nodes"][0].get("name", {}).get("value", "") for tree in trees]

    def in_shadow(self, match):
        """Identifiers of the nodes, in closed shadow trees and frames too, whose name and attributes `match` takes."""
        found = []

        def walk(node):
            attributes = node.get("attributes", [])
            if match(node["nodeName"], dict(zip(attributes[::2], attributes[1::2]))):
                found.append(node["backendNodeId"])
            inner = [node["contentDocument"]] if "contentDocument" in node else []
            for child in node.get("children", []) + node.get("shadowRoots", []) + inner:
                walk(child)

        walk(self.cdp("DOM.getDocument", depth=-1, pierce=True)["root"])
        return found

    def choose_in_overlay(self, path):
        """Chooses a file in the overlay of bridge.js, once it is there."""
        field = wait_for("the overlay", lambda: self.in_shadow(
            lambda name, attributes: name == "INPUT" and attributes.get("type") == "file"))
        self.cdp("DOM.setFileInputFiles", files=[path], backendNodeId=field[-1])

    def overlay_is_open(self):
        return bool(self.in_shadow(lambda name, attributes: name == "DIALOG" and "open" in attributes))

    def overlay_text(self):
        """All that the overlay says, also on buttons that it does not show."""
        found = []

        def walk(node, is_inside):
            if is_inside and node["nodeName"] == "#text":
                found.append(node["nodeValue"])
            for child in node.get("children", []):
                walk(child, is_inside)
            for root in node.get("shadowRoots", []):
                walk(root, root.get("shadowRootType") == "closed")

        walk(self.cdp("DOM.getDocument", depth=-1, pierce=True)["root"], False)
        return " ".join(found)

    def overlay_buttons(self):
        """The overlay's buttons by what stands on them, those alone that it shows."""
        found = {}

        def walk(node, is_inside):
            attributes = node.get("attributes", [])
            if is_inside and node["nodeName"] == "BUTTON" and "hidden" not in attributes[::2]:
                found["".join(child["nodeValue"] for child in node.get("children", []))] = node["backendNodeId"]
            for child in node.get("children", []):
                walk(child, is_inside)
            for root in node.get("shadowRoots", []):
                walk(root, root.get("shadowRootType") == "closed")

        walk(self.cdp("DOM.getDocument", depth=-1, pierce=True)["root"], False)
        return found

    def in_overlay(self, function):
        """What a function returns that is called with the overlay's dialog as `this`."""
        [node] = self.in_shadow(lambda name, attributes: name == "DIALOG" and "open" in attributes)
        target = self.cdp("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
        answer = self.cdp("Runtime.callFunctionOn", objectId=target, functionDeclaration=function, returnByValue=True)
        return answer["result"].get("value")

    def press_in_overlay(self, name):
        node = wait_for("the button " + name, lambda: self.overlay_buttons().get(name))
        target = self.cdp("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
        self.cdp("Runtime.callFunctionOn", objectId=target, functionDeclaration="function () { this.click(); }")

    def keys(self, keys, gap=0.005, start=None):
        """Presses keys so many seconds apart by their own clock, however long this takes.

        A line feed is Enter, GS is Ctrl and ], as guns send it, and Selenium's Keys.F8 that key."""
        moment = start or time.time()
        for key in keys:
            if key in SPECIAL_KEYS:
                self.cdp("Input.dispatchKeyEvent", type="rawKeyDown", timestamp=moment, **SPECIAL_KEYS[key])
                self.cdp("Input.dispatchKeyEvent", type="keyUp", timestamp=moment + gap / 4, **SPECIAL_KEYS[key])
                moment += gap
                continue
            name = {"\n": "Enter", "\t": "Tab"}.get(key, key)
            code = {" ": "Space", "\n": "Enter", "\t": "Tab"}.get(key, "Key" + key.upper())
            press = {"key": name, "code": code, "windowsVirtualKeyCode": {"\n": 13, "\t": 9}.get(key, ord(key.upper()))}
            typed = {"\n": "\r", "\t": None}.get(key, key)
            if typed:
                self.cdp("Input.dispatchKeyEvent", type="keyDown", text=typed, timestamp=moment, **press)
            else:
                self.cdp("Input.dispatchKeyEvent", type="rawKeyDown", timestamp=moment, **press)
            self.cdp("Input.dispatchKeyEvent", type="keyUp", timestamp=moment + gap / 4, **press)
            moment += gap
        return moment

    def screenshot(self, name):
        """Leaves a picture in out/screenshots if QUIETZONE_SCREENSHOTS is set: a third of a second each."""
        if not os.environ.get("QUIETZONE_SCREENSHOTS"):
            return
        path = os.path.join(OUT, "screenshots", name + ".png")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.driver.save_screenshot(path)
