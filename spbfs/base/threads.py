"""How many threads a CPU kernel runs on: the argument, else `set_threads`, else the environment."""

from __future__ import annotations

import os
from functools import cache
from operator import index
from typing import Any

from spbfs.base.cores import available_cores
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue

__all__ = ["get_threads", "resolve_threads", "set_threads"]

_chosen: int | None = None
# More threads than this is a mistake in a script, not a machine.
_MOST = 4096


def _checked(threads: Any) -> int:
    if isinstance(threads, bool):
        raise DomainMismatch(f"threads: {brief(threads)} is not a number of threads")
    try:
        count = index(threads)
    except TypeError:
        raise DomainMismatch(
            f"threads: {brief(threads)} is not an integer; expected a number of threads from 1"
        ) from None
    if not 1 <= count <= _MOST:
        raise InvalidValue(f"threads: {brief(count)} is not between 1 and {_MOST}")
    return count


def set_threads(threads: int | None) -> None:
    """Set how many threads CPU kernels use unless a call says otherwise.

    Parameters
    ----------
    threads : int or None
        From 1; None returns to the default, ``OMP_NUM_THREADS`` or else every core that the process
        may run on and its control group pays for, found anew.  However many are asked for, no more
        run than there are such cores, those of all calls together.

    Raises
    ------
    InvalidValue, DomainMismatch
        When `threads` is not a positive integer.

    Examples
    --------
    >>> set_threads(2)
    >>> get_threads()
    2
    >>> set_threads(None)
    """
    global _chosen
    _chosen = None if threads is None else _checked(threads)
    _default.cache_clear()


def get_threads() -> int:
    """The number of threads that a CPU kernel uses when a call does not say."""
    return _default() if _chosen is None else _chosen


@cache
def _default() -> int:
    """Found once, as OpenMP does: to ask takes microseconds, and every product wants to know."""
    # OpenMP allows a list, one number a nesting level; the first is ours.
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if first.isdecimal() and 1 <= int(first) <= _MOST:
        return int(first)
    return available_cores()


# A child may be given other cores than its parent has.
os.register_at_fork(after_in_child=_default.cache_clear)


def resolve_threads(threads: int | None) -> int:
    """`threads` checked, or the default where it is None."""
    return get_threads() if threads is None else _checked(threads)
