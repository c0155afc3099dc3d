"""The traversal layout on the GPU: the graph as the fused search wants to read it.

Rows without entries are left out, neighbours of a row lie by falling degree (the first one is the
most likely to
be visited already), and the first in-neighbour of every row has a dense array of its own.  With
``hubs`` the
vertices of highest degree come first, so that their status bits fit in shared memory, while all
others keep the
caller's order, so that results are written back in runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from spbfs.planner_search import HUBS, GraphCounts, search_layout

__all__ = ["Layout", "build_layout", "lay_out"]

Array = Any

#: Edges sorted at a time: bounds the scratch memory of a build to a few GiB.
SORT_CHUNK = 1 << 27
#: In the first-neighbour array: nothing to pull from.
NO_NEIGHBOUR = np.int32(-(2**31))
BLOCK = 128
#: Entries behind the last one: a pull reads whole sectors of eight.
PADDING = 8


@dataclass(slots=True)
class Layout:
    """Arrays named as in ``bfs_state.cuh``; `label`, `rank` and `words` are None where labels are
    the caller's."""

    n: int
    caller_n: int
    hubs: int
    out_indptr: Array
    out_indices: Array
    in_indptr: Array
    in_indices: Array
    heads: Array
    records: Array | None
    head_labels: Array | None
    label: Array | None
    rank: Array | None
    words: Array | None

    @property
    def nbytes(self) -> int:
        arrays = {
            id(a): int(a.nbytes)
            for a in (
                self.out_indptr, self.out_indices, self.in_indptr, self.in_indices,
                self.heads, self.records, self.head_labels, self.label, self.rank, self.words,
            )
            if a is not None
        }  # fmt: skip
        return sum(arrays.values())

    @property
    def edges(self) -> int:
        """Stored entries, self-loops and all."""
        return int(self.out_indices.shape[0]) - PADDING


def _row_lengths(indptr: Array) -> Array:
    return indptr[1:] - indptr[:-1]


def _relabelled(
    cp: Any, indptr: Array, indices: Array, label: Array | None, rank: Array | None, order: Array
) -> tuple[Array, Array]:
    """Rows in the order of `label`, neighbours renamed by `rank` and sorted by falling degree.

    `order` holds internal ids by falling degree.
    """
    n = int(order.shape[0])
    lengths = _row_lengths(indptr)
    rows = lengths if label is None else lengths[label]
    new_indptr = cp.zeros(n + 1, dtype=indptr.dtype)
    cp.cumsum(rows, out=new_indptr[1:])
    entries = int(indices.shape[0])
    new_indices = cp.full(entries + PADDING, -1, dtype=cp.int32)
    place = cp.empty(n, dtype=cp.int32)  # position in `order`
    place[order] = cp.arange(n, dtype=cp.int32)
    at = 0
    while at < n:
        limit = cp.asarray([int(new_indptr[at]) + SORT_CHUNK])
        stop = max(at + 1, int(cp.searchsorted(new_indptr, limit, side="right")[0]) - 1)
        begin, end = int(new_indptr[at]), int(new_indptr[stop])
        if end > begin:
            inside = cp.arange(begin, end, dtype=cp.int64)
            row = cp.searchsorted(new_indptr[at + 1 : stop + 1], inside, side="right")
            source = row + at if label is None else label[row + at]
            entry = inside - new_indptr[row + at] + indptr[source]
            neighbour = indices[entry]
            if rank is not None:
                neighbour = rank[neighbour]
            key = row.astype(cp.int64) * n + place[neighbour]
            del inside, source, entry, neighbour, row
            key.sort()
            new_indices[begin:end] = order[key % n]
            del key
        at = stop
    return new_indptr, new_indices


