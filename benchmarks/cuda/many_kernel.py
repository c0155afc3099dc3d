"""Internal: the kernels of many searches alone, with other constants, and what every level did.

Run as ``python -m benchmarks.cuda.many_kernel --help``.  It calls the engine, not `spbfs.bfs_many`,
so that its figures are for tuning the kernels; `benchmarks.cuda.many` has those of the function.

The clock (CUDA events) encloses the traversal and the output named, queued behind a kernel that
keeps the GPU busy; layout and workspace come before.  An edge is a stored entry in a row that a
source reaches, once a source.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.report import known_names
from benchmarks.common.sources import SourcesWithAnEdge
from benchmarks.cuda.clock import device_milliseconds
from benchmarks.cuda.graphs import OTHERS, TABLE, Graph, measure_each, on_device
from benchmarks.cuda.many import DEFAULT
from spbfs.engines.cuda.bfs_many.fused import ManyBFS, ManyTuning, empty_levels
from spbfs.engines.cuda.graph.layout import build_layout
from spbfs.planner import many as planner_many
from spbfs.storage.packed import words_of

#: What a variant may change beside the constants of `ManyTuning`.
SHAPE = {"hubs": 1 << 30, "words": 0}
#: Levels that a trace has room for.
TRACED = 64
#: Parents are measured up to so many sources: they take four bytes a vertex each.
MOST_PARENTS = 256


def parse(variant: str) -> tuple[dict[str, int], ManyTuning]:
    """``"threads=512,hubs=65536"`` as shape and tuning."""
    given = dict(pair.split("=") for pair in variant.split(",") if "=" in pair)
    shape = {name: int(given.pop(name, default)) for name, default in SHAPE.items()}
    floats = ("push_cost", "dense", "covered", "kept")
    values = {k: float(v) if k in floats else int(v) for k, v in given.items()}
    return shape, ManyTuning(**values)


class Outputs:
    """Arrays for the results of all batches of a number of sources, and what fills them."""

    def __init__(self, plan: ManyBFS, sources: Any) -> None:
        count = len(sources)
        self.plan, self.sources = plan, sources
        self.batches = [slice(i, min(i + plan.width, count)) for i in range(0, count, plan.width)]
        self.levels = empty_levels(count, plan.layout.caller_n)
        self.fill: dict[str, Callable[[slice], Any]] = {
            "nothing": lambda batch: None,
            "levels": lambda batch: plan.levels(self.levels[batch]),
        }
        if count <= MOST_PARENTS:
            parents = cp.empty((count, plan.layout.caller_n), np.int32)
            self.fill["parents"] = lambda batch: plan.parents(
                parents, cp.arange(batch.start, batch.stop)
            )

    def make(self, output: str) -> None:
        """Search from all sources, and make an output of every batch."""
        for batch in self.batches:
            self.plan.run(self.sources[batch])
            self.fill[output](batch)


def print_trace(plan: ManyBFS, sources: Any) -> None:
    """What every level of one batch did."""
    trace = cp.zeros((TRACED, 4), dtype=cp.int64)
    plan.run(sources, trace=trace)
    names = ("", "push", "pull", "sparse", "narrow")
    table = trace.get()
    for level in range(1, min(TRACED - 1, plan.summary().depth + 2)):
        kind, vertices, entries, stamp = table[level]
        us = (stamp - table[level - 1, 3]) / 1e3
        print(f"    {level:2d} {names[kind]:6s} {vertices:9d} {entries:11d} {us:9.1f} us")


def measure(name: str, graph: Graph, options: argparse.Namespace) -> None:
    """A line for every variant and number of sources."""
    n, indptr, indices = graph
    A, drawn = on_device(graph), SourcesWithAnEdge(cp.asnumpy(indptr))
    for count in options.sources:
        sources = cp.asarray(drawn.draw(count), np.int32)
        expected = sb.bfs_many(A, sources, outputs="levels")
        for variant in options.variants:
            shape, tuning = parse(variant)
            layout = build_layout(n, indptr, indices, hubs=shape["hubs"])
            words = shape["words"] or words_of(planner_many.cuda_lanes(count))
            plan = ManyBFS(layout, words=words, tuning=tuning)
            made = Outputs(plan, sources)
            cells = [f"{name:10s} {variant:28s} {count:5d}"]
            for output in made.fill:
                made.make(output)
                ms = device_milliseconds(lambda o=output, m=made: m.make(o), options.repeats)
                cells.append(f"{output} {ms:7.3f} ms {expected.edges / ms / 1e9:6.2f} TTEPS")
            if not bool((made.levels == expected.levels).all()):
                cells.append("BROKEN: levels differ from those of spbfs.bfs_many")
            print("  ".join(cells), flush=True)
            if options.trace and count <= plan.width:
                print_trace(plan, sources)
            del plan, made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=DEFAULT)
    parser.add_argument("--sources", type=int, nargs="+", default=[256, 1024])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--variants", nargs="+", default=["default"], help="constant=value,...")
    parser.add_argument("--trace", action="store_true", help="what every level did")
    options = parser.parse_args()
    graphs = known_names(options.graphs, TABLE | OTHERS)
    measure_each(graphs, lambda name, graph: measure(name, graph, options))


if __name__ == "__main__":
    main()
