#!/usr/bin/env python3
"""Runs the tests in the browser and ends with a line "N passed, N failed".

usage: Tests/Browser/run.py [NAME...]      names as unittest takes them, such as test_page or test_bridge.BridgeTests
"""
import os
import sys
import time
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.stream.writeln("        %.1f s" % (time.monotonic() - self.began))


def main():
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(FOLDER)
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result, stream=sys.stdout).run(suite)
    bad = {str(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors}
    bad |= {str(test) for test in result.unexpectedSuccesses}
    # A class that could not be set up fails as one, and none of its tests ran.
    passed = max(0, result.testsRun - len(result.skipped) - sum("setUpClass" not in name for name in bad))
    failed = len(bad)
    if passed == 0 and failed == 0:
        print("no test was run")
        failed = 1
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
