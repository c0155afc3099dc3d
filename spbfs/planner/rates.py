"""What searches cost: the rates in use, those of a named machine until others are set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from spbfs.planner.search_cpu import CPU_SEARCH, CpuSearchRates
from spbfs.planner.search_cuda import Tuning

__all__ = [
    "BUILT_IN",
    "CudaSearchRates",
    "LevelRates",
    "SearchRates",
    "SwitchRates",
    "current",
    "fused_tuning",
    "use",
]


@dataclass(frozen=True, slots=True)
class LevelRates:
    """What a level takes in one strategy, in nanoseconds of whoever does it.

    Attributes
    ----------
    level : float
        Whatever it has to do.
    edge : float
        An entry looked at: of a push every one of the frontier's rows, of a pull those that
        unvisited vertices probe.
    row : float
        A vertex of the frontier, or one that pulls.
    found : float
        A vertex found.
    word : float
        64 vertices passed over.
    """

    level: float
    edge: float
    row: float
    found: float
    word: float = 0.0


@dataclass(frozen=True, slots=True)
class CudaSearchRates:
    """A GPU's: a push by one CTA or a cluster (`small_push`) and by the whole grid, a pull, and one
    with the hot part of the visited bits in shared memory; a launch; and what an edge pushed costs
    in edges pulled, by which the fused search decides (0: `search.push_cost`)."""

    small_push: LevelRates
    push: LevelRates
    pull: LevelRates
    cached_pull: LevelRates
    launch: float
    push_cost: float


@dataclass(frozen=True, slots=True)
class SwitchRates:
    """What it takes to go on with a search on the other device, in nanoseconds."""

    #: A change, whatever is moved; a vertex of the graph, as the other device needs room for what
    #: it finds, which is put together in the end; a byte of the frontier and of the visited set.
    switch: float
    vertex: float
    byte: float


@dataclass(frozen=True, slots=True)
class SearchRates:
    """Everything that a search's choices depend on."""

    cpu: CpuSearchRates
    cuda: CudaSearchRates
    switch: SwitchRates


#: The CPU's are those of `CPU_SEARCH`.  The GPU's were made by ``spbfs calibrate --device cuda
#: --seconds 80`` on an NVIDIA H200, 2026-11-27: 461 levels of 36 graphs, told within a factor of
#: 1.15 (median; the paper's averages: 3.30).  A change of device is that of ``spbfs calibrate
#: --device cpu+cuda --seconds 25`` on an H200 with 16 cores of its host, 2026-11-27; a byte is one
#: over the 55 GB/s of a copy.  ``benchmarks/results`` has both files, and a test compares them.
BUILT_IN = SearchRates(
    CPU_SEARCH,
    CudaSearchRates(
        small_push=LevelRates(level=1_167.0, edge=0.14, row=0.001, found=0.123),
        push=LevelRates(level=5_454.0, edge=0.00787, row=0.0153, found=0.0669),
        pull=LevelRates(level=6_684.0, edge=0.00402, row=0.001, found=0.034, word=0.001),
        cached_pull=LevelRates(level=6_684.0, edge=0.00402, row=0.001, found=0.034, word=0.001),
        launch=28_560.0,
        push_cost=0.0,
    ),
    SwitchRates(switch=2_048_000.0, vertex=0.691, byte=0.018),
)

#: What the fused search takes for a push cost, whatever a rates file says.
_LEAST_COST, _MOST_COST = 1 / 64, 64.0

_current = BUILT_IN


def current() -> SearchRates:
    """The rates in use.

    Examples
    --------
    >>> current() is BUILT_IN
    True
    """
    return _current


def use(rates: SearchRates | None) -> None:
    """Let searches from now on choose by these rates; None: by those that are built in."""
    global _current
    _current = BUILT_IN if rates is None else rates


def fused_tuning() -> Tuning:
    """The constants of the fused search on a GPU, by the rates in use.

    Examples
    --------
    >>> fused_tuning() == Tuning()
    True
    """
    return _tuning_of(_current.cuda.push_cost)


@cache
def _tuning_of(cost: float) -> Tuning:
    """The same object for the same cost: that is how a search knows its workspaces again."""
    return Tuning(push_cost=min(max(cost, _LEAST_COST), _MOST_COST) if cost else None)
