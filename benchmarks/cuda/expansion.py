"""Searches of one graph in one published way after another on a GPU, timed and checked.

The clock (CUDA events) encloses a whole search, from clearing the outputs to the last level,
with the host's part: it reads every level's counts.  Levels and parents are written unless a row
says otherwise.  Rates count stored (directed) entries of the source's component, as the papers do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.cuda.graphs import Graph, on_device
from benchmarks.cuda.validate import check_tree
from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
from spbfs.planner.expansion import Expansion

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
