"""The published ways of pushing a frontier on a GPU, by name, and which of them to take.

Merrill, Garland, Grimshaw (2012) give the frontier organisations, the culling and ``twc``; Cheng et
al. (2014) the virtual warps; ``merge_path`` and its couplings are those of load-balanced GPU BFS
(work redistribution and neighbour gathering).
"""

from __future__ import annotations

from dataclasses import dataclass

from spbfs.exceptions import DomainMismatch, InvalidValue

__all__ = [
    "CULLINGS",
    "ORGANISATIONS",
    "STRATEGIES",
    "Expansion",
    "Frontier",
    "coupling",
    "is_few",
    "strategy",
    "width",
]

#: Who walks a row: see ``kernels/cuda/expansion/expand.cuh`` and ``expand_merge_path.cuh``.
COUPLINGS = ("separate", "balanced_gather", "balanced_redistribute", "hybrid")
STRATEGIES = (
    "auto",
    "thread",
    *(f"warp:{width}" for width in (2, 4, 8, 16, 32)),
    "cta",
    "scan",
    "twc",
    "merge_path",
    *(f"merge_path:{name}" for name in COUPLINGS),
)
#: How a vertex found several times at once is told, after bitmask and label; "atomic" is exact.
CULLINGS = ("auto", "none", "warp", "history", "warp+history", "atomic")
#: Which frontier is kept in memory: vertices, edges, both, or as the number of edges suggests.
ORGANISATIONS = ("auto", "expand_contract", "contract_expand", "two_phase", "hybrid")

# -- constants, measured in docs/performance-notes-expansion.md ------------------------------------
#: Edges a vertex (the expand factor f0) above which balanced redistribution beats balanced
#: gathering.
EXPAND_FACTOR = 2.0
#: Mean degree from which a warp a row beats a CTA that names its edges in line.
LONG_ROWS = 48
#: Nanoseconds that an entry of a long row takes a thread that names it, and a warp that walks it,
#: with the other rows that wait for it; an edge, where all multiprocessors work; and what the merge
#: path does before the first edge.
NAMING = 9.0
WALKING = 94.0
EDGE = 0.0125
PREFIX_SUM = 15_000.0
#: Longest edge queue for which the hybrid organisation fuses levels into one launch: about as many
#: as that launch has threads, as its paper has it.
SMALL_EDGES = 1 << 15
#: Most edges and longest row of a frontier for which auto does; there a CTA walks such a row alone.
FEW_EDGES = 1 << 18
FEW_LONGEST = 1 << 13
#: CTAs that a launch may have; far more than any GPU has room for.
MOST_IN_FLIGHT = 1 << 20


