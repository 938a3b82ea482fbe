"""Holds the symbols that decode-image reads, and the wrong ones, against the floors of bench/reads.json."""
import importlib.metadata
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

import cv2

from scenes import GROUPS

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "bench/reads.json"
CORPUS = ROOT / "../shared/corpus"
PACKAGES = ["numpy", "pillow", "opencv-python-headless", "zxing-cpp"]
COUNT_OF_GROUP = 60  # The scenes of each group that is drawn only by its name.
SLACK_ACROSS_VERSIONS = .01  # The share of a group that may be lost if a library or processor is another.


def versions(decoder):
    """The versions that the counts depend on: of the packages that draw, and of the libraries that read."""
    found = {name: importlib.metadata.version(name) for name in PACKAGES}
    found["processor"] = cv2.getCPUFeaturesLine()  # OpenCV rounds differently with other instructions.
    lines = subprocess.run([decoder, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    return found | dict(line.strip().rsplit(" ", 1) for line in lines[1:] if " " in line.strip() and ":" not in line)


def counts_of_scenes(tally):
    """Codes there, read, wrong and reported twice, by group."""
    groups = sorted(key[1] for key in tally.there if key[0] == "group")
    return {group: {name: getattr(tally, name)["group", group] for name in ("there", "read", "wrong", "twice")}
            for group in groups}


def counts_of_corpus(folder, ask, command):
    """The same for the pictures of the corpus, by suite and group; None if it is not there. Its own rules decide."""
    if not (folder / "manifest.jsonl").exists():
        return None
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("corpus_score", folder / "score.py")
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    cases = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    paths = {str(folder / case["image"]): case for case in cases}
    answers, counts = ask(command, paths), {}
    for path, case in paths.items():
        row = counts.setdefault(f"{case['suite']}/{case['group']}", {"there": 0, "read": 0, "wrong": 0})
        for name, value in zip(row, rules.score_case(case, answers[path])):
            row[name] += value
    return dict(sorted(counts.items()))


def a_group_a_line(counts):
    """The text of the file."""
    text = json.dumps(counts, indent=2, ensure_ascii=False) + "\n"
    return re.sub(r'\{\s+"there"[^}]+\}', lambda row: re.sub(r"\s+", " ", row[0]), text)


def check(floors, counts, slack=0):
    """(what fails, what is better) as lines, for the floors and the counts of groups.

    slack: the share of a group's codes by which a count may be worse.
    """
    failures, better = [], []
    for group in sorted({*floors, *counts}):
        floor, count = floors.get(group), counts.get(group)
        if floor is None or count is None or floor["there"] != count["there"]:
            failures.append(f"{group}: {count and count['there']} codes are there, and the floors are for "
                            f"{floor and floor['there']}: run.py gate --update")
            continue
        allowed = int(-(-slack * floor["there"] // 1))
        for name, worse in (("read", -1), ("wrong", 1), ("twice", 1)):
            change = count.get(name, 0) - floor.get(name, 0)
            if change * worse > allowed:
                failures.append(f"{group}: {count[name]} {name}, floor {floor[name]} of {floor['there']}")
            elif change * worse < 0:
                better.append(f"{group}: {count[name]} {name}, before {floor[name]} of {floor['there']}")
    return failures, better


def main(options, command, run, ask):
    """Counts, and compares or writes; ends the program with status 1 if a group is worse than its floor."""
    held = json.loads(FILE.read_text()) if FILE.exists() else {}
    if not held and not options.update:
        sys.exit(f"{FILE.name} is not there: write it by run.py gate --update --reason TEXT")
    if options.update and not options.reason:
        sys.exit("--update needs --reason TEXT, which says why the counts change")
    drawn = held.get("scenes", {"seed": options.seed, "count": 300})

    def counts(count, group=None):
        tally = run(drawn["seed"], count, {"decode-image": command}, quiet=True, group=group)["decode-image"]
        return counts_of_scenes(tally)

    groups = counts(drawn["count"])
    for group, (weight, _) in GROUPS.items():
        if not weight:
            groups |= counts(COUNT_OF_GROUP, group)
    counted = {
        "reason": options.reason, "versions": versions(command[0]),
        "scenes": {"seed": drawn["seed"], "count": drawn["count"], "groups": dict(sorted(groups.items()))}}
    corpus = None
    if options.corpus != "":
        corpus = counts_of_corpus(pathlib.Path(options.corpus or CORPUS), ask, command)
    if corpus is None:
        print("The corpus is not there, or not wanted: only the scenes are counted.")
        if "corpus" in held:
            counted["corpus"] = held["corpus"]
    else:
        counted["corpus"] = {"groups": corpus}
    if options.update:
        FILE.write_text(a_group_a_line(counted))
        print(f"{FILE.name} is written")
        return
    differing = sorted(name for name in {*held["versions"], *counted["versions"]}
                       if held["versions"].get(name) != counted["versions"].get(name))
    for name in differing:
        print(f"{name}: {held['versions'].get(name)} in {FILE.name}, here {counted['versions'].get(name)}")
    slack = SLACK_ACROSS_VERSIONS if differing else 0
    failed = False
    for part in ("scenes", "corpus") if corpus is not None and "corpus" in held else ("scenes",):
        groups = counted[part]["groups"]
        failures, better = check(held[part]["groups"], groups, slack)
        total = {name: sum(row.get(name, 0) for row in groups.values()) for name in ("there", "read", "wrong")}
        print(f"{part}: {total['read']} of {total['there']} read, {total['wrong']} wrong")
        for line in better:
            print(f"  better  {line}")
        for line in failures:
            print(f"  FAILED  {line}")
        failed = failed or bool(failures)
    if failed:
        sys.exit(1)
