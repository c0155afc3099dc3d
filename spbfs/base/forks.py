"""Locks that a forked child finds free, whatever other threads were at."""

from __future__ import annotations

import os
from threading import RLock

__all__ = ["fork_safe_lock"]


def fork_safe_lock() -> RLock:
    """A lock that a thread may take twice, and that no other thread holds when this one forks.

    A child has the thread that forked alone: a lock that another one held would never be free
    there.  Of two such locks that are held at the same time, the one that is made later is taken
    first, as a fork does.
    """
    lock = RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock
