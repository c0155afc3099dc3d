"""Fig. 2, 6, 9 and 11 of iBFS: what searches share of their frontiers, how even their work is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.figure import Found, Plot, Setting
from benchmarks.papers.ibfs_graphs import GRAPHS, Measured, graphs, mean_ratio
from benchmarks.papers.ibfs_sharing import by_level, inspections, level_sets, pairwise, ratio
from benchmarks.papers.ibfs_techniques import GROUP, RULES_SAID, grouped_order
from spbfs.storage.entries import array_module

__all__ = ["balance", "pairs", "sharing_by_level", "sharing_ratios"]

#: Levels from which fewer pairs are looked at: each is as much work as those of shallow graphs.
DEEP = 100
#: Sources that groups are made of, and groups of them that are looked at, in quick runs and others.
SOURCES, LOOKED = {True: 512, False: 4096}, {True: 2, False: 6}

ABOUT = (
    "Searches have the vertices of their level as frontier where they are pushed, and all that "
    "they have not visited where they are pulled, vertices without edges left out; each turns by "
    "itself (alpha 14, beta 24).  {sources} sources drawn evenly of the vertices that have an "
    "edge, all graphs of the classes of the paper's, smaller by a power of two; groups of 128"
)


def _levels(A: sb.Matrix, sources: Any) -> Any:
    """Levels of some searches on the device, -1 where not reached."""
    found = sb.bfs_many(A, sources, outputs="levels", group="given").levels
    xp = array_module(found)
    wide = found.astype(np.int32)
    wide[found == np.iinfo(found.dtype).max] = -1
    return xp.asarray(wide)


def _degrees(A: sb.Matrix) -> Any:
    indptr = A._ready().indptr
    return (indptr[1:] - indptr[:-1]).astype(np.int64)


def _groups(graph: Measured, setting: Setting) -> Iterator[tuple[str, list[Any]]]:
    """Groups of sources as they were drawn, and by GroupBy, some of each, evenly over all."""
    drawn = graph.sources(SOURCES[setting.quick])
    for how, sources in (("random", drawn), ("GroupBy", grouped_order(graph.matrix, drawn))):
        whole = [sources[i : i + GROUP] for i in range(0, len(sources), GROUP)]
        every = max(1, len(whole) // LOOKED[setting.quick])
        yield how, whole[::every]


def _mean(values: list[float]) -> float | None:
    """The mean of those that there are."""
    known = [v for v in values if not np.isnan(v)]
    return float(np.mean(known)) if known else None


def pairs(setting: Setting) -> Found:
    """Fig. 2."""
    rows: list[tuple[Any, ...]] = []
    count = 16 if setting.quick else 128
    for graph in graphs(setting):
        A, degrees = graph.matrix, _degrees(graph.matrix)
        levels = _levels(A, graph.sources(2 * count))
        half = levels.shape[0] // (2 if int(levels.max()) < DEEP else 16)
        shares = [pairwise(levels[i], levels[-1 - i], degrees) for i in range(half)]
        pushed, pulled = (_mean([s[way] for s in shares]) for way in (False, True))
        rows.append((graph.name, A.nrows, A.nvals, half, pushed, pulled))
    return Found(
        ("graph", "vertices", "entries", "pairs", "top-down", "bottom-up"),
        rows,
        gives=f"of two searches' frontiers {_percent(rows, 4)} are shared where they are pushed, "
        f"{_percent(rows, 5)} where they are pulled",
        about=ABOUT.format(sources=2 * count)
        + ".  Vertices of both frontiers over those of either, mean over levels, then over pairs.",
    )


def _percent(rows: list[tuple[Any, ...]], column: int) -> str:
    """The mean of a column over the paper's graphs."""
    mean = _mean([row[column] for row in rows if row[0] in GRAPHS and row[column] is not None])
    return "none" if mean is None else f"{100 * mean:.2g} %"


