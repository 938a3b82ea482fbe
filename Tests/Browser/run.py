#!/usr/bin/env python3
"""Runs the tests in the browser and ends with a line "N passed, N failed".

usage: Tests/Browser/run.py [NAME...]      names as unittest takes them, such as test_page or test_bridge.BridgeTests
       Tests/Browser/run.py --short        all files but those that take long

Several names, and all files where none is named, run in processes of their own, as many at a time as there are
processors: a page spends half of its time waiting. What each prints is shown when it has ended, and what failed is shown
again at the end.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Files that wait, load the station, or look at every state of the page.
LONG = [
    "test_accessible", "test_advice", "test_history", "test_keyboard", "test_layout", "test_limits", "test_load",
    "test_print", "test_run", "test_signin", "test_silence", "test_stage", "test_states", "test_tabs", "test_turns",
]
sys.path.insert(0, FOLDER)


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.stream.writeln("        %.1f s" % (time.monotonic() - self.began))

    def addFailure(self, test, err):
        super().addFailure(test, with_page(test, err))

    def addError(self, test, err):
        super().addError(test, with_page(test, err))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err and with_page(test, err))


def with_page(test, err):
    """An error as unittest hands it over, with what the test's page showed at that moment."""
    kind, value, trace = err
    driver = getattr(test, "driver", None)
    if driver is None:
        return err
    try:
        shown = driver.execute_script("return document.body.innerText")
    except Exception as error:  # the browser may be what failed
        shown = "no page: %s" % error
    # unittest formats the exception itself, and some kinds take no other message.
    return AssertionError, AssertionError("%s: %s\nThe page said:\n%s" % (kind.__name__, value, shown)), trace


def run(name):
    """Runs the tests of a name here; how many passed and failed."""
    suite = unittest.TestLoader().loadTestsFromName(name)
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result, stream=sys.stdout).run(suite)
    bad = {str(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors}
    bad |= {str(test) for test in result.unexpectedSuccesses}
    # A class that could not be set up fails as one, and none of its tests ran.
    passed = max(0, result.testsRun - len(result.skipped) - sum("setUpClass" not in name for name in bad))
    return passed, len(bad)


def run_apart(name):
    """Runs the tests of a name in a process of their own; how many passed and failed, and what it printed."""
    process = subprocess.run(
        [sys.executable, os.path.abspath(__file__), name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    )
    last = re.search(r"^(\d+) passed, (\d+) failed\n\Z", process.stdout, re.MULTILINE)
    passed, failed = (int(last[1]), int(last[2])) if last else (0, 0)
    # A process that broke off failed, whatever it said before.
    if process.returncode != 0 and failed == 0:
        failed = 1
    return passed, failed, process.stdout


def failures(name, text):
    """What a process of tests printed of those that failed, or its last lines where it broke off."""
    # unittest puts a line of "=" before each failure and one of "-" before its summary.
    block = r"^={70}\n((?:FAIL|ERROR|UNEXPECTED SUCCESS): .*?)(?=^={70}$|^-{70}\nRan |\Z)"
    blocks = re.findall(block, text, re.MULTILINE | re.DOTALL)
    return blocks or ["%s ended with an error; its last lines:\n%s" % (name, "\n".join(text.splitlines()[-20:]))]


def run_all(names):
    passed = failed = 0
    again = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(run_apart, name): name for name in names}
        for job in concurrent.futures.as_completed(jobs):
            its_passed, its_failed, text = job.result()
            passed, failed = passed + its_passed, failed + its_failed
            print(text, flush=True)
            if its_failed:
                again += failures(jobs[job], text)
    for block in again:
        print("failed: " + block.rstrip() + "\n")
    return passed, failed


def main():
    # The largest first: one that takes minutes would otherwise be the last, alone.
    files = sorted(glob.glob(os.path.join(FOLDER, "test_*.py")), key=os.path.getsize, reverse=True)
    names = sys.argv[1:]
    if names in ([], ["--short"]):
        left_out = LONG if names else []
        names = [name for name in (os.path.basename(path)[:-3] for path in files) if name not in left_out]
        if left_out:
            print("left out, as they take long: " + ", ".join(left_out))
    passed, failed = run(names[0]) if len(names) == 1 else run_all(names)
    if passed == 0 and failed == 0:
        print("no test was run")
        failed = 1
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
