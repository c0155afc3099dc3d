"""The traversal layout on the GPU: the graph as the fused search wants to read it.

Neighbours of a row lie by falling degree in classes of a factor of four (the first is among those
most likely to be visited already), or as they are given, and the first in-neighbour of every row
has a dense array of its own.  With ``hubs`` rows without entries are left out and the vertices of
highest degree come first, so that the status of those that are looked for most lies together; these
keep the caller's order among themselves, as do all others, so that results are written back in
runs.  Where all are hubs they lie by falling degree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.cuda.graph.build import WHOLE, Builder, Share
from spbfs.engines.cuda.graph.lines import Lines
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.planner.search_cuda import GraphCounts, LayoutChoice, search_layout
from spbfs.storage.arrays import memory_of

__all__ = [
    "MOST_NARROW",
    "PINNED_VERTEX_BYTES",
    "SLAB_BYTES",
    "Layout",
    "build_layout",
    "lay_out",
    "numbered",
    "prefix_width",
]

Array = Any

#: Offsets of 32 bits are searched as such up to so many entries: a warp's share of a frontier's
#: edges is rounded up, so that numbers of edges run past the last one by up to 32 a warp.
MOST_NARROW = 2**31 - 2**20
#: The ELL slab of a row, bytes.
SLAB_BYTES = 32
#: Outputs and lists of a search over pinned entries, bytes a vertex: the least that it needs.
PINNED_VERTEX_BYTES = 12


@dataclass(slots=True)
class Layout:
    """Arrays and counts named as in ``bfs_state.cuh``; `label`, `rank` and `words` are None where
    labels are the caller's, `words` also where all vertices lie by degree, and of a part."""

    n: int
    rows: int
    caller_n: int
    hubs: int
    out_indptr: Array
    out_indices: Array
    in_indptr: Array
    in_indices: Array
    row_prefix: Array
    ell_slab: Array | None
    records: Array | None
    prefix_labels: Array | None
    label: Array | None
    rank: Array | None
    words: Array | None
    #: Stored entries of the whole graph, self-loops and all.
    edges: int
    #: Whether no row is much longer than the others.
    even: bool
    #: Whether whoever is found by an edge has that edge, too.
    symmetric: bool
    #: What of it is here, and the lengths of all rows where that is a part.
    share: Share = WHOLE
    degrees: Array | None = None
    #: Memory for the parents of those here, of one search at a time: between `prefix_labels`, which
    #: are of those here as well.
    parents: Array | None = None
    #: Of pinned rows as they are given, the first entries once more, where the matrix keeps some.
    lines: Lines | None = None

    @property
    def pinned(self) -> bool:
        """Whether its entries lie in memory of the host, where the GPU reads them."""
        return memory_of(self.in_indices) == "pinned"

    @property
    def lean(self) -> bool:
        """Whether its GPU is so short of memory that a search should list no long frontiers."""
        return self.rank is not None and memory_of(self.rank) == "pinned"

    @property
    def pushes_over_bus(self) -> bool:
        """Whether those that a push reads do, and those that a pull reads do not."""
        return not self.pinned and memory_of(self.out_indices) == "pinned"

    @property
    def outputs(self) -> int:
        """Elements of an output that a search writes: by the caller's labels, or of a part that has
        labels of its own in the order of the vertices that are here."""
        parted = self.share.gpus > 1 and self.label is not None
        return self.share.of(self.n) if parted else self.caller_n

    @property
    def nbytes(self) -> int:
        arrays = {
            id(a): int(a.nbytes)
            for a in (
                self.out_indptr, self.out_indices, self.in_indptr, self.in_indices,
                self.row_prefix, self.ell_slab, self.records,
                self.prefix_labels, self.label, self.rank, self.words, self.degrees,
            )
            if a is not None
        }  # fmt: skip
        return sum(arrays.values())


def _no_lines() -> None:
    """For rows of which none have any."""


