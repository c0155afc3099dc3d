"""How many cores this process may keep busy: those it may run on, and what its quota pays for.

A container is often given some seconds of processor time a second, of a machine with many cores:
more threads than that are stopped in the middle of their work once the quota is used up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

__all__ = ["available_cores", "quota_cores"]

#: Where the kernel tells of the process, and the file system that its paths are of.
_ROOT = Path("/")


def available_cores() -> int:
    """Cores that this process may keep busy."""
    if hasattr(os, "sched_getaffinity"):
        found = len(os.sched_getaffinity(0))
    else:
        found = os.cpu_count() or 1
    quota = quota_cores()
    return found if quota is None else min(found, quota)


@cache
def quota_cores() -> int | None:
    """Cores that the control groups of this process pay for, rounded up; None without a limit.

    Read once.  What is absent, refused or cannot be understood limits nothing.
    """
    limits = [limit for folder in _groups(_ROOT) if (limit := _limit(folder)) is not None]
    return min(limits, default=None)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, ValueError):
        return []


def _groups(root: Path) -> Iterator[Path]:
    """Folders of the groups that the process is in, and of those that these are in."""
    memberships = [
        (kind.split(","), path)
        for number, kind, path in _fields(_lines(root / "proc/self/cgroup"))
        # Version 2 is without a list of controllers.
        if "cpu" in kind.split(",") or (number, kind) == ("0", "")
    ]
    for line in _lines(root / "proc/self/mountinfo"):
        mount, _, kind = line.partition(" - ")
        where, what = mount.split(" "), kind.split(" ")
        if len(where) < 5 or len(what) < 3 or what[0] not in ("cgroup", "cgroup2"):
            continue
        for controllers, path in memberships:
            old = "cpu" in controllers
            if what[0] == "cgroup" and not (old and "cpu" in what[2].split(",")):
                continue
            if what[0] == "cgroup2" and old:
                continue
            yield from _chain(root / where[4].lstrip("/"), where[3], path)


def _fields(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        number, _, rest = line.partition(":")
        kind, _, path = rest.partition(":")
        yield number, kind, path


def _chain(mounted: Path, top: str, path: str) -> Iterator[Path]:
    """The folders from the top of a mount down to a group, as far as they can be seen."""
    group = PurePosixPath(path)
    # In a container that has no name space of its own the mount begins below the path's root.
    inside = group.relative_to(top) if group.is_relative_to(top) else PurePosixPath()
    yield mounted
    for part in inside.parts:
        if part != "..":
            mounted = mounted / part
            yield mounted


def _limit(folder: Path) -> int | None:
    """Cores that one group pays for."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text(encoding="ascii").split()
        else:
            quota, period = (
                (folder / f"cpu.cfs_{name}_us").read_text(encoding="ascii").strip()
                for name in ("quota", "period")
            )
        # No limit is "max" in version 2 and -1 in version 1.
        used, of = int(quota), int(period)
    except (OSError, ValueError):
        return None
    return -(-used // of) if used > 0 and of > 0 else None
