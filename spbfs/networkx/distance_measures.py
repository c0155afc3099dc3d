"""``networkx.algorithms.distance_measures``, ``wiener`` and ``efficiency_measures``: distances of
all pairs, summed up."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.bfs_many import bfs_many
from spbfs.networkx.arguments import nodes_of
from spbfs.networkx.components import reaches_all
from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Node
from spbfs.networkx.sums import sums_of_distances

__all__ = [
    "center",
    "diameter",
    "eccentricity",
    "global_efficiency",
    "periphery",
    "radius",
    "wiener_index",
]


def eccentricity(G: Graph, v: Any = None, sp: None = None, weight: Any = None) -> Any:
    """The largest distance from a node, or from each of several."""
    chosen = list(nodes_of(G, v))
    numbers = [G.names.number[node] for node in chosen]
    found = sums_of_distances(G, numbers, weight)
    if (found.reached != len(G)).any():
        how = "digraph is not strongly" if G.is_directed() else "graph is not"
        raise nx.NetworkXError(f"Found infinite path length because the {how} connected")
    if v in G:
        return found.farthest[0].item()
    return dict(zip(chosen, found.farthest.tolist(), strict=True))


def diameter(
    G: Graph, e: dict[Node, Any] | None = None, usebounds: bool = False, weight: Any = None
) -> Any:
    """The largest eccentricity."""
    return max(_eccentricities(G, e, usebounds, weight).values())


def radius(
    G: Graph, e: dict[Node, Any] | None = None, usebounds: bool = False, weight: Any = None
) -> Any:
    """The least eccentricity."""
    return min(_eccentricities(G, e, usebounds, weight).values())


def periphery(
    G: Graph, e: dict[Node, Any] | None = None, usebounds: bool = False, weight: Any = None
) -> list[Node]:
    """The nodes of largest eccentricity."""
    known = _eccentricities(G, e, usebounds, weight)
    most = max(known.values())
    return [node for node, value in known.items() if value == most]


def center(
    G: Graph, e: dict[Node, Any] | None = None, usebounds: bool = False, weight: Any = None
) -> list[Node]:
    """The nodes of least eccentricity."""
    if e is None and len(G) == 0 and not G.is_directed():
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    known = _eccentricities(G, e, usebounds, weight)
    least = min(known.values())
    return [node for node, value in known.items() if value == least]


def wiener_index(G: Graph, weight: Any = None) -> float:
    """The sum of the distances of all pairs."""
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if not (reaches_all(G.matrix) and (not G.is_directed() or reaches_all(G.matrix.T))):
        return math.inf
    total: float = sums_of_distances(G, range(n), weight).total.sum().item()
    return total if G.is_directed() else total / 2


def _eccentricities(
    G: Graph, known: dict[Node, Any] | None, usebounds: bool, weight: Any
) -> dict[Node, Any]:
    if known is not None:
        return known
    if usebounds and len(G) and not G.is_directed() and not reaches_all(G.matrix):
        raise nx.NetworkXError("Cannot compute metric because graph is not connected.")
    found: dict[Node, Any] = eccentricity(G, weight=weight)
    return found


def global_efficiency(G: Graph) -> Any:
    """The mean of 1 / distance over all pairs of nodes, 0 where no path joins them."""
    n = len(G)
    if n < 2:
        return 0
    sizes = bfs_many(G.matrix, np.arange(n), outputs="level_sizes").level_sizes
    assert sizes is not None
    pairs = sizes.sum(axis=0)[1:]
    return float((pairs / np.arange(1, pairs.shape[0] + 1)).sum()) / (n * (n - 1))
