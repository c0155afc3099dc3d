"""NetworkX's ranks, cohesion, bipartitions and strong components through the backend."""

from __future__ import annotations

import random

import numpy as np
import pytest

import spbfs as sb
from tests.backend.networkx_cases import agree, assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


def test_ranks(device: str) -> None:
    graphs = [*undirected().values(), *directed().values()]
    # Which multiplies by dictionaries, hundreds of times a call.
    for graph in graphs[3:5] if device == "reference" else graphs:
        for weight in ("weight", "cost", None):
            assert_same("pagerank", graph, weight=weight)
        nodes = list(graph)
        some = {node: i + 1 for i, node in enumerate(nodes[::2])}
        assert_same("pagerank", graph, personalization=some, tol=1e-9, max_iter=500)
        assert_same("pagerank", graph, dangling=some, nstart=some, alpha=0.5)
        assert_same("pagerank", graph, max_iter=1, tol=1e-15)
        assert_same("katz_centrality", graph, alpha=0.05)
        assert_same("katz_centrality", graph, alpha=0.05, normalized=False, weight="cost")
        assert_same("eigenvector_centrality", graph, max_iter=500)
        assert_same("eigenvector_centrality", graph, weight="weight", max_iter=500)
    every = dict.fromkeys(undirected()["path"], 2.0)
    for beta in (every, {0: 1.0}):
        assert_same("katz_centrality", undirected()["path"], beta=beta, nstart=every)
    for name in ("pagerank", "katz_centrality", "eigenvector_centrality"):
        assert_same(name, nx.Graph())


def test_cohesion() -> None:
    for graph in undirected().values():
        nodes = list(graph)
        for name in ("triangles", "clustering", "average_clustering", "transitivity"):
            assert_same(name, graph)
        for chosen in (nodes[0], nodes[:3]):
            assert_same("triangles", graph, chosen)
            assert_same("clustering", graph, chosen)
        assert_same("average_clustering", graph, count_zeros=False)
        assert_same("core_number", graph)
        for name in ("k_core", "k_shell", "k_crust"):
            for k in (None, 0, 1, 2):
                assert_same(name, graph, k)
    for graph in directed().values():
        assert_same("clustering", graph)
        assert_same("average_clustering", graph)


def test_sides() -> None:
    more = {"grid": nx.grid_2d_graph(4, 5), "two": nx.Graph([(0, 1), (2, 3), (3, 4)])}
    for graph in [*undirected().values(), *directed().values(), *more.values()]:
        assert nx.is_bipartite(graph) == nx.is_bipartite(graph, backend="spbfs")
        if nx.is_bipartite(graph):
            assert agree(
                nx.bipartite.color(graph), nx.bipartite.color(graph, backend="spbfs"), False
            )
        else:
            with pytest.raises(nx.NetworkXError, match="not bipartite"):
                nx.bipartite.color(graph, backend="spbfs")


def test_strong_components() -> None:
    for graph in [*directed().values(), nx.DiGraph()]:
        assert_same("strongly_connected_components", graph)
        assert_same("number_strongly_connected_components", graph)
        assert_same("is_strongly_connected", graph)


def test_topological_orders() -> None:
    random = nx.gnm_random_graph(60, 150, seed=3, directed=True)
    down = nx.DiGraph((max(u, v) % 7 + 60 * (u < v), v) for u, v in random.edges if u != v)
    acyclic = nx.DiGraph((u, v) for u, v in random.edges if (u * 7) % 60 < (v * 7) % 60)
    many = nx.MultiDiGraph([(3, 1), (3, 1), (1, 2), (3, 2), (9, 2)])
    for graph in [*directed().values(), nx.DiGraph(), random, down, acyclic, many, nx.Graph()]:
        for name in ("topological_generations", "topological_sort"):
            assert_same(name, graph)
        for key in (str, lambda v: len(str(v)), lambda v: (hash(v) % 5, str(v)[::-1])):
            assert_same("lexicographical_topological_sort", graph, key=key)
    for graph in (random, down, acyclic, many):
        assert_same("lexicographical_topological_sort", graph)
        assert_same("lexicographical_topological_sort", graph, key=lambda v: -v)


def test_topological_order_of_keys_that_have_none() -> None:
    graph = nx.DiGraph([(0, "b"), ("b", 2)])  # never two at a time
    assert list(nx.lexicographical_topological_sort(graph)) == [0, "b", 2]
    for key in (None, lambda v: float("nan") if v == "b" else 1.0):
        with pytest.raises(NotImplementedError):
            nx.lexicographical_topological_sort(graph, key=key, backend="spbfs")


def test_communities() -> None:
    for graph in undirected().values():
        found = nx.community.louvain_communities(graph, seed=7, backend="spbfs")
        assert found == nx.community.louvain_communities(graph, seed=7, backend="spbfs")
        assert nx.community.is_partition(graph, found)
        *_, last = nx.community.louvain_partitions(graph, seed=7, backend="spbfs")
        assert last == found
        # Ours, by name, for the number that is drawn from the seed.
        W = sb.Matrix.from_scipy(nx.to_scipy_sparse_array(graph, dtype=float))
        labels = sb.louvain(W, seed=random.Random(7).getrandbits(32)).communities.to_dense()
        ours = [
            {v for v, other in zip(graph, labels, strict=True) if other == label}
            for label in np.unique(labels)
        ]
        assert found == ours
    ring = nx.ring_of_cliques(5, 6)
    cliques = [set(range(i, i + 6)) for i in range(0, 30, 6)]
    for kind in (nx.Graph, nx.MultiGraph):
        assert nx.community.louvain_communities(kind(ring), seed=1, backend="spbfs") == cliques
    first = nx.community.louvain_communities(ring, seed=1, max_level=1, backend="spbfs")
    assert first == next(nx.community.louvain_partitions(ring, seed=1, backend="spbfs"))
    with pytest.raises(ValueError, match="max_level"):
        nx.community.louvain_communities(ring, max_level=0, backend="spbfs")
    assert nx.community.louvain_communities(nx.Graph(), backend="spbfs") == []


def test_independent_sets() -> None:
    for graph in undirected().values():
        for nodes in (None, [node for node in list(graph)[-1:] if not graph.has_edge(node, node)]):
            chosen = nx.maximal_independent_set(graph, nodes, seed=3, backend="spbfs")
            assert chosen == nx.maximal_independent_set(graph, nodes, seed=3, backend="spbfs")
            assert chosen[: len(nodes or ())] == (nodes or [])
            assert not any(graph.has_edge(u, v) for u in chosen for v in chosen if u != v)
            assert all(node in chosen or {*graph[node]} & {*chosen} for node in graph)
    sides = nx.complete_bipartite_graph(12, 34)
    for nodes in ([10, 4, 5, 9], [11]):
        chosen = nx.maximal_independent_set(sides, nodes, backend="spbfs")
        assert sorted(chosen) == list(range(12))
    for nodes in ([0, 1], [99], [0, 99]):
        assert_same("maximal_independent_set", nx.path_graph(4), nodes)
    for backend in (None, "spbfs"):
        with pytest.raises(IndexError, match="empty"):
            nx.maximal_independent_set(nx.Graph(), seed=1, backend=backend)
