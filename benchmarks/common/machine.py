"""What a measurement was made on and with."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version


def describe_machine() -> str:
    """Processor, cores available to this process, memory, system, Python."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")]
        model = names[0] if names else model
    except OSError:
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    return f"{model}, {cores} cores, {memory:.0f} GiB, {system}, Python {platform.python_version()}"


def versions(packages: list[str]) -> dict[str, str]:
    """Versions of those of the packages that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
