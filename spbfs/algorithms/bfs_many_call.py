"""One call of `bfs_many`: batches of joined searches, or one search after the other."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many_apart import side_by_side
from spbfs.algorithms.bfs_many_arguments import ASKED, MOST_LANES, Report, Rule, levels_given
from spbfs.algorithms.bfs_many_groups import group_by_hub
from spbfs.algorithms.bfs_many_result import (
    BFSManyResult,
    KeptLevels,
    kept_levels,
    levels_for,
    take_sizes,
)
from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines import get_engine
from spbfs.engines.bfs import Found, Searches, SearchRequest, searches_of
from spbfs.engines.bfs_many import ManyFound, ManyRequest, ManySearches, many_searches_of
from spbfs.exceptions import (
    InvalidValue,
    OutOfMemory,
)
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping
from spbfs.storage.entries import array_module, on_host
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.algorithms.bfs_many_file import LevelFile

__all__ = ["Call"]

Array = Any
Ints = npt.NDArray[np.int64]

#: Seconds of searches that may have to be made again after a crash.
_BETWEEN_SAVES = 5.0
#: A vertex, for searches side by side: outputs and workspace of one of them.
_SEARCH_BYTES = 32


class Call:
    """Its request, what it has found, the engine's two ways to search."""

    def __init__(
        self,
        matrix: Any,
        data: MatrixData,
        sources: Ints,
        wanted: dict[str, Any],
        max_depth: int | None,
        threads: int | None,
        report: Report,
    ) -> None:
        self._matrix, self._data, self._wanted = matrix, data, wanted
        self._engine = get_engine(matrix.device)
        self._report = report
        self._file: LevelFile | None = None
        k = sources.shape[0]
        self.result = BFSManyResult(sources, np.zeros(k, bool), *np.zeros((3, k), np.int64))
        self._request = ManyRequest(
            levels="levels" in wanted or "per-level" in wanted,
            level_sums="level_sums" in wanted,
            max_depth=max_depth,
            threads=None if threads is None else resolve_threads(threads),
        )
        self._many: ManySearches = many_searches_of(data, self._engine.many_searches)
        self._single: Searches = searches_of(data, self._engine.searches)
        self._levels: KeptLevels = kept_levels(data)

    def run(self, most: int | None, rule: Rule) -> None:
        """All sources, in batches of at most `most`."""
        result = self.result
        k = result.sources.shape[0]
        lanes = self._lanes(k, most)
        self._make_outputs(k)
        joined = k > 0 and ("per-level" in self._wanted or self._joins(lanes))
        started = time.perf_counter()
        try:
            if joined:
                result.batch = lanes
                order = self._order(rule, lanes)
                order = order[~result.done[order]]
                for first in range(0, order.shape[0], lanes):
                    self._search_batch(order[first : first + lanes])
            else:
                self._search_apart(np.flatnonzero(~result.done).tolist())
        finally:
            if self._file is not None:
                self._file.save(result.done)
            result.seconds = time.perf_counter() - started
        if "levels" in self._wanted:
            levels_for(result, result.depth, self._empty_levels)
        if tracing.current() is not None:
            tracing.record(kernel="bfs_many" if joined else "bfs", frontier=k, edges=result.edges)
            total = int(result.reached.sum())
            tracing.finish("bfs_many", self._matrix.device, result.seconds, total)

    # -- memory ------------------------------------------------------------------------------
    def _lanes(self, k: int, most: int | None) -> int:
        """Lanes of a batch: what was asked for, or what suits; fewer where memory is short."""
        n, item = self._data.nrows, self._data.indices.dtype.itemsize
        outputs = 8 * n * (("counts" in self._wanted) + 2 * ("level_sums" in self._wanted))
        outputs += k * n * item * ("parents" in self._wanted)
        outputs += k * n * ("levels" in self._wanted and self._wanted["levels"] is None)
        room = self._many.room()
        if outputs + self._many.needed(max(1, min(k, MOST_LANES)), self._request) > room:
            self._levels.clear()
            room = self._many.room()
        if outputs > room:
            raise OutOfMemory(
                f"outputs: those of {k} sources need {outputs:,} bytes and {room:,} are free"
            )
        lanes = max(1, min(k, most) if most is not None else self._many.lanes(k))
        if "per-level" in self._wanted:
            if k > MOST_LANES or (most is not None and most < k):
                raise InvalidValue(
                    f"outputs: per-level takes one batch of at most {MOST_LANES}, got {k} sources"
                )
            lanes = max(1, k)
        while (needed := self._many.needed(lanes, self._request)) > room - outputs:
            if lanes <= 64 or "per-level" in self._wanted:
                raise OutOfMemory(
                    f"sources: a batch of {lanes} searches needs {needed:,} bytes "
                    f"and {room - outputs:,} are free"
                )
            lanes = max(64, lanes // 128 * 64)
        return lanes

    def _make_outputs(self, k: int) -> None:
        result, wanted, n = self.result, self._wanted, self._data.nrows
        xp = array_module(self._data.indices)
        if "level_sizes" in wanted:
            result.level_sizes = np.zeros((k, 1), np.int64)
        if "per-level" in wanted:
            result.per_level = iter(())
        if "counts" in wanted:
            result.counts = xp.zeros(n, np.int64)
        if "level_sums" in wanted:
            result.level_sums = xp.zeros(n, np.int64)
        if "parents" in wanted:
            result.parents = xp.empty((k, n), self._data.indices.dtype)
            self._request.parents = result.parents
        given = wanted.get("levels")
        if isinstance(given, str | os.PathLike):
            self._open(given)
        elif given is not None:
            result.levels = levels_given(given, (k, n), self._matrix.device)

    def _open(self, path: str | os.PathLike[str]) -> None:
        """Levels in a file, and what the searches that ended before say of themselves."""
        from spbfs.algorithms.bfs_many_file import LevelFile

        others = [name for name in self._wanted if name in ASKED and name != "levels"]
        if others:
            raise InvalidValue(f"outputs: a file of levels cannot be asked for with {others[0]}")
        result = self.result
        self._file = LevelFile(path, self._data, result.sources, self._request.max_depth)
        result.levels, result.done = self._file.levels, self._file.done.copy()
        degrees = on_host(self._data.indptr[1:] - self._data.indptr[:-1])
        for row in np.flatnonzero(result.done).tolist():
            level = np.asarray(result.levels[row])
            found = level < np.iinfo(level.dtype).max
            result.reached[row] = found.sum()
            result.sum_levels[row] = level[found].sum(dtype=np.int64)
            result.eccentricity[row] = level[found].max(initial=0)
            result.edges += int(degrees[found].sum())
        result.depth = int(result.eccentricity.max(initial=0))

    def _ended(self, rows: Any) -> None:
        """Searches ended, and are written down now and then."""
        self.result.done[rows] = True
        if self._file is not None:
            self._file.save(self.result.done, _BETWEEN_SAVES)
        self._report(int(np.count_nonzero(self.result.done)), self.result.edges)

    def _empty_levels(self, dtype: np.dtype[Any]) -> Array:
        if self._file is not None:
            return self._file.make(dtype)
        if self._wanted["levels"] is not None:
            raise InvalidValue(
                f"outputs: levels of {self._wanted['levels'].dtype} cannot hold the depth "
                f"{self.result.depth}; expected {dtype}"
            )
        shape, xp = (
            (self.result.sources.shape[0], self._data.nrows),
            array_module(self._data.indices),
        )
        if xp is not np:
            return xp.empty(shape, dtype)  # of a pool
        made = self._levels.make(shape, dtype, self._data.nbytes)
        self.result._made = weakref.ref(self._levels), weakref.ref(made)
        return made

    # -- decisions ---------------------------------------------------------------------------
    def _joins(self, lanes: int) -> bool:
        """Whether searches meet often enough to be joined, judged by one of them."""
        if lanes == 1:
            return False
        derived = self._data.derived
        if derived.frontier_sizes is None:
            degrees = self._data.indptr[1:] - self._data.indptr[:-1]
            source = int(degrees.argmax())
            # Whatever this call's limit: what is found is kept for others.
            level: Array = self._run_single(source, None, self._request.threads).array("levels")
            made = np.bincount(on_host(level[level >= 0]))
            with keeping:
                if derived.frontier_sizes is None:
                    derived.frontier_sizes = made
        return planner_many.joint_pays(derived.frontier_sizes.tolist(), lanes)

    def _order(self, rule: Rule, lanes: int) -> Ints:
        """The sources' rows in the order in which they fill the batches."""
        sources = self.result.sources
        if rule == "given" or sources.shape[0] <= lanes or lanes == 1:
            return np.arange(sources.shape[0])
        return group_by_hub(self._data, sources, None if rule == "auto" else rule)

    # -- searches ----------------------------------------------------------------------------
    def _search_batch(self, rows: Ints) -> None:
        result = self.result
        with ExitStack() as stack:
            sources = result.sources[rows]
            found = stack.enter_context(self._many.batch(self._data, sources, rows, self._request))
            result.reached[rows], result.sum_levels[rows], deepest = found.per_source()
            result.eccentricity[rows] = deepest
            if result.level_sizes is not None:
                take_sizes(result, rows, found.level_sizes())
            result.depth = max(result.depth, found.depth)
            result.edges += found.edges
            result.joint += found.joint
            if "levels" in self._wanted:
                found.levels(levels_for(result, found.depth, self._empty_levels), rows)
            if result.counts is not None or result.level_sums is not None:
                found.add_counts(result.counts, result.level_sums)
            if "per-level" in self._wanted:
                result.per_level = _per_level(
                    found, len(rows), self._matrix.device, stack.pop_all()
                )
        self._ended(rows)

    def _run_single(
        self, source: int, max_depth: int | None, threads: int | None, *, parents: bool = False
    ) -> Found:
        request = SearchRequest(
            source=source,
            levels=True,
            parents="any" if parents else None,
            max_depth=max_depth,
            target=None,
            direction="auto",
            relabel="auto",
            expansion=None,
            threads=threads,
            traced=False,
            planned=True,
        )
        return self._single.run(self._data, request)

    def _search_apart(self, rows: list[int]) -> None:
        """Search one by one, or as many side by side as there are threads."""
        threads, abreast = self._request.threads, 1
        if self._single.abreast:
            free = self._many.room() // (_SEARCH_BYTES * max(1, self._data.nrows))
            workers = resolve_threads(threads)
            abreast = planner_many.concurrent_searches(workers, self._data.nrows, len(rows))
            abreast = max(1, min(abreast, free))

        def search(row: int) -> Found:
            return self._run_single(
                int(self.result.sources[row]),
                self._request.max_depth,
                threads if abreast == 1 else 1,
                parents="parents" in self._wanted,
            )

        with closing(side_by_side(search, rows, abreast)) as searches:
            for row, found in searches:
                self._collect(row, found)
                found.give_back()
                del found
                self._ended(row)

    def _collect(self, row: int, found: Found) -> None:
        """What a search of its own says."""
        result, counts = self.result, found.counts
        level: Array = found.array("levels")
        if "levels" in self._wanted:
            out = levels_for(result, counts.depth, self._empty_levels)
            made = on_host(level) if isinstance(out, np.ndarray) else level
            # -1 becomes the maximum of an unsigned type.
            array_module(made).copyto(out[row], made, casting="unsafe")
        if result.parents is not None:
            result.parents[row] = found.array("parents")
        if result.counts is not None:
            result.counts += level >= 0
        if result.level_sums is not None:
            result.level_sums += level * (level >= 0)
        if result.level_sizes is not None:
            sizes = on_host(array_module(level).bincount(level[level >= 0]))
            take_sizes(result, np.array([row]), sizes[None, :].astype(np.int64))
        result.reached[row], result.eccentricity[row] = counts.reached, counts.depth
        # Where not reached the level is -1.
        unreached = level.shape[0] - counts.reached
        result.sum_levels[row] = int(level.sum(dtype=np.int64)) + unreached
        result.depth = max(result.depth, counts.depth)
        result.edges += found.edges
        result.joint += counts.reached


def _per_level(
    found: ManyFound, lanes: int, device: str, batch: ExitStack
) -> Iterator[tuple[int, Any]]:
    from spbfs import Matrix

    with batch:
        for level in range(found.depth + 1):
            bits = found.level_bits(level)
            yield level, Matrix._from_data(PackedMatrix(lanes, bits), device)
