"""A few vertices and what is near: the part of a graph that says of them what all of it would."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spbfs.engines.arrays.patterns.sets import locate, set_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, entries_in_order, places_in_order
from spbfs.objects.matrix import Matrix

__all__ = ["Part", "surroundings"]

#: A part with this share of the entries is the whole graph, whose matrix there is or will be.
_SHARE = 1 / 4


class Part(NamedTuple):
    """The adjacency matrix between some vertices, and where those in question are among them."""

    matrix: Matrix
    at: Array


def surroundings(G: Graph, vertices: Array, steps: int) -> Part:
    """What lies within so many steps, along the edges or against them, and the edges between.

    All edges of whoever is within a step less are there.
    """
    near = set_of(np, vertices)
    for _ in range(steps):
        if _is_much(G, near):
            return Part(G.matrix, vertices)
        sides = (G.rows, G.columns) if G.is_directed() else (G.rows,)
        beside = [rows.indices[places_in_order(rows, near)[0]] for rows in sides]
        near = set_of(np, np.concatenate([near, *beside]))
    if _is_much(G, near):
        return Part(G.matrix, vertices)
    u, places = entries_in_order(G.rows, near)
    heads, within = locate(np, near, G.rows.indices[places])
    tails = np.searchsorted(near, u[within])
    k = near.shape[0]
    matrix = Matrix.from_coo(tails, heads[within], True, nrows=k, ncols=k, device=G.device)
    return Part(matrix, np.searchsorted(near, vertices))


def _is_much(G: Graph, vertices: Array) -> bool:
    indptr = G.rows.indptr
    entries = int((indptr[vertices + 1] - indptr[vertices]).sum())
    return entries > _SHARE * G.rows.indices.shape[0]
