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
        "Classes and mean degrees are the paper's, sizes on the CPU a half to a 76th of them. A "
        "mean degree is below the paper's where a smaller graph has more border (audikw 74 for "
        "81) or more duplicates that are merged (kron2 67 for 85, LiveJournal 13 for 14). Nothing "
        "stands for coPapers and kkt-power; six real graphs are added.",
    ),
    Figure(
        "cheng",
        "fig-2",
        "vertices and edges of every level, in time",
        PROFILES,
        ("spbfs/engines/bfs.py", "benchmarks/papers/cheng_profiles.py"),
        ("cpu", "cuda"),
        cheng_profiles.concurrency,
        "As in the paper: on the road network a level has some hundred vertices at most, and most "
        "of the edges are in thousands of levels of that size; on the social and the Kronecker "
        "graph two of six levels have nearly all edges, and the time with them (94 and 98 %, 100 "
        "and 99 % of edges and time on the CPU). On the road network the time of a level follows "
        "its edges as well, as no level of our search is a launch.",
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
        "From degrees, on the CPU: wider groups lose more lanes within a group and fewer between "
        "groups, on every graph, as the paper has it; ME rises all the way on kron2, and on "
        "meshes, grids and roads it falls about by half with every doubling from 4 or 8 lanes on. "
        "Otherwise than in the paper ME does not rise on audikw, all of whose rows are nearly of "
        "one length (0.96 with one lane, 0.84 with 32), and random1 and random2 hardly change "
        "(0.77 to 0.84). Its rmat1 falls from 16 to 32 as random3 does here (0.63 to 0.37), and "
        "rmat1 does too (0.50 to 0.36); rmat2, near 0.8 in the paper whatever the width, rises "
        "from 0.29 to 0.76, since rows of an R-MAT graph differ.",
    ),
    Figure(
        "cheng",
        "best-width",
        "the best width, predicted from ME and locality",
        "the width of a virtual warp from its measures",
        ("benchmarks/papers/cheng_widths.py",),
        ("cuda",),
        cheng_widths.widths,
        "On the H200, four of nineteen graphs, as the time was over: grids and a road network of "
        "hundreds of levels or more, on which the time is mostly that of launches. The best of six "
        "widths is 8 on mesh, FLA-road and thermal, as in the paper's Fig. 5, and 1 on ecology, "
        "where the paper has 8; why is not explained. ME with locality names the best width of "
        "mesh and thermal; no predictor names that of FLA-road (4, 6 % slower) or ecology (4, 24 % "
        "slower). As prices are fitted to the other graphs, to three of one kind here, this says "
        "nothing of graphs of few levels and long rows, on which widths are several times apart "
        "(docs/performance-notes-expansion.md).",
    ),
)
