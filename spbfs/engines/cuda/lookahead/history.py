"""How far to compute ahead of a loop: the history of loops over one product.

As many levels as the loop has made steps so far; for a loop known from before as many as that one
took, or twice as many if it came to the end of the graph.  So work is wasted only where loops
differ, and no more than was needed before.
"""

from __future__ import annotations

from typing import Any

from spbfs.engines.cuda.searches.device import MOST_VERTICES
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = ["LoopHistory", "histories_of", "history_of", "is_searchable"]

#: Levels computed ahead at most, so that the counts read back stay small.
MOST_LEVELS = 1 << 16
#: Levels computed for a loop when it is first recognised, and how many steps it has to make before
#: that: more of them where nothing has been prepared for searches of the matrix.
FIRST_LEVELS = 2
RECOGNISED_AFTER, RECOGNISED_AFTER_UNPREPARED = 1, 2
#: Most products that pass without looking ahead after loops that left what was computed for them.
MOST_BACKOFF = 1 << 10


class LoopHistory:
    """What is remembered of loops over one product (a matrix, a semiring) from run to run.

    Attributes
    ----------
    searchable : bool
        Whether the fused search can compute such products at all.
    steps : int
        Those of the loop so far, or of the last one.
    reached_end : bool
        Whether it came to an empty frontier.
    skip : int
        Products to let pass before the next attempt.
    backoff : int
        How many to let pass after the next failure.
    parents : {"any", "min"} or None
        Which parents the product's values are; None where they are none.
    uniform : dict
        The one value of all frontiers, by that of the first: see `uniform`.
    """

    __slots__ = ("backoff", "parents", "reached_end", "searchable", "skip", "steps", "uniform")

    def __init__(self, A: MatrixData, semiring: TypedSemiring) -> None:
        self.searchable = is_searchable(A)
        self.steps = 0
        self.reached_end = False
        self.skip = 0
        self.backoff = 1
        self.parents = parents_of(semiring)
        self.uniform: dict[Any, Any] = {}

    def speculation_depth(self, goes_on: bool, prepared: bool) -> int:
        """How many levels to compute with the next product, 0 for none.

        Parameters
        ----------
        goes_on : bool
            Whether its frontier is what such a product made.
        prepared : bool
            Whether searches of the matrix have been prepared.
        """
        if goes_on:
            self.steps += 1
            after = RECOGNISED_AFTER if prepared else RECOGNISED_AFTER_UNPREPARED
            wanted = max(FIRST_LEVELS, self.steps) if self.steps > after else 0
        else:
            wanted = self.steps * (2 if self.reached_end else 1)
            wanted = wanted if wanted >= FIRST_LEVELS else 0
            self.steps, self.reached_end = 1, False
        if self.skip:
            self.skip -= 1
            return 0
        return min(wanted, MOST_LEVELS) if self.searchable else 0

    def left(self) -> None:
        """A loop did not go on as the search that ran ahead of it, or none could begin."""
        self.skip, self.backoff = self.backoff, min(2 * self.backoff, MOST_BACKOFF)
        self.steps = 0

    def ended(self) -> None:
        """A loop came to an empty frontier, as its search did."""
        self.reached_end, self.backoff = True, 1


def is_searchable(A: MatrixData) -> bool:
    """Whether the fused search takes the matrix."""
    return A.nrows == A.ncols <= MOST_VERTICES and A.nvals > 0


def parents_of(semiring: TypedSemiring) -> str | None:
    """Which parents a product makes of a frontier's vertices; None where it makes none."""
    multiply, add = semiring.multiply.op, semiring.add.op
    if not multiply.positional or multiply.name not in ("firstj", "secondi"):
        return None
    if add.is_any:
        return "any"
    return "min" if add.name == "min" and add.binaryop.function is None else None


def histories_of(A: MatrixData) -> dict[Any, LoopHistory]:
    """All that are kept with the matrix."""
    derived = A.derived
    if derived.loop_histories is None:
        with keeping:
            if derived.loop_histories is None:
                derived.loop_histories = {}
    histories: dict[Any, LoopHistory] = derived.loop_histories
    return histories


def history_of(
    A: MatrixData, semiring: TypedSemiring, transpose: bool, vector_first: bool
) -> LoopHistory:
    """The history of a product, kept with the matrix."""
    histories = histories_of(A)
    key = (semiring, transpose, vector_first)
    return histories.get(key) or histories.setdefault(key, LoopHistory(A, semiring))
