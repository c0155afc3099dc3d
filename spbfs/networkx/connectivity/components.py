"""``networkx.algorithms.components``, undirected, weak and strong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, pairwise, starmap
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.connectivity.components import components
from spbfs.algorithms.connectivity.strong_components import strong_components
from spbfs.engines.cpu.algorithms.components import strong_in_order
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node, Rows, by_row
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = [
    "all_reach_all",
    "connected_components",
    "is_connected",
    "is_strongly_connected",
    "is_weakly_connected",
    "least_vertices",
    "node_connected_component",
    "number_connected_components",
    "number_strongly_connected_components",
    "number_weakly_connected_components",
    "reaches_all",
    "sets_of",
    "strong_numbers",
    "strongly_connected_components",
    "weakly_connected_components",
]


def connected_components(G: Graph) -> Iterator[set[Node]]:
    """The components, by their first nodes."""
    yield from sets_of(G, least_vertices(G))


def number_connected_components(G: Graph) -> int:
    """How many there are."""
    return int(np.count_nonzero(least_vertices(G) == np.arange(len(G))))


def is_connected(G: Graph) -> bool:
    """Whether there is one."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def node_connected_component(G: Graph, n: Node) -> set[Node]:
    """The component of a node."""
    reached, _ = bfs(G.matrix, G.names.number[n], parents=False).levels.to_coo()
    return set(G.names.named(reached))


weakly_connected_components = connected_components
number_weakly_connected_components = number_connected_components
is_weakly_connected = is_connected


def strongly_connected_components(G: Graph) -> Iterator[set[Node]]:
    """The strong components, as a depth-first search along the rows is done with them."""
    yield from sets_of(G, strong_numbers(G.rows)) if len(G) else ()


def strong_numbers(rows: Rows) -> Array:
    """Everybody's strong component, numbered as a depth-first search is done with them."""
    found = strong_in_order(rows, backwards=False)
    assert found is not None, "rows of a graph are a CSR"
    return found[1]


def number_strongly_connected_components(G: Graph) -> int:
    """How many there are."""
    return int(np.count_nonzero(least_vertices(G, strong_components) == np.arange(len(G))))


def is_strongly_connected(G: Graph) -> bool:
    """Whether there is one."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return all_reach_all(G.matrix)


def all_reach_all(A: MatrixOperand, directed: bool = True) -> bool:
    """Whether every vertex reaches every other."""
    return reaches_all(A) and (not directed or reaches_all(A.T))


def reaches_all(A: MatrixOperand) -> bool:
    """Whether the first vertex reaches every other."""
    return bfs(A, 0, parents=False).reached == A.nrows


def sets_of(G: Graph, labels: Array) -> Iterator[set[Node]]:
    """Nodes with equal labels, in the order of the labels."""
    order = by_row(labels, len(G))
    nodes = G.names.named(order)
    ends = np.flatnonzero(np.diff(labels[order], append=-1)) + 1
    sizes = np.diff(ends, prepend=0)
    begins, alone = ends - sizes, sizes == 1
    # Runs of those with one node, which most may have, and of the others.
    runs = np.flatnonzero(np.diff(alone.astype(np.int8), prepend=-1, append=-1))

    def sets(first: int, last: int) -> Iterator[set[Node]]:
        if alone[first]:
            # A display is made in a third of the time of a call.
            return ({node} for node in nodes[begins[first] : ends[last - 1]])
        slices = map(slice, begins[first:last].tolist(), ends[first:last].tolist())
        return map(set, map(nodes.__getitem__, slices))

    return chain.from_iterable(starmap(sets, pairwise(runs.tolist())))


def least_vertices(G: Graph, kind: Callable[[Any], Vector] = components) -> Array:
    """The least vertex of everybody's component."""
    if len(G) == 0:
        return np.zeros(0, np.int64)
    return np.asarray(on_host(kind(G.matrix).to_dense()))
