"""Odd arguments through the backend: limits that are no plain numbers, nodes that are none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.backend.networkx_cases import assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


def test_limits() -> None:
    graph = undirected()["random"]
    limits = (True, False, math.nan, math.inf, -math.inf, np.int64(3), np.float64(2.5))
    for limit in (*limits, 10**20, 10**400, -(10**400)):
        for name in ("single_source_dijkstra_path_length", "dijkstra_predecessor_and_distance"):
            assert_same(name, graph, 3, limit, ordered=False)
        assert_same("ego_graph", graph, 3, limit, distance="weight")
        assert_same("predecessor", graph, 3, cutoff=limit)
        assert_same("k_truss", graph, limit)
    for k in (math.nan, math.inf, 10**20):
        assert_same("power", undirected()["odd"], k)
    assert_same("k_truss", graph, math.inf)
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(graph, 3, "2", backend="spbfs")


def test_lengths_of_walks_and_resolutions_that_are_true_or_floats() -> None:
    graph, halves = undirected()["random"], [range(30), range(30, 60)]
    assert_same("number_of_walks", graph, True)
    assert_same("modularity", graph, halves, resolution=True)
    for length in (2.0, math.nan):
        with pytest.raises(NotImplementedError):
            nx.number_of_walks(graph, length, backend="spbfs")


def test_communities_are_gone_through_once_and_not_by_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is left to NetworkX has not been looked at."""
    monkeypatch.setattr("spbfs.networkx.interface.SMALL", 0)
    halves = [set(range(30)), set(range(30, 60))]
    for graph, resolution in (directed()["random"], 1), (undirected()["random"], -1.0):
        wanted = nx.community.modularity(graph, halves, resolution=resolution)
        with nx.config.backend_priority(algos=["spbfs"]):
            found = nx.community.modularity(graph, iter(halves), resolution=resolution)
        assert found == pytest.approx(wanted)
    for parts in ([{0, 1}], ([0], [1])):
        assert_same("modularity", undirected()["random"], parts)


def test_the_first_node_that_is_none_is_named() -> None:
    graph = nx.path_graph(5)
    for pairs in ([(0, "x"), ("y", 1)], [(0, 1), ([1], 2)]):
        for name in ("jaccard_coefficient", "cn_soundarajan_hopcroft"):
            nx.set_node_attributes(graph, 0, "community")
            assert_same(name, graph, pairs)


def test_nodes_that_are_none() -> None:
    graph = directed()["random"]
    for node in ([1], (1, [2])):
        for given in ({}, {"backend": "spbfs"}):
            with pytest.raises(TypeError, match="unhashable"):
                list(nx.bfs_edges(graph, node, **given))
            with pytest.raises(TypeError, match="unhashable"):
                nx.descendants(graph, node, **given)
            with pytest.raises(TypeError, match="unhashable"):
                nx.single_source_bellman_ford_path(graph, node, **given)
        assert_same("multi_source_dijkstra", graph, [0, node])
    assert_same("eccentricity", graph, 99)
    assert_same("closeness_centrality", graph, "nobody", distance="weight")
    for source, target in ((None, None), (3, None), (None, 3), ("nobody", None)):
        assert_same("has_path", graph, source, target)
    assert_same("bfs_tree", graph, None)
    assert_same("bfs_tree", graph, 99)


def test_targets_that_cannot_be_looked_up() -> None:
    """NetworkX does so among the nodes that it has reached."""
    graph = directed()["random"]
    for name in (
        "predecessor",
        "dijkstra_path",
        "dijkstra_path_length",
        "single_source_dijkstra",
        "bellman_ford_path",
        "bellman_ford_path_length",
        "single_source_bellman_ford",
        "shortest_path_length",
    ):
        weighted = {"weight": "weight"} if name == "shortest_path_length" else {}
        for given in (weighted, {**weighted, "backend": "spbfs"}):
            with pytest.raises(TypeError, match="unhashable"):
                getattr(nx, name)(graph, 3, [1], **given)
        assert_same(name, graph, 3, "nobody", **weighted)


def test_a_single_node_with_a_loop() -> None:
    for weight in (0, 1, -1):
        for graph in (nx.Graph(), nx.DiGraph()):
            graph.add_edge(0, 0, weight=weight)
            assert_same("bellman_ford_predecessor_and_distance", graph, 0)


def test_sources_that_can_be_gone_through_once_are_left() -> None:
    graph = nx.path_graph(4)
    for name in ("multi_source_dijkstra", "voronoi_cells"):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(graph, iter([0, 3]), backend="spbfs")


def test_paths_without_weights_where_a_weight_is_named() -> None:
    for graph in (undirected()["odd"], directed()["multi"]):
        nodes = list(graph)
        options = {"weight": "weight", "method": "unweighted"}
        assert_same("all_shortest_paths", graph, nodes[0], nodes[1], **options)
        assert_same("single_source_all_shortest_paths", graph, nodes[0], **options)
        assert_same("all_pairs_all_shortest_paths", graph, **options)


def test_numbers_that_equal_booleans() -> None:
    for graph in directed().values():
        for reflexive in (0, 1):
            assert_same("transitive_closure", graph, reflexive)


def test_defaults() -> None:
    graph = undirected()["random"]
    assert_same("k_corona", graph, None)
    assert_same("k_corona", nx.Graph(), None)
    for name in ("center", "periphery", "diameter", "radius"):
        assert_same(name, nx.Graph(), weight="weight")
        assert_same(name, nx.Graph([(0, 0, {"weight": 2.5})]), weight="weight")
    loop = nx.DiGraph([(0, 0, {"weight": 2.5})])
    assert_same("eccentricity", loop, weight="weight")


def test_weights_that_are_left() -> None:
    for weight in (np.float32(0.1), np.longdouble(0.1), 1e308, 1 << 40):
        graph = nx.Graph([(0, 1, {"weight": weight})])
        with pytest.raises(NotImplementedError):
            nx.dijkstra_path_length(graph, 0, 1, backend="spbfs")
    graph = nx.path_graph(4)
    for resolution in (math.nan, math.inf, -1):
        for function in (nx.community.louvain_communities, nx.community.louvain_partitions):
            with pytest.raises(NotImplementedError):
                function(graph, resolution=resolution, seed=1, backend="spbfs")
    still = nx.DiGraph([(0, 1, {"weight": 0})])
    with pytest.raises(NotImplementedError):
        nx.hits(still, backend="spbfs")
    with pytest.raises(NotImplementedError):
        nx.hits(nx.DiGraph([(0, 1)]), nstart={0: 1.0, 1: 0.0}, backend="spbfs")


def test_what_is_gone_through_is_refused_then() -> None:
    graph = undirected()["random"]
    for refused in (
        nx.lexicographical_topological_sort(graph, backend="spbfs"),
        nx.single_source_all_shortest_paths(graph, "nobody", backend="spbfs"),
        nx.single_source_all_shortest_paths(graph, "nobody", "weight", backend="spbfs"),
    ):
        with pytest.raises(nx.NetworkXException):
            next(refused)
