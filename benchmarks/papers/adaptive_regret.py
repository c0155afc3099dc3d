"""Regret: what choosing costs, against the best strategies that can be found level by level.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), section
3.2.  No graph here is of the training set of ``spbfs calibrate``: generators, sizes or parameters
are others, and real graphs are taken where they lie beside the checkout.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.data import DATA
from benchmarks.papers.figure import OVER, Figure, Found, Setting
from spbfs.engines.bfs import LevelTrace
from spbfs.planner.rates import BUILT_IN, current
from spbfs.planner.strategies import STRATEGIES as KNOWN

__all__ = ["REGRET"]

#: Sources a graph; how often a whole search is timed where two sequences are compared, each in
#: turn, and at the end, where the best one is compared with the choice.
SOURCES, TIMES, FINAL_TIMES = 2, 5, 21
#: A change has to make the whole search shorter by this share to be one, and is given up after two
#: turns in which every search with it takes more than so many times the longest without.
HELPS, HOPELESS = 0.99, 2.0
#: Levels that take less than this share of the search in every strategy are left as they are, and
#: so many sequences are timed from one start at most.
SMALL_SHARE, MOST_SEQUENCES = 0.02, 60

#: The strategies of a device, a push first.
STRATEGIES = {
    "cpu": ("TC", "BC"),
    "cuda": ("TG", "BG", "BGC"),
    "cpu+cuda": ("TC", "TG", "BC", "BG", "BGC"),
}
Sequence_ = tuple[str, ...]
#: Seconds of a search from a source by a strategy, or by a sequence of them.
Clock = Callable[[sb.BFSPlan, int, Any], float]


@dataclass(frozen=True, slots=True)
class Regret:
    """Of one search: seconds of the choice and of the best sequence, and which these were."""

    chosen: float
    best: float
    choice: Sequence_
    sequence: Sequence_


def graphs(setting: Setting) -> Iterator[tuple[str, sb.Matrix]]:
    """Names and graphs, made one after another: real ones first."""
    made = _generated(setting)
    if not setting.quick:
        files = [path for path in sorted(DATA.glob("*")) if path.name != "expected.json"]
        made = {path.name.partition(".")[0]: partial(_read, path) for path in files} | made
    for name in setting.in_time(made):
        A = made[name]()
        if A.nrows == A.ncols:
            yield name, A


def _generated(setting: Setting) -> dict[str, Callable[[], sb.Matrix]]:
    make = sb.generate
    if setting.quick:
        return {
            "Kronecker 12, 8 edges a vertex": lambda: make.kronecker(12, 8, seed=77),
            "small world 10000": lambda: make.small_world(10_000, 14, 0.05, seed=77),
        }
    scale, n, side = (21, 2_000_000, 120) if setting.device == "cuda" else (17, 150_000, 44)
    directed = partial(make.rmat, scale, 12, 0.5, 0.22, 0.18, seed=77, directed=True)
    return {
        f"Kronecker {scale}, 10 edges a vertex": lambda: make.kronecker(scale, 10, seed=77),
        f"R-MAT {scale}, directed": directed,
        f"uniform {n}, 11 edges a vertex": lambda: make.uniform(n, 11, seed=77),
        f"small world {n}": lambda: make.small_world(n, 14, 0.05, seed=77),
        f"tree of {2**scale} leaves": lambda: make.tree(2, scale),
        f"3-D grid, {side} a side": lambda: make.grid3d(side),
    }


def _read(path: Path) -> sb.Matrix:
    try:
        return sb.read(path, progress=False)
    except sb.exceptions.SpbfsError:
        return sb.read(path, progress=False, compact=True)


def measure(
    A: sb.Matrix,
    source: int,
    strategies: Sequence[str],
    clock: Clock,
    choice: str | None,
    over: Callable[[], bool] = lambda: False,
) -> Regret | None:
    """The regret of one search; None where it is too short to have a sequence, or where the time
    is over before the best one is found."""
    plan = sb.BFSPlan(A)

    def run(sequence: Sequence_) -> float:
        return clock(plan, source, list(sequence))

    costs = {name: _costs(plan, source, name) for name in strategies}
    levels = min(map(len, costs.values()))
    if levels < 2:
        return None
    table = np.array([costs[name][:levels] for name in strategies])
    taken = _taken(plan, source, strategies, choice)
    devices = [KNOWN[name].device for name in strategies]
    cheapest = tuple(strategies[i] for i in _cheapest(table, devices, _change_seconds(A.nrows)))
    padded = (*taken, *(strategies[0],) * levels)[:levels]
    starts = dict.fromkeys([(strategies[0],) * levels, padded, cheapest])
    found = [_improved(run, start, table, strategies, over) for start in starts]
    if over():
        return None
    # Each is timed again: the least of many times measured is less than it takes.
    chosen = partial(clock, plan, source, choice)
    final = _times([chosen, *(partial(run, sequence) for sequence in found)], FINAL_TIMES)
    best = min(range(len(found)), key=lambda i: final[1 + i])
    return Regret(final[0], final[1 + best], taken, found[best])


def _change_seconds(n: int) -> float:
    """What a change of device takes, by the rates in use."""
    price = current().switch
    return (price.switch + price.vertex * n) * 1e-9


def _cheapest(table: Any, devices: Sequence[str], change: float) -> list[int]:
    """Which strategy each level has where all levels and all changes of device take least.

    Examples
    --------
    >>> table = np.array([[1.0, 5.0, 1.0, 9.0], [2.0, 3.0, 2.0, 1.0]])
    >>> _cheapest(table, ["cpu", "cuda"], 0.0), _cheapest(table, ["cpu", "cuda"], 4.0)
    ([0, 1, 0, 1], [1, 1, 1, 1])
    """
    place = np.array(devices)
    away = change * (place[:, None] != place)
    cost, came = table[:, 0], []
    for times in table.T[1:]:
        through = cost[:, None] + away
        came.append(through.argmin(0))
        cost = through.min(0) + times
    path = [int(cost.argmin())]
    for before in reversed(came):
        path.append(int(before[path[-1]]))
    return path[::-1]


def _by_its_own(plan: sb.BFSPlan, source: int, strategy: Any) -> float:
    """Seconds of a search on one device, by the clock that its result has."""
    return plan.run(source, strategy=strategy).seconds


def _by_the_host(plan: sb.BFSPlan, source: int, strategy: Any) -> float:
    """Seconds until the depth is known: this encloses launches, switches and decisions."""
    started = time.perf_counter()
    _ = plan.run(source, strategy=strategy).depth
    return time.perf_counter() - started


def _costs(plan: sb.BFSPlan, source: int, name: str) -> list[float]:
    """Seconds a level of a search in one strategy: the least of some."""
    runs = [
        [step.seconds for step in plan.run(source, strategy=name, trace=True).trace or ()]
        for _ in range(3)
    ]
    return [min(times) for times in zip(*runs, strict=False)]


def _taken(
    plan: sb.BFSPlan, source: int, strategies: Sequence[str], choice: str | None
) -> Sequence_:
    """The strategies that the library chooses."""
    steps = plan.run(source, strategy=choice, trace=True).trace or []
    return tuple(_named(step, strategies) for step in steps)


def _named(step: LevelTrace, strategies: Sequence[str]) -> str:
    """What a level is called: a device that has chosen by itself says who worked on it instead.

    Examples
    --------
    >>> _named(LevelTrace(1, 3, "push", 1e-6), STRATEGIES["cpu+cuda"])
    'TC'
    >>> _named(LevelTrace(1, 3, "pull", 1e-6, "grid"), STRATEGIES["cuda"])
    'BG'
    """
    if step.strategy in strategies:
        return step.strategy
    device = "cpu" if step.strategy == "threads" else "cuda"
    push, pull = [name for name in strategies if KNOWN[name].device == device][:2]
    return push if step.direction == "push" else pull


def _improved(
    run: Callable[[Sequence_], float],
    start: Sequence_,
    table: Any,
    strategies: Sequence[str],
    over: Callable[[], bool],
) -> Sequence_:
    """A sequence of which no single level can be changed for the better, or the best so far.

    `table` has the seconds of every level by strategy: one that takes as long as the whole search
    does now is not tried.
    """
    counted = table.max(0) > SMALL_SHARE * table.min(0).sum()
    moves = [int(level) for level in np.argsort(-np.ptp(table, axis=0)) if counted[level]]
    best, timed, helped = start, 0, True
    seconds = run(best)
    while helped and timed < MOST_SEQUENCES:
        helped = False
        for level in moves:
            for i, name in enumerate(strategies):
                if name == best[level] or table[i, level] >= seconds:
                    continue
                if timed >= MOST_SEQUENCES or over():
                    return best
                other = (*best[:level], name, *best[level + 1 :])
                before, after = _race(run, best, other)
                timed += 1
                seconds = before
                if after < HELPS * before:
                    best, seconds, helped = other, after, True
    return best


def _race(
    run: Callable[[Sequence_], float], best: Sequence_, other: Sequence_
) -> tuple[float, float]:
    """Medians of both, in turn, each once before, until the other one is hopeless."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(1 + TIMES):
        for sequence, mine in zip((best, other), took, strict=True):
            mine.append(run(sequence))
        if len(took[0]) > 1 and min(took[1]) > HOPELESS * max(took[0]):
            break
    before, after = (statistics.median(mine[1:]) for mine in took)
    return before, after


