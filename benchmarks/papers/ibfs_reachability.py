"""Table 1 of iBFS: the index for 3-hop reachability."""

from __future__ import annotations

from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.figure import Found, Setting
from benchmarks.papers.ibfs_graphs import GRAPHS, SHRUNK, Measured, mean_ratio
from benchmarks.papers.ibfs_techniques import timed
from spbfs.engines.bfs_many import ManyRequest

__all__ = ["three_hops"]

HOPS = 3
#: Sources that are searched from, of the index that is made, and searched one at a time; pairs.
SOURCES = {True: 256, False: 4096}
INDEXED, ALONE, PAIRS = 256, 64, 1000
#: Powers of two by which graphs are smaller than the paper's: not at all on a GPU.
SMALLER = {"cuda": 0, "cpu": SHRUNK["cpu"], "quick": SHRUNK["quick"]}


def three_hops(setting: Setting) -> Found:
    """Table 1."""
    rows = []
    for name in setting.in_time(("FB", "KG0", "OR", "TW")):
        setting.say(f"{name}: making it")
        shrunk = SMALLER["quick" if setting.quick else setting.device]
        graph = Measured(name, GRAPHS[name].make(setting.device, shrunk))
        A = graph.matrix
        sources = graph.sources(SOURCES[setting.quick])
        every = A.nrows / len(sources)
        joined = timed(setting.device, lambda: _counted(A, sources), 1)  # noqa: B023
        alone = timed(setting.device, lambda: _one_by_one(A, sources[:ALONE]), 1)  # noqa: B023
        ms = None if setting.device == "cuda" else timed("cpu", lambda: _ms_bfs(A, sources), 1)  # noqa: B023
        indexed, right = _index(setting, A, sources[:INDEXED])
        rows.append(
            (
                name,
                A.nrows,
                A.nvals,
                len(sources),
                joined,
                joined * every,
                alone / min(ALONE, len(sources)) * A.nrows,
                None if ms is None else ms * every,
                indexed,
                right,
            )
        )
    return Found(
        (
            "graph",
            "vertices",
            "entries",
            "sources",
            "joined, s",
            "joined, every vertex, s",
            "one at a time, every vertex, s",
            "MS-BFS bits, every vertex, s",
            f"index of {INDEXED}, s",
            "queries right",
        ),
        rows,
        gives=f"3 hops from every vertex {mean_ratio(rows, 6, 5):.2g} times as fast joined as one "
        "at a time",
        about=(
            f"Searches of {HOPS} hops from sources drawn evenly, and that time by all vertices "
            f"over sources; one at a time from {ALONE}.  The index, a bit a pair, is made of "
            f"{INDEXED} sources and answers {PAIRS} pairs, half of them drawn from what is within "
            "reach, which single searches verify.  Host's clock, median of one call after one "
            "more."
        ),
    )


def _counted(A: sb.Matrix, sources: Any) -> None:
    sb.bfs_many(A, sources, outputs="reached", max_depth=HOPS)


def _one_by_one(A: sb.Matrix, sources: Any) -> None:
    for source in sources.tolist():
        sb.bfs(A, source, parents=False, max_depth=HOPS)


def _ms_bfs(A: sb.Matrix, sources: Any) -> None:
    from spbfs.engines.cpu.bfs_many.searches import CpuManySearches

    data, many = A._ready(), CpuManySearches(A._ready(), without=["early termination"])
    for first in range(0, len(sources), 512):
        part = sources[first : first + 512]
        request = ManyRequest(max_depth=HOPS)
        with many.batch(data, part, np.arange(len(part)), request):
            pass


def _index(setting: Setting, A: sb.Matrix, sources: Any) -> tuple[float, str]:
    """Seconds to make an index, and how many of its answers single searches confirm."""
    made: list[sb.KHopIndex] = []

    def make() -> None:
        made[:] = [sb.KHopIndex(A, sources, k=HOPS)]

    seconds = timed(setting.device, make, 1)
    rng = np.random.default_rng(3)
    asked, right = 0, 0
    for source in rng.choice(sources, min(20, len(sources)), replace=False).tolist():
        levels = np.asarray(sb.bfs(A, source, parents=False).levels.to("cpu").to_dense(-1))
        within = np.flatnonzero((levels >= 0) & (levels <= HOPS))
        half = PAIRS // 40
        ends = np.concatenate([rng.choice(within, half), rng.integers(0, A.nrows, half)])
        said = made[0].query(np.full(ends.shape[0], source), ends)
        truth = (levels[ends] >= 0) & (levels[ends] <= HOPS)
        asked += ends.shape[0]
        right += int((said == truth).sum())
    return seconds, f"{right} of {asked}"
