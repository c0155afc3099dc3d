"""Many breadth-first searches at once on the CPU, a bit a search: ``kernels/cpu/bfs_many.cpp``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import planner_many
from spbfs.backends.cpu.native import kernels
from spbfs.backends.many import Ints, ManyRequest, summed
from spbfs.backends.search import DIRECTIONS
from spbfs.core.degree_order import by_degree, copy_bytes
from spbfs.core.layout import hubs, is_symmetric, transposed
from spbfs.core.memory import available_bytes, require_bytes
from spbfs.core.packed import words_of
from spbfs.core.storage import MatrixData
from spbfs.core.threads import resolve_threads

__all__ = ["TECHNIQUES", "CpuManySearches"]

Array = npt.NDArray[Any]
Words = npt.NDArray[np.uint64]

#: What may be left out, to see what it gives: a vertex that pulls stops at the last bit that it can
#: get; searches whose frontiers are small are pushed while others pull; a small joint frontier is
#: listed; a push of long rows goes by ranges of vertices; an update is made only after a look
#: whether it is needed; a pull looks at the neighbour of largest degree first.
TECHNIQUES = (
    "early termination",
    "a direction a search",
    "joint frontier queue",
    "ranges of vertices",
    "look before update",
    "hubs first",
)
_NARROW, _HUBS = 1, 5
#: Planes that room is planned for; deeper searches take one more each time the depth doubles.
_PLANES = 5
#: Levels whose counts are made room for at a time.
_LEVELS = 128
#: Fields of the kernel's struct Progress.
_LEVEL, _VERTICES, _EDGES, _JOINT, _OPEN, _LISTED, _CLEAN, _SWAPPED, _ALIVE = range(9)


def _aligned(count: int, dtype: Any) -> Array:
    """An array that begins with a cache line, so that a row of bits does not straddle two."""
    size = count * np.dtype(dtype).itemsize
    block = np.empty(size + 63, np.uint8)
    start = -block.ctypes.data % 64
    return block[start : start + size].view(dtype)


@dataclass
class _Workspace:
    """The arrays of one batch at a time; rows of bits for a multiple of 64 vertices."""

    n: int
    words: int
    seen: Words
    rows: tuple[Words, Words]
    active: tuple[Words, Words]
    open: Words
    lists: Array
    planes: list[Words] = field(default_factory=list)
    #: Whether both frontiers are zero, as searches that ended leave them.
    clean: bool = False

    @classmethod
    def of(cls, n: int, words: int, dtype: Any) -> _Workspace:
        blocks = -(-n // 64)

        def bits() -> Words:
            return _aligned(64 * blocks * words, np.uint64)

        def flags() -> Words:
            return _aligned(blocks, np.uint64)

        pair = (bits(), bits()), (flags(), flags())
        return cls(n, words, bits(), *pair, flags(), np.empty(2 * n, dtype))

    @property
    def nbytes(self) -> int:
        arrays = (self.seen, *self.rows, *self.active, self.open, self.lists, *self.planes)
        return sum(a.nbytes for a in arrays)

    def plane(self, b: int) -> Words:
        """Plane `b` of the levels, its contents arbitrary."""
        if b == len(self.planes):
            require_bytes(self.seen.nbytes, "A: levels this deep: another bit of them")
            self.planes.append(_aligned(self.seen.shape[0], np.uint64))
        return self.planes[b]


class CpuManyFound:
    """What a batch left in its workspace; see `ManyFound`."""

    def __init__(
        self,
        indptr: Array,
        workspace: _Workspace,
        lanes: int,
        planes: list[Words],
        sizes: list[Ints],
        progress: Ints,
        level_sums: Ints | None,
        rank: Array | None,
        threads: int,
    ) -> None:
        self._workspace = workspace
        self._level_sums, self._rank, self._threads = level_sums, rank, threads
        counted = np.concatenate(sizes).reshape(-1, 64 * workspace.words)[:, :lanes]
        self.depth = int(np.flatnonzero(counted.any(axis=1)).max(initial=0))
        self._planes = planes[: self.depth.bit_length()]
        self._sizes: Ints = np.ascontiguousarray(counted[: self.depth + 1].T)
        self.joint = int(progress[_JOINT])
        self.edges: int = kernels.bfs_many_entries(indptr, workspace.seen, workspace.words, threads)

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        return summed(self.level_sizes())

    def level_sizes(self) -> Ints:
        return self._sizes

    def levels(self, out: Array, rows: Ints) -> None:
        kernels.bfs_many_levels(
            self._workspace.n,
            self._workspace.seen,
            self._planes,
            self._workspace.words,
            self._rank,
            rows,
            out.reshape(-1),
            self._threads,
        )

    def add_counts(self, counts: Ints | None, level_sums: Ints | None) -> None:
        if counts is not None:
            workspace = self._workspace
            kernels.bfs_many_counts(
                workspace.seen, workspace.words, self._rank, counts, self._threads
            )
        if level_sums is not None:
            assert self._level_sums is not None
            level_sums += self._level_sums

    def level_bits(self, level: int) -> Words:
        bits = self._workspace.seen.copy()
        for b, plane in enumerate(self._planes):
            bits &= plane if level >> b & 1 else ~plane
        if level >> len(self._planes):
            bits.fill(0)
        n, words = self._workspace.n, self._workspace.words
        bits = bits.reshape(-1, words)[:n]
        return bits if self._rank is None else bits[self._rank]


class CpuManySearches:
    """Batches of searches of one matrix.

    Any number of threads may search at once; each batch beyond the first has workspace of its own
    for as long as it runs.

    Parameters
    ----------
    A : MatrixData
    relabel : bool, optional
        Whether vertices are numbered by falling degree inside; None leaves it to the planner.
    without : collection of str, optional
        Techniques to leave out, of `TECHNIQUES`.
    """

    def __init__(
        self,
        A: MatrixData,
        *,
        relabel: bool | None = None,
        without: Collection[str] = (),
    ) -> None:
        self._n, self._dtype = A.nrows, A.indices.dtype
        self._relabel = relabel
        self._without = sum(1 << bit for bit, name in enumerate(TECHNIQUES) if name in without)
        self._idle: list[_Workspace] = []
        self._longest_row: int | None = None
        self._searched = 0

    @property
    def nbytes(self) -> int:
        return sum(w.nbytes for w in list(self._idle))

    def room(self) -> int:
        return available_bytes() + self.nbytes

    def needed(self, lanes: int, request: ManyRequest) -> int:
        rows = 3 + (_PLANES if request.levels else 0)
        return self._n * (8 * words_of(lanes) * rows + 2 * self._dtype.itemsize + 1)

    def lanes(self, sources: int) -> int:
        return min(sources, planner_many.LANES)

    @contextmanager
    def batch(
        self, A: MatrixData, sources: Ints, rows: Ints, request: ManyRequest
    ) -> Iterator[CpuManyFound]:
        words = words_of(len(sources))
        threads = resolve_threads(request.threads)
        try:
            workspace = self._idle.pop()
        except IndexError:
            workspace = None
        if workspace is None or workspace.words != words:
            workspace = None  # given up before the next one is made
            require_bytes(self.needed(len(sources), request), "A: searches of it")
            workspace = _Workspace.of(self._n, words, self._dtype)
        try:
            yield self._search(A, workspace, sources, rows, request, threads)
        finally:
            if not self._idle:
                self._idle.append(workspace)

    def _search(
        self,
        A: MatrixData,
        workspace: _Workspace,
        sources: Ints,
        rows: Ints,
        request: ManyRequest,
        threads: int,
    ) -> CpuManyFound:
        out, into, rank, order = self._layout(A, len(sources), threads)
        first_seen = None
        if not self._without & 1 << _HUBS and ("hubs" in into.cache or rank is not None):
            first_seen = hubs(into, threads)
        without = self._without
        if not planner_many.skewed(self._n, A.nvals, self._longest(into)):
            without |= 1 << _NARROW
        at = sources if rank is None else rank[sources].astype(np.int64)
        progress, sizes = _begin(workspace, out, into, at, threads)
        lanes = 64 * workspace.words
        level_sums = np.zeros(self._n, np.int64) if request.level_sums else None
        if request.parents is not None:
            request.parents[rows] = -1
            request.parents[rows, sources] = sources
        last = self._n if request.max_depth is None else request.max_depth
        planes: list[Words] = []
        while progress[_VERTICES] and progress[_LEVEL] < last:
            level = int(progress[_LEVEL])
            stop = min(last, level + _LEVELS)
            if request.levels:
                if level + 1 == 1 << len(planes):
                    planes.append(workspace.plane(len(planes)))
                stop = min(stop, (1 << len(planes)) - 1)
            counted = np.zeros((1 + stop - level) * lanes, np.int64)
            counted[:lanes] = sizes[-1][-lanes:]
            kernels.bfs_many(
                out.indptr,
                out.indices,
                into.indptr,
                into.indices,
                workspace.seen,
                workspace.rows[0],
                workspace.active[0],
                workspace.rows[1],
                workspace.active[1],
                workspace.open,
                workspace.lists,
                planes,
                first_seen,
                order,
                None if request.parents is None else request.parents.reshape(-1),
                rows,
                level_sums,
                counted,
                progress,
                stop,
                workspace.words,
                DIRECTIONS.index(request.direction),
                without,
                threads,
            )
            sizes.append(counted[lanes:])
        workspace.clean = not progress[_VERTICES]
        return CpuManyFound(
            out.indptr, workspace, len(sources), planes, sizes, progress, level_sums, rank, threads
        )

    def _layout(
        self, A: MatrixData, lanes: int, threads: int
    ) -> tuple[MatrixData, MatrixData, Array | None, Array | None]:
        """Out-edges, in-edges, the rows of bits of vertices, and the vertices of these."""
        into = A if is_symmetric(A) else transposed(A)
        self._searched += lanes
        wanted = self._relabel
        if wanted is None:
            known = "by_degree" in A.cache
            wanted = known or planner_many.relabel_pays(
                self._n, A.nvals, self._longest(into), self._searched
            )
            # A convenience: not to be paid for with the last memory.
            wanted = wanted and (known or copy_bytes(A, into) < available_bytes() // 2)
        if not wanted or not self._n:
            return A, into, None, None
        layout = by_degree(A, into, threads)
        return layout.out, layout.into, layout.rank, layout.order

    def _longest(self, into: MatrixData) -> int:
        """The largest number of in-edges of a vertex."""
        if self._longest_row is None:
            self._longest_row = int(np.diff(into.indptr).max(initial=0))
        return self._longest_row


def _begin(
    workspace: _Workspace, out: MatrixData, into: MatrixData, sources: Ints, threads: int
) -> tuple[Ints, list[Ints]]:
    """The state of the kernel at level 0, and how many vertices every lane has there."""
    words, lanes = workspace.words, len(sources)
    dirty = () if workspace.clean else (*workspace.rows, *workspace.active)
    kernels.bfs_many_clear([workspace.seen, *dirty], threads)
    workspace.clean = False
    lane = np.arange(lanes)
    bit = np.uint64(1) << (lane % 64).astype(np.uint64)
    for bits in (workspace.seen, workspace.rows[0]):
        np.bitwise_or.at(bits, sources * words + lane // 64, bit)
    vertices = np.unique(sources)
    workspace.lists[: vertices.shape[0]] = vertices
    np.bitwise_or.at(
        workspace.active[0], vertices // 64, np.uint64(1) << (vertices % 64).astype(np.uint64)
    )
    workspace.open[:] = _entered(into)
    progress = np.zeros(_ALIVE + 16, np.int64)
    progress[_VERTICES] = progress[_JOINT] = vertices.shape[0]
    progress[_EDGES] = (out.indptr[vertices + 1] - out.indptr[vertices]).sum()
    progress[_OPEN] = into.nvals
    progress[_LISTED] = progress[_CLEAN] = 1
    np.bitwise_or.at(progress[_ALIVE:].view(np.uint64), lane // 64, bit)
    first = np.zeros(64 * words, np.int64)
    first[:lanes] = 1
    return progress, [first]


def _entered(into: MatrixData) -> Words:
    """Bits of the vertices that an edge enters, whose rows are those of `into`; then kept."""
    known: Words | None = into.cache.get("entered")
    if known is None:
        flags = np.zeros(-(-into.nrows // 64) * 64, np.bool_)
        np.not_equal(into.indptr[1:], into.indptr[:-1], out=flags[: into.nrows])
        known = np.packbits(flags, bitorder="little").view(np.uint64)
        into.cache["entered"] = known
    return known
