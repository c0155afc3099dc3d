"""Strong components as vertices of a graph without cycles: ``components`` and ``hierarchy``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.connectivity.strong_components import strong_components
from spbfs.engines.arrays.patterns.sets import is_first, set_of
from spbfs.networkx.connectivity.components import (
    is_strongly_connected,
    least_vertices,
    sets_of,
    strong_numbers,
)
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import add_new_edges, add_new_nodes
from spbfs.networkx.conversion.structure import Array, Node, Rows

__all__ = [
    "attracting_components",
    "condensation",
    "flow_hierarchy",
    "is_attracting_component",
    "is_semiconnected",
    "kosaraju_strongly_connected_components",
    "number_attracting_components",
]


def kosaraju_strongly_connected_components(G: Graph, source: None = None) -> Iterator[set[Node]]:
    """The strong components, the last first that a search against the edges is done with."""
    # A search's last vertex of a component is the one at which it was entered, so that Kosaraju's
    # second search begins where Tarjan's is done with components, in the other order.
    return _last_first(G, G.columns)


def _last_first(G: Graph, columns: Rows) -> Iterator[set[Node]]:
    if len(G):
        numbers = strong_numbers(columns)
        yield from sets_of(G, numbers.max() - numbers)


def condensation(G: Graph, scc: None = None) -> Any:
    """The graph whose nodes are the strong components, numbered, with their members."""
    made = nx.DiGraph()
    mapping: dict[Node, int] = {}
    made.graph["mapping"] = mapping
    if len(G) == 0:
        return made
    numbers = strong_numbers(G.rows)
    members = dict(enumerate(sets_of(G, numbers)))
    for number, component in members.items():
        mapping.update(dict.fromkeys(component, number))
    nodes: list[Node] = list(members)
    add_new_nodes(
        made, nodes, {number: {"members": component} for number, component in members.items()}
    )
    u, v = numbers[G.structure.tails], numbers[G.rows.indices]
    kept = np.flatnonzero(u != v)
    # Each once, in the order in which they are met.
    pairs = u[kept].astype(np.int64) * len(members) + v[kept]
    order = np.argsort(pairs, kind="stable")
    once = kept[np.sort(order[is_first(np, pairs[order])])]
    add_new_edges(made, nodes, u[once], v[once])
    return made


def attracting_components(G: Graph) -> Iterator[set[Node]]:
    """The strong components that no edge leaves."""
    if len(G):
        numbers = strong_numbers(G.rows)
        stays = _stays(G, numbers)
        for number, component in enumerate(sets_of(G, numbers)):
            if stays[number]:
                yield component


def number_attracting_components(G: Graph) -> int:
    """How many there are."""
    return int(np.count_nonzero(_stays(G, strong_numbers(G.rows)))) if len(G) else 0


def is_attracting_component(G: Graph) -> bool:
    """Whether all nodes are one strong component."""
    return len(G) > 0 and is_strongly_connected(G)


def is_semiconnected(G: Graph) -> bool:
    """Whether of any two nodes one reaches the other."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    # Numbers rise against the edges: then each component must have an edge to the one before it.
    numbers = strong_numbers(G.rows)
    u, v = numbers[G.structure.tails], numbers[G.rows.indices]
    return bool(set_of(np, u[u == v + 1]).shape[0] == numbers.max())


def flow_hierarchy(G: Graph, weight: Any = None) -> Any:
    """The share of the edges, or of their weights, that are on no cycle."""
    if G.rows.indices.shape[0] == 0:
        raise nx.NetworkXError("flow_hierarchy not applicable to empty graphs")
    if not G.is_directed():
        raise nx.NetworkXError("G must be a digraph in flow_hierarchy")
    labels = least_vertices(G, strong_components)
    values = G.weights(weight).combined(np.add)
    within = values[labels[G.structure.tails] == labels[G.rows.indices]]
    return 1 - within.sum().item() / values.sum().item()


def _stays(G: Graph, numbers: Array) -> Array:
    """Of every component, whether no edge leaves it."""
    u, v = numbers[G.structure.tails], numbers[G.rows.indices]
    stays = np.ones(int(numbers.max()) + 1, np.bool_)
    stays[u[u != v]] = False
    return stays
