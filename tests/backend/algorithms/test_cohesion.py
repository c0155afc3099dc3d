"""Triangles, clustering, cores, trusses and likeness equal NetworkX's, whatever the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.algorithms.cohesion import closure, similarity
from spbfs.exceptions import DimensionMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
from tests.backend.algorithm_cases import DIRECTED, on, pattern
from tests.graphs import Graph

WAYS = ["composed", "auto"]
#: Scores by their names here and there.
SCORES = [
    (sb.jaccard, nx.jaccard_coefficient),
    (sb.adamic_adar, nx.adamic_adar_index),
    (sb.resource_allocation, nx.resource_allocation_index),
    (sb.preferential_attachment, nx.preferential_attachment),
    (sb.common_neighbours, None),
]


def graphs(device: str) -> Iterator[Graph]:
    """All of them; products of the reference take it minutes on dense ones."""
    for graph in DIRECTED.values():
        if device != "reference" or len(graph.edges) <= 150:
            print(graph.name)
            yield graph


def networkx(S: sp.csr_array, kind: Any = nx.Graph) -> Any:
    """The graph without loops, as NetworkX's functions want it."""
    G = nx.from_scipy_sparse_array(S, create_using=kind)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    return G


def by_vertex(values: dict[int, Any], n: int) -> list[Any]:
    return [values[v] for v in range(n)]


def dense(v: Any) -> Any:
    assert v.nvals == v.size
    return v.to("cpu").to_dense()


@pytest.mark.parametrize("method", WAYS)
def test_counts(device: str, method: Any) -> None:
    for graph in graphs(device):
        S = pattern(graph)
        n, A = graph.nrows, on(S, device)
        G = networkx(S + S.T)
        found = sb.triangles(A, method=method)
        assert found.dtype == sb.dtypes.INT64
        assert found.device == device
        np.testing.assert_array_equal(dense(found), by_vertex(nx.triangles(G), n))
        cores = sb.core_numbers(A, method=method)
        assert cores.dtype == sb.dtypes.INT64
        np.testing.assert_array_equal(dense(cores), by_vertex(nx.core_number(G) if n else {}, n))
        sb.verify.triangles(A, found)
        sb.verify.core_numbers(A, cores)


@pytest.mark.parametrize("method", WAYS)
def test_shares(device: str, method: Any) -> None:
    for graph in graphs(device):
        S = pattern(graph)
        n, both = graph.nrows, pattern(graph, symmetric=True)
        directed, undirected = networkx(S, nx.DiGraph), networkx(both)
        expected = nx.clustering(undirected if nx.is_empty(directed) else directed) if n else {}
        found = sb.clustering(on(S, device), method="auto")
        np.testing.assert_allclose(dense(found), by_vertex(expected, n), rtol=1e-12)
        A = on(both, device)
        plain = by_vertex(nx.clustering(undirected), n)
        np.testing.assert_allclose(dense(sb.clustering(A, method=method)), plain, rtol=1e-12)
        share = sb.transitivity(A, method=method)
        assert share == pytest.approx(nx.transitivity(undirected), rel=1e-12)


@pytest.mark.parametrize("method", WAYS)
def test_parts(device: str, method: Any) -> None:
    for graph in graphs(device):
        S = pattern(graph)
        A, G = on(S, device), networkx(S + S.T)
        for k in (None, 0, 2, 3):
            kept = set(nx.k_core(G, k).nodes) if graph.nrows else set()
            edges = {(u, v) for u, v in graph.edges if u != v and u in kept and v in kept}
            assert entries(sb.k_core(A, k, method=method)) == edges
        for k in (0, 2, 3, 4, 5):
            truss = nx.k_truss(G, k)
            edges = {(u, v) for u, v in graph.edges if truss.has_edge(u, v)}
            found = sb.k_truss(A, k, method=method)
            assert entries(found) == edges
            sb.verify.k_truss(A, k, found)


