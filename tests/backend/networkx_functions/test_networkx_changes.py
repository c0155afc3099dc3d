"""Graphs that change while somebody goes through a result, and what is refused before that."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from tests.backend.networkx_cases import needs_backend

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]

_WEIGHTED: dict[str, Any] = {"weight": "weight"}
#: Functions whose results are gone through, arguments behind the graph, and whether it is directed.
RESULTS: list[tuple[str, tuple[Any, ...], dict[str, Any], bool]] = [
    ("bfs_edges", (0,), {}, False),
    ("bfs_edges", (20,), {"reverse": True}, True),
    ("generic_bfs_edges", (0,), {}, False),
    ("bfs_layers", ([0],), {}, False),
    ("bfs_predecessors", (0,), {}, False),
    ("bfs_successors", (0,), {}, False),
    ("bfs_labeled_edges", (0,), {}, False),
    ("topological_generations", (), {}, True),
    ("topological_sort", (), {}, True),
    ("lexicographical_topological_sort", (), {}, True),
    ("all_pairs_shortest_path", (), {}, False),
    ("all_pairs_shortest_path_length", (), {}, False),
    ("all_pairs_dijkstra", (), {}, False),
    ("all_pairs_dijkstra_path", (), {}, False),
    ("all_pairs_dijkstra_path_length", (), {}, False),
    ("all_pairs_bellman_ford_path", (), {}, False),
    ("all_pairs_bellman_ford_path_length", (), {}, True),
    ("shortest_path", (), {**_WEIGHTED, "method": "bellman-ford"}, False),
    ("shortest_path_length", (), {**_WEIGHTED, "method": "bellman-ford"}, False),
    ("all_shortest_paths", (0, 5), {}, False),
    ("all_shortest_paths", (0, 5), _WEIGHTED, False),
    ("single_source_all_shortest_paths", (0,), _WEIGHTED, False),
    ("all_pairs_all_shortest_paths", (), {}, False),
    ("all_pairs_all_shortest_paths", (), {**_WEIGHTED, "method": "bellman-ford"}, False),
    ("connected_components", (), {}, False),
    ("weakly_connected_components", (), {}, True),
    ("strongly_connected_components", (), {}, True),
    ("kosaraju_strongly_connected_components", (), {}, True),
    ("attracting_components", (), {}, True),
    ("jaccard_coefficient", (), {}, False),
    ("adamic_adar_index", (), {}, False),
    ("resource_allocation_index", (), {}, False),
    ("preferential_attachment", (), {}, False),
    ("common_neighbor_centrality", (), {}, False),
    ("cn_soundarajan_hopcroft", (), {}, False),
    ("within_inter_cluster", (), {}, False),
    ("minimum_spanning_edges", (), {"data": False}, False),
    ("maximum_spanning_edges", (), {"data": False}, False),
]


def _graph(directed: bool) -> Any:
    draw = random.Random(3)
    G = (nx.DiGraph if directed else nx.Graph)()
    G.add_nodes_from((i, {"community": i % 3}) for i in range(30))
    for _ in range(70):
        u, v = sorted(draw.sample(range(30), 2))
        G.add_edge(u, v, weight=draw.randint(1, 9))
    return G


def _added(G: Any) -> None:
    G.add_edge(0, 29, weight=1)
    G.add_edge(28, 5_000_000, weight=1)


def _swapped(G: Any) -> None:
    """As many nodes and edges as before."""
    G.remove_edge(*next(iter(G.edges)))
    G.add_edge(*next(iter(nx.non_edges(G))), weight=50)


def _removed(G: Any) -> None:
    G.remove_node(3)


def _weighed(G: Any) -> None:
    nx.set_edge_attributes(G, 100, "weight")
    nx.set_node_attributes(G, 0, "community")


@pytest.mark.parametrize("change", [_added, _swapped, _removed, _weighed, nx.Graph.clear])
@pytest.mark.parametrize(("name", "args", "kwargs", "directed"), RESULTS)
def test_changes_go_unnoticed(
    name: str, args: Any, kwargs: Any, directed: bool, change: Callable[[Any], None]
) -> None:
    """A graph is read when a call begins, however late somebody goes through what it gives."""
    G = _graph(directed)
    wanted = list(getattr(nx, name)(G, *args, **kwargs, backend="spbfs"))
    G = _graph(directed)
    found = getattr(nx, name)(G, *args, **kwargs, backend="spbfs")
    assert isinstance(found, Iterator)
    change(G)
    assert list(found) == wanted


def test_the_data_of_spanning_edges_is_the_graph_s() -> None:
    for G in (_graph(False), nx.MultiGraph(_graph(False))):
        found = nx.minimum_spanning_edges(G, keys=False, backend="spbfs")
        edges = {(u, v): data for u, v, data in G.edges(data=True)}
        G.clear()
        assert all(edges[u, v] is data for u, v, data in found)


def test_neighbours_that_are_no_nodes_reach_no_search() -> None:
    """What contradicts itself is refused, whatever the nodes are called."""
    for name in (5_000_000, -1):
        G = nx.path_graph(150)
        G._adj[0][name] = {}
        with pytest.raises(KeyError, match=str(name)):
            nx.single_source_dijkstra_path_length(G, 0, backend="spbfs")
    G = nx.path_graph(150)
    del G._adj[7]
    with pytest.raises(RuntimeError, match="150 nodes and neighbours of 149"):
        nx.single_source_dijkstra_path_length(G, 0, backend="spbfs")


def test_weights_read_later_are_of_the_same_edges() -> None:
    for G in (nx.path_graph(150), nx.MultiGraph(nx.path_graph(150)), nx.path_graph(9, nx.DiGraph)):
        nx.bfs_tree(G, 0, backend="spbfs")
        del G._adj[0][1]  # by no method, so that the conversion is kept
        with pytest.raises(RuntimeError, match="changed since the call began"):
            nx.single_source_dijkstra_path_length(G, 0, backend="spbfs")


@pytest.mark.parametrize("weight", [math.inf, 1 << 40, Fraction(1, 3)])
@pytest.mark.parametrize(
    ("name", "args", "kwargs", "directed"),
    [
        case
        for case in RESULTS
        if "weight" in case[2] or "pairs_b" in case[0] or "pairs_d" in case[0]
    ],
)
def test_what_is_left_to_networkx_is_so_before_the_first(
    name: str, args: Any, kwargs: Any, directed: bool, weight: Any
) -> None:
    """Also where all attributes are converted, and weights are not read before the call."""
    G = nx.path_graph(150, nx.DiGraph if directed else None)
    nx.set_edge_attributes(G, 2, "weight")
    G[0][1]["weight"] = weight
    with nx.config(backend_priority={"algos": ["spbfs"], "generators": ["spbfs"]}):
        nx.ego_graph(G, 0, 3)
        assert (True, True) in G.__networkx_cache__["backends"]["spbfs"]
        found = dict(enumerate(getattr(nx, name)(G, *args, **kwargs)))
    assert found == dict(enumerate(getattr(nx, name)(G, *args, **kwargs, backend="networkx")))


def test_a_cutoff_that_is_left_to_networkx_is_so_before_the_first() -> None:
    G = nx.path_graph(150)
    for name in ("all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(G, cutoff=Fraction(3, 2), backend="spbfs")


def test_errors_come_where_networkx_has_them() -> None:
    G = nx.path_graph(9)
    for kwargs in ({}, {"backend": "spbfs"}):
        for found, error in (
            (nx.bfs_edges(G, 99, **kwargs), nx.NetworkXError),
            (
                nx.single_source_all_shortest_paths(G, 0, "weight", method="x", **kwargs),
                ValueError,
            ),
            (nx.topological_sort(G, **kwargs), nx.NetworkXError),
        ):
            with pytest.raises(error):
                next(found)
        star = nx.Graph([(0, 1), (2, 3)])
        for found, error in (
            (nx.adamic_adar_index(star, [(0, 2), (0, 0), (1, 3)], **kwargs), ZeroDivisionError),
            (
                nx.common_neighbor_centrality(star, [(0, 2), (0, 0), (1, 3)], **kwargs),
                nx.NetworkXAlgorithmError,
            ),
        ):
            assert next(found) == (0, 2, 0)
            with pytest.raises(error):
                next(found)
