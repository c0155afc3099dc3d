"""Breadth-first search from many sources at once on the GPU: a plan that owns layout and workspace.

Nothing here computes: ``cuda/bfs_many/bfs_many.cu`` searches, ``bfs_many_emit.cu`` turns what it
leaves (a bit a vertex and source, and the levels in binary planes) into results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from spbfs.engines.cuda.bfs_many import layout as many_layout
from spbfs.engines.cuda.bfs_many import results as many_results
from spbfs.engines.cuda.bfs_many.results import CONTROL_BYTES, ManyResults, empty_levels
from spbfs.engines.cuda.graph.layout import Layout
from spbfs.engines.cuda.graph.lines import LINES_TOLD, told
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.driver import fields_of
from spbfs.engines.cuda.runtime.fetch import Sending
from spbfs.engines.cuda.runtime.launch import Kernel, pointer
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.exceptions import IndexOutOfBound, InvalidValue
from spbfs.planner.many import ManyTuning
from spbfs.storage.arrays import in_host_memory
from spbfs.storage.packed import WORDS

__all__ = [
    "ManyBFS",
    "ManySummary",
    "ManyTuning",
    "empty_levels",
    "modules_of",
    "specialisations",
]

Array = Any

#: The argument block of the traversal; must match `struct ManySearch` in ``bfs_many_state.cuh``.
MANY = np.dtype(
    [
        (name, "u8")
        for name in (
            "out_indptr out_indices in_indptr in_indices rank pieces units long_rows long_mask "
            "visited frontier0 frontier1 any0 any1 full planes written queue list0 list1 control "
            "given sources turn slot eccentricity sums trace out_lines row_prefix"
        ).split()
    ]
    + [("edges", "i8"), ("narrow_from", "i8")]
    + [
        (name, "f4" if name in ("push_cost", "dense") else "i4")
        for name in (
            "n caller_n source_count piece_count unit_count long_count plane_count max_depth "
            "direction trace_capacity cached_bits shift sum_count l2_rows cached_rows push_cost "
            "dense ordered_from given_bytes line_shift line_bits"
        ).split()
    ],
    align=True,
)

SUMMARY = np.dtype(
    [("depth", "i4"), ("bad_source", "u4"), ("truncated", "u4"), ("barrier", "u4"), ("joint", "u8")]
)
_DIRECTIONS = {"auto": 0, "push": 1, "pull": 2}
#: Compute capabilities from which on other numbers of threads have registers enough.
_GENERATIONS = (70, 90, 100, 120)
#: Most bits that a pull keeps for vertices whose own `any` bit does not fit.
COMMON_BITS = 1 << 16


@dataclass(frozen=True, slots=True)
class ManySummary:
    """What a run says about itself, read in one piece."""

    depth: int
    #: Whether the planes were too few for the depth.
    truncated: bool
    #: Vertices of all joint frontiers; sources without neighbours are in none.
    joint: int
    #: Stored entries in the rows of what was reached, summed over the sources.
    edges: int
    #: A source each: vertices reached, the sum of their levels, the greatest level.
    reached: np.ndarray[Any, np.dtype[np.int64]]
    sum_levels: np.ndarray[Any, np.dtype[np.int64]]
    eccentricity: np.ndarray[Any, np.dtype[np.int64]]


def _threads(words: int, capability: int, *, wide: bool, pinned: bool) -> int:
    """Of a CTA: on 9.0, where they were measured, the most with which no register is spilled.

    640 elsewhere, or 512 where a register would be spilled.
    """
    if 90 <= capability < 100:
        if words == 16:
            return 640 if wide and pinned else 768
        if words <= 4 and not (wide or pinned):
            return 896 if words == 1 else 768
    long_pinned = words == 16 and wide and pinned
    middle_pinned = words in (4, 8) and pinned and not wide and capability < 90
    sector = words == 4 and 100 <= capability < 120 and not (wide or pinned)
    return 512 if long_pinned or middle_pinned or sector else 640


def _static_shared(threads: int) -> int:
    """Shared memory that the traversal declares itself, at most, with 64 threads or more."""
    return 9 * 1024 + 20 * threads


def _specialisation(
    wide: bool,
    words: int,
    threads: int,
    *,
    pinned: bool = False,
    capability: int = 70,
    below: int | None = None,
) -> Specialisation:
    return Specialisation(
        "bfs_many",
        kernels=(f"bfs_many<{'long long' if wide else 'int'}, {words}>",),
        defines=(
            f"BFS_THREADS={threads}",
            f"STATIC_SHARED_BYTES={_static_shared(threads)}",
            *(("BFS_PINNED=1",) if pinned else ()),
        ),
        capability=capability,
        below=below,
        cooperative=True,
    )


def modules_of(wide: bool, words: int, *, pinned: bool = False) -> tuple[Specialisation, ...]:
    """What a run and its levels load on the current device, in that order."""
    threads = _threads(words, limits().capability, wide=wide, pinned=pinned)
    search = _specialisation(wide, words, threads, pinned=pinned)
    return search, many_layout.module(wide), *many_results.modules_of(wide, words)


def specialisations() -> Iterator[Specialisation]:
    """All that a plan may load."""
    yield from many_layout.specialisations()
    yield from many_results.specialisations()
    for wide, words, pinned in product((False, True), WORDS, (False, True)):
        for capability, below in zip(_GENERATIONS, (*_GENERATIONS[1:], None), strict=True):
            threads = _threads(words, capability, wide=wide, pinned=pinned)
            yield _specialisation(
                wide, words, threads, pinned=pinned, capability=capability, below=below
            )


class ManyBFS(ManyResults):
    """A plan for searches from up to ``64 * words`` sources at a time over one layout.

    After construction a run and its outputs allocate only the arrays that they return.

    Parameters
    ----------
    layout : Layout
        The graph on the GPU, best with ``hubs`` (vertices by degree).
    words : {1, 2, 4, 8, 16}
        64-bit words of a vertex's row of bits; four fill a 32-byte sector.
    planes : int
        Bits of a level, at most 16: runs end at level ``2 ** planes - 2``.
    tuning : ManyTuning, optional
    """

    def __init__(
        self,
        layout: Layout,
        *,
        words: int = 4,
        planes: int = 8,
        tuning: ManyTuning | None = None,
    ) -> None:
        import cupy as cp

        if words not in WORDS:
            raise InvalidValue(f"words is {words}, expected 1, 2, 4, 8 or 16")
        if not 2 <= planes <= 16:
            raise InvalidValue(f"planes is {planes}, expected 2..16")
        super().__init__(layout, words, planes)
        self.tuning = tuning or ManyTuning()
        wide = layout.out_indptr.dtype == np.int64
        threads = self.tuning.threads or _threads(
            words, self._limits.capability, wide=wide, pinned=layout.pinned
        )
        room = self._limits.shared_bytes - _static_shared(threads)
        self._shared = min(self.tuning.cache_bytes, room)
        n = max(1, layout.n)
        blocks = -(-n // 32)
        self._work = many_layout.cut_rows(
            layout.in_indptr, layout.n, self.tuning.long_row, self.tuning.piece,
            self.tuning.short_row_of(words, pinned=layout.pinned),
            self.tuning.covered * layout.edges,
        )  # fmt: skip
        self._frontier = cp.zeros((2, n + 1, words), dtype=cp.uint64)
        self._any = cp.zeros((2, blocks), dtype=cp.uint32)
        self._full = cp.empty(blocks, dtype=cp.uint32)
        self._queue = cp.empty((n, 4), dtype=cp.int32)
        self._list = cp.empty((2, n), dtype=cp.int32)
        self._sent = Sending(self._readback)
        #: Sources of the run under way, which nobody else may hold.
        self._reading: Array = None
        self._argument = self._filled()
        self._fields = fields_of(self._argument)
        #: Sources of the host, where a copy to the GPU is not waited for.
        self._staged_memory = cp.cuda.alloc_pinned_memory(4 * self.width)
        self._staged = np.frombuffer(self._staged_memory, np.int32, self.width)
        self._traverse = Kernel(
            _specialisation(wide, words, threads, pinned=layout.pinned),
            threads=threads,
            shared_bytes=self._shared,
            block=self._argument,
        )
        arrays = (
            self._work, self._visited, self._frontier, self._any, self._full, self._planes,
            self._written, self._queue, self._list, self._readback, self._sources, self._given,
        )  # fmt: skip
        #: Bytes of the workspace, the layout not counted.
        self.nbytes = sum(int(a.nbytes) for a in arrays)

    @property
    def width(self) -> int:
        """Most sources of a run."""
        return 64 * self.words

    def _cached(self) -> dict[str, int]:
        """Which `any` bits shared memory holds: exact ones, and one a ``2**shift`` others."""
        n = self.layout.n
        shift = max(5, (max(1, n - 1) // COMMON_BITS).bit_length())
        room = 8 * self._shared - COMMON_BITS - 32
        return {"shift": shift, "cached_bits": min(n, self._work.covered + 31, room) // 32 * 32}

    def _filled(self) -> Any:
        layout, tuning, work = self.layout, self.tuning, self._work
        argument = np.zeros((), dtype=MANY)
        for name in "out_indptr out_indices in_indptr in_indices rank".split():
            argument[name] = pointer(getattr(layout, name))
        for name in "visited full planes written queue control eccentricity sums".split():
            argument[name] = pointer(getattr(self, f"_{name}"))
        for name in "sources turn slot".split():
            argument[name] = self._run_block[name]
        for name in "frontier any list".split():
            for i in range(2):
                argument[f"{name}{i}"] = pointer(getattr(self, f"_{name}")[i])
        argument["pieces"], argument["piece_count"] = pointer(work.pieces), work.pieces.shape[0]
        argument["units"], argument["unit_count"] = pointer(work.units), work.units.size
        argument["long_rows"], argument["long_count"] = pointer(work.rows), work.rows.size
        argument["long_mask"] = pointer(work.mask)
        argument["sum_count"] = self._sums.shape[0]
        argument["edges"] = layout.edges
        argument["narrow_from"] = tuning.narrow_from
        argument["n"] = layout.n
        argument["caller_n"] = layout.caller_n
        argument["plane_count"] = self.plane_count
        argument["l2_rows"] = min(
            layout.n, int(tuning.kept * self._limits.l2_bytes) // (8 * self.words)
        )
        argument["cached_rows"] = min(layout.n, self._shared // (8 * self.words) - 1)
        for name, value in self._cached().items():
            argument[name] = value
        argument["push_cost"] = tuning.push_cost_of(self.words)
        argument["dense"] = tuning.dense
        argument[LINES_TOLD] = told(layout.lines)
        if layout.label is None:
            argument["row_prefix"] = pointer(layout.row_prefix)
        argument["ordered_from"] = tuning.ordered_from_of(layout.n, pinned=layout.pinned)
        return argument

    def run(
        self,
        sources: Array,
        *,
        max_depth: int | None = None,
        direction: Literal["auto", "push", "pull"] = "auto",
        trace: Array | None = None,
    ) -> None:
        """Search on the current stream; outputs are asked for afterwards.

        Parameters
        ----------
        sources : array
            1 to `width` vertices, repeated ones and such without neighbours included; on the host
            or, as int32 or int64, C-contiguous and not written to until the run has ended, on the
            device.
        max_depth : int, optional
            Last level to reach.
        direction : {"auto", "push", "pull"}
        trace : cupy.ndarray, optional
            int64 of shape ``(levels, 4)``, zeroed: how a level was found (1 push, 2 pull, 3 pull of
            a sparse frontier, 4 pull beside a push of narrow searches), its vertices, their
            entries, nanoseconds.

        Raises
        ------
        InvalidValue
            There are more sources than fit a run.  Sources out of range `summary` reports; outputs
            then say nothing.
        """
        count = len(sources)
        if not 1 <= count <= self.width:
            raise InvalidValue(f"there are {count} sources, expected 1 to {self.width}")
        if max_depth is not None and max_depth < 0:
            raise InvalidValue(f"max_depth is {max_depth}, expected at least 0")
        given = self._uploaded(sources) if in_host_memory(sources) else sources
        argument = self._fields
        argument.given, argument.given_bytes = given.data.ptr, given.itemsize
        self._reading = given  # until `summary` has waited for it
        self.count = argument.source_count = count
        argument.max_depth = 2**31 - 1 if max_depth is None else min(max_depth, 2**31 - 1)
        argument.direction = _DIRECTIONS[direction]
        argument.trace = pointer(trace)
        argument.trace_capacity = 0 if trace is None else trace.shape[0]
        self._traverse(self._sms)
        self.sum_up()
        # The host goes on with it while the GPU makes outputs.
        self._sent.begin()

    def _uploaded(self, sources: Array) -> Array:
        import cupy as cp

        self._staged[: len(sources)] = sources
        cp.cuda.runtime.memcpyAsync(
            self._given.data.ptr, self._staged_memory.ptr, 4 * len(sources),
            cp.cuda.runtime.memcpyHostToDevice, cp.cuda.get_current_stream().ptr,
        )  # fmt: skip
        return self._given

    def summary(self) -> ManySummary:
        """What the last run found, in numbers; waits for it.

        Raises
        ------
        IndexOutOfBound
            A source was out of range.
        """
        read = self._sent.received()
        self._reading = None
        summary = read[: SUMMARY.itemsize].view(SUMMARY)[0]
        if summary["bad_source"]:
            self._control[4:8] = 0
            raise IndexOutOfBound(f"a source is outside 0..{self.layout.caller_n - 1}")
        sums = read[CONTROL_BYTES : -8 * self.width].view(np.int64)
        deepest, slots = read[-8 * self.width :].view(np.int32).reshape(2, self.width)
        slots = slots[: self.count]
        return ManySummary(
            depth=int(summary["depth"]),
            truncated=bool(summary["truncated"]),
            joint=int(summary["joint"]),
            edges=int(sums[-1]),
            reached=sums[slots],
            sum_levels=sums[self.width :][slots],
            eccentricity=deepest[slots].astype(np.int64),
        )
