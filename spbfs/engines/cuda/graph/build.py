"""The kernels that build a traversal layout, launched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.planner.residence import SORT_BYTES, SORT_CHUNK
from spbfs.planner.search_cuda import HUBS

__all__ = [
    "BLOCK",
    "SORT_CHUNK",
    "WHOLE",
    "Builder",
    "Share",
    "modules",
    "specialisations",
]

Array = Any

BLOCK = 128
#: `struct LayoutCounts`.
COUNTS = np.dtype([(name, "u8") for name in ("rows", "to_hubs", "longest", "broad")])
RESIDENT = 8


class Share(NamedTuple):
    """Which internal ids one of several GPUs owns: of runs of ``1 << shift``, dealt out in turn,
    those of its place; as ``bfs_peers.cuh`` says."""

    shift: int
    gpus: int
    place: int

    def of(self, n: int) -> int:
        """How many of `n` vertices it has.

        Examples
        --------
        >>> [Share(7, 2, place).of(300) for place in range(2)]
        [172, 128]
        """
        runs, rest = divmod(n, 1 << self.shift)
        turns, more = divmod(runs, self.gpus)
        own = (turns + (self.place < more)) << self.shift
        return own + (rest if self.place == more else 0)


#: That of one GPU.
WHOLE = Share(31, 1, 0)

#: Kernels of each source by whether they are templates of the offsets' type.
COUNTING = {"layout_keys": True, "layout_counts": True}
BUILDING = {
    "layout_hubs": False,
    "layout_rank": False,
    "layout_flags": True,
    "layout_tail": False,
    "layout_classes": False,
    "layout_order": False,
    "layout_lengths": True,
    "layout_entry_keys": True,
    "layout_entries": False,
    "layout_row_prefix": True,
    "layout_ell_slab": True,
    "layout_lines": True,
    "layout_prefix_labels": True,
    "layout_records": True,
    "layout_words": False,
}
#: Of a graph that several GPUs search together, loaded for those alone.
SHARING = {
    "share_groups": True,
    "share_keys": True,
    "share_distinct": False,
    "share_starts": False,
    "share_lengths": False,
    "share_rows": True,
    "share_columns": False,
    "share_turned": True,
    "share_labels": False,
    "share_spread": False,
}


_SOURCES = {
    "bfs_layout_counts": COUNTING,
    "bfs_layout": BUILDING,
    "bfs_layout_share": SHARING,
}


def _name(kernel: str, wide: bool) -> str:
    is_template = (COUNTING | BUILDING | SHARING)[kernel]
    return f"{kernel}<{'long long' if wide else 'int'}>" if is_template else kernel


@cache
def modules(wide: bool) -> tuple[Specialisation, ...]:
    """What a layout with offsets of 32 or 64 bits loads, in that order; the last where it is
    shared."""
    return tuple(
        Specialisation(stem, tuple(_name(kernel, wide) for kernel in kernels))
        for stem, kernels in _SOURCES.items()
    )


def specialisations() -> Iterator[Specialisation]:
    """All that a layout may load."""
    yield from (*modules(False), *modules(True))


class Builder:
    """Launches the kernels for offsets of one type.

    CuPy's own element-wise kernels would do, but each is compiled when it is first used: forty of
    them make the first search of a process wait for ten seconds.
    """

    def __init__(self, offset: np.dtype[Any]) -> None:
        import cupy as cp

        self.cp, self.offset = cp, offset
        self.multiprocessors = limits().sms
        self._most = RESIDENT * self.multiprocessors

    def launch(self, kernel: str, work: int, *arguments: Any) -> None:
        """Launch with about a thread for each piece of work; None is a null pointer."""
        wide = self.offset == np.int64
        grid = max(1, min(-(-work // THREADS), self._most))
        specialisation = modules(wide)[(kernel in BUILDING) + 2 * (kernel in SHARING)]
        Kernel(specialisation, _name(kernel, wide))(grid, words_of(*arguments))

    def keys(self, n: int, out: Array, into: Array | None) -> Array:
        """Vertices in the low half of keys that rise as degrees fall."""
        keys = self.cp.empty(n, np.uint64)
        self.launch("layout_keys", n, out, into, n, keys)
        keys.sort()
        return keys

    def counts(self, keys: Array, out: Array, indices: Array | None, into: Array | None) -> Any:
        """Rows with entries, entries that lead to `HUBS` hubs, entries of the longest row, rows of
        more than four neighbours, or entries where `indices` are not at hand."""
        n = int(keys.shape[0])
        found = self.cp.zeros(COUNTS.itemsize, np.uint8)
        self.launch("layout_counts", n, keys, out, indices, into, n, HUBS, found)
        return found.get().view(COUNTS)[0]

    def labels(
        self, keys: Array, out: Array, into: Array | None, rows: int, hubs: int
    ) -> tuple[Array, Array]:
        """Hubs first, then the others with entries, both in the caller's order; by falling degree
        where all are hubs.  Label by id, id by label."""
        cp, n = self.cp, int(keys.shape[0])
        label, rank = cp.empty(rows, np.int32), _all_ones(cp, n)
        self.launch("layout_hubs", hubs, keys, hubs, label)
        if 0 < hubs < rows:
            label[:hubs].sort()
        self.launch("layout_rank", hubs, label, hubs, rank)
        flags = cp.empty(n, np.int32)
        self.launch("layout_flags", n, out, into, rank, n, flags)
        upto = cp.cumsum(flags, dtype=np.int32)
        self.launch("layout_tail", n, upto, n, hubs, rank, label)
        return label, rank

    def classes(self, keys: Array, rows: int, rank: Array | None) -> Array:
        """Keys that sort internal ids by falling classes of degree, from those by degree.

        Degrees within a factor of four are one class, which is in the order of ids: what is looked
        at first is then not only likely to be visited, but also near to what others look at.
        """
        classes = self.cp.empty(rows, np.uint64)
        self.launch("layout_classes", rows, keys, rows, rank, classes)
        return classes

    def order(self, classes: Array) -> tuple[Array, Array]:
        """Internal ids in the order of `classes`, which are sorted, and where each stands."""
        rows = int(classes.shape[0])
        classes.sort()
        order, place = self.cp.empty(rows, np.int32), self.cp.empty(rows, np.int32)
        self.launch("layout_order", rows, classes, rows, order, place)
        return order, place

    def as_given(self, rows: int, label: Array | None, rank: Array | None) -> tuple[Array, Array]:
        """What `order` gives, of the order in which the caller has the vertices."""
        if label is None:
            given = self.cp.arange(rows, dtype=np.int32)
            return given, given
        return rank, label

    def words(self, rank: Array, hubs: int) -> Array:
        """Per 32 labels: mask of those in the tail, id of the first of them, the same of hubs."""
        n = int(rank.shape[0])
        groups = -(-n // 32)
        words = self.cp.empty((groups, 4), np.uint32)
        self.launch("layout_words", 32 * groups, rank, n, hubs, words)
        return words

    def lengths(self, indptr: Array, label: Array | None, n: int) -> Array:
        """Entries of the first `n` rows in the order of `label`."""
        lengths = self.cp.empty(n, self.offset)
        self.launch("layout_lengths", n, indptr, label, n, lengths)
        return lengths

    def rows(
        self,
        indptr: Array,
        indices: Array,
        label: Array | None,
        rank: Array | None,
        order: tuple[Array, Array],
    ) -> tuple[Array, Array]:
        """Rows in the order of `label`, neighbours renamed by `rank`, those of high degree first.

        `order` is what the method of that name gives.  They lie in the memory that `indices` lie
        in, and of pinned ones no more are sorted at a time than the GPU has room for.
        """
        from spbfs.base.gpu_memory import free_bytes
        from spbfs.engines.cuda.runtime.pinned import empty_like, is_pinned

        cp, by_class, place = self.cp, *order
        n, entries = int(place.shape[0]), int(indices.shape[0])
        lengths = self.lengths(indptr, label, n)
        new_indptr = cp.zeros(n + 1, self.offset)
        cp.cumsum(lengths, dtype=self.offset, out=new_indptr[1:])
        new_indices = empty_like(indices, entries)
        most = SORT_CHUNK
        if is_pinned(indices):
            most = max(1, min(most, free_bytes(SORT_BYTES * most) // SORT_BYTES))
        keys = cp.empty(min(entries, most), np.uint64)
        for at, begin, end in _chunks(new_indptr, n, entries, most):
            if end - begin > keys.shape[0]:
                keys = cp.empty(end - begin, np.uint64)  # a row of more than a chunk
            some = keys[: end - begin]
            self.launch(
                "layout_entry_keys",
                -(-some.shape[0] // 32),
                new_indptr,
                at,
                n,
                begin,
                end,
                label,
                rank,
                indptr,
                indices,
                place,
                some,
            )
            some.sort()
            self.launch(
                "layout_entries",
                end - begin,
                some,
                end - begin,
                by_class,
                new_indices[begin:],
            )
        return new_indptr, new_indices

    def row_prefix(self, indptr: Array, indices: Array, width: int) -> Array:
        """The first `width` entries of every row, padded to whole blocks of 128 rows: one where
        hubs come first, of which one settles most rows, else four.

        The last one is stored as its complement where the row ends with it.  Four entries of a row
        lie together, and the rows of a block as the four rows of each lane: 0, 4, 8, ..., then 1,
        5, 9, ...
        """
        n = int(indptr.shape[0]) - 1
        rows = -(-n // BLOCK) * BLOCK
        prefix = self.cp.empty(rows * width, np.int32)
        self.launch("layout_row_prefix", rows, indptr, indices, n, width, prefix)
        return prefix

    def ell_slab(self, indptr: Array, indices: Array, skip: int) -> Array:
        """The eight entries of every row behind its first `skip`: a pull finds them without asking
        for the row's bounds.

        The last one is stored as its complement where the row ends with it.
        """
        n = int(indptr.shape[0]) - 1
        slab = self.cp.empty((n, 8), np.int32)
        self.launch("layout_ell_slab", 8 * n, indptr, indices, n, skip, slab)
        return slab

    def prefix_labels(self, indptr: Array, indices: Array, label: Array) -> Array:
        """The caller's label of every row's first entry."""
        n = int(indptr.shape[0]) - 1
        labels = self.cp.empty(n, np.int32)
        self.launch("layout_prefix_labels", n, indptr, indices, label, n, labels)
        return labels

    def records(self, indptr: Array, indices: Array, width: int) -> Array:
        """Per row: up to `width` neighbours, itself not among them, padded by -1; of longer rows
        (marker, first edge low, high, length)."""
        n = int(indptr.shape[0]) - 1
        records = self.cp.empty((n, width), np.int32)
        self.launch("layout_records", n, indptr, indices, n, width, records)
        return records


def _all_ones(cp: Any, size: int) -> Array:
    """int32 of -1."""
    array = cp.empty(size, np.int32)
    array.data.memset_async(0xFF, array.nbytes)
    return array


def _chunks(indptr: Array, n: int, entries: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Runs of whole rows with no more than `most` entries, or of one row: the first row, the first
    entry and the end."""
    at = begin = 0
    while begin < entries:
        low, high = at + 1, n  # the last row whose begin is within reach
        while low < high and entries - begin > most:
            middle = (low + high + 1) // 2
            if int(indptr[middle]) - begin <= most:
                low = middle
            else:
                high = middle - 1
        stop = low if entries - begin > most else n
        end = int(indptr[stop])
        if end > begin:
            yield at, begin, end
        at, begin = stop, end
