"""A graph as somebody asks for its searches on the CPU: which vertices have numbers, and in which
order a row has its neighbours.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), 4.1 and
4.2: vertices without entries are left out of what a pull goes through, and a row's neighbours lie
by falling degree, so that it finds one in the frontier early.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.cpu.native import kernels
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.storage.data import MatrixData

__all__ = ["SearchLayout", "lay_out"]

Array = Any


@dataclass(frozen=True, slots=True)
class SearchLayout:
    """Both directions of a graph, in whose numbers and order the name of the layout says.

    Attributes
    ----------
    out, into : MatrixData
        Out-edges and in-edges, the same object where the pattern is symmetric.
    order, rank : array of the matrix's index type, or None
        The vertex that has a number, and the number that a vertex has or -1; None where vertices
        keep their own.
    copied : bool
        Whether the directions are copies, not the matrix and its transpose.
    """

    out: MatrixData
    into: MatrixData
    order: Array
    rank: Array
    copied: bool = True

    @property
    def nbytes(self) -> int:
        """Bytes of both directions and of the numbers, where they are the layout's own."""
        if not self.copied:
            return 0
        own = {
            id(m): m.indptr.nbytes + m.indices.nbytes + m.derived.nbytes
            for m in (self.out, self.into)
        }
        numbers = 0 if self.order is None else self.order.nbytes + self.rank.nbytes
        return sum(own.values()) + int(numbers)


def lay_out(
    A: MatrixData,
    in_edges: MatrixData,
    relabel: Relabelling,
    neighbours: NeighbourOrder,
    threads: int,
) -> SearchLayout:
    """The layout of that name, made anew.

    Parameters
    ----------
    A, in_edges : MatrixData
        Square, and the pattern of its transpose; `A` itself where that is symmetric.
    relabel : {"compact", "degree"} or None
        Vertices with entries in the caller's order, or by falling degree; all of them as they are.
    neighbours : {"degree"} or None
        Of each row by falling degree, or in the caller's order.
    threads : int
    """
    own = {id(m): m for m in (A, in_edges)}
    size = sum(m.indptr.nbytes + m.indices.nbytes for m in own.values())
    require_bytes(size + 5 * A.nrows * A.indices.itemsize, "A: its layout for searches")
    degrees = np.diff(A.indptr)
    if in_edges is not A:
        degrees = degrees + np.diff(in_edges.indptr)
    # Degrees fit the offsets' type; falling means rising complement.
    falling = np.argsort(~degrees, kind="stable").astype(A.indices.dtype)
    order, rank = _numbers(relabel, degrees, falling)
    if order is None and neighbours is None:
        return SearchLayout(A, in_edges, None, None, copied=False)
    key, numbers = _neighbour_keys(neighbours, falling, rank)
    rows = np.arange(A.nrows, dtype=A.indices.dtype) if order is None else order
    made = {i: _laid_out(m, rows, key, numbers, threads) for i, m in own.items()}
    return SearchLayout(made[id(A)], made[id(in_edges)], order, rank)


def _numbers(relabel: Relabelling, degrees: Array, falling: Array) -> tuple[Array, Array]:
    """The vertices by number, and the number of every vertex."""
    if relabel is None or (relabel == "compact" and degrees.all()):
        return None, None
    if relabel == "compact":
        order = np.flatnonzero(degrees).astype(falling.dtype)
    else:
        order = falling[: np.count_nonzero(degrees)].copy()
    return order, _inverse(order, falling.shape[0])


def _neighbour_keys(neighbours: NeighbourOrder, falling: Array, rank: Array) -> tuple[Array, Array]:
    """By what the neighbours of a row are sorted, and the number of who has a key."""
    labels = np.arange(falling.shape[0], dtype=falling.dtype)
    if neighbours is None:
        return labels, labels if rank is None else rank
    return _inverse(falling, falling.shape[0]), falling if rank is None else rank[falling]


def _inverse(order: Array, n: int) -> Array:
    """Where each of n vertices stands in `order`; -1 where it does not."""
    place = np.full(n, -1, order.dtype)
    place[order] = np.arange(order.shape[0], dtype=order.dtype)
    return place


def _laid_out(data: MatrixData, rows: Array, key: Array, numbers: Array, threads: int) -> Any:
    indptr = np.zeros(rows.shape[0] + 1, data.indptr.dtype)
    np.cumsum(np.diff(data.indptr)[rows], out=indptr[1:])
    indices = np.empty_like(data.indices)
    kernels.relabel(data.indptr, data.indices, rows, key, numbers, indptr, indices, threads)
    return MatrixData(rows.shape[0], rows.shape[0], indptr, indices, data.values)
