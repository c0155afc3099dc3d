"""The GPUs that search one graph together: what each of them has, and how they are launched."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

import cupy as cp
import numpy as np

from spbfs.engines.bfs import DIRECTIONS, SearchRequest
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.state import (
    MEETING_BYTES,
    MOST_PEERS,
    PEERS,
    SUMMARY,
    TOLD_BYTES,
)
from spbfs.engines.cuda.graph.layout import lay_out
from spbfs.engines.cuda.peers.memory import allow_peers, peer_memory
from spbfs.engines.cuda.runtime.driver import launches_wait
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.planner.rates import fused_tuning
from spbfs.storage.data import MatrixData

__all__ = ["Found", "PeerGroup"]

Array = Any
T = TypeVar("T")

#: Held while the kernels of a search are launched: where two searches began in another order on
#: another GPU, each would wait for the other.
_launching = threading.Lock()


@cache
def _stream_of(gpu: int) -> Any:
    """Where all such searches run on a GPU, one behind the other."""
    with cp.cuda.Device(gpu):
        return cp.cuda.Stream(non_blocking=True)


@dataclass(slots=True)
class Found:
    """What a search leaves on one GPU: arrays over all labels, of which it wrote its own."""

    levels: Array | None
    parents: Array | None
    summary: Array


class PeerGroup:
    """Layouts and workspaces of one graph on several GPUs.

    Parameters
    ----------
    A, transpose : MatrixData
        The graph and one with the pattern of its transpose, the same where that is symmetric; in
        any memory.
    gpus : tuple of int
    request : SearchRequest
        Says which layout, and whether the longest frontiers are listed.
    """

    def __init__(
        self,
        A: MatrixData,
        transpose: MatrixData,
        gpus: tuple[int, ...],
        request: SearchRequest,
    ) -> None:
        allow_peers(gpus)
        self.gpus, self.n = gpus, A.nrows
        # A thread a GPU: what each is told takes time, layouts most of all.
        self._threads = ThreadPoolExecutor(len(gpus), "spbfs-peers")
        self._idle: list[list[Found]] = []
        self._abandoned = cp.cuda.alloc_pinned_memory(4)
        self._abandon(0)
        self.searches: list[FusedBFS] = self._each(partial(self._prepare, A, transpose, request))
        self._acquaint()

    @property
    def nbytes(self) -> int:
        """Bytes on all GPUs."""
        return sum(s.nbytes + s.layout.nbytes for s in self.searches)

    def _each(self, work: Callable[[int], T]) -> list[T]:
        """What `work` gives for the places of all GPUs, each on its own thread and current there.

        Where one fails, the others do not wait for it.
        """

        def there(place: int) -> T:
            with cp.cuda.Device(self.gpus[place]), _stream_of(self.gpus[place]):
                try:
                    return work(place)
                except BaseException:
                    self._abandon(1)
                    raise

        jobs = [self._threads.submit(there, place) for place in range(len(self.gpus))]
        for job in jobs:
            job.exception()
        return [job.result() for job in jobs]

    def _abandon(self, value: int) -> None:
        np.frombuffer(self._abandoned, np.uint32, 1)[0] = value

    def _prepare(
        self, A: MatrixData, transpose: MatrixData, request: SearchRequest, place: int
    ) -> FusedBFS:
        into = None
        if transpose is not A:
            into = cp.asarray(transpose.indptr), cp.asarray(transpose.indices)
        layout = lay_out(
            A.nrows,
            cp.asarray(A.indptr),
            cp.asarray(A.indices),
            into,
            relabel=request.relabel,
            neighbours=request.neighbours,
            place=(place, len(self.gpus)),
        )
        del into
        cp.cuda.get_current_stream().synchronize()
        cp.get_default_memory_pool().free_all_blocks()
        with peer_memory():
            return FusedBFS(layout, tuning=fused_tuning(), long_lists=request.direction == "push")

    def _acquaint(self) -> None:
        """Tell every GPU where the others have what it asks for."""

        def room(place: int) -> tuple[Array, Array, Array]:
            capacity = self.searches[place].shown()[1].shape[1]
            with peer_memory():
                told = cp.zeros(2 * MOST_PEERS * TOLD_BYTES, np.uint8)
                return told, cp.zeros(MEETING_BYTES, np.uint8), cp.empty((capacity, 4), np.int32)

        self._rooms = self._each(room)
        block = np.zeros((), PEERS)
        for place, search in enumerate(self.searches):
            seen, queue = search.shown()
            for turn in range(2):
                block["visited"][place, turn] = pointer(seen[turn])
                block["queue"][place, turn] = pointer(queue[turn])
            block["told"][place] = pointer(self._rooms[place][0])
        block["abandoned"] = self._abandoned.ptr

        def meet(place: int) -> None:
            mine, search = block.copy(), self.searches[place]
            _, meeting, rows = self._rooms[place]
            mine["meeting"], mine["list"] = pointer(meeting), pointer(rows)
            mine["degrees"] = pointer(search.layout.degrees)
            mine["capacity"] = rows.shape[0]
            search.meet(cp.asarray(np.frombuffer(mine.tobytes(), np.uint8)))

        self._each(meet)

    def run(self, source: int | Array, request: SearchRequest, trace: Array | None) -> list[Found]:
        """Launch a search on all GPUs; `trace`, on the first, is filled by it."""
        found = self._idle.pop() if self._idle else self._each(lambda place: self._room())

        def ask(place: int) -> None:
            own = source if isinstance(source, int) else cp.asarray(source, np.int32)
            self.searches[place].ask(
                own,
                found[place].levels,
                found[place].parents if request.parents else None,
                request.max_depth,
                request.target,
                DIRECTIONS.index(request.direction),
                trace if place == 0 else None,
                found[place].summary,
                (),
            )

        def go(place: int) -> None:
            self.searches[place].go(_stream_of(self.gpus[place]).ptr)

        with _launching:
            for place, gpu in enumerate(self.gpus):
                with cp.cuda.Device(gpu):
                    ask(place)
            if launches_wait():
                self._each(go)
                return found
            # The first one's clock is the search's: none should wait for another to begin.
            for place in reversed(range(len(self.gpus))):
                with cp.cuda.Device(self.gpus[place]):
                    try:
                        go(place)
                    except BaseException:
                        self._abandon(1)
                        raise
        return found

    def _room(self) -> Found:
        with peer_memory():
            levels, parents = (cp.empty(self.n, np.int32) for _ in range(2))
            return Found(levels, parents, cp.zeros(SUMMARY.itemsize, np.uint8))

    def synchronize(self, *, first: bool = False) -> None:
        """Wait until nothing is under way, on the first of the GPUs or on all of them."""
        for gpu in self.gpus[: 1 if first else None]:
            _stream_of(gpu).synchronize()

    def take_back(self, found: list[Found]) -> None:
        """Arrays that nobody reads any more, for another search."""
        if not self._idle:
            self._idle.append(found)
