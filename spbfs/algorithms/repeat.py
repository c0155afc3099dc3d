"""Rounds that are a function: on a GPU one is recorded, and makes the others without Python.

A statement takes Python longer than its kernels take a GPU, unless the graph is large; a recorded
round is one launch.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Literal

from spbfs.algorithms.loop import Loop, Until, loop
from spbfs.algorithms.state import State, fused_calls
from spbfs.base import tracing
from spbfs.base.wording import brief
from spbfs.engines.rounds import Rounds
from spbfs.exceptions import DomainMismatch

__all__ = ["repeat"]


def repeat(
    body: Callable[[], Any],
    *state: State,
    until: Until | None = None,
    tolerance: float | None = None,
    most: int | None = None,
    every: int | Literal["auto"] = "auto",
) -> Loop:
    """Make rounds of an iterative program, until one leaves its state as it is.

    What ``for _ in loop(*state, ...): body()`` does, but on a GPU a round is recorded once it has
    run a few times, and the rounds that follow are launched as it was, without Python: for small
    graphs many times as fast.  What comes out is the same: a round that cannot be recorded, or not
    be seen to be the same every time, runs as it is written, and `Loop.refusal` says why.

    Parameters
    ----------
    body : callable
        One round, called without arguments.  **It is called for the first few rounds only where one
        is recorded**: it should do nothing but statements on the state and on objects that it makes
        itself, by ``.new()`` say.  What else it does, printing or counting in Python, is done
        as often as it is called; and a number or an ``if`` of Python's stays what it was in the
        round that was recorded, if it has been the same in the one before.
    *state : Vector or Matrix
        All that goes from one round to the next.
    until : callable, optional
        As of `loop`; called after rounds that are looked at, and never recorded.
    tolerance : float, optional
        As of `loop`.
    most : int, optional
        As of `loop`.
    every : int or "auto", optional
        As of `loop`.

    Returns
    -------
    Loop
        Its `rounds` are those that were made, its `launched` those of them that were recorded ones,
        its `change` is that of the last round that was looked at.

    Raises
    ------
    ConvergenceFailure, DomainMismatch, InvalidCall, InvalidValue
        As from `loop`, and whatever the body raises.

    See Also
    --------
    loop : Rounds that are the body of a ``for`` loop.

    Notes
    -----
    Recorded are rounds over vectors on one GPU whose statements wait for nothing: products (which
    are pulled then, unless ``direction=`` says otherwise), accumulations, masks, element-wise
    operations of vectors that are not lists.  What waits: numbers such as ``q.nvals``, reductions
    to one, selections, results that are matrices.  A round is not recorded either that writes into
    an object which is not of the state, leaves one what it has made, brings an array from the
    host, or has other numbers than the round before it.

    A recorded round is a CUDA graph of the round's kernels; behind them the state is copied to
    where it was, if it is elsewhere.  What a round makes stays allocated until the last one.

    Examples
    --------
    Labels that spread; everybody ends with the least that reaches it.

    >>> import spbfs as sb
    >>> from spbfs import Vector, binary, semiring
    >>> A = sb.generate.path(50)
    >>> labels = Vector.from_dense(range(50))
    >>> def spread():
    ...     labels(binary.min) << semiring.min_first(labels @ A)
    >>> sb.repeat(spread, labels).rounds
    50
    >>> labels.reduce("max").new().value
    0
    """
    if not callable(body) or isinstance(body, State):
        raise DomainMismatch(f"body: expected a function, got {brief(body)}")
    rounds = loop(*state, until=until, tolerance=tolerance, most=most, every=every)
    made: Rounds | None = None
    with ExitStack() as block:
        for number in rounds:
            start = tracing.clock()
            if made is None:
                body()
            else:
                made()
            if number == 0:
                made = _recorder(body, state)
                if made is not None:
                    block.enter_context(made)
            if made is not None:
                rounds.launched, rounds.refusal = made.launched, made.refusal
            if start:
                if rounds.launched:
                    tracing.record(kernel="recorded")
                device = state[0].device if state else "cpu"
                tracing.finish(f"round {number}", device, tracing.clock() - start, None)
    return rounds


def _recorder(body: Callable[[], Any], state: tuple[State, ...]) -> Rounds | None:
    """What may record rounds, where the engine of the state can."""
    fused, held = fused_calls(state)
    return None if fused.recorder is None else fused.recorder(body, held)
