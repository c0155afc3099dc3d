"""Which GPU a measurement was made on."""

from __future__ import annotations

import subprocess
import time
from typing import Any

import cupy as cp


def describe_device() -> dict[str, Any]:
    """The current GPU with its clocks and driver, CuPy, and the day."""
    properties = cp.cuda.runtime.getDeviceProperties(cp.cuda.Device().id)
    found = {
        "device": properties["name"].decode(),
        "multiprocessors": properties["multiProcessorCount"],
        "cuda": cp.cuda.runtime.runtimeGetVersion(),
        "cupy": cp.__version__,
        "date": time.strftime("%Y-%m-%d"),
    }
    names = ["driver_version", "clocks.max.sm", "clocks.sm", "clocks.mem"]
    command = ["nvidia-smi", f"--query-gpu={','.join(names)}", "--format=csv,noheader"]
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return found
    line = out.stdout.splitlines()[cp.cuda.Device().id]
    return found | dict(zip(names, map(str.strip, line.split(",")), strict=True))


def device_line(report: dict[str, Any]) -> str:
    """The same for a reader, without its name and the day."""
    names = ("driver_version", "clocks.max.sm", "clocks.sm", "clocks.mem", "cuda", "cupy")
    return ", ".join(f"{name} {report[name]}" for name in names if name in report)
