"""Batches of sources over workers: how much faster several are than one, as in Fig. 17 of iBFS.

Run as ``python -m benchmarks batches``.  On the CPU a worker has one thread of kernels, on CUDA a
GPU; it is a thread of this process or a process of a Dask cluster.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import method_lines, write
from benchmarks.common.sources import SourcesWithAnEdge

METHOD = {
    "clock": (
        "one call of spbfs.bfs_many for numbers a source (outputs='reached'), from sources on the "
        "host until the result is there; the ways in turn, the median over turns.  Workers have "
        "their replica, and what is made once for a graph, from a call before"
    ),
    "processor time": (
        "seconds of all threads and processes that take part, scheduler and caller included, the "
        "least over turns; the speed-up by it is n x that of one worker / that of n, for a "
        "machine that others use"
    ),
    "sources": "distinct, of all vertices that have an edge, other ones in every turn",
    "valid": "reached, sums of levels and eccentricities equal in all ways, every turn",
}
#: Scale of the Kronecker graph, and sources; what two cores do in seconds on the CPU.
SIZES = {"cuda": (24, 65_536), "cpu": (18, 16_384)}

#: Processor seconds so far of those who take part, and the arguments that have them search.
Way = tuple[Callable[[], float], dict[str, Any]]


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    scale, count = SIZES[options.device]
    scale, count = options.scale or scale, options.sources or count
    if options.device == "cuda":
        import cupy

        gpus = cupy.cuda.runtime.getDeviceCount()
        if gpus < 2:
            raise SystemExit(f"batches: two GPUs are compared with one, and there is {gpus}")
    A = _graph(options.device, scale)
    report: dict[str, Any] = {
        "benchmark": "batches",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "distributed"]),
        "method": METHOD,
        "device": options.device,
        "graph": f"Kronecker, scale {scale}, {A.nvals:,} entries",
        "sources": count,
        "repeats": options.repeats,
    }
    with ways(options.device) as found:
        report["ways"] = _measure(A, found, count, options.repeats)
    report["load"] = [round(x, 1) for x in os.getloadavg()]
    print(_markdown(report))
    return write(report, options.output, f"batches-{options.device}", _markdown)


def _graph(device: str, scale: int) -> sb.Matrix:
    """A Kronecker graph, made where it is searched: on the host the large one takes minutes."""
    if device == "cpu":
        return sb.generate.kronecker(scale, seed=1)
    from benchmarks.cuda import graphs

    return graphs.on_device(graphs.kronecker(scale))


@contextmanager
def ways(device: str) -> Iterator[dict[str, Way]]:
    """Who may search, by name; of every kind one worker, and then more."""
    with ExitStack() as opened:
        if device == "cuda":
            yield _gpus(opened)
            return
        from distributed import Client, LocalCluster

        found: dict[str, Way] = {"no workers": (time.process_time, {"threads": 1})}
        for n in (1, 2):
            options = {"devices": ["cpu"] * n, "threads": n}
            found[f"{n} thread"] = time.process_time, options
        for n in (1, 2):
            cluster = opened.enter_context(
                LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=":0")
            )
            client = opened.enter_context(Client(cluster))
            found[f"{n} process"] = _processes(client), {"scheduler": client}
        yield found


def _gpus(opened: ExitStack) -> dict[str, Way]:
    """One, two and all GPUs, by threads; one and all by processes, where there is Dask."""
    import cupy

    gpus = cupy.cuda.runtime.getDeviceCount()
    found: dict[str, Way] = {
        f"{n} GPU": (time.process_time, {"devices": list(range(n))}) for n in sorted({1, 2, gpus})
    }
    if find_spec("distributed") is None:
        return found
    from distributed import Client, Nanny, Scheduler, SpecCluster

    for n in (1, gpus):
        # Each sees a GPU of its own; a core's share of the memory would be less than the graph.
        options = [
            {"nthreads": 1, "memory_limit": 0, "env": {"CUDA_VISIBLE_DEVICES": str(gpu)}}
            for gpu in range(n)
        ]
        each = {gpu: {"cls": Nanny, "options": its} for gpu, its in enumerate(options)}
        scheduler = {"cls": Scheduler, "options": {"dashboard_address": ":0"}}
        client = opened.enter_context(
            Client(opened.enter_context(SpecCluster(workers=each, scheduler=scheduler)))
        )
        found[f"{n} process"] = _processes(client), {"scheduler": client}
    return found


def _processes(client: Any) -> Callable[[], float]:
    return lambda: float(time.process_time() + sum(client.run(time.process_time).values()))


def _measure(A: sb.Matrix, found: dict[str, Way], count: int, repeats: int) -> list[dict[str, Any]]:
    drawing = SourcesWithAnEdge(np.asarray(A.to("cpu").to_csr()[0]))
    clock: dict[str, list[float]] = {name: [] for name in found}
    used: dict[str, list[float]] = {name: [] for name in found}
    for turn in range(repeats + 1):
        sources, results = drawing.draw(count), []
        for name, (processor, options) in found.items():
            before, began = processor(), time.perf_counter()
            results.append(sb.bfs_many(A, sources, outputs="reached", **options))
            ended = time.perf_counter() - began
            if turn:
                clock[name].append(ended)
                used[name].append(processor() - before)
        for name in ("reached", "sum_levels", "eccentricity"):
            for other in results[1:]:
                np.testing.assert_array_equal(getattr(other, name), getattr(results[0], name))
    return [
        {
            "way": name,
            "seconds": round(float(np.median(clock[name])), 4),
            "processor_seconds": round(min(used[name]), 4),
        }
        for name in found
    ]


def _markdown(report: dict[str, Any]) -> str:
    lines = [
        f"# Batches of sources over workers, {report['date']}",
        "",
        f"Machine: {report['machine']}.  Load over the last minute: {report['load'][0]}, of which "
        "two are the benchmark's own; more means that others used it.",
        f"{report['graph']}, {report['sources']:,} sources, {report['repeats']} turns.",
        "",
        *method_lines(report),
        "",
        "| workers | seconds | speed-up over one | processor seconds | the same by these |",
        "|---|--:|--:|--:|--:|",
    ]
    alone: dict[str, Any] = {}
    for way in report["ways"]:
        workers, _, kind = way["way"].partition(" ")
        one = way if workers == "1" else alone.get(kind)
        alone[kind] = one
        speed = ["", ""]
        several = workers not in ("no", "1")
        if several and one is not None:
            by_processor = int(workers) * one["processor_seconds"] / way["processor_seconds"]
            speed = [f"{one['seconds'] / way['seconds']:.2f}", f"{by_processor:.2f}"]
        name = f"{way['way']}{'' if not several else 's' if kind != 'process' else 'es'}"
        lines.append(
            f"| {name} | {way['seconds']:.3f} | {speed[0]} | {way['processor_seconds']:.3f} "
            f"| {speed[1]} |"
        )
    if report["device"] == "cpu":
        lines += ["", "On one and two GPUs, 65,536 sources of Kronecker 24: `--device cuda`."]
    return "\n".join(lines) + "\n"
