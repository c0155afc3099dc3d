"""The techniques of iBFS, each really run, in the order of its Fig. 15, and those it is compared
with.

A technique searches from all sources in groups of 128 and leaves the levels of every group, on the
device; what it makes once for a graph is kept with the matrix.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.engines import get_engine
from spbfs.engines.bfs_many import ManyRequest
from spbfs.engines.bfs_many_stepwise import Stepwise, search_stepwise
from spbfs.exceptions import InvalidValue, OutOfMemory

__all__ = [
    "GROUP",
    "RULE",
    "RULES_SAID",
    "SLOW",
    "TECHNIQUES",
    "grouped_order",
    "ms_bfs",
    "rule_of",
    "searched",
    "timed",
    "timed_in_turns",
]

#: Searches of a group, and p and q of the rules: iBFS's own (sections 3 and 5.2).
GROUP, RULE = 128, (128, 128)
#: What the result of a figure says of them.
RULES_SAID = "p = q = 128, but q = 0 where no vertex has more than 128 out-neighbours"

#: Turns of calls at most, and seconds after which there are no more than were asked for.
MOST_TURNS, ENOUGH_SECONDS = 15, 2.0

Levels = Callable[[], Any]
Found = list[Levels]


def groups_of(sources: Any) -> Iterator[Any]:
    """Sources in groups, in their order."""
    for first in range(0, len(sources), GROUP):
        yield sources[first : first + GROUP]


def rule_of(A: sb.Matrix) -> tuple[int, int]:
    """p and q of a graph: where no vertex has more than q out-neighbours any common one is enough,
    as the paper has it for the uniform graph."""
    indptr = A._ready().indptr
    longest = int((indptr[1:] - indptr[:-1]).max())
    return RULE if longest > RULE[1] else (RULE[0], 0)


def grouped_order(A: sb.Matrix, sources: Any) -> Any:
    """Sources in the order in which GroupBy fills its groups."""
    from spbfs.algorithms.bfs_many.grouping import group_by_rules

    order = group_by_rules(A._ready(), np.asarray(sources, np.int64), rule_of(A), GROUP)
    return sources[order]


def sequential(A: sb.Matrix, sources: Any) -> Found:
    """One search after the other, all of the device for each."""
    found: Found = []
    for source in sources.tolist():
        levels = sb.bfs(A, source, parents=False).levels
        found.append(lambda kept=levels: kept.to("cpu").to_dense(-1)[None, :])
    return found


def concurrent(A: sb.Matrix, sources: Any) -> Found:
    """Searches side by side, a status array and a queue for each: on a CPU a core each, on a GPU
    those of a group in one launch."""
    if A.device == "cuda":
        from spbfs.engines.cuda.bfs_many.bytes import PrivateBytes

        return _stepwise(A, sources, partial(PrivateBytes, engine=get_engine("cuda")))
    return _joined(A, sources, batch=1, group="given")


def joint(A: sb.Matrix, sources: Any) -> Found:
    """One queue for a group, and a status byte a search."""
    if A.device == "cuda":
        from spbfs.engines.cuda.bfs_many.bytes import JointBytes as OnGpu

        return _stepwise(A, sources, partial(OnGpu, engine=get_engine("cuda")))
    from spbfs.engines.cpu.bfs_many.bytes import JointBytes

    return _stepwise(A, sources, JointBytes)


def bitwise(A: sb.Matrix, sources: Any) -> Found:
    """A bit a search, groups as they come."""
    return _joined(A, sources, batch=GROUP, group="given")


def group_by(A: sb.Matrix, sources: Any) -> Found:
    """A bit a search, groups by the rules."""
    return _joined(A, sources, batch=GROUP, group=rule_of(A))


def as_called(A: sb.Matrix, sources: Any) -> Found:
    """What `spbfs.bfs_many` does where nothing is asked for."""
    return _joined(A, sources)


#: In the order of Fig. 15; the last one is not the paper's.
TECHNIQUES: dict[str, Callable[[sb.Matrix, Any], Found]] = {
    "sequential": sequential,
    "concurrent": concurrent,
    "joint": joint,
    "bitwise": bitwise,
    "GroupBy": group_by,
    "bfs_many": as_called,
}
#: Those measured from fewer sources, so that a figure takes minutes.
SLOW = ("sequential", "concurrent", "joint")


def ms_bfs(A: sb.Matrix, sources: Any, *, kept: bool = False) -> None:
    """The bits of MS-BFS, or with `kept` those of iBFS, everything else alike.

    On a CPU our traversal with early termination left out; on a GPU plain kernels of either.
    """
    data = A._ready()
    if A.device == "cuda":
        from spbfs.engines.cuda.bfs_many.plain import PlainBits

        engine = get_engine("cuda")
        for part in groups_of(sources):
            search_stepwise(PlainBits(data, part, engine, kept=kept, with_levels=False))
        return
    from spbfs.engines.cpu.bfs_many.searches import CpuManySearches

    many = CpuManySearches(data, relabel=False, without=() if kept else ["early termination"])
    for part in groups_of(sources):
        with many.batch(data, part, np.arange(len(part)), ManyRequest()):
            pass


def searched(name: str, A: sb.Matrix, sources: Any) -> Any:
    """Levels that a technique finds, sources x n on the host, -1 where not reached."""
    return np.concatenate([_signed(levels()) for levels in TECHNIQUES[name](A, sources)])


def timed(device: str, call: Callable[[], Any], repeats: int) -> float:
    """Median seconds of calls whose results are given up at once; one more comes before."""
    taken = []
    for _ in range(1 + repeats):
        began = _now(device)
        call()
        taken.append(_now(device) - began)
    return float(np.median(taken[1:]))


def timed_in_turns(
    device: str, calls: Sequence[Callable[[], Any]], repeats: int, say: Callable[[str], None]
) -> list[float | None]:
    """Median seconds of each of some calls, made in turns, so that what else a machine does is
    shared by all; None of one that is too deep for a status byte, or for which there is no memory.

    One more turn comes before, and more behind, where they are short.
    """
    taken: list[list[float] | None] = [[] for _ in calls]
    began = _now(device)
    for turn in range(1 + MOST_TURNS):
        if turn > repeats and _now(device) - began > ENOUGH_SECONDS:
            break
        for k, call in enumerate(calls):
            mine = taken[k]
            if mine is None:
                continue
            start = _now(device)
            try:
                call()
            except (InvalidValue, OutOfMemory) as error:
                say(f"left out: {error}")
                taken[k] = None
                continue
            if turn:
                mine.append(_now(device) - start)
    return [None if mine is None else float(np.median(mine)) for mine in taken]


def _now(device: str) -> float:
    """The host's clock, all that was launched having ended."""
    if device == "cuda":
        import cupy

        cupy.cuda.Device().synchronize()
    return time.perf_counter()


def _stepwise(A: sb.Matrix, sources: Any, make: Callable[[Any, Any], Stepwise]) -> Found:
    found: Found = []
    for part in groups_of(sources):
        searches = make(A._ready(), part)
        search_stepwise(searches)
        found.append(searches.levels)
    return found


def _joined(A: sb.Matrix, sources: Any, **how: Any) -> Found:
    levels = sb.bfs_many(A, sources, outputs="levels", **how).levels
    return [lambda: levels]


def _signed(levels: Any) -> Any:
    from spbfs.storage.entries import on_host

    host = on_host(levels)
    if host.dtype.kind == "i":
        return host.astype(np.int32)
    return np.where(host == np.iinfo(host.dtype).max, -1, host.astype(np.int32))
