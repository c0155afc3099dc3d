"""The outputs of a call: made where they were asked for, filled batch by batch."""

from __future__ import annotations

import os
import time
import weakref
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import COMPUTED, Arguments
from spbfs.algorithms.bfs_many.outputs.frontiers import Frontiers
from spbfs.algorithms.bfs_many.outputs.kept import kept_of, take_kept
from spbfs.algorithms.bfs_many.outputs.level_arrays import LevelPool, level_dtype, widened
from spbfs.algorithms.bfs_many.outputs.shipped import Shipped
from spbfs.algorithms.bfs_many.outputs.sparse_levels import SparseLevels
from spbfs.algorithms.bfs_many.result import BFSManyResult, inverses_summed
from spbfs.base import progress
from spbfs.base.memory import require_bytes
from spbfs.engines.bfs_many import BatchResult, FoundMany, ListedBatch
from spbfs.exceptions import InvalidValue
from spbfs.storage.entries import array_module, on_host

if TYPE_CHECKING:
    from spbfs.algorithms.bfs_many.outputs.levels_file import LevelFile
    from spbfs.algorithms.bfs_many.outputs.parents_file import ParentFile
    from spbfs.algorithms.checkpoint import Checkpoint
    from spbfs.io.mapped.arrays import Guard

__all__ = ["Outputs"]

Array = Any
Ints = npt.NDArray[np.int64]

#: Bytes of a file that a call leaves in memory: the file of all pairs of 10^5 vertices has 10^10.
_MOST_RESIDENT = 1 << 26