def sharing_by_level(setting: Setting) -> Found:
    """Fig. 6: two groups of GroupBy, the one that shares most at the second level and the one in
    the middle, and a random one."""
    rows, lines = [], {}
    for graph in graphs(setting, ("FB",)):
        chosen = dict(_groups(graph, setting))
        shared = [level_sets(_levels(graph.matrix, group)) for group in chosen["GroupBy"]]
        shared.sort(key=lambda degrees: -degrees[1])
        random = level_sets(_levels(graph.matrix, chosen["random"][0]))
        groups = {"A": shared[0], "B": shared[len(shared) // 2], "random": random}
        for name, degrees in groups.items():
            points = list(enumerate(degrees))[1:]
            rows += [(name, level, degree, degree / GROUP) for level, degree in points]
            lines[name] = [(float(level), degree) for level, degree in points]
    at_first = ", ".join(f"{name} {points[0][1]:.3g}" for name, points in lines.items())
    return Found(
        ("group", "level", "sharing degree", "sharing ratio"),
        rows,
        gives=f"of 128 searches so many share a vertex at level 1: {at_first}",
        plots=(Plot("FB: sharing by level", "level", "searches that share a vertex", lines),),
        about=f"Vertices that searches have at a level over those that any of them has there.  "
        f"{SOURCES[setting.quick]} sources drawn evenly of the vertices that have an edge, in "
        "groups of 128.  Groups A and B of GroupBy: the one that shares most at level 1, and the "
        "one in the middle.",
    )


def sharing_ratios(setting: Setting) -> Found:
    """Fig. 9."""
    rows: list[tuple[Any, ...]] = []
    for graph in graphs(setting):
        degrees = _degrees(graph.matrix)
        cells: list[float | None] = []
        for _, groups in _groups(graph, setting):
            found = [list(by_level(_levels(graph.matrix, g), degrees)) for g in groups]
            cells += [_mean([ratio(shared, way) for shared in found]) for way in (False, True)]
        rows.append((graph.name, cells[0], cells[2], cells[1], cells[3]))
    return Found(
        (
            "graph",
            "top-down, random",
            "top-down, GroupBy",
            "bottom-up, random",
            "bottom-up, GroupBy",
        ),
        rows,
        gives=f"groups by GroupBy share {mean_ratio(rows, 2, 1):.2g} times as much where they are "
        f"pushed, {mean_ratio(rows, 4, 3):.2g} times where they are pulled",
        about=ABOUT.format(sources=SOURCES[setting.quick])
        + f".  Means over {LOOKED[setting.quick]} groups; {RULES_SAID}.",
    )


def balance(setting: Setting) -> Found:
    """Fig. 11."""
    rows: list[tuple[Any, ...]] = []
    for graph in graphs(setting):
        A = graph.matrix
        into, degrees = _in_edges(A), _degrees(A)
        spread: list[float] = []
        for _, groups in _groups(graph, setting):
            of_groups = []
            for group in groups[: 2 if setting.quick else 4]:
                looked = inspections(_levels(A, group[:32]), *into, degrees)
                kept = looked[looked[:, 1] > 0]
                of_groups.append(kept[:, 0])
            totals = [float(np.std(t)) for t in of_groups if t.size]
            means = [float(np.mean(t)) for t in of_groups if t.size]
            spread += [float(np.mean(totals or [0.0])), float(np.mean(means or [0.0]))]
        before, mean_before, after, mean_after = spread
        rows.append(
            (
                graph.name,
                before,
                after,
                before / after if after else None,
                before / mean_before if mean_before else None,
                after / mean_after if mean_after else None,
            )
        )
    return Found(
        (
            "graph",
            "deviation, random",
            "deviation, GroupBy",
            "ratio",
            "random, of the mean",
            "GroupBy, of the mean",
        ),
        rows,
        gives=f"GroupBy makes deviations {mean_ratio(rows, 1, 2):.2g} times smaller",
        about=ABOUT.format(sources=SOURCES[setting.quick])
        + f"; {RULES_SAID}.  Neighbours that a search looks at while it is pulled, in all: their "
        "standard deviation over 32 searches of a group, mean over groups.  The paper does not say "
        "what one of its numbers is of; its ratios are comparable, and so is the deviation over "
        "the mean.",
    )


def _in_edges(A: sb.Matrix) -> tuple[Any, Any]:
    """In-neighbours as CSR, on the device."""
    data = A.T.new()._ready()
    return data.indptr, data.indices
