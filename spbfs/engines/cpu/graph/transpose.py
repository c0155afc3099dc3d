"""What kernels find out about a matrix, which keeps it: transpose, symmetry, likely neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.base.threads import get_threads
from spbfs.engines.fused import Csr
from spbfs.exceptions import InvalidValue
from spbfs.planner.many import skewed
from spbfs.storage.data import MatrixData, is_iso
from spbfs.storage.derived import keeping, known_symmetry, known_transpose, remember_transpose
from spbfs.storage.on_disk import OnDiskMatrix

__all__ = ["hubs", "is_symmetric", "likeliest", "mirrored", "transposed"]

# Blocks of rows that count columns apart from each other; each needs ncols offsets for a moment.
_MOST_BLOCKS = 8


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
    if isinstance(data, OnDiskMatrix):
        raise InvalidValue(
            f"A: {data.name!r} has no second half, by columns, which this needs; convert the graph"
            " with its transpose, or read it into memory"
        )
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
    return remember_transpose(data, made)


def is_symmetric(data: MatrixData) -> bool:
    """Whether (j, i) is stored wherever (i, j) is, whatever the values; found once, then kept."""
    return known_symmetry(data, _looked_up)


def _looked_up(data: MatrixData) -> bool:
    return mirrored((data.indptr, data.indices))


def mirrored(rows: Csr) -> bool:
    """See `spbfs.engines.fused.Mirrored`."""
    from spbfs import _cpu

    try:
        return bool(_cpu.symmetric(*rows, get_threads()))
    except TypeError:
        return False  # of other types, or not contiguous


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
    derived = in_edges.derived
    if not derived.hubs_sought:
        made = None
        n = in_edges.nrows
        if n == in_edges.ncols and n and skewed(n, in_edges.nvals, _longest_row(in_edges)):
            # As many as leave it, of most matrices: to count them takes longer.
            made = likeliest(in_edges, np.diff(in_edges.indptr), threads)
        with keeping:
            if not derived.hubs_sought:
                derived.hubs, derived.hubs_sought = made, True
    return derived.hubs


def likeliest(
    in_edges: MatrixData, entering: np.ndarray[Any, Any], threads: int, *, alone: bool = False
) -> np.ndarray[Any, Any]:
    """In every row the column that most edges enter, of the dtype of the indices.

    Parameters
    ----------
    in_edges : MatrixData
    entering : int array
        How many edges enter every column.
    threads : int
    alone : bool, optional
        A row without entries has -1, not itself.
    """
    from spbfs import _cpu

    made = np.empty(in_edges.nrows, in_edges.indices.dtype)
    scratch = np.empty(in_edges.ncols, np.uint8)
    entering = np.ascontiguousarray(entering, np.int64)
    _cpu.hubs(in_edges.indptr, in_edges.indices, entering, made, scratch, alone, threads)
    return made


def _longest_row(data: MatrixData) -> int:
    return int(np.diff(data.indptr).max(initial=0))
