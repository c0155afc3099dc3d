"""What is asked of a few nodes is computed of these and what is around them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.backend.networkx_cases import agree, assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")

from spbfs.networkx.conversion.graph import Graph  # noqa: E402

pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]

OF_NODES = ("clustering", "triangles", "square_clustering", "generalized_degree")


def _simple(graphs: dict[str, Any]) -> list[Any]:
    return [graph for graph in graphs.values() if not graph.is_multigraph()]


@pytest.mark.parametrize("name", OF_NODES)
def test_undirected(name: str) -> None:
    large = nx.connected_watts_strogatz_graph(300, 6, 0.2, seed=3)
    large.add_edges_from([(5, 5), *((0, v) for v in range(0, 300, 3))])
    large.remove_edges_from(list(large.edges(7)))
    # Counts are listed as they are met.
    ordered = name != "generalized_degree"
    for graph in (*_simple(undirected()), large):
        nodes = list(graph)
        for some in (nodes[0], nodes[-1], nodes[:2], nodes[::-1][:3], nodes, [], [nodes[0]] * 2):
            assert_same(name, graph, some, ordered=ordered)
        assert_same(name, graph, [nodes[0], "nobody"], ordered=ordered)
    for node in (0, 5, 7):
        assert_same(name, large, node, ordered=ordered)


@pytest.mark.parametrize("name", ["clustering", "reciprocity"])
def test_directed(name: str) -> None:
    large = nx.gnm_random_graph(300, 2000, seed=3, directed=True)
    large.add_edges_from([(5, 5), *((0, v) for v in range(1, 300, 3))])
    large.remove_edges_from([*large.in_edges(7), *large.out_edges(7)])
    for graph in (*_simple(directed()), large):
        nodes = list(graph)
        for some in (nodes[0], nodes[-1], nodes[:2], nodes, [], [nodes[0], "nobody"]):
            assert_same(name, graph, some)
    for node in (0, 5, 7):
        assert_same(name, large, node)


@pytest.mark.parametrize("name", [*OF_NODES, "average_clustering", "reciprocity"])
def test_the_matrix_of_all_is_not_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = nx.random_regular_graph(4, 1000, seed=1)
    graph = graph.to_directed() if name == "reciprocity" else graph
    function = nx.utils.backends._registered_algorithms[name]
    wanted = function(graph, [3, 5], backend="networkx")

    def made(_: Graph) -> Any:
        raise AssertionError("the matrix of all nodes is not needed")

    monkeypatch.setattr(Graph, "matrix", property(made))
    assert agree(wanted, function(graph, [3, 5], backend="spbfs"))
    with pytest.raises(AssertionError, match="of all nodes"):
        function(graph, list(graph), backend="spbfs")
