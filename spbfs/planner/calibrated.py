"""What a calibration has found: the paper's averages, our fit, and how well each one chooses."""

from __future__ import annotations

from dataclasses import dataclass

from spbfs.base.machine import Machine
from spbfs.planner.rates import CudaSearchRates, SwitchRates
from spbfs.planner.search_cpu import CpuSearchRates

__all__ = ["Calibration", "CpuCalibration", "CudaCalibration", "Fit", "PaperRates", "Training"]


@dataclass(frozen=True, slots=True)
class PaperRates:
    """The paper's model: edges a second of either direction, averages of all levels, and the share
    alpha of the edges left that a pull looks at.

    Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018),
    section 3.2.
    """

    top_down: float
    bottom_up: float
    alpha: float


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a model tells the levels that it was fitted to.

    Attributes
    ----------
    error : float
        The factor by which half of all levels are estimated worse: 1.2 is by a fifth.
    median_regret, worst_regret : float
        Time of the searches in the directions that it chooses, over that of the better one a level.
    """

    error: float
    median_regret: float
    worst_regret: float


@dataclass(frozen=True, slots=True)
class Training:
    """What was measured.

    Attributes
    ----------
    graphs, searches, levels : int
    asked : int
        Graphs of the whole training set; fewer were measured where the time was over before.
    seconds : float
    threads : int
        Of the CPU.
    """

    graphs: int
    asked: int
    searches: int
    levels: int
    seconds: float
    threads: int


@dataclass(frozen=True, slots=True)
class CpuCalibration:
    """The rates of a CPU, and both models' fits on the same levels."""

    rates: CpuSearchRates
    training: Training
    fit: Fit
    paper: PaperRates
    paper_fit: Fit


@dataclass(frozen=True, slots=True)
class CudaCalibration:
    """The same of a GPU; `expansions` are the published ways of pushing, in edges a second."""

    rates: CudaSearchRates
    training: Training
    fit: Fit
    paper: PaperRates
    paper_fit: Fit
    expansions: dict[str, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A machine's rates, with the day on which they were measured and the version that did."""

    spbfs: str
    date: str
    machine: Machine
    cpu: CpuCalibration | None
    cuda: CudaCalibration | None
    #: What a change of device takes, where both were measured.
    switch: SwitchRates | None = None
