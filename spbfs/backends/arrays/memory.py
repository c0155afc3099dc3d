"""Whether a request fits, decided before it starts."""

from __future__ import annotations

import os

from spbfs.exceptions import OutOfMemory

__all__ = ["available", "require"]

#: Smaller requests are not worth a look at the machine's state.
FREE_OF_CHECK = 1 << 26


def available() -> int:
    """Bytes of memory that can be had without swapping."""
    try:
        with open("/proc/meminfo", encoding="ascii") as meminfo:
            for line in meminfo:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def require(needed: int, what: str) -> None:
    """Raise unless `needed` bytes can be had.

    Raises
    ------
    OutOfMemory
        Naming `what`, the bytes needed and the bytes available.
    """
    if needed < FREE_OF_CHECK:
        return
    free = available()
    if needed > free:
        raise OutOfMemory(f"{what}: needs {needed} bytes, {free} bytes are available")
