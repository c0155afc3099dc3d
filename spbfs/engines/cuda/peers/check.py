"""What several GPUs have found in one search, checked and counted where it is
(``kernels/cuda/peers/bfs_peers_check.cu``): each by the rows of its own vertices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.graph.layout import Layout
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["RULES", "broken_rules", "levels_counted", "specialisations"]

Array = Any

#: What `enum Rule` counts.
RULES = (
    "a level is out of range",
    "a vertex has a level and no parent, or a parent and no level",
    "a vertex has level 0 and is not the source, or is and has not",
    "a vertex is its own parent and not the source, or is and is not",
    "an edge from a reached vertex leads more than one level deeper, or out of the search",
    "a parent is not one level up at the other end of an edge",
    "no edge leads from one level up",
)
#: `kLevelsCounted`.
LEVELS = 64
_RESIDENT = 8
_KERNELS = ("check_rows", "count_levels")


def _module(wide: bool) -> Specialisation:
    offset = "long long" if wide else "int"
    return Specialisation("bfs_peers_check", tuple(f"{name}<{offset}>" for name in _KERNELS))


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded."""
    yield from map(_module, (False, True))


@cache
def _kernel(name: str, wide: bool) -> Kernel:
    module = _module(wide)
    return Kernel(module, module.kernels[_KERNELS.index(name)])


def _launch(name: str, layout: Layout, work: int, *arguments: Any) -> None:
    wide = layout.in_indptr.dtype == np.int64
    grid = max(1, min(-(-work // THREADS), _RESIDENT * limits().sms))
    _kernel(name, wide)(grid, words_of(*arguments))


def broken_rules(layout: Layout, levels: Array, parents: Array, source: int) -> Array:
    """How often what the current GPU's own vertices have breaks each of `RULES`.

    Parameters
    ----------
    layout : Layout
    levels : array
        Of all GPUs, as `gather.shown` has them.
    parents : array
        Of this one.
    source : int
    """
    import cupy as cp

    broken = cp.zeros(len(RULES), np.uint64)
    own = layout.share.of(layout.n)
    of = layout.in_indptr, layout.in_indices, own, layout.caller_n, layout.label
    found = source, levels, parents
    _launch("check_rows", layout, 32 * own, *of, *found, *layout.share, broken)
    return broken


def levels_counted(layout: Layout, levels: Array) -> Array:
    """The current GPU's own vertices of every level of the first `LEVELS`, and the entries of their
    rows at all GPUs, by turns; the last has deeper ones, too."""
    import cupy as cp

    counts = cp.zeros(2 * LEVELS, np.uint64)
    own = layout.share.of(layout.n)
    of = own, layout.label, layout.degrees, levels
    _launch("count_levels", layout, own, *of, *layout.share, counts)
    return counts
