"""``networkx.algorithms.wiener`` and ``vitality``: distances of all pairs, weighed and summed."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.paths.all_pairs import apsp
from spbfs.networkx.connectivity.components import all_reach_all, is_connected
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.shortest_paths.lengths import not_negative
from spbfs.networkx.shortest_paths.sums import distances_from, sums_of_distances
from spbfs.networkx.vertices.degrees import whole_degrees
from spbfs.objects.matrix import Matrix

__all__ = [
    "closeness_vitality",
    "gutman_index",
    "hyper_wiener_index",
    "schultz_index",
    "wiener_index",
]

#: Searches whose distances are held at once.
_AT_ONCE = 256


def wiener_index(G: Graph, weight: Any = None) -> float:
    """The sum of the distances of all pairs."""
    if weight is not None:
        not_negative(G, weight)
    return _sum_of_all(G, G.matrix if weight is None else G.weighted(weight), weight)


def hyper_wiener_index(G: Graph, weight: Any = None) -> float:
    """The sum of the distances and of their squares."""
    if not is_connected(G):
        return math.inf
    return sum(float((rows + rows * rows).sum()) for rows in distances_from(G, weight)) / 2


def schultz_index(G: Graph, weight: Any = None) -> float:
    """The sum of the distances, each times the degrees of both ends."""
    degrees = _degrees(G)
    if not is_connected(G):
        return math.inf
    # Of a pair either end is met as the source.
    return float(sums_of_distances(G, range(len(G)), weight).total @ degrees)


def gutman_index(G: Graph, weight: Any = None) -> float:
    """The sum of the distances, each times the degree of one end and of the other."""
    degrees = _degrees(G)
    if not is_connected(G):
        return math.inf
    totals = np.concatenate([rows @ degrees for rows in distances_from(G, weight)])
    return float(totals @ degrees) / 2


def _degrees(G: Graph) -> Array:
    if "weight" in G:
        raise NotImplementedError("NetworkX takes the name of the weight for this node's degree")
    return whole_degrees(G).astype(np.float64)


def closeness_vitality(
    G: Graph, node: Node | None = None, weight: Any = None, wiener_index: float | None = None
) -> Any:
    """By how much the sum of all distances falls when a node, or each in turn, is left out."""
    hash(node)  # NetworkX looks it up, which raises where it cannot
    if weight is not None:
        not_negative(G, weight)
    A = G.matrix if weight is None else G.weighted(weight)
    before = _sum_of_all(G, A, weight) if wiener_index is None else wiener_index

    def falls(node: Node) -> Any:
        others = np.arange(len(G))
        if node in G:
            others = np.delete(others, G.names.number[node])
        return before - _sum_of_all(G, A[others, others].new(), weight)

    return {other: falls(other) for other in G.names.nodes} if node is None else falls(node)


def _sum_of_all(G: Graph, A: Matrix, weight: Any) -> Any:
    """The Wiener index of a graph, or of a part of it that a matrix has."""
    n = A.nrows
    if n == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if not all_reach_all(A, G.is_directed()):
        return math.inf
    if weight is None:
        total = bfs_many(A, np.arange(n), outputs="reached").sum_levels.sum().item()
    else:
        parts = (np.arange(n)[first : first + _AT_ONCE] for first in range(0, n, _AT_ONCE))
        total = sum(apsp(A, part).sum().item() for part in parts)
    return total if G.is_directed() else total / 2
