"""NetworkX's condensed graphs, closures, longest paths, trees and walks through the backend."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.backend.networkx_cases import agree, assert_same, directed, needs_backend, undirected

nx = pytest.importorskip("networkx")
pytestmark = [needs_backend, pytest.mark.usefixtures("configured")]


def small() -> list[Any]:
    """Directed graphs that decide something: empty, loops, chains, all joined."""
    return [
        nx.DiGraph(),
        nx.empty_graph(1, nx.DiGraph),
        nx.empty_graph(3, nx.DiGraph),
        nx.DiGraph([(0, 0)]),
        nx.path_graph(5, nx.DiGraph),
        nx.cycle_graph(4, nx.DiGraph),
        nx.complete_graph(4, nx.DiGraph),
        nx.balanced_tree(2, 3, nx.DiGraph),
        nx.MultiDiGraph([(0, 1), (0, 1), (1, 2)]),
        nx.gnm_random_graph(20, 100, seed=4, directed=True),
        nx.gnm_random_graph(30, 40, seed=4, directed=True),
    ]


def acyclic() -> list[Any]:
    """Graphs without cycles, of weights below 0 as well."""
    drawn = random.Random(3)
    made = [nx.DiGraph(), nx.path_graph(4, nx.DiGraph), nx.DiGraph([("b", "a"), ("c", "a")])]
    for kind, weights in ((nx.MultiDiGraph, range(-3, 7)), (nx.DiGraph, (1.5, -0.5, 0.1, 0.7))):
        graph = kind()
        for _ in range(70):
            u, v = sorted(drawn.sample(range(25), 2))
            graph.add_edge(u * 7 % 25, v * 7 % 25, weight=drawn.choice(weights))
        made.append(graph)
    return made


CONDENSED = """kosaraju_strongly_connected_components condensation attracting_components
    number_attracting_components is_attracting_component is_semiconnected flow_hierarchy
    has_cycle is_aperiodic""".split()


@pytest.mark.parametrize("name", CONDENSED)
def test_strong_components_as_vertices(name: str) -> None:
    for graph in [*directed().values(), *small(), *acyclic()]:
        assert_same(name, graph)


def test_condensed_graphs_have_members_and_edges_in_order() -> None:
    for graph in directed().values():
        theirs, ours = nx.condensation(graph), nx.condensation(graph, backend="spbfs")
        assert agree(dict(theirs.nodes(data=True)), dict(ours.nodes(data=True)))
        assert theirs.graph == ours.graph and [*theirs.edges] == [*ours.edges]


def test_hierarchies_of_weights() -> None:
    for graph in directed().values():
        for weight in ("weight", "cost"):
            assert_same("flow_hierarchy", graph, weight=weight)


def test_closures_and_reductions() -> None:
    for graph in [*acyclic(), *small(), *directed().values()]:
        assert_same("transitive_closure_dag", graph)
        assert_same("transitive_reduction", graph)


def test_longest_paths() -> None:
    for graph in [*acyclic(), *small()]:
        for name in ("dag_longest_path", "dag_longest_path_length"):
            for weight in ("weight", "none has it"):
                for default in (1, 0, -1, 2.5):
                    assert_same(name, graph, weight, default)


TREES = """is_tree is_forest is_arborescence is_branching is_eulerian is_semieulerian
    has_eulerian_path""".split()


@pytest.mark.parametrize("name", TREES)
def test_what_degrees_and_components_decide(name: str) -> None:
    more = [nx.Graph(), nx.balanced_tree(2, 3), nx.cycle_graph(6), nx.complete_graph(5)]
    walks = [nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 3)]), nx.MultiGraph([(0, 1), (0, 1)])]
    both = [*directed().values(), *small(), *acyclic(), *walks[:1]]
    if name not in ("is_arborescence", "is_branching"):
        both += [*undirected().values(), *more, *walks[1:]]
    for graph in both:
        assert_same(name, graph)


def test_walks_and_powers() -> None:
    graphs = [undirected()["loops"], undirected()["multi"], *small()]
    for graph in graphs:
        for length in (0, 1, 4, -1):
            assert_same("number_of_walks", graph, length)
    for name in ("odd", "random", "loops"):
        for k in (1, 2, 2.5, 9, 0):
            assert_same("power", undirected()[name], k)


def test_what_is_near_a_node() -> None:
    undirected_ones = undirected()
    # Part of a view has NetworkX's nodes in the order of a set.
    del undirected_ones["view"]
    for graph in [*undirected_ones.values(), *directed().values()][::2]:
        nodes = list(graph)
        for node in (nodes[0], nodes[-1], "nobody"):
            for radius in (0, 1, 1.5, -1, None):
                assert_same("ego_graph", graph, node, radius)
                assert_same("ego_graph", graph, node, radius, center=False)
                assert_same("ego_graph", graph, node, radius, distance="weight")
