"""Published expansion strategies side by side on one GPU: a table for each paper, theirs and ours.

The clock (CUDA events) encloses a whole search, from clearing the outputs to the last level,
with the host's part: it reads every level's counts.  Levels and parents are written unless a column
says otherwise.  Rates count stored (directed) entries of the source's component, as the papers do.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.cuda.device import describe_device
from benchmarks.cuda.expansion_graphs import CLASSES, GRAPHS, mean_degree, rmat
from benchmarks.cuda.expansion_report import MERRILL, markdown
from benchmarks.cuda.graphs import Graph, on_device
from benchmarks.cuda.validate import check_tree
from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
from spbfs.engines.cuda.expansion.kernels import TILED
from spbfs.planner.expansion import ORGANISATIONS, Expansion

COUPLINGS = tuple(
    f"merge_path:{c}" for c in ("separate", "balanced_gather", "balanced_redistribute", "hybrid")
)
#: Levels from which the time of a search is that of its launches.
DEEP = 500
#: Milliseconds from which a search is timed once.
LONG = 20.0
Row = dict[str, Any]


class Bench:
    """One graph, its sources, and searches of them in one way after another."""

    def __init__(self, name: str, graph: Graph, count: int) -> None:
        self.name, self.graph = name, graph
        self.n, self.indptr, self.indices = graph
        self.degree = self.indptr[1:] - self.indptr[:-1]
        self.levels = cp.empty(self.n, dtype=cp.int32)
        self.parents = cp.empty(self.n, dtype=cp.int32)
        rng = np.random.default_rng(1)
        self.sources: list[int] = []
        engine = LevelSynchronousBFS(*graph)
        while len(self.sources) < count:
            source = int(rng.integers(0, self.n))
            self.depth = engine.run(source, self.levels, None).depth
            reached = self.levels >= 0
            if 2 * int(reached.sum()) > int(cp.count_nonzero(self.degree)):
                self.sources.append(source)
                self.edges = int(self.degree[reached].sum())

    def measure(self, how: Expansion, repeats: int, parents: bool = True) -> Row:
        """Median milliseconds over the sources; the first search is checked, not timed."""
        engine = LevelSynchronousBFS(*self.graph, how)
        tree = self.parents if parents else None
        passed = engine.run(self.sources[0], self.levels, tree)
        row = {**asdict(how), "parents": parents}
        self._check(row, self.levels, tree)
        self._time(row, lambda source: engine.run(source, self.levels, tree), repeats)
        return row | {"redundant_expansion": passed.edges / max(self.edges, 1)}

    def fused(self, repeats: int) -> Row:
        """The same of what `spbfs.bfs` does where nothing is asked for."""
        plan = sb.BFSPlan(on_device(self.graph))
        row: Row = dict.fromkeys(("strategy", "culling", "organisation"), "fused")
        row["parents"] = True
        first = plan.run(self.sources[0])
        levels, parents = (cp.asarray(x._ready().values) for x in first if x is not None)
        self._check(row, levels, parents)
        del first, levels, parents
        self._time(row, plan.run, repeats)
        return row | {"redundant_expansion": 1.0}

    def _check(self, row: Row, levels: Any, parents: Any) -> None:
        broken = check_tree(*self.graph, self.sources[0], levels, parents)
        row |= {"graph": self.name, "valid": not broken}
        if broken:
            print(f"  BROKEN {row}: {broken}", flush=True)

    def _time(self, row: Row, search: Callable[[int], Any], repeats: int) -> None:
        times = []
        for source in self.sources:
            taken = []
            for _ in range(1 + repeats):
                start, stop = cp.cuda.Event(), cp.cuda.Event()
                start.record()
                result = search(source)
                stop.record()
                stop.synchronize()
                taken.append(cp.cuda.get_elapsed_time(start, stop))
                del result
                if taken[-1] > LONG:
                    break
            times.append(float(np.median(taken[1:] or taken)))  # the first may load a kernel
        median = float(np.median(times))
        row |= {"milliseconds": median, "gteps": self.edges / median / 1e6}


# -- tables ----------------------------------------------------------------------------------------


def organisations(bench: Bench, repeats: int) -> Iterator[Row]:
    """Merrill et al.: organisations and culling with scan + warp + CTA gathering."""
    yield bench.fused(repeats)
    yield bench.measure(Expansion(), repeats)
    for organisation in ORGANISATIONS[1:]:
        yield bench.measure(Expansion("twc", "warp+history", organisation), repeats)
    yield bench.measure(Expansion("twc", "warp+history", "hybrid"), repeats, parents=False)
    yield bench.measure(Expansion("twc", "atomic", "hybrid"), repeats)
    for culling in ("none", "warp", "history", "atomic"):
        yield bench.measure(Expansion("twc", culling, "two_phase"), repeats)


def strategies(bench: Bench, repeats: int) -> Iterator[Row]:
    """Who walks a row, everything else alike; and what is chosen where nothing is asked for."""
    yield bench.fused(repeats)
    yield bench.measure(Expansion(), repeats)
    for organisation in ORGANISATIONS:
        for strategy in (*TILED, *COUPLINGS):
            if organisation == "contract_expand" and strategy in COUPLINGS:
                continue
            # A search of a thousand levels measures launches, whatever is launched.
            launches = organisation not in ("auto", "hybrid")
            if bench.depth > DEEP and launches and strategy != "twc":
                continue
            yield bench.measure(Expansion(strategy, "atomic", organisation), repeats)


def couplings(bench: Bench, repeats: int) -> Iterator[Row]:
    """Load-balanced BFS: the four couplings, in its own organisation and in two phases."""
    for organisation in ("expand_contract", "two_phase"):
        for coupling in COUPLINGS:
            yield bench.measure(Expansion(coupling, "atomic", organisation), repeats)


def degrees() -> dict[str, Callable[[], Graph]]:
    every = (2, 4, 8, 16, 32, 64)
    return {
        **{f"random d={d}": lambda d=d: mean_degree(d) for d in every},  # type: ignore[misc]
        **{f"rmat d={d}": lambda d=d: rmat(21, d << 20) for d in every},  # type: ignore[misc]
    }


def pick(*names: str) -> dict[str, Callable[[], Graph]]:
    return {name: GRAPHS[name] for name in names}


TABLES: dict[str, tuple[Callable[[Bench, int], Iterator[Row]], dict[str, Callable[[], Graph]]]] = {
    "organisations": (organisations, pick(*MERRILL)),
    "strategies": (strategies, CLASSES),
    "couplings": (couplings, degrees()),
}


def line(row: Row) -> str:
    cells = f"  {row['strategy']:33s}{row['culling']:13s}{row['organisation']:16s}"
    cells += "parents" if row["parents"] else "levels "
    cells += f"{row['milliseconds']:10.3f} ms{row['gteps']:9.2f} GTEPS"
    cells += f"{row['redundant_expansion']:6.2f}x"
    return cells + ("" if row["valid"] else "  BROKEN")


def run(options: argparse.Namespace) -> list[Path]:
    began = time.perf_counter()
    report: dict[str, Any] = {
        **describe_device(),
        "edges": "stored (directed) entries of the source's component",
        "clock": "CUDA events around a search, host's decisions and clearing included",
        "sources": options.sources,
        "repeats": options.repeats,
        "statistic": "median over sources of medians over repeats",
        "graphs": {},
        "tables": {},
    }
    options.output.mkdir(parents=True, exist_ok=True)
    stem = options.output / f"expansion-{report['date']}"
    paths = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    for table in options.tables:
        measure, graphs = TABLES[table]
        print(f"== {table}: {measure.__doc__}", flush=True)
        rows = report["tables"][table] = []
        for name, make in graphs.items():
            if options.graphs and name not in options.graphs:
                continue
            try:
                bench = Bench(name, make(), options.sources)
            except FileNotFoundError as error:
                print(f"{name}: left out, {error}")
                continue
            print(
                f"{name}: {bench.n} vertices, {bench.indices.shape[0]} entries, "
                f"depth {bench.depth} [{time.perf_counter() - began:.0f} s]",
                flush=True,
            )
            report["graphs"][name] = {
                "vertices": bench.n,
                "entries": int(bench.indices.shape[0]),
                "depth": bench.depth,
            }
            for row in measure(bench, options.repeats):
                print(line(row), flush=True)
                rows.append({
                    key: float(f"{x:.4g}") if isinstance(x, float) else x for key, x in row.items()
                })  # fmt: skip
            # What has been measured is kept even if the next graph is never reached.
            text = json.dumps(report).replace("}, {", "},\n {")  # a row a line
            paths[0].write_text(text + "\n", encoding="utf-8")
            paths[1].write_text(markdown(report), encoding="utf-8")
            del bench
            cp.get_default_memory_pool().free_all_blocks()
    return paths
