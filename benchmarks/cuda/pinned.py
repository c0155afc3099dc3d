"""Graphs whose entries stay in memory of the host, with a fraction of their size on the GPU.

Run as ``python -m benchmarks pinned --device cuda``.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cuda import large_graphs
from benchmarks.cuda.bus import (
    ENTRY_BYTES,
    bandwidth,
    needed_bytes,
    needed_together,
    seconds,
)
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.sources import giant_sources
from benchmarks.cuda.validate import check_tree
from spbfs import semiring
from spbfs.engines.cuda.bfs_many.fused import ManyBFS, empty_levels
from spbfs.engines.cuda.graph.layout import build_layout
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import remember_symmetry
from spbfs.storage.packed import words_of

METHOD = {
    "limit": (
        "of CuPy's pool, a fraction of the bytes of offsets and entries; for joined searches that "
        "and what they keep of every vertex, which is as much as such a graph itself"
    ),
    "needed": (
        "4 bytes an entry, counted from the levels and the directions of a trace: in a push all "
        "of the frontier's rows, in a pull of every open row until the first parent as the rows "
        "are given; of joined searches of all rows of the joint frontier, and of every row until "
        "it has all that it misses.  Of products those of the rows of the vector's entries, or all"
    ),
    "bus": "the better of a copy by the driver and a kernel that reads, 1 GiB, best of five",
    "clock": (
        "of searches the GPU's own, from a search's begin to its end, least of the repeats; of "
        "products and joined searches events around the call.  Layouts are made before"
    ),
    "ratio": "that time over needed / bus; at most 1.5 is aimed at",
    "valid": (
        "levels of every source against a search with all on the GPU, trees by the rules of "
        "Graph500; products and joined searches against the same on the GPU"
    ),
}
#: Name -> the graph of a scale, and its own.
GRAPHS: dict[str, tuple[Callable[[int], sb.Matrix], int]] = {
    "kronecker": (large_graphs.kronecker, 24),
    "uniform": (large_graphs.uniform, 23),
}
SEARCHES = 64
#: Levels that a trace has room for.
TRACED = 64
#: What joined searches of up to 64 sources need of every vertex, with one search before them that
#: says whether they had better be joined.
JOINED_BYTES = 224


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    report: dict[str, Any] = {
        "benchmark": "pinned",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "fraction": options.fraction,
        "repeats": options.repeats,
        "graphs": [],
    }
    for name in known_names(options.graphs or GRAPHS, GRAPHS):
        make, scale = GRAPHS[name]
        report["graphs"].append(_measure(name, make, options.scale or scale, options))
        _give_up()
    return write(report, options.output, "pinned-cuda", _markdown)


def _measure(
    name: str, make: Callable[[int], sb.Matrix], scale: int, options: argparse.Namespace
) -> dict[str, Any]:
    A = _narrow(make(scale))
    _give_up()
    data = A._ready()
    graph_bytes = data.indptr.nbytes + data.indices.nbytes
    sources = giant_sources(A, options.sources)
    several = np.resize(np.unique(giant_sources(A, 2 * SEARCHES, seed=2)), SEARCHES)
    frontier, dense = _vectors(A)
    levels = [_levels(sb.bfs(A, source)) for source in sources]
    together = _joined(A, several)
    products = [_on_host(call(A)) for call in _products(frontier, dense).values()]
    began = time.perf_counter()
    P = A.to("cuda", memory="pinned")
    made = time.perf_counter() - began
    needed = []
    for source, known in zip(sources, levels, strict=True):
        steps = sb.bfs(P, source, trace=True).trace
        needed.append(needed_bytes(data.indptr, data.indices, cp.asarray(known), steps))
    least_together = _needed_together(A, several)
    degrees = cp.diff(data.indptr)
    rows = [int(degrees[cp.asarray(frontier)].sum()), A.nvals]
    bus = bandwidth(P._ready().indices)
    del A, data, degrees
    measured: dict[str, Any] = {
        "name": f"{name} {scale}",
        "vertices": P.nrows,
        "entries": P.nvals,
        "bytes": graph_bytes,
        "pinned_seconds": made,
        "bus": bus,
        "runs": [],
        "refused": [],
    }
    best, limit = max(bus.values()), graph_bytes // options.fraction

    def add(what: str, taken: float, bytes_needed: int, held: int) -> None:
        row = {"what": what, "seconds": taken, "needed": bytes_needed, "held": held}
        row["ratio"] = taken * best / max(1, bytes_needed)
        measured["runs"].append(row)
        print(f"{measured['name']}: {_line(row)}", flush=True)

    P, found = _anew(P), []
    with _limited(limit, measured) as held:
        for source, known, least in zip(sources, levels, needed, strict=True):
            taken, tree = _search(P, source, known, options.repeats)
            found.append(tree)
            add(f"search from {source}", taken, least, held())
    for source, known, tree in zip(sources, levels, found, strict=False):
        arrays = P._ready().indptr, P._ready().indices
        broken = check_tree(P.nrows, *arrays, source, cp.asarray(known), cp.asarray(tree))
        if broken:
            raise AssertionError(f"{name}, source {source}: {broken}")
    P = _anew(P)
    with _limited(limit, measured) as held:
        calls = _products(frontier, dense)
        for (what, call), known, entries in zip(calls.items(), products, rows, strict=True):
            _same(what, _on_host(call(P)), known)
            taken = min(seconds(partial(call, P)) for _ in range(options.repeats))
            add(what, taken, ENTRY_BYTES * entries, held())
    P = _anew(P)
    with _limited(limit + JOINED_BYTES * P.nrows, measured) as held:
        if not all(map(np.array_equal, _joined(P, several), together)):
            raise AssertionError(f"{name}: {SEARCHES} searches differ")
        search = partial(sb.bfs_many, P, several, outputs="counts")
        taken = min(seconds(search) for _ in range(options.repeats))
        add(f"{SEARCHES} searches", taken, least_together, held())
    return measured


def _needed_together(A: sb.Matrix, sources: Any) -> int:
    """What joined searches need, by the directions that they take with all on the GPU."""
    data = A._ready()
    layout = build_layout(A.nrows, data.indptr, data.indices, hubs=A.nrows, slab=False)
    plan = ManyBFS(layout, words=words_of(len(sources)))
    trace = cp.zeros((TRACED, 4), np.int64)
    plan.run(sources.astype(np.int32), trace=trace)
    levels = empty_levels(len(sources), A.nrows)
    plan.levels(levels)
    return needed_together(data.indptr, data.indices, levels, trace)


def _narrow(A: sb.Matrix) -> sb.Matrix:
    """With offsets of 32 bits where these suffice."""
    data = A._ready()
    wide = data.nvals >= 2**31 - 2**20
    return _matrix(data.indptr if wide else data.indptr.astype(np.int32), data)


def _anew(P: sb.Matrix) -> sb.Matrix:
    """The same arrays, of which nothing has been made yet."""
    data = P._ready()
    return _matrix(data.indptr, data)


def _matrix(indptr: Any, data: MatrixData) -> sb.Matrix:
    made = MatrixData(data.nrows, data.ncols, indptr, data.indices, data.values)
    remember_symmetry(made)
    return sb.Matrix._from_data(made, "cuda")


def _give_up() -> None:
    gc.collect()
    cp.get_default_memory_pool().free_all_blocks()


@contextmanager
def _limited(nbytes: int, measured: dict[str, Any]) -> Iterator[Callable[[], int]]:
    """Have the GPU's pool hold no more; gives what it holds.  What is refused is noted."""
    pool = cp.get_default_memory_pool()
    _give_up()
    # Blocks of which something small, made before, has a part: they do not count.
    kept = pool.total_bytes() - pool.used_bytes()
    pool.set_limit(size=nbytes + kept)
    try:
        yield lambda: int(pool.total_bytes() - kept)
    except sb.exceptions.OutOfMemory as error:
        measured["refused"].append(f"with {nbytes / 1e6:,.0f} MB: {error}")
        print(f"{measured['name']}: {measured['refused'][-1]}", flush=True)
    finally:
        pool.set_limit(size=0)


