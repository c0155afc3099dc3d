"""NetworkX's weighted paths through the backend: lengths are theirs, paths are shortest."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.backend.networkx_cases import assert_same, directed, needs_backend, outcome, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


@pytest.fixture(scope="module", params=["undirected", "directed"])
def graphs(request: pytest.FixtureRequest) -> dict[str, Any]:
    return undirected() if request.param == "undirected" else directed()


WEIGHTS = ("weight", "cost", None, "none has it")
LENGTHS = """single_source_dijkstra_path_length single_source_bellman_ford_path_length
    dijkstra_predecessor_and_distance bellman_ford_predecessor_and_distance""".split()


def ends(graph: Any) -> list[Any]:
    nodes = list(graph)
    return [nodes[0], nodes[len(nodes) // 2], "nobody"]


@pytest.mark.parametrize("name", LENGTHS)
def test_lengths_and_predecessors(graphs: dict[str, Any], name: str) -> None:
    for graph in graphs.values():
        for weight in WEIGHTS if graph is graphs["random"] else WEIGHTS[:1]:
            for node in ends(graph):
                assert_same(name, graph, node, weight=weight, ordered=False)


def test_no_farther_than(graphs: dict[str, Any]) -> None:
    graph = graphs["random"]
    for cutoff in (0, 3, 4.5, -1, float("inf")):
        for name in LENGTHS[::2]:
            assert_same(name, graph, 0, cutoff=cutoff, ordered=False)


def length(graph: Any, path: list[Any]) -> Any:
    """The sum of the weights along a path."""
    least = nx.algorithms.shortest_paths.weighted._weight_function(graph, "weight")
    return sum(least(u, v, graph[u][v]) for u, v in pairwise(path))


def test_paths_are_as_long_as_they_are_said_to_be(graphs: dict[str, Any]) -> None:
    for graph in graphs.values():
        source, target, _ = ends(graph)
        for name in ("single_source_dijkstra", "single_source_bellman_ford"):
            theirs, _ = getattr(nx, name)(graph, source)
            distances, paths = getattr(nx, name)(graph, source, backend="spbfs")
            assert distances == theirs and paths.keys() == theirs.keys()
            assert list(distances.values()) == sorted(distances.values())
            for node, path in paths.items():
                assert path[0] == source and path[-1] == node
                assert length(graph, path) == pytest.approx(distances[node])
        _, distances = nx.goldberg_radzik(graph, source, backend="spbfs")
        assert distances == nx.single_source_dijkstra_path_length(graph, source)
        several = [source, target]
        assert_same("multi_source_dijkstra_path_length", graph, several, ordered=False)
        found = nx.multi_source_dijkstra_path(graph, several, backend="spbfs")
        assert all(path[0] in several for path in found.values())


def test_between_two_nodes(graphs: dict[str, Any]) -> None:
    names = "dijkstra_path_length bellman_ford_path_length shortest_path_length".split()
    paths = "dijkstra_path bellman_ford_path".split()
    options = {"weight": "weight"}
    for graph in [graphs["odd"], graphs["multi"]]:
        for source in ends(graph):
            for target in ends(graph):
                for name in names:
                    assert_same(name, graph, source, target, **options)
                for name in paths:
                    function, both = getattr(nx, name), (source, target)
                    theirs = outcome(function, graph, both, options)
                    ours = outcome(function, graph, both, options | {"backend": "spbfs"})
                    assert type(theirs) is type(ours)
                    if isinstance(theirs, list):
                        assert length(graph, theirs) == length(graph, ours)
                    else:
                        assert theirs[0] == ours[0]


def test_to_and_between_all(graphs: dict[str, Any]) -> None:
    graph = graphs["odd"]
    for method in ("dijkstra", "bellman-ford"):
        for source in (None, *ends(graph)):
            options = {"weight": "weight", "method": method, "ordered": False}
            assert_same("shortest_path_length", graph, source, **options)
            assert_same("shortest_path_length", graph, None, source, **options)
            theirs = nx.shortest_path(graph, None, "a", weight="weight", method=method)
            ours = nx.shortest_path(
                *(graph, None, "a"), weight="weight", method=method, backend="spbfs"
            )
            assert theirs.keys() == ours.keys()
            assert all(length(graph, theirs[u]) == length(graph, ours[u]) for u in theirs)
            assert all(path[0] == u and path[-1] == "a" for u, path in ours.items())
    for name in ("all_pairs_dijkstra_path_length", "all_pairs_bellman_ford_path_length"):
        assert_same(name, graph, ordered=False)
    for name in ("all_pairs_dijkstra_path", "all_pairs_bellman_ford_path", "johnson"):
        theirs = dict(getattr(nx, name)(graph))
        ours = dict(getattr(nx, name)(graph, backend="spbfs"))
        assert {u: set(v) for u, v in theirs.items()} == {u: set(v) for u, v in ours.items()}


def test_negative_weights_and_cycles() -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([(0, 1, 4), (1, 2, -3), (0, 2, 2), (2, 3, 1), (4, 4, -1)])
    within = graph.subgraph([0, 1, 2, 3]).copy()
    for each in (graph, within):
        for name in LENGTHS[1::2]:
            assert_same(name, each, 0, ordered=False)
        assert_same("negative_edge_cycle", each)
        assert_same("goldberg_radzik", each, 0, ordered=False)
    graph.add_edge(3, 1, weight=1)
    assert_same("single_source_bellman_ford", graph, 0)
    assert_same("negative_edge_cycle", graph)
    with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
        nx.dijkstra_path(graph, 0, 2, backend="spbfs")


def test_edges_of_weight_zero_lead_on() -> None:
    graph = nx.path_graph(6)
    nx.set_edge_attributes(graph, 0, "weight")
    graph.add_edge(9, 5, weight=0.5)
    for node in (5, 0, 9):
        paths = nx.single_source_dijkstra_path(graph, node, backend="spbfs")
        assert paths == nx.single_source_dijkstra_path(graph, node)
        for name in LENGTHS:
            assert_same(name, graph, node, ordered=False)


@pytest.mark.parametrize(("far", "near"), [(1.0, 1e-320), (1e17, 1.0), (1e200, 1.0)])
def test_edges_that_rounding_makes_nothing_of_lead_on(far: float, near: float) -> None:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(9, -1, -1))
    graph.add_edge(0, 1, weight=far)
    # Whoever comes behind is as far as the one before, and comes first by number.
    graph.add_weighted_edges_from((u, u + 1, near) for u in range(1, 9))
    for name in ("johnson", "single_source_dijkstra_path", "single_source_bellman_ford_path"):
        assert_same(name, graph, *([] if name == "johnson" else [0]))
    paths = dict(nx.all_pairs_dijkstra_path(graph, backend="spbfs"))
    assert paths[0][9] == list(range(10))


def test_between_two_nodes_from_both_ends(graphs: dict[str, Any]) -> None:
    for graph in graphs.values():
        for weight in WEIGHTS if graph is graphs["random"] else WEIGHTS[:1]:
            for source in ends(graph):
                for target in ends(graph):
                    # Of paths as short it is NetworkX's.
                    assert_same("bidirectional_dijkstra", graph, source, target, weight=weight)
                    assert_same("shortest_path", graph, source, target, weight=weight)


OF_A_GRAPH = {
    "eccentricity": "weight",
    "diameter": "weight",
    "radius": "weight",
    "center": "weight",
    "periphery": "weight",
    "wiener_index": "weight",
    "average_shortest_path_length": "weight",
    "closeness_centrality": "distance",
    "harmonic_centrality": "distance",
}


@pytest.mark.parametrize("name", sorted(OF_A_GRAPH))
def test_of_a_graph(graphs: dict[str, Any], name: str) -> None:
    for graph in graphs.values():
        for weight in ("weight", "cost"):
            assert_same(name, graph, **{OF_A_GRAPH[name]: weight})


def test_betweenness(graphs: dict[str, Any]) -> None:
    for graph in graphs.values():
        assert_same("betweenness_centrality", graph, weight="weight")
    # Many paths of one length, and of lengths that rounding tells apart.
    grid = nx.grid_2d_graph(6, 7, create_using=type(graphs["random"]))
    nx.set_edge_attributes(grid, {e: 0.1 * (i % 3 + 1) for i, e in enumerate(grid.edges)}, "cost")
    for endpoints, k in ((True, None), (False, 5), (True, 5)):
        options = {"weight": "cost", "endpoints": endpoints, "k": k, "seed": 4}
        assert_same("betweenness_centrality", grid, **options)
    nothing = nx.path_graph(4, type(graphs["random"]))
    nx.set_edge_attributes(nothing, 0, "weight")
    with pytest.raises(NotImplementedError):
        nx.betweenness_centrality(nothing, weight="weight", backend="spbfs")


def test_options_of_sums_over_weights(graphs: dict[str, Any]) -> None:
    graph = graphs["odd"]
    node = next(iter(graph))
    assert_same("closeness_centrality", graph, u=node, distance="cost", wf_improved=False)
    assert_same("harmonic_centrality", graph, nbunch=[node], distance="cost")
    assert_same("harmonic_centrality", graph, sources=[node], distance="cost")
    strong = graphs.get("strong", graphs.get("connected"))
    for method in ("unweighted", "dijkstra", "bellman-ford"):
        assert_same("average_shortest_path_length", strong, weight="cost", method=method)
    for bounds in (True, False):
        assert_same("diameter", strong, weight="cost", usebounds=bounds)


def test_nobody_has_no_distances() -> None:
    """An empty graph over weights, and a node that is none."""
    empty = nx.Graph()
    assert nx.eccentricity(empty, weight="weight", backend="spbfs") == {}
    assert nx.closeness_centrality(empty, distance="weight", backend="spbfs") == {}
    assert nx.johnson(empty, backend="spbfs") == {}
    assert list(nx.all_pairs_dijkstra(empty, backend="spbfs")) == []
    assert list(nx.all_pairs_bellman_ford_path_length(empty, backend="spbfs")) == []
    for usebounds in (False, True):
        with pytest.raises(ValueError, match="empty"):
            nx.diameter(empty, usebounds=usebounds, backend="spbfs")
    with pytest.raises(nx.NodeNotFound, match="nobody"):
        nx.closeness_centrality(nx.path_graph(3), u="nobody", backend="spbfs")


def test_views_see_what_changes_below_them() -> None:
    graph = nx.path_graph(5)
    views = [
        graph.subgraph(range(5)),
        nx.graphviews.generic_graph_view(graph),
        graph.to_directed(as_view=True),
    ]
    for view in views:
        assert nx.shortest_path_length(view, 0, 4, backend="spbfs") == 4
    graph.add_edge(0, 4)
    for view in views:
        assert nx.shortest_path_length(view, 0, 4, backend="spbfs") == 1
        assert nx.single_source_dijkstra_path_length(view, 0, backend="spbfs")[4] == 1
