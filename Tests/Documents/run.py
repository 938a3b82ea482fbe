#!/usr/bin/env python3
"""Runs the command blocks of the guides as they stand, and compares their output with the block that shows it.

usage: run.py PROGRAMS [DOCUMENT...]    PROGRAMS is the folder of the programs; all documents unless some are named

The blocks of a document run in one bash session, in a fresh copy of Samples/ and scripts/ at ~/quietzone of a temporary
home, in a network of their own if the kernel allows it. Nothing is installed or built: scripts/build-release and
scripts/install-dependencies of the copy only check that the programs are there, and out/c-library is the one that
scripts/build-c-library has made; without it, the documents that use it are left out unless they are named.

A ```text or ```json block directly behind a block is its output. Times, durations, today's date and the temporary home
(written as ~) may differ, and a line "..." stands for any lines. Comments on the lines before a block:

    <!-- not run: REASON -->       it cannot run here
    <!-- status: 4, REASON -->     a command may exit with this status
    <!-- setup: COMMAND -->        runs before the block: makes a file that the guide takes for granted
    <!-- cleanup: COMMAND -->      runs after the block
    <!-- Ctrl-C: 5 s -->           programs of the block run until Ctrl-C, which each gets after this time
    <!-- file: NAME -->            the block, of any language, is saved under this name
"""
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import guides

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["docs/tutorials", "docs/how-to", "docs/recipes", "docs/reference"]
INSTALLED = ("docs/how-to/", "docs/recipes/", "docs/reference/")  # Their readers have the programs in PATH.
LIBRARY = "out/c-library"
LIMIT = 60  # Seconds that a block may take.
MOST = 40  # Lines of an output that a failure shows.
GRACE = 5  # Seconds in which processes that were told to end may do so.
STAND_IN = """#!/bin/sh
for name; do
    case "$name" in -*) ;; *) test -x ".build/release/$name" || { echo "$name is not built" >&2; exit 1; } ;; esac
done
"""
# Job control as in a terminal. The trap of ERR is `set -e` that lets a block expect a status; that of INT keeps the
# session when Ctrl-C ends a program. A job that was told to end has ended when `kill` returns, as it has when a person
# types the next command: until then its number is taken, and the report of its end would be output of a later block.
OPENING = """set -muE; shopt -s expand_aliases; expected=0
trap 'status=$?; [ $status -eq $expected ] || exit $status' ERR
trap : INT
kill() { builtin kill "$@" && case $1 in %*) wait "$@" 2>/dev/null || true; esac; }
"""


def documents():
    found = [ROOT / "README.md"]
    for folder in FOLDERS:
        found += sorted((ROOT / folder).glob("*.md"))
    return found + sorted(ROOT.glob("Samples/*/README.md"))


