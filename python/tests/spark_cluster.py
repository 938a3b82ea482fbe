"""Decodes pictures by spark-submit on two executors, some of them killed meanwhile, and holds the result against
decode-image's: every input has one outcome, and the same. Run by scripts/test-spark."""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.dataset as ds

from conftest import POISON, ROOT, SAMPLES, build_poison, png

PROGRAM = ROOT / ".build" / "release" / "decode-image"
#: Of a thousand pictures one does harm, in turn by a crash and by too much memory, and one in ten of these by a hang.
HARM = 1000
TIMEOUT = 10
MEGABYTES = 256


def make_pictures(folder: Path, count: int, seed: int) -> list[Path]:
    """Small pictures made of Samples, some that cannot be read, and some that do harm."""
    numbers = random.Random(seed)
    originals = [
        path for path in sorted(SAMPLES.glob("*.png")) + sorted(SAMPLES.glob("*.jpg")) if path.stat().st_size < 20_000
    ]
    files = [path.read_bytes() for path in originals]
    names = [path.suffix for path in originals]
    paths = []
    for number in range(count):
        below = folder / f"{number // 1000:04d}"
        below.mkdir(exist_ok=True)
        which = numbers.randrange(len(files))
        content, suffix = files[which], names[which]
        if number % HARM == HARM // 2:
            turn = number // HARM
            width = 6662 if turn % 10 == 2 else (6661, 6663)[turn % 2]
            content, suffix = png(width, 3), f".{width}.png"
        elif number % 50 == 7:
            # Not to nothing: Spark leaves out empty files.
            content = content[: numbers.randrange(1, len(content))]
        path = below / f"{number}{suffix}"
        path.write_bytes(content)
        paths.append(path)
    return paths


def executors() -> list[int]:
    """The processes of Spark's executors that this user runs."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if b"CoarseGrainedExecutorBackend" in words and b"java" in words.split(b"\0")[0]:
                found.append(int(folder.name))
    return found


def outcomes_of_spark(result: Path) -> dict[str, tuple[object, ...]]:
    """By name: what was read, or the error; fails where a picture has more than one outcome."""
    columns = ["source", "symbol", "format", "text", "error_code"]
    rows = collections.defaultdict(list)
    for row in ds.dataset(result).to_table(columns).to_pylist():
        rows[re.sub("^file:", "", row["source"])].append(row)
    answers: dict[str, tuple[object, ...]] = {}
    for name, some in rows.items():
        places = sorted(row["symbol"] for row in some if row["symbol"] is not None)
        assert len(some) == 1 or places == list(range(len(some))), f"{name} has more than one outcome: {some}"
        read = [(row["format"], row["text"]) for row in some if row["symbol"] is not None]
        answers[name] = (some[0]["error_code"], *sorted(read))
    return answers


def outcomes_of_program(lines: list[str]) -> dict[str, tuple[object, ...]]:
    answers = {}
    for report in map(json.loads, lines):
        read = [(symbol["format"], symbol["rawValue"]) for symbol in report["symbols"]]
        answers[report["source"]] = (report["error"] and report["error"]["code"], *sorted(read))
    return answers


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--partitions", type=int)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="quietzone-spark-"))
    try:
        run(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(options: argparse.Namespace, folder: Path) -> None:
    pictures = folder / "pictures"
    pictures.mkdir()
    paths = make_pictures(pictures, options.pictures, options.seed)
    names = folder / "names"
    names.write_text("".join(f"{path}\n" for path in paths))
    library = build_poison(folder)

    command = [PROGRAM, "--json", "--jobs", "2", "--timeout", str(TIMEOUT), "--worker-megabytes", str(MEGABYTES)]
    start = time.monotonic()
    answer = subprocess.run(
        [*command, "--files-from", names],
        env={**os.environ, "LD_PRELOAD": str(library)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    program_seconds = time.monotonic() - start
    wanted = outcomes_of_program(answer.stdout.splitlines())
    print(f"decode-image --jobs 2: {len(paths)} pictures in {program_seconds:.1f} s", flush=True)

    (wheel,) = (ROOT / "out" / "wheel").glob("quietzone-*.whl")
    subprocess.run([SAMPLES / "spark" / "pack", wheel, folder / "wheel.tar.gz"], check=True)
    (folder / "quietzone_wheel").mkdir()
    subprocess.run(["tar", "-xzf", folder / "wheel.tar.gz", "-C", folder / "quietzone_wheel"], check=True)
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    environment |= {"SPARK_LOCAL_DIRS": str(folder / "local"), "SPARK_WORKER_DIR": str(folder / "work")}
    partitions = options.partitions or max(4, len(paths) // 1000)
    submit = [
        *(Path(sys.executable).with_name("spark-submit"), "--master", "local-cluster[2,1,1024]"),
        *("--archives", f"{folder / 'wheel.tar.gz'}#quietzone_wheel"),
        *("--conf", "spark.executorEnv.PYTHONPATH=quietzone_wheel"),
        *("--conf", "spark.executorEnv.QUIETZONE_PROGRAM=bundled"),
        *("--conf", f"spark.executorEnv.LD_PRELOAD={library}"),
        *("--conf", "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"),
        *(SAMPLES / "spark" / "read_codes.py", "--partitions", partitions, "--timeout", TIMEOUT),
        *("--worker-megabytes", MEGABYTES, pictures, folder / "result"),
    ]
    start = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in submit], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    killed = 0
    while process.poll() is None and killed < options.kills:
        # An executor is killed once a task of it has begun to write, which is when its worker decodes.
        time.sleep(0.2)
        writing = list((folder / "result").glob("_temporary/*/_temporary/*/*.parquet"))
        done = list((folder / "result").glob("_temporary/*/task_*"))
        if writing and len(done) >= killed and (running := executors()):
            os.kill(running[killed % len(running)], signal.SIGKILL)
            killed += 1
            print(f"executor killed, {len(done)} tasks done", flush=True)
            time.sleep(3)
    output = process.communicate()[0]
    seconds = time.monotonic() - start
    assert process.returncode == 0, process.returncode
    summary = output.strip().splitlines()[-1]
    print("spark:", summary, f"({seconds:.1f} s with its start, {killed} executors killed)")
    work = float(re.search(r"([\d.]+) s$", summary)[1])  # type: ignore[index]
    print(f"throughput beside decode-image --jobs 2: {program_seconds / work:.2f}")

    found = outcomes_of_spark(folder / "result")
    assert set(found) == set(wanted) == {str(path) for path in paths}, "a picture is missing"
    differing = [name for name in wanted if wanted[name] != found[name]]
    assert not differing, [(name, wanted[name], found[name]) for name in differing[:5]]
    harmed = collections.Counter(code for code, *_ in found.values() if code in POISON.values())
    print(f"{len(found)} pictures with one outcome each, as decode-image's; {dict(harmed)}")
    assert killed == options.kills, "no executor could be killed in time: take more pictures"


if __name__ == "__main__":
    main()