def _heads(cp: Any, indptr: Array, indices: Array, width: int) -> Array:
    """The first `width` entries of every row, padded to whole blocks of 128 rows: one where hubs
    come first, of which one settles most rows, else four.

    The last one is stored as its complement where the row ends with it.  Four entries of a row
    lie together, and
    the rows of a block as the four rows of each lane: rows 0, 4, 8, ..., then 1, 5, 9, ...
    """
    n = int(indptr.shape[0]) - 1
    lengths = _row_lengths(indptr)
    blocks = -(-n // BLOCK)
    heads = cp.full((blocks * BLOCK, width), NO_NEIGHBOUR, dtype=cp.int32)
    last = max(0, int(indices.shape[0]) - 1)
    for slot in range(width):
        neighbour = indices[cp.minimum(indptr[:-1] + slot, last)]
        if slot == width - 1:
            neighbour = cp.where(lengths == width, ~neighbour, neighbour)
        heads[:n, slot] = cp.where(lengths > slot, neighbour, NO_NEIGHBOUR)
    if width == 1:
        return heads.reshape(-1)
    return cp.ascontiguousarray(heads.reshape(blocks, 32, 4, width).transpose(0, 2, 1, 3)).reshape(
        -1
    )


def _records(cp: Any, indptr: Array, indices: Array) -> Array:
    """Per row: up to four neighbours padded by -1; longer rows as (marker, first edge low, high,
    length)."""
    n = int(indptr.shape[0]) - 1
    lengths = _row_lengths(indptr)
    records = cp.full((n, 4), -1, dtype=cp.int32)
    last = max(0, int(indices.shape[0]) - 1)
    for slot in range(4):
        neighbour = indices[cp.minimum(indptr[:-1] + slot, last)]
        records[:, slot] = cp.where(lengths > slot, neighbour, -1)
    long = cp.flatnonzero(lengths > 4)
    if long.size:
        begin = indptr[long].astype(cp.int64)
        records[long, 0] = NO_NEIGHBOUR
        records[long, 1] = (begin & 0xFFFFFFFF).astype(cp.uint32).view(cp.int32)
        records[long, 2] = (begin >> 32).astype(cp.int32)
        records[long, 3] = lengths[long].astype(cp.int32)
    return records


def _words(cp: Any, rank: Array, hubs: int) -> Array:
    """Per 32 labels: mask of those in the tail, internal id of the first of them, mask of hubs,
    0."""
    groups = -(-int(rank.shape[0]) // 32)
    padded = cp.full(groups * 32, -1, dtype=cp.int32)
    padded[: rank.shape[0]] = rank
    padded = padded.reshape(groups, 32)
    weight = cp.left_shift(cp.uint32(1), cp.arange(32, dtype=cp.uint32))
    tail = padded >= hubs
    words = cp.zeros((groups, 4), dtype=cp.uint32)
    words[:, 0] = (tail * weight).sum(axis=1, dtype=cp.uint32)
    words[:, 1] = cp.where(tail, padded, 2**31 - 1).min(axis=1).astype(cp.uint32)
    words[:, 2] = (((padded >= 0) & ~tail) * weight).sum(axis=1, dtype=cp.uint32)
    return words


def build_layout(
    n: int,
    indptr: Array,
    indices: Array,
    transpose: tuple[Array, Array] | None = None,
    *,
    hubs: int | None = None,
    records: bool = False,
) -> Layout:
    """Build the layout of a square CSR pattern on the GPU.

    Parameters
    ----------
    n : int
        Vertices.
    indptr, indices : cupy.ndarray
        Row bounds (int32 or int64, ``n + 1``) and int32 columns.
    transpose : tuple of cupy.ndarray, optional
        The same of the transpose; None for a symmetric pattern.
    hubs : int or None
        How many vertices of highest degree come first; None keeps the caller's labels and all rows.
    records : bool
        Also store the first four neighbours of every row in one 16-byte record, for deep graphs.

    Returns
    -------
    Layout
    """
    import cupy as cp

    out_lengths = _row_lengths(indptr)
    degree = out_lengths if transpose is None else out_lengths + _row_lengths(transpose[0])
    label = rank = words = None
    if hubs is None or not int(degree.any()):
        kept = n
        order = cp.argsort(-degree.astype(cp.int64), kind="stable").astype(cp.int32)
        count = 0
    else:
        by_degree = cp.argsort(-degree.astype(cp.int64), kind="stable").astype(cp.int32)
        kept = int(cp.count_nonzero(degree))
        count = min(hubs, kept)
        is_tail = degree > 0
        is_tail[by_degree[:count]] = False
        label = cp.concatenate([by_degree[:count], cp.flatnonzero(is_tail).astype(cp.int32)])
        rank = cp.full(n, -1, dtype=cp.int32)
        rank[label] = cp.arange(kept, dtype=cp.int32)
        order = rank[by_degree[:kept]]
        words = _words(cp, rank, count)
    out = _relabelled(cp, indptr, indices, label, rank, order)
    into = out if transpose is None else _relabelled(cp, *transpose, label, rank, order)
    head_labels = None
    if label is not None:
        last = max(0, int(into[1].shape[0]) - 1)
        first = into[1][cp.minimum(into[0][:-1], last)]
        head_labels = label[cp.maximum(first, 0)]
    return Layout(
        n=kept,
        caller_n=n,
        hubs=count,
        out_indptr=out[0],
        out_indices=out[1],
        in_indptr=into[0],
        in_indices=into[1],
        heads=_heads(cp, *into, 4 if label is None else 1),
        records=_records(cp, *out) if records else None,
        head_labels=head_labels,
        label=label,
        rank=rank,
        words=words,
    )


def lay_out(
    n: int,
    indptr: Array,
    indices: Array,
    transpose: tuple[Array, Array] | None = None,
    *,
    relabel: Literal["auto", "degree"] | None = "auto",
) -> Layout:
    """The layout that the planner chooses for a square CSR pattern; arguments as `build_layout`."""
    import cupy as cp

    lengths = _row_lengths(indptr)
    into = lengths if transpose is None else _row_lengths(transpose[0])
    degree = lengths if transpose is None else lengths + into
    hubs = cp.argsort(-degree.astype(cp.int64))[:HUBS]
    counts = GraphCounts(
        vertices=n,
        rows=int(cp.count_nonzero(degree)),
        entries=int(indices.shape[0]),
        longest=int(lengths.max()) if n else 0,
        to_hubs=int(into[hubs].sum()),
    )
    choice = search_layout(counts, relabel)
    return build_layout(n, indptr, indices, transpose, hubs=choice.hubs, records=choice.records)
