"""One search by several GPUs of a host against one GPU, as a user calls both: `spbfs.bfs`.

Run as ``python -m benchmarks scaling --device cuda``.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write
from benchmarks.cuda import graphs, large_graphs
from benchmarks.cuda.device import describe_device, device_line
from benchmarks.cuda.sources import giant_sources
from benchmarks.cuda.validate import check_tree
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import remember_symmetry

METHOD = {
    "edges": "directed: stored entries in the rows of the reached vertices",
    "mean": "milliseconds: median over sources of the least of the repeats; TEPS: harmonic mean",
    "clock": (
        "the host's, around one call of spbfs.bfs until its depth is known, with one GPU and with "
        "several in turns of all sources; a call of several leaves each vertex's level and parent "
        "on the GPU that owns it, in the caller's labels.  Gathered: the same, and both outputs "
        "brought to the first GPU, by calls of their own.  Layouts, shares and workspaces are made "
        "by a first search"
    ),
    "valid": (
        "trees of all ways checked on the GPU by the rules of Graph500; where no GPU has the "
        "graph, by each against the rows of its own vertices"
    ),
    "drawn": (
        "kron28 to kron30 are drawn by the GPUs that search them, each its share, and gathered "
        "in memory of the host, once"
    ),
}
GRAPHS: dict[str, Callable[[], sb.Matrix]] = {
    "kron21": lambda: large_graphs.kronecker(21),
    "kron24": lambda: large_graphs.kronecker(24),
    "kron25": lambda: large_graphs.kronecker(25),
    "kron26": lambda: large_graphs.kronecker(26),
    "kron27": lambda: large_graphs.kronecker(27),
    "uniform24": lambda: large_graphs.uniform(24),
    "uniform26": lambda: large_graphs.uniform(26),
    "grid3000": lambda: graphs.on_device(graphs.lattice(3000)),
}
#: By scale, drawn by the GPUs that search it, where one could not hold it beside its copy.
SHARED = {"kron28": 28, "kron29": 29, "kron30": 30}
DEFAULT = ["kron25", "kron26", "uniform26", "grid3000", "kron27"]


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    names = known_names(options.graphs or DEFAULT, [*GRAPHS, *SHARED])
    gpus = cp.cuda.runtime.getDeviceCount()
    counts = sorted({1, *(options.gpus or range(2, gpus + 1))})
    if counts == [1] or counts[-1] > gpus:
        raise SystemExit(f"scaling: {max(counts[-1], 2)} GPUs are wanted, and there are {gpus}")
    report: dict[str, Any] = {
        "benchmark": "scaling",
        **describe_device(),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "cupy-cuda13x"]),
        "method": METHOD,
        "sources": options.sources,
        "repeats": options.repeats,
        "graphs": [],
    }
    for name in names:
        measured: dict[str, Any] = {"name": name, "rows": []}
        report["graphs"].append(measured)
        matrix = _Matrix(name) if name in GRAPHS else None
        for count in counts:
            row = _row(name, matrix, count, measured, options)
            measured["rows"].append(row)
            paths = write(report, options.output, "scaling-cuda", _markdown)
        del matrix
        _release()
    return paths


def _release() -> None:
    """Give all memory of GPUs back that nobody has."""
    gc.collect()
    for gpu in range(cp.cuda.runtime.getDeviceCount()):
        with cp.cuda.Device(gpu):
            cp.get_default_memory_pool().free_all_blocks()
    cp.get_default_pinned_memory_pool().free_all_blocks()


def _row(
    name: str,
    matrix: _Matrix | None,
    count: int,
    measured: dict[str, Any],
    options: argparse.Namespace,
) -> dict[str, Any]:
    """What so many GPUs do with a graph, or why they do not."""
    began = time.perf_counter()
    _release()
    try:
        graph = matrix or _shared(name, count)
        if isinstance(graph, str):
            print(f"  {name}, {count} GPUs: {graph}", flush=True)
            return {"gpus": count, "skipped": graph}
        graph.take(count)
        measured["vertices"], measured["entries"] = graph.vertices, graph.entries
        if "sources" not in measured:
            measured["sources"] = graph.sources(options.sources)
        row = _ways(graph, measured["sources"], count, options)
    except (sb.exceptions.OutOfMemory, cp.cuda.memory.OutOfMemoryError) as error:
        print(f"  {name}, {count} GPUs: {error}", flush=True)
        return {"gpus": count, "skipped": str(error)}
    alone = next(
        (r for r in [*measured["rows"], row] if "milliseconds" in r and r["gpus"] == 1), {}
    )
    row["speedup"] = alone.get("milliseconds", float("nan")) / row["milliseconds"]
    print(f"  {name}, {_line(row)}, {time.perf_counter() - began:.1f} s in all", flush=True)
    return row


def _shared(name: str, count: int) -> _Matrix | _Shared | str:
    """A graph that GPUs draw themselves; with one of them as a matrix, where it holds that and the
    copy that a search reads."""
    scale = SHARED[name]
    if count > 1:
        return _Shared(scale)
    needed, there = 8 * 32 << scale, cp.cuda.runtime.memGetInfo()[1]
    if needed > there:
        return (
            f"one GPU has {there / 1e9:.0f} GB; columns, twice, as a matrix and as a search reads "
            f"them, are {needed / 1e9:.0f}"
        )
    return _Matrix(name)


class _Matrix:
    """A graph on the first GPU, of which others take their shares."""

    def __init__(self, name: str) -> None:
        began = time.perf_counter()
        self._A = GRAPHS[name]() if name in GRAPHS else large_graphs.drawn(SHARED[name])
        cp.cuda.Device().synchronize()
        self.vertices, self.entries = self._A.nrows, self._A.nvals
        seconds = time.perf_counter() - began
        print(f"{name}: {self.entries:,} entries, made in {seconds:.1f} s", flush=True)
        self._how: dict[str, Any] = {}
        self.many = True

    def take(self, count: int) -> None:
        """Search by so many GPUs from now on; nothing has been searched yet."""
        data = self._A._ready()
        made = MatrixData(data.nrows, data.ncols, data.indptr, data.indices, data.values)
        remember_symmetry(made)
        self._A = sb.Matrix._from_data(made, "cuda")
        _release()
        self._how = {} if count == 1 else {"devices": list(range(count))}

    def sources(self, count: int) -> list[int]:
        return giant_sources(self._A, count)

    def search(self, source: int, **options: Any) -> sb.BFSResult:
        return sb.bfs(self._A, source, **self._how, **options)

    def check(self, source: int, found: sb.BFSResult) -> None:
        data = self._A._ready()
        arrays = (cp.asarray(x.to_dense(-1), np.int32) for x in found)
        broken = check_tree(self.vertices, data.indptr, data.indices, source, *arrays)
        if broken:
            raise AssertionError(f"source {source}: {broken}")

    @property
    def nbytes(self) -> int:
        return self._A.nbytes


class _Shared:
    """A graph that no GPU has as a whole; trees are checked where they are."""

    def __init__(self, scale: int) -> None:
        self._scale = scale
        #: Outputs of 2^29 vertices and more take seconds to the host: once is enough.
        self.many = False

    def take(self, count: int) -> None:
        """Have it drawn by so many GPUs."""
        began, devices = time.perf_counter(), list(range(count))
        self._G = sb.SharedGraph.kronecker(self._scale, seed=self._scale, devices=devices)
        self.vertices, self.entries = self._G.nrows, self._G.nvals
        seconds = time.perf_counter() - began
        print(f"kron{self._scale}: {self.entries:,} entries, made in {seconds:.1f} s", flush=True)
        for gpu in devices:
            with cp.cuda.Device(gpu):
                free, there = cp.cuda.runtime.memGetInfo()
            print(f"    GPU {gpu}: {(there - free) / 1e9:.1f} of {there / 1e9:.1f} GB", flush=True)
        group: Any = self._G._entries._searches._group
        for layout in group.layouts:
            slab = "no slab" if layout.ell_slab is None else "a slab"
            places = memory_of(layout.out_indices), memory_of(layout.rank)
            print(f"    pushed entries {places[0]}, numbers by label {places[1]}, {slab}")

    def sources(self, count: int) -> list[int]:
        """Random vertices of the largest component, which has four of ten at least."""
        rng, sources = np.random.default_rng(1), []
        while len(sources) < count:
            source = int(rng.integers(self.vertices))
            if self._G.bfs(source).reached > self.vertices // 5:
                sources.append(source)
        return sources

    def search(self, source: int, **options: Any) -> sb.BFSResult:
        return self._G.bfs(source, **options)

    def check(self, source: int, found: sb.BFSResult) -> None:
        self._G.verify(found)

    @property
    def nbytes(self) -> int:
        return self._G.nbytes


def _ways(
    graph: _Matrix | _Shared, sources: list[int], count: int, options: argparse.Namespace
) -> dict[str, Any]:
    """All sources with so many GPUs."""
    began = time.perf_counter()
    graph.search(sources[0]).depth  # noqa: B018
    made = time.perf_counter() - began
    clock, device, gathered, teps = [], [], [], []
    checked = 0
    for number, source in enumerate(sources):
        times, inner, brought = [], [], []
        for _ in range(options.repeats):
            began = time.perf_counter()
            found = graph.search(source)
            found.depth  # noqa: B018
            times.append(1e3 * (time.perf_counter() - began))
            inner.append(1e3 * found.seconds)
        # Outputs are asked for apart: to bring them takes the caches from what is searched next.
        for _ in range(options.repeats if graph.many else number == 0):
            began = time.perf_counter()
            found = graph.search(source)
            levels, parents = found
            cp.cuda.Device().synchronize()
            brought.append(1e3 * (time.perf_counter() - began))
            del levels, parents
        clock.append(min(times))
        device.append(min(inner))
        gathered += [min(brought)] if brought else []
        teps.append(found.edges / min(times) * 1e3)
        if checked < options.checked:
            began = time.perf_counter()
            graph.check(source, found)
            checked += 1
            if number == 0:
                print(f"    checked in {time.perf_counter() - began:.1f} s", flush=True)
        del found
    traced = graph.search(sources[0], trace=True).trace
    assert traced is not None
    steps = [(s.direction, s.frontier, s.edges, round(1e6 * s.seconds, 1)) for s in traced[:16]]
    if len(traced) < 16:
        print("   ", steps, flush=True)
    return {
        "gpus": count,
        "milliseconds": float(np.median(clock)),
        "device_milliseconds": float(np.median(device)),
        "gathered_milliseconds": float(np.median(gathered)),
        "teps": float(len(teps) / np.sum(1 / np.array(teps))),
        "made_seconds": made,
        "checked": checked,
        "nbytes": graph.nbytes,
        "levels": steps,
    }


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['gpus']} GPUs: {row['milliseconds']:.3f} ms ({row['device_milliseconds']:.3f} by "
        f"the GPU's clock, gathered {row['gathered_milliseconds']:.3f}), {row['speedup']:.2f} x, "
        f"{row['teps'] / 1e9:.0f} GTEPS, made in {row['made_seconds']:.1f} s"
    )


def _cells(row: dict[str, Any]) -> str:
    if "skipped" in row:
        return f"{row['gpus']} | not run: {row['skipped']} | | | |"
    over_one = "" if np.isnan(row["speedup"]) else f"{row['speedup']:.2f}"
    return (
        f"{row['gpus']} | {row['milliseconds']:.3f} | {row['device_milliseconds']:.3f} "
        f"| {row['gathered_milliseconds']:.3f} | {over_one} | {row['teps'] / 1e9:,.0f}"
    )


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# One search by several GPUs, {report['device']}, {report['date']}",
        "",
        f"{device_line(report)}; host {report['machine']}.",
        f"{report['sources']} sources of the largest component, {report['repeats']} repeats.",
        *method_lines(report),
        "",
        "| graph | entries | GPUs | ms | by the GPU's clock | gathered | over one | GTEPS |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for graph in report["graphs"]:
        entries = f"{graph['entries']:,}" if "entries" in graph else ""
        lines += [f"| {graph['name']} | {entries} | {_cells(row)} |" for row in graph["rows"]]
    lines += ["", "Levels of one source: direction, vertices, their edges, microseconds.", ""]
    for graph in report["graphs"]:
        for row in graph["rows"]:
            if len(row.get("levels", ())) in range(1, 16):
                steps = "; ".join(f"{d} {f:,} {e:,} {t}" for d, f, e, t in row["levels"])
                lines.append(f"- {graph['name']}, {row['gpus']}: {steps}")
    return "\n".join(lines) + "\n"
