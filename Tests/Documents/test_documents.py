"""Tests of the parser, the comparison and the runner of the guides' commands, and of README.md's translation."""
import collections
import contextlib
import datetime
import io
import pathlib
import re
import tempfile
import unittest

import guides
import run

HOME = "/tmp/home-17"
TODAY = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def sh(text, before="", shown=None, language="text"):
    output = "" if shown is None else f"\n```{language}\n{shown}```\n"
    return f"{before}```sh\n{text}```\n{output}"


class ComparisonTests(unittest.TestCase):
    def test_what_may_differ(self):
        """The name, the output that is shown, the one that is printed, and whether they match."""
        cases = [
            ("equal", "a\nb\n", "a\nb\n", True),
            ("another word", "a\nb\n", "a\nc\n", False),
            ("a line more", "a\n", "a\nb\n", False),
            ("a line less", "a\nb\n", "a\n", False),
            ("nothing", "", "", True),
            ("any lines", "a\n...\nd\n", "a\nb\nc\nd\n", True),
            ("no lines", "a\n...\nb\n", "a\nb\n", True),
            ("any lines, but not the end", "...\nd\n", "c\nd\ne\n", False),
            ("a number is not a time", "5 files\n", "6 files\n", False),
            ("a timestamp", "at 2026-01-02T03:04:05Z\n", "at 2026-11-12T13:14:15.678Z\n", True),
            ("a duration", "in 12 ms\n", "in 3.5 ms\n", True),
            ("a date that is today's", "done/2026-11-21/a\n", f"done/{TODAY}/a\n", True),
            ("a date of the content", "2027-06-30\n", "2027-06-29\n", False),
            ("the temporary home", "~/x/a\n", f"{HOME}/x/a\n", True),
            ("another folder", "~/x/a\n", "/srv/x/a\n", False),
            ("milliseconds of a table", "Samples/a.png  qr_code   3  A\n", "Samples/a.png  qr_code  1234  A\n", True),
            ("the text of a table", "Samples/a.png  qr_code   3  A\n", "Samples/a.png  qr_code   3  B\n", False),
            ("GS, which a terminal does not show", "10A21B\n", "10A\x1d21B\n", True),
        ]
        for name, shown, printed, expected in cases:
            with self.subTest(name):
                self.assertEqual(guides.matches(shown, printed, HOME), expected)


class ParserTests(unittest.TestCase):
    def test_blocks(self):
        found = guides.blocks("\n".join([
            sh("a\n", shown="A\n"), sh("b\n", "<!-- not run: needs a camera -->\n"), "```console\n$ c\nC\n```",
            "- item:\n\n  ```sh\n  d\n  ```", "<!-- file: f.yaml -->\n```yaml\nx: 1\n```", "```text\nno command\n```"]))
        self.assertEqual(
            [(one.text, one.shown, one.reason, one.file) for one in found],
            [("a\n", "A\n", "", ""), ("b\n", None, "needs a camera", ""), ("c\n", "C\n", "", ""), ("d\n", None, "", ""),
             ("x: 1\n", None, "", "f.yaml")])

    def test_mistakes(self):
        cases = [
            ("a reason before text", "<!-- not run: needs a camera -->\ntext\n"),
            ("a reason before a blank line", "<!-- not run: needs a camera -->\n\n```sh\na\n```\n"),
            ("a reason before another language", "<!-- not run: needs a camera -->\n```swift\na\n```\n"),
            ("a status without a number", "<!-- status: some -->\n```sh\na\n```\n"),
            ("an empty reason", "<!-- not run:  -->\n```sh\na\n```\n"),
            ("commands in another language", "```bash\na\n```\n"),
            ("a block without an end", "```sh\na\n"),
        ]
        for name, document in cases:
            with self.subTest(name), self.assertRaises(guides.Mistake):
                guides.blocks(document)


class TranslationTests(unittest.TestCase):
    def facts(self, name):
        """Commands, links, code and figures of a README, without what only one of the two has."""
        text = (run.ROOT / name).read_text(encoding="utf-8")
        text = re.sub(r"<!-- bench -->.*<!-- /bench -->", "", text, flags=re.S)
        text = re.sub(r"<!--.*?-->| +# .*|^// .*|Interleaved 2 of 5", "", text, flags=re.M)
        links = [link for link in re.findall(r"\]\(([^)]+)\)", text)
                 if not link.startswith("README") and link != "docs/found-against-time.svg"]
        blocks = re.compile(r"^```\w+$.*?^```$", re.M | re.S)
        return {
            "commands": collections.Counter(blocks.findall(text)),
            "links": collections.Counter(links),
            "code": collections.Counter(re.findall(r"`([^`]+)`", blocks.sub("", text))),
            "figures": collections.Counter(re.findall(r"\d+(?:[.,]\d+)*", text)),
        }

    def test_chinese_readme_has_the_same_facts(self):
        english, chinese = self.facts("README.md"), self.facts("README.zh-CN.md")
        for kind, facts in english.items():
            with self.subTest(kind):
                self.assertTrue(facts)
                self.assertEqual(facts - chinese[kind], chinese[kind] - facts, "only in one of the two")