def build_layout(
    n: int,
    indptr: Array,
    indices: Array,
    transpose: tuple[Array, Array] | None = None,
    *,
    hubs: int | None = None,
    records: int = 0,
    by_degree: bool = True,
    slab: bool = True,
    lines: Callable[[], Lines | None] = _no_lines,
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
        How many vertices of highest degree come first, in the caller's order, before all others
        with entries in theirs; vertices lie by falling degree where this is all of them.  None
        keeps the caller's labels and all rows.
    records : int
        Also store this many neighbours of every row, 4 or 8, in a record of its own, for deep
        graphs; 0: no records.
    by_degree : bool
        Whether the neighbours of a row lie by classes of degree, or in the caller's order.
    slab : bool
        Whether the ELL slab is made where there are no records; single searches read it.
    lines : callable, optional
        Gives the lines of rows that lie as they are given, in pinned memory, if there are any.

    Returns
    -------
    Layout
    """
    choice = LayoutChoice(hubs, records)
    indptr, transpose = _widened(indptr, indices, transpose)
    return _build(n, indptr, indices, transpose, lambda _: choice, by_degree, slab, lines)


def _widened(
    indptr: Array, indices: Array, transpose: tuple[Array, Array] | None
) -> tuple[Array, tuple[Array, Array] | None]:
    """Offsets of one type, in which every number of an edge that a search computes has room."""
    alike = transpose is None or transpose[0].dtype == indptr.dtype
    if indices.shape[0] <= MOST_NARROW and alike:
        return indptr, transpose
    if transpose is not None:
        transpose = transpose[0].astype("int64", copy=False), transpose[1]
    return indptr.astype("int64", copy=False), transpose


class Numbering(NamedTuple):
    """How a layout numbers the vertices, and in which order rows have their neighbours.

    Parameters
    ----------
    counts : GraphCounts
    choice : LayoutChoice
    kept, hubs : int
        Vertices that have a number, and those of them that come first.
    label, rank : array or None
        Label by number, number by label; None where they are the same.
    order : tuple of array
        Numbers in the order of neighbours, and where each stands.
    by_degree : bool
        Whether that is by classes of degree.
    """

    counts: GraphCounts
    choice: LayoutChoice
    kept: int
    hubs: int
    label: Array | None
    rank: Array | None
    order: tuple[Array, Array]
    by_degree: bool


def numbered(
    build: Builder,
    bounds: tuple[Array, Array | None],
    indices: Array | None,
    entries: int,
    choose: Callable[[GraphCounts], LayoutChoice],
    by_degree: bool | None,
) -> Numbering:
    """Numbers for the vertices of a graph, from the bounds of its rows in both directions, the
    second None where that is symmetric; `indices` may be None where they are not at hand."""
    out, into = bounds
    n = int(out.shape[0]) - 1
    keys = build.keys(n, out, into)
    found = build.counts(keys, out, indices, into)
    rows = int(found["rows"])
    counts = GraphCounts(
        vertices=n,
        rows=rows,
        entries=entries,
        longest=int(found["longest"]),
        to_hubs=int(found["to_hubs"]),
        broad=int(found["broad"]),
    )
    choice = choose(counts)
    hubs = choice.hubs
    label = rank = None
    kept, count = n, 0
    if hubs is not None and rows:
        kept, count = rows, min(hubs, rows)
        label, rank = build.labels(keys, out, into, rows, count)
    if by_degree is None:
        # Of pinned entries there is no second copy where they are searched under their labels.
        pinned = indices is not None and memory_of(indices) == "pinned"
        by_degree = not pinned or label is not None
    classes = build.classes(keys, kept, rank) if by_degree else None
    del keys  # what is given up here leaves room for what is sorted
    order = build.as_given(kept, label, rank) if classes is None else build.order(classes)
    return Numbering(counts, choice, kept, count, label, rank, order, by_degree)


def _build(
    n: int,
    indptr: Array,
    indices: Array,
    transpose: tuple[Array, Array] | None,
    choose: Callable[[GraphCounts], LayoutChoice],
    by_degree: bool | None,
    slab: bool,
    lines: Callable[[], Lines | None],
) -> Layout:
    build = Builder(indptr.dtype)
    bounds = None if transpose is None else transpose[0]
    entries = int(indices.shape[0])
    counts, choice, kept, hubs, label, rank, order, by_degree = numbered(
        build, (indptr, bounds), indices, entries, choose, by_degree
    )
    records, pinned = choice.records, memory_of(indices) == "pinned"
    words = None if rank is None or hubs == kept else build.words(rank, hubs)
    width = prefix_width(label)
    into = (indptr, indices) if transpose is None else transpose
    as_given = pinned and label is None and not by_degree
    if as_given:
        # These have their padding already.
        out, into_rows = (indptr, indices), into
    else:
        out = build.rows(indptr, indices, label, rank, order)
        into_rows = out if transpose is None else build.rows(*into, label, rank, order)
    del order
    first_labels = None if label is None else build.prefix_labels(*into_rows, label)
    row_prefix = build.row_prefix(*into_rows, width)
    if pinned:
        slab = slab and _has_room_for_slab(kept, n)
        if words is not None:
            rank = _pinned_copy(rank)  # a search asks for the ids of its sources, no more
    return Layout(
        n=kept,
        rows=counts.rows,
        caller_n=n,
        hubs=hubs,
        out_indptr=out[0],
        out_indices=out[1],
        in_indptr=into_rows[0],
        in_indices=into_rows[1],
        row_prefix=row_prefix,
        ell_slab=build.ell_slab(*into_rows, width) if slab and not records else None,
        records=build.records(*out, records) if records else None,
        prefix_labels=first_labels,
        label=label,
        rank=rank,
        words=words,
        edges=entries,
        even=counts.even,
        symmetric=transpose is None,
        lines=lines() if as_given else None,
    )


def prefix_width(label: Array | None) -> int:
    """Entries of a row that its prefix has: one where hubs come first, of which one decides most
    rows."""
    return 4 if label is None else 1


def _pinned_copy(array: Array) -> Array:
    from spbfs.engines.cuda.runtime.pinned import pinned_copy

    return pinned_copy(array)


def _has_room_for_slab(rows: int, n: int) -> bool:
    """Whether the GPU has room for the slab and for a search beside it, which could do without."""
    from spbfs.base.gpu_memory import free_bytes

    needed = SLAB_BYTES * rows + PINNED_VERTEX_BYTES * n
    return free_bytes(needed) >= needed


def lay_out(
    n: int,
    indptr: Array,
    indices: Array,
    transpose: tuple[Array, Array] | None = None,
    *,
    relabel: Relabelling = "auto",
    neighbours: NeighbourOrder = "auto",
    begin: Callable[[bool, LayoutChoice], None] | None = None,
    lines: Callable[[], Lines | None] = _no_lines,
) -> Layout:
    """The layout that the planner chooses for a square CSR pattern; arguments as `build_layout`.

    `begin`, where there is one, is told whether offsets are wide and what the planner chose before
    anything is built by it, and has the kernel compiled meanwhile that will search.
    """
    indptr, transpose = _widened(indptr, indices, transpose)
    wide, pinned = indptr.dtype == np.int64, memory_of(indices) == "pinned"

    def choose(counts: GraphCounts) -> LayoutChoice:
        choice = search_layout(counts, relabel, pinned)
        if begin is not None:
            begin(wide, choice)
        return choice

    by_degree = None if neighbours == "auto" else neighbours == "degree"
    return _build(n, indptr, indices, transpose, choose, by_degree, True, lines)
