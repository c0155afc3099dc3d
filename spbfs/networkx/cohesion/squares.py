"""``networkx.algorithms.cluster`` and ``core``: triangles of edges, squares, layers of a core."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import numpy as np

from spbfs import select, semiring
from spbfs.algorithms.cohesion.similarity import common_neighbours
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.networkx.cohesion.clustering import simple, without_loops
from spbfs.networkx.conversion.arguments import by_node
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node, batches, entries_in_order
from spbfs.networkx.vertices.surroundings import Part, surroundings
from spbfs.objects.matrix import Matrix
from spbfs.storage.entries import on_host

__all__ = ["generalized_degree", "onion_layers", "square_clustering"]

#: Paths of two edges that are counted together.
_PATHS = 1 << 24
#: Where rows begin and end among the rows of all entries, as NumPy's search calls it.
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def generalized_degree(G: Graph, nodes: Any = None) -> Any:
    """Of every node, how many of its edges are in how many triangles."""
    simple(G)

    def of(numbers: Array) -> list[Counter[int]]:
        part = Part(G.matrix, numbers) if nodes is None else surroundings(G, numbers, 1)
        counts = common_neighbours(part.matrix)
        assert isinstance(counts, Matrix), "no pairs were given"
        rows, _, values = counts.to_coo(columns=False)
        found = values.tolist()
        begins, ends = (np.searchsorted(rows, part.at, side).tolist() for side in _SIDES)
        return [Counter(found[a:b]) for a, b in zip(begins, ends, strict=True)]

    return by_node(G, nodes, of)


def square_clustering(G: Graph, nodes: Any = None) -> Any:
    """The share of the squares that there may be at a node that there are."""
    if G.is_directed():
        raise NotImplementedError("NetworkX looks along the edges alone")

    def of(numbers: Array) -> list[float]:
        part = Part(G.matrix, numbers) if nodes is None else surroundings(G, numbers, 2)
        squares, triangles, degrees, around = _counts(*part)
        # Of two neighbours, what either has beside the node, the other, and what both have.
        potential = (degrees - 1) * (around - degrees) - triangles - squares
        may = potential > 0
        shares = np.divide(squares, potential, out=np.zeros(numbers.shape[0]), where=may)
        return [share if some else 0 for share, some in zip(shares.tolist(), may, strict=True)]

    return by_node(G, nodes, of)


def _counts(A: Matrix, numbers: Array) -> tuple[Array, ...]:
    """Squares, edges between neighbours from both ends, degrees, and those of all neighbours."""
    S = select.offdiag(A).new()
    degrees = on_host(S.reduce_rowwise("count").new().to_dense(0)).astype(np.int64)
    u, v, _ = S.to_coo(values=False)
    around = np.bincount(u, degrees[v], minlength=A.nrows).astype(np.int64)
    squares, triangles = np.zeros((2, numbers.shape[0]), np.int64)
    for part in batches(around[numbers], _PATHS):
        rows = S[numbers[part], :].new()
        both = semiring.plus_pair(rows @ S).new()
        # Ways of two edges to everybody else: as many lead back as a node has neighbours.
        ends, _, p = both.to_csr()
        twice = np.add.reduceat(np.append(p * (p - 1), 0), ends[:-1])
        twice[ends[:-1] == ends[1:]] = 0
        d = degrees[numbers[part]]
        squares[part] = (twice - d * (d - 1)) // 2
        triangles[part] = both.dup(mask=rows.S).reduce_rowwise().new().to("cpu").to_dense(0)
    return squares, triangles, degrees[numbers], around[numbers]


def onion_layers(G: Graph) -> dict[Node, int]:
    """When a node goes, if all go at once that have no more neighbours left than the core has."""
    without_loops(G, "contains")
    degrees = np.diff(G.rows.indptr).astype(np.int64)
    left = degrees > 0
    layers = [np.flatnonzero(~left)] if not left.all() else []
    core = 1
    goes = np.flatnonzero(left & (degrees <= core))
    while True:
        if not goes.shape[0]:
            if not left.any():
                break
            core = int(degrees[left].min())
            goes = np.flatnonzero(left & (degrees <= core))
        # Those of least degree first, of one degree as they come.
        goes = goes[np.argsort(degrees[goes], kind="stable")]
        layers.append(goes)
        left[goes] = False
        _, places = entries_in_order(G.rows, goes)
        beside = G.rows.indices[places]
        beside = beside[left[beside]]
        touched = set_of(np, beside)
        degrees[touched] -= np.bincount(np.searchsorted(touched, beside))
        goes = touched[degrees[touched] <= core]
    return {node: number for number, layer in enumerate(layers, 1) for node in G.names.named(layer)}
