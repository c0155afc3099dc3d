"""The GPUs that search one graph together: what each of them has, and how they are launched."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import cupy as cp
import numpy as np

from spbfs.engines.bfs import DIRECTIONS, SearchRequest
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.kernel import begin_search
from spbfs.engines.cuda.bfs.state import MEETING_BYTES, PEERS, TOLD_BYTES, SearchSummary
from spbfs.engines.cuda.graph.layout import Layout
from spbfs.engines.cuda.graph.share_layout import lay_out_share
from spbfs.engines.cuda.peers.entries import EntrySource
from spbfs.engines.cuda.peers.memory import allow_peers, peer_memory, release_peer_memory
from spbfs.engines.cuda.runtime.driver import launches_wait
from spbfs.engines.cuda.runtime.host_block import HostBlock
from spbfs.engines.cuda.runtime.launch import pointer
from spbfs.engines.cuda.runtime.pinned import pinned_copy, seen_from_here
from spbfs.planner.peers import MOST_PEERS
from spbfs.planner.rates import fused_tuning

__all__ = ["Found", "PeerGroup", "stream_of", "synchronize"]

Array = Any
T = TypeVar("T")

#: Rows in which the head of ``struct Tail`` has room.
LEAST_ROOM = 64
#: Held while the kernels of a search are launched: where two searches began in another order on
#: another GPU, each would wait for the other.
_launching = threading.Lock()
_streams: dict[int, Any] = {}


def stream_of(gpu: int) -> Any:
    """Where all such searches run on a GPU, one behind the other."""
    if gpu not in _streams:
        with _launching, cp.cuda.Device(gpu):
            if gpu not in _streams:
                _streams[gpu] = cp.cuda.Stream(non_blocking=True)
    return _streams[gpu]


def _are_over(gpus: tuple[int, ...]) -> bool:
    """Whether no such search is under way on these."""
    return all(stream_of(gpu).done for gpu in gpus)


def synchronize(gpus: tuple[int, ...]) -> None:
    """Wait until no such search is under way on these."""
    for gpu in gpus:
        with cp.cuda.Device(gpu):
            stream_of(gpu).synchronize()


@dataclass(slots=True)
class Found:
    """What a search leaves on one GPU: its own results, as `Layout.outputs` says, and in memory of
    the host what the search says of itself."""

    levels: Array
    parents: Array
    summary: HostBlock
    #: Where it began, of several; kept as long as it may be read.
    sources: Array | None = None

    @property
    def nbytes(self) -> int:
        return int(self.levels.nbytes + self.parents.nbytes)

    def said(self, n: int) -> SearchSummary:
        """What a search of n vertices that has ended here says of itself."""
        return SearchSummary.of(self.summary.data, n)


class PeerGroup:
    """Layouts and workspaces of one graph on several GPUs.

    Parameters
    ----------
    source : EntrySource
        The graph.
    request : SearchRequest
        Says which GPUs, which layout, and whether the longest frontiers are listed.
    layouts : list of Layout, optional
        Of a group of the same GPUs and layout.
    """

    def __init__(
        self,
        source: EntrySource,
        request: SearchRequest,
        layouts: list[Layout] | None = None,
    ) -> None:
        self.gpus, self.n = request.devices, source.n
        allow_peers(self.gpus)
        # A thread a GPU: what each is told takes time, layouts most of all.
        self._threads = ThreadPoolExecutor(len(self.gpus), "spbfs-peers")
        self._idle: list[list[Found]] = []
        self._abandoned = HostBlock(partial(_are_over, self.gpus))
        self._moving = threading.Lock()
        self._moved: Array | None = None
        self.layouts = layouts or self._laid_out(source, request)
        pushes = request.direction == "push"
        self._searches: list[FusedBFS] = self.each(partial(self._search, pushes))
        self._rooms: list[tuple[Array, Array, Array]] = self.each(self._room)
        self._acquaint()

    @property
    def nbytes(self) -> int:
        """Bytes on all GPUs."""
        held: list[Any] = [*self._searches, *self.layouts]
        held += [array for room in self._rooms for array in room]
        held += [found for idle in list(self._idle) for found in idle]
        return sum(int(x.nbytes) for x in held)

    def each(self, work: Callable[[int], T]) -> list[T]:
        """What `work` gives for the places of all GPUs, a thread each, which is current there."""

        def there(place: int) -> T:
            with cp.cuda.Device(self.gpus[place]), stream_of(self.gpus[place]):
                return work(place)

        jobs = [self._threads.submit(there, place) for place in range(len(self.gpus))]
        for job in jobs:
            job.exception()
        return [job.result() for job in jobs]

    def _abandon(self, value: int) -> None:
        self._abandoned.seen(np.uint32)[0] = value

    def _laid_out(self, source: EntrySource, request: SearchRequest) -> list[Layout]:
        with _launching:
            release_peer_memory(self.gpus)  # of graphs that are gone
        source.prepare(self.each)
        try:
            return self.each(partial(self._lay_out, source, request))
        finally:
            self._moved = None

    def _lay_out(self, source: EntrySource, request: SearchRequest, place: int) -> Layout:
        layout = lay_out_share(
            partial(source.here, place),
            place,
            len(self.gpus),
            relabel=request.relabel,
            neighbours=request.neighbours,
            to_host=self._to_host,
            begin=partial(begin_search, peers=True),
        )
        cp.cuda.get_current_stream().synchronize()
        return layout

    def _to_host(self, array: Array) -> Array:
        """An array that is the same on all GPUs, in memory of the host that all of them read."""
        with self._moving:
            if self._moved is None:
                self._moved = pinned_copy(array)
        return seen_from_here(self._moved)

    def _search(self, pushes: bool, place: int) -> FusedBFS:
        cp.get_default_memory_pool().free_all_blocks()  # of what the layout took
        with peer_memory():
            return FusedBFS(
                self.layouts[place],
                tuning=fused_tuning(),
                long_lists=pushes,
                lean=any(layout.lean for layout in self.layouts),
                over_bus=any(layout.pushes_over_bus for layout in self.layouts),
            )

    def _room(self, place: int) -> tuple[Array, Array, Array]:
        """What a GPU is told, how often they have met, and rows of a frontier that have edges here,
        or what its tail finds."""
        capacity = max(self._searches[place].listed, LEAST_ROOM)
        with peer_memory():
            told = cp.zeros(2 * MOST_PEERS * TOLD_BYTES, np.uint8)
            return told, cp.zeros(MEETING_BYTES, np.uint8), cp.empty((capacity, 4), np.int32)

    def _acquaint(self) -> None:
        """Tell every GPU where the others have what it asks for."""
        block = np.zeros((), PEERS)
        for place, search in enumerate(self._searches):
            seen, queue = search.shown()
            for turn in range(2):
                block["visited"][place, turn] = pointer(seen[turn])
                block["queue"][place, turn] = pointer(queue[turn])
            block["told"][place] = pointer(self._rooms[place][0])
        block["abandoned"] = pointer(self._abandoned)

        def meet(place: int) -> None:
            mine, search = block.copy(), self._searches[place]
            _, meeting, rows = self._rooms[place]
            mine["meeting"], mine["list"] = pointer(meeting), pointer(rows)
            mine["degrees"] = pointer(self.layouts[place].degrees)
            mine["capacity"] = rows.shape[0]
            search.meet(cp.asarray(np.frombuffer(mine.tobytes(), np.uint8)))
            cp.cuda.get_current_stream().synchronize()

        self.each(meet)

    def run(self, source: int | Array, request: SearchRequest, trace: Array | None) -> list[Found]:
        """Launch a search on all GPUs; `trace`, on the first, is filled by it.

        Where one cannot begin, no other goes on, and the group can search no more.
        """
        found = self._idle.pop() if self._idle else self.each(self._outputs)

        def ask(place: int) -> None:
            mine, own = found[place], source
            if not isinstance(source, int):
                own = mine.sources = cp.asarray(source, np.int32)
            self._searches[place].ask(
                own,
                mine.levels,
                mine.parents if request.parents else None,
                request.max_depth,
                request.target,
                DIRECTIONS.index(request.direction),
                mine.summary,
                (),
                trace if place == 0 else None,
            )

        def go(place: int) -> None:
            self._searches[place].go(stream_of(self.gpus[place]).ptr)

        # A number is asked for wherever one is.
        told = isinstance(source, int) and request.target is None
        for place, gpu in enumerate(self.gpus):
            if told:
                ask(place)
            else:
                with cp.cuda.Device(gpu), stream_of(gpu):
                    ask(place)
        gone: list[int] = []

        def launch(place: int) -> None:
            go(place)
            gone.append(place)

        with _launching:
            try:
                if launches_wait():
                    self._launched_by_threads(launch)
                else:
                    self._launched_in_turn(launch)
            except BaseException:
                self._give_up(gone)
                raise
        return found

    def _launched_in_turn(self, launch: Callable[[int], None]) -> None:
        """The first one's clock is the search's: it should not wait for others to begin."""
        runtime = cp.cuda.runtime
        current = at = runtime.getDevice()
        try:
            for place in reversed(range(len(self.gpus))):
                if self.gpus[place] != at:
                    at = self.gpus[place]
                    runtime.setDevice(at)
                launch(place)
        finally:
            if at != current:
                runtime.setDevice(current)

    def _launched_by_threads(self, launch: Callable[[int], None]) -> None:
        def tried(place: int) -> None:
            try:
                launch(place)
            except BaseException:
                self._abandon(1)
                raise

        self.each(tried)

    def _give_up(self, gone: list[int]) -> None:
        """End what has begun of a search that some of the GPUs will never begin."""
        # Earlier searches end there, and therefore everywhere, before this one is abandoned.
        synchronize(tuple(gpu for place, gpu in enumerate(self.gpus) if place not in gone))
        self._abandon(1)
        synchronize(self.gpus)

    def _outputs(self, place: int) -> Found:
        with peer_memory():
            size = self.layouts[place].outputs
            levels, parents = (cp.empty(size, np.int32) for _ in range(2))
        return Found(levels, parents, HostBlock(partial(_are_over, self.gpus)))

    def take_back(self, found: list[Found]) -> None:
        """Arrays that nobody reads any more, for another search."""
        if not self._idle:
            self._idle.append(found)

    def close(self) -> None:
        """Wait for what is under way, and let the memory go."""
        synchronize(self.gpus)
        self._threads.shutdown()
        self._searches, self._rooms, self._idle = [], [], []
        with _launching:
            release_peer_memory(self.gpus)
