"""Cheng et al., "Understanding the SIMD Efficiency of Graph Traversal on GPU" (2014): figures from
our runs."""

from __future__ import annotations

from benchmarks.papers import cheng_lanes, cheng_profiles, cheng_widths
from benchmarks.papers.figure import Figure

__all__ = ["FIGURES"]

PROFILES = "degree and concurrency profiles"
GROUPS = "virtual warps: groups of lanes that walk a row each"
MEASURES = "UR, UA and ME, counted in the kernels"

FIGURES = (
    Figure(
        "cheng",
        "table-1",
        "the graphs",
        PROFILES,
        ("benchmarks/papers/cheng_graphs.py",),
        ("cpu", "cuda"),
        cheng_profiles.graphs,
    ),
    Figure(
        "cheng",
        "fig-2",
        "vertices and edges of every level, in time",
        PROFILES,
        ("spbfs/engines/bfs.py", "benchmarks/papers/cheng_profiles.py"),
        ("cpu", "cuda"),
        cheng_profiles.concurrency,
    ),
    Figure(
        "cheng",
        "fig-3",
        "out-degrees",
        PROFILES,
        ("benchmarks/papers/cheng_profiles.py",),
        ("cpu", "cuda"),
        cheng_profiles.degrees,
        "Grids, roads and Kronecker graphs are as the paper has them. Its rmat1 and rmat2 are "
        "narrow (10 to 14, 47 to 53) and its random1 to 3 wide; of generators as these names say, "
        "it is the other way round: with 65,536 vertices on the CPU the middle halves of rmat1 and "
        "rmat2 have 5 to 15 and 20 to 61, those of random1 to 3 58 to 69, 45 to 55 and 10 to 14. "
        "What it says of the lanes of rmat1 is what random3 does here.",
    ),
    Figure(
        "cheng",
        "fig-5",
        "rate of the expansion by the lanes that walk a row",
        GROUPS,
        ("kernels/cuda/expand.cuh", "kernels/cuda/expand_gather.cuh"),
        ("cuda",),
        cheng_lanes.rates,
    ),
    Figure(
        "cheng",
        "fig-6",
        "use of lanes: from degrees, counted in the kernels, and by the hardware's counters",
        MEASURES,
        (
            "kernels/cuda/expand_counted.cuh",
            "spbfs/planner/lanes.py",
            "benchmarks/common/simd_efficiency.py",
        ),
        ("cpu", "cuda"),
        cheng_lanes.efficiency,
    ),
    Figure(
        "cheng",
        "best-width",
        "the best width, predicted from ME and locality",
        "the width of a virtual warp from its measures",
        ("benchmarks/papers/cheng_widths.py",),
        ("cuda",),
        cheng_widths.widths,
    ),
)