def _times(calls: Sequence[Callable[[], float]], times: int) -> list[float]:
    """Medians of what the searches say that they took, in turn, each once before."""
    took: list[list[float]] = [[] for _ in calls]
    for turn in range(times + 1):
        for call, mine in zip(calls, took, strict=True):
            seconds = call()
            if turn:
                mine.append(seconds)
    return [statistics.median(mine) for mine in took]


def _residences(setting: Setting) -> list[tuple[str, Clock, str | None]]:
    """Where the matrix lies, by which clock, and what the library is asked for to choose there."""
    one = setting.device, _by_its_own, None
    return [one] if setting.device == "cpu" else [one, ("cpu+cuda", _by_the_host, "auto")]


def _run(setting: Setting) -> Found:
    rows: list[tuple[Any, ...]] = []
    rng = np.random.default_rng(2026)
    for name, A in graphs(setting):
        indptr, _, _ = A.to_csr()
        starts = rng.choice(np.flatnonzero(np.diff(indptr)), 1 if setting.quick else SOURCES)
        for residence, clock, choice in _residences(setting):
            there = A.to(residence)
            for source in starts.tolist():
                here = f"{name} from {source} on {residence}"
                if rows and setting.over:
                    setting.leave_out(here, OVER)
                    continue
                setting.say(here)
                found = measure(
                    there,
                    source,
                    STRATEGIES[residence],
                    clock,
                    choice,
                    lambda: bool(rows) and setting.over,
                )
                if found is not None:
                    rows.append(
                        (
                            *(name, residence, A.nrows, A.nvals, source, len(found.choice)),
                            *(found.chosen * 1e6, found.best * 1e6, found.chosen / found.best),
                            _in_runs(found.choice),
                            _in_runs(found.sequence),
                        )
                    )
                elif rows and setting.over:
                    setting.leave_out(here, OVER)
    return Found(
        (
            *("graph", "residence", "vertices", "entries", "source", "levels"),
            *("choice, us", "best found, us", "regret", "choice", "best"),
        ),
        rows,
        gives="regret on " + "; on ".join(_summaries(rows)) if rows else "",
        about="Regret is the time of the search as the library chooses, deciding and switching "
        "included, over the best sequence found: from three starts (all top-down, the choice, the "
        "cheapest by the times of single levels and of a change of device) single levels are "
        "changed until none helps, each sequence timed as a forced whole search. Medians of "
        f"{FINAL_TIMES} searches in turn, of one device "
        "by the result's own seconds: levels, parents and decisions, without the calls of Python; "
        "of two by the host's clock around the call, until the depth is known there. A "
        "change is not tried where the level alone takes as long in it as the whole search "
        f"without, and is given up once it takes {HOPELESS:g} times as long; from one start "
        f"{MOST_SEQUENCES} sequences at most are timed, those first that change most. Rates are "
        + ("built in." if current() is BUILT_IN else "those of spbfs calibrate on this machine."),
    )