@dataclass(frozen=True, slots=True)
class Expansion:
    """How a search that only pushes expands, culls and keeps its frontiers.

    Parameters
    ----------
    strategy : str, optional
        One of `STRATEGIES`; ``"merge_path"`` alone is its hybrid coupling.
    culling : str, optional
        One of `CULLINGS`.
    organisation : str, optional
        One of `ORGANISATIONS`.  ``"contract_expand"`` never has a whole vertex frontier, which
        ``"merge_path"`` needs.
    expand_factor : float, optional
        The threshold f0 of the merge path's hybrid coupling, in edges a vertex.
    count_lanes : bool, optional
        Run kernels that count as they go how many lanes of a warp have an edge: the `lanes` of
        every step of the result's `trace`, asked for or not.  They are slower than those that do
        not count, which stay as they are.
    in_flight : int, optional
        CTAs of a launch, each of which has one tile of 256 entries in hand; tiles are taken and
        written in the order of the queue.  0: as many as fit, in any order.  It is for two phases
        and a strategy by name that a CTA can do alone: how much local culling finds depends on it.

    Raises
    ------
    InvalidValue, DomainMismatch
        A name is not known, or two of them do not go together.

    Examples
    --------
    >>> from spbfs.planner.expansion import Expansion
    >>> Expansion(strategy="twc", culling="warp+history", organisation="two_phase").strategy
    'twc'
    """

    strategy: str = "auto"
    culling: str = "auto"
    organisation: str = "auto"
    expand_factor: float = EXPAND_FACTOR
    count_lanes: bool = False
    in_flight: int = 0

    def __post_init__(self) -> None:
        for name, known in (
            ("strategy", STRATEGIES),
            ("culling", CULLINGS),
            ("organisation", ORGANISATIONS),
        ):
            value = getattr(self, name)
            if value not in known:
                raise InvalidValue(f"{name}: expected one of {', '.join(known)}, got {value!r}")
        if isinstance(self.expand_factor, bool) or not isinstance(self.expand_factor, int | float):
            raise DomainMismatch(f"expand_factor: expected a number, got {self.expand_factor!r}")
        if not self.expand_factor >= 0:
            raise InvalidValue(f"expand_factor: expected 0 or more, got {self.expand_factor!r}")
        if not isinstance(self.count_lanes, bool):
            raise DomainMismatch(f"count_lanes: expected True or False, got {self.count_lanes!r}")
        if isinstance(self.in_flight, bool) or not isinstance(self.in_flight, int):
            raise DomainMismatch(f"in_flight: expected a whole number, got {self.in_flight!r}")
        if not 0 <= self.in_flight <= MOST_IN_FLIGHT:
            raise InvalidValue(f"in_flight: expected 0 to {MOST_IN_FLIGHT}, got {self.in_flight!r}")
        alone = self.strategy != "auto" and not self.strategy.startswith("merge_path")
        if self.in_flight and not (
            self.organisation == "two_phase" and alone and not self.count_lanes
        ):
            raise InvalidValue(
                f"in_flight: {self.in_flight} needs organisation 'two_phase', a strategy by name "
                "that a CTA can do alone, and count_lanes=False, got "
                f"{self.organisation!r}, {self.strategy!r}, {self.count_lanes}"
            )
        if self.organisation == "contract_expand" and self.strategy.startswith("merge_path"):
            raise InvalidValue(
                f"strategy: {self.strategy!r} needs the whole vertex frontier, which organisation "
                "'contract_expand' never has; expected one that a CTA can do alone, or another "
                "organisation"
            )


@dataclass(frozen=True, slots=True)
class Frontier:
    """What is counted of a vertex frontier: vertices, their out-edges, and the longest row, 0 where
    none has 256 entries."""

    vertices: int
    edges: int
    longest: int = 0


def coupling(frontier: Frontier, expand_factor: float = EXPAND_FACTOR) -> str:
    """Which coupling of the merge path a frontier gets under the hybrid one.

    Examples
    --------
    >>> coupling(Frontier(100, 150)), coupling(Frontier(100, 4000))
    ('balanced_gather', 'balanced_redistribute')
    """
    large = frontier.edges > expand_factor * frontier.vertices
    return "balanced_redistribute" if large else "balanced_gather"


def is_few(frontier: Frontier) -> bool:
    """Whether a launch of one CTA a multiprocessor, for this level and others like it, is better
    than one of many that the host waits for.

    Examples
    --------
    >>> is_few(Frontier(1000, 4000)), is_few(Frontier(1, 100_000, longest=100_000))
    (True, False)
    """
    return frontier.edges <= FEW_EDGES and frontier.longest <= FEW_LONGEST


def strategy(frontier: Frontier) -> str:
    """The strategy that suits a frontier: edges in line where rows are short and a warp a row where
    they are not, unless the longest row alone would so take longer than everything else.

    Examples
    --------
    >>> strategy(Frontier(1000, 4000)), strategy(Frontier(100_000, 6_400_000))
    ('scan', 'warp:32')
    >>> strategy(Frontier(5000, 5_000_000, longest=100_000))
    'merge_path'
    """
    name, each = "scan", NAMING
    if frontier.edges > LONG_ROWS * frontier.vertices:
        name, each = "warp:32", WALKING
    if frontier.longest * each > frontier.edges * EDGE + PREFIX_SUM:
        return "merge_path"
    return name


def width(strategy: str, frontier: Frontier) -> int:
    """Over how many threads a row of a short frontier is spread, at most: as many as walk it, or,
    where the rows of a tile are taken together, so that a tile has edges for all.

    Examples
    --------
    >>> width("warp:8", Frontier(10, 20)), width("twc", Frontier(10, 9000))
    (8, 128)
    """
    if strategy in ("scan", "twc"):
        return min(256, _power_of_two(frontier.edges / max(frontier.vertices, 1) / 4))
    if strategy == "cta":
        return 256
    return int(strategy.partition(":")[2] or 1)


def _power_of_two(x: float) -> int:
    """The largest one not above `x`, 1 at least."""
    return 1 << max(0, int(x).bit_length() - 1)
