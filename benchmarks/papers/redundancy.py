"""Merrill, Garland, Grimshaw, Fig. 7: edges expanded more than once, by what culls duplicates; and
how many lanes may be in flight for local culling to find them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.culling import HOPELESS, Way, count
from benchmarks.papers.figure import Found, Plot, Setting
from benchmarks.papers.graphs import Graph, as_matrix, giant_sources, suite
from benchmarks.papers.pushing import bench_of, measured
from spbfs.planner.expansion import Expansion

__all__ = ["by_culling", "by_lanes"]

GRAPHS = ("grid5pt.5000", "grid7pt.300", "kron_g500-logn20", "random.2Mv.128Me")
CULLINGS = ("none", "warp", "history", "warp+history")
#: What the count takes a card for: CTAs that look up at once and their threads.  On the paper's
#: C2050 a multiprocessor has 32 lanes, so that it is rather one CTA of its eight that does.
CARDS = {"C2050": (14, 128), "H200": (660, 256)}
POINTS = 240
Again = tuple[tuple[int, ...], float | None]


def by_culling(setting: Setting) -> Found:
    """Fig. 7: queues of every level as they are, over those there have to be."""
    return (_culled_by_kernels if setting.device == "cuda" else _culled_by_count)(setting)


def by_lanes(setting: Setting) -> Found:
    """Both cullings, with ever more tiles in flight, taken and written in order or not."""
    return (_lanes_of_kernels if setting.device == "cuda" else _lanes_of_count)(setting)


def _culled_by_count(setting: Setting) -> Found:
    rows: list[tuple[Any, ...]] = []
    plots = []
    for name, graph in suite(setting, GRAPHS):
        (source,) = giant_sources(as_matrix(graph, setting), 1)
        logical = count(graph, source, Way(1, queue="ordered"))
        for card, (ctas, lanes) in CARDS.items():
            again = {}
            for culling in CULLINGS:
                way = Way(ctas, lanes, "runs" if card == "C2050" else "strided",
                          "tiles" if card == "C2050" else "warps",
                          "warp" in culling, "history" in culling)  # fmt: skip
                found = count(graph, source, way)
                again[culling] = found.edges, found.again
            rows.append((name, f"{card}, counted", *(again[c][1] for c in CULLINGS), 1.0))
            setting.say(f"{name} as on a {card}: {_factors(rows[-1][2:])}")
            plots.append(_by_level(f"{name}, as on a {card}", again, logical.edges))
    about = (
        "Counted, not timed: lanes, warps and CTAs played in steps on the CPU "
        "(`benchmarks/papers/culling.py`); in a step all CTAs look up before any claims. C2050: 14 "
        "CTAs of 128 lanes with neighbouring tiles each, whose finds stay in order; H200: 660 of "
        "256, every 660th tile, finds written by warps, as `cuda/expansion/expansion.cu` does. "
        f"Edges expanded over edges there are; empty: over {HOPELESS}, given up. "
        "One source a graph."
    )
    return _found(rows, plots, about)


def _culled_by_kernels(setting: Setting) -> Found:
    rows: list[tuple[Any, ...]] = []
    plots = []
    for name, graph in suite(setting, GRAPHS):
        (source,) = giant_sources(as_matrix(graph, setting), 1)
        edges = _logical(graph, source)
        again: dict[str, Again] = {}
        for culling in (*CULLINGS, "atomic"):
            try:
                again[culling] = _expanded(graph, source, Expansion("twc", culling, "two_phase"),
                                           sum(edges))  # fmt: skip
            except sb.exceptions.OutOfMemory as error:
                setting.say(f"{name}, {culling}: {error}")
                again[culling] = (), None
        rows.append((name, "kernels", *(again[c][1] for c in (*CULLINGS, "atomic"))))
        setting.say(f"{name}: {_factors(rows[-1][2:])}")
        plots.append(_by_level(name, again, edges))
    about = (
        "two_phase with scan + warp + CTA gathering; edges that the expanding launches went "
        "through over those there are, one source a graph. `atomic` is not in the paper."
    )
    return _found(rows, plots, about)


def _found(rows: list[tuple[Any, ...]], plots: list[Plot], about: str) -> Found:
    both = ", ".join(
        f"{row[0].split('.')[0]} {'over ' + str(HOPELESS) if row[5] is None else f'{row[5]:.2f}'}"
        for row in rows
        if not row[1].startswith("C2050")
    )
    return Found(
        ("graph", "how", *CULLINGS, "atomic"), rows, tuple(plots), about,
        f"edges expanded over edges there are, warp + history culling: {both}",
    )  # fmt: skip


def _factors(values: Sequence[float | None]) -> str:
    return ", ".join("given up" if x is None else f"{x:.2f}" for x in values)


def _by_level(title: str, again: dict[str, Again], logical: Sequence[int]) -> Plot:
    every = -(-max(len(logical), *(len(edges) for edges, _ in again.values())) // POINTS)

    def line(edges: Sequence[int]) -> list[tuple[float, float]]:
        return [(float(i), float(x)) for i, x in list(enumerate(edges))[::every]]

    return Plot(
        f"{title}: edge queues by level", "level", "edges in the queue",
        {"edges there are": line(logical), **{c: line(edges) for c, (edges, _) in again.items()}},
        log_y=True,
    )  # fmt: skip


def _logical(graph: Graph, source: int) -> list[int]:
    """Edges out of every level, on a GPU."""
    import cupy as cp

    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS

    n, indptr, _ = graph
    levels = cp.empty(n, dtype=cp.int32)
    LevelSynchronousBFS(*graph).run(source, levels, None)
    reached = levels >= 0
    edges = cp.bincount(levels[reached], weights=(indptr[1:] - indptr[:-1])[reached])
    return [int(x) for x in edges.get()]


def _expanded(graph: Graph, source: int, how: Expansion, logical: int) -> Again:
    import cupy as cp

    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS

    levels = cp.empty(graph[0], dtype=cp.int32)
    passed = LevelSynchronousBFS(*graph, how).run(source, levels, None)
    return tuple(step[2] for step in passed.steps), passed.edges / max(logical, 1)


# -- lanes in flight -------------------------------------------------------------------------------

LATTICES = ("grid5pt.5000", "grid7pt.300")
LANES = 256
#: Name -> how a count has it.
ORDERS: dict[str, Callable[[int], Way]] = {
    "any order": lambda ctas: Way(ctas, LANES),
    "runs of tiles": lambda ctas: Way(ctas, LANES, "runs", "tiles"),
    "tiles in order": lambda ctas: Way(ctas, LANES, "strided", "ordered"),
}


def _lanes_of_count(setting: Setting) -> Found:
    sizes = (1, 4, 16, 64) if setting.quick else (1, 4, 16, 64, 132, 660)
    rows: list[tuple[Any, ...]] = []
    plots = []
    for name, graph in suite(setting, LATTICES):
        (source,) = giant_sources(as_matrix(graph, setting), 1)
        mine: list[tuple[Any, ...]] = []
        for ctas in sizes:
            # What was given up with fewer tiles at once is not tried with more.
            tried = mine[-1][3:] if mine else [1.0] * len(ORDERS)
            again = [None if before is None else count(graph, source, order(ctas)).again
                     for order, before in zip(ORDERS.values(), tried, strict=True)]  # fmt: skip
            mine.append((name, ctas, ctas * LANES, *again))
            setting.say(f"{name}, {ctas} tiles at once: {_factors(again)}")
        rows += mine
        queue = count(graph, source, Way(1, LANES, queue="ordered")).edges
        plots.append(_against_lanes(name, mine, list(ORDERS)))
        setting.say(f"{name}: a level has {np.mean(queue) / LANES:.1f} tiles, at most "
                    f"{max(queue) / LANES:.0f}")  # fmt: skip
    enough = _most_within(rows, 5)
    about = (
        "Counted as for Fig. 7, warp and history culling, CTAs of 256 lanes. Any order: every CTA "
        "takes the tiles a grid apart and its warps write what they find; runs: neighbouring "
        "tiles, a tile's finds together; in order: the next tile is always taken by whoever is "
        "free, and what is found stands in the order of the tiles. Edges expanded over edges "
        f"there are; empty: over {HOPELESS}."
    )
    return Found(
        ("graph", "tiles in flight", "lanes in flight", *ORDERS), rows, tuple(plots), about,
        f"tiles in order stay within 1.05 with {enough} tiles of 256 lanes in flight, of 660 that "
        "an H200 has",
    )  # fmt: skip


def _in_flight(name: str, tiles: int) -> str:
    return f"{name} with {tiles or 'all'} tiles at once"


def _most_within(rows: list[tuple[Any, ...]], column: int) -> str:
    """The most tiles of every graph with which the paper's 1.05 holds.

    Examples
    --------
    >>> _most_within([("grid.5", 4, 1.01), ("grid.5", 8, 1.2), ("tree.9", 4, 1.3)], 2)
    '4 (grid), none of 4 or more (tree)'
    """
    best: dict[str, int] = {}
    least: dict[str, int] = {}
    for row in rows:
        if row[1]:
            within = row[column] is not None and row[column] <= 1.05
            best[row[0]] = max(best.get(row[0], 0), row[1] if within else 0)
            least[row[0]] = min(least.get(row[0], row[1]), row[1])
    return ", ".join(f"{tiles or f'none of {least[name]} or more'} ({name.split('.')[0]})"
                     for name, tiles in best.items())  # fmt: skip


def _against_lanes(name: str, rows: list[tuple[Any, ...]], orders: list[str]) -> Plot:
    return Plot(
        f"{name}: edges expanded over edges there are", "lanes in flight", "times",
        {order: [(float(r[2]), float(r[3 + i])) for r in rows if r[3 + i] is not None]
         for i, order in enumerate(orders)},
        log_x=True, log_y=True,
    )  # fmt: skip


def _lanes_of_kernels(setting: Setting) -> Found:
    sizes = (1, 4, 16) if setting.quick else (1, 2, 4, 8, 16, 32, 64, 132, 264, 528)
    local, exact = "warp+history", "atomic"
    rows: list[tuple[Any, ...]] = []
    plots = []
    for name, graph in suite(setting, LATTICES):
        bench = bench_of(name, graph, setting, sources=2)
        mine = []
        # As many as fit first: with few in flight a search of a lattice takes seconds.
        for tiles in setting.in_time((0, *reversed(sizes)), partial(_in_flight, name)):
            ways = (Expansion("twc", culling, "two_phase", in_flight=tiles)
                    for culling in ("none", local, exact))  # fmt: skip
            found = [measured(bench, how, setting) for how in ways]
            again = [row["redundant_expansion"] for row in found]
            mine.append((name, tiles or None, tiles * LANES or None, *again,
                         *(row["milliseconds"] for row in found)))  # fmt: skip
            setting.say(f"{_in_flight(name, tiles)}: {_factors(again)}")
        mine.reverse()
        rows += mine
        plots.append(_against_lanes(name, mine[:-1], ["none", local, exact]))
        times = [(row[0], row[1], row[2], *row[6:]) for row in mine[:-1]]
        plots.append(replace(_against_lanes(name, times, ["none", local, exact]),
                             title=f"{name}: milliseconds, tiles in order", y="ms"))  # fmt: skip
    about = (
        "two_phase with scan + warp + CTA gathering, `Expansion(..., in_flight=tiles)`: a CTA "
        "takes the next tile of 256 entries when it is done with one and writes behind the tile "
        "before. The last row of a graph is as many as fit, in any order. Edges expanded over "
        "edges there are, and milliseconds of whole searches, levels and parents, two sources."
    )
    every = [row for row in rows if row[1] is None]
    return Found(
        ("graph", "tiles in flight", "lanes in flight", "none", local, exact, "none, ms",
         f"{local}, ms", f"{exact}, ms"),
        rows, tuple(plots), about,
        f"within 1.05 by warp + history culling with {_most_within(rows, 4)} tiles in flight, in "
        "order; in any order "
        + ", ".join(f"{row[4]:.2f} ({row[0].split('.')[0]})" for row in every),
    )  # fmt: skip
