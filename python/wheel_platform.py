"""Names the platform of the wheel, which holds a program."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelPlatform(BuildHookInterface[Any]):
    """Takes the platform from QUIETZONE_WHEEL_PLATFORM, which scripts/build-wheel sets."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Without a program inside, the wheel is for any platform and needs the program of the system."""
        platform = os.environ.get("QUIETZONE_WHEEL_PLATFORM")
        if platform:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