def _levels(found: Any) -> Any:
    """Levels in host memory, -1 where not reached; where all are, which is known then, without a
    flag for each."""
    found.depth  # noqa: B018
    return found.levels.to("cpu").to_dense(-1).astype(np.int32)


def _search(P: sb.Matrix, source: int, known: Any, repeats: int) -> tuple[float, Any]:
    """The least time of some searches, and the parents of one of them."""
    found = sb.bfs(P, source)
    if not np.array_equal(_levels(found), known):
        raise AssertionError(f"source {source}: levels differ")
    parents = found.parents.to("cpu").to_dense(-1).astype(np.int32)
    times = []
    for _ in range(repeats):
        del found
        found = sb.bfs(P, source)
        times.append(found.seconds)
    return min(times), parents


def _vectors(A: sb.Matrix) -> tuple[Any, Any]:
    """A sixteenth of the vertices, and a small number of every one."""
    rng = np.random.default_rng(3)
    chosen = np.unique(rng.integers(0, A.nrows, A.nrows // 16))
    return chosen, rng.integers(0, 8, A.nrows, dtype=np.int32)


def _products(frontier: Any, dense: Any) -> dict[str, Callable[[sb.Matrix], Any]]:
    """A push and a pull of all rows; their vectors go to the GPU when they are first called."""
    kept: dict[str, Any] = {}

    def push(A: sb.Matrix) -> Any:
        if "q" not in kept:
            kept["q"] = sb.Vector.from_coo(frontier, True, size=A.nrows).to("cuda")
        return semiring.any_pair(kept["q"] @ A).new(direction="push")

    def pull(A: sb.Matrix) -> Any:
        if "x" not in kept:
            kept["x"] = sb.Vector.from_dense(dense).to("cuda")
        return semiring.plus_second(A @ kept["x"]).new(direction="pull")

    return {"push of a sixteenth of the vertices": push, "pull of all rows": pull}


def _on_host(w: Any) -> tuple[Any, Any]:
    return w.to("cpu").to_coo()


def _same(what: str, found: tuple[Any, Any], known: tuple[Any, Any]) -> None:
    if not all(map(np.array_equal, found, known)):
        raise AssertionError(f"{what}: results differ")


def _joined(A: sb.Matrix, sources: Any) -> list[Any]:
    """What joined searches find, in host memory."""
    found = sb.bfs_many(A, sources, outputs="counts")
    names = "reached", "sum_levels", "eccentricity", "counts"
    return [cp.asnumpy(getattr(found, name)) for name in names]


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['what']}, {1e3 * row['seconds']:.3f} ms, {row['needed'] / 1e6:.1f} MB needed, "
        f"ratio {row['ratio']:.2f}, {row['held'] / 1e6:.0f} MB held"
    )


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Graphs in pinned memory, {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        f"1/{report['fraction']} of the graph on the GPU, {report['repeats']} repeats.",
        *method_lines(report),
        "",
        "| graph | bytes, MB | bus: copy, GB/s | read | run | ms | needed, MB | ratio | held, MB |",
        "|---|--:|--:|--:|---|--:|--:|--:|--:|",
    ]
    for graph in report["graphs"]:
        bus = graph["bus"]
        lines += [
            f"| {graph['name']} | {graph['bytes'] / 1e6:,.0f} | {bus['copy'] / 1e9:.1f} "
            f"| {bus['read'] / 1e9:.1f} | {row['what']} | {1e3 * row['seconds']:.3f} "
            f"| {row['needed'] / 1e6:,.1f} | {row['ratio']:.2f} | {row['held'] / 1e6:,.0f} |"
            for row in graph["runs"]
        ]
    for graph in report["graphs"]:
        lines += [f"\n{graph['name']}, refused {what}." for what in graph["refused"]]
    return "\n".join(lines) + "\n"
