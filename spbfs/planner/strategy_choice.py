"""Who chooses the strategies of a search as it goes, from what was found so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from spbfs.planner.adaptive import (
    LevelCounts,
    choose,
    concentration,
    expected_seconds,
    level_times,
    most_saved,
    switch_seconds,
)
from spbfs.planner.rates import SearchRates
from spbfs.planner.search_cuda import DEEP_MEAN
from spbfs.planner.strategies import STRATEGIES, Run, Traversed

__all__ = ["Adaptive"]

#: Levels that a device goes on for by itself, at least, where the way to the other one costs more
#: than a level does: it is a call, and the wait for its counts, that are saved.
LEASE = 64

_DEVICES = {name: strategy.device for name, strategy in STRATEGIES.items()}


@dataclass(slots=True)
class Adaptive:
    """Strategies by the model, for a matrix with one residence or two.

    On one device there is nothing to choose between levels that its kernels do not choose better:
    they know more, at every level.  On two, a search begins where all of it would take less, and
    stays there where nothing that is left is worth the way to the other one.  Else whoever has it
    is asked again after `interval` levels, or `LEASE` where the way costs more than the level.

    Parameters
    ----------
    rates : SearchRates
    residences : tuple of str
        "cpu", "cuda" or both.
    interval : int, optional
        Levels between two choices.
    """

    rates: SearchRates
    residences: tuple[str, ...]
    interval: int = 1
    _here: str = field(default="", init=False)
    _before: tuple[Traversed, LevelCounts] | None = field(default=None, init=False)

    def next_run(self, traversed: Traversed) -> Run:
        """How the search goes on from here.

        Examples
        --------
        >>> from spbfs.planner.rates import BUILT_IN
        >>> web = Traversed(1 << 22, 1 << 26, level=0, frontier=1, edges=30, reached=1, explored=0)
        >>> Adaptive(BUILT_IN, ("cpu",)).next_run(web)
        Run(device='cpu', strategies=(), levels=None)
        >>> Adaptive(BUILT_IN, ("cpu", "cuda")).next_run(web).device
        'cuda'
        >>> karate = Traversed(34, 156, level=0, frontier=1, edges=16, reached=1, explored=0)
        >>> Adaptive(BUILT_IN, ("cpu", "cuda")).next_run(karate).device
        'cpu'
        """
        if len(self.residences) == 1:
            return Run("cuda" if self.residences[0] == "cuda" else "cpu")
        if not self._here:
            n, entries = traversed.vertices, traversed.entries
            self._here, stays = _beginning(self.rates, n, entries)
            if stays:
                return Run("cuda" if self._here == "cuda" else "cpu")
        counts = self._counts(traversed)
        self._before = traversed, counts
        name = choose(self.rates, counts, STRATEGIES, _DEVICES, self._here)
        chosen = STRATEGIES[name]
        self._here = chosen.device
        way, level = switch_seconds(self.rates, counts), level_times(self.rates, counts)[name]
        if most_saved(self.rates, counts, self._here) < way:
            return Run(chosen.device)
        if way > level:
            return Run(chosen.device, (), max(self.interval, LEASE))
        return Run(chosen.device, (chosen,), self.interval)

    def _counts(self, traversed: Traversed) -> LevelCounts:
        """What the model goes by; how concentrated the search is tells the level before, where
        that was the last to be chosen for."""
        concentrated = 1.0
        if self._before is not None:
            then, counts = self._before
            concentrated = counts.concentrated
            if then.level + 1 == traversed.level:
                concentrated = concentration(counts, traversed.frontier)
        return LevelCounts(
            traversed.vertices,
            traversed.entries,
            traversed.frontier,
            traversed.edges,
            open=float(max(traversed.vertices - traversed.reached, 0)),
            open_entries=float(max(traversed.entries - traversed.explored - traversed.edges, 0)),
            concentrated=concentrated,
        )


@lru_cache(maxsize=256)
def _beginning(rates: SearchRates, n: int, entries: int) -> tuple[str, bool]:
    """The device on which a search of such a graph begins, and whether it stays there.

    Kept: it takes longer than a search of few vertices.
    """
    deep = entries <= DEEP_MEAN * n
    took = expected_seconds(rates, n, entries, skewed=False, deep=deep)
    device = min(took, key=took.__getitem__)
    all_of_it = LevelCounts(n, entries, 1, 0, open=float(n), open_entries=float(entries))
    return device, most_saved(rates, all_of_it, device) < switch_seconds(rates, all_of_it)