class Outputs:
    """The arrays of a result, and the file of levels where there is one.

    A context: its clock encloses the searches, and what it holds is saved however they end.
    """

    def __init__(self, call: Arguments, result: BFSManyResult, pool: LevelPool) -> None:
        self._call, self._result, self._pool = call, result, pool
        self._file: LevelFile | None = None
        self._guard: Guard | None = None
        self._checkpoint: Checkpoint | None = None
        self._parents: ParentFile | None = None
        #: What batches found whose levels are looked at later, how many searches each has, and
        #: what leaves these batches.
        self._searched: list[tuple[BatchResult, int]] = []
        self._left_later = ExitStack()
        #: Level sizes with columns to spare, of which those of the result are the first.
        self._sizes: Ints | None = None
        #: Bytes of files that are in memory because rows of them were written or read.
        self._resident = 0
        self._started = time.perf_counter()
        wanted, indices = call.outputs, call.data.indices
        k, n, xp = call.sources.shape[0], call.data.nrows, array_module(indices)
        if "level_sizes" in wanted:
            result.level_sizes = np.zeros((k, 1), np.int64)
        if "sum_inverses" in wanted:
            result.sum_inverses = np.zeros(k)
        if "counts" in wanted:
            result.counts = xp.zeros(n, np.int64)
        if "level_sums" in wanted:
            result.level_sums = xp.zeros(n, np.int64)
        if "parents" in wanted and (wanted["parents"] is None or xp is not np):
            result.parents = xp.empty((k, n), indices.dtype)
        self._sparse = SparseLevels(call.sources, n, indices.dtype) if call.sparse else None
        place = wanted.get("levels")
        if not isinstance(place, str | os.PathLike):
            result.levels = place

    def __enter__(self) -> Outputs:
        place = self._call.outputs.get("levels")
        if isinstance(place, str | os.PathLike):
            self._open(place)
        elif isinstance(place, np.ndarray) and not place.flags.owndata:
            self._guard_mapped(place)
        if self._call.checkpoint is not None:
            self._go_on(self._call.checkpoint)
        if self._call.outputs.get("parents") is not None:
            self._open_parents(self._call.outputs["parents"])
        result = self._result
        result.searches_before = int(np.count_nonzero(result.done))
        result.edges_before = result.edges
        self._started = time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._left_later.close()  # of batches that nobody has got
            if self._file is not None:
                self._file.save(self._result.done)
            if self._parents is not None:
                self._parents.flush()
            if self._checkpoint is not None:
                self._checkpoint.save(kept_of(self._result))
        finally:
            if self._parents is not None:
                self._parents.close()
            if self._checkpoint is not None:
                self._checkpoint.close()
            if self._file is not None:
                self._file.close()
            if self._guard is not None:
                self._guard.release()
        self._result.seconds = time.perf_counter() - self._started

    def collect(self, rows: Ints, batch: AbstractContextManager[FoundMany]) -> None:
        """Take what the searches of a batch found, and leave the batch."""
        call, result = self._call, self._result
        if "per_level" in call.outputs:
            found = cast(BatchResult, self._left_later.enter_context(batch))
            self._take(rows, found)
            self._searched.append((found, int(rows.shape[0])))
        else:
            with batch as searched_apart:
                self._take(rows, searched_apart)
        result.done[rows] = True
        self._release_pages(rows.shape[0])
        if self._file is not None:
            self._file.save(result.done, progress.BETWEEN_SAVES)
        if self._checkpoint is not None and self._checkpoint.due():
            if self._parents is not None:
                self._parents.flush()
            self._checkpoint.save(kept_of(result))

    def early_levels(self) -> Array | None:
        """Levels on a GPU, in bytes until a depth is known; None where they are made later."""
        result, wanted = self._result, self._call.outputs
        if "levels" not in wanted or isinstance(wanted["levels"], str | os.PathLike):
            return None
        if array_module(self._call.data.indices) is np or self._sparse is not None:
            return None
        if result.levels is None:
            result.levels = self._empty_levels(level_dtype(0))
        return None if array_module(result.levels) is np else result.levels

    def complete(self) -> None:
        """Make what no batch has made."""
        call = self._call
        if "per_level" in call.outputs:
            left_later = self._left_later.pop_all()
            frontiers = Frontiers(call.device, call.data.nrows, self._searched, left_later)
            self._result.per_level, self._searched = iter(frontiers), []
        if self._parents is not None:
            self._result.parents = self._parents.parents
        if self._sparse is not None:
            self._result.levels = self._sparse.made()
        elif "levels" in call.outputs:
            self._wide_enough()

    def _take(self, rows: Ints, found: FoundMany) -> None:
        result = self._result
        result.reached[rows], result.sum_levels[rows], deepest = found.per_source()
        result.eccentricity[rows] = deepest
        result.depth = max(result.depth, found.depth)
        result.edges += found.edges
        result.joint += found.joint
        if result.level_sizes is not None:
            self._take_sizes(rows, found.level_sizes())
        if result.sum_inverses is not None:
            result.sum_inverses[rows] = (
                found.sum_inverses()
                if isinstance(found, Shipped)
                else inverses_summed(found.level_sizes())
            )
        if self._sparse is not None:
            self._sparse.take(rows, found)
        elif "levels" in self._call.outputs:
            found.levels(self._wide_enough(), rows)
            self._check_mapped()
        if result.parents is not None and isinstance(found, ListedBatch | Shipped):
            found.write_parents(result.parents, rows)
        if self._parents is not None:
            if result.parents is not self._parents.parents:
                self._parents.take(rows, result.parents)
            self._parents.check()
        if result.counts is not None or result.level_sums is not None:
            found.add_counts(result.counts, result.level_sums)

    def _take_sizes(self, rows: Ints, sizes: Ints) -> None:
        result = self._result
        assert result.level_sizes is not None
        width, held = sizes.shape[1], result.level_sizes
        if width > held.shape[1]:
            if self._sizes is None or self._sizes.shape[1] < width:
                # Twice as wide: batches may be deeper than all before them time and again.
                shape = held.shape[0], max(width, 2 * held.shape[1])
                require_bytes(8 * shape[0] * shape[1], "outputs: level_sizes, a number a level,")
                self._sizes = np.zeros(shape, np.int64)
                self._sizes[:, : held.shape[1]] = held
            result.level_sizes = self._sizes[:, :width]
        result.level_sizes[rows, :width] = sizes

    # -- levels --------------------------------------------------------------------------------
    def _wide_enough(self) -> Array:
        """The array of levels, made or widened so that it can hold the depth."""
        result = self._result
        wanted = level_dtype(result.depth)
        if result.levels is None:
            result.levels = self._empty_levels(wanted)
        elif result.levels.dtype.itemsize < wanted.itemsize:
            result.levels = widened(result.levels, self._empty_levels(wanted))
        return result.levels

    def _empty_levels(self, dtype: np.dtype[Any]) -> Array:
        call, result = self._call, self._result
        if self._file is not None:
            return self._file.make(dtype)
        if call.outputs["levels"] is not None:
            raise InvalidValue(
                f"outputs: levels of {call.outputs['levels'].dtype} cannot hold the depth "
                f"{result.depth}; expected {dtype}"
            )
        shape, xp = (result.sources.shape[0], call.data.nrows), array_module(call.data.indices)
        if xp is not np:
            return xp.empty(shape, dtype)  # CuPy has a pool of its own
        made = self._pool.make(shape, dtype, call.data.nbytes)
        result._made = weakref.ref(self._pool), weakref.ref(made)
        return made

    def _go_on(self, path: Any) -> None:
        """What searches that ended in an earlier call have found."""
        # Of compiled code, as files are.
        from spbfs.algorithms.checkpoint import Checkpoint, identity

        call = self._call
        made: list[int] = [name in call.outputs for name in ("level_sizes", "counts", "level_sums")]
        made[0] += 2 * ("sum_inverses" in call.outputs)
        told = np.array([*identity(call.data, call.max_depth), *made], np.int64)
        self._checkpoint = Checkpoint(path, told, call.sources, kept_of(self._result))
        if self._checkpoint.found is not None:
            take_kept(self._result, self._checkpoint.found)

    def _open_parents(self, place: str | os.PathLike[str]) -> None:
        """Parents in a file; beside it the results of the searches whose rows it has."""
        from spbfs.algorithms.bfs_many.outputs.parents_file import ParentFile
        from spbfs.io.arguments import path_of

        result, data = self._result, self._call.data
        path = Path(os.path.realpath(path_of(place, "outputs")))
        progress = path.with_name(path.name + ".progress.npz")
        if path.exists() and not progress.exists():
            raise InvalidValue(f"outputs: {str(place)!r} exists, and nothing says how far it is")
        self._go_on(progress)
        try:
            shape = result.sources.shape[0], data.nrows
            self._parents = ParentFile(path, shape, data.indices.dtype, result.done)
        except BaseException:
            assert self._checkpoint is not None
            self._checkpoint.close()
            raise
        if result.parents is None:
            result.parents = self._parents.parents

    def _guard_mapped(self, array: Array) -> None:
        """Room for levels in memory that the caller has mapped, and notice of what gets lost."""
        # Of compiled code, as files are.
        from spbfs.io.mapped.arrays import Guard, allocate_array, is_mapped

        if is_mapped(array):
            allocate_array("outputs: levels", array)
            self._guard = Guard("outputs: levels, an array mapped from a file,", array)

    def _release_pages(self, rows: int) -> None:
        """Keep no more of the files in memory than a part, after so many more rows of them."""
        held: list[Any] = [None if self._file is None else self._file.levels]
        held.append(None if self._parents is None else self._parents.parents)
        mapped = [array for array in held if array is not None]
        if not mapped:
            return
        from spbfs.io.mapped.arrays import release_pages

        self._resident += sum(rows * array.shape[1] * array.dtype.itemsize for array in mapped)
        if self._resident >= _MOST_RESIDENT:
            self._resident = 0
            for array in mapped:
                release_pages(array)

    def _check_mapped(self) -> None:
        for mapped in (self._file, self._guard):
            if mapped is not None:
                mapped.check()

    def _open(self, path: str | os.PathLike[str]) -> None:
        """Levels in a file, and what the searches that ended before say of themselves."""
        # Files of arrays are read by compiled code, which nobody else here needs.
        from spbfs.algorithms.bfs_many.outputs.levels_file import LevelFile

        call = self._call
        others = [name for name in call.outputs if name in COMPUTED and name != "levels"]
        if others:
            raise InvalidValue(f"outputs: a file of levels cannot be asked for with {others[0]}")
        self._file = LevelFile(path, call.data, call.sources, call.max_depth)
        try:
            self._believe()
        except BaseException:
            self._file.close()
            raise

    def _believe(self) -> None:
        """The results of the searches whose rows the file has."""
        call, result = self._call, self._result
        assert self._file is not None
        result.levels, result.done = self._file.levels, self._file.done.copy()
        degrees = on_host(call.data.indptr[1:] - call.data.indptr[:-1])
        for row in np.flatnonzero(result.done).tolist():
            level = np.asarray(result.levels[row])
            reached = level < np.iinfo(level.dtype).max
            result.reached[row] = reached.sum()
            result.sum_levels[row] = level[reached].sum(dtype=np.int64)
            result.eccentricity[row] = level[reached].max(initial=0)
            result.edges += int(degrees[reached].sum())
            self._release_pages(1)
        self._check_mapped()
        result.depth = int(result.eccentricity.max(initial=0))
