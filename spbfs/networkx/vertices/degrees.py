"""The degrees of all vertices, edges counted or weighed."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array

__all__ = ["in_degrees", "out_degrees", "whole_degrees"]


def out_degrees(G: Graph, weight: Any = None) -> Array:
    """The edges out of every vertex, or their weights; of an undirected graph a loop once."""
    if weight is None and not G.is_multigraph():
        return np.diff(G.rows.indptr).astype(np.int64)
    return _sums(G, G.structure.tails, weight)


def in_degrees(G: Graph, weight: Any = None) -> Array:
    """The edges into every vertex, or their weights."""
    return _sums(G, G.rows.indices, weight)


def whole_degrees(G: Graph, weight: Any = None) -> Array:
    """The degrees of NetworkX: edges out and in, or, of an undirected graph, a loop twice."""
    if G.is_directed():
        return out_degrees(G, weight) + in_degrees(G, weight)
    if not G.structure.loops.size:
        return out_degrees(G, weight)
    if weight is None and not G.is_multigraph():
        found = out_degrees(G)
        found[G.structure.loops] += 1
        return found
    loops = G.structure.tails == G.rows.indices
    return out_degrees(G, weight) + _sums(G, np.where(loops, G.rows.indices, len(G)), weight)


def _sums(G: Graph, vertices: Array, weight: Any) -> Array:
    values = G.parallel if weight is None else G.weights(weight).combined(np.add)
    sums = np.bincount(vertices, values, minlength=len(G) + 1)[: len(G)]
    return sums.astype(np.int64) if values.dtype.kind == "i" else sums
