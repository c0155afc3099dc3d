"""NetworkX's indices of distances, cells and reach through the backend."""

from __future__ import annotations

from itertools import pairwise
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


def connected() -> list[Any]:
    """Undirected graphs of one component, and some that are not."""
    made = undirected()
    more = [nx.Graph(), nx.Graph([(0, 0)]), nx.star_graph(5), nx.balanced_tree(2, 3)]
    return [*more, *(made[name] for name in ("single", "path", "odd", "connected"))]


INDICES = """harmonic_diameter barycenter wiener_index hyper_wiener_index schultz_index
    gutman_index closeness_vitality""".split()


@pytest.mark.parametrize("name", INDICES)
def test_indices(name: str, device: str) -> None:
    graphs = connected()
    if name in ("harmonic_diameter", "barycenter", "wiener_index", "closeness_vitality"):
        graphs += [directed()["strong"], directed()["odd"], nx.cycle_graph(4, nx.DiGraph)]
    for graph in graphs:
        if name != "closeness_vitality" or len(graph) < 20 or device != "reference":
            assert_same(name, graph)
            assert_same(name, graph, weight="weight")


def test_indices_of_other_weights() -> None:
    graph = undirected()["connected"]
    for name in INDICES[:1] + INDICES[2:-1]:
        assert_same(name, graph, weight="cost")
    with pytest.raises(NotImplementedError):
        nx.barycenter(graph, weight="cost", backend="spbfs")
    named = nx.relabel_nodes(graph, {3: "weight"})
    with pytest.raises(NotImplementedError):
        nx.gutman_index(named, backend="spbfs")


def test_a_node_left_out() -> None:
    graph = undirected()["connected"]
    for node in (3, "nobody"):
        assert_same("closeness_vitality", graph, node)
        assert_same("closeness_vitality", graph, node, wiener_index=7)
    assert_same("closeness_vitality", nx.empty_graph(1))


def test_efficiencies() -> None:
    for graph in [
        *undirected().values(),
        nx.Graph(),
        nx.powerlaw_cluster_graph(40, 3, 0.5, seed=1),
    ]:
        assert_same("local_efficiency", graph)
        nodes = [*list(graph)[:2], *list(graph)[-1:], "nobody"]
        for u in nodes:
            for v in nodes:
                assert_same("efficiency", graph, u, v)


def test_cells() -> None:
    for graph in [*undirected().values(), *directed().values(), nx.Graph()]:
        nodes = list(graph)
        for centres in (nodes[:1], nodes[:3], nodes[::4], [*nodes[:1], "nobody"], []):
            for weight in (None, "none has it"):
                assert_same("voronoi_cells", graph, centres, weight=weight)
    graph = undirected()["connected"]
    cells = nx.voronoi_cells(graph, [0, 7, 20], backend="spbfs")
    far = {c: nx.single_source_dijkstra_path_length(graph, c) for c in cells}
    assert sorted(v for cell in cells.values() for v in cell) == sorted(graph)
    assert all(far[c][v] == min(far[d][v] for d in cells) for c in cells for v in cells[c])


def test_groups_and_sides(device: str) -> None:
    graphs = [*undirected().values(), *directed().values()]
    for graph in graphs[2:6] if device == "reference" else graphs:
        nodes = list(graph)
        for group in (nodes[:1], nodes[::3], nodes, [*nodes[:1], "nobody"], []):
            assert_same("group_closeness_centrality", graph, group)
            assert_same("group_closeness_centrality", graph, group, weight="weight")
            assert_same("bipartite_closeness_centrality", graph, group)
            assert_same("bipartite_betweenness_centrality", graph, group)


def test_reach() -> None:
    more = [nx.Graph(), nx.DiGraph([(0, 0)]), nx.star_graph(4), nx.path_graph(4, nx.DiGraph)]
    for graph in [*undirected().values(), *directed().values(), *more]:
        assert_same("global_reaching_centrality", graph)
        for node in [*list(graph)[:2], "nobody"]:
            assert_same("local_reaching_centrality", graph, node)
        for seed in range(3):
            assert_same("approximate_diameter", graph, seed=seed)


def test_all_pairs(device: str) -> None:
    graphs = [*undirected().values(), *directed().values()]
    # Which searches by dictionaries.
    graphs = [nx.Graph(), *(g for g in graphs if len(g) < 8 or device != "reference")]
    below = nx.DiGraph([(0, 1, {"weight": 3}), (1, 2, {"weight": -2}), (0, 2, {"weight": 2})])
    for graph in [*graphs, below]:
        for weight in ("weight", "cost", "none has it"):
            assert_same("floyd_warshall", graph, weight, ordered=False)
            before, distances = nx.floyd_warshall_predecessor_and_distance(
                graph, weight, backend="spbfs"
            )
            theirs, same = nx.floyd_warshall_predecessor_and_distance(graph, weight)
            assert agree(distances, same, False)
            assert {u: set(v) for u, v in before.items()} == {u: set(v) for u, v in theirs.items()}
            for u, row in before.items():
                for v, near in row.items():
                    assert graph.has_edge(near, v)
                    assert u == v or distances[u][near] <= distances[u][v] or graph is below
            order = list(graph)[::-1]
            for nodes in (None, order, order[1:], [*order[1:], *order[1:2]]):
                found = [
                    _listed(nx.floyd_warshall_numpy, graph, (nodes, weight), given)
                    for given in ({}, {"backend": "spbfs"})
                ]
                assert agree(*found)


def _listed(*call: Any) -> Any:
    found = outcome(*call)
    return found if isinstance(found, tuple) else (str(found.dtype), found.tolist())


def test_all_pairs_around_negative_cycles_are_left() -> None:
    for edges in ([(0, 1), (1, 0)], [(0, 0)]):
        graph = nx.DiGraph(edges)
        nx.set_edge_attributes(graph, -1, "weight")
        with pytest.raises(NotImplementedError):
            nx.floyd_warshall(graph, backend="spbfs")


def test_a_star_without_a_heuristic() -> None:
    for graph in [undirected()["odd"], undirected()["multi"], *directed().values()][:4]:
        nodes = [*list(graph)[:2], *list(graph)[-1:], "nobody"]
        for u in nodes:
            for v in nodes:
                for cutoff in (None, 0, 3, -1, 5.5):
                    assert_same("astar_path_length", graph, u, v, cutoff=cutoff)
        path = nx.astar_path(graph, nodes[0], nodes[0], backend="spbfs")
        assert path == [nodes[0]]
    assert_same("astar_path", nx.path_graph(9), 2, 7)
    with pytest.raises(NotImplementedError):
        nx.astar_path(nx.path_graph(3), 0, 2, lambda u, v: 0, backend="spbfs")


def test_negative_cycles() -> None:
    graph = nx.cycle_graph(6, nx.DiGraph)
    graph.add_edges_from([(2, 9), (9, 3), (10, 0)])
    nx.set_edge_attributes(graph, 1, "weight")
    assert_same("find_negative_cycle", graph, 0)
    assert_same("find_negative_cycle", graph, "nobody")
    graph[5][0]["weight"] = -9
    graph.__networkx_cache__.clear()
    for source in (0, 9, 10):
        found = nx.find_negative_cycle(graph, source, backend="spbfs")
        assert found[0] == found[-1]
        assert sum(graph[u][v]["weight"] for u, v in pairwise(found)) < 0
    loop = nx.DiGraph([(0, 1, {"weight": 1}), (1, 1, {"weight": -1}), (2, 2, {"weight": -1})])
    assert_same("find_negative_cycle", loop, 0)
