"""What is derived from a matrix and kept with it: its transpose, whether it is symmetric."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.core.memory import require_bytes
from spbfs.core.storage import MatrixData, is_iso
from spbfs.core.threads import get_threads

__all__ = ["ByDegree", "by_degree", "hubs", "is_symmetric", "known_transpose", "transposed"]

# Blocks of rows that count columns apart from each other; each needs ncols offsets for a moment.
_MOST_BLOCKS = 8
# Hubs are made where the longest row is this many times the mean.
_HUBS_SKEW = 16


def transposed(data: MatrixData) -> MatrixData:
    """The transpose of `data` as canonical CSR; made once, then kept with both.

    A symmetric pattern with iso values is its own transpose and costs nothing.

    Parameters
    ----------
    data : MatrixData
        NumPy arrays, ``nrows x ncols``.

    Returns
    -------
    MatrixData
        ``ncols x nrows``, with arrays of the same dtypes.
    """
    known = known_transpose(data)
    if known is not None:
        return known
    if is_iso(data.values) and is_symmetric(data):
        return data
    require_bytes(8 * (data.ncols + 1), f"the transpose: the offsets of {data.ncols} rows")
    from spbfs import _cpu

    threads = get_threads()
    blocks = max(1, min(threads, _MOST_BLOCKS, data.nvals // max(1, data.ncols)))
    # Rows of the transpose are columns here, so the index type follows nrows.
    itype = data.indices.dtype if data.nrows <= np.iinfo(data.indices.dtype).max else np.int64
    indices = data.indices.astype(itype, copy=False)
    indptr = data.indptr if itype == np.int32 else data.indptr.astype(np.int64, copy=False)
    out_indptr = np.empty(data.ncols + 1, indptr.dtype)
    out_indices = np.empty(data.nvals, itype)
    place = np.empty(blocks * data.ncols, indptr.dtype)
    if is_iso(data.values) or data.nvals == 0:
        out_values: np.ndarray[Any, Any] = data.values
        _cpu.transpose(indptr, indices, None, 1, out_indptr, out_indices, None, place, threads)
    else:
        out_values = np.empty(data.nvals, data.values.dtype)
        _cpu.transpose(
            indptr,
            indices,
            np.ascontiguousarray(data.values).view(np.uint8),
            data.values.dtype.itemsize,
            out_indptr,
            out_indices,
            out_values.view(np.uint8),
            place,
            threads,
        )
    made = MatrixData(data.ncols, data.nrows, out_indptr, out_indices, out_values)
    made.cache["transpose_of"] = weakref.ref(data)
    data.transpose = made
    return made


def known_transpose(data: MatrixData) -> MatrixData | None:
    """The transpose where it is there already, else None."""
    if data.transpose is not None:
        return data.transpose
    # The way back is a weak reference: a cycle would keep both until the next garbage collection,
    # which counts objects and knows nothing of gigabytes.
    back = data.cache.get("transpose_of")
    original: MatrixData | None = back() if back is not None else None
    if original is None and is_iso(data.values) and data.cache.get("symmetric"):
        return data
    return original


def is_symmetric(data: MatrixData) -> bool:
    """Whether (j, i) is stored wherever (i, j) is, whatever the values; found once, then kept."""
    if data.nrows != data.ncols:
        return False
    known = data.cache.get("symmetric")
    if known is None:
        from spbfs import _cpu

        known = bool(_cpu.symmetric(data.indptr, data.indices, get_threads()))
        data.cache["symmetric"] = known
    return bool(known)


def hubs(in_edges: MatrixData, threads: int) -> np.ndarray[Any, Any] | None:
    """In every row the vertex of largest degree, likely to be in a frontier; made once, then kept.

    Making them takes as long as a few searches.  None where degrees are much alike, so that no
    neighbour is likelier than another, and for a matrix that is not square.

    Parameters
    ----------
    in_edges : MatrixData
        Row v holds the in-neighbours of v.
    threads : int

    Returns
    -------
    array of the dtype of ``in_edges.indices``, or None
        Of a row without entries the row itself.
    """
    if "hubs" not in in_edges.cache:
        made = None
        n = in_edges.nrows
        if n == in_edges.ncols and n and _longest_row(in_edges) * n > _HUBS_SKEW * in_edges.nvals:
            from spbfs import _cpu

            made = np.empty(n, in_edges.indices.dtype)
            scratch = np.empty(n, np.uint8)
            _cpu.hubs(in_edges.indptr, in_edges.indices, made, scratch, threads)
        in_edges.cache["hubs"] = made
    known: np.ndarray[Any, Any] | None = in_edges.cache["hubs"]
    return known


def _longest_row(data: MatrixData) -> int:
    return int(np.diff(data.indptr).max(initial=0))


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
        own = {id(m): m.indptr.nbytes + m.indices.nbytes for m in (self.out, self.into)}
        return sum(own.values()) + self.order.nbytes + self.rank.nbytes


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
    known = data.cache.get("by_degree")
    if known is None:
        own = {id(m): m for m in (data, in_edges)}
        needed = sum(m.indptr.nbytes + m.indices.nbytes for m in own.values())
        require_bytes(needed, "A: a copy of it by degree")
        # Degrees fit the offsets' type; falling means rising complement.
        order = np.argsort(~np.diff(in_edges.indptr), kind="stable").astype(data.indices.dtype)
        rank = np.empty_like(order)
        rank[order] = np.arange(order.shape[0], dtype=order.dtype)
        made = {key: _relabelled(m, order, rank, threads) for key, m in own.items()}
        known = ByDegree(made[id(data)], made[id(in_edges)], order, rank)
        data.cache["by_degree"] = known
    result: ByDegree = known
    return result


def _relabelled(data: MatrixData, order: Any, rank: Any, threads: int) -> MatrixData:
    from spbfs import _cpu

    indptr = np.zeros_like(data.indptr)
    np.cumsum(np.diff(data.indptr)[order], out=indptr[1:])
    indices = np.empty_like(data.indices)
    _cpu.relabel(data.indptr, data.indices, order, rank, indptr, indices, threads)
    return MatrixData(data.nrows, data.ncols, indptr, indices, data.values)
