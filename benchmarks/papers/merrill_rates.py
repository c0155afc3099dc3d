"""Merrill, Garland, Grimshaw, Table 2 with Fig. 10, and Fig. 5: rates of organisations, and of who
walks a row."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.papers.figure import Found, Plot, Setting
from benchmarks.papers.graphs import as_matrix, giant_sources, suite
from benchmarks.papers.pushing import bench_of, gteps, measured
from spbfs.planner.expansion import ORGANISATIONS, STRATEGIES, Expansion

__all__ = ["GRAPHS", "by_organisation", "by_strategy"]

#: Those of the paper's table that a generator makes.
GRAPHS = (
    "grid5pt.5000",
    "grid7pt.300",
    "kron_g500-logn20",
    "random.2Mv.128Me",
    "rmat.2Mv.128Me",
)
#: And one or more of every other class: what is chosen must be at least as good as what could be
#: asked for.
CLASSES = (
    *GRAPHS,
    *("web", "mesh", "road", "kron16", "kron18", "kron22", "social", "small world"),
    *(f"random d={d}" for d in (2, 4, 8, 16, 32)),
    *("star", "chain"),
)
LOCAL = "warp+history"
#: Column -> a way, and whether parents are written.
WAYS: dict[str, tuple[Expansion, bool]] = {
    "hybrid, distance": (Expansion("twc", LOCAL, "hybrid"), False),
    "hybrid, predecessor": (Expansion("twc", LOCAL, "hybrid"), True),
    **{name: (Expansion("twc", LOCAL, name), True)
       for name in ("expand_contract", "contract_expand", "two_phase")},
    "hybrid, atomic": (Expansion("twc", "atomic", "hybrid"), True),
    "chosen by level": (Expansion(), True),
}  # fmt: skip
ABOUT = (
    "8 sources a graph, medians of medians of 3; CUDA events around a whole search, clearing and "
    "the host's decisions included; stored (directed) entries of the source's component count, as "
    "in the paper. Every first search is checked as a tree."
)


def by_organisation(setting: Setting) -> Found:
    """Table 2 and Fig. 10: rates by which frontier is kept in memory."""
    return (_organisations if setting.device == "cuda" else _on_cpu)(setting)


def _organisations(setting: Setting) -> Found:
    rows: list[tuple[Any, ...]] = []
    for name, graph in suite(setting, GRAPHS):
        bench = bench_of(name, graph, setting)
        found = [gteps(measured(bench, how, setting, parents)) for how, parents in WAYS.values()]
        fused = bench.fused(3)
        rows.append((name, *found, gteps(fused)))
    fused = ", ".join(f"{row[0].split('.')[0]} {row[-1]:.3g}" for row in rows)
    return Found(
        ("graph, G edges/s", *WAYS, "spbfs.bfs"), rows,
        about=f"{ABOUT} scan + warp + CTA gathering; warp and history culling where a column does "
        "not say otherwise; predecessors are written but in the first column. The last is "
        "`spbfs.bfs` where nothing is asked for: one launch, push or pull.",
        gives=f"spbfs.bfs, G edges/s: {fused}",
    )  # fmt: skip


def _on_cpu(setting: Setting) -> Found:
    """The same question of the CPU's engine, which has one organisation and chooses directions."""
    rows: list[tuple[Any, ...]] = []
    for name, graph in suite(setting, GRAPHS):
        A = as_matrix(graph, setting)
        sources = giant_sources(A, 2 if setting.quick else 8)
        edges = sb.bfs(A, sources[0]).edges
        rates = []
        for direction in ("push", "auto"):
            for parents in (False, True):
                seconds = _seconds(A, sources, direction, parents)
                rates.append(edges / seconds / 1e9)
        rows.append((name, graph[0], edges, *rates))
    best = ", ".join(f"{row[0].split('.')[0]} {row[-1]:.3g}" for row in rows)
    return Found(
        ("graph, G edges/s", "vertices", "edges", "push, distance", "push, predecessor",
         "push or pull, distance", "push or pull, predecessor"),
        rows,
        about=f"`spbfs.bfs` with all cores, {len(sources)} sources a graph, medians "
        "of medians of 3, the host's clock around a call; stored (directed) entries of the "
        "source's component count.",
        gives=f"spbfs.bfs, levels and parents, G edges/s: {best}",
    )  # fmt: skip


def _seconds(A: sb.Matrix, sources: list[int], direction: Any, parents: bool) -> float:
    sb.bfs(A, sources[0], direction=direction, parents=parents)
    medians = []
    for source in sources:
        taken = []
        for _ in range(3):
            begin = time.perf_counter()
            sb.bfs(A, source, direction=direction, parents=parents)
            taken.append(time.perf_counter() - begin)
        medians.append(float(np.median(taken)))
    return float(np.median(medians))


#: Levels from which the time of a search is that of its launches, whatever is launched.
DEEP = 500


def by_strategy(setting: Setting) -> Found:
    """Fig. 5, in whole searches: who walks a row, every strategy in the organisation that suits it
    best, beside what is chosen where nothing is asked for."""
    names = GRAPHS if setting.quick else CLASSES
    fixed = [s for s in STRATEGIES if s not in ("auto", "merge_path")]
    rows: list[tuple[Any, ...]] = []
    for name, graph in suite(setting, names):
        bench = bench_of(name, graph, setting)
        fused = bench.fused(3)["milliseconds"]
        chosen = measured(bench, Expansion(), setting)["milliseconds"]
        best: dict[str, float] = {}
        for how in _combinations(fixed, bench.depth > DEEP):
            taken = measured(bench, how, setting)["milliseconds"]
            best[how.strategy] = min(best.get(how.strategy, np.inf), taken)
        least = min(best.values())
        rows.append((name, fused, chosen, least, chosen / least, *(best[s] for s in fixed)))
    lines = {row[0]: [(float(i), row[5 + i]) for i in range(len(fixed))] for row in rows}
    worst = max(rows, key=lambda row: float(row[4]))
    return Found(
        ("graph, ms", "spbfs.bfs", "chosen by level", "best fixed", "chosen over best", *fixed),
        rows,
        (Plot("Whole searches by who walks a row", "strategy", "ms", lines, log_y=True,
              names=fixed),),
        f"{ABOUT} Whole searches, duplicates told by `atomic`, the best of all organisations; the "
        "paper has gathering alone. `spbfs.bfs` is the fused search; chosen by level is "
        "`Expansion()`.",
        f"chosen by level is at most {worst[4]:.2f} times the best fixed way ({worst[0]})",
    )  # fmt: skip


def _combinations(strategies: list[str], deep: bool) -> list[Expansion]:
    """Strategies in organisations, but where only launches would be measured."""
    found = []
    for organisation in ORGANISATIONS:
        for strategy in strategies:
            path = strategy.startswith("merge_path")
            launches = organisation not in ("auto", "hybrid") and strategy != "twc"
            if not (organisation == "contract_expand" and path) and not (deep and launches):
                found.append(Expansion(strategy, "atomic", organisation))
    return found
