"""Graphs for many searches at once, and what every output must be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

import spbfs as sb
from spbfs.algorithms.bfs_many import prepare
from tests.graphs import Graph, both

EVERYTHING = ["levels", "level_sizes", "sum_inverses", "counts", "level_sums", "parents"]


def matrix(graph: Graph, device: str) -> sb.Matrix:
    return sb.Matrix.from_coo(
        graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.nrows, device=device
    )


def random_graph(n: int, m: int, seed: int, *, directed: bool = True) -> Graph:
    rng = np.random.default_rng(seed)
    # Squared, so that a few vertices have most of the edges.
    ends = (rng.random((m, 2)) ** 2 * n).astype(int).tolist()
    edges = [(u, v) for u, v in ends]
    return Graph(f"random-{n}-{m}", n, edges if directed else both(edges))


def expected(graph: Graph, sources: list[int], max_depth: int | None = None) -> np.ndarray:
    """Levels by SciPy's shortest paths, -1 where unreached."""
    ones = np.ones(len(graph.edges), np.int8)
    A = csr_array((ones, (graph.rows, graph.cols)), shape=(graph.nrows, graph.nrows))
    hops = shortest_path(A, unweighted=True, indices=sources)
    hops[hops > (np.inf if max_depth is None else max_depth)] = np.inf
    return np.where(np.isinf(hops), -1, hops).astype(np.int64)


def join_always(monkeypatch: pytest.MonkeyPatch, join: bool = True) -> None:
    monkeypatch.setattr(prepare, "searches_meet", lambda *_: join)


def host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.get()


def check(found: Any, levels: np.ndarray, graph: Graph) -> None:
    """Every output that there is against levels, -1 where not reached."""
    reached = levels >= 0
    degrees = np.array([len(row) for row in graph.neighbours()])
    np.testing.assert_array_equal(found.reached, reached.sum(axis=1))
    np.testing.assert_array_equal(found.sum_levels, np.where(reached, levels, 0).sum(axis=1))
    np.testing.assert_array_equal(found.eccentricity, levels.max(axis=1))
    assert found.depth == levels.max()
    assert found.done.all()
    assert found.edges == (reached * degrees).sum()
    if found.levels is not None:
        got = host(found.levels)
        unreached = np.iinfo(got.dtype).max
        np.testing.assert_array_equal(got, np.where(reached, levels, unreached))
    if found.level_sizes is not None:
        sizes = [(levels == d).sum(axis=1) for d in range(found.depth + 1)]
        np.testing.assert_array_equal(found.level_sizes, np.array(sizes).T)
    if found.sum_inverses is not None:
        inverses = (1 / np.where(levels > 0, levels, np.inf)).sum(axis=1)
        np.testing.assert_allclose(found.sum_inverses, inverses, rtol=1e-12)
    if found.counts is not None:
        np.testing.assert_array_equal(host(found.counts), reached.sum(axis=0))
    if found.level_sums is not None:
        sums = np.where(reached, levels, 0).sum(axis=0)
        np.testing.assert_array_equal(host(found.level_sums), sums)
    if found.parents is not None:
        check_parents(host(found.parents), levels, graph)


def check_parents(parents: np.ndarray, levels: np.ndarray, graph: Graph) -> None:
    edges = {(u, v) for u, row in enumerate(graph.neighbours()) for v in row}
    for parent, level in zip(parents, levels, strict=True):
        for v, p in enumerate(parent.tolist()):
            if level[v] <= 0:
                assert p == (v if level[v] == 0 else -1)
            else:
                assert level[p] == level[v] - 1 and (p, v) in edges
