"""How much memory a file may take: what the machine, and the control group, have left."""

from __future__ import annotations

import os
from pathlib import Path

from spbfs.exceptions import OutOfMemory

__all__ = ["available_memory", "require_memory"]


def _group_room() -> int | None:
    """Bytes left under the limit of the control group this process lives in, if it has one."""
    root = Path("/sys/fs/cgroup")
    try:
        most = (root / "memory.max").read_text().strip()
        if most == "max":
            return None
        held = int((root / "memory.current").read_text())
        # Cached file pages count as held but are given up on demand.
        stat = dict(line.split() for line in (root / "memory.stat").read_text().splitlines())
        return int(most) - held + int(stat.get("inactive_file", 0))
    except (OSError, ValueError):
        return None


def available_memory() -> int:
    """Bytes of memory that can be had without swapping.

    Examples
    --------
    >>> available_memory() > 0
    True
    """
    free = None
    try:
        with open("/proc/meminfo", encoding="ascii") as table:
            for line in table:
                if line.startswith("MemAvailable:"):
                    free = int(line.split()[1]) * 1024
                    break
    except (OSError, ValueError):
        pass
    if free is None:
        free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    room = _group_room()
    return free if room is None else max(0, min(free, room))


def require_memory(needed: int, what: str, advice: str = "") -> None:
    """Raise `OutOfMemory` when `needed` bytes are more than there are; `what` names the user."""
    free = available_memory()
    if needed > free:
        raise OutOfMemory(f"{what} needs {needed:,} bytes and {free:,} are free{advice}")
