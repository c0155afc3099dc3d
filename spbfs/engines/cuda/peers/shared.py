"""A graph that no memory has as a whole: several GPUs have their shares of it, and search it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.engines.bfs import Counts, LevelTrace, SearchRequest, SearchResult
from spbfs.engines.cuda.bfs.result import STEPS
from spbfs.engines.cuda.peers.check import RULES, broken_rules, levels_counted
from spbfs.engines.cuda.peers.drawn import DrawnEntries
from spbfs.engines.cuda.peers.gather import gathered_on_host, shown
from spbfs.engines.cuda.peers.graph500 import level_bytes
from spbfs.engines.cuda.peers.group import Found, PeerGroup, stream_of, synchronize
from spbfs.engines.cuda.peers.searches import GroupSearches
from spbfs.exceptions import InvalidValue

__all__ = ["SharedEntries", "SharedSearchResult"]

Array = Any


class SharedEntries:
    """Entries that GPUs draw, each its share, when they first search.

    Parameters
    ----------
    source : DrawnEntries
    """

    def __init__(self, source: DrawnEntries) -> None:
        self.source, self._searches = source, GroupSearches()
        self.n = source.n

    @property
    def nvals(self) -> int:
        """Entries, of which each GPU has its own twice; known when shares are made."""
        assert self.source.lengths is not None
        return int(self.source.lengths.sum(dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes on all GPUs."""
        return self._searches.nbytes

    @typed_refusals
    def run(self, request: SearchRequest) -> SharedSearchResult:
        """Search from one source."""
        return SharedSearchResult(
            self, *self._searches.search(lambda: self.source, request), request
        )


class SharedSearchResult(SearchResult):
    """Outputs by several GPUs, which are brought to the host when they are first asked for."""

    def __init__(
        self,
        graph: SharedEntries,
        group: PeerGroup,
        found: list[Found],
        trace: Array | None,
        request: SearchRequest,
    ) -> None:
        super().__init__(graph.n, {})
        self._group, self._found, self._rows = group, found, trace
        self._drawn = graph.source
        assert isinstance(request.source, int)
        self._source = request.source
        self._asked = {"levels": request.levels, "parents": request.parents is not None}
        self._levels_counted: Any = None

    @property
    @typed_refusals
    def counts(self) -> Counts:
        """The numbers; waits for the search."""
        if self._counts is None:
            synchronize(self._group.gpus[:1])
            summary = self._found[0].said(self.n)
            trace = None if self._rows is None else self._trace(summary.depth)
            self._counts = Counts(summary.depth, summary.reached, summary.seconds, trace)
        return self._counts

    @property
    @typed_refusals
    def edges(self) -> int:
        """Stored entries in the rows of the reached vertices."""
        if self._edges is None:
            self._edges = int(self._by_level()[:, 1].sum())
        return self._edges

    def array(self, name: str) -> Array | None:
        return self._gathered(name) if self._asked.get(name) else None

    def vector(self, name: str) -> Any:
        array = self.array(name)
        return None if array is None else self.storage(array)

    def give_back(self) -> None:
        self._arrays.clear()
        found, self._found = self._found, []
        if found:
            self._group.take_back(found)

    @typed_refusals
    def broken(self) -> str:
        """The first rule of Graph500 that vertices break, and how many; empty where none does."""
        if not self._asked["parents"]:
            raise InvalidValue("found: expected a search with parents=True")
        synchronize(self._group.gpus)

        def check(place: int) -> Array:
            found, layout = self._found[place], self._group.layouts[place]
            return broken_rules(layout, self._shown("levels"), found.parents, self._source)

        broken = self._summed(check)
        told = next(
            (f"{rule}: {n} vertices" for rule, n in zip(RULES, broken, strict=True) if n), ""
        )
        return told or self._broken_by_edges()

    def _shown(self, name: str) -> Array:
        """An output of all GPUs for the current one."""
        return shown([getattr(found, name) for found in self._found])

    def _broken_by_edges(self) -> str:
        """The same of the edges as they were drawn, whatever shares were made of them."""
        layouts, gpus = self._group.layouts, len(self._group.gpus)

        def check(place: int) -> Array:
            of = layouts[place].rank, layouts[place].share, self.n
            return self._drawn.checked(level_bytes(self._shown("levels"), *of), place, gpus)

        parts = self._on_all(check)
        wrong = sum(int(part[-2:].view(np.uint64)[0]) for part in parts)
        if wrong:
            return f"an edge that was drawn joins levels that are not next to each other: {wrong}"
        led_to = np.bitwise_or.reduce([part[:-2] for part in parts])
        led = int(np.bitwise_count(led_to).sum(dtype=np.int64))
        missing = self.counts.reached - 1 - led
        told = "no edge that was drawn leads there from one level up"
        return f"{told}: {missing} vertices" if missing else ""

    def _by_level(self) -> Any:
        """Vertices of every level and their entries, from all GPUs."""
        if self._levels_counted is None:
            synchronize(self._group.gpus)
            layouts, found = self._group.layouts, self._found

            def count(place: int) -> Array:
                return levels_counted(layouts[place], found[place].levels)

            self._levels_counted = self._summed(count).reshape(-1, 2)
        return self._levels_counted

    def _summed(self, work: Callable[[int], Array]) -> Any:
        """Counts that `work` leaves on the GPUs, by their places, added up."""
        return np.sum([counts.astype(np.int64) for counts in self._on_all(work)], axis=0)

    def _on_all(self, work: Callable[[int], Array]) -> list[Any]:
        """What `work` leaves on the GPUs, by their places, on the host; all begin at once."""
        made, there = [], []
        for place, gpu in enumerate(self._group.gpus):
            with cp.cuda.Device(gpu), stream_of(gpu):
                made.append(work(place))
        for gpu in self._group.gpus:
            with cp.cuda.Device(gpu), stream_of(gpu):
                there.append(made.pop(0).get())
        return there

    def _gathered(self, name: str) -> Array:
        """An output as one array of the host's."""
        if name not in self._arrays:
            synchronize(self._group.gpus)
            first = self._group.layouts[0]
            with cp.cuda.Device(self._group.gpus[0]):
                out = gathered_on_host(self._shown(name), first.rank, first.share, self.n)
            # One without entries is nobody's.
            out[self._source] = 0 if name == "levels" else self._source
            self._arrays[name] = out
        array: Array = self._arrays[name]
        return array

    def _trace(self, depth: int) -> list[LevelTrace]:
        assert self._rows is not None
        counted, steps = self._by_level(), []
        with cp.cuda.Device(self._group.gpus[0]):
            rows = self._rows[: depth + 2].get()
        for level in range(len(rows) - 1):
            kind = int(rows[level + 1, 0])
            if kind not in STEPS:
                break
            direction, strategy = STEPS[kind]
            seconds = int(rows[level + 1, 3] - rows[level, 3]) * 1e-9
            # The last of those counted has deeper ones, too.
            frontier, edges = counted[min(level, len(counted) - 1)].tolist()
            steps.append(LevelTrace(frontier, edges, direction, seconds, strategy))
        return steps
