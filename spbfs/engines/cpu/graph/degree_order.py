"""A copy of a graph whose vertices are numbered by falling degree, kept with the matrix.

Where degrees are skewed most edges lead to few vertices: numbered together these share cache lines,
and looked at first they end most searches of a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = ["ByDegree", "by_degree", "copy_bytes"]


@dataclass(frozen=True, slots=True)
class ByDegree:
    """A graph whose vertices are numbered by falling degree; results go back by `rank`.

    Attributes
    ----------
    out, into : MatrixData
        Out-edges and in-edges in the new numbers, the same object where the pattern is symmetric.
    order, rank : array of the matrix's index type
        The vertex that has a number, and the number that a vertex has.
    """

    out: MatrixData
    into: MatrixData
    order: np.ndarray[Any, Any]
    rank: np.ndarray[Any, Any]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        own = {
            id(m): m.indptr.nbytes + m.indices.nbytes + m.derived.nbytes
            for m in (self.out, self.into)
        }
        return sum(own.values()) + self.order.nbytes + self.rank.nbytes


def copy_bytes(data: MatrixData, in_edges: MatrixData) -> int:
    """Bytes that a copy of the graph by degree takes."""
    own = {id(m): m.indptr.nbytes + m.indices.nbytes for m in (data, in_edges)}
    return sum(own.values()) + 4 * data.indices.itemsize * data.nrows


def by_degree(data: MatrixData, in_edges: MatrixData, threads: int) -> ByDegree:
    """`data` with its vertices numbered by falling in-degree; made once, then kept.

    Parameters
    ----------
    data : MatrixData
        Square.
    in_edges : MatrixData
        The pattern of its transpose; `data` itself where that is symmetric.
    threads : int
    """
    derived = data.derived
    if derived.by_degree is None:
        require_bytes(copy_bytes(data, in_edges), "A: a copy of it by degree")
        # Degrees fit the offsets' type; falling means rising complement.
        order = np.argsort(~np.diff(in_edges.indptr), kind="stable").astype(data.indices.dtype)
        rank = np.empty_like(order)
        rank[order] = np.arange(order.shape[0], dtype=order.dtype)
        own = {id(m): m for m in (data, in_edges)}
        made = {key: _relabelled(m, order, rank, threads) for key, m in own.items()}
        layout = ByDegree(made[id(data)], made[id(in_edges)], order, rank)
        with keeping:
            if derived.by_degree is None:
                derived.by_degree = layout
    return cast(ByDegree, derived.by_degree)


def _relabelled(data: MatrixData, order: Any, rank: Any, threads: int) -> MatrixData:
    from spbfs import _cpu

    indptr = np.zeros_like(data.indptr)
    np.cumsum(np.diff(data.indptr)[order], out=indptr[1:])
    indices = np.empty_like(data.indices)
    _cpu.relabel(data.indptr, data.indices, order, rank, None, indptr, indices, threads)
    return MatrixData(data.nrows, data.ncols, indptr, indices, data.values)
