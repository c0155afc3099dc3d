"""``networkx.algorithms.tree.recognition`` and ``euler``: what components and degrees decide."""

from __future__ import annotations

import networkx as nx
import numpy as np

from spbfs.networkx.connectivity.components import (
    is_connected,
    is_strongly_connected,
    number_connected_components,
)
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.vertices.degrees import in_degrees, out_degrees, whole_degrees

__all__ = [
    "has_eulerian_path",
    "is_arborescence",
    "is_branching",
    "is_eulerian",
    "is_forest",
    "is_semieulerian",
    "is_tree",
]


def is_tree(G: Graph) -> bool:
    """Whether edges, without direction, connect all nodes and form no cycle."""
    _not_empty(G)
    return _edges(G) == len(G) - 1 and is_connected(G)


def is_forest(G: Graph) -> bool:
    """Whether they form no cycle."""
    _not_empty(G)
    # Of every component there are as many as it has nodes but one, or more.
    return _edges(G) == len(G) - number_connected_components(G)


def is_arborescence(G: Graph) -> bool:
    """Whether it is a tree and no node has two edges in."""
    return is_tree(G) and bool(in_degrees(G).max() <= 1)


def is_branching(G: Graph) -> bool:
    """Whether it is a forest and no node has two edges in."""
    return is_forest(G) and bool(in_degrees(G).max() <= 1)


def is_eulerian(G: Graph) -> bool:
    """Whether a closed walk takes every edge once and comes by all nodes."""
    if G.is_directed():
        return bool((in_degrees(G) == out_degrees(G)).all()) and is_strongly_connected(G)
    return not (whole_degrees(G) % 2).any() and is_connected(G)


def has_eulerian_path(G: Graph, source: None = None) -> bool:
    """Whether any walk does."""
    if is_eulerian(G):
        return True
    if not G.is_directed():
        return int((whole_degrees(G) % 2).sum()) == 2 and is_connected(G)
    more = out_degrees(G) - in_degrees(G)
    ends = int(np.abs(more).sum())
    return ends <= 2 and bool((np.abs(more) <= 1).all()) and is_connected(G)


def is_semieulerian(G: Graph) -> bool:
    """Whether one does that is not closed."""
    return has_eulerian_path(G) and not is_eulerian(G)


def _edges(G: Graph) -> int:
    """How many there are, parallel ones and loops among them."""
    return int(whole_degrees(G).sum()) // 2


def _not_empty(G: Graph) -> None:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
