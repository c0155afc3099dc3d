"""The published ways of pushing a frontier on a GPU, by name, and which of them to take.

Merrill, Garland, Grimshaw (2012) give the frontier organisations, the culling and ``twc``; Cheng et
al. (2014) the virtual warps; ``merge_path`` and its couplings are those of load-balanced GPU BFS
(work redistribution and neighbour gathering).
"""

from __future__ import annotations

from dataclasses import dataclass

from spbfs.exceptions import DomainMismatch, InvalidValue

__all__ = ["CULLINGS", "ORGANISATIONS", "STRATEGIES", "Expansion", "coupling", "strategy"]

#: Who walks a row: see ``kernels/cuda/expand.cuh`` and ``expand_merge_path.cuh``.
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
EXPAND_FACTOR = 10.0
#: Longest edge queue for which the hybrid organisation fuses levels into one launch.
SMALL_EDGES = 1 << 15


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

    Raises
    ------
    InvalidValue, DomainMismatch
        A name is not known, or two of them do not go together.

    Examples
    --------
    >>> from spbfs.expansion import Expansion
    >>> Expansion(strategy="twc", culling="warp+history", organisation="two_phase").strategy
    'twc'
    """

    strategy: str = "auto"
    culling: str = "auto"
    organisation: str = "auto"
    expand_factor: float = EXPAND_FACTOR

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
        if self.organisation == "contract_expand" and self.strategy.startswith("merge_path"):
            raise InvalidValue(
                f"strategy: {self.strategy!r} needs the whole vertex frontier, which organisation "
                "'contract_expand' never has; expected one that a CTA can do alone, or another "
                "organisation"
            )


def coupling(vertices: int, edges: int, expand_factor: float = EXPAND_FACTOR) -> str:
    """Which coupling of the merge path a frontier gets under the hybrid one.

    Examples
    --------
    >>> coupling(100, 400), coupling(100, 4000)
    ('balanced_gather', 'balanced_redistribute')
    """
    return "balanced_redistribute" if edges > expand_factor * vertices else "balanced_gather"


def strategy(vertices: int, edges: int, whole: bool = True) -> str:
    """The strategy for a frontier of so many vertices and out-edges.

    Parameters
    ----------
    vertices, edges : int
        Both unknown (0) where the vertex frontier is never whole.
    whole : bool
        Whether the frontier is listed, as the merge path wants it.

    Examples
    --------
    >>> strategy(10, 40), strategy(100_000, 6_400_000), strategy(0, 0, whole=False)
    ('twc', 'merge_path', 'twc')
    """
    return "merge_path" if whole and edges > SMALL_EDGES else "twc"
