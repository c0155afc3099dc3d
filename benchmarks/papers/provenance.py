"""What a result says of the run that made it: the version and the machine."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

from benchmarks.common.machine import describe_machine

__all__ = ["LOAD", "VERSION", "machine"]

#: Behind it is how busy the host was.
LOAD = ", load average "
#: The checkout's, whatever is installed.
VERSION: str = tomllib.loads(
    (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["version"]


def machine(device: str) -> str:
    """The host, and before it the GPU where that is the device."""
    # What others did meanwhile is in it: times of a busy machine are ratios at best.
    host = f"{describe_machine()}{LOAD}{os.getloadavg()[1]:.1f}"
    if device == "cpu":
        return host
    from benchmarks.cuda.device import describe_device, device_line

    found = describe_device()
    return f"{found['device']}, {device_line(found)}; its host {host}"
