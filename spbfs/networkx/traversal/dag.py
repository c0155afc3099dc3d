"""``networkx.algorithms.dag``: who can be reached, and orders in which edges point forward."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.cohesion import closure
from spbfs.engines.cpu.algorithms.topological_order import (
    topological_order,
    topological_order_by_rank,
)
from spbfs.networkx.connectivity.components import number_strongly_connected_components
from spbfs.networkx.conversion.arguments import source_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import with_edges
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.objects.matrix import Matrix

__all__ = [
    "ancestors",
    "descendants",
    "is_directed_acyclic_graph",
    "lexicographical_topological_sort",
    "sorted_vertices",
    "topological_generations",
    "topological_sort",
    "transitive_closure",
    "with_closure",
]


def descendants(G: Graph, source: Node) -> set[Node]:
    """Everybody who can be reached from a node, but that node."""
    return _reached(G, source, G.matrix)


def ancestors(G: Graph, source: Node) -> set[Node]:
    """Everybody from whom a node can be reached, but that node."""
    return _reached(G, source, G.matrix.T)


def is_directed_acyclic_graph(G: Graph) -> bool:
    """Whether edges have directions and no cycle: every node a strong component, without loops."""
    if not G.is_directed() or G.structure.loops.size:
        return False
    return number_strongly_connected_components(G) == len(G)


def topological_generations(G: Graph) -> Iterator[list[Node]]:
    """The nodes that no edge enters, then those that none enters but from these, and so on."""
    order, levels = _sorted(G)
    nodes = G.names.named(order)
    for begin, end in pairwise([0, *(np.flatnonzero(np.diff(levels, append=-1)) + 1).tolist()]):
        yield nodes[begin:end]
    _check_all(G, order)


def topological_sort(G: Graph) -> Iterator[Node]:
    """The nodes, each behind all from which an edge leads to it."""
    yield from _listed(G, _sorted(G)[0])


def lexicographical_topological_sort(
    G: Graph, key: Callable[[Node], Any] | None = None
) -> Iterator[Node]:
    """The same, of those that could come next always the one of the least key, then the first."""
    if not G.is_directed():
        return topological_sort(G)  # which refuses it when it is gone through
    nodes = G.names.nodes
    keys = list(nodes) if key is None else [key(node) for node in nodes]
    return _listed(G, topological_order_by_rank(G.rows, np.array(_ranked(keys), np.int64)))


def _ranked(keys: list[Any]) -> list[int]:
    """Positions by rising key; of those that have no order only NetworkX knows what to say."""
    kinds = set(map(type, keys))
    if kinds <= {int} or kinds <= {str}:  # which have an order
        return sorted(range(len(keys)), key=keys.__getitem__)
    try:
        found = sorted(range(len(keys)), key=keys.__getitem__)
        if all(keys[i] < keys[k] or keys[i] == keys[k] for i, k in pairwise(found)):
            return found
    except TypeError:
        pass
    raise NotImplementedError("NetworkX compares those keys alone that it meets together")


def _listed(G: Graph, order: Array) -> Iterator[Node]:
    yield from G.names.named(order)
    _check_all(G, order)


def _sorted(G: Graph) -> tuple[Array, Array]:
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    return topological_order(G.rows)


def sorted_vertices(G: Graph) -> tuple[Array, Array]:
    """The vertices of a graph without cycles in topological order, and the level of each."""
    order, levels = _sorted(G)
    _check_all(G, order)
    return order, levels


def _check_all(G: Graph, order: Array) -> None:
    if order.shape[0] < len(G):
        message = "Graph contains a cycle or graph changed during iteration"
        raise nx.NetworkXUnfeasible(message)


def transitive_closure(G: Graph, reflexive: int | None = False) -> Any:
    """The graph with an edge from every node to all that it reaches.

    To itself where it is on a cycle, in any case, or, where `reflexive` is None, not.
    """
    if reflexive not in {None, True, False}:
        raise nx.NetworkXError("Incorrect value for the parameter `reflexive`")
    if reflexive is False and not G.is_directed():
        raise NotImplementedError("NetworkX asks for cycles of edges that are met once")
    if not (reflexive is None or isinstance(reflexive, bool)):
        # 1 and 0 equal True and False, and there are neither.
        return G.to_networkx()
    found = closure.transitive_closure(G.matrix, reflexive=bool(reflexive))
    return with_closure(G, found, loops=reflexive is not None)


def with_closure(G: Graph, found: Matrix, *, loops: bool = True) -> Any:
    """The graph with the edges of its closure that it lacks; loops among them, or not."""
    begins, v, _ = found.to_csr()
    edges, n = G.structure.sorted[0], len(G)
    u = np.repeat(np.arange(n, dtype=v.dtype), np.diff(begins))
    # An undirected edge once; whoever is on a cycle reaches himself in any case.
    kept = np.ones(u.shape[0], np.bool_) if loops else u != v
    if not G.is_directed():
        kept &= u <= v
    # Both are in order, and the few edges are among the many pairs.
    first = np.arange(n) * n
    pairs, there = (np.repeat(first, np.diff(offsets)) for offsets in (begins, edges.indptr))
    pairs += v
    there += edges.indices
    kept[np.searchsorted(pairs, there)] = False
    return with_edges(G, u[kept], v[kept])


def _reached(G: Graph, source: Node, A: object) -> set[Node]:
    vertices, _ = bfs(A, source_of(G, source), parents=False).levels.to_coo()
    others = set(G.names.named(vertices))
    others.discard(source)
    return others
