"""Sides, shells, efficiencies and pairs of random small graphs: NetworkX's and the backend's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.backend.networkx_cases import (
    agree,
    assert_same,
    directed,
    needs_backend,
    outcome,
    undirected,
)

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


@pytest.fixture(autouse=True)
def fast(device: str) -> None:
    """Engines that search hundreds of graphs in no time."""
    if device == "reference":
        pytest.skip("hundreds of graphs")


def graphs(kind: Any) -> Iterator[Any]:
    """Of nodes in a random order, most edges between odd ones and even ones."""
    draw = random.Random(1)
    for n, m in ((0, 0), (1, 0), (2, 1), (4, 3), (6, 5), (7, 6), (9, 8), (12, 14)):
        for _ in range(5):
            made, nodes = kind(), list(range(n))
            draw.shuffle(nodes)
            made.add_nodes_from(nodes)
            for _ in range(m):
                u, v = draw.randrange(n), draw.randrange(n)
                if draw.random() > 0.7 or u % 2 != v % 2:
                    made.add_edge(u, v)
            yield made


def same_sides(name: str, graph: Any, *args: Any) -> None:
    """The same from ``networkx.bipartite``, where nodes of a result come in no order."""
    function = getattr(nx.bipartite, name)
    theirs = outcome(function, graph, args, {})
    ours = outcome(function, graph, args, {"backend": "spbfs"})
    assert agree(theirs, ours, False), (name, graph.edges, args, theirs, ours)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_sides(kind: Any) -> None:
    for graph in graphs(kind):
        same_sides("color", graph)
        same_sides("sets", graph)
        nodes = list(graph)
        odd = [v for v in nodes if v % 2]
        for chosen in ([], nodes[:2], odd, set(nodes) - set(odd), nodes, 2 * nodes[:1]):
            same_sides("sets", graph, chosen)
            if nx.is_bipartite(graph):
                same_sides("is_bipartite_node_set", graph, chosen)


def test_shells_and_efficiency() -> None:
    for graph in graphs(nx.Graph):
        assert_same("global_efficiency", graph)
        for k in range(4):
            assert_same("k_corona", graph, k)


@pytest.mark.parametrize("alpha", [0.8, 1, 0.0])
def test_common_neighbours_and_distance(alpha: float) -> None:
    for graph in graphs(nx.Graph):
        if nx.number_of_selfloops(graph):
            continue
        nodes = list(graph)
        assert_same("common_neighbor_centrality", graph, alpha=alpha)
        assert_same("common_neighbor_centrality", graph, [("x", "y")], alpha=alpha)
        if len(nodes) > 3:
            a, b, c, _ = nodes[:4]
            pairs = [(a, b), (c, a), (b, a), (c, b)]
            assert_same("common_neighbor_centrality", graph, pairs, alpha=alpha)
            assert_same("common_neighbor_centrality", graph, [(a, a)], alpha=alpha)


@pytest.mark.parametrize("name", ["katz_centrality", "eigenvector_centrality", "hits"])
def test_a_start_of_other_nodes_is_left_to_networkx(name: str) -> None:
    graph = nx.cycle_graph(4)
    for start in ({0: 1.0, 99: 2.0}, {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0, 99: 2.0}):
        with pytest.raises(NotImplementedError, match="NotImplementedError"):
            getattr(nx, name)(graph, nstart=start, backend="spbfs")


def test_projections() -> None:
    sides = nx.bipartite.random_graph(12, 20, 0.2, seed=3)
    sides.graph["name"] = "sides"
    along = nx.bipartite.random_graph(9, 14, 0.3, seed=4, directed=True)
    for graph in (sides, along):
        for chosen in (range(9), range(10, 17), {3, 5}, [], [2, "nobody"]):
            assert_same("projected_graph", graph, chosen)
            for ratio in (False, True):
                assert_same("weighted_projected_graph", graph, chosen, ratio)
    # Where they are no side, who else is joined comes in the order of a set.
    for graph in [*undirected().values(), *directed().values()]:
        chosen = list(graph)[: len(graph) // 2]
        for name in ("projected_graph", "weighted_projected_graph"):
            if not graph.is_multigraph() and chosen:
                theirs, ours = (
                    getattr(nx.bipartite, name)(graph, chosen, **given)
                    for given in ({}, {"backend": "spbfs"})
                )
                assert nx.utils.graphs_equal(theirs, ours)
    for graph in (undirected()["multi"], directed()["multi"]):
        assert_same("projected_graph", graph, [0])
    assert_same("weighted_projected_graph", sides, list(sides))
    for given in ({"multigraph": True}, {}):
        with pytest.raises(NotImplementedError):
            chosen = iter(range(12)) if not given else range(12)
            nx.bipartite.projected_graph(sides, chosen, **given, backend="spbfs")
