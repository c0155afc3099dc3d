"""The awkward graphs and random ones, each rank given some of the edges."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb

sys.path.insert(0, str(Path(__file__).parents[1] / "backend"))
from bfs_cases import GRAPHS, matrix

__all__ = ["CASES", "matrix", "spread"]

Edges = list[tuple[int, int]]


def _random(seed: int) -> tuple[int, Edges]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 300))
    count = int(rng.integers(1, 6 * n))
    rows, cols = rng.integers(0, n, count), rng.integers(0, n, count) ** 2 // n
    return n, list(zip(rows.tolist(), cols.tolist(), strict=True))


CASES: dict[str, tuple[int, Edges]] = {
    **GRAPHS,
    **{f"random {seed}": _random(seed) for seed in range(4)},
}


def spread(ranks: Any, n: int, edges: Edges, **options: Any) -> sb.Matrix:
    """The graph over ranks, of which this one gives every so many-th edge."""
    some = np.array(edges[ranks.rank :: ranks.size], np.int64).reshape(-1, 2)
    return sb.distributed.from_edges(some[:, 0], some[:, 1], comm=ranks, n=n, **options)
