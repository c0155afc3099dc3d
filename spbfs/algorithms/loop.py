"""Rounds until nothing changes: what every iterative program needs, with few looks at the end.

A program on a GPU is launched far ahead of its kernels, until the host reads a value of theirs.
One that asks after every round whether it was the last waits for every round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

from spbfs.algorithms.bfs_many.arguments import count
from spbfs.algorithms.numbers import real
from spbfs.algorithms.state import State, Watch
from spbfs.base.wording import brief, counted
from spbfs.exceptions import ConvergenceFailure, DomainMismatch, InvalidCall
from spbfs.objects.matrix import Matrix
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.objects.vector import Vector
from spbfs.planner.loops import rounds_to_look

__all__ = ["Loop", "loop"]

#: What a program says of its end: whether it has come, or how far away it is.
Until = Callable[[], Any]


def loop(
    *state: State,
    until: Until | None = None,
    tolerance: float | None = None,
    most: int | None = None,
    every: int | Literal["auto"] = "auto",
) -> Loop:
    """Rounds of an iterative program, until a round leaves its state as it is.

    The body of the ``for`` loop is one round; what it assigns to the objects of `state`
    is all that goes from one round to the next.  Rounds must do no harm behind the end: once
    the state has come to rest it stays so, as of a monoid that only lowers values, or comes nearer
    to a fixed point.  Then the end need not be looked for after every round, which on a
    GPU would make the host wait for every one of them.

    Parameters
    ----------
    *state : Vector or Matrix
        What the rounds change.  Of it a copy is made before a round that is looked at.
    until : callable, optional
        Called without arguments after the rounds that are looked at, instead of comparing the
        state, which then only says where the program runs: whether that was the last round; a
        number where there is a `tolerance`, which it must not exceed.
    tolerance : float, optional
        The last round is one that changes the state by no more than this share of it: the sum of
        all absolute changes over the sum of all absolute values, absent ones zeros (of numbers
        that sum to 1, the L1 change).  By default the state must stay as it is, entries and values.
    most : int, optional
        Rounds that may be made; without it they may go on for ever.
    every : int or "auto", optional
        Rounds from one look to the next.  By default every round is looked at on the CPU, and on a
        GPU the 1st, 2nd, 4th, 8th, 16th, 24th, ...

    Returns
    -------
    Loop
        To be gone through once: it gives the numbers of the rounds, from 0 on.  Its `rounds` are
        those that were made, and its `change` is that of the last round that was looked at.

    Raises
    ------
    ConvergenceFailure
        From the loop when `most` rounds do not suffice, or when changes are no numbers any more.
        ``itertools.islice(loop(...), k)`` ends after k rounds without it.
    DomainMismatch, InvalidCall, InvalidValue
        When an argument is not of the kind described, or there is neither state nor `until`.

    Examples
    --------
    Shortest paths by Bellman and Ford; n rounds do not suffice where there is a negative cycle.

    >>> import spbfs as sb
    >>> from spbfs import Matrix, Vector, binary, semiring
    >>> A = Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 1], [7.0, 2.0, 1.0, 3.0], nrows=4, ncols=4)
    >>> d = Vector.from_coo([0], [0.0], size=4)
    >>> for _ in sb.loop(d, most=A.nrows):
    ...     d(binary.min) << semiring.min_plus(d @ A)
    >>> d.to_dict()
    {0: 0.0, 1: 5.0, 2: 2.0, 3: 6.0}

    Labels that spread; everybody ends with the least that reaches it.

    >>> labels = Vector.from_dense([0, 1, 2, 3])
    >>> rounds = sb.loop(labels)
    >>> for _ in rounds:
    ...     labels(binary.min) << semiring.min_first(labels @ A)
    >>> labels.to_dense(), rounds.rounds
    (array([0, 0, 0, 0]), 3)

    PageRank of a graph in which everybody has a way out.

    >>> G = sb.generate.star(4)
    >>> out = G.reduce_rowwise("count").new(float)
    >>> r = Vector.from_scalar(1 / 4, 4)
    >>> for _ in sb.loop(r, tolerance=1e-9, most=200):
    ...     share = (r / out).new()
    ...     r << 0.15 / 4
    ...     r(binary.plus) << semiring.plus_first(0.85 * share @ G)
    >>> r.to_dense().round(3)
    array([0.48 , 0.173, 0.173, 0.173])

    A breadth-first search, which ends where its frontier is empty.

    >>> q, levels = Vector.from_coo([0], True, size=4), Vector(int, 4)
    >>> for depth in sb.loop(q, until=lambda: q.nvals == 0):
    ...     levels(q.S) << depth
    ...     q(~levels.S, sb.replace) << semiring.any_pair(q @ G)
    >>> levels.to_dense()
    array([0, 1, 1, 1])
    """
    for object_ in state:
        if not isinstance(object_, Vector | Matrix):
            raise DomainMismatch(f"state: expected Vectors and Matrices, got {brief(object_)}")
    if until is None and not state:
        raise InvalidCall("state, until: expected at least one of them, got neither")
    if until is not None and not callable(until):
        raise DomainMismatch(f"until: expected a function, got {brief(until)}")
    if tolerance is not None:
        tolerance = real(tolerance, "tolerance", 0.0)
    if most is not None:
        most = count(most, "most", 0)
    if not (isinstance(every, str) and every == "auto"):
        every = count(every, "every", 1)
    return Loop(state, until, tolerance, most, every)


class Loop:
    """The rounds that `loop` gives.

    Attributes
    ----------
    rounds : int
        Made so far.
    change : float or None
        Of the last round that was looked at, as `tolerance` is given; None without one.
    launched : int
        Rounds of `repeat` that were launched as one had been recorded.
    refusal : str
        Why `repeat` could record none; empty where it could, or had no reason to try.
    """

    def __init__(
        self,
        state: tuple[State, ...],
        until: Until | None,
        tolerance: float | None,
        most: int | None,
        every: int | Literal["auto"],
    ) -> None:
        self.rounds = 0
        self.change: float | None = None
        self.launched = 0
        self.refusal = ""
        self._state, self._until, self._tolerance = state, until, tolerance
        self._most, self._every = most, every
        self._watch = Watch(state)

    def __repr__(self) -> str:
        change = "" if self.change is None else f", change={self.change:.6g}"
        return f"Loop(rounds={self.rounds}{change}, over {counted(len(self._state), 'object')})"

    def __iter__(self) -> Iterator[int]:
        next_look = 0
        while self._most is None or self.rounds < self._most:
            if next_look <= self.rounds:
                next_look = self.rounds + self._rounds_to_look()
            # The last one that is allowed is looked at, too.
            looks = self.rounds + 1 in (next_look, self._most)
            if looks and self._until is None:
                self._watch.keep()
            yield self.rounds
            self.rounds += 1
            if looks and self._ended():
                return
        raise ConvergenceFailure(self.rounds, self.change, self._tolerance)

    def _rounds_to_look(self) -> int:
        if self._every != "auto":
            return self._every
        device = self._state[0].device if self._state else "cpu"
        return rounds_to_look(self.rounds, device)

    def _ended(self) -> bool:
        """Whether the round that was made is the last one."""
        if self._tolerance is None:
            if self._until is not None:
                return bool(_value(self._until()))
            return self._watch.is_same()
        if self._until is not None:
            self.change = float(_value(self._until()))
        else:
            self.change = self._watch.share_changed()
        if math.isnan(self.change):
            raise ConvergenceFailure(self.rounds, self.change, self._tolerance)
        return self.change <= self._tolerance


def _value(told: Any) -> Any:
    """What a program said, a number or a flag; nothing where it says there is none."""
    if isinstance(told, ScalarArithmetic):
        told = told.new().value
    return 0 if told is None else told
