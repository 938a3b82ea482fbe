"""Decodes pictures by Ray Data on this machine, some of its processes killed meanwhile, and holds the result against
decode-image's: every input has one outcome, and the same. Run by scripts/test-ray."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import tempfile
import threading
import time
from pathlib import Path

import ray

from clusters import MEGABYTES, PROGRAM, TIMEOUT, compare, decode_by_program, make_pictures, outcomes_of_files
from conftest import ROOT, build_poison
from quietzone import ray as qz


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="quietzone-ray-"))
    try:
        run(options, folder)
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def decoding() -> list[int]:
    """The processes of Ray that have a pool of workers."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
                of_ray = (Path("/proc") / parent / "cmdline").read_bytes().startswith(b"ray::")
            except OSError:
                continue
            if words[1:2] == [b"--pool"] and of_ray:
                found.append(int(parent))
    return found


def kill(count: int, done: threading.Event, killed: list[int]) -> None:
    """Kills processes while they decode, one after the other."""
    while not done.wait(0.2) and len(killed) < count:
        for process in decoding():
            if process not in killed:
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                print("process killed", flush=True)
                done.wait(2)
                break


def run(options: argparse.Namespace, folder: Path) -> None:
    pictures = folder / "pictures"
    pictures.mkdir()
    paths = make_pictures(pictures, options.pictures, options.seed)
    library = build_poison(folder)
    wanted, program_seconds = decode_by_program(paths, folder, library)

    variables = {
        "LD_PRELOAD": str(library),
        "QUIETZONE_PROGRAM": str(PROGRAM),
        "PYTHONPATH": str(ROOT / "python" / "src"),
    }
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": variables})
    done, killed = threading.Event(), list[int]()
    killer = threading.Thread(target=kill, args=(options.kills, done, killed))
    killer.start()
    start = time.monotonic()
    files = ray.data.read_binary_files([str(path) for path in sorted(pictures.iterdir())], include_paths=True)
    symbols = qz.decode(files, timeout=TIMEOUT, worker_megabytes=MEGABYTES)
    symbols.write_parquet(str(folder / "result"))
    seconds = time.monotonic() - start
    done.set()
    killer.join()
    print(f"ray: {seconds:.1f} s, {len(killed)} processes killed")
    print(f"throughput beside decode-image --jobs 2: {program_seconds / seconds:.2f}")
    compare(paths, wanted, outcomes_of_files(folder / "result"))
    assert len(killed) == options.kills, "no process could be killed in time: take more pictures"


if __name__ == "__main__":
    main()
