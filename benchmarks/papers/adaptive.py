"""Zhang et al., "An adaptive breadth-first search algorithm on integrated architectures" (2018):
tables and figures from our runs."""

from __future__ import annotations

from benchmarks.papers import adaptive_layouts, adaptive_model, adaptive_runs
from benchmarks.papers.adaptive_regret import REGRET
from benchmarks.papers.figure import Figure

__all__ = ["FIGURES"]

_STRATEGIES = (
    "spbfs/planner/strategies.py",
    "spbfs/algorithms/bfs/strategies.py",
    "kernels/cuda/bfs/bfs_steps.cuh",
    "kernels/cpu/bfs/bfs_search.h",
)

_LAYOUTS = "zero-degree remapping, neighbours by falling degree"

FIGURES = (
    Figure(
        "adaptive",
        "table-5",
        "time of every level by each of the five strategies",
        "the five strategies: top-down or bottom-up, CPU or GPU",
        _STRATEGIES,
        ("cpu", "cuda"),
        adaptive_runs.by_level,
        "On the CPU, scale 20, the shape is the paper's: a bottom-up level costs most while "
        "nothing is found (0.03 s at levels 1 and 2), a top-down one where the frontier is large "
        "(0.04 s at level 4); top-down is the fastest at the first two levels and at the last, "
        "bottom-up at the four between. Bottom-up levels fall to 0.06 ms in the end, where the "
        "paper's stay near 2.8 s: only open vertices are looked at here.\n\n"
        "On the H200 and its host, scale 26: the frontiers are near the paper's (5,224 vertices "
        "for 5,198 at level 3, 425,417 for 414,288 at level 6), but for levels 4 and 5, where the "
        "paper has 6.0 and 5.5 times as many. Ours are 32.78 M in all, nearly all of the 32.80 M "
        "vertices with an edge (table 6). As in the paper no strategy is the fastest at all "
        "levels: top-down is at the first two and the last two (the last three in the paper), "
        "bottom-up on the GPU at those between. One strategy throughout takes 27 ms (TG, BGC) to "
        "1.3 s (BC), the fastest of every level 1.3 ms, switches not counted (12.0 to 23.1 s, and "
        "0.51 s, from the paper's table).\n\n"
        "The devices differ more than the levels. The paper's GPU shares a chip with its CPU and "
        "is slower than it at top-down levels, 1.8 to 3.2 times at levels 3 to 5; the H200 is 33 "
        "to 44 times as fast there as the 16 cores of its host, so that only levels 1 and 8, of "
        "one and three vertices, are left to the CPU, and TG is the fastest at levels 2 and 7. "
        "Bottom-up the GPU is the faster at every level, 42 to 357 times; the paper's is the "
        "slower one at levels 1, 2 and 8. The hot part of the status in shared memory (BGC) gains "
        "5 to 9 % at levels 1 to 3 and loses up to 5 % after them; in the paper it gains 0.02 s "
        "of 0.29 at level 3 and 0.01 s of 0.08 at level 4.",
    ),
    Figure(
        "adaptive",
        "table-6",
        "vertices before and after remapping",
        _LAYOUTS,
        (
            "spbfs/generate/remapping.py",
            "spbfs/engines/cpu/graph/layout.py",
            "spbfs/engines/cuda/graph/layout.py",
            "kernels/cuda/layout/bfs_layout.cu",
        ),
        ("cpu",),
        adaptive_runs.remapping,
        "The paper's figures to the second digit behind the point, or nearly: the generator is the "
        "same, and how many vertices stay without an edge depends on nothing else.",
    ),
    Figure(
        "adaptive",
        "layouts",
        "what remapping and sorted neighbours cost, and what searches gain",
        _LAYOUTS,
        (
            "spbfs/engines/cpu/graph/layout.py",
            "spbfs/engines/cuda/graph/layout.py",
            "kernels/cuda/layout/bfs_layout.cu",
        ),
        ("cpu", "cuda"),
        adaptive_layouts.layouts,
        "On two cores of a CPU that others used as well, remapping does not pay: a search of a "
        "graph without the vertices that have no entry takes 1.26 to 1.8 times as long, since one "
        "of them costs a search no more than a bit that is set before it begins, while every "
        "result has to be brought back to the caller's numbers. Neighbours by degree are 4 to 9 % "
        "ahead at scales 16 and 20; scale 18 tells nothing, as the same layout, given and chosen, "
        "differs there by a third. By processor time, of which others take none, they take 1.02 "
        "to 1.06 times as long (docs/performance-notes.md), as a row's hub is looked for first in "
        "any layout. Making one takes as long as 38 to 350 searches. So auto on the CPU is as "
        "given.\n\n"
        "On the H200 both together make a search 0.96, 2.2 and 2.8 times as fast at scales 20, 22 "
        "and 24, and what is chosen 0.93, 2.5 and 3.5 times, and these layouts take no time that "
        "shows beside the rest of a first search. What is kept beside the matrix is 1.3 to 1.4 "
        "times its bytes, less than the 1.5 of a graph as given. Hubs that lie side by side share "
        "the lines of L2 once the graph is larger than that. The paper says what remapping takes, "
        "two fifths of the preparation, and of its gain that Yasui's version, which has it, is "
        "twice as fast as Daga's.",
    ),
    Figure(
        "adaptive",
        "fig-3",
        "edges in parts: ids, counts and offsets, and searches over them",
        "edge partitions for graphs whose edges exceed one buffer",
        (
            "spbfs/storage/partitions.py",
            "spbfs/engines/cpu/parts/steps.py",
            "spbfs/engines/cuda/parts/edges.py",
        ),
        ("cpu", "cuda"),
        adaptive_layouts.parts,
        "The table is the paper's: of every part the id, how many edges it has, and where the "
        "first lies among all. On the CPU a search over parts takes 9 to 11 times the fused one, "
        "and hardly more with 64 parts than with one: it tells the frontier by levels and claims "
        "a vertex by a key of 64 bits, so that parts may come in any order and one at a time. It "
        "is for edges that fit no buffer.\n\n"
        "On the H200 the parts of a graph in host memory come by way of pinned memory, the next "
        "while kernels look at one: 64 parts take 203 ms for 4.2 GB, 21 GB a second of the bus's "
        "55, one part, behind which nothing can come, 363. The fused search of the graph on the "
        "GPU takes 0.31 ms; what serves there where a graph is larger than the GPU is pinned "
        "memory that the fused search itself reads (docs/performance-notes-distributed.md), not "
        "parts.",
    ),
    Figure(
        "adaptive",
        "model",
        "the paper's model beside ours, fitted to the same levels",
        "speeds and alpha learned from a training set",
        (
            "spbfs/calibration/fit.py",
            "spbfs/calibration/training.py",
            "spbfs/planner/calibrated.py",
        ),
        ("cpu", "cuda"),
        adaptive_model.models,
        "Averages do not know that a level costs something whatever it looks at, nor what a "
        "vertex that finds no neighbour costs a pull. On two cores of a busy machine half of the "
        "levels are told within a factor of 1.65 by them and 1.32 by prices; in the median both "
        "choose the better direction, and the worst search takes 2.2 times as long by averages as "
        "with the better direction at every level, 1.8 times by prices. By processor time on "
        "another CPU it is 1.98 and 1.17, with 2.7 and 1.7 as the worst, on an H200 3.3 and 1.15, "
        "with 6.1 and 1.1 (docs/performance-notes.md). This page's run on an H200, of 24 graphs "
        "in a minute, has 3.45 and 1.15, with 6.0 and 1.4 as the worst.",
    ),
    Figure(
        "adaptive",
        "fig-4",
        "rate beside a hybrid with fixed parameters and the CPU alone",
        "choosing direction and device at every level",
        _STRATEGIES,
        ("cpu", "cuda"),
        adaptive_runs.rates,
        "On a CPU alone a hybrid of fixed parameters and our choice by direction are level but "
        "for one scale, as Beamer's parameters were set for such graphs; the paper's gains are "
        "between two devices. On the H200 and its host they are not found: the GPU alone is 83 to "
        "141 times as fast as the CPU alone, nothing that the CPU could do for a level is worth "
        "the way there, and the model leaves searches to the GPU, at 0.95 (scale 22) to 0.995 "
        "(scale 26) of its rate; as these do not change the device, their clock is the GPU's, and "
        "what deciding takes on the host is not in it (it is in Regret). Fixed parameters that "
        "begin on the CPU, as in Daga et al., are 3.2 to 5.0 times behind the CPU alone: a change "
        "of device takes 1.5 to 2.0 ms and 0.5 to 0.7 ns a vertex here, by two calibrations, more "
        "than a whole search on the GPU; on the paper's chip both share a memory.",
    ),
    Figure(
        "adaptive",
        "fig-5",
        "energy of each strategy and of whole searches",
        "energy efficiency",
        (*_STRATEGIES, "spbfs/base/energy.py"),
        ("cpu", "cuda"),
        adaptive_runs.energy,
        "The machine of the CPU run shows no counter of energy, so that every cell is empty. On "
        "the H200 the card's counter is read, and nothing tells of its host. A search by the GPU "
        "alone, with direction and tier chosen in the kernel, has 1.2 to 2.5 GTEPS a watt at "
        "scales 22 to 26, 12 to 25 times TG and 16 to 34 times BG throughout; as the model chooses "
        "it is the same but for 1 to 4 %, since the model leaves searches to the GPU. Idle the "
        "card takes 120 W, so that what is slow is charged for waiting: fixed parameters have 30 "
        "to 205 times fewer GTEPS a watt. They are of one source a scale, which is too few: by the "
        "120 W its search takes 0.35 to 2.1 times as long as those of Fig. 4 in the mean, so that "
        "joules do not rise with the scale (6.8, 2.9, 21, 14 and 106).",
    ),
    REGRET,
)
