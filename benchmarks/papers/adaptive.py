"""Zhang et al., "An adaptive breadth-first search algorithm on integrated architectures" (2018):
tables and figures from our runs."""

from __future__ import annotations

from benchmarks.papers import adaptive_runs
from benchmarks.papers.adaptive_regret import REGRET
from benchmarks.papers.figure import Figure

__all__ = ["FIGURES"]

_STRATEGIES = (
    "spbfs/planner/strategies.py",
    "spbfs/algorithms/bfs/strategies.py",
    "kernels/cuda/bfs_steps.cuh",
    "kernels/cpu/bfs_search.h",
)

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
        "nothing is found (0.07 s at levels 1 and 2), a top-down one where the frontier is large; "
        "top-down is the fastest for two levels and at the last, bottom-up for the three before "
        "that. Bottom-up levels fall to microseconds in the end, where the paper's stay near 2.8 "
        "s: only open vertices are looked at here.",
    ),
    Figure(
        "adaptive",
        "table-6",
        "vertices before and after remapping",
        "zero-degree remapping",
        (
            "spbfs/generate/remapping.py",
            "spbfs/engines/cpu/search_layout.py",
            "spbfs/engines/cuda/graph/layout.py",
            "kernels/cuda/bfs_layout.cu",
        ),
        ("cpu",),
        adaptive_runs.remapping,
        "The paper's figures to the second digit behind the point, or nearly: the generator is the "
        "same, and how many vertices stay without an edge depends on nothing else.",
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
        "between two devices.",
    ),
    Figure(
        "adaptive",
        "fig-5",
        "energy of each strategy and of whole searches",
        "energy efficiency",
        (*_STRATEGIES, "spbfs/base/energy.py"),
        ("cpu", "cuda"),
        adaptive_runs.energy,
        "The machine of the CPU run shows no counter of energy, so that every cell is empty.",
    ),
    REGRET,
)
