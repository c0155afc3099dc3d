"""Many breadth-first searches at once on the CPU, a bit a search: ``cpu/bfs_many/bfs_many.cpp``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import available_bytes, require_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import Direction
from spbfs.engines.bfs_many import Idle, Ints, ListedBatch, ManyRequest, summed
from spbfs.engines.cpu.bfs.listed import list_many
from spbfs.engines.cpu.bfs.workspace import Marks
from spbfs.engines.cpu.bfs_many.workspace import Words, Workspace, begin
from spbfs.engines.cpu.graph.degree_order import by_degree, copy_bytes
from spbfs.engines.cpu.graph.transpose import hubs, is_symmetric, transposed
from spbfs.engines.cpu.native import kernels
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData
from spbfs.storage.on_disk import OnDiskMatrix
from spbfs.storage.packed import words_of

__all__ = ["TECHNIQUES", "CpuManySearches"]

Array = npt.NDArray[Any]

#: What may be left out, to see what it gives, by the kernel's name: a vertex that pulls stops
#: at the last bit that it can get; searches whose frontiers are small are pushed while others pull;
#: a small joint frontier is listed; a push of long rows goes by ranges of vertices; an update is
#: made only after a test whether it is needed.
_TECHNIQUES = {
    "early": "early termination",
    "narrow": "a direction a search",
    "queue": "joint frontier queue",
    "ranges": "ranges of vertices",
    "test_first": "look before update",
}
#: A pull probes the neighbour of largest degree first.
_HUBS_FIRST = "hubs first"
TECHNIQUES = (*_TECHNIQUES.values(), _HUBS_FIRST)
_RATES = kernels.BfsManyRates(planner_many.CPU_MANY)
#: Planes that room is planned for; deeper searches take one more each time the depth doubles.
_PLANES = 5
#: Levels whose counts are made room for at a time.
_LEVELS = 128


class CpuBatchResult:
    """What a batch left in its workspace; see `BatchResult`."""

    def __init__(
        self,
        out: MatrixData,
        into: MatrixData,
        workspace: Workspace,
        sources: Ints,
        planes: list[Words],
        sizes: list[Ints],
        progress: Any,
        level_sums: Ints | None,
        rank: Array | None,
        threads: int,
    ) -> None:
        self._workspace, self._sources = workspace, sources
        #: No edge enters a row of bits from here on: only sources have any there.
        self._entered = int(np.searchsorted(into.indptr, into.indptr[-1]))
        self._level_sums, self._rank, self._threads = level_sums, rank, threads
        counted = np.concatenate(sizes).reshape(-1, 64 * workspace.words)[:, : sources.shape[0]]
        self.depth = int(np.flatnonzero(counted.any(axis=1)).max(initial=0))
        self._planes = planes[: self.depth.bit_length()]
        self._sizes: Ints = np.ascontiguousarray(counted[: self.depth + 1].T)
        self.joint = progress.joint
        self.edges: int = kernels.bfs_many_entries(
            out.indptr, workspace.visited, workspace.words, threads
        )

    def per_source(self) -> tuple[Ints, Ints, Ints]:
        return summed(self.level_sizes())

    def level_sizes(self) -> Ints:
        return self._sizes

    def levels(self, out: Array, rows: Ints) -> None:
        kernels.bfs_many_levels(
            self._workspace.n,
            self._entered,
            self._workspace.visited,
            self._planes,
            self._workspace.words,
            self._rank,
            rows,
            out.reshape(-1),
            self._threads,
        )
        at = self._sources if self._rank is None else self._rank[self._sources]
        no_in_edges = at >= self._entered
        out[rows[no_in_edges], self._sources[no_in_edges]] = 0

    def add_counts(self, counts: Ints | None, level_sums: Ints | None) -> None:
        if counts is not None:
            workspace = self._workspace
            kernels.bfs_many_counts(
                workspace.visited, workspace.words, self._rank, counts, self._threads
            )
        if level_sums is not None:
            assert self._level_sums is not None
            level_sums += self._level_sums

    def level_bits(self, level: int) -> Words:
        n, words, end = self._workspace.n, self._workspace.words, self._entered
        visited = self._workspace.visited.reshape(-1, words)[:n]
        bits = visited.copy() if level == 0 else np.zeros_like(visited)
        if not level >> len(self._planes):
            bits[:end] = visited[:end]
            for b, plane in enumerate(self._planes):
                at_level = plane if level >> b & 1 else ~plane
                bits[:end] &= at_level.reshape(-1, words)[:end]
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
        self._hubs_first = _HUBS_FIRST not in without
        self._techniques = {k: name not in without for k, name in _TECHNIQUES.items()}
        self._idle: Idle[Workspace] = Idle()
        self._marks = Marks()
        self._longest_row: int | None = None
        self._searched = 0

    @property
    def nbytes(self) -> int:
        return self._idle.nbytes + self._marks.nbytes

    def room(self, enough: int | None = None) -> int:
        return available_bytes() + self.nbytes

    def needed(self, searches: int, request: ManyRequest) -> int:
        rows = 3 + (_PLANES if request.levels else 0)
        return self._n * (8 * words_of(searches) * rows + 2 * self._dtype.itemsize + 1)

    def expect(self, A: MatrixData, searches: int) -> None:
        """Nothing takes long."""

    def begin(
        self, A: MatrixData, sources: Array, max_depth: int | None, direction: Direction
    ) -> None:
        """Nothing would run meanwhile."""

    def give_up(self, begun: None) -> None:
        """Nothing has begun."""

    def batch_size(self, sources: int) -> int:
        return min(sources, planner_many.LANES)

    @contextmanager
    def batch(
        self, A: MatrixData, sources: Ints, rows: Ints, request: ManyRequest
    ) -> Iterator[CpuBatchResult]:
        words = words_of(len(sources))
        threads = resolve_threads(request.threads)
        workspace = self._idle.take(lambda idle: idle.words == words)
        if workspace is None:
            require_bytes(self.needed(len(sources), request), "A: searches of it")
            workspace = Workspace.of(self._n, words, self._dtype)
        try:
            yield self._search(A, workspace, sources, rows, request, threads)
        finally:
            self._idle.give_back(workspace)

    def listed(
        self, A: MatrixData, sources: Ints, request: ManyRequest, most_edges: int, most_rows: int
    ) -> ListedBatch:
        return list_many(A, sources, request, most_edges, most_rows, self._marks)

    def _search(
        self,
        A: MatrixData,
        workspace: Workspace,
        sources: Ints,
        rows: Ints,
        request: ManyRequest,
        threads: int,
    ) -> CpuBatchResult:
        out, into, rank, order = self._layout(A, len(sources), threads)
        hubs_first = None
        if self._hubs_first and (into.derived.hubs_sought or rank is not None):
            hubs_first = hubs(into, threads)
        techniques = dict(self._techniques)
        techniques["narrow"] &= planner_many.skewed(self._n, A.nvals, self._longest(into))
        used = kernels.BfsManyTechniques(**techniques)
        at = sources if rank is None else rank[sources].astype(np.int64)
        progress, sizes = begin(workspace, out, into, at, threads)
        bits = 64 * workspace.words
        level_sums = np.zeros(self._n, np.int64) if request.level_sums else None
        if request.parents is not None:
            request.parents[rows] = -1
            request.parents[rows, sources] = sources
        last = self._n if request.max_depth is None else request.max_depth
        planes: list[Words] = []
        while progress.vertices and progress.level < last:
            level = progress.level
            stop = min(last, level + _LEVELS)
            if request.levels:
                if level + 1 == 1 << len(planes):
                    planes.append(workspace.plane(len(planes)))
                stop = min(stop, (1 << len(planes)) - 1)
            counted = np.zeros((1 + stop - level) * bits, np.int64)
            counted[:bits] = sizes[-1][-bits:]
            kernels.bfs_many(
                out.indptr,
                out.indices,
                into.indptr,
                into.indices,
                workspace.visited,
                workspace.rows[0],
                workspace.active[0],
                workspace.rows[1],
                workspace.active[1],
                workspace.open,
                workspace.lists,
                planes,
                hubs_first,
                order,
                None if request.parents is None else request.parents.reshape(-1),
                rows,
                level_sums,
                counted,
                progress,
                stop,
                workspace.words,
                request.direction,
                _RATES,
                used,
                threads,
            )
            sizes.append(counted[bits:])
        if isinstance(A, OnDiskMatrix):
            A.check_pages()
        workspace.clean = not progress.vertices
        return CpuBatchResult(
            out, into, workspace, sources, planes, sizes, progress, level_sums, rank, threads
        )

    def _layout(
        self, A: MatrixData, searches: int, threads: int
    ) -> tuple[MatrixData, MatrixData, Array | None, Array | None]:
        """Out-edges, in-edges, the rows of bits of vertices, and the vertices of these."""
        into = A if is_symmetric(A) else transposed(A)
        self._searched += searches
        wanted = self._relabel
        if wanted is None and isinstance(A, OnDiskMatrix):
            wanted = False  # a copy of the graph, which is there because it should not be in memory
        if wanted is None:
            known = A.derived.by_degree is not None
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
