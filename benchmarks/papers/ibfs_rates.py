"""Fig. 8, 15, 16, 20 and 22 of iBFS: traversed edges a second of its techniques and of others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.figure import Found, Plot, Setting
from benchmarks.papers.ibfs_graphs import Measured, graphs, mean_ratio, rows_by_graph
from benchmarks.papers.ibfs_techniques import (
    GROUP,
    MOST_TURNS,
    RULES_SAID,
    SLOW,
    TECHNIQUES,
    grouped_order,
    ms_bfs,
    timed_in_turns,
)

__all__ = ["bit_operations", "group_counts", "implementations", "rates_by_q", "techniques"]

#: Sources of a figure, and of techniques that are measured from fewer; in quick runs and others.
SOURCES, FEW = {True: 512, False: 4096}, {True: 128, False: 256}
#: q of Fig. 8, and the groups of Fig. 16.
QS = (0, 4, 16, 64, 128, 256, 512, 1024, 4096)
GROUPS = (1, 2, 4, 8, 16, 32)

CLOCK = (
    "An edge is a stored entry in the row of what a source reaches, once a source.  The host's "
    "clock around one call from sources to levels on the device, what is compared in turns, "
    "medians of {repeats} turns, of up to {most} where they are short, one more before; transpose, "
    "layout, copies by degree and kernels come before.  {sources} sources, drawn evenly of the "
    "vertices with an edge"
)


def _repeats(setting: Setting) -> int:
    return 1 if setting.quick else 3


#: Why a cell of a figure whose searches have a status byte each may have nothing.
EMPTY = "  Empty: the graph is deeper than a status byte tells."


def _about(setting: Setting, more: str) -> str:
    return (
        CLOCK.format(repeats=_repeats(setting), most=MOST_TURNS, sources=SOURCES[setting.quick])
        + more
    )


def _edges(A: sb.Matrix, sources: Any) -> int:
    return sb.bfs_many(A, sources, outputs="reached", group="given").edges


Searches = Callable[[sb.Matrix, Any], Any]


def _gteps(
    setting: Setting, A: sb.Matrix, runs: Sequence[tuple[Searches, Any]]
) -> list[float | None]:
    """10^9 edges a second of searches from sources, timed in turns; None of what was left out."""
    calls = [partial(search, A, sources) for search, sources in runs]
    seconds = timed_in_turns(setting.device, calls, _repeats(setting), setting.say)
    edges = {len(sources): _edges(A, sources) for _, sources in runs}  # the first of one draw
    return [
        None if s is None else edges[len(sources)] / s / 1e9
        for s, (_, sources) in zip(seconds, runs, strict=True)
    ]


def _some(graph: Measured, setting: Setting, name: str) -> Any:
    """All sources of the figure, or as many as a technique is measured from."""
    sources = graph.sources(SOURCES[setting.quick])
    return sources[: FEW[setting.quick]] if name in SLOW else sources


def techniques(setting: Setting) -> Found:
    """Fig. 15."""

    def measure(graph: Measured) -> list[tuple[Any, ...]]:
        runs = [(run, _some(graph, setting, name)) for name, run in TECHNIQUES.items()]
        cells = _gteps(setting, graph.matrix, runs)
        return [(graph.name, graph.matrix.nrows, graph.matrix.nvals, *cells)]

    asked = {"sources": SOURCES[setting.quick], "few": FEW[setting.quick], "of": list(TECHNIQUES)}
    rows, made = rows_by_graph(setting, "fig-15", asked, measure)
    lines = {
        name: [(float(i), row[3 + t]) for i, row in enumerate(rows) if row[3 + t] is not None]
        for t, name in enumerate(TECHNIQUES)
    }
    return Found(
        ("graph", "vertices", "entries", *(f"{name}, GTEPS" for name in TECHNIQUES)),
        rows,
        plots=(
            Plot("Techniques", "graph", "GTEPS", lines, log_y=True, names=[r[0] for r in rows]),
        ),
        gives="times sequential: "
        + ", ".join(
            f"{name} {mean_ratio(rows, 3 + t, 3):.2g}" for t, name in enumerate(TECHNIQUES) if t
        ),
        about=_about(
            setting,
            f"; sequential, concurrent and joint from the first {FEW[setting.quick]} of them.  "
            f"Groups of 128, {RULES_SAID}; bfs_many is the function as it is called, batches as it "
            f"chooses.{EMPTY}",
        ),
        **made,
    )


def rates_by_q(setting: Setting) -> Found:
    """Fig. 8."""
    qs = QS if not setting.quick else QS[::4]

    def measure(graph: Measured) -> list[tuple[Any, ...]]:
        A, sources = graph.matrix, graph.sources(SOURCES[setting.quick])
        degrees = np.diff(graph.indptr)
        ways: list[Any] = [partial(sb.bfs_many, batch=GROUP, group=(128, q)) for q in qs]
        runs = [(partial(search, outputs="levels"), sources) for search in ways]
        rates = _gteps(setting, A, runs)
        shares = [search(A, sources, outputs="reached").sharing for search in ways]
        above = [int((degrees > q).sum()) for q in qs]
        return [(graph.name, *cells) for cells in zip(qs, rates, shares, above, strict=True)]

    asked = {"sources": SOURCES[setting.quick], "group": GROUP, "p": 128, "q": list(qs)}
    rows, made = rows_by_graph(setting, "fig-8", asked, measure)
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, q, gteps, *_ in rows:
        lines.setdefault(name, []).append((float(q), gteps or 0.0))
    best = [max(points, key=lambda point: point[1])[0] for points in lines.values()]
    return Found(
        ("graph", "q", "GTEPS", "sharing degree", "vertices of degree above q"),
        rows,
        plots=(Plot("GroupBy by q", "q", "GTEPS", lines, log_x=True, log_y=True),),
        gives=f"fastest q, median over {len(best)} graphs: {np.median(best):.0f}",
        about=_about(setting, ".  Groups of 128, p = 128.  q = 0: any common out-neighbour."),
        **made,
    )


def group_counts(setting: Setting) -> Found:
    """Fig. 16."""
    rows, lines = [], {}
    for graph in graphs(setting, ("FB",) if setting.quick else ("HW",)):
        every = graph.sources(SOURCES[setting.quick])
        for groups in GROUPS:
            sources = every[: groups * GROUP]
            if sources.shape[0] < groups * GROUP:
                break
            runs = [(TECHNIQUES[name], sources) for name in ("bitwise", "GroupBy")]
            found = _gteps(setting, graph.matrix, runs)
            rows.append((graph.name, groups, *found))
        for i, name in ((2, "random"), (3, "GroupBy")):
            lines[name] = [(float(row[1]), row[i]) for row in rows if row[i] is not None]
    return Found(
        ("graph", "groups of 128", "random, GTEPS", "GroupBy, GTEPS"),
        rows,
        plots=(Plot("number of groups", "groups", "GTEPS", lines, log_x=True),),
        gives=_grouped(rows),
        about=_about(setting, " at most: those of a row are the first of the same draw."),
    )


def _grouped(rows: list[tuple[Any, ...]]) -> str:
    """What GroupBy is over groups as they come, with most groups."""
    name, groups, random, grouped = rows[-1]
    if not (random and grouped):
        return ""
    return f"{groups} groups of {name} by GroupBy at {grouped / random:.2f} times the random rate"


def bit_operations(setting: Setting) -> Found:
    """Fig. 20."""
    rows = []
    for graph in graphs(setting):
        A, sources = graph.matrix, graph.sources(SOURCES[setting.quick] // 4)
        grouped = grouped_order(A, sources)
        runs: list[tuple[Searches, Any]] = [
            (partial(ms_bfs, kept=kept), ordered)
            for ordered, kept in (
                (sources, False),
                (sources, True),
                (grouped, True),
                (grouped, False),
            )
        ]
        base, *others = _gteps(setting, A, runs)
        rows.append(
            (graph.name, base, *(rate / base if rate and base else None for rate in others))
        )
    what = (
        "plain kernels, a launch a step, that differ in the bits alone"
        if setting.device == "cuda"
        else "our traversal, with early termination left out for MS-BFS"
    )
    return Found(
        (
            "graph",
            "MS-BFS bits, random, GTEPS",
            "iBFS bits, random, speed-up",
            "iBFS bits, GroupBy, speed-up",
            "MS-BFS bits, GroupBy, speed-up",
        ),
        rows,
        gives=f"iBFS's bits with GroupBy {_mean(rows, 3):.2g} times the rate of those of MS-BFS, "
        f"in random groups {_mean(rows, 2):.2g}",
        about=_about(
            setting, f" and a fourth of them here; no levels are written.  Both: {what}.{EMPTY}"
        ),
    )


def _mean(rows: list[tuple[Any, ...]], column: int) -> float:
    """The geometric mean of a column."""
    return float(np.exp(np.mean(np.log([row[column] for row in rows if row[column]]))))


def implementations(setting: Setting) -> Found:
    """Fig. 22."""
    rows = []
    names = ("KG0", "FB", "HW", "LJ", "OR", "TW")
    for graph in graphs(setting, names):
        sources = graph.sources(SOURCES[setting.quick])
        few = sources[: FEW[setting.quick]]
        host = graph.matrix.to("cpu")
        on_cpu = Setting("cpu", setting.quick, setting.say)
        cells = _gteps(on_cpu, host, [(ms_bfs, sources), (TECHNIQUES["GroupBy"], sources)])
        if setting.device == "cuda":
            runs = [
                (TECHNIQUES["sequential"], few),
                (_pushed_bits, sources),
                (TECHNIQUES["GroupBy"], sources),
            ]
            cells += _gteps(setting, graph.matrix, runs)
        else:
            cells += [None, None, None]
        rows.append((graph.name, *cells))
    return Found(
        (
            "graph",
            "MS-BFS on the CPU, GTEPS",
            "iBFS on the CPU, GTEPS",
            "one search at a time on the GPU, GTEPS",
            "joined, pushed alone, on the GPU, GTEPS",
            "iBFS on the GPU, GTEPS",
        ),
        rows,
        gives="rate over that of MS-BFS on the CPU: "
        + ", ".join(
            f"{name} {mean_ratio(rows, column, 1):.2g}"
            for column, name in ((2, "iBFS there"), (5, "on the GPU"))
            if any(row[column] for row in rows)
        ),
        about=_about(
            setting,
            f"; one at a time from the first {FEW[setting.quick]}.  MS-BFS: bits without early "
            "termination, no levels written.  One at a time (the paper's B40C): spbfs.bfs.  Pushed "
            "alone (its SpMM-BC, which has no bottom-up): spbfs.levels_many with direction='push'.",
        ),
    )


def _pushed_bits(A: sb.Matrix, sources: Any) -> None:
    for first in range(0, math.ceil(len(sources) / GROUP) * GROUP, GROUP):
        for _ in sb.levels_many(A, sources[first : first + GROUP], direction="push"):
            pass