def test_edges_that_go_one_by_one_leave_what_rounds_leave() -> None:
    A = sb.generate.kronecker(10, 8, seed=3)
    sizes = []
    for k in (3, 4, 8, 16, 30, 2**40):
        found = sb.k_truss(A, k)
        assert entries(found) == entries(sb.k_truss(A, k, method="composed"))
        sizes.append(found.nvals)
    assert sizes[0] > sizes[3] > 0 == sizes[-1]


def entries(C: Any) -> set[tuple[int, int]]:
    rows, cols, _ = C.to_coo()
    return set(zip(rows.tolist(), cols.tolist(), strict=True))


@pytest.mark.parametrize(("ours", "theirs"), SCORES, ids=lambda f: getattr(f, "__name__", ""))
def test_scores(device: str, ours: Any, theirs: Any) -> None:
    for graph in graphs(device):
        S, n = pattern(graph), graph.nrows
        A, G = on(S, device), networkx(S + S.T)
        pairs = np.random.default_rng(n).integers(0, max(n, 1), (30 if n else 0, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        found = ours(A, pairs)
        assert found.device == device
        np.testing.assert_allclose(dense(found), scores(G, pairs.tolist(), theirs), rtol=1e-12)
        edges, values = ours(A).to_edgelist()
        assert edges.shape[0] == 2 * G.number_of_edges()
        np.testing.assert_allclose(values, scores(G, edges.tolist(), theirs), rtol=1e-12)


def scores(G: Any, pairs: list[list[int]], score: Any) -> list[float]:
    if score is None:
        return [len(nx.common_neighbors(G, u, v)) for u, v in pairs]
    return [value for _, _, value in score(G, pairs)]


@pytest.mark.parametrize("reflexive", [False, True])
def test_transitive_closure(device: str, reflexive: bool) -> None:
    for graph in graphs(device):
        S = pattern(graph)
        G = nx.from_scipy_sparse_array(S, create_using=nx.DiGraph)
        expected = set(nx.transitive_closure(G, reflexive=reflexive).edges)
        C = sb.transitive_closure(on(S, device), reflexive=reflexive)
        assert C.dtype == sb.dtypes.BOOL
        assert entries(C) == expected
        assert C.select(sb.select.valueeq, False).new().nvals == 0


def larger() -> Iterator[sp.csr_array]:
    """With hubs and without; loops; hubs that are not the core; wide indices are below."""
    yield sb.generate.delaunay(3000).to_scipy()
    yield sb.generate.uniform(2000, 30).to_scipy()
    hubs = sb.generate.kronecker(11, 20).to_scipy()
    yield hubs
    yield hubs + sp.eye_array(hubs.shape[0])


@pytest.mark.parametrize("threads", [1, 3])
def test_larger_graphs(threads: int) -> None:
    for S in larger():
        S = sp.csr_array((np.ones(S.nnz, np.int64), S.indices, S.indptr), S.shape)
        G = S - sp.diags_array(S.diagonal(), dtype=np.int64)
        counts = ((G @ G) * G).sum(axis=1) // 2
        cores = by_vertex(nx.core_number(nx.from_scipy_sparse_array(G)), S.shape[0])
        for wide in (False, True):
            A = sb.Matrix.from_scipy(S)
            if wide:
                data = A._ready()
                data.indptr, data.indices = data.indptr.astype(int), data.indices.astype(int)
            np.testing.assert_array_equal(dense(sb.triangles(A, threads=threads)), counts)
            np.testing.assert_array_equal(dense(sb.core_numbers(A, threads=threads)), cores)


def test_values_are_kept_and_do_not_matter(device: str) -> None:
    A = sb.Matrix.from_coo(
        [0, 1, 2, 3, 1, 4], [1, 2, 0, 0, 1, 4], [0.0, np.nan, -2.0, 4.0, 1.0, 1.0], nrows=5, ncols=5
    ).to(device)
    assert dense(sb.triangles(A)).tolist() == [1, 1, 1, 0, 0]
    for part in (sb.k_core(A, 2), sb.k_truss(A, 3)):
        assert part.dtype == A.dtype
        np.testing.assert_equal(part.to_dicts(), {0: {1: 0.0}, 1: {2: np.nan}, 2: {0: -2.0}})


def test_bad_input(device: str) -> None:
    A = sb.generate.path(4).to(device)
    with pytest.raises(IndexOutOfBound, match="pairs: expected indices below 4, got 4"):
        sb.jaccard(A, [(0, 4)])
    with pytest.raises(DimensionMismatch, match="pairs: expected two vertices each"):
        sb.jaccard(A, [0, 1])
    with pytest.raises(InvalidValue, match="method: expected"):
        sb.triangles(A, method="fast")  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="expected 0 <= k"):
        sb.k_core(A, -1)
    with pytest.raises(DimensionMismatch, match="expected a square matrix"):
        sb.core_numbers(sb.Matrix(bool, 2, 3, device=device))


def test_more_rows_than_there_is_memory_for_are_said_to_be_hypersparse(device: str) -> None:
    A = sb.Matrix.from_coo([5], [7], 1, nrows=1 << 40, ncols=1 << 40, device=device)
    said = "assigning" if device == "reference" else "a hypersparse matrix: "
    with pytest.raises(OutOfMemory, match=rf"^{said}.* bytes"):
        sb.jaccard(A, [[5, 7]])


def test_a_closure_that_does_not_fit_is_refused_before_it_begins() -> None:
    with pytest.raises(OutOfMemory, match="a closure of up to"):
        sb.transitive_closure(sb.generate.path(300_000))


def test_a_closure_is_searched_once_a_strong_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings of 40 in a ring or in a row, with tails: many searches, or few."""
    searched = []
    searches = closure._searches
    monkeypatch.setattr(
        closure,
        "_searches",
        lambda edges, whole: searched.append(edges.nrows) or searches(edges, whole),
    )
    u = np.arange(1200)
    v = u - u % 40 + (u + 1) % 40
    between = np.arange(0, 1160, 40), np.arange(40, 1200, 40)
    rows = np.concatenate([u, between[0], [3, 1200, 1201]])
    cols = np.concatenate([v, between[1], [1200, 1201, 1202]])
    S = sp.csr_array((np.ones(rows.size), (rows, cols)), (1204, 1204))
    C = sb.transitive_closure(sb.Matrix.from_scipy(S))
    assert searched == [30 + 4]
    assert C.nvals == sum(40 * 40 * k for k in range(1, 31)) + 40 * 3 + 3
    sb.verify.transitive_closure(S, C, samples=None)


@pytest.mark.parametrize("whole", [False, True])
def test_who_is_reached_in_order_is_who_searches_reach(whole: bool) -> None:
    rng = np.random.default_rng(7)
    for n, m in ((1, 1), (40, 60), (700, 1500), (1300, 300)):
        order, (u, v) = rng.permutation(n), rng.integers(0, n, (2, m))
        edges = order[np.minimum(u, v)], order[np.maximum(u, v)]  # with loops
        A = sb.Matrix.from_coo(*edges, True, nrows=n, ncols=n)
        reached = closure._searches(A, whole)
        for first, last in ((0, n), (n // 3, n // 2 + 1), (n - 1, n)):
            last = min(last, first + 512)
            wanted = closure._reached(A, whole, first, last)
            assert reached(first, last).isequal(wanted)


@pytest.mark.parametrize("score", [score for score, _ in SCORES])
def test_pairs_of_more_vertices_than_a_number_holds(
    device: str, score: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    A = on(pattern(DIRECTED["random"]), device)
    pairs = [(u * 5 % A.nrows, u * 11 % A.nrows) for u in range(40)]
    expected = dense(score(A, pairs))
    monkeypatch.setattr(similarity, "_MOST_ROOT", 1)
    np.testing.assert_array_equal(dense(score(A, pairs)), expected)
