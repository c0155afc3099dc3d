"""Graphs of NetworkX's made row by row, in the order in which its methods would make them.

`add_edges_from` takes an edge at a time; a row's dictionary is filled from two lists at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, compress
from typing import Any

import networkx as nx
import numpy as np

from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Array, Node, by_row
from spbfs.networkx.traversal import places_in_order

__all__ = ["add_new_edges", "induced"]


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
    made.add_nodes_from((node, G.node_attributes[node].copy()) for node in kept)
    vertices = G.names.numbers(kept, len(kept))
    place = np.full(len(G), -1, vertices.dtype)
    place[vertices] = np.arange(vertices.shape[0])
    places, offsets = places_in_order(G.rows, vertices)
    u = np.repeat(place[vertices], np.diff(offsets))
    v = place.take(G.rows.indices.take(places))
    # An undirected edge from the end that comes first.
    inside = v >= (0 if G.is_directed() else u)
    rows = chain.from_iterable(G.adjacency[node].values() for node in kept)
    data = [attributes.copy() for attributes in compress(rows, inside.tolist())]
    edges = np.flatnonzero(inside)
    _fill(made, kept, u.take(edges), v.take(edges), data)
    return made


def add_new_edges(
    made: Any, nodes: list[Node], u: Array, v: Array, data: list[dict[str, Any]] | None = None
) -> None:
    """Edges that a graph lacks between the u-th and v-th of its `nodes`, with these attributes.

    `u` rises, and of a graph without directions is at most `v`.
    """
    _fill(made, nodes, u, v, [{} for _ in range(u.shape[0])] if data is None else data)


def _fill(made: Any, nodes: list[Node], u: Array, v: Array, data: list[dict[str, Any]]) -> None:
    """The rows of edges in their order; both ends of an edge have its dictionary in common."""
    names, attributes = (np.fromiter(x, object, len(x)) for x in (nodes, data))
    if made.is_directed():
        back = by_row(v, len(nodes))
        _rows(made._pred, names, v[back], u[back], attributes.take(back))
        _rows(made._adj, names, u, v, attributes)
        return
    # Whoever comes before has added the edge to this one's row already.
    back = np.flatnonzero(u != v)
    rows, others = np.concatenate([v[back], u]), np.concatenate([u[back], v])
    order = by_row(rows, len(nodes))
    edges = np.concatenate([back, np.arange(u.shape[0])]).take(order)
    _rows(made._adj, names, rows.take(order), others.take(order), attributes.take(edges))


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
