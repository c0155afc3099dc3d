"""Liu, Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016)."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.papers import (
    ibfs_frontiers,
    ibfs_rates,
    ibfs_reachability,
    ibfs_transactions,
)
from benchmarks.papers.figure import Figure, Found, Setting

__all__ = ["FIGURES"]

GROUPING = "spbfs/algorithms/bfs_many/grouping.py"
#: Joint traversal and searches side by side, a status byte each, and rows of bits, ours and plain.
BYTES = ("kernels/cpu/bfs_many_bytes.cpp", "kernels/cuda/bfs_many_bytes.cu")
BITS = ("kernels/cpu/bfs_many.cpp", "kernels/cuda/bfs_many.cu")
PLAIN = "kernels/cuda/bfs_many_plain.cu"
MEASURES = "benchmarks/papers/ibfs_sharing.py"
ALL = "benchmarks/papers/ibfs_techniques.py"
COUNTS = "benchmarks/papers/ibfs_transactions.py"


def _figure(
    name: str,
    title: str,
    technique: str,
    code: tuple[str, ...],
    run: Callable[[Setting], Found],
    remarks: str = "",
) -> Figure:
    return Figure("ibfs", name, title, technique, code, ("cpu", "cuda"), run, remarks)


FIGURES: tuple[Figure, ...] = (
    _figure(
        "fig-2",
        "Frontiers shared by two searches",
        "frontier sharing",
        (MEASURES,),
        ibfs_frontiers.pairs,
        "On the classes of the paper's graphs, 256 times smaller, two searches share 0.2 to 7.6 % "
        "of their frontiers where they are pushed (mean 1.3 %, the paper has 4) and 22 to 65 % "
        "where they are pulled (mean 45 %, the paper's largest is 48.6).  Real graphs are as "
        "wide: 0 to 15 %, and 6 to 93 %; the road network of the United States is never pulled.",
    ),
    _figure(
        "fig-6",
        "Sharing by level of three groups of the social graph FB",
        "sharing degree and ratio",
        (MEASURES, GROUPING),
        ibfs_frontiers.sharing_by_level,
        "As in the paper the group that shares most at level 1 is above a random one at every "
        "level; the median group is so from level 3 on, where random groups fall off, and not at "
        "levels 1 and 2.  A is not above B everywhere: at level 3 B shares more.  Of a Kronecker "
        "graph of 2^16 vertices, levels whichever way they are searched.",
    ),
    _figure(
        "fig-8",
        "Rates of GroupBy by q",
        "GroupBy: sources of small degree that share a hub",
        (GROUPING,),
        ibfs_rates.rates_by_q,
    ),
    _figure(
        "fig-9",
        "Sharing ratios, random groups and GroupBy",
        "GroupBy: sources of small degree that share a hub",
        (MEASURES, GROUPING),
        ibfs_frontiers.sharing_ratios,
    ),
    _figure(
        "fig-11",
        "Deviation of inspections in bottom-up levels, before and after GroupBy",
        "GroupBy: balance of bottom-up work",
        (MEASURES, GROUPING),
        ibfs_frontiers.balance,
    ),
    _figure(
        "fig-15",
        "Rates of sequential, concurrent, joint, bitwise and grouped searches",
        "joint traversal, rows of bits, GroupBy",
        (ALL, *BYTES, *BITS, GROUPING),
        ibfs_rates.techniques,
    ),
    _figure(
        "fig-16",
        "Rates by number of groups, random and GroupBy",
        "GroupBy: more sources make better groups",
        (GROUPING,),
        ibfs_rates.group_counts,
    ),
    _figure(
        "fig-18",
        "Stores of queues: private, joint, joint with GroupBy",
        "joint frontier queue",
        (COUNTS, *BYTES),
        ibfs_transactions.queue_stores,
    ),
    _figure(
        "fig-19",
        "Load transactions a request: private and joint statuses",
        "joint status array",
        (COUNTS, *BYTES),
        ibfs_transactions.loads_a_request,
        "Counted, generated classes: 11 to 22 pieces of 32 bytes a request where statuses are "
        "private, one where they are joint.  The paper measured 4 and 1 on the K40, and does not "
        "say of how many bytes a transaction is.  Generators number vertices at random: real "
        "graphs, whose neighbours have numbers that are close, have 1.3 to 11.",
    ),
    _figure(
        "fig-20",
        "Speed-up of iBFS's bits over those of MS-BFS",
        "bits that keep what was visited, and early termination",
        (ALL, *BITS, PLAIN),
        ibfs_rates.bit_operations,
    ),
    _figure(
        "fig-21",
        "Load transactions of status bytes, bits, and bits with GroupBy",
        "bitwise status array",
        (COUNTS, *BYTES, PLAIN),
        ibfs_transactions.loads,
    ),
    _figure(
        "fig-22",
        "Rates of implementations on CPU and GPU",
        "joined searches on both engines",
        (ALL, *BITS),
        ibfs_rates.implementations,
    ),
    _figure(
        "table-1",
        "Time of an index for 3-hop reachability",
        "k-hop reachability by joined searches",
        ("spbfs/algorithms/distances/khop.py", "benchmarks/papers/ibfs_reachability.py"),
        ibfs_reachability.three_hops,
    ),
)
