"""The rates of the CPU, from its levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from spbfs.calibration.fit import fit_of, nonnegative, paper_of, paper_times
from spbfs.calibration.levels import Level, Measured
from spbfs.planner.calibrated import CpuCalibration, Training
from spbfs.planner.search_cpu import CPU_SEARCH

__all__ = ["cpu_calibration"]

#: The prices that are fitted, in the order of the features below.
_PUSH = ("push_level", "push_edge", "push_row", "push_found")
_PULL = ("pull_level", "pull_word", "pull_row", "pull_probe", "pull_found", "pull_at_hub")


def _push(level: Level) -> tuple[float, ...]:
    return 1, level.edges, level.frontier, level.found


def _pull(level: Level) -> tuple[float, ...]:
    behind_rows = max(level.found - level.at_hub, 0.0)
    return 1, level.vertices / 64, level.open, level.probes, behind_rows, level.at_hub


def cpu_calibration(searches: Sequence[Measured], training: Training) -> CpuCalibration:
    """Both models, fitted to measured searches.

    From which size on several threads push stays what it was.
    """
    levels = [level for search in searches for level in search.levels]
    push = nonnegative(list(map(_push, levels)), [level.push_seconds for level in levels])
    pull = nonnegative(list(map(_pull, levels)), [level.pull_seconds for level in levels])
    fitted: dict[str, Any] = dict(zip((*_PUSH, *_PULL), push + pull, strict=True))
    rates = replace(CPU_SEARCH, **fitted)

    def ours(level: Level) -> tuple[float, float]:
        return (
            sum(a * b for a, b in zip(push, _push(level), strict=True)) * 1e-9,
            sum(a * b for a, b in zip(pull, _pull(level), strict=True)) * 1e-9,
        )

    paper = paper_of(searches)
    return CpuCalibration(
        rates,
        training,
        fit_of(searches, ours),
        paper,
        fit_of(searches, lambda level: paper_times(paper, level)),
    )
