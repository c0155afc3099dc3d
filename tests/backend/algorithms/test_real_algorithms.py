"""Algorithms on the real graphs of the shared data folder, against SciPy and their own checks."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph as csgraph
from real_graphs import ABSENT, DATA, EXPECTED

import spbfs as sb
from tests.backend.algorithm_cases import weighted

#: Searched by `make test`; the others by `make full`.
FEW = ("road-cal", "wiki-vote", "cit-hep-th", "internet-as-caida")
GRAPHS = [n if n in FEW else pytest.param(n, marks=pytest.mark.long) for n in EXPECTED]

pytestmark = [
    pytest.mark.skipif(not EXPECTED, reason=ABSENT),
    pytest.mark.parametrize("name", GRAPHS),
]


@cache
def pattern(name: str) -> sp.csr_array:
    S = sp.csr_array(sb.read(DATA / EXPECTED[name]["file"]).to_scipy())
    S.data = np.ones(S.nnz)
    return S


@cache
def undirected(name: str) -> sp.csr_array:
    S = pattern(name)
    both = sp.csr_array(((S + S.T) > 0).astype(float))
    both.setdiag(0)
    both.eliminate_zeros()
    return both


@pytest.fixture
def fast(device: str) -> str:
    if device == "reference":
        pytest.skip("the reference engine takes minutes on real graphs")
    return device


def on(S: Any, device: str) -> sb.Matrix:
    return sb.Matrix.from_scipy(S).to(device)


def host(v: sb.Vector, fill: Any = None) -> Any:
    return v.to("cpu").to_dense(fill)


def least(labels: np.ndarray) -> np.ndarray:
    """Labels named after their least vertex."""
    first = np.full(labels.max(initial=-1) + 1, labels.shape[0])
    np.minimum.at(first, labels, np.arange(labels.shape[0]))
    return first[labels]


def test_connectivity(name: str, fast: str) -> None:
    S = pattern(name)
    A = on(S, fast)
    for find, connection in ((sb.components, "weak"), (sb.strong_components, "strong")):
        count, labels = csgraph.connected_components(S, connection=connection)
        assert count == EXPECTED[name][f"{connection}_components"]
        np.testing.assert_array_equal(host(find(A)), least(labels))
    sb.verify.spanning_forest(A, sb.spanning_forest(A))
    sb.verify.bipartite(A, sb.bipartite(A))


def test_minimum_spanning_forest(name: str, fast: str) -> None:
    W = weighted(undirected(name), np.int64, 1, 256)
    A = on(W, fast)
    forest = sb.minimum_spanning_forest(A)
    sb.verify.minimum_spanning_forest(A, forest)
    total = csgraph.minimum_spanning_tree(W).sum()
    assert forest.reduce_scalar("plus").new().value == 2 * total


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_shortest_paths(name: str, fast: str, dtype: Any) -> None:
    W = weighted(pattern(name), dtype, 1, 256)
    A = on(W, fast)
    for source in [s["source"] for s in EXPECTED[name]["bfs"][:2]]:
        expected = csgraph.dijkstra(W, indices=source)
        for method in ("auto", "composed"):
            distances, parents = sb.sssp(A, source, method=method)
            found = host(distances, dtype(-1)).astype(float)
            found[found < 0] = np.inf
            np.testing.assert_allclose(found, expected, rtol=1e-9)
        sb.verify.sssp(A, source, distances, parents)


def test_pagerank(name: str, fast: str) -> None:
    S = pattern(name)
    n, out = S.shape[0], np.diff(S.indptr)
    T, rank = sp.csr_array(S.T), np.full(S.shape[0], 1 / S.shape[0])
    for _ in range(200):
        shares = np.divide(rank, out, out=np.zeros(n), where=out > 0)
        rank = 0.15 / n + 0.85 * (T @ shares + rank[out == 0].sum() / n)
    for method in ("auto", "composed"):
        found = sb.pagerank(on(S, fast), tolerance=1e-12, iterations=500, method=method)
        np.testing.assert_allclose(host(found), rank, rtol=1e-6)


def test_triangles_and_cores(name: str, fast: str) -> None:
    S = undirected(name)
    expected = np.asarray((S @ S).multiply(S).sum(axis=1)).ravel() / 2
    A = on(S, fast)
    for method in ("auto", "composed"):
        np.testing.assert_array_equal(host(sb.triangles(A, method=method)), expected)
    cores = sb.core_numbers(A)
    sb.verify.core_numbers(A, cores)
    np.testing.assert_array_equal(host(sb.core_numbers(A, method="composed")), host(cores))


def test_sets_and_communities(name: str, fast: str) -> None:
    A = on(undirected(name), fast)
    sb.verify.independent_set(A, sb.maximal_independent_set(A))
    sb.verify.colouring(A, sb.colouring(A))
    sb.verify.communities(A, sb.louvain(A))
