"""How far to compute ahead of a loop: what is remembered of the loops over a product.

As many steps as the loop has made so far; for a loop known from before as many as that one took, or
twice as many if it came to the end of the graph.  So work is wasted only where loops differ, and no
more than was needed before.
"""

from __future__ import annotations

from typing import Any

from spbfs.engines.cuda.bfs.searches import MOST_VERTICES
from spbfs.operators.definitions import TypedSemiring
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping

__all__ = ["Habit", "habit_of"]

#: Steps computed ahead at most, so that what the host is told stays small.
MOST_STEPS = 1 << 16
#: Steps that a loop is given when it is first seen to be one, and how many it has to make before
#: that: more of them where nothing has been prepared for searches of the matrix.
FIRST_STEPS = 2
SEEN, SEEN_UNPREPARED = 1, 2
#: Longest wait, in products, after loops that left the search that ran ahead of them.
MOST_PATIENCE = 1 << 10


class Habit:
    """What is remembered of loops over one product (a matrix, a semiring) from run to run."""

    __slots__ = ("ended", "patience", "possible", "steps", "tree", "wait")

    def __init__(self, A: MatrixData, semiring: TypedSemiring) -> None:
        self.possible = A.nrows == A.ncols <= MOST_VERTICES and A.nvals > 0
        #: Steps of the loop so far, or of the last one, and whether it came to an empty frontier.
        self.steps = 0
        self.ended = False
        #: Products to let pass before the next attempt, and how many after the next failure.
        self.wait = 0
        self.patience = 1
        self.tree = tree_of(semiring)

    def steps_ahead(self, goes_on: bool, prepared: bool) -> int:
        """How many steps to compute with the next product, 0 for none.

        Parameters
        ----------
        goes_on : bool
            Whether its frontier is what such a product made.
        prepared : bool
            Whether searches of the matrix have been prepared.
        """
        if goes_on:
            self.steps += 1
            seen = SEEN if prepared else SEEN_UNPREPARED
            wanted = max(FIRST_STEPS, self.steps) if self.steps > seen else 0
        else:
            wanted = self.steps * (2 if self.ended else 1)
            wanted = wanted if wanted >= FIRST_STEPS else 0
            self.steps, self.ended = 1, False
        if self.wait:
            self.wait -= 1
            return 0
        return min(wanted, MOST_STEPS) if self.possible else 0

    def left(self) -> None:
        """A loop did not go on as the search that ran ahead of it."""
        self.wait, self.patience = self.patience, min(2 * self.patience, MOST_PATIENCE)
        self.steps = 0


def tree_of(semiring: TypedSemiring) -> str | None:
    """Which parents a product makes of a frontier's vertices; None where it makes none."""
    multiply, add = semiring.multiply.op, semiring.add.op
    if not multiply.positional or multiply.name not in ("firstj", "secondi"):
        return None
    if add.is_any:
        return "any"
    return "min" if add.name == "min" and add.binaryop.function is None else None


def habit_of(A: MatrixData, semiring: TypedSemiring, transpose: bool, vector_first: bool) -> Habit:
    """What is remembered of a product."""
    derived = A.derived
    if derived.habits is None:
        with keeping:
            if derived.habits is None:
                derived.habits = {}
    habits: dict[Any, Habit] = derived.habits
    key = (semiring, transpose, vector_first)
    return habits.get(key) or habits.setdefault(key, Habit(A, semiring))
