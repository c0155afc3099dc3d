"""What `bfs` and `trace` share: read a graph, move it to the engine asked for."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from typing import TYPE_CHECKING, Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.reading import Graph, read_graph
from spbfs.exceptions import InvalidValue

if TYPE_CHECKING:
    from spbfs import Matrix
    from spbfs.algorithms.bfs.steps import SearchTrace
    from spbfs.base.energy import Energy

__all__ = [
    "all_levels",
    "device_name",
    "energy_line",
    "graph_on_device",
    "search",
    "search_energy",
    "search_record",
    "watched",
]


#: Commands that search once: a small graph is then searched before a GPU has begun.
ONE_SEARCH = ("bfs", "trace")


def graph_on_device(arguments: argparse.Namespace) -> tuple[Graph, float]:
    """The graph on its engine, and the seconds it took to read."""
    # What the first graph of a process makes Python load is no part of reading it.
    importlib.import_module("spbfs.objects.matrix")
    importlib.import_module("spbfs.io.formats.registry")
    import spbfs

    spbfs.set_rates(arguments.rates)
    # The shares of several GPUs are taken from where the graph is read.
    together = arguments.command in ONE_SEARCH and arguments.devices
    if together and arguments.energy:
        raise InvalidValue("energy: is counted of one device; expected no devices with it")
    device: Any = "cpu" if together else _engine(arguments.device)
    begin = time.perf_counter()
    graph = read_graph(arguments)
    chosen = arguments.device == "auto" and arguments.memory is None
    if chosen and arguments.command in ONE_SEARCH and device == "cuda":
        device = spbfs.suggest_device(graph.matrix)
    graph.matrix = graph.matrix.to(device, arguments.memory)
    return graph, time.perf_counter() - begin


def watched() -> bool:
    """Whether somebody sees bars, which are drawn on the standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def _engine(device: str) -> str:
    """The engine to use, found to run here before a long file is read.

    "auto" is cuda where that works, else cpu; any other is that one or an error.
    """
    from spbfs.engines import get_engine
    from spbfs.exceptions import BackendUnavailable

    if device != "auto":
        # Of "cpu+cuda" the GPU is the one that may be missing.
        get_engine(device.removeprefix("cpu+"))
        return device
    try:
        return get_engine("cuda").name
    except BackendUnavailable:
        return "cpu"


def search(graph: Graph, arguments: argparse.Namespace, **options: Any) -> Any:
    """The search the arguments ask for, on the engine that the graph is on."""
    import spbfs

    return spbfs.bfs(
        graph.matrix,
        graph.vertices(arguments.source),
        max_depth=arguments.depth,
        threads=arguments.threads,
        devices=arguments.devices,
        device=arguments.device if arguments.devices and arguments.device != "auto" else None,
        **options,
    )


def all_levels(result: Any) -> SearchTrace:
    """The trace of a search and, of direction "none", its last level, which was not expanded.

    Nothing lies behind that, as the search knew, or it is as deep as was asked for.
    """
    from spbfs.algorithms.bfs.steps import SearchTrace
    from spbfs.engines.bfs import LevelTrace

    steps = result.trace
    waiting = int(result.reached) - sum(step.frontier for step in steps)
    if not waiting:
        return SearchTrace(steps)
    edges = int(result.edges) - sum(step.edges for step in steps)
    return SearchTrace([*steps, LevelTrace(waiting, edges, "none", 0.0, "none")])


def search_record(
    arguments: argparse.Namespace, A: Matrix, result: Any, sources: list[Any]
) -> dict[str, Any]:
    """What a program wants to know of a search from `sources`, so called, as JSON types."""
    return {
        "graph": arguments.graph,
        "vertices": int(A.nrows),
        "entries": int(A.nvals),
        "source": sources[0] if len(sources) == 1 else sources,
        "reached": int(result.reached),
        "depth": int(result.depth),
        "edges": int(result.edges),
        "seconds": float(result.seconds),
        "teps": float(result.edges / result.seconds) if result.seconds > 0 else 0.0,
        "device": device_name(arguments, A),
        "memory": str(A.memory),
    }


def device_name(arguments: argparse.Namespace, A: Matrix) -> str:
    """Where a call has searched."""
    return ",".join(map(str, arguments.devices)) if arguments.devices else str(A.device)


def search_energy(
    graph: Graph, arguments: argparse.Namespace, record: dict[str, Any], **options: Any
) -> Energy:
    """The energy of the search the arguments ask for, noted in its record as well."""
    import spbfs

    device = str(graph.matrix.device)
    used = spbfs.measure_energy(
        lambda: search(graph, arguments, **options).seconds, device, progress=watched()
    )
    record.update(used.record(record["edges"]))
    return used


def energy_line(used: Energy, edges: int) -> str:
    """Energy as people read it."""
    if used.joules is None:
        return f"not known: {used.reason}"
    # Where the counter has not moved by a joule there is no rate.
    per_watt = text.rate(used.per_joule(edges) or 0.0)
    return (
        f"{text.joules(used.joules)} a search at {used.watts or 0.0:.4g} W, {per_watt}/W; "
        f"{used.idle_watts or 0.0:.4g} W when idle "
        f"({text.count(used.runs)} searches, {', '.join(used.counters)})"
    )
