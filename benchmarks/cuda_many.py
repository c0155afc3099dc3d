"""Breadth-first search from many sources at once on one GPU: validate, time, print a table.

Run as ``python -m benchmarks many --device cuda``; with other constants, and what every level did,
as ``python -m benchmarks.cuda_many --help``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

from benchmarks.bfs import known_names
from benchmarks.cuda_clock import describe_device, device_milliseconds
from benchmarks.cuda_graphs import Graph, kronecker
from spbfs.algorithms.bfs_many.grouping import group_by_hub
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs_many.fused import ManyBFS, ManyTuning, empty_levels
from spbfs.engines.cuda.graph.layout import Layout, build_layout
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.packed import words_of


@dataclass(frozen=True)
class Case:
    make: Callable[[], Graph]
    #: Tera traversed edges a second with levels written, for 256 and for 1024 sources.
    bars: tuple[float | None, float | None]


METHOD = {
    "edges": "directed: stored entries in the component of a source, summed over the sources",
    "clock": (
        "events around the traversal and the output named, queued behind a kernel that keeps the "
        "GPU busy, graph and sources on the device, median of the repeats; layout and workspace "
        "come before"
    ),
    "levels": "uint8 of all vertices in the caller's labels, a row a source",
    "sums": "vertices reached, sum of levels and eccentricity of every source",
    "parents": "int32 of all vertices in the caller's labels, of the first 256 sources",
    "order": (
        "random sources of the largest component as drawn, ordered by their hubs, or of 4096 so "
        "ordered the middle ones"
    ),
    "valid": "levels of eight sources of every line against single searches",
}
TABLE = {
    "kron21": Case(lambda: kronecker(21), (8.0, 10.0)),
    "rmat21": Case(lambda: kronecker(21, 64, 0.45, 0.15, 0.15), (15.0, 20.0)),
    "kron24": Case(lambda: kronecker(24), (6.0, None)),
    "kron18": Case(lambda: kronecker(18), (None, None)),
}


DEFAULT = ["kron21", "rmat21", "kron24"]


def component_entries(layout: Layout, graph: Graph) -> tuple[Any, int]:
    """A mask of the largest component, and its stored entries."""
    n, indptr, _ = graph
    degree = indptr[1:] - indptr[:-1]
    plan, levels = FusedBFS(layout), cp.empty(n, dtype=cp.int32)
    plan.run(int(degree.argmax()), levels, None)
    mask = levels >= 0
    return mask, int(degree[mask].sum())


def check(layout: Layout, sources: Any, levels: Any, seed: int) -> str:
    """The levels of eight sources against one search each; what is wrong, or nothing."""
    plan = FusedBFS(layout)
    expected = cp.empty(layout.caller_n, dtype=cp.int32)
    for j in np.random.default_rng(seed).integers(0, len(sources), 8):
        plan.run(int(sources[j]), expected, None)
        if not bool((levels[int(j)] == (expected & 255).astype(cp.uint8)).all()):
            return f"levels of source {int(sources[j])} differ"
    return ""


def median_ms(run: Callable[[], None], repeats: int) -> float:
    run()
    return device_milliseconds(run, repeats)


def print_trace(plan: ManyBFS, sources: Any) -> None:
    trace = cp.zeros((64, 4), dtype=cp.int64)
    plan.run(sources, trace=trace)
    names = ("", "push", "pull", "sparse")
    table = trace.get()
    for level in range(1, min(63, plan.summary().depth + 2)):
        kind, vertices, entries, stamp = table[level]
        us = (stamp - table[level - 1, 3]) / 1e3
        print(f"    {level:2d} {names[kind]:6s} {vertices:9d} {entries:11d} {us:9.1f} us")


class Run:
    """All batches of a number of sources, with one output."""

    def __init__(self, plan: ManyBFS, count: int) -> None:
        self.plan, self.parents = plan, None
        self.batches = [slice(i, min(i + plan.width, count)) for i in range(0, count, plan.width)]
        self.levels = empty_levels(count, plan.layout.caller_n)
        self.sums = [cp.empty(count, dtype=d) for d in (np.int64, np.int64, np.int32)]

    def __call__(self, output: str, sources: Any) -> None:
        for batch in self.batches:
            self.plan.run(sources[batch])
            if output == "levels":
                self.plan.levels(self.levels[batch])
            elif output == "sums":
                self.plan.per_source(*(a[batch] for a in self.sums))
            elif output == "parents":
                if self.parents is None:
                    shape = self.levels.shape[0], self.plan.layout.caller_n
                    self.parents = cp.empty(shape, np.int32)
                self.plan.parents(self.parents, cp.arange(batch.start, batch.stop))


#: What a variant may change beside the constants of `ManyTuning`.
SHAPE = {"hubs": 1 << 30, "words": 0}


def parse(variant: str) -> tuple[dict[str, int], ManyTuning]:
    """``"threads=512,hubs=65536"`` as shape and tuning."""
    given = dict(pair.split("=") for pair in variant.split(",") if "=" in pair)
    shape = {name: int(given.pop(name, default)) for name, default in SHAPE.items()}
    floats = ("push_cost", "dense", "covered")
    values = {k: float(v) if k in floats else int(v) for k, v in given.items()}
    return shape, ManyTuning(**values)


def bench(name: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    graph = TABLE[name].make()
    n, indptr, indices = graph
    pattern = MatrixData(n, n, indptr, indices, iso_array(cp.ones(1, bool), indices.shape[0]))
    entries, layout, built, rng = 0, None, 0, np.random.default_rng(7)
    candidates = cp.empty(0, dtype=cp.int32)
    rows: list[dict[str, Any]] = []
    for variant in options.variants:
        shape, tuning = parse(variant)
        if layout is None or built != shape["hubs"]:
            layout, built = build_layout(n, indptr, indices, hubs=shape["hubs"]), shape["hubs"]
        if entries == 0:
            mask, entries = component_entries(layout, graph)
            vertices = cp.flatnonzero(mask)
            picks = cp.asarray(rng.integers(0, int(vertices.size), options.pool))
            candidates = vertices[picks].astype(cp.int32)
            print(f"{name}: n {n}, entries {indices.shape[0]}, component {entries}", flush=True)
        for count in options.sources:
            words = shape["words"] or words_of(planner_many.cuda_lanes(count))
            plan = ManyBFS(layout, words=words, tuning=tuning)
            within, middle = candidates[:count], (options.pool - count) // 2
            grouped = candidates[group_by_hub(pattern, candidates.get())]
            choices = {
                "random": within,
                "ordered": within[group_by_hub(pattern, within.get())],
                "grouped": grouped[middle : middle + count],
            }
            run = Run(plan, count)
            for order in options.orders:
                sources = choices[order]
                run("levels", sources)
                broken = check(layout, sources.get(), run.levels, count)
                outputs = ["levels", "sums", "nothing", *(["parents"] if count <= 256 else [])]
                times = {o: median_ms(lambda o=o, s=sources, r=run: r(o, s), options.repeats)
                         for o in outputs}  # fmt: skip
                tteps = {o: entries * count / t / 1e9 for o, t in times.items()}
                rows.append({
                    "graph": name, "n": n, "entries": int(indices.shape[0]),
                    "component_entries": entries, "variant": variant, "sources": count,
                    "batch": plan.width,
                    "order": order, "pool": options.pool, "valid": not broken,
                    "milliseconds": times, "tteps": tteps,
                    "bar": TABLE[name].bars[count > 256], "workspace_bytes": plan.nbytes,
                })  # fmt: skip
                print(
                    f"  {variant:28s} {count:5d} {order:8s}"
                    + "".join(f" {o} {times[o]:7.3f} ms {tteps[o]:6.2f}" for o in times)
                    + (f" BROKEN: {broken}" if broken else ""),
                    flush=True,
                )
                if options.trace and count <= plan.width:
                    print_trace(plan, sources)
            del plan, run
            cp.get_default_memory_pool().free_all_blocks()
    return rows


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    if options.graphs:
        known_names(options.graphs, TABLE)
    asked = argparse.Namespace(
        variants=["default"],
        orders=["random", "ordered", "grouped"],
        sources=options.sources or [256, 1024],
        repeats=options.repeats,
        pool=options.grouped,
        trace=False,
    )
    rows = [row for name in options.graphs or DEFAULT for row in bench(name, asked)]
    report = {"benchmark": "many", **describe_device(), "method": METHOD, "rows": rows}
    options.output.mkdir(parents=True, exist_ok=True)
    stem = options.output / f"many-cuda-{report['date']}"
    paths = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    paths[0].write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    paths[1].write_text(_markdown(report), encoding="utf-8")
    return paths


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Many searches at once on {report['device']}, {report['date']}",
        "",
        *(f"{key.capitalize()}: {text}." for key, text in report["method"].items()),
        "",
        "Milliseconds, and 10^12 traversed edges a second (TTEPS).",
        "",
        "| graph | entries | sources | order | levels | TTEPS | bar | sums | TTEPS | neither "
        "| TTEPS | parents |",
        "|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in report["rows"]:
        ms, tteps, bar = row["milliseconds"], row["tteps"], row["bar"]
        cells = [row["graph"], f"{row['entries']}", f"{row['sources']}", row["order"]]
        for output in ("levels", "sums", "nothing"):
            cells += [f"{ms[output]:.3f}", f"{tteps[output]:.2f}"]
            if output == "levels":
                cells.append(f"{bar:g}" if bar else "")
        cells.append(f"{ms['parents']:.2f}" if "parents" in ms else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=DEFAULT)
    parser.add_argument("--sources", type=int, nargs="+", default=[256, 1024])
    parser.add_argument("--orders", nargs="+", default=["random", "ordered", "grouped"])
    parser.add_argument("--pool", type=int, default=4096, help="sources that groups are cut from")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--variants", nargs="+", default=["default"], help="constant=value,...")
    parser.add_argument("--trace", action="store_true", help="what every level did")
    parser.add_argument("--out", type=Path, help="write JSON there")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name in options.graphs:
        begin = time.perf_counter()
        rows += bench(name, options)
        print(f"  {time.perf_counter() - begin:.1f} s in all", flush=True)
        cp.get_default_memory_pool().free_all_blocks()
    if options.out:
        options.out.write_text(json.dumps({**describe_device(), "rows": rows}, indent=1))
    return 0 if all(r["valid"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
