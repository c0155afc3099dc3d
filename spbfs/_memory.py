"""How much memory there is, so that a request that cannot fit says so before it starts."""

from __future__ import annotations

import os
from pathlib import Path

from spbfs.exceptions import OutOfMemory

__all__ = ["available_memory", "require_memory"]


def available_memory() -> int | None:
    """Bytes this process can still have without swapping, or None where nothing tells.

    The smaller of what the kernel calls available and what the control group leaves.
    """
    found = [b for b in (_system_available(), _cgroup_available()) if b is not None]
    return min(found) if found else None


def require_memory(needed: int, what: str) -> None:
    """Raise `OutOfMemory` where `what` needs more bytes than there are."""
    free = available_memory()
    if free is not None and needed > free:
        raise OutOfMemory(
            f"{what} needs about {_readable(needed)} of memory, {_readable(free)} are free"
        )


def _system_available() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return None


def _cgroup_available() -> int | None:
    for limit, usage in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        (
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        ),
    ):
        try:
            most = int(Path(limit).read_text(encoding="ascii"))
            used = int(Path(usage).read_text(encoding="ascii"))
        except (OSError, ValueError):  # absent, or "max": no limit
            continue
        # Page cache counts as used but is given back on demand: only a share of it is known, so
        # the check errs on the side of letting a request through.
        return max(0, most - used + _cgroup_page_cache(Path(limit).parent))
    return None


def _cgroup_page_cache(folder: Path) -> int:
    try:
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            name, _, count = line.partition(" ")
            if name in {"file", "total_cache"}:
                return int(count)
    except (OSError, ValueError):
        pass
    return 0


def _readable(count: int) -> str:
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} TiB"