def _in_runs(sequence: Sequence_) -> str:
    """How many levels by which strategy.

    Examples
    --------
    >>> _in_runs(("TC", "TC", "BC"))
    '2 TC, 1 BC'
    """
    runs = [(name, len(list(levels))) for name, levels in itertools.groupby(sequence)]
    return ", ".join(f"{count} {name}" for name, count in runs)


def _summaries(rows: list[tuple[Any, ...]]) -> list[str]:
    """Of each residence: the median and the worst."""
    by_residence: dict[str, list[float]] = {}
    for row in rows:
        by_residence.setdefault(row[1], []).append(row[8])
    return [
        f"{residence}: median {statistics.median(found):.3f}, worst {max(found):.3f} of "
        f"{len(found)} searches"
        for residence, found in by_residence.items()
    ]


REGRET = Figure(
    "adaptive",
    "regret",
    "time of the choice over the best sequence of strategies found",
    "the model chooses direction and device of a level",
    (
        "spbfs/planner/adaptive.py",
        "kernels/cpu/bfs/bfs_sample.h",
        "spbfs/calibration/fit.py",
    ),
    ("cpu", "cuda"),
    _run,
    "On two cores of a CPU, other cores of whose host ran other programs, both are met, of twelve "
    "real graphs and six generated ones, with rates that `spbfs calibrate --device cpu --seconds "
    "30` had measured just before ([the "
    "file](../../benchmarks/results/rates-cpu-2026-11-27.json)). What is above 1.2 is one search "
    "of cit-hep-th, three levels of which are pulled that are better pushed; four more are above "
    "1.1: of collab-dblp-2010, web-cnr-2000 and the small world with one or two levels in the "
    "wrong direction, and of wiki-vote, whose choice was the best sequence itself, 8 us apart. In "
    "an earlier run, while other programs used the same cores, the worst was 2.6, of another whose "
    "choice was the best. Ratios far below 1 are of a few vertices, or of many short levels (the "
    "3-D grid, 0.72 and 0.81), which a search without a sequence of strategies lists in a way of "
    "its own.\n\n"
    "On the H200, where kernels choose at every level, both are met: a median of 0.87 and at most "
    "1.28, of twelve real graphs and six generated ones; what is above 1.1 are both searches of "
    "the small world, of one of which the last level is pushed where a pull is better, and one of "
    "the uniform graph, which pulls a level too early. On both devices, by the host's clock and "
    "by rates that `spbfs calibrate --device cpu+cuda --seconds 25` had measured there before, "
    "the median is 0.68 and the worst 1.12: searches are left to one device, of a small graph "
    "such as wiki-vote to the CPU, else to the GPU. With the rates that were built in until then "
    "one of 25 had missed it, by 0.03: a small road of 646 levels, which took 1.57 us a level on "
    "the GPU and 1.18 on the CPU that day, and 1.55 and 2.0 in this run; another run of this "
    "build had 0.87, 1.27, 0.69 and 1.21. Ratios below 1 are of how a sequence is run: each of "
    "its levels is one of the whole grid, where the choice has one CTA make several small ones, "
    "and a list of strategies is brought to the GPU at each call. Before searches were left to "
    "one device where no change can pay, median and worst were 6.9 and 50 by the clocks of the "
    "results.",
)
