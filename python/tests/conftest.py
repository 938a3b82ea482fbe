"""Pictures for the tests: those of Samples/, and some that do harm."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Samples"

#: Widths at which the preloaded library does harm, see poison.c, and what becomes of the picture.
POISON = {6661: "reader_crashed", 6662: "timed_out", 6663: "out_of_memory"}


def expected() -> dict[str, set[tuple[str, str]]]:
    """The format and text of the symbols in each sample."""
    samples: list[dict[str, Any]] = json.loads((SAMPLES / "expected.json").read_text())
    return {one["file"]: {(symbol["format"], symbol["text"]) for symbol in one["symbols"]} for one in samples}


def png(width: int, height: int = 3) -> bytes:
    """A white picture as a file."""
    buffer = io.BytesIO()
    Image.new("L", (width, height), 255).save(buffer, "png")
    return buffer.getvalue()


def build_poison(folder: Path) -> Path:
    """Makes the library that has pictures do harm."""
    library = folder / "poison.so"
    # Swift brings clang.
    compiler = shutil.which("cc") or "clang"
    source = Path(__file__).with_name("poison.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture(scope="session")
def poison_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that has pictures do harm."""
    return build_poison(tmp_path_factory.mktemp("poison"))
