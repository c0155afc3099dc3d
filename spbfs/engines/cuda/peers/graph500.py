"""Launches of ``cuda/peers/graph500.cu``, which draws the edges of Graph500's Kronecker graph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import numpy as np

from spbfs.engines.cuda.graph.build import Share
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["draw", "level_bytes", "specialisations"]

Array = Any

_MODULE = Specialisation(
    "graph500", ("graph500_keys", "graph500_share_keys", "graph500_levels", "graph500_check")
)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield _MODULE


@cache
def _kernel(name: str) -> Kernel:
    return Kernel(_MODULE, name)


def draw(
    kernel: Literal["graph500_keys", "graph500_share_keys", "graph500_check"],
    graph: tuple[int, ...],
    *rest: Any,
) -> None:
    """Go through edges of a graph: its seed, its edges, its scale, and the probabilities of
    quadrants, summed up, of which 2^32 are one."""
    _launch(kernel, graph[1], *graph, *rest)


def level_bytes(levels: Array, rank: Array | None, share: Share, n: int) -> Array:
    """What all GPUs have found, as bytes of the current one: level + 1, 0 where there is none.

    Parameters
    ----------
    levels : array
        Of `gather.shown`.
    rank : array or None
        Internal ids by label; None where they are the same.
    share : Share
        Any of the GPUs'.
    n : int
    """
    import cupy as cp

    made = cp.empty(n, np.uint8)
    _launch("graph500_levels", n, levels, rank, n, share.shift, share.gpus, made)
    return made


def _launch(kernel: str, work: int, *arguments: Any) -> None:
    launched = _kernel(kernel)
    # As many CTAs as there are at once: all have as much to do.
    grid = max(1, min(-(-work // THREADS), launched.resident * limits().sms))
    launched(grid, words_of(*arguments))
