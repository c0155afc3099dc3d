"""Load-balanced BFS by the merge path: couplings of work redistribution and neighbour gathering
against mean degree, as curves."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.figure import Figure, Found, Plot, Setting
from benchmarks.papers.graphs import Graph, as_matrix, by_degree, giant_sources
from benchmarks.papers.pushing import bench_of, gteps, measured
from spbfs.planner.expansion import COUPLINGS, Expansion

__all__ = ["FIGURES"]

#: Steps of the merge path that a CTA takes: `kTile` of ``cuda/expansion/expand_merge_path.cuh``.
TILE = 2048
#: Rows of a CTA that has them as they come: `kCta`.
ROWS = 256
ORGANISATIONS = ("expand_contract", "two_phase")


def by_mean_degree(kind: str, setting: Setting) -> Found:
    """Fig. 6 and 7: rates of the couplings, or how even their CTAs' work is where no GPU is."""
    return (_rates if setting.device == "cuda" else _evenness)(kind, setting)


def _rates(kind: str, setting: Setting) -> Found:
    lines: dict[str, list[tuple[float, float]]] = {}
    rows: list[tuple[Any, ...]] = []
    for degree, graph in by_degree(setting, kind):
        ways = [(c, o, Expansion(f"merge_path:{c}", "atomic", o))
                for o in ORGANISATIONS for c in COUPLINGS]  # fmt: skip
        ways.append(("twc, no merge path", "expand_contract",
                     Expansion("twc", "atomic", "expand_contract")))  # fmt: skip
        bench = bench_of(f"{kind} d={degree}", graph, setting)
        found = [measured(bench, how, setting) for *_, how in ways]
        for (coupling, organisation, _), row in zip(ways, found, strict=True):
            rows.append((degree, coupling, organisation, gteps(row), row["milliseconds"]))
            if organisation == "expand_contract":
                lines.setdefault(coupling, []).append((degree, 1e9 * gteps(row)))
    best = {d: max((r for r in rows if r[0] == d and r[1] in COUPLINGS), key=lambda r: r[3])
            for d in dict.fromkeys(r[0] for r in rows)}  # fmt: skip
    return Found(
        ("mean degree", "coupling", "organisation", "G edges/s", "ms"),
        rows,
        (Plot(f"Couplings of the merge path, {kind} graphs of 2 M vertices", "mean degree",
              "edges a second", lines, log_x=True, log_y=True),),
        "8 sources a graph, medians of medians of 3; CUDA events around a whole search, clearing "
        "and the host's decisions included; levels and parents are written; stored (directed) "
        "entries of the source's component count. Every first search is checked as a tree. "
        "`atomic` tells duplicates; hybrid has f0 = 2. The plot is of expand_contract, "
        "which is theirs.",
        "best by mean degree: " + ", ".join(f"{d} {r[1]}" for d, r in best.items()),
    )  # fmt: skip


def _evenness(kind: str, setting: Setting) -> Found:
    """Steps that all CTAs would take if each took as many as the slowest of its level, over the
    steps there are."""
    names = ("balanced_gather: redistribution", "balanced_redistribute: gathering",
             "rows as they come")  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    for degree, graph in by_degree(setting, kind):
        (source,) = giant_sources(as_matrix(graph, setting), 1)
        counts = np.zeros((len(names), 2))
        for degrees in _frontiers(graph, source, setting):
            for i, work in enumerate(_work(degrees)):
                counts[i] += work.size * work.max(), work.sum()
        rows.append((degree, 1.0, *(float(all_ / own) for all_, own in counts)))
    columns = ("separate", *names)
    lines = {name: [(float(r[0]), r[1 + i]) for r in rows] for i, name in enumerate(columns)}
    return Found(
        ("mean degree", *columns),
        rows,
        (Plot(f"Work of the slowest CTA over the mean, {kind}", "mean degree", "times", lines,
              log_x=True),),
        f"Counted from the degrees of one search's frontiers in rising order of vertices, CTAs of "
        f"{TILE} steps or {ROWS} rows; every level counts as if its CTAs waited for the slowest. "
        "`separate` writes down where every edge is and has even CTAs in both phases; "
        "balanced_gather gives every CTA as many edges, so that the rows it looks through differ; "
        "balanced_redistribute as many steps of the path, so that its edges differ. "
        "Rates need a GPU.",
        "the slowest CTA has so many times the mean edges: balanced redistribution "
        f"{rows[0][3]:.2f} at a mean degree of {rows[0][0]}, {rows[-1][3]:.2f} at {rows[-1][0]}, "
        f"rows as they come {rows[-1][4]:.2f}",
    )  # fmt: skip


def _frontiers(graph: Graph, source: int, setting: Setting) -> list[Any]:
    """Degrees of the vertices of every level that has edges."""
    levels = sb.bfs(as_matrix(graph, setting), source).levels.to_dense(fill_value=-1)
    degree = np.diff(graph[1]).astype(np.int64)
    found = [degree[levels == d] for d in range(int(levels.max()) + 1)]
    return [degrees for degrees in found if degrees.sum()]


