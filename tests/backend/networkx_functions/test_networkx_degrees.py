"""NetworkX's degrees of neighbours, squares, layers and communities' worth through the backend."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.backend.networkx_cases import assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


def some(graph: Any) -> list[Any]:
    return [*list(graph)[:3], *list(graph)[-1:], "nobody"]


def test_degrees_of_neighbours() -> None:
    names = ("average_neighbor_degree", "average_degree_connectivity")
    for graph in [*undirected().values(), *directed().values(), nx.Graph(), nx.DiGraph([(0, 0)])]:
        for name in names:
            assert_same(name, graph)
            assert_same(name, graph, nodes=some(graph))
            for weight in ("weight", "cost") if not graph.is_multigraph() else ():
                assert_same(name, graph, weight=weight)
    graph = directed()["random"]
    for source, target in product(("in", "out", "in+out", "else"), repeat=2):
        for name, weight in product(names, (None, "weight", "cost")):
            assert_same(name, graph, source, target, weight=weight)
    assert_same("average_degree_connectivity", graph, nodes=3)
    for name in names:
        assert_same(name, undirected()["random"], source="in")
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(undirected()["multi"], weight="weight", backend="spbfs")


def test_degrees_of_both_ends() -> None:
    made = undirected()
    graphs = [made[name] for name in ("path", "loops", "multi", "random", "connected", "view")]
    graphs += [directed()[name] for name in ("multi", "random", "strong", "turned")]
    for graph in [*graphs, nx.star_graph(4)]:
        sides = [("out", "in"), ("in", "in"), ("out", "out"), ("in", "out")]
        for (x, y), weight in product(sides, (None, "weight", "cost")):
            for name in ("assortativity", "pearson_correlation"):
                assert_same(f"degree_{name}_coefficient", graph, x, y, weight=weight)
    for name in ("assortativity", "pearson_correlation"):
        function = getattr(nx, f"degree_{name}_coefficient")
        for graph in (nx.Graph(), nx.cycle_graph(5), directed()["cycle"]):
            with pytest.raises(NotImplementedError):
                function(graph, backend="spbfs")
        with pytest.raises(NotImplementedError):
            function(nx.star_graph(4), nodes=[0, 1], backend="spbfs")
        for given in ({}, {"backend": "spbfs"}):
            with pytest.raises(KeyError):
                function(directed()["random"], "out", "else", **given)


def test_edges_both_ways() -> None:
    more = [
        nx.DiGraph(),
        nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 2)]),
        nx.empty_graph(3, nx.DiGraph),
    ]
    for graph in [*directed().values(), *more]:
        if not graph.is_multigraph():
            assert_same("overall_reciprocity", graph)
            for nodes in (None, some(graph), *some(graph)):
                assert_same("reciprocity", graph, nodes)
    with pytest.raises(NotImplementedError):
        nx.overall_reciprocity(nx.path_graph(3), backend="spbfs")


def test_products_of_degrees() -> None:
    for graph in [*undirected().values(), *directed().values(), nx.Graph()]:
        assert_same("s_metric", graph)
    for graph in [*undirected().values(), nx.Graph(), nx.star_graph(5)]:
        if not nx.number_of_selfloops(graph):
            assert_same("rich_club_coefficient", graph, normalized=False)
    for options in ({}, {"normalized": True}):
        with pytest.raises(NotImplementedError):
            nx.rich_club_coefficient(nx.complete_graph(5), **options, backend="spbfs")
    with pytest.raises(Exception, match="self loops"):
        nx.rich_club_coefficient(undirected()["loops"], normalized=False, backend="spbfs")


def test_squares_and_triangles_of_edges() -> None:
    more = [nx.Graph(), nx.grid_2d_graph(4, 5), nx.complete_graph(6), nx.petersen_graph()]
    clustered = nx.powerlaw_cluster_graph(40, 4, 0.7, seed=2)
    for graph in [*undirected().values(), *more, clustered]:
        for nodes in (None, some(graph), *some(graph)):
            assert_same("square_clustering", graph, nodes)
            assert_same("generalized_degree", graph, nodes, ordered=False)


def test_layers() -> None:
    more = [nx.Graph(), nx.path_graph(7), nx.star_graph(5), nx.gnm_random_graph(30, 25, seed=1)]
    clustered = nx.powerlaw_cluster_graph(60, 4, 0.7, seed=2)
    for graph in [*undirected().values(), *more, clustered]:
        assert_same("onion_layers", graph)


def test_what_communities_are_worth() -> None:
    for graph in [*undirected().values(), nx.complete_graph(4)]:
        nodes = list(graph)
        parts = [[{*nodes[::2]}, {*nodes[1::2]}], [{v} for v in nodes], [nodes], [nodes[:1]], []]
        for part, weight, resolution in product(parts, ("weight", "cost", None), (1, 0.5)):
            assert_same("modularity", graph, part, weight, resolution)
    for graph, resolution in ((directed()["odd"], 1), (nx.path_graph(3), -1)):
        with pytest.raises(NotImplementedError):
            nx.community.modularity(graph, [set(graph)], resolution=resolution, backend="spbfs")


def test_labels_that_spread(device: str) -> None:
    ring = nx.ring_of_cliques(5, 6)
    cliques = [set(range(i, i + 6)) for i in range(0, 30, 6)]
    community = nx.community
    spread = community.asyn_lpa_communities, community.fast_label_propagation_communities
    graphs = [nx.Graph(), *undirected().values()]
    for graph in graphs[:7] if device == "reference" else graphs:
        for function in spread:
            for weight in (None, "weight"):
                found = [*function(graph, weight=weight, seed=3, backend="spbfs")]
                assert found == [*function(graph, weight=weight, seed=3, backend="spbfs")]
                assert community.is_partition(graph, found)
        found = community.label_propagation_communities(graph, backend="spbfs")
        assert type(found) is type({}.values()) and community.is_partition(graph, list(found))
    assert [*community.asyn_lpa_communities(ring, seed=1, backend="spbfs")] == cliques
    with pytest.raises(NotImplementedError):
        community.asyn_lpa_communities(directed()["odd"], backend="spbfs")
