"""What one of several GPUs has of a graph, from entries that come some rows at a time: at no moment
does a GPU hold more than its share, arrays over all vertices, and one chunk of entries.

The rows of its own vertices are made first, from chunks of the matrix in which an edge is stored in
the row of its head; the rows by which it pushes are the same entries by column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from spbfs.base.gpu_memory import refusal, release
from spbfs.engines.cuda.graph.build import BLOCK, Builder, Share
from spbfs.engines.cuda.runtime.launch import PADDING

__all__ = [
    "SPARE",
    "Chunk",
    "EntryReader",
    "Numbers",
    "by_id",
    "distinct",
    "most_in_chunk",
    "own_labels",
    "own_rows",
    "padded",
    "row_lengths",
    "turned",
]

Array = Any

#: What an entry of a chunk takes: its key, the key while it is sorted, counts of flags, and those
#: keys that come twice.
CHUNK_BYTES = 19
#: Entries of a chunk that counts of bits are kept with: 32 bits count them.
MOST_IN_CHUNK = 1 << 30
#: Bytes of a GPU's memory that nothing is to need.
SPARE = 3 << 28


class Numbers(NamedTuple):
    """By which numbers entries are told apart: number by label (None: labels), where each number
    stands in the order of neighbours, and whose they are."""

    rank: Array | None
    place_of: Array
    share: Share


class EntryReader(Protocol):
    """A graph as one GPU reads it, which is current: row u has the vertices from which edges lead
    to u."""

    #: Bounds of rows, in both directions; the second is None where the graph is symmetric.
    bounds: tuple[Array, Array | None]
    entries: int
    #: Keys that come, of an entry perhaps several, over entries, about.
    repeated: float

    def keys(self, first: int, last: int, numbers: Numbers, keys: Array, found: Array) -> None:
        """Write to `keys` those of all entries that the share has of the rows [first, last), in any
        order, as far as there is room; `found`, uint64 of one element, counts all of them."""


class Chunk(NamedTuple):
    """Sorted keys, a bit for each that says whether it is the first of its kind, and how many are
    by the end of every word of bits."""

    keys: Array
    flags: Array
    upto: Array

    @property
    def arrays(self) -> tuple[Array, int, Array, Array]:
        """As kernels are given them."""
        return self.keys, int(self.keys.shape[0]), self.flags, self.upto


def distinct(build: Builder, keys: Array) -> Chunk:
    """Keys, which are sorted where they lie."""
    cp, count = build.cp, int(keys.shape[0])
    keys.sort()
    words = -(-count // 32)
    flags, counts = cp.empty(words, np.uint32), cp.empty(words, np.int32)
    build.launch("share_distinct", 32 * words, keys, count, flags, counts)
    return Chunk(keys, flags, cp.cumsum(counts, dtype=np.int64))


def row_lengths(build: Builder, chunk: Chunk, starts: Array, lengths: Array) -> None:
    """Write distinct entries of the rows of a chunk; `starts`: int32, room for as many."""
    build.launch("share_starts", chunk.arrays[1], *chunk.arrays, starts)
    build.launch("share_lengths", chunk.arrays[1], *chunk.arrays, starts, lengths)


def own_rows(
    build: Builder,
    reader: EntryReader,
    numbers: Numbers,
    order: Array,
    lengths: Array,
) -> tuple[Array, Array]:
    """The rows of the share's vertices, one behind the other, neighbours in their order.

    Parameters
    ----------
    build : Builder
    reader : EntryReader
    numbers : Numbers
    order : array
        Numbers by their places in the order of neighbours.
    lengths : array
        Of these rows.
    """
    cp, share = build.cp, numbers.share
    own = int(lengths.shape[0])
    indptr = cp.zeros(own + 1, build.offset)
    cp.cumsum(lengths, dtype=build.offset, out=indptr[1:])
    indices = padded(cp, int(indptr[own]))
    out, into = reader.bounds
    rows = out if into is None else into
    n = int(rows.shape[0]) - 1
    groups = cp.empty(-(-n // BLOCK), np.int64)
    build.launch("share_groups", 32 * groups.shape[0], rows, n, numbers.rank, *share, groups)
    starts = cp.empty(own, np.int32)
    runs = list(_runs(np.concatenate([[0], np.cumsum(groups.get())]), most_in_chunk()))
    room = int(reader.repeated * max((count for _, _, count in runs), default=0))
    keys = cp.empty(room, np.uint64)
    for first, last, _ in runs:
        rows_read = first * BLOCK, min(n, last * BLOCK)
        count = _read(cp, reader, rows_read, numbers, keys)
        if count > keys.shape[0]:  # again, with room for all of them
            keys = cp.empty(count, np.uint64)
            _read(cp, reader, rows_read, numbers, keys)
        chunk = distinct(build, keys[:count])
        build.launch("share_starts", count, *chunk.arrays, starts)
        build.launch("share_rows", count, *chunk.arrays, starts, indptr, order, indices)
    return indptr, indices


def _read(
    cp: Any, reader: EntryReader, rows: tuple[int, int], numbers: Numbers, keys: Array
) -> int:
    found = cp.zeros(1, np.uint64)
    reader.keys(*rows, numbers, keys, found)
    return int(found[0])


def turned(
    build: Builder,
    into: tuple[Array, Array],
    n: int,
    order: tuple[Array, Array],
    share: Share,
    indices: Array,
) -> tuple[Array, Array]:
    """The entries `into` of the share's rows, by column: rows of all n vertices, into `indices`."""
    cp, by_class, place_of = build.cp, *order
    entries, own = int(into[1].shape[0]), int(into[0].shape[0]) - 1
    counts = cp.zeros(n, np.int32)
    build.launch("share_columns", entries, into[1], entries, counts)
    indptr = cp.zeros(n + 1, build.offset)
    cp.cumsum(counts, dtype=build.offset, out=indptr[1:])
    del counts
    bounds = np.append(indptr[:-1:BLOCK].get(), entries)
    runs = list(_runs(bounds, most_in_chunk()))
    keys = cp.empty(max((count for _, _, count in runs), default=0), np.uint64)
    for first, last, count in runs:
        found, some = cp.zeros(1, np.uint64), keys[:count]
        build.launch(
            "share_turned",
            -(-entries // 32),
            *into,
            own,
            entries,
            first * BLOCK,
            min(n, last * BLOCK),
            place_of,
            *share,
            some,
            count,
            found,
        )
        some.sort()
        build.launch("layout_entries", count, some, count, by_class, indices[int(bounds[first]) :])
    return indptr, indices


def most_in_chunk() -> int:
    """Entries that are sorted at a time, by what is free."""
    most = min(MOST_IN_CHUNK, (release() - SPARE) // CHUNK_BYTES)
    if most < 1:
        raise refusal(SPARE, "A: sorting a GPU's share of it")
    return most


def padded(cp: Any, size: int) -> Array:
    """Columns on the GPU with padding behind them."""
    made = cp.empty(size + PADDING, np.int32)
    made[size:].view(np.uint8).fill(0xFF)
    return made[:size]


def own_labels(build: Builder, label: Array | None, n: int, share: Share) -> Array:
    """Of `n` vertices in the order of `label` those that the share has."""
    own = share.of(n)
    labels = build.cp.empty(own, np.int32)
    build.launch("share_labels", own, label, own, *share, labels)
    return labels


def by_id(build: Builder, values: Array, n: int, share: Share) -> tuple[Array, Array]:
    """What belongs to the vertices of the share, in an array over all; and memory for another such
    array, whose elements for these vertices lie between those, a run before them; a GPU that is
    alone has all runs, with nothing between."""
    ahead, own = n if share.gpus == 1 else 1 << share.shift, int(values.shape[0])
    # Four are read together, behind the last one as well.
    both = build.cp.empty(ahead + n + 3, np.int32)
    spread = both[ahead : ahead + n]
    build.launch("share_spread", own, values, own, *share, spread)
    return spread, both[:n]


def _runs(bounds: Any, most: int) -> Iterator[tuple[int, int, int]]:
    """Groups that follow one another and have no more than `most` entries, or one group: the first,
    the one behind the last, and their entries; none without.  `bounds`: entries before each."""
    at, groups = 0, bounds.shape[0] - 1
    while at < groups and bounds[at] < bounds[groups]:
        last = int(np.searchsorted(bounds, bounds[at] + most, side="right")) - 1
        last = max(at + 1, min(last, groups))
        count = int(bounds[last] - bounds[at])
        if count:
            yield at, last, count
        at = last
