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
        "Classes and mean degrees are the paper's, sizes on the CPU a half to a 76th of them. "
        "A mean degree is below the paper's where a smaller graph has more border (audikw 74 "
        "for 81) or more duplicates that are merged (kron2 67 for 85, LiveJournal 13 for 14). "
        "Nothing stands for coPapers and kkt-power; six real graphs are added.\n\n"
        "On the H200 stored entries are within 11 % of the paper's, LiveJournal aside, which "
        "is a quarter of its size. R-MAT, uniform and Kronecker graphs have a power of two of "
        "vertices: with as many entries rmat1 and random3 have 4.19 M for 5 M, and so 14.3 a "
        "vertex for 12; rmat2, random1 and random2 2.10 M for 2 M, and so 48, 61 and 48 for "
        "50, 64 and 50. kron2 keeps 80.1 M of the 90.2 M entries that are drawn.",
    ),
    Figure(
        "cheng",
        "fig-2",
        "vertices and edges of every level, in time",
        PROFILES,
        ("spbfs/engines/bfs.py", "benchmarks/papers/cheng_profiles.py"),
        ("cpu", "cuda"),
        cheng_profiles.concurrency,
        "As in the paper, on the CPU: on the road network a level has 270 vertices at most, and "
        "93 % of the edges are in 5,753 levels of 70 edges or more; on the social and the "
        "Kronecker graph two of six levels have nearly all edges, and the time with them (94 % of "
        "the edges in 89 % of the time, 100 in 98). On the road network the time of a level "
        "follows its edges as well, as no level of our search is a launch: 2.4 us in the 75 % of "
        "levels with most edges, 0.6 in the others.\n\n"
        "On the H200 the shapes are the same. The road network is another one there, a lattice "
        "that has lost 35 % of its edges, with 1,563 levels of 1,172 vertices at most, and its "
        "time follows the levels, not the edges: by the points of the plot a level of fewer than "
        "100 edges takes 1.3 us, one of more than 2,500 1.6. On the social and the Kronecker "
        "graph two of seven and of six levels have 95 and 100 % of the edges, and 85 and 97 % of "
        "the time. Which of the two takes longer edges alone do not say: on LiveJournal level 4, "
        "with 5.2 M edges, takes 0.19 ms and level 5, with 10.7 M, 0.11; the first of them finds "
        "874,194 vertices, the second 83,035.",
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
        "narrow (10 to 14, 47 to 53) and its random1 to 3 wide; of generators as these names "
        "say, it is the other way round: with 65,536 vertices on the CPU the middle halves of "
        "rmat1 and rmat2 have 5 to 15 and 20 to 61, those of random1 to 3 58 to 69, 45 to 55 "
        "and 10 to 14. What it says of the lanes of rmat1 is what random3 does here.\n\n"
        "On the H200, at the paper's sizes, it is the same: 4 to 18 and 16 to 58, and 56 to "
        "66, 43 to 52 and 12 to 17. The longest row of kron2 has 120,725 entries (131,503 in "
        "the paper). What stands for LiveJournal there, made of circles, is less skewed than "
        "the paper's graph: the middle half has 7 to 15, and no vertex more than 797. Amazon "
        "has 4 to 14 entries, half of the rows or more 8, where the paper's has 10 at most.",
    ),
    Figure(
        "cheng",
        "fig-5",
        "rate of the expansion by the lanes that walk a row",
        GROUPS,
        ("kernels/cuda/expansion/expand.cuh", "kernels/cuda/expansion/expand_gather.cuh"),
        ("cuda",),
        cheng_lanes.rates,
        "On the H200, best width against the paper's. The same: thermal 8, rmat1 16, and 32 on "
        "kron2, random1, random2 and rmat2, on which a warp a row is 6.3 to 11 times as fast "
        "as a lane a row. Others: mesh and ecology 16 and FLA-road 4 for 8, on which 8 is "
        "within 3 % of the best and all six widths within 13 %; audikw 16 for 32, 4 % apart; "
        "random3 16 for 8, with 14.3 entries a row for 12; LiveJournal 32 for 16, another "
        "graph than the paper's (table 1). As there, 32 is slower than 8 on the first four, "
        "but only by 0.7 to 8 %, and Amazon and random3 are slower with 32 than with a "
        "narrower group.\n\n"
        "The rates are 29 times the paper's 5,000 M edges/s on the fastest graph, but in "
        "another order. Uniform graphs, of medium rate in the paper, are the fastest (145,050 "
        "on random1) and rmat2 follows (120,190); audikw, one of the three fastest in the "
        "paper, is at 55,528 below random3 and rmat1. It is a cube of 67 points a side, whose "
        "search has 33 to 66 levels and takes 1.3 ms in all, 19 us a level or more; how much "
        "of that is of launches the times do not tell. thermal, a cube too, has 318 levels at "
        "most, where the paper's has more than a thousand, and so 5.8 to 16 times the rates of "
        "mesh, ecology and FLA-road, which stay below 400.\n\n"
        "The four real graphs that have rows of more than a thousand entries take 32: on web, "
        "the farthest, a lane a row has a tenth of the rate. collab-dblp and usroads, with 5.0 "
        "and 2.6 entries a row, take 8; on usroads widths differ by 9 % at most.",
    ),
    Figure(
        "cheng",
        "fig-6",
        "use of lanes: from degrees, counted in the kernels, and by the hardware's counters",
        MEASURES,
        (
            "kernels/cuda/expansion/expand_counted.cuh",
            "spbfs/planner/lanes.py",
            "benchmarks/common/simd_efficiency.py",
        ),
        ("cpu", "cuda"),
        cheng_lanes.efficiency,
        "From degrees, on the CPU: wider groups lose more lanes within a group and fewer "
        "between groups, on every graph but Amazon, as the paper has it; ME rises all the way "
        "on kron2, and on meshes, grids and roads it falls about by half with every doubling "
        "from 4 or 8 lanes on. Otherwise than in the paper ME does not rise on audikw, all of "
        "whose rows are nearly of one length (0.96 with one lane, 0.84 with 32), and random1 "
        "and random2 hardly change (0.77 to 0.84). Its rmat1 falls from 16 to 32 as random3 "
        "does here (0.63 to 0.37), and rmat1 does too (0.50 to 0.36); rmat2, near 0.8 in the "
        "paper whatever the width, rises from 0.29 to 0.76, since rows of an R-MAT graph "
        "differ. On Amazon more is lost between groups of 8 lanes (0.25) than between lanes "
        "(0.19): its rows have 8 entries or nearly, and a group whose row has 9 takes two "
        "steps.\n\n"
        "On the H200, at the paper's sizes, all of this is so again: kron2 rises from 0.10 to "
        "0.82, rmat2 from 0.26 to 0.75, audikw falls from 0.99 to 0.84, random1 and random2 "
        "stay at 0.75 to 0.84. From 16 lanes to 32 rmat1 loses 21 % and random3 27 %, less "
        "than the paper's nearly half and the CPU's, as their rows have 14.3 entries for 12. "
        "The six real graphs have the same shares on both devices to the last digit.\n\n"
        "Counted in the kernels ME is that from degrees where a row has a warp to itself, and "
        "within 0.02 whatever the width on twelve of nineteen graphs. The others are apart "
        "with narrow groups, since rows walk together there that follow one another in a "
        "queue, not by number: more lanes are used than from degrees on rmat2 (0.35 for 0.26 "
        "with one lane), rmat1 and kron2, fewer on epinions (0.18 for 0.25), web, enron and "
        "collab-dblp. Why it is more on some and less on others is not known.\n\n"
        "ME does not name the fastest width of Fig. 5: where they differ, on fourteen graphs "
        "of nineteen, the fastest is the wider one (mesh 16, where ME is 0.37, for 2, where it "
        "is 0.99). What grows with the width meanwhile is the edges of a sector that is read, "
        "1.7 and 3.6 there. The hardware's counter says as much: threads an instruction rise "
        "from 21 to 30 of 32 on web and epinions although ME falls from 8 lanes on. It counts "
        "all code of a kernel, and lanes that a predicate switches off count as running, so "
        "that it need not see what is lost within a group; sectors a load fall from 6.4 and "
        "5.9 to 1.4 and 1.2.",
    ),
    Figure(
        "cheng",
        "best-width",
        "the best width, predicted from ME and locality",
        "the width of a virtual warp from its measures",
        ("benchmarks/papers/cheng_widths.py",),
        ("cuda",),
        cheng_widths.widths,
        "On the H200, all nineteen graphs. ME alone, with which the paper explains most of its "
        "Fig. 5, names the best width of five and costs 14 % in the median, 3.3 times on "
        "audikw, where it asks for one lane. With locality, which the paper names beside it, "
        "nine are named and the median is 2 %; the worst are real graphs of skewed rows, web "
        "(1.55 times) and caida (1.31), which get too narrow a group. With the longest row of "
        "every level twelve are named, the median is none and the worst Amazon (1.15). That "
        "term is not in the paper; it is the time that one group alone takes over a hub.\n\n"
        "Beside the two others ME has a price of zero, the least there may be: once lines of "
        "memory and longest rows are known, steps of warps explain nothing more of these "
        "times. On mesh, ecology, FLA-road and usroads widths are within 13 % of one another, "
        "and which is best is not the same in two runs: one of two days before had 8, 1 and 8 "
        "as the best of the first three, this one has 16, 16 and 4 (mesh, ecology, FLA-road).",
    ),
)
