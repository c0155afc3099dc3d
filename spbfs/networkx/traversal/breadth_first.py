"""``networkx.algorithms.traversal.breadth_first_search``: orders are those of a queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.traversal import breadth_first_search as theirs

from spbfs.engines.cpu.bfs.search_edges import LED, edges_in_order
from spbfs.networkx.conversion.arguments import depth_below, found, source_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import add_new_edges, add_new_nodes
from spbfs.networkx.conversion.structure import Node, Rows, places_of
from spbfs.networkx.vertices.order import InOrder, search_in_order

__all__ = [
    "bfs_edges",
    "bfs_labeled_edges",
    "bfs_layers",
    "bfs_predecessors",
    "bfs_successors",
    "bfs_tree",
    "descendants_at_distance",
    "generic_bfs_edges",
]

#: The very strings, by which NetworkX compares.
_LABELS = np.array([getattr(theirs, f"{led.upper()}_EDGE") for led in LED], object)

#: Edges of which lists are made at once: such as stay in the cache until they are handed out.
_PART = 1 << 12


def bfs_edges(
    G: Graph,
    source: Node,
    reverse: bool = False,
    depth_limit: float | None = None,
    sort_neighbors: None = None,
) -> Iterator[tuple[Node, Node]]:
    """The edges of a search's tree, (parent, child)."""
    # The columns are read now; what is wrong with the source is said when somebody goes through it.
    return _edges(G, G.columns if reverse else G.rows, source, depth_limit)


def _edges(
    G: Graph, rows: Rows, source: Node, depth_limit: float | None
) -> Iterator[tuple[Node, Node]]:
    parents, children = _tree(G, rows, source, depth_limit)
    yield from zip(parents, children, strict=True)


def generic_bfs_edges(
    G: Graph, source: Node, neighbors: None = None, depth_limit: float | None = None
) -> Iterator[tuple[Node, Node]]:
    """The same along the edges."""
    return bfs_edges(G, source, depth_limit=depth_limit)


def bfs_tree(
    G: Graph,
    source: Node,
    reverse: bool = False,
    depth_limit: float | None = None,
    sort_neighbors: None = None,
) -> Any:
    """The tree as a graph of NetworkX's."""
    tree = nx.DiGraph()
    tree.add_node(source)  # which says what no graph has for a node
    order, _, parents = _searched(G, G.columns if reverse else G.rows, source, depth_limit)
    nodes = G.names.named(order)
    add_new_nodes(tree, nodes)
    places = np.arange(1, order.shape[0])
    add_new_edges(tree, nodes, places_of(order, len(G)).take(parents[order[1:]]), places)
    return tree


def bfs_predecessors(
    G: Graph, source: Node, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Node, Node]]:
    """Every vertex but the source with its parent."""
    parents, children = _tree(G, G.rows, source, depth_limit)
    yield from zip(children, parents, strict=True)


def bfs_successors(
    G: Graph, source: Node, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Node, list[Node]]]:
    """Every vertex that has children with the list of them; the source in any case."""
    order, _, parents = _searched(G, G.rows, source, depth_limit)
    if order.shape[0] == 1:
        yield source, []
        return
    # A queue takes the children of one parent after those of another.
    of = parents[order[1:]]
    begins = np.flatnonzero(np.diff(of, prepend=-1))
    children = G.names.named(order[1:])
    ends = [*begins[1:].tolist(), len(children)]
    for parent, begin, end in zip(G.names.named(of[begins]), begins.tolist(), ends, strict=True):
        yield parent, children[begin:end]


def bfs_layers(G: Graph, sources: Any) -> Iterator[list[Node]]:
    """The vertices of every level."""
    if sources in G:
        sources = [sources]
    first = list(set(sources))
    at = [found(G, s, f"The node {s} is not in the graph.", nx.NetworkXError) for s in first]
    if not at:
        return
    yield first  # before the search, which nobody may ask for
    order, levels, _ = search_in_order(G.rows, at)
    begin, *ends = (np.flatnonzero(np.diff(levels[order], append=-1)) + 1).tolist()
    nodes = G.names.named(order)
    for end in ends:
        yield nodes[begin:end]
        begin = end


def descendants_at_distance(G: Graph, source: Node, distance: int) -> set[Node]:
    """The vertices of one level."""
    at = found(G, source, f"The node {source} is not in the graph.", nx.NetworkXError)
    order, levels, _ = search_in_order(G.rows, [at], depth_below(distance))
    return set(G.names.named(order[levels[order] == distance]))


def bfs_labeled_edges(G: Graph, sources: Any) -> Iterator[tuple[Node, Node, str]]:
    """Every edge that a search comes by, and where it leads: to a child, the same level, ..."""
    if sources in G:
        sources = [sources]
    first: Iterable[Any] = dict.fromkeys(sources)
    search = search_in_order(G.rows, [G.names.number[s] for s in first])
    begins, v, led = edges_in_order(G.rows, *search, directed=G.is_directed())
    nodes = G.names.objects[search.order]
    tails = np.repeat(np.arange(nodes.shape[0], dtype=v.dtype), np.diff(begins))
    for begin in range(0, v.shape[0], _PART):
        part = slice(begin, begin + _PART)
        columns = nodes.take(tails[part]), nodes.take(v[part]), _LABELS.take(led[part])
        yield from zip(*(column.tolist() for column in columns), strict=True)


def _tree(
    G: Graph, rows: Rows, source: Node, depth_limit: float | None
) -> tuple[list[Node], list[Node]]:
    """Parents and children."""
    order, _, parents = _searched(G, rows, source, depth_limit)
    return G.names.named(parents[order[1:]]), G.names.named(order[1:])


def _searched(G: Graph, rows: Rows, source: Node, depth_limit: float | None) -> InOrder:
    return search_in_order(rows, [source_of(G, source)], depth_below(depth_limit))
