"""Graphs of NetworkX's made row by row, in the order in which its methods would make them.

`add_edges_from` takes an edge at a time; here a call makes the dictionaries of all rows, and
attributes are copied by what Python has in C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, compress
from operator import methodcaller
from typing import Any

import networkx as nx
import numpy as np

from spbfs.engines.cpu.matrices.adjacency import adjacency
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node, places_in_order

__all__ = ["add_new_edges", "add_new_nodes", "copies", "entries", "induced", "with_edges"]


def induced(G: Graph, nodes: Iterable[Node]) -> Any:
    """These nodes, all of which are the graph's, and the edges between them, as copies."""
    if G.is_multigraph() or not isinstance(G.adjacency, dict):
        return G.view().subgraph(nodes).copy()
    chosen = set(iter(nodes))  # one by one: the order of a copy may be another
    # NetworkX goes through whichever are fewer.
    few = 2 * len(chosen) < len(G)
    kept = list(chosen) if few else [node for node in G.names.nodes if node in chosen]
    made = nx.DiGraph() if G.is_directed() else nx.Graph()
    made.graph.update(G.attributes)
    add_new_nodes(made, kept, G.node_attributes)
    vertices = G.names.numbers(kept, len(kept))
    place = np.full(len(G), -1, vertices.dtype)
    place[vertices] = np.arange(vertices.shape[0])
    places, offsets = places_in_order(G.rows, vertices)
    u = np.repeat(place[vertices], np.diff(offsets))
    v = place.take(G.rows.indices.take(places))
    # An undirected edge from the end that comes first.
    inside = v >= (0 if G.is_directed() else u)
    # A byte each, of which no list need be made.
    data = copies(compress(entries(G, kept), inside.tobytes()))
    edges = np.flatnonzero(inside)
    add_new_edges(made, kept, u.take(edges), v.take(edges), data)
    return made


def with_edges(G: Graph, u: Array, v: Array) -> Any:
    """The graph with the edges from u to v, which it lacks, behind its own; without directions
    u is at most v."""
    if G.is_multigraph() or not isinstance(G.adjacency, dict):
        made = G.to_networkx()
        made.add_edges_from(zip(G.names.named(u), G.names.named(v), strict=True))
        return made
    made = nx.DiGraph() if G.is_directed() else nx.Graph()
    made.graph.update(G.attributes)
    add_new_nodes(made, G.names.nodes, G.node_attributes)
    tails, heads, data = G.structure.tails, G.rows.indices, entries(G, G.names.nodes)
    if not G.is_directed():
        once = tails <= heads
        tails, heads, data = tails[once], heads[once], compress(data, once.tobytes())
    tails, heads = (np.concatenate(x, dtype=heads.dtype) for x in ([tails, u], [heads, v]))
    add_new_edges(made, G.names.nodes, tails, heads, copies(data))
    return made


def add_new_nodes(
    made: Any, nodes: list[Node], attributes: Mapping[Node, Any] | None = None
) -> None:
    """Nodes of a graph that has none yet, with copies of their attributes; their rows, empty ones
    too, come with the edges."""
    if attributes is None:
        made._node.update(zip(nodes, [{} for _ in nodes], strict=True))
    else:
        data = copies(map(attributes.__getitem__, nodes))
        made._node.update(zip(nodes, data, strict=True))


def entries(G: Graph, nodes: list[Node]) -> Iterator[Any]:
    """What the adjacency has for every entry of the rows of some nodes."""
    rows = map(G.adjacency.__getitem__, nodes)
    return chain.from_iterable(map(methodcaller("values"), rows))


def copies(attributes: Iterable[Any]) -> list[dict[str, Any]]:
    """Dictionaries with what these have, whatever kind of dictionary they are."""
    return list(map(dict, attributes))


def add_new_edges(
    made: Any, nodes: list[Node], u: Array, v: Array, data: list[dict[str, Any]] | None = None
) -> None:
    """Edges between the u-th and v-th of the `nodes` of a graph that has none yet, in the order in
    which they are given; the first with these attributes, the others with none."""
    along, against = adjacency(nodes, u, v, data or [], directed=made.is_directed())
    made._adj.update(zip(nodes, along, strict=True))
    if made.is_directed():
        made._pred.update(zip(nodes, against, strict=True))
