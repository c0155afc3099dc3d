"""From drawn edges to a canonical CSR pattern, with no more memory than about two copies of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from spbfs.base.memory import require_bytes
from spbfs.base.progress import progress_bar
from spbfs.objects.matrix import Matrix
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.derived import remember_symmetry

__all__ = ["directed_pattern", "drawing", "offsets", "pattern", "symmetric_pattern"]

Indices = NDArray[np.int32]
Offsets = NDArray[Any]  # int32 or int64
#: A block of drawn edges: tails and heads, of any integer dtype.
Edges = tuple[NDArray[Any], NDArray[Any]]


def pattern(n: int, indptr: Offsets, indices: Indices, *, directed: bool = False) -> Matrix:
    """The n x n Boolean pattern matrix of these arrays, every stored value True.

    Unless `directed` the arrays hold every edge both ways, which nobody has to find out then.
    """
    values = iso_array(np.ones(1, np.bool_), indices.shape[0])
    data = MatrixData(nrows=n, ncols=n, indptr=indptr, indices=indices, values=values)
    if not directed:
        remember_symmetry(data)
    wrapped: Matrix = Matrix._from_data(data)
    return wrapped


def offsets(counts: NDArray[Any]) -> Offsets:
    """Row offsets from row lengths: int32 where the number of entries allows it, else int64."""
    total = int(counts.sum(dtype=np.int64))
    indptr = np.zeros(counts.size + 1, dtype=np.int32 if total < 2**31 else np.int64)
    np.cumsum(counts, out=indptr[1:])
    return indptr


def drawing(blocks: Iterable[Edges], drawn: int, progress: bool | None) -> Iterator[Edges]:
    """The blocks of so many edges, on a bar where somebody sees it."""
    bar = progress_bar(drawn, "edges", "drawing", progress)
    try:
        for u, v in blocks:
            yield u, v
            if bar is not None:
                bar.update(u.size)
    finally:
        if bar is not None:
            bar.close()


def symmetric_pattern(n: int, blocks: Iterable[Edges], drawn: int, what: str) -> Matrix:
    """The undirected graph of at most `drawn` edges: self-loops dropped, duplicates merged.

    Only one direction of an edge is sorted.  Its strict upper triangle and the transpose of that
    are each in order, and in every row the whole of the second comes before the whole of the
    first, so the symmetric matrix is the two copied side by side: no second sort.
    """
    # Keys (8), those that stay (8), upper and lower triangle and both together (4 + 4 + 8).
    require_bytes(32 * drawn + 16 * n, what)
    shift = max(1, (n - 1).bit_length())
    keys = _sorted_keys(((np.minimum(u, v), np.maximum(u, v)) for u, v in blocks), drawn, shift)
    upper_indptr, upper_indices = _split_keys(n, keys, shift)
    del keys
    lower_indptr, lower_indices = _transposed(n, upper_indptr, upper_indices)
    lower_counts, upper_counts = np.diff(lower_indptr), np.diff(upper_indptr)
    indptr = offsets(lower_counts + upper_counts)
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    _scatter(indices, indptr[:-1], lower_indptr, lower_counts, lower_indices)
    _scatter(indices, indptr[:-1] + lower_counts, upper_indptr, upper_counts, upper_indices)
    return pattern(n, indptr, indices)


def directed_pattern(n: int, blocks: Iterable[Edges], drawn: int, what: str) -> Matrix:
    """The directed graph of at most `drawn` edges: self-loops dropped, duplicates merged."""
    require_bytes(20 * drawn + 16 * n, what)
    shift = max(1, (n - 1).bit_length())
    indptr, indices = _split_keys(n, _sorted_keys(blocks, drawn, shift), shift)
    return pattern(n, indptr, indices, directed=True)


def _sorted_keys(blocks: Iterable[Edges], drawn: int, shift: int) -> NDArray[np.int64]:
    """Distinct edges without self-loops as sorted ``row << shift | column`` keys."""
    keys = np.empty(drawn, dtype=np.int64)
    kept = 0
    for u, v in blocks:
        proper = u != v
        u, v = u[proper], v[proper]
        block = keys[kept : kept + u.size]
        np.left_shift(u, shift, out=block, dtype=np.int64)
        block |= v
        kept += u.size
    keys = keys[:kept]
    keys.sort()
    first = np.ones(kept, dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def _split_keys(n: int, keys: NDArray[np.int64], shift: int) -> tuple[Offsets, Indices]:
    indices = (keys & ((1 << shift) - 1)).astype(np.int32)
    counts = np.bincount(keys >> shift, minlength=n)
    return offsets(counts), indices


def _transposed(n: int, indptr: Offsets, indices: Indices) -> tuple[Offsets, Indices]:
    """The transpose by SciPy's counting sort, which keeps columns in order."""
    marks = np.zeros(indices.size, dtype=np.bool_)
    csc = sparse.csr_array((marks, indices, indptr), shape=(n, n)).tocsc()
    return csc.indptr, csc.indices.astype(np.int32, copy=False)


def _scatter(
    out: Indices, starts: Offsets, indptr: Offsets, counts: NDArray[Any], indices: Indices
) -> None:
    """Copy row i of a CSR to ``out[starts[i]:]``, a slice of rows at a time to bound memory."""
    rows = 1 << 18
    for begin in range(0, starts.size, rows):
        end = min(begin + rows, starts.size)
        low, high = int(indptr[begin]), int(indptr[end])
        target = np.repeat(starts[begin:end] - indptr[begin:end], counts[begin:end])
        target += np.arange(low, high, dtype=target.dtype)
        out[target] = indices[low:high]