def _work(degrees: Any) -> tuple[Any, Any, Any]:
    """Steps of every CTA: of the search for rows with as many edges each, edges with as many steps
    of the path each, edges of as many rows each.

    Examples
    --------
    >>> [work.tolist() for work in _work(np.array([2048, 0, 0, 2048]))]
    [[2049, 2049], [2048, 2045, 3], [4096]]
    """
    end = np.cumsum(degrees)
    edges, rows = int(end[-1]), degrees.size
    cuts = np.r_[np.arange(0, edges, TILE), edges]
    first, last = (np.searchsorted(end, at, side="right") for at in (cuts[:-1], cuts[1:] - 1))
    gather = np.diff(cuts) + last - first + 1
    # On the path a row's own step is behind its edges.
    place = end + np.arange(rows)
    steps = np.r_[np.arange(0, edges + rows, TILE), edges + rows]
    done = steps - np.searchsorted(place, steps)
    tiles = np.add.reduceat(degrees, np.arange(0, rows, ROWS))
    return gather, np.diff(done), tiles


CHEAP = (
    "Redistribution is not behind at small degrees because a whole CTA looks for the end of a "
    "section, 256 rows at a look, which makes the uneven search for rows cheap: with a search by "
    "halving it was behind even at a mean degree of 64 (docs/performance-notes-expansion.md)"
)
REMARKS = {
    "random": (
        "On the H200, expansion and look-up in one kernel (expand_contract): redistribution is "
        "ahead of gathering by 4, 5 and 8 % at mean degrees of 16, 32 and 64, as the paper has for "
        "large ones, and by 4 % at 2; at 4 and 8 the two are even, within 0.7 %. A run of "
        "2026-11-24 had the same within 1 %. Neither has gathering ahead for small ones. "
        "In two phases gathering is ahead by 1.3 to 2.2 % from 8 on, and even with it below, "
        "within 0.5 %. The hybrid, with f0 = 2 where the paper takes 10, is between 3 % behind the "
        f"better one and 0.6 % ahead of it. {CHEAP}.\n\n"
        "Writing locations down in between (`separate`) costs 11 to 15 % of the best rate at mean "
        "degrees of 2 to 8 and 19 to 22 % from 16 on, as the paper expects. Gathering without the "
        "merge path (twc) is ahead of all couplings on these graphs, whose rows differ little: 1.5 "
        "times at 2, 1.34 at 4 and 1.11 to 1.27 from 8 on. Launches of the host are in these "
        "times, and other programs ran on it, though none on the GPU: rates are 0.78 to 1.04 times "
        "those of 2026-11-24, the least at 2, where a level takes least. A run between them had "
        "0.95 to 1.19 times these rates, redistribution ahead at 16 and 64 alone. By count, on the "
        "CPU, all couplings are nearly even: what is left of imbalance is at small mean degrees, "
        "and at 4 and above less than rows as they come have."
    ),
    "rmat": (
        "On the H200, expansion and look-up in one kernel (expand_contract): redistribution is "
        "ahead of gathering by 4 to 6 % from a mean degree of 8 on, as in the paper for large "
        "ones, and by 8 % at 2, where the paper has gathering ahead; gathering is by 2 % at 4 "
        "alone. In two phases gathering is ahead by 0.4 to 2.4 % from 16 on and redistribution by "
        "1 to 5 % below. The hybrid, with f0 = 2 where the paper takes 10, is between 7 % behind "
        "the better one and 1.3 % ahead of it from 4 on, and 19 % behind at 2, or 7 % ahead in two "
        f"phases; why it is not the better one is not explained. {CHEAP}.\n\n"
        "Writing locations down in between (`separate`) costs 10 to 12 % of the best rate at 2 and "
        "4 and 15 to 20 % from 8 on. Gathering without the merge path (twc) is ahead of all "
        "couplings, 1.25 times at 2, 1.22 at 4 and 1.08 to 1.15 from 8 on, where the paper's "
        "couplings are up to 1.42 times as fast as such gathering on most of its graphs. Launches "
        "of the host are in these times, and other programs ran on it, though none on the GPU. "
        "Three runs before had 0.83 to 1.25 times these rates, at 2 anything from gathering 13 % "
        "ahead to redistribution 3 %: what all four have is redistribution ahead by 2 to 15 % at "
        "16 and 64, in three of them by 6 to 8 % at 32, and gathering ahead in two phases from 16 "
        "on. By count, on the CPU, all couplings are nearly even, and rows as they come are 9 to "
        "17 % from it."
    ),
}

FIGURES = tuple(
    Figure(
        "load_balanced",
        name,
        f"couplings of redistribution and gathering by mean degree, {words}",
        "merge path: work redistribution coupled with gathering",
        ("kernels/cuda/expansion/expand_merge_path.cuh", "spbfs/planner/expansion.py"),
        ("cpu", "cuda"),
        partial(by_mean_degree, kind),
        REMARKS[kind],
        ("mean degree", "G edges/s"),
    )
    for name, kind, words in (
        ("fig-6", "random", "uniform random graphs"),
        ("fig-7", "rmat", "R-MAT graphs"),
    )
)