class RunnerTests(unittest.TestCase):
    def attempt(self, document):
        """Runs a document and returns the numbers of passed and failed blocks, and what is printed."""
        results, printed = run.Results(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "guide.md"
            path.write_text(document)
            with contextlib.redirect_stdout(printed):
                run.try_document(path, "guide.md", pathlib.Path(folder), [], results)
        return results.passed, results.failed, printed.getvalue()

    def test_outcomes(self):
        """The name, the document, passed and failed, and a part of what is printed."""
        both = sh("x=1\nalias one=echo\n") + sh("one $x\n", shown="1\n")
        interrupted = sh("sleep 50\necho next\n", "<!-- Ctrl-C: 1 s -->\n")
        # Takes a moment to end.
        slow = 'bash -c "trap \'sleep 1; exit 3\' TERM; echo >ready; while :; do sleep 0.1; done" &\n'
        slow += "until [ -e ready ]; do sleep 0.1; done\n"
        cases = [
            ("one session", both, 2, 0, "2 blocks run, 1 compared, 0 not run"),
            ("a wrong output", sh("echo a\n", shown="b\n"), 0, 1, "the output differs"),
            ("a wrong JSON", sh("echo 1\n", shown="2\n", language="json"), 0, 1, "the output differs"),
            ("a missing reason", sh("camera-that-is-missing\n"), 0, 1, "exited with status 127"),
            ("a reason", sh("camera\n", "<!-- not run: needs a camera -->\n"), 0, 0, "0 compared, 1 not run"),
            ("a mistake", "<!-- not run: x -->\n", 0, 1, "stands before no block"),
            ("a failure ends the document", sh("false\n") + sh("true\n"), 0, 2, "was not tried"),
            ("an unset variable", sh("echo $missing\n"), 0, 1, "exited with status"),
            ("an expected status", sh("(exit 4)\n", "<!-- status: 4, none -->\n"), 1, 0, ""),
            ("another status", sh("(exit 5)\n", "<!-- status: 4, none -->\n"), 0, 1, "exited with status 5"),
            ("a process that is left", sh("sleep 50 &\n"), 1, 1, "was left running: sleep 50"),
            ("a process that is ended", sh("sleep 50 &\n") + sh("kill %1\n"), 2, 0, ""),
            ("a process that ends slowly", sh(slow) + sh("kill %1\n") + sh("sleep 50 &\n") + sh("kill %1\n"), 4, 0, ""),
            ("a report of an end", sh("sleep 50 &\n") + sh("kill %1\n") + sh("echo a\n", shown="a\n"), 3, 0, ""),
            ("Ctrl-C", interrupted, 1, 0, ""),
            ("no Ctrl-C was needed", sh("true\n", "<!-- Ctrl-C: 1 s -->\n"), 0, 1, "ended before Ctrl-C"),
            ("a file", "<!-- file: a -->\n```yaml\nx\n```\n" + sh("cat a\n", shown="x\n"), 1, 0, ""),
            ("setup and cleanup", sh("cat b\n", "<!-- setup: echo 1 > b -->\n<!-- cleanup: rm b -->\n"), 1, 0, ""),
            ("a program that is not built", sh("scripts/build-release none\n"), 0, 1, "none is not built"),
        ]
        for name, document, passed, failed, part in cases:
            with self.subTest(name):
                outcome = self.attempt(document)
                self.assertEqual(outcome[:2], (passed, failed), outcome[2])
                self.assertIn(part, outcome[2])

    def test_time_limit(self):
        self.addCleanup(setattr, run, "LIMIT", run.LIMIT)
        run.LIMIT = 1
        self.assertIn("took longer than 1 s", self.attempt(sh("sleep 50\n"))[2])

    def test_tree_is_not_written(self):
        self.attempt(sh("echo changed > README.md; rm -r Samples\n"))
        self.assertTrue((run.ROOT / "Samples/qr.png").exists())
        self.assertNotEqual((run.ROOT / "README.md").read_text(encoding="utf-8"), "changed\n")


if __name__ == "__main__":
    unittest.main()
