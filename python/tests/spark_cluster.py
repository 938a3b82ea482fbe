"""Decodes pictures by spark-submit on two executors, some of them killed meanwhile, and holds the result against
decode-image's: every input has one outcome, and the same. Run by scripts/test-spark."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clusters import MEGABYTES, TIMEOUT, compare, decode_by_program, make_pictures, outcomes_of_files
from conftest import ROOT, SAMPLES, build_poison


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
    library = build_poison(folder)
    wanted, program_seconds = decode_by_program(paths, folder, library)

    (wheel,) = (ROOT / "out" / "wheel").glob("quietzone-*.whl")
    subprocess.run([SAMPLES / "spark" / "pack", wheel, folder / "wheel.tar.gz"], check=True)
    (folder / "quietzone_wheel").mkdir()
    subprocess.run(["tar", "-xzf", folder / "wheel.tar.gz", "-C", folder / "quietzone_wheel"], check=True)
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    environment |= {"SPARK_LOCAL_DIRS": str(folder / "local"), "SPARK_WORKER_DIR": str(folder / "work")}
    partitions = options.partitions or max(4, len(paths) // 4000)
    submit = [
        *(Path(sys.executable).with_name("spark-submit"), "--master", "local-cluster[2,1,1024]"),
        *("--archives", f"{folder / 'wheel.tar.gz'}#quietzone_wheel"),
        *("--properties-file", SAMPLES / "spark" / "spark.conf"),
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

    compare(paths, wanted, outcomes_of_files(folder / "result"))
    assert killed == options.kills, "no executor could be killed in time: take more pictures"


if __name__ == "__main__":
    main()
