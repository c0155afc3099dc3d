"""``networkx.algorithms.coloring``: colours that no edge joins, one node after another."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from networkx.algorithms.coloring import strategy_random_sequential

from spbfs.algorithms.sets.colouring import in_order
from spbfs.algorithms.sets.orders import given
from spbfs.networkx.connectivity.components import least_vertices
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.vertices.order import search_in_order
from spbfs.storage.entries import on_host

__all__ = ["greedy_color"]


def greedy_color(
    G: Graph, strategy: str = "largest_first", interchange: bool = False
) -> dict[Node, int]:
    """Each node, in the order of a strategy, gets the least colour that no neighbour has before."""
    if G.is_directed() or G.is_multigraph():
        raise NotImplementedError("NetworkX looks along the edges, and counts parallel ones")
    if len(G) == 0:
        return {}
    # All others are one after the other component.
    orders = {"largest_first": _largest_first, "random_sequential": _random}
    order = orders.get(strategy, _connected)(G).astype(np.int64)
    colours = on_host(in_order(G.matrix, given(order), "auto", None).to_dense())
    return dict(zip(G.names.named(order), colours[order].tolist(), strict=True))


def _largest_first(G: Graph) -> Array:
    """By falling degree, of one degree as they come."""
    degrees = np.diff(G.rows.indptr)
    degrees[G.structure.loops] += 1
    behind = degrees.max() - degrees
    # NumPy sorts 16 bits by their digits, a third of the time of comparisons.
    few = behind.max() <= np.iinfo(np.uint16).max
    return np.argsort(behind.astype(np.uint16) if few else behind, kind="stable")


def _random(G: Graph) -> Array:
    """As Python's generator shuffles them, whose next numbers these are there, too."""
    return G.names.numbers(strategy_random_sequential(G.names.nodes, {}), len(G))


def _connected(G: Graph) -> Array:
    """One component after the other, each in the order of a queue.

    A queue begins with the node that the component's set gives first.  That depends on the order in
    which nodes have come into the set: that of another queue, which begins with the first of them.
    """
    least = least_vertices(G)

    def queued(sources: Array) -> Array:
        # Queues side by side are one queue of which each has its own part.
        order = search_in_order(G.rows, sources).order
        return order[np.argsort(least[order], kind="stable")]

    order = queued(np.flatnonzero(least == np.arange(len(G))))
    nodes = G.names.named(order)
    bounds = np.flatnonzero(np.diff(least[order], prepend=-1, append=-1)).tolist()
    first = [next(iter(set(nodes[a:b]))) for a, b in pairwise(bounds)]
    return queued(G.names.numbers(first, len(first)))
