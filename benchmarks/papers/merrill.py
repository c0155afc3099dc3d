"""Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal" (2012): figures from our runs."""

from __future__ import annotations

from benchmarks.papers import frontiers, merrill_rates, redundancy
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
    Figure(
        "merrill",
        "fig-5",
        "who walks a row: serial, warp, CTA, scan, and what came later",
        "gathering by thread, warp, CTA, scan",
        ("kernels/cuda/expand_gather.cuh", "kernels/cuda/expand.cuh"),
        ("cuda",),
        merrill_rates.by_strategy,
    ),
    Figure(
        "merrill",
        "fig-7",
        "redundant work by what culls duplicates",
        "warp culling, history culling",
        ("kernels/cuda/discovery.cuh", "benchmarks/papers/culling.py"),
        ("cpu", "cuda"),
        redundancy.by_culling,
    ),
    Figure(
        "merrill",
        "lanes-in-flight",
        "local culling against the number of lanes in flight",
        "warp culling, history culling",
        (
            "kernels/cuda/discovery.cuh",
            "kernels/cuda/expansion_in_order.cu",
            "benchmarks/papers/culling.py",
        ),
        ("cpu", "cuda"),
        redundancy.by_lanes,
    ),
    Figure(
        "merrill",
        "table-2",
        "rates with distances and with predecessors, and by organisation (Fig. 10)",
        "organisations: expand-contract, contract-expand, two-phase, hybrid",
        ("kernels/cuda/expansion.cu", "spbfs/engines/cuda/expansion/fused.py"),
        ("cpu", "cuda"),
        merrill_rates.by_organisation,
    ),
)
