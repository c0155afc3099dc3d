"""Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal" (2012): figures from our runs."""

from __future__ import annotations

from benchmarks.papers import frontiers
from benchmarks.papers.figure import Figure

__all__ = ["FIGURES"]

FIGURES = (
    Figure(
        "merrill",
        "fig-3",
        "edge and vertex frontiers by level, and when the time passes",
        "frontiers of edges and of vertices",
        ("spbfs/algorithms/bfs/search.py", "spbfs/engines/cuda/expansion/frontiers.py"),
        ("cpu", "cuda"),
        frontiers.by_level,
    ),
    Figure(
        "merrill",
        "rates",
        "rate of a level against the size of its frontier",
        "frontiers of edges and of vertices",
        ("spbfs/algorithms/bfs/search.py", "spbfs/engines/cuda/expansion/frontiers.py"),
        ("cpu", "cuda"),
        frontiers.rates,
    ),
)
