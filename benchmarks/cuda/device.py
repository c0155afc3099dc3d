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
    # By its address: CUDA's numbers are others where CUDA_VISIBLE_DEVICES names some of the cards.
    bus = cp.cuda.runtime.deviceGetPCIBusId(cp.cuda.Device().id)
    query = f"--query-gpu={','.join(names)}"
    command = ["nvidia-smi", f"--id={bus}", query, "--format=csv,noheader"]
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return found
    return found | dict(zip(names, map(str.strip, out.stdout.split(",")), strict=True))


def device_line(report: dict[str, Any]) -> str:
    """The same for a reader, without its name and the day."""
    names = ("driver_version", "clocks.max.sm", "clocks.sm", "clocks.mem", "cuda", "cupy")
    return ", ".join(f"{name} {report[name]}" for name in names if name in report)
