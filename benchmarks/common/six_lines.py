"""The searches that a user composes of statements, as the README has them."""

from __future__ import annotations

from types import ModuleType
from typing import Any


def levels(gb: ModuleType, A: Any, source: int) -> Any:
    """Levels, in the dialect that spbfs and python-graphblas share."""
    q = gb.Vector(bool, A.nrows)
    q[source] = True
    visited = gb.Vector(int, A.nrows)
    depth = 0
    while q.nvals:
        visited(q.S) << depth
        q(~visited.S, gb.replace) << gb.semiring.any_pair(q @ A)
        depth += 1
    return visited


def parents(gb: ModuleType, A: Any, source: int) -> Any:
    """Parents: the frontier carries, for every vertex, who found it."""
    any_secondi = gb.semiring.ss.any_secondi
    q = gb.Vector(int, A.nrows)
    q[source] = source
    found = gb.Vector(int, A.nrows)
    while q.nvals:
        found(q.S) << q
        q(~found.S, gb.replace) << any_secondi(q @ A)
    return found
