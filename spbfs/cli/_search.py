"""What `bfs` and `trace` share: read a graph, move it to the engine asked for."""

from __future__ import annotations

import argparse
import importlib
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spbfs import Matrix

__all__ = ["graph_on_device", "search", "search_record"]


def graph_on_device(arguments: argparse.Namespace) -> tuple[Matrix, float]:
    """The graph on its engine, and the seconds it took to read."""
    import spbfs

    # What the first graph of a process makes Python load is no part of reading it.
    importlib.import_module("spbfs.objects.matrix")
    importlib.import_module("spbfs.io.formats")
    device = _engine(arguments.device)
    begin = time.perf_counter()
    A: Matrix = spbfs.read(arguments.graph).to(device)
    return A, time.perf_counter() - begin


def _engine(device: str) -> str:
    """The engine to use, found to run here before a long file is read.

    "auto" is cuda where that works, else cpu; any other is that one or an error.
    """
    from spbfs.engines import get_engine
    from spbfs.exceptions import BackendUnavailable

    if device != "auto":
        return get_engine(device).name
    try:
        return get_engine("cuda").name
    except BackendUnavailable:
        return "cpu"


def search(A: Matrix, arguments: argparse.Namespace, **options: Any) -> Any:
    """The search the arguments ask for, on the engine that `A` is on."""
    import spbfs

    return spbfs.bfs(
        A, arguments.source, max_depth=arguments.depth, threads=arguments.threads, **options
    )


def search_record(arguments: argparse.Namespace, A: Matrix, result: Any) -> dict[str, Any]:
    """What a program wants to know of a search, as JSON types."""
    sources = arguments.source
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
        "device": str(A.device),
    }
