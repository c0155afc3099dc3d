"""The fused search on a GPU, on small awkward graphs: every direction, layout and tier."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp

from spbfs.backends.cuda_bfs import FusedBFS, Tuning
from spbfs.backends.cuda_layout import build_layout
from spbfs.exceptions import IndexOutOfBound, InvalidValue


def _symmetric(n: int, u: Any, v: Any) -> sp.csr_array:
    ones = np.ones(2 * len(u), dtype=bool)
    A = sp.csr_array((ones, (np.r_[u, v], np.r_[v, u])), shape=(n, n))
    A.sum_duplicates()
    return A


def _random(n: int, m: int, seed: int, skew: float) -> sp.csr_array:
    rng = np.random.default_rng(seed)
    u, v = ((rng.random((2, m)) ** skew) * n).astype(np.int64)
    label = rng.permutation(n)
    return _symmetric(n, label[u], label[v])


def _lattice(side: int) -> sp.csr_array:
    v = np.arange(side * side).reshape(side, side)
    return _symmetric(
        side * side,
        np.r_[v[:, 1:].ravel(), v[1:].ravel()],
        np.r_[v[:, :-1].ravel(), v[:-1].ravel()],
    )


GRAPHS = {
    "one vertex": _symmetric(1, np.array([], int), np.array([], int)),
    "no edges": _symmetric(40, np.array([], int), np.array([], int)),
    "path": _symmetric(700, np.arange(699), np.arange(1, 700)),
    "star": _symmetric(20_001, np.zeros(20_000, int), np.arange(1, 20_001)),
    "two stars": _symmetric(
        900, np.r_[np.zeros(499, int), np.full(399, 500)], np.r_[1:500, 501:900]
    ),
    "lattice": _lattice(60),
    "uniform": _random(4096, 40_000, 1, 1.0),
    "skewed": _random(5000, 60_000, 2, 4.0),
    "loops": _symmetric(50, np.arange(50), np.arange(50) // 2),
}
LAYOUTS: dict[str, dict[str, Any]] = {
    "identity": {},
    "head of four": {"head": 4},
    "compact": {"hubs": 0},
    "hubs": {"hubs": 200},
    "by degree": {"hubs": 1 << 30},
    "records": {"records": True},
}


@cache
def _levels(graph: str, source: int) -> Any:
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


def _check(graph: str, source: int, levels: Any, parents: Any) -> None:
    A = GRAPHS[graph]
    assert np.array_equal(levels, _levels(graph, source))
    assert parents[source] == source
    assert np.array_equal(parents < 0, levels < 0)
    children = np.flatnonzero(levels > 0)
    assert np.array_equal(levels[parents[children]], levels[children] - 1)
    edges = sp.coo_array(A)
    key = edges.row.astype(np.int64) * A.shape[0] + edges.col
    assert np.isin(parents[children].astype(np.int64) * A.shape[0] + children, key).all()


@pytest.mark.parametrize("wide", [False, True], ids=["int32", "int64"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_tree_in_every_direction(graph: str, layout: str, wide: bool) -> None:
    A = GRAPHS[graph]
    n = A.shape[0]
    indptr = cp.asarray(A.indptr.astype(np.int64 if wide else np.int32))
    indices = cp.asarray(A.indices.astype(np.int32))
    built = build_layout(n, indptr, indices, **LAYOUTS[layout])
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    # The second leaves the small tier early and often, and never lets one CTA go alone.
    for tuning in (Tuning(), Tuning(cluster_enter=200, cluster_leave=300, solo_enter=0, cached=0)):
        plan = FusedBFS(built, tuning=tuning)
        for direction in ("auto", "push", "pull"):
            for source in {0, n // 2, n - 1}:
                levels.fill(-7)
                parents.fill(-7)
                plan.run(source, levels, parents, direction=direction)
                _check(graph, source, levels.get(), parents.get())
                summary = plan.summary()
                assert summary.reached == int((levels >= 0).sum())
                assert summary.depth == int(levels.max())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_depth_target_and_several_sources(layout: str) -> None:
    A = GRAPHS["lattice"]
    n = A.shape[0]
    indptr, indices = cp.asarray(A.indptr.astype(np.int32)), cp.asarray(A.indices.astype(np.int32))
    plan = FusedBFS(build_layout(n, indptr, indices, **LAYOUTS[layout]))
    levels = cp.empty(n, dtype=cp.int32)
    expected = _levels("lattice", 5)
    plan.run(5, levels, None, max_depth=7)
    assert np.array_equal(levels.get(), np.where(expected <= 7, expected, -1))
    plan.run(5, levels, None, target=70)
    assert np.array_equal(levels.get(), np.where(expected <= expected[70], expected, -1))
    plan.run(cp.asarray([5, n - 1, 5], dtype=cp.int32), levels, None)
    assert np.array_equal(levels.get(), np.minimum(expected, _levels("lattice", n - 1)))


def test_bad_sources_are_refused() -> None:
    A = GRAPHS["path"]
    indptr, indices = cp.asarray(A.indptr.astype(np.int32)), cp.asarray(A.indices.astype(np.int32))
    plan = FusedBFS(build_layout(A.shape[0], indptr, indices))
    levels = cp.empty(A.shape[0], dtype=cp.int32)
    with pytest.raises(IndexOutOfBound, match="700"):
        plan.run(700, levels, None)
    with pytest.raises(InvalidValue, match="max_depth"):
        plan.run(0, levels, None, max_depth=-1)
    plan.run(cp.asarray([700], dtype=cp.int32), levels, None)
    with pytest.raises(IndexOutOfBound, match="on the device"):
        plan.summary()
    plan.run(0, levels, None)
    assert plan.summary().reached == 700