def isolated():
    """The command that gives a program a network of its own with a loopback; empty if the kernel does not allow it."""
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    try:
        works = subprocess.run([*command, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        works = False
    return command if works else []


def prepare(home, programs):
    """Makes the copy that a document's commands run in, and returns its folder."""
    folder = home / "quietzone"
    for name in ["Samples", "scripts"]:
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    shutil.copy(ROOT / "Makefile", folder)
    for name in ["build-release", "install-dependencies"]:
        (folder / "scripts" / name).write_text(STAND_IN)
    (folder / ".build").mkdir()
    (folder / ".build/release").symlink_to(programs)
    (folder / "out").mkdir()
    (folder / LIBRARY).symlink_to(ROOT / LIBRARY)
    return folder


def processes():
    """The number of each process and what /proc/NUMBER/stat has behind its name: state, parent, group, session, ..."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = pathlib.Path(f"/proc/{entry}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # It has ended.
        yield int(entry), text.rpartition(")")[2].split()


class Session:
    """A bash in which the blocks of one document run."""

    def __init__(self, home, programs, prefix, installed):
        self.home, self.folder = home, prepare(home, programs)
        self.notes = home / "blocks"
        self.notes.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "dumb"}
        environment["DOCUMENTS"] = str(ROOT / "Tests/Documents")
        if installed:
            environment["PATH"] = f"{self.folder}/.build/release:{environment['PATH']}"
        if "PYENV_ROOT" in os.environ:
            environment["PYENV_ROOT"] = os.environ["PYENV_ROOT"]
        self.answers, pipe = os.pipe()
        self.bash = subprocess.Popen(
            [*prefix, "bash", "--noprofile", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=self.folder, env=environment, pass_fds=(pipe,), start_new_session=True)
        self.pipe = pipe
        self.say(OPENING)

    def say(self, text):
        try:
            self.bash.stdin.write(text.encode())
            self.bash.stdin.flush()
        except BrokenPipeError:
            pass  # It has ended, which `answer` tells.

    def answer(self, interrupt):
        """Awaits the end of a block and returns "" or the failure."""
        begin, interrupts = time.monotonic(), 0
        while True:
            passed = time.monotonic() - begin
            if passed > LIMIT:
                return f"took longer than {LIMIT} s"
            if interrupt and passed > interrupt * (interrupts + 1):
                self.interrupt()
                interrupts += 1
            if select.select([self.answers], [], [], 0.1)[0]:
                os.read(self.answers, 100)
                return "ended before Ctrl-C" if interrupt and not interrupts else ""
            if self.bash.poll() is not None:
                return f"exited with status {self.bash.returncode}"

    def interrupt(self):
        """Sends SIGINT to the process group in the foreground, that of the child which bash has started last."""
        children = [
            (int(fields[19]), number, int(fields[2])) for number, fields in processes()
            if int(fields[1]) == self.bash.pid and fields[0] != "Z"]
        if children:
            try:
                os.killpg(max(children)[2], signal.SIGINT)
            except ProcessLookupError:
                pass  # It has just ended.

    def run(self, text, name, status=0, interrupt=0.0):
        """Runs commands and returns the output and the failure, "" if there is none."""
        script, output = self.notes / f"{name}.sh", self.notes / f"{name}.out"
        script.write_text(text)
        # A program that Ctrl-C ends has 130 or a status of its own making.
        expected = 130 if interrupt else status
        # A line of its own: bash passes over the rest of the line if Ctrl-C kills a program.
        self.say(f"expected={expected}; . {script} </dev/null >{output} 2>&1\necho done >&{self.pipe}\n")
        failure = self.answer(interrupt)
        return output.read_text(errors="replace") if output.exists() else "", failure

    def left(self):
        """The processes of the session besides bash, by number, with their commands."""
        found, marker = {}, f"HOME={self.home}\0".encode()
        for number, fields in processes():
            try:
                ours = int(fields[3]) == self.bash.pid or marker in pathlib.Path(f"/proc/{number}/environ").read_bytes()
                command = pathlib.Path(f"/proc/{number}/cmdline").read_bytes()
            except OSError:
                continue  # It has ended, or belongs to another user.
            if ours and fields[0] != "Z" and number != self.bash.pid:
                found[number] = command.replace(b"\0", b" ").decode(errors="replace").strip()
        return found

    def close(self):
        """Ends the session and returns the commands that were left running."""
        end = time.monotonic() + GRACE
        while (left := self.left()) and time.monotonic() < end:
            time.sleep(0.05)
        for number in left:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.bash.kill()
        self.bash.wait()
        self.bash.stdin.close()
        os.close(self.answers)
        os.close(self.pipe)
        return sorted(left.values())


def shift(text):
    lines = text.splitlines()
    shown = lines[-MOST:]
    if len(shown) < len(lines):
        shown.insert(0, f"({len(lines) - MOST} lines before)")
    return "".join(f"    {line[:200]}\n" for line in shown) or "    nothing\n"


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def fail(self, place, sentence, *texts):
        self.failed += 1
        print(f"{place}: {sentence}")
        for title, text in texts:
            print(f"  {title}:\n{shift(text)}", end="")


def try_block(session, block, name, results):
    """Runs a block and returns whether the session goes on."""
    output, failure = session.run("\n".join(block.setup) + "\n", f"{block.line}-setup")
    if failure:
        results.fail(f"{name}:{block.line}", f"the setup {failure}", ("output", output))
        return False
    output, failure = session.run(block.text, str(block.line), block.status, block.interrupt)
    if failure:
        results.fail(f"{name}:{block.line}", f"the block {failure}", ("commands", block.text), ("output", output))
        return False
    home = str(session.home)
    if block.shown is not None and not guides.matches(block.shown, output, home):
        results.fail(f"{name}:{block.line}", "the output differs", ("shown", block.shown), ("printed", output))
    else:
        results.passed += 1
    rest, failure = session.run("\n".join(block.cleanup) + "\n", f"{block.line}-cleanup")
    if failure:
        results.fail(f"{name}:{block.line}", f"the cleanup {failure}", ("output", rest))
    return not failure


def try_document(path, name, programs, prefix, results):
    try:
        found = guides.blocks(path.read_text(encoding="utf-8"))
    except guides.Mistake as mistake:
        results.fail(name, str(mistake))
        return
    runs = [block for block in found if not block.reason and not block.file]
    if not found:
        return
    with tempfile.TemporaryDirectory(prefix="quietzone-documents-", ignore_cleanup_errors=True) as home:
        session = Session(pathlib.Path(home).resolve(), programs, prefix, name.startswith(INSTALLED))
        try:
            goes_on = True
            for block in found:
                if block.file:
                    target = session.folder / block.file.replace("~", str(session.home))
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(block.text)
                elif block.reason:
                    continue
                elif goes_on:
                    goes_on = try_block(session, block, name, results)
                else:
                    results.fail(f"{name}:{block.line}", "the block was not tried after that failure")
        finally:
            left = session.close()
    for command in left:
        results.fail(name, f"was left running: {command}")
    reasons = sum(bool(block.reason) for block in found)
    compared = sum(block.shown is not None for block in runs)
    print(f"{name}: {len(runs)} blocks run, {compared} compared, {reasons} not run")


def main(programs, *names):
    # A shell that runs this in the background has it ignore SIGINT, and so would the session.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    programs, results, prefix = pathlib.Path(programs).resolve(), Results(), isolated()
    paths = [pathlib.Path(name).resolve() for name in names] or documents()
    for path in paths:
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
        if not names and LIBRARY in path.read_text(encoding="utf-8") and not (ROOT / LIBRARY).exists():
            print(f"left out: {name}, because scripts/build-c-library has not made {LIBRARY}")
            continue
        try_document(path, name, programs, prefix, results)
    print(f"{results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
