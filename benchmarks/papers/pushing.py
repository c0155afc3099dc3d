"""Searches by pushing alone, timed on a GPU, in the ways that two of the papers compare."""

from __future__ import annotations

from typing import Any

from benchmarks.papers.figure import Setting
from benchmarks.papers.graphs import Graph
from spbfs.planner.expansion import Expansion

__all__ = ["Row", "bench_of", "gteps", "measured"]

Row = dict[str, Any]


def bench_of(name: str, graph: Graph, setting: Setting, sources: int = 8) -> Any:
    """A graph with its sources, ready to be measured; see ``benchmarks/cuda/expansion.py``."""
    from benchmarks.cuda.expansion import Bench

    return Bench(name, graph, min(sources, 2) if setting.quick else sources)


def measured(bench: Any, how: Expansion, setting: Setting, parents: bool = True) -> Row:
    """What searches in a way took.

    Raises
    ------
    RuntimeError
        The first search did not give a tree.
    """
    row: Row = bench.measure(how, 3, parents)
    if not row["valid"]:
        raise RuntimeError(f"{bench.name}, {how}: the first search is not a tree")
    setting.say(f"{bench.name}, {how.strategy} {how.culling} {how.organisation}: "
                f"{row['milliseconds']:.3f} ms")  # fmt: skip
    return row


def gteps(row: Row) -> float:
    """10^9 stored entries of the source's component a second."""
    return float(row["gteps"])
