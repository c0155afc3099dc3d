"""Small awkward graphs for searches on a GPU, and what these must find."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp

__all__ = ["GRAPHS", "check_search", "levels_of", "symmetric"]


def symmetric(n: int, u: Any, v: Any) -> sp.csr_array:
    ones = np.ones(2 * len(u), dtype=bool)
    A = sp.csr_array((ones, (np.r_[u, v], np.r_[v, u])), shape=(n, n))
    A.sum_duplicates()
    return A


def random_graph(n: int, m: int, seed: int, skew: float) -> sp.csr_array:
    rng = np.random.default_rng(seed)
    u, v = ((rng.random((2, m)) ** skew) * n).astype(np.int64)
    label = rng.permutation(n)
    return symmetric(n, label[u], label[v])


def _directed(n: int, m: int, seed: int) -> sp.csr_array:
    """A few rows have most entries, others most of what leads in; many vertices have one kind."""
    rng = np.random.default_rng(seed)
    u, v = ((rng.random((2, m)) ** 3) * n).astype(np.int64)
    A = sp.csr_array((np.ones(m, dtype=bool), (u, (v * 7919) % n)), shape=(n, n))
    A.sum_duplicates()
    return A


def lattice(side: int) -> sp.csr_array:
    v = np.arange(side * side).reshape(side, side)
    return symmetric(
        side * side,
        np.r_[v[:, 1:].ravel(), v[1:].ravel()],
        np.r_[v[:, :-1].ravel(), v[:-1].ravel()],
    )


def _mesh(side: int) -> sp.csr_array:
    """A lattice with one diagonal of every square: rows of six."""
    v = np.arange(side * side).reshape(side, side)
    diagonals = symmetric(side * side, v[1:, 1:].ravel(), v[:-1, :-1].ravel())
    return sp.csr_array(lattice(side) + diagonals)


def _late(seed: int | None) -> sp.csr_array:
    """A star, then rows of many lengths, each with one neighbour that leads to it, the last unless
    labels are shuffled, and others behind it: few rows are left after a level, for four more."""
    n = leaves = 50_001
    u, v = [np.zeros(leaves - 1, int)], [np.arange(1, leaves)]
    for length in (3, 20, 40, 300, 800, 900):
        # Least degree, so that it comes last: it is no part of the ring.
        row, others, last = n, np.arange(n + 1, n + length), n + length
        tails = np.arange(n + length + 1, n + length + 3)
        u += [np.full(length, row), others, [last], tails]
        v += [np.r_[others, last], np.roll(others, 1), [1 + length], others[:2]]
        n += length + 3
    label = np.arange(n) if seed is None else np.random.default_rng(seed).permutation(n)
    return symmetric(n, label[np.concatenate(u)], label[np.concatenate(v)])


GRAPHS = {
    "one vertex": symmetric(1, np.array([], int), np.array([], int)),
    "no edges": symmetric(40, np.array([], int), np.array([], int)),
    "path": symmetric(700, np.arange(699), np.arange(1, 700)),
    "star": symmetric(20_001, np.zeros(20_000, int), np.arange(1, 20_001)),
    "two stars": symmetric(
        900, np.r_[np.zeros(499, int), np.full(399, 500)], np.r_[1:500, 501:900]
    ),
    "lattice": lattice(60),
    "stencil": sp.csr_array(lattice(60) + sp.eye_array(3600, dtype=bool)),
    "mesh": _mesh(50),
    "uniform": random_graph(4096, 40_000, 1, 1.0),
    "skewed": random_graph(5000, 60_000, 2, 4.0),
    "loops": symmetric(50, np.arange(50), np.arange(50) // 2),
    "directed": _directed(5000, 30_000, 3),
    "into one": sp.csr_array(
        (np.ones(3000, dtype=bool), (np.arange(1, 3001), np.zeros(3000, int))), shape=(3001, 3001)
    ),
    "late": _late(None),
    "late, shuffled": _late(5),
}


@cache
def levels_of(graph: str, source: int) -> Any:
    A = GRAPHS[graph]
    levels = np.full(A.shape[0], -1)
    levels[source] = 0
    frontier = np.array([source])
    depth = 0
    while frontier.size:
        depth += 1
        found = np.unique(A[frontier].indices)
        frontier = found[levels[found] < 0]
        levels[frontier] = depth
    return levels


def check_search(graph: str, source: int, levels: Any, parents: Any) -> None:
    A = GRAPHS[graph]
    assert np.array_equal(levels, levels_of(graph, source))
    assert parents[source] == source
    assert np.array_equal(parents < 0, levels < 0)
    children = np.flatnonzero(levels > 0)
    assert np.array_equal(levels[parents[children]], levels[children] - 1)
    edges = sp.coo_array(A)
    key = edges.row.astype(np.int64) * A.shape[0] + edges.col
    assert np.isin(parents[children].astype(np.int64) * A.shape[0] + children, key).all()
