#!/usr/bin/env python3
"""Runs programs for arm64 under qemu-user and compares what they read with this machine's decode-image.

usage: test_arm64.py NATIVE FOREIGN WHEEL

NATIVE is decode-image of this machine, FOREIGN the folder of the programs for arm64, WHEEL the Python package with one of
them. QEMU_LD_PREFIX names the system that has their libraries. Where ../shared/corpus is, every eighth picture of it is read too.
"""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

PROGRAMS = ("decode-image", "decode-camera", "scan-devices", "scan-outbox", "scan-station", "watch-folder")
# docs/how-to/install.md names Debian 13, which has 2.41.
NEWEST_GLIBC = 38
passed = failed = 0


def check(name, holds, detail=""):
    global passed, failed
    print(("ok: " if holds else "FAILED: ") + name, flush=True)
    if holds:
        passed += 1
    else:
        failed += 1
        print("    " + str(detail)[:2000], flush=True)


def run(program, *arguments, text=None):
    """What a program printed, and its exit status; a program that hangs fails."""
    process = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, timeout=3000)
    return process.stdout, process.returncode, process.stderr


def reports(program, pictures):
    """The reports of pictures as `--json` prints them, in their order, without the time that each took."""
    out, _, _ = run(program, "--json", "--files-from", "-", text="\n".join(pictures) + "\n")
    lines = [json.loads(line) for line in out.splitlines()]
    for line in lines:
        line.pop("milliseconds", None)
    return sorted(lines, key=lambda line: line["source"])


def compare(name, native, foreign, pictures):
    """Compares the reports of each picture by both programs; a picture without a report fails."""
    expected, found = reports(native, pictures), reports(foreign, pictures)
    different = [ours.get("source") for ours, theirs in zip(expected, found) if ours != theirs]
    symbols = sum(len(line.get("symbols", [])) for line in expected)
    check(
        f"{name}: {len(pictures)} pictures, {symbols} symbols, the same reports",
        symbols > 0 and len(expected) == len(found) and not different,
        f"{len(expected)} and {len(found)} reports; different: {different[:10]}",
    )


def check_programs(folder):
    for name in PROGRAMS:
        path = os.path.join(folder, name)
        header = run("readelf", "-h", path)[0]
        check(f"{name} is for arm64", "AArch64" in header, header)
        out, status, error = run(path, "--version")
        check(f"{name} says its version", status == 0 and out.startswith(name + " "), out + error)
        symbols = run("aarch64-linux-gnu-objdump", "-T", path)[0]
        newest = max((int(minor) for minor in re.findall(r"GLIBC_2\.(\d+)", symbols)), default=None)
        check(f"{name} needs glibc 2.{NEWEST_GLIBC} at most", newest is not None and newest <= NEWEST_GLIBC, newest)


def check_folder(folder):
    """A picture through the watched folder into the outbox."""
    with tempfile.TemporaryDirectory() as work:
        inbox, database = os.path.join(work, "inbox"), os.path.join(work, "outbox.sqlite")
        os.mkdir(inbox)
        with open("Samples/ean13.png", "rb") as source, open(os.path.join(inbox, "ean13.png"), "wb") as copy:
            copy.write(source.read())
        out, status, error = run(os.path.join(folder, "watch-folder"), inbox, "--once", "--database", database)
        check("watch-folder reads a picture", status == 0 and "4006381333931" in out + error, out + error)
        out, status, error = run(os.path.join(folder, "scan-outbox"), "verify", "--database", database)
        check("scan-outbox finds its outbox sound", status == 0, out + error)
        out, status, error = run(os.path.join(folder, "scan-outbox"), "list", "--database", database)
        check("scan-outbox lists the code", "4006381333931" in out, out + error)


def check_station(folder):
    """The station's page, by its own server."""
    with tempfile.TemporaryDirectory() as work:
        station = subprocess.Popen(
            [os.path.join(folder, "scan-station"), "--replay", "Samples/", "--port", "0", "--database", work + "/s.sqlite"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        said = []
        try:
            for line in station.stdout:
                said.append(line)
                address = re.search(r"http://[\w.:\[\]]+", line)
                if address:
                    with urllib.request.urlopen(address[0], timeout=120) as answer:
                        check("scan-station serves its page", answer.status == 200 and b"<html" in answer.read())
                    break
            else:
                check("scan-station serves its page", False, "".join(said))
            station.send_signal(signal.SIGTERM)
            station.communicate(timeout=120)
            check("scan-station ends in order", station.returncode == 0, station.returncode)
        finally:
            station.kill()


def check_wheel(wheel, samples):
    """The program and the libraries of the wheel, by the package itself; qemu adds glibc alone."""
    check("the wheel names its processor", re.search(r"-py3-none-manylinux_2_\d+_aarch64\.whl$", wheel), wheel)
    with tempfile.TemporaryDirectory() as work:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(work)
        program = os.path.join(work, "quietzone", "program")
        libraries = os.listdir(os.path.join(program, "lib"))
        for name in ["bin/decode-image", *("lib/" + library for library in libraries)]:
            header = run("readelf", "-h", os.path.join(program, name))[0]
            if "AArch64" not in header:
                check(f"{name} of the wheel is for arm64", False, header)
        check("the wheel has its libraries", {"libzbar.so.0", "libtiff.so.6"} <= set(libraries), libraries)
        check("the wheel has their terms", len(os.listdir(os.path.join(program, "licenses"))) > 10)
        # Files of an archive are not executable; pip makes them so.
        os.chmod(os.path.join(program, "bin", "decode-image"), 0o755)
        code = (
            "import json, quietzone, sys\n"
            "for report in quietzone.decode_many(sys.argv[1:]):\n"
            "    print(json.dumps([report.source, *sorted(symbol.text for symbol in report.symbols)]))\n"
        )
        names = [sample["file"] for sample in samples if sample["file"].endswith((".png", ".webp", ".tif"))]
        environment = dict(os.environ, PYTHONPATH=work, QUIETZONE_PROGRAM="bundled")
        process = subprocess.run(
            [sys.executable, "-c", code, *("Samples/" + name for name in names)],
            capture_output=True, text=True, timeout=3000, env=environment,
        )
        wanted = sorted(
            ["Samples/" + sample["file"], *sorted(symbol["text"] for symbol in sample["symbols"])]
            for sample in samples if sample["file"] in names
        )
        found = sorted(json.loads(line) for line in process.stdout.splitlines())
        different = [line for line in found if line not in wanted]
        check(f"the package reads {len(names)} Samples", found == wanted, (len(found), different[:3], process.stderr))


def main():
    native, folder, wheel = sys.argv[1:]
    check_programs(folder)
    foreign = os.path.join(folder, "decode-image")
    samples = json.load(open("Samples/expected.json", encoding="utf-8"))
    compare("Samples", native, foreign, ["Samples/" + sample["file"] for sample in samples])
    corpus = sorted(
        path for path in glob.glob("../shared/corpus/images/**/*", recursive=True)
        if path.endswith((".png", ".jpg"))
    )[::8]
    if corpus:
        compare("corpus", native, foreign, corpus)
    check_wheel(wheel, samples)
    check_folder(folder)
    check_station(folder)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
