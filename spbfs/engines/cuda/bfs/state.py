"""What the fused search on the GPU is told and what it says, field for field as its kernel."""

from __future__ import annotations

from ctypes import string_at
from dataclasses import dataclass
from struct import Struct
from typing import Any

import numpy as np

from spbfs.exceptions import IndexOutOfBound
from spbfs.planner.peers import MOST_PEERS
from spbfs.planner.strategies import Strategy

__all__ = [
    "CONTROL_BYTES",
    "MEETING_BYTES",
    "PEERS",
    "SEARCH",
    "SUMMARY",
    "TOLD_BYTES",
    "TRACE_ROWS",
    "SearchSummary",
    "forced",
]

Array = Any

_REALS = ("pull_weight", "mean_degree", "pushed_find", "pull_in_vain")
#: The argument block of the kernel; must match `struct Search` in ``bfs_state.cuh``.
SEARCH = np.dtype(
    [
        (name, "u8")
        for name in (
            "out_indptr out_indices in_indptr in_indices row_prefix ell_slab records prefix_labels "
            "label rank words visited0 visited1 levels next_levels parents "
            "queue0 queue1 unfinished control summary "
            "out_levels out_parents sources trace schedule peers"
        ).split()
    ]
    + [("edges", "i8")]
    + [
        (name, "f4" if name in _REALS else "i4")
        for name in (
            "source source_count n rows caller_n cached blocks_per_task near "
            "queue_capacity unfinished_capacity max_depth target trace_capacity direction "
            "pull_weight mean_degree pushed_find pull_in_vain cta_enter cta_leave "
            "record_length cluster_words cluster_enter cluster_leave scheduled "
            "gpus place run_shift task_shift"
        ).split()
    ]
    + [("reciprocal", "u4"), ("own", "i4"), ("ordered_from", "i4")]
    + [("out_lines", "u8"), ("line_shift", "i4"), ("line_bits", "i4"), ("shortest", "i4")],
    align=True,
)

#: What several GPUs know of one another, ``struct Peers`` in ``bfs_peers.cuh``.
PEERS = np.dtype(
    [
        ("visited", "u8", (MOST_PEERS, 2)),
        ("queue", "u8", (MOST_PEERS, 2)),
        ("told", "u8", MOST_PEERS),
        *((name, "u8") for name in ("meeting", "degrees", "list", "abandoned", "capacity")),
    ],
    align=True,
)
#: Bytes of ``struct Told`` and ``struct Meeting``.
TOLD_BYTES, MEETING_BYTES = 32, 32

#: `struct Control` has this room.
CONTROL_BYTES = 512
#: Rows of a trace at first; a deeper search is run again with more.
TRACE_ROWS = 1 << 12
#: `struct Summary`.
SUMMARY = np.dtype(
    [
        ("reached", "i8"),
        ("depth", "i4"),
        ("bad_source", "u4"),
        ("started", "i8"),
        ("finished", "i8"),
    ]
)
_SUMMARY = Struct("<qiIqq")  # the same: it takes a tenth of the time to read


def forced(schedule: tuple[Strategy, ...]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A schedule as the kernel reads it, ``enum Forced``: a push, a pull, or one with a cache."""
    kinds = [1 if s.direction == "push" else 2 + s.cached for s in schedule]
    return np.array(kinds, np.uint8)


@dataclass(frozen=True, slots=True)
class SearchSummary:
    """What a search says about itself: levels below the source, vertices reached, device time."""

    depth: int
    reached: int
    seconds: float

    @classmethod
    def read(cls, slot: Array, n: int) -> SearchSummary:
        """The summary that a search of n vertices has left in `slot`, memory of the host; whoever
        asks has waited for the search.

        Raises
        ------
        IndexOutOfBound
            A source given on the device was out of range.
        """
        return cls.of(string_at(slot.data.ptr, _SUMMARY.size), n)

    @classmethod
    def of(cls, block: Any, n: int) -> SearchSummary:
        """The same from its bytes."""
        reached, depth, bad_source, started, finished = _SUMMARY.unpack_from(block)
        if bad_source:
            raise IndexOutOfBound(f"source: expected 0 <= source < {n} of all on the device")
        return cls(depth, reached, (finished - started) * 1e-9)
