"""Launches of ``kernels/cuda/graph500.cu``, which draws the edges of Graph500's Kronecker graph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["draw", "specialisations"]

_MODULE = Specialisation("graph500", ("graph500_keys", "graph500_share_keys"))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield _MODULE


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(_MODULE, name)


def draw(
    kernel: Literal["graph500_keys", "graph500_share_keys"], graph: tuple[int, ...], *rest: Any
) -> None:
    """Go through all edges of a graph: its seed, its edges, its scale, and the probabilities of
    quadrants, summed up, of which 2^32 are one."""
    launched = _kernel(kernel)
    # As many CTAs as there are at once: all have as much to do.
    grid = max(1, min(-(-graph[1] // THREADS), launched.resident * limits().sms))
    launched(grid, words_of(*graph, *rest))
