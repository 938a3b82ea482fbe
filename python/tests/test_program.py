"""Which program is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from quietzone import ProgramNotFound, _program


def program(folder: Path, version: str) -> Path:
    path = folder / "decode-image"
    folder.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho decode-image {version}\necho zbar 1\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("named", "installed", "bundled", "used"),
    [
        (None, "1.0", True, "installed"),
        (None, "2.0", True, "bundled"),
        (None, "2.0", False, "installed"),
        (None, None, True, "bundled"),
        ("bundled", "1.0", True, "bundled"),
        ("named", "1.0", True, "named"),
        (None, None, False, None),
        ("bundled", "1.0", False, None),
        ("missing", "1.0", True, None),
    ],
)
def test_order(
    named: str | None,
    installed: str | None,
    bundled: bool,
    used: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = {name: tmp_path / name / "decode-image" for name in ("named", "installed", "bundled")}
    program(tmp_path / "named", "3.0")
    if installed:
        program(tmp_path / "installed", installed)
    if bundled:
        # Some tools that unpack archives forget that it is a program.
        program(tmp_path / "bundled", "1.0").chmod(0o644)
    monkeypatch.setattr(_program, "version", lambda: "1.0")
    monkeypatch.setattr(_program, "BUNDLED", paths["bundled"])
    monkeypatch.setenv("PATH", str(tmp_path / "installed"))
    monkeypatch.delenv("QUIETZONE_PROGRAM", raising=False)
    if named:
        monkeypatch.setenv("QUIETZONE_PROGRAM", str(paths.get(named, "missing")) if named == "named" else named)
    if used is None:
        with pytest.raises(ProgramNotFound):
            _program.find_program()
    else:
        assert _program.find_program() == str(paths[used])
        assert Path(_program.find_program()).stat().st_mode & 0o100
