"""Where the program `decode-image` is."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
from importlib import metadata
from pathlib import Path

#: Names the program to use, whatever else there is; `bundled` stands for the one inside this package.
VARIABLE = "QUIETZONE_PROGRAM"

BUNDLED = Path(__file__).parent / "program" / "bin" / "decode-image"


class ProgramNotFound(RuntimeError):
    """There is no `decode-image` that this package can work with."""


def version() -> str:
    """The version of this package, which is that of the program inside it."""
    try:
        return metadata.version("quietzone")
    except metadata.PackageNotFoundError:  # unpacked from an archive without its metadata
        return "unknown"


def find_program() -> str:
    """The path of the program: what QUIETZONE_PROGRAM names, else that of the system, else the one inside this package.

    The system's is passed over where it is of another version than this package, unless there is no other.
    """
    named = os.environ.get(VARIABLE)
    if named and named != "bundled":
        found = shutil.which(named)
        if found is None:
            raise ProgramNotFound(f"{VARIABLE} names {named}, which is no program")
        return found
    installed = None if named else shutil.which("decode-image")
    if installed and (not BUNDLED.exists() or program_version(installed) == version()):
        return installed
    if BUNDLED.exists():
        return _runnable(BUNDLED)
    raise ProgramNotFound(f"decode-image is not on PATH, not inside this package, and {VARIABLE} is not set")


def locate(program: str | None) -> str:
    """The path of the given program, or of the one that `find_program` finds if none is given."""
    if program is None:
        return find_program()
    found = shutil.which(program)
    if found is None:
        raise ProgramNotFound(f"{program} is not a program; give the path of decode-image, or leave it out")
    return found


def program_version(program: str) -> str | None:
    """What a program says its version is; None where it does not answer."""
    words = _version_answer(program)
    return words[1] if len(words) > 1 and words[0] == "decode-image" else None


def is_other_program(program: str) -> bool:
    """Whether a program says that it is another one than `decode-image`."""
    return _version_answer(program)[:1] not in ([], ["decode-image"])


@functools.lru_cache(maxsize=8)
def _version_answer(program: str) -> list[str]:
    """The first words of a program's answer to --version; none where it does not answer."""
    try:
        answer = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=True, text=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return []
    return answer.stdout.split(None, 2)


def _runnable(program: Path) -> str:
    # Some tools that unpack archives, those of clusters among them, forget that a file is a program.
    if not os.access(program, os.X_OK):
        program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(program)
