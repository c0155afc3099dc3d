"""Fused breadth-first search on one GPU: validate, time, print a table.

The clock (CUDA events, queued behind a kernel that keeps the GPU busy, so that the host's launch
time stays out) encloses one search: source on the device, graph resident, levels and parents
written in the caller's labels.  TEPS counts stored (directed) entries of the component.
Run as ``python -m benchmarks.cuda_bfs --help``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

from benchmarks.cuda_clock import describe_device, device_milliseconds, wall_milliseconds
from benchmarks.cuda_graphs import OTHERS, TABLE, Graph
from benchmarks.cuda_validate import check_tree
from spbfs.backends.cuda.bfs import FusedBFS, Tuning
from spbfs.backends.cuda.layout import build_layout, lay_out


def giant_sources(plan: FusedBFS, degree: Any, count: int) -> tuple[list[int], int, Any]:
    """Random vertices of the largest component seen, its size, and a mask of it."""
    n = plan.layout.caller_n
    levels = cp.empty(n, dtype=cp.int32)
    rng = np.random.default_rng(1)
    candidates = [int(degree.argmax()), *(int(v) for v in rng.integers(0, n, 20))]
    best, mask = 0, None
    for v in candidates:
        plan.run(v, levels, None)
        reached = plan.summary().reached
        if reached > best:
            best, mask = reached, levels >= 0
        if best > n // 2:
            break
    vertices = cp.flatnonzero(mask)
    picks = cp.asarray(rng.integers(0, int(vertices.size), count))
    return [int(v) for v in vertices[picks].get()], best, mask


def time_runs(
    plan: FusedBFS, sources: list[int], levels: Any, parents: Any, repeats: int
) -> list[float]:
    """Median device milliseconds of each source."""
    on_device = cp.asarray(sources, dtype=cp.int32)
    return [
        device_milliseconds(lambda k=k: plan.run(on_device[k : k + 1], levels, parents), repeats)
        for k in range(len(sources))
    ]


def print_trace(plan: FusedBFS, source: int, levels: Any, parents: Any, rows: int = 40) -> None:
    trace = cp.zeros((1 << 16, 4), dtype=cp.int64)
    plan.run(source, levels, parents, trace=trace)
    table = trace[: plan.summary().depth + 3].get()
    names = ("start", "push", "pull", "small", "solo", "emit")
    previous = table[0, 3]
    for level, (direction, vertices, edges, stamp) in enumerate(table[:rows]):
        if stamp == 0:
            continue
        us = (stamp - previous) / 1e3
        print(
            f"    level {level:3d} {names[direction]:5s} vertices {vertices:9d} "
            f"edges {edges:10d} {us:8.2f} us"
        )
        previous = stamp


#: A variant: what is changed of the layout that the planner chooses, and of the constants.
Variant = tuple[str, dict[str, Any], dict[str, Any]]


def variants(hubs: int, sweep: bool) -> list[Variant]:
    """The default first, then other constants, then other layouts."""
    found: list[Variant] = [("default", {}, {})]
    if sweep:
        found += [(f"solo {s}", {}, {"solo_enter": s, "solo_leave": s}) for s in (0, 512, 2048)]
        found += [("caller's labels", {"hubs": None}, {})] if hubs else []
        found += [(f"hubs 2^{h}", {"hubs": 1 << h}, {}) for h in (13, 14, 15) if 1 << h != hubs]
    return found


def bench(name: str, graph: Graph, count: int, repeats: int, sweep: bool) -> list[dict[str, Any]]:
    n, indptr, indices = graph
    case = (TABLE | OTHERS)[name]
    bar, goal = case.bar, case.goal
    degree = indptr[1:] - indptr[:-1]
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    rows: list[dict[str, Any]] = []
    begin = time.perf_counter()
    layout = lay_out(n, indptr, indices)
    cp.cuda.Device().synchronize()
    print(f"  laid out in {time.perf_counter() - begin:.2f} s, {layout.nbytes / 1e6:.0f} MB")
    built: dict[str, Any] = {}
    sources: list[int] = []
    entries = 0
    for label, change, constants in variants(layout.hubs, sweep):
        if built != change:
            layout, built = build_layout(n, indptr, indices, **change), change
        plan = FusedBFS(layout, tuning=Tuning(**constants))
        if not sources:
            sources, reached, mask = giant_sources(plan, degree, count)
            entries = int(degree[mask].sum())
        broken = ""
        checked = sources if label == "default" else sources[:3]
        for source in checked:
            levels.fill(-7)
            parents.fill(-7)
            plan.run(source, levels, parents)
            broken = check_tree(n, indptr, indices, source, levels, parents)
            if not broken and plan.summary().reached != reached:
                broken = f"reached {plan.summary().reached}, expected {reached}"
            if broken:
                print(f"  BROKEN {name} {label} source {source}: {broken}")
                break
        if label == "default":
            print_trace(plan, sources[0], levels, parents, rows=40)
        depth = plan.summary().depth
        times = time_runs(plan, sources, levels, parents, repeats)
        median = float(np.median(times))
        wall = None
        if label == "default":
            wall = wall_milliseconds(partial(plan.run, sources[0], levels, parents), 50)
        rows.append(
            {
                "graph": name,
                "variant": label,
                "vertices": n,
                "entries": int(indices.shape[0]),
                "reached": reached,
                "component_entries": entries,
                "depth": depth,
                "valid": not broken,
                "milliseconds": median,
                "best": min(times),
                "worst": max(times),
                "bar": bar,
                "goal": goal,
                "gteps_directed_harmonic": entries * len(times) / sum(times) / 1e6,
                "wall_milliseconds": wall,
                "layout_bytes": plan.layout.nbytes,
                "plan_bytes": plan.nbytes,
            }
        )
        del plan
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "graphs", nargs="*", default=list(TABLE), help="names from cuda_graphs.TABLE and OTHERS"
    )
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--sweep", action="store_true", help="also other layouts and constants")
    parser.add_argument("--out", type=Path, help="write JSON there")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name in options.graphs:
        begin = time.perf_counter()
        try:
            graph = (TABLE | OTHERS)[name].make()
            made = time.perf_counter() - begin
            print(
                f"{name}: n {graph[0]}, entries {graph[2].shape[0]}, made in {made:.1f} s",
                flush=True,
            )
            rows += bench(name, graph, options.sources, options.repeats, options.sweep)
        except FileNotFoundError as error:
            print(f"{name}: left out, {error}")
        except cp.cuda.driver.CUDADriverError as error:
            print(f"  FAILED {name}: {error}")
        print(f"  {time.perf_counter() - begin:.1f} s in all", flush=True)
        graph = None  # type: ignore[assignment]
        cp.get_default_memory_pool().free_all_blocks()
    columns = "milliseconds best worst bar goal gteps_directed_harmonic wall_milliseconds".split()
    heads = "ms best worst bar goal GTEPS wall".split()
    print(f"{'graph':10s} {'variant':12s}", *(f"{h:>8s}" for h in heads), "depth valid")
    for r in rows:
        cells = (" " * 8 if r[c] is None else f"{r[c]:8.4g}" for c in columns)
        print(f"{r['graph']:10s} {r['variant']:12s}", *cells, f"{r['depth']:5d} {r['valid']}")
    if options.out:
        options.out.write_text(json.dumps({**describe_device(), "rows": rows}, indent=1))
    return 0 if all(r["valid"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
