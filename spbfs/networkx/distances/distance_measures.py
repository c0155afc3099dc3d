"""``networkx.algorithms.distance_measures``: distances of all pairs, summed up."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.rank.closeness import harmonic
from spbfs.networkx.connectivity.components import reaches_all
from spbfs.networkx.connectivity.trees import is_tree
from spbfs.networkx.conversion.arguments import nodes_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Node
from spbfs.networkx.shortest_paths.sums import lengths_from, sums_of_distances

__all__ = [
    "barycenter",
    "center",
    "diameter",
    "eccentricity",
    "harmonic_diameter",
    "periphery",
    "radius",
]


def eccentricity(G: Graph, v: Any = None, sp: None = None, weight: Any = None) -> Any:
    """The largest distance from a node, or from each of several."""
    chosen = list(nodes_of(G, v))
    numbers = [G.names.number[node] for node in chosen]
    found = sums_of_distances(G, numbers, weight)
    if (found.reached != len(G)).any():
        how = "digraph is not strongly" if G.is_directed() else "graph is not"
        raise nx.NetworkXError(f"Found infinite path length because the {how} connected")
    # An integer where nothing is farther than the node itself, as it is there.
    farthest = [value or 0 for value in found.farthest.tolist()]
    return farthest[0] if v in G else dict(zip(chosen, farthest, strict=True))


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
    bounded = usebounds is True or weight is not None
    if e is None and not bounded and len(G) == 0 and not G.is_directed():
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    known = _eccentricities(G, e, usebounds, weight)
    least = min(known.values())
    return [node for node, value in known.items() if value == least]


def barycenter(G: Graph, weight: Any = None, attr: None = None, sp: None = None) -> list[Node]:
    """The nodes from which the sum of all distances is the least."""
    if weight is None and not G.is_directed() and is_tree(G):
        return list(nx.tree.centroid(G.view()))
    if weight is not None and not G.weights(weight).integral:
        raise NotImplementedError("which of two sums of floats is less their order decides")
    sums = sums_of_distances(G, range(len(G)), weight)
    if (sums.reached < len(G)).any():
        raise nx.NetworkXNoPath(
            f"Input graph {G.view()} is disconnected, so every induced subgraph has infinite "
            "barycentricity."
        )
    least = min(sums.total.tolist(), default=0)
    return G.names.named(np.flatnonzero(sums.total == least))


def harmonic_diameter(G: Graph, sp: None = None, *, weight: Any = None) -> float:
    """The harmonic mean of the distances of all pairs."""
    n = len(G)
    if weight is None:
        near = float(harmonic(G.matrix).sum())
    else:
        parts = lengths_from(G, range(n), weight)
        near = sum(float((1 / rows[rows > 0]).sum()) for rows in parts)
    if near:
        return n * (n - 1) / near
    return math.inf if n > 1 else math.nan


def _eccentricities(
    G: Graph, known: dict[Node, Any] | None, usebounds: bool, weight: Any
) -> dict[Node, Any]:
    if known is not None:
        return known
    if usebounds and len(G) and not G.is_directed() and not reaches_all(G.matrix):
        raise nx.NetworkXError("Cannot compute metric because graph is not connected.")
    found: dict[Node, Any] = eccentricity(G, weight=weight)
    return found
