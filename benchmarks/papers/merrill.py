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
        "10.7 us each: half of it has passed after 47 and 46 % of them. Elsewhere it does not "
        "follow the edges: the largest level has 92 % of the edges and 20 % of the time on kron, "
        "81 and 17 % on rmat, 89 and 5 % on random, where the level before it, with 10 % of the "
        "edges, takes 72 %. Which levels were pulled is not in the result. The crawl has 47 % of "
        "its edges in its two largest levels, less than what the text says of wikipedia, and a "
        "second wave at levels 13 and 14."
    ),
    "rates": (
        "Not a figure of the paper, which says that the hardware is easily saturated by large "
        "levels and that long sections of light work are the time of synchronization. On the H200 "
        "both still hold, with other numbers. A level launched by the host takes about 35 us up "
        "to 2^9 edges and 42 up to 2^14, a level of our fused search 1.4 to 1.8 from 2^5 to 2^11 "
        "edges, 22 to 25 times less. The gap closes as levels grow: 9.4 times at 2^14 edges, 2.6 "
        "at 2^19, next to none at 2^26, where pushing has 119 G edges/s in one launch and 112 in "
        "one a level. Pulling is chosen from 2^21 edges on and has 4.2 to 47 times the rate of "
        "pushing, as most edges are not looked at.\n\n"
        "Rates do not rise evenly. From 2^13 to 2^15 edges they stay at 5 to 6 G edges/s and then "
        "double; most levels up to there are of grid5pt.5000 and none above is, as 2^16 edges are "
        "more than any of its levels has. Pushing falls from 72 G edges/s at 2^20 to 28 at 2^23, "
        "of 1 to 7 levels each. The four of 2^23 are as large as the level of random.2Mv.128Me "
        "before its largest, which finds nine tenths of its vertices (Fig. 3, Fig. 7). In the "
        "column of two_phase a level has its own expansion but the look-up of the edges of the "
        "level before it, and the last look-up of a search is in none, so that it compares with "
        "the others only where neighbouring levels are alike.\n\n"
        "On the CPU, two cores of a busy machine, a level that is pushed takes 0.2 to 0.4 us up "
        "to 2^5 edges, and the rate rises to 0.2 G edges/s at 2^6, stays there up to 2^14 and is "
        "0.6 to 1.0 from 2^17 on: a CPU is ahead of the fused search of the GPU on levels of "
        "fewer than 2^8 edges."
    ),
    "fig-5": (
        "H200, 2026-11-22 (docs/performance-notes-expansion.md): serial gathering is the "
        "slowest where rows differ, and scan + warp + CTA within a few per cent of the best on "
        "random graphs, as in the paper. On meshes and roads groups of lanes as wide as rows "
        "are long are 10 to 20 % ahead of it; a warp a row is level with it from about 60 "
        "entries; and rows of very different length need the merge path, which came after the "
        "paper.\n\n"
        "H200, 2026-11-26, the five graphs of the paper that a generator makes. As in the "
        "paper serial gathering is the slowest where rows differ (22 times the best on "
        "kron_g500-logn20, 3.2 times on rmat), a warp a row wastes lanes on rows of 5 and 7 "
        "entries (1.4 and 1.8 times the best), and scan alone suffers from long rows (2.2 "
        "times on kron). Scan + warp + CTA is within 7 % of the best on four graphs. It is no "
        "longer the best or as good on all: on kron it takes 1.5 times as long as the merge "
        "path, which the paper does not have, and scan alone is ahead of it on the other four, "
        "by 1 to 7 %. A thread a row is within 8 % of the best on lattices, whose rows are of "
        "one length; the paper's over-fetching does not show in whole searches there. Groups "
        "as wide as rows are long help on grid5pt.5000 (8 lanes, 2 % ahead of scan + warp + "
        "CTA) and not on grid7pt.300, where 8 lanes take 1.5 times as long; why is not known.\n\n"
        "What is chosen level by level is within 3 % of the best fixed way, or ahead of it, on "
        "four graphs, and 11 % behind on rmat: it takes a warp a row there, as rows have 61 "
        "entries in the mean, and has the time of that. The fused search is ahead of all by "
        "1.6 and 2.3 times on lattices and 7.6 to 12 times on the others, which it pulls in "
        "part."
    ),
    "fig-7": (
        "Counted with 14 CTAs of 128 lanes at once, about what a C2050 has at work, lattices "
        "cost 5.8 and 3.3 times their edges without culling, 1.4 and 1.15 with both "
        "heuristics, where the paper measures 4.2 and 2.6, and less than 1.05, on larger ones: "
        "the count lets no CTA be ahead of another and so is a bound from above. With the "
        "lanes of an H200 at once neither heuristic holds it: the count was given up on "
        "lattices.\n\n"
        "The kernels on an H200, one source each, expand 22.9, 16.8, 15.4 and 16.0 times the "
        "edges of grid5pt.5000 in the order of the columns, and 3.5, 2.1, 1.8 and 1.9 times "
        "those of grid7pt.300; on 2026-11-22, with eight sources, they gave 18.5, 13.7, 12.6 "
        "and 13.1, and 3.4, 2.1, 1.8 and 1.9. The paper's less than 1.05 holds on "
        "kron_g500-logn20 and the random graph, with culling or without (1.00 and 1.02). Its "
        "kron, whose adjacency lists are sorted, exhausted the memory; why ours has hardly a "
        "duplicate, where the count of a smaller one has 2.6 times its edges, is not known. "
        "History culling alone is a little better than with warp culling on both lattices, in "
        "these runs.\n\n"
        "What the queue of grid5pt.5000 holds does not depend on the level: without culling it "
        "has 300,000 to 340,000 edges at eight levels of ten, with both heuristics 218,000 to "
        "228,000, whether there are 3,500 edges or 24,000. That is 1.3 times the 168,960 lanes "
        "that an H200 has in flight, as if duplicates multiplied until the lanes are full. "
        "grid7pt.300, whose levels have up to 557,000 edges and fill them, loses less. One "
        "compare-and-swap of the label costs nothing that can be measured there and leaves "
        "1.00: `atomic` is what is taken where nothing is asked for."
    ),
    "lanes-in-flight": (
        "Ordering tiles in time brings the paper's 1.05 back where few are in flight. A level of "
        "grid5pt.5000 has 65 tiles of 256 edges on average (125 M edges, 7,500 levels), an H200 "
        "room for 660: all of a level are in flight at once, and none is before another, whoever "
        "takes which. An order in space, finds written in the order of the tiles, keeps the two "
        "edges that lead to a vertex near one another, and so most duplicates of a 2D lattice "
        "inside of one tile; but pairs that a boundary parts are parted again at the next level, "
        "and their copies multiply.\n\n"
        "The kernels on an H200 with both heuristics: on grid5pt.5000 tiles in order expand 6.6 "
        "times the edges with 528 in flight and 1.72 with 64, 1.08 with 8, 1.02 with 4, and 1.00 "
        "with 2 or 1; on grid7pt.300, whose levels have up to 2,200 tiles, 1.55 with 528, 1.15 "
        "with 132, 1.08 with 64 and 1.04 with 32. So the paper's 1.05 is there with 4 to 8 tiles "
        "of the 2D lattice and 32 to 64 of the 3D one, 1,024 to 16,384 lanes, where a C2050 has "
        "448 cores: what the heuristics need is a machine with few lanes. In any order both "
        "heuristics leave 13 and 1.85 times the edges. Without culling order does not help: 13 to "
        "22 times the edges of the 2D lattice (18 in any order), and 12 to 13 times those of the "
        "3D one (3.4). It does not pay: ordered searches take 640 to 18,500 ms where those in any "
        "order take 330 to 405 on the 2D lattice, and 620 to 7,700 ms where those take 32 to 42 "
        "on the 3D one. `atomic` has 1.00 whatever the order, at 330 and 32 ms in any. Fewer than "
        "32 tiles of the 3D lattice were left out, for time."
    ),
    "table-2": (
        "H200: hybrid with local culling gives 5.7 to 25 times the C2050's rates with "
        "predecessors, but 0.34 G edges/s on grid5pt.5000, less than the paper's 0.57: it expands "
        "16 times the edges there, as local culling no longer works (Fig. 7, lanes in flight); "
        "with `atomic` it is 2.8. Predecessors cost 3 to 12 %, where they cost the paper 5 to "
        "21.\n\n"
        "Of Fig. 10 little is left. Contract-expand, ahead on deep graphs in the paper, is 2 and "
        "25 % behind expand-contract on the lattices; two-phase, ahead on large frontiers, is 9 "
        "to 32 % behind it on the others, so that separate phases no longer pay; and hybrid, at "
        "least as good as expand-contract in the paper, has 0.48 to 0.81 of its rate on all five. "
        "On kron_g500-logn20 it has half of two-phase's, since a short edge queue there contracts "
        "to hubs, which a launch of one CTA a multiprocessor walks "
        "(docs/performance-notes-expansion.md). The fused search, push or pull, has 8.4 and 24 "
        "times the paper's rates on lattices and 290 to 400 times on the others, most of whose "
        "edges a pull does not look at.\n\n"
        "On the CPU, two cores of a busy machine, pulling gives 4.2 to 12 times the rate of "
        "pushing on Kronecker, random and R-MAT graphs. On lattices, which gain nothing by it, "
        "the choice has 0.97 to 1.05 times the rate of pushing. Predecessors cost 2 to 11 % where "
        "all is pushed."
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
        REMARKS["rates"],
    ),
    Figure(
        "merrill",
        "fig-5",
        "who walks a row: serial, warp, CTA, scan, and what came later",
        "gathering by thread, warp, CTA, scan",
        ("kernels/cuda/expansion/expand_gather.cuh", "kernels/cuda/expansion/expand.cuh"),
        ("cuda",),
        merrill_rates.by_strategy,
        REMARKS["fig-5"],
    ),
    Figure(
        "merrill",
        "fig-7",
        "redundant work by what culls duplicates",
        "warp culling, history culling",
        ("kernels/cuda/expansion/discovery.cuh", "benchmarks/papers/culling.py"),
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
            "kernels/cuda/expansion/discovery.cuh",
            "kernels/cuda/expansion/expansion_in_order.cu",
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
        ("kernels/cuda/expansion/expansion.cu", "spbfs/engines/cuda/expansion/fused.py"),
        ("cpu", "cuda"),
        merrill_rates.by_organisation,
        REMARKS["table-2"],
    ),
)
