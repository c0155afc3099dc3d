"""NetworkX's pairs of nodes, spanning forests, trusses, colours and hubs through the backend."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.backend.networkx_cases import agree, assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


def simple() -> dict[str, Any]:
    """Undirected graphs without loops and parallel edges."""
    made = undirected()
    clustered = nx.powerlaw_cluster_graph(40, 4, 0.7, seed=2)
    return {k: made[k] for k in ("single", "apart", "odd", "random", "view")} | {"k": clustered}


PAIRS = """jaccard_coefficient adamic_adar_index resource_allocation_index
    preferential_attachment""".split()


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_of_nodes(name: str) -> None:
    for graph in simple().values():
        assert_same(name, graph)
        nodes = list(graph)
        chosen = [(nodes[0], nodes[-1]), (nodes[-1], nodes[0]), (nodes[len(nodes) // 2], nodes[0])]
        assert_same(name, graph, chosen)
        assert_same(name, graph, [*chosen, (nodes[0], "nobody")])
        assert_same(name, graph, [])
    assert_same(name, nx.Graph())
    with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
        getattr(nx, name)(undirected()["loops"], backend="spbfs")


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_however_nodes_are_named(name: str) -> None:
    graph = nx.relabel_nodes(nx.gnm_random_graph(120, 700, seed=3), lambda u: u * 7 % 127)
    some = list(graph)[:6]
    for pairs in (
        [(some[0], some[1])],
        [[some[0], some[1]], (some[2], some[3])],
        ({some[0]: 1, some[1]: 2}, iter(some[2:4])),
        [(some[0], float(some[1])), (True, some[2])],
        [(some[0], -1)],
        [(some[0], 126.5)],
        [(some[0], 10**6)],
        [(some[0], 2**70)],
        [(some[0], str(some[1]))],
        [(some[0], [1])],
    ):
        kept = [tuple(pair) for pair in pairs]
        assert_same(name, graph, kept)
    for wrong in ([tuple(some[:3])], [some[0]], [(some[0],)]):
        with pytest.raises((TypeError, ValueError)):
            list(getattr(nx, name)(graph, wrong, backend="spbfs"))
    given = ([u, v] for u, v in [some[:2], some[2:4]])
    found = list(getattr(nx, name)(graph, given, backend="spbfs"))
    assert [tuple(pair[:2]) for pair in found] == [tuple(some[:2]), tuple(some[2:4])]


OF_COMMUNITIES = """cn_soundarajan_hopcroft ra_index_soundarajan_hopcroft
    within_inter_cluster""".split()


@pytest.mark.parametrize("name", OF_COMMUNITIES)
def test_pairs_of_nodes_in_communities(name: str) -> None:
    for graph in simple().values():
        nodes = list(graph)
        for i, node in enumerate(nodes):
            graph.nodes[node]["community"] = i * 7 % 3 if i % 5 else "other"
            graph.nodes[node]["one"] = None
        assert_same(name, graph)
        assert_same(name, graph, community="one")
        assert_same(name, graph, [(nodes[0], nodes[-1]), (nodes[-1], nodes[0])])
        assert_same(name, graph, [(nodes[0], "nobody")])
    for node in nodes[: len(nodes) // 2]:
        graph.nodes[node]["community"] = "moved"  # of which nobody is told
        assert_same(name, graph)
    graph = nx.path_graph(4)
    for names in ({}, {0: 1, 1: 1, 2: [1], 3: 1}, dict.fromkeys(graph, float("nan"))):
        nx.set_node_attributes(graph, names, "community")
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(graph, backend="spbfs")


def test_no_share_without_a_little() -> None:
    assert_same("within_inter_cluster", nx.path_graph(3), None, 0)


def test_a_node_beside_itself() -> None:
    graph = nx.path_graph(4)
    for name in ("jaccard_coefficient", "resource_allocation_index"):
        assert_same(name, graph, [(0, 0), (1, 1)])
    with pytest.raises(ZeroDivisionError):
        list(nx.adamic_adar_index(graph, [(1, 1)], backend="spbfs"))


@pytest.mark.parametrize("what", ["minimum_spanning", "maximum_spanning"])
def test_spanning_forests(what: str) -> None:
    for graph in [*undirected().values(), nx.Graph()]:
        for weight in ("weight", "cost", "none has it"):
            assert_same(f"{what}_edges", graph, weight=weight)
            tree = getattr(nx, f"{what}_tree")
            theirs, ours = tree(graph, weight=weight), tree(graph, weight=weight, backend="spbfs")
            assert type(theirs) is type(ours) and nx.utils.graphs_equal(theirs, ours)
            assert [*theirs.edges] == [*ours.edges]
        for keys in (True, False):
            assert_same(f"{what}_edges", graph, keys=keys, data=False)
    assert_same(f"{what}_tree", directed()["odd"])


def test_spanning_forests_of_other_weights() -> None:
    graph = nx.complete_graph(6)
    for i, (*_, data) in enumerate(graph.edges(data=True)):
        data["weight"] = (i * 7 % 5 - 2) / 2
    assert_same("minimum_spanning_edges", graph)
    assert_same("maximum_spanning_edges", graph)
    graph.add_edge(0, 1, weight=float("nan"))
    with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
        nx.minimum_spanning_edges(graph, backend="spbfs")


def test_trusses() -> None:
    for graph in [*simple().values(), undirected()["loops"]]:
        for k in (-1, 0, 2, 3, 3.5, 4, 5, 9):
            assert_same("k_truss", graph, k)
    graph = simple()["k"]
    theirs, ours = nx.k_truss(graph, 4), nx.k_truss(graph, 4, backend="spbfs")
    assert theirs.number_of_edges() and [*theirs.edges] == [*ours.edges]


def test_colours_in_order() -> None:
    more = [nx.Graph(), nx.complete_graph(5), nx.star_graph(4), undirected()["loops"]]
    # Sets whose first node is not the one that came first: of names, and of numbers that collide.
    far = nx.relabel_nodes(nx.random_regular_graph(3, 40, seed=1), lambda v: v * 2**40 + 7)
    named = nx.relabel_nodes(nx.gnm_random_graph(90, 70, seed=3), lambda v: f"node {v}")
    for graph in [*simple().values(), *more, far, named]:
        for strategy in ("largest_first", "connected_sequential", "connected_sequential_bfs"):
            assert_same("greedy_color", graph, strategy)
        drawn = []
        for given in ({}, {"backend": "spbfs"}):
            random.seed(5)
            drawn.append(list(nx.greedy_color(graph, "random_sequential", **given).items()))
        assert drawn[0] == drawn[1]
    for other in ("smallest_last", "DSATUR", lambda G, colors: list(G)):
        with pytest.raises(NotImplementedError):
            nx.greedy_color(more[1], other, backend="spbfs")


def test_hubs_and_authorities(device: str) -> None:
    graphs = [undirected()["connected"], directed()["strong"], directed()["random"]]
    for graph in graphs[:1] if device == "reference" else graphs:
        assert_same("hits", graph, tol=1e-13)
        start = {node: 1.0 + i % 3 for i, node in enumerate(graph)}
        given = {"nstart": start, "normalized": False, "tol": 1e-13}
        # ARPACK may turn what is not normalized; ours looks where the start does.
        theirs = [{v: abs(x) for v, x in scores.items()} for scores in nx.hits(graph, **given)]
        assert agree(theirs, list(nx.hits(graph, **given, backend="spbfs")))
    assert_same("hits", nx.Graph())
    assert_same("hits", graphs[0], max_iter=0)


def test_hubs_that_take_many_rounds(device: str) -> None:
    # One singular value at a loop, and hundreds that are nearly as great.
    graph = nx.path_graph(100 if device == "reference" else 500, nx.DiGraph)
    graph.add_edges_from((v, v) for v in list(graph))
    graph.add_edge(0, 0, weight=1.001)
    assert_same("hits", graph, max_iter=1)
    theirs, ours = (nx.hits(graph, max_iter=1000, **given) for given in ({}, {"backend": "spbfs"}))
    for scores, found in zip(theirs, ours, strict=True):
        assert all(abs(scores[v] - found[v]) < 1e-6 for v in graph)


def test_hubs_without_edges_are_left() -> None:
    for graph in (nx.empty_graph(3), nx.path_graph(1)):
        with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
            nx.hits(graph, backend="spbfs")


def test_graphs_without_cycles() -> None:
    trees = [nx.path_graph(9, nx.DiGraph), nx.DiGraph([(0, 1), (0, 2), (1, 2)]), nx.DiGraph()]
    for graph in [*directed().values(), *trees, nx.path_graph(3)]:
        assert_same("is_directed_acyclic_graph", graph)


def test_closures() -> None:
    for graph in directed().values():
        for reflexive in (False, True, None):
            assert_same("transitive_closure", graph, reflexive)
    for graph in undirected().values():
        for reflexive in (True, None):
            assert_same("transitive_closure", graph, reflexive)
    assert_same("transitive_closure", nx.DiGraph(), "maybe")
