"""Communities: composed and fused ones are equal, modularity is NetworkX's, labels are settled."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.exceptions import InvalidValue, VerificationError
from tests.backend.algorithm_cases import DIRECTED, on, pattern, weighted
from tests.graphs import SQUARE
from tests.real_graphs import ABSENT, DATA

#: What the reference, class by class, does not take seconds for.
GRAPHS = sorted(name for name, graph in SQUARE.items() if len(graph.edges) < 160)
METHODS = ["composed", "auto"]


def _undirected(S: sp.csr_array) -> sp.csr_array:
    """Weights of edges, from the definition: of loops twice their own."""
    W = S.astype(float) if (S != S.T).nnz == 0 else (S + S.T).astype(float)
    W = W.tolil()
    W.setdiag(2.0 * S.diagonal())
    W = W.tocsr()
    W.eliminate_zeros()
    return W


def _graph(S: sp.csr_array) -> nx.Graph:
    """The same for NetworkX, which counts a loop's weight twice by itself."""
    W = _undirected(S).tolil()
    W.setdiag(W.diagonal() / 2)
    return nx.from_scipy_sparse_array(W.tocsr())


@pytest.mark.parametrize("name", GRAPHS)
def test_modularity_is_that_of_networkx(name: str, device: str) -> None:
    for S in (pattern(SQUARE[name]), weighted(pattern(SQUARE[name]), float, 0.5, 4)):
        graph = _graph(S)
        labels = np.random.default_rng(5).integers(0, 3, S.shape[0]) * 10 - 7
        groups = [set(np.flatnonzero(labels == c).tolist()) for c in set(labels.tolist())]
        for resolution in (1.0, 0.3):
            found = sb.modularity(on(S, device), labels, resolution=resolution)
            if graph.number_of_edges() == 0:
                assert found == 0.0
                continue
            expected = nx.community.modularity(graph, groups, resolution=resolution)
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", GRAPHS)
def test_louvain(name: str, device: str) -> None:
    S = pattern(SQUARE[name])
    heavy = weighted(S, np.int64, 0, 9)
    for T, resolution in ((S, 1.0), (heavy, 0.7)):
        A = on(T, device)
        results = [sb.louvain(A, seed=3, resolution=resolution, method=m) for m in METHODS]
        for found in results:
            assert found.communities.dtype == sb.dtypes.INT64
            assert found.communities.device == device
            sb.verify.communities(A, found, resolution=resolution)
            alone = sb.modularity(A, np.arange(S.shape[0]), resolution=resolution)
            assert found.modularity >= alone
        assert results[0].communities.isequal(results[1].communities)
        assert results[0].modularity == results[1].modularity


@pytest.mark.parametrize("name", GRAPHS)
def test_label_propagation_ends_where_all_are_content(name: str, device: str) -> None:
    S = weighted(pattern(SQUARE[name]), np.int64, 0, 4)
    results = [sb.label_propagation(on(S, device), seed=9, method=m) for m in METHODS]
    assert results[0].isequal(results[1])
    labels = results[0].to("cpu").to_dense()
    sb.verify.communities(on(S, device), results[0])
    W = _undirected(S)
    W.setdiag(0)
    W.eliminate_zeros()
    for v in range(S.shape[0]):
        row = slice(W.indptr[v], W.indptr[v + 1])
        votes = np.bincount(labels[W.indices[row]], weights=W.data[row], minlength=v + 1)
        # Nobody without neighbours has left, and nobody else is where less weight leads.
        assert votes[labels[v]] == votes.max()


def test_known_communities_are_found() -> None:
    """Ten cliques of eight in a ring, an edge between them: each is a community."""
    ring = nx.ring_of_cliques(10, 8)
    A = sb.Matrix.from_scipy(nx.to_scipy_sparse_array(ring, dtype=float))
    expected = np.arange(80) // 8 * 8
    for seed in range(5):
        found = sb.louvain(A, seed=seed)
        assert found.communities.to_dense().tolist() == expected.tolist()
        assert found.modularity == pytest.approx(280 / 290 - 1 / 10)
        assert len(set(sb.label_propagation(A, seed=seed).to_dense().tolist())) <= 10


