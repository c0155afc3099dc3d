"""Graphs that functions of NetworkX's return have its nodes, rows and attributes in its order."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from spbfs.networkx.functions import FUNCTIONS

nx = pytest.importorskip("networkx")
_registered_algorithms = pytest.importorskip("networkx.utils.backends")._registered_algorithms

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
PARTS = {
    name: (lambda G, k, name=name, **way: getattr(nx, name)(G, k, **way))
    for name in ("k_core", "k_shell", "k_crust", "k_corona")
}


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


def _graph(kind: Any, seed: int) -> Any:
    drawn = random.Random(seed)
    names: list[Any] = [f"n{i}" if seed % 2 else i for i in range(drawn.choice([5, 30, 80]))]
    drawn.shuffle(names)
    G = kind(colour="red")
    G.add_nodes_from(names, size=1)
    for _ in range(drawn.choice([0, len(names), 4 * len(names)])):
        G.add_edge(drawn.choice(names), drawn.choice(names), weight=drawn.randint(1, 9))
    return G


def _same(ours: Any, theirs: Any) -> None:
    assert type(ours) is type(theirs) and ours.graph == theirs.graph
    assert list(ours.nodes.data()) == list(theirs.nodes.data())
    for side in ("_adj", "_pred") if theirs.is_directed() else ("_adj",):
        rows = [
            [(u, list(row.items())) for u, row in getattr(made, side).items()]
            for made in (ours, theirs)
        ]
        assert rows[0] == rows[1]
    # Both ends of an edge have its attributes in common.
    for u, v in ours.edges() if not ours.is_multigraph() else ():
        back = ours._pred if ours.is_directed() else ours._adj
        assert ours._adj[u][v] is back[v][u]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_egos_and_trees(kind: Any, seed: int) -> None:
    G = _graph(kind, seed)
    first = next(iter(G))
    calls: list[Callable[..., Any]] = [
        *(lambda r=r, **way: nx.ego_graph(G, first, r, **way) for r in range(4)),
        lambda **way: nx.ego_graph(G, first, 2, center=False, **way),
        lambda **way: nx.bfs_tree(G, first, **way),
        lambda **way: nx.bfs_tree(G, first, reverse=True, depth_limit=2, **way),
    ]
    for call in calls:
        _same(call(backend="spbfs"), call())
    found = nx.ego_graph(G, first, 1, backend="spbfs")
    found.nodes[first]["size"] = 2
    assert G.nodes[first]["size"] == 1, "attributes are copies"


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("seed", range(12))
def test_parts_by_core_number(name: str, seed: int) -> None:
    G = _graph(nx.Graph, seed)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    for k in (0, 1, 2, 3):
        _same(PARTS[name](G, k, backend="spbfs"), PARTS[name](G, k))


@pytest.mark.parametrize("kind", KINDS)
def test_closures(kind: Any) -> None:
    for seed in range(12):
        G = _graph(kind, seed)
        found, expected = (nx.transitive_closure(G, None, **w) for w in ({"backend": "spbfs"}, {}))
        assert set(found.edges) == set(expected.edges)
        assert list(found.nodes.data()) == list(expected.nodes.data())
        if kind is nx.DiGraph:
            assert set(found.reverse().edges) == set(expected.reverse().edges)


@pytest.mark.parametrize("seed", range(12))
def test_trees_and_trusses(seed: int) -> None:
    for kind in (nx.Graph, nx.MultiGraph):
        G = _graph(kind, seed)
        for name in ("minimum_spanning_tree", "maximum_spanning_tree"):
            _same(getattr(nx, name)(G, backend="spbfs"), getattr(nx, name)(G))
    G = _graph(nx.Graph, seed)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    for k in (2, 3, 4):
        _same(nx.k_truss(G, k, backend="spbfs"), nx.k_truss(G, k))


@pytest.mark.parametrize("seed", range(12))
def test_components_that_are_nodes(seed: int) -> None:
    G = _graph(nx.DiGraph, seed)
    _same(nx.condensation(G, backend="spbfs"), nx.condensation(G))
    G = nx.DiGraph((u, v) for u, v in G.edges if str(u) < str(v))
    found, expected = (nx.transitive_reduction(G, **way) for way in ({"backend": "spbfs"}, {}))
    assert list(found.nodes) == list(expected.nodes) and set(found.edges) == set(expected.edges)
    assert set(found.reverse().edges) == set(expected.reverse().edges)
    assert found.graph == {} and not any(data for *_, data in found.edges(data=True))


def test_methods_of_nodes_may_fail() -> None:
    class Node:
        def __init__(self, number: int) -> None:
            self.number, self.broken = number, False

        def __hash__(self) -> int:
            if self.broken:
                raise RuntimeError("no number")
            return self.number

    nodes = [Node(i) for i in range(5)]
    G = nx.complete_graph(nodes)
    nx.ego_graph(G, nodes[0], backend="spbfs")
    nodes[3].broken = True
    with pytest.raises(RuntimeError, match="no number"):
        nx.minimum_spanning_tree(G, backend="spbfs")


class _Roads(nx.DiGraph):  # type: ignore[misc]
    """Somebody's own kind of graph."""


class _Friends(nx.Graph):  # type: ignore[misc]
    """Another one, whose edges lead both ways."""


@pytest.mark.parametrize("kind", [_Roads, _Friends])
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if _registered_algorithms[n]._returns_graph])
def test_graphs_of_a_class_of_ones_own(kind: Any, name: str) -> None:
    G = kind([(u, v) for u in range(120) for v in (u + 1, u + 2)], name="mine")
    function = _registered_algorithms[name]
    more = {"ego_graph": (3,), "bfs_tree": (3,), "power": (2,), "k_truss": (3,), "k_corona": (2,)}
    if "projected" in name:
        G = kind([(u, v + 200) for u in range(120) for v in (u, u + 1)])
        more[name] = ([u for u in G if u < 200],)
    try:
        expected = function(G, *more.get(name, ()), backend="networkx")
    except nx.NetworkXException:
        pytest.skip(
            f"{name} is not for graphs {'with' if G.is_directed() else 'without'} directions"
        )
    # To NetworkX, what returns a graph is a generator, also where it is given one.
    with nx.config(backend_priority={"algos": ["spbfs"], "generators": ["spbfs"]}):
        made = function(G, *more.get(name, ()))
    assert type(made) is type(expected) and set(made.edges) == set(expected.edges)
