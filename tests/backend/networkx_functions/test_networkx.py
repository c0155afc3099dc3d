"""NetworkX's functions through the backend give what NetworkX gives, on every engine."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.backend.networkx_cases import assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


@pytest.fixture(scope="module", params=["undirected", "directed"])
def graphs(request: pytest.FixtureRequest) -> dict[str, Any]:
    return undirected() if request.param == "undirected" else directed()


def few(graph: Any) -> list[Any]:
    """Nodes from the beginning, the middle and the end, and one that is not there."""
    nodes = list(graph)
    return [nodes[0], nodes[len(nodes) // 2], nodes[-1], "nobody"]


FROM_A_NODE = """bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_layers generic_bfs_edges
    ancestors descendants single_source_shortest_path single_source_shortest_path_length
    single_target_shortest_path single_target_shortest_path_length predecessor
    single_source_all_shortest_paths""".split()


@pytest.mark.parametrize("name", FROM_A_NODE)
def test_from_a_node(graphs: dict[str, Any], name: str) -> None:
    for graph in graphs.values():
        for node in few(graph):
            assert_same(name, graph, node)


LIMITED = {
    "bfs_edges": "depth_limit",
    "bfs_successors": "depth_limit",
    "bfs_predecessors": "depth_limit",
    "single_source_shortest_path": "cutoff",
    "single_source_shortest_path_length": "cutoff",
    "single_target_shortest_path_length": "cutoff",
    "predecessor": "cutoff",
}


@pytest.mark.parametrize("name", sorted(LIMITED))
def test_no_deeper_than(graphs: dict[str, Any], name: str) -> None:
    for limit in (0, 1, 2, 1.5, -1, float("inf")):
        assert_same(name, graphs["random"], 3, **{LIMITED[name]: limit})


def test_searches_against_edges_and_levels(graphs: dict[str, Any]) -> None:
    for graph in graphs.values():
        for node in few(graph):
            assert_same("bfs_edges", graph, node, reverse=True)
            assert_same("predecessor", graph, node, return_seen=True)
            for distance in (0, 1, 2, 2.0, 1.5, -1):
                assert_same("descendants_at_distance", graph, node, distance)
        assert_same("bfs_layers", graph, few(graph)[:3])
        assert_same("bfs_labeled_edges", graph, few(graph)[0])
        assert_same("bfs_labeled_edges", graph, few(graph)[:3])


def test_between_two_nodes(graphs: dict[str, Any]) -> None:
    for graph in graphs.values():
        nodes = few(graph)
        for source in nodes:
            for target in nodes:
                for name in ("has_path", "shortest_path", "shortest_path_length"):
                    assert_same(name, graph, source, target)
                assert_same("bidirectional_shortest_path", graph, source, target)
                assert_same("all_shortest_paths", graph, source, target)
                assert_same("predecessor", graph, source, target, return_seen=True)
        assert_same("shortest_path", graph, target=nodes[1])
        assert_same("shortest_path_length", graph, source=nodes[1])


OF_A_GRAPH = """all_pairs_shortest_path all_pairs_shortest_path_length shortest_path
    all_pairs_all_shortest_paths average_shortest_path_length closeness_centrality
    betweenness_centrality harmonic_centrality eccentricity diameter radius center periphery
    wiener_index""".split()


@pytest.mark.parametrize("name", OF_A_GRAPH)
def test_of_a_graph(graphs: dict[str, Any], name: str) -> None:
    for graph in graphs.values():
        assert_same(name, graph)
    assert_same(name, nx.empty_graph(0, type(graphs["random"])))


def test_options_of_centralities(graphs: dict[str, Any]) -> None:
    graph = graphs["odd"]
    for normalized, k, endpoints in product((True, False), (None, 0, 1, 4, 99), (True, False)):
        options = {"k": k, "normalized": normalized, "endpoints": endpoints, "seed": 4}
        assert_same("betweenness_centrality", graph, **options)
    graph = graphs["random"]
    for u in (None, 3):
        assert_same("closeness_centrality", graph, u=u, wf_improved=False)
    assert_same("harmonic_centrality", graph, nbunch=[3, 4, 5])
    assert_same("harmonic_centrality", graph, sources=[3, 4, 5], nbunch=range(2, 30))
    for bounds in (True, False):
        assert_same("diameter", graphs.get("connected", graph), usebounds=bounds)
    assert_same("eccentricity", graphs.get("strong", graphs.get("connected")), v=[1, 2, "nobody"])


def test_components() -> None:
    for graph in undirected().values():
        for name in ("connected_components", "number_connected_components", "is_connected"):
            assert_same(name, graph)
        assert_same("node_connected_component", graph, next(iter(graph)))
    for graph in directed().values():
        for kind in ("{}weakly_connected_components", "number_{}weakly_connected_components"):
            assert_same(kind.format(""), graph)
        assert_same("is_weakly_connected", graph)
    for kind in (nx.Graph, nx.DiGraph):
        weakly = "weakly_" if kind is nx.DiGraph else ""
        for name in (f"{weakly}connected_components", f"is_{weakly}connected"):
            assert_same(name, kind())


@pytest.mark.parametrize("nodes", [127, 128, 129, 300])
def test_levels_that_a_byte_does_not_hold(nodes: int) -> None:
    graph = nx.path_graph(nodes)
    graph.add_edge("far", "away")
    assert_same("bfs_labeled_edges", graph, [0])
    assert_same("predecessor", graph, 0)
