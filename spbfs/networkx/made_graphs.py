"""Graphs of NetworkX's made row by row, in the order in which its methods would make them.

`add_edges_from` takes an edge at a time; a row's dictionary is filled from two lists at once, and
attributes are copied by what Python has in C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, compress
from operator import methodcaller
from typing import Any

import networkx as nx
import numpy as np

from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Array, Node, by_row
from spbfs.networkx.traversal import places_in_order

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
    data = copies(compress(entries(G, kept), inside.tolist()))
    edges = np.flatnonzero(inside)
    _fill(made, kept, u.take(edges), v.take(edges), data)
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
        tails, heads, data = tails[once], heads[once], compress(data, once.tolist())
    more = [{} for _ in range(u.shape[0])]
    ends = np.concatenate([tails, u]), np.concatenate([heads, v])
    _fill(made, G.names.nodes, *ends, copies(data) + more)
    return made


def add_new_nodes(
    made: Any, nodes: list[Node], attributes: Mapping[Node, Any] | None = None
) -> None:
    """Nodes that a graph lacks, with copies of their attributes."""
    data = [{} for _ in nodes] if attributes is None else map(attributes.__getitem__, nodes)
    made._node.update(zip(nodes, copies(data), strict=True))
    for side in (made._adj, made._pred) if made.is_directed() else (made._adj,):
        side.update((node, {}) for node in nodes)


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
    """Edges that a graph lacks between the u-th and v-th of its `nodes`, with these attributes."""
    _fill(made, nodes, u, v, [{} for _ in range(u.shape[0])] if data is None else data)


def _fill(made: Any, nodes: list[Node], u: Array, v: Array, data: list[dict[str, Any]]) -> None:
    """The rows of edges in their order; both ends of an edge have its dictionary in common."""
    names, attributes = (np.fromiter(x, object, len(x)) for x in (nodes, data))
    if made.is_directed():
        for side, rows, others in ((made._pred, v, u), (made._adj, u, v)):
            order = by_row(rows, len(nodes))
            _rows(side, names, rows.take(order), others.take(order), attributes.take(order))
        return
    # Both entries of an edge beside each other; a loop has one.
    ends = np.stack([u, v], axis=1)
    rows, others, edges = ends.ravel(), ends[:, ::-1].ravel(), np.repeat(np.arange(u.shape[0]), 2)
    loops = np.flatnonzero(u == v)
    if loops.size:
        rows, others, edges = (np.delete(x, 2 * loops) for x in (rows, others, edges))
    order = by_row(rows, len(nodes))
    _rows(
        made._adj, names, rows.take(order), others.take(order), attributes.take(edges.take(order))
    )


def _rows(side: Any, names: Array, rows: Array, others: Array, attributes: Array) -> None:
    """Entries in the order of their rows, behind those that a side's dictionaries have."""
    if not rows.shape[0]:
        return
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    ends = [*begins[1:].tolist(), rows.shape[0]]
    heads, data = names.take(others).tolist(), attributes.tolist()
    for node, a, b in zip(names.take(rows[begins]).tolist(), begins.tolist(), ends, strict=True):
        entries = zip(heads[a:b], data[a:b], strict=True)
        if row := side[node]:
            row.update(entries)
        else:
            side[node] = dict(entries)
