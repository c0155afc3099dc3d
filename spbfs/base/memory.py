"""How much memory there is, so that a request that cannot fit is refused before it starts."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from spbfs.exceptions import OutOfMemory

__all__ = ["available_bytes", "refusal", "require_bytes", "typed_refusals"]

P = ParamSpec("P")
R = TypeVar("R")

#: Smaller requests are granted without a look at the machine.
UNQUESTIONED = 1 << 26


def _machine_room() -> int:
    """Bytes the kernel can hand out without swapping."""
    try:
        with open("/proc/meminfo", encoding="ascii") as table:
            for line in table:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _group_room() -> int | None:
    """Bytes left under the limit of the control group this process lives in, if it has one."""
    root = Path("/sys/fs/cgroup")
    try:
        most = int((root / "memory.max").read_text())  # "max" where there is no limit
        held = int((root / "memory.current").read_text())
        # Cached file pages count as held but are given up on demand.
        stat = dict(line.split() for line in (root / "memory.stat").read_text().splitlines())
        return most - held + int(stat.get("inactive_file", 0))
    except (OSError, ValueError):
        return None


def available_bytes() -> int:
    """Bytes of host memory that can be had without swapping.

    Examples
    --------
    >>> available_bytes() > 0
    True
    """
    room = _group_room()
    return _machine_room() if room is None else max(0, min(_machine_room(), room))


def require_bytes(needed: int, what: str, advice: str = "") -> None:
    """Raise `OutOfMemory` when `what` needs more bytes than there are.

    Parameters
    ----------
    needed : int
        Bytes.
    what : str
        Begins the message; the argument or file at fault.
    advice : str, optional
        Ends the message.
    """
    if needed < UNQUESTIONED:
        return
    free = available_bytes()
    if needed > free:
        raise OutOfMemory(f"{what} needs {needed:,} bytes and {free:,} are free{advice}")


def typed_refusals(operation: Callable[P, R]) -> Callable[P, R]:
    """`operation`, with an allocation that fails inside of it reported as `OutOfMemory`.

    What an engine needs is known before it starts in most cases only; this is for the others.
    """

    @functools.wraps(operation)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return operation(*args, **kwargs)
        except OutOfMemory:
            raise
        except MemoryError as error:
            raise refusal(error) from error

    return guarded


def refusal(error: MemoryError) -> OutOfMemory:
    """The error to raise for an allocation that failed."""
    reason = str(error) or "an allocation failed"
    return OutOfMemory(f"{reason}; {_room_after(error):,} bytes are free")


def _room_after(error: MemoryError) -> int:
    """Bytes free where an allocation failed; of a GPU once its pool has given back what it kept."""
    if not type(error).__module__.startswith("cupy"):
        return available_bytes()
    from spbfs.base.gpu_memory import release  # imports CuPy, which is there: it raised the error

    return release()
