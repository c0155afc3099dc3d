"""Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal" (2012): figures from our runs."""

from __future__ import annotations

from benchmarks.papers import frontiers, merrill_rates, redundancy
from benchmarks.papers.figure import Figure

__all__ = ["FIGURES"]

#: What agrees with the paper and what does not.
REMARKS = {
    "fig-3": (
        "The shapes are the paper's: long and flat on lattices, where every level takes its "
        "time, one or two levels of nearly all edges on random graphs. Removing duplicates "
        "contracts the edge frontier as the text says: to two fifths to three fifths on "
        "lattices, below a tenth on Kronecker, R-MAT and random graphs of these degrees. What "
        "no longer follows is the time: the fused search pulls the large levels, so that a "
        "level of nearly all edges need not be the one that takes longest.\n\n"
        "On the H200 the lattices and random graphs are of the paper's sizes, kron_g500-logn20 "
        "with 88.7 M edges for 100.7 M, as duplicates are merged. One source each has 9,035 levels "
        "on grid5pt (7,500 in the mean of the paper's sources), 746 on grid7pt (679), 6 on kron "
        "and random as in the paper, 8 on rmat (6). On lattices time follows the levels, 3.0 and "
        "10.6 us each: half of it has passed after 47 and 46 % of them. Elsewhere it does not "
        "follow the edges: the largest level has 92 % of the edges and 21 % of the time on kron, "
        "81 and 17 % on rmat, 89 and 5 % on random, where the level before it, with 10 % of the "
        "edges, takes 71 %. Which levels were pulled is not in the result. The crawl has 47 % of "
        "its edges in its two largest levels, less than what the text says of wikipedia, and a "
        "second wave at levels 13 and 14."
    ),
    "fig-5": (
        "H200, 2026-11-22 (docs/performance-notes-expansion.md): serial gathering is the "
        "slowest where rows differ, and scan + warp + CTA within a few per cent of the best on "
        "random graphs, as in the paper. On deep graphs of short rows groups of lanes as wide "
        "as rows are long are 10 to 20 % ahead of it; a warp a row is level with it from about "
        "60 entries; and rows of very different length need the merge path, which came after "
        "the paper."
    ),
    "fig-7": (
        "Counted with 14 CTAs of 128 lanes at once, about what a C2050 has at work, lattices "
        "cost 5.8 and 3.3 times their edges without culling, 1.4 and 1.15 with both heuristics, "
        "where the paper measures 4.2 and 2.6, and less than 1.05, on larger ones: the count "
        "lets no CTA be ahead of another and so is a bound from above. With the lanes of an "
        "H200 at once neither heuristic holds it: the count was given up, and the kernels of "
        "2026-11-22 gave 18.5, 13.7, 12.6 and 13.1 on grid5pt.5000 in the order of the columns, "
        "3.4, 2.1, 1.8 and 1.9 on grid7pt.300. One compare-and-swap of the label costs nothing "
        "that can be measured there and leaves 1.00: `atomic` is what is taken where nothing is "
        "asked for."
    ),
    "lanes-in-flight": (
        "Ordering tiles in time brings the paper's 1.05 back only while very few are in flight. "
        "A level of grid5pt.5000 has 65 tiles of 256 edges on average (125 M edges, 7,500 "
        "levels), an H200 room for 660: all of a level are in flight at once, and none is "
        "before another, whoever takes which. An order in space, finds written in the order of "
        "the tiles, keeps the two edges that lead to a vertex near one another, and so most "
        "duplicates of a 2D lattice inside of one tile; but pairs that a boundary parts are "
        "parted again at the next level, and their copies multiply. On a 3D lattice it makes it "
        "worse: what is near in space stands in tiles that are in flight together, where in any "
        "order most of it is in tiles before."
    ),
    "table-2": (
        "H200, 2026-11-22 (docs/performance-notes-expansion.md): hybrid with local culling "
        "gives 6 to 25 times the C2050's rates, but 0.4 G edges/s on grid5pt.5000, less than "
        "the paper's 0.57, for local culling no longer works there (lanes in flight); with "
        "`atomic` it is 2.8. Separate phases no longer pay on large frontiers: expand_contract "
        "is ahead of two_phase on all graphs."
    ),
}

FIGURES = (
    Figure(
        "merrill",
        "fig-3",
        "edge and vertex frontiers by level, and when the time passes",
        "frontiers of edges and of vertices",
        ("spbfs/algorithms/bfs/search.py", "spbfs/engines/cuda/expansion/frontiers.py"),
        ("cpu", "cuda"),
        frontiers.by_level,
        REMARKS["fig-3"],
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
        REMARKS["fig-5"],
    ),
    Figure(
        "merrill",
        "fig-7",
        "redundant work by what culls duplicates",
        "warp culling, history culling",
        ("kernels/cuda/discovery.cuh", "benchmarks/papers/culling.py"),
        ("cpu", "cuda"),
        redundancy.by_culling,
        REMARKS["fig-7"],
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
        REMARKS["lanes-in-flight"],
    ),
    Figure(
        "merrill",
        "table-2",
        "rates with distances and with predecessors, and by organisation (Fig. 10)",
        "organisations: expand-contract, contract-expand, two-phase, hybrid",
        ("kernels/cuda/expansion.cu", "spbfs/engines/cuda/expansion/fused.py"),
        ("cpu", "cuda"),
        merrill_rates.by_organisation,
        REMARKS["table-2"],
    ),
)