def test_louvain_is_not_behind_networkx() -> None:
    graphs = [
        nx.karate_club_graph(),
        nx.les_miserables_graph(),
        nx.random_partition_graph([30] * 5, 0.4, 0.02, seed=1),
    ]
    for graph in graphs:
        A = sb.Matrix.from_scipy(nx.to_scipy_sparse_array(graph, dtype=float))
        theirs = [
            nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=s))
            for s in range(5)
        ]
        ours = [sb.louvain(A, seed=s).modularity for s in range(5)]
        assert np.median(ours) > np.median(theirs) - 0.01


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_any_number_of_threads_finds_the_same(threads: int) -> None:
    """Of real weights as well, whose sums depend on their order."""
    S = weighted(sb.generate.kronecker(11, 8, seed=3).to_scipy().astype(float), float, 0.1, 5)
    A = sb.Matrix.from_scipy(S)
    one, some = (sb.louvain(A, seed=1, threads=t) for t in (1, threads))
    assert some.communities.isequal(one.communities) and some.modularity == one.modularity
    labels = [sb.label_propagation(A, seed=1, threads=t) for t in (1, threads)]
    assert labels[0].isequal(labels[1])


def test_seeds_and_sweeps_count() -> None:
    A = sb.generate.grid2d(40)
    found = [sb.louvain(A, seed=s).communities.to_dense() for s in (0, 1, 0)]
    assert (found[0] == found[2]).all() and (found[0] != found[1]).any()
    once = sb.label_propagation(A, max_sweeps=1).to_dense()
    assert len(set(once.tolist())) > len(set(sb.label_propagation(A).to_dense().tolist()))
    assert sb.label_propagation(A, max_sweeps=1, method="composed").to_dense().tolist() == list(
        once
    )


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e200, 1e304])
def test_weights_of_any_size_have_the_communities_of_their_shares(scale: float) -> None:
    """Gains are products of weights, which neither overflow nor vanish."""
    S = weighted(pattern(DIRECTED["random-120-500"], symmetric=True), np.float64, 1.0, 2.0)
    A, scaled = on(S, "cpu"), S.copy()
    scaled.data = (scale * S.data.astype(np.longdouble)).astype(np.float64)
    B = on(scaled, "cpu")
    right = sb.louvain(A)
    for method in METHODS:
        found = sb.louvain(B, method=method)
        assert found.modularity == pytest.approx(right.modularity, rel=0.05)
        sb.verify.communities(B, found)
    labels = sb.label_propagation(A).to_dense()
    assert sb.modularity(B, labels) == pytest.approx(sb.modularity(A, labels))


def test_real_graphs() -> None:
    paths = sorted(DATA.glob("*.npz"), key=lambda path: path.stat().st_size)
    if not paths:
        pytest.skip(ABSENT)
    for path in paths[:2]:
        A = sb.read(path)
        sb.verify.communities(A, sb.louvain(A))
        sb.verify.communities(A, sb.label_propagation(A))


def test_what_is_wrong_is_named(device: str) -> None:
    for bad in (-1.0, np.nan, np.inf):
        A = sb.Matrix.from_coo([0, 1], [1, 0], [1.0, bad], nrows=3, ncols=3, device=device)
        calls: list[Any] = [sb.louvain, sb.label_propagation, lambda B: sb.modularity(B, [0, 0, 0])]
        for call in calls:
            with pytest.raises(InvalidValue, match="A: expected finite weights from 0"):
                call(A)
    A = on(pattern(SQUARE["path"]), device)
    with pytest.raises(InvalidValue, match="resolution: expected a finite number of at least 0"):
        sb.louvain(A, resolution=-0.5)
    with pytest.raises(InvalidValue, match="max_sweeps: expected at least 1"):
        sb.label_propagation(A, max_sweeps=0)
    with pytest.raises(InvalidValue, match="communities: expected one a vertex, 32 have none"):
        sb.modularity(A, sb.Vector.from_coo([0], [1], size=33))
    with pytest.raises(VerificationError, match="vertex 0 has 1, which is not the least"):
        sb.verify.communities(A, [1] * 33)
    with pytest.raises(VerificationError, match=r"modularity: expected 0\.0, got 0\.25"):
        sb.verify.communities(A, [0] * 33, 0.25)
