"""Refusing a request that cannot fit before anything is allocated for it."""

from __future__ import annotations

import os

from spbfs.exceptions import OutOfMemory

__all__ = ["available_bytes", "require_bytes"]


def available_bytes() -> int:
    """Bytes of host memory that a new allocation may expect to get."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def require_bytes(needed: int, what: str) -> None:
    """Raise `OutOfMemory` when `what` needs more bytes than there are.

    Small requests are never refused, and never measured.
    """
    if needed < 1 << 28:
        return
    free = available_bytes()
    if needed > free:
        raise OutOfMemory(f"{what} needs {needed:,} bytes of memory; {free:,} are available")
