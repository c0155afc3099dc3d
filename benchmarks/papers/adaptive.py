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
    ),
    Figure(
        "adaptive",
        "fig-4",
        "rate beside a hybrid with fixed parameters and the CPU alone",
        "choosing direction and device at every level",
        _STRATEGIES,
        ("cpu", "cuda"),
        adaptive_runs.rates,
    ),
    Figure(
        "adaptive",
        "fig-5",
        "energy of each strategy and of whole searches",
        "energy efficiency",
        (*_STRATEGIES, "spbfs/base/energy.py"),
        ("cpu", "cuda"),
        adaptive_runs.energy,
    ),
    REGRET,
)
