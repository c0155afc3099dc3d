"""Work with a user's function in it, which may raise where one rank's values are and not others'.

The ranks meet after it, so that an error at one of them is one at all, and nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from spbfs.distributed.exchange.ranks import settled, within
from spbfs.operators.definitions import TypedMonoid, TypedSemiring

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["guarded"]

T = TypeVar("T")


def guarded(engine: DistributedEngine, work: Callable[[], T], *operators: Any) -> T:
    """What `work` returns; where it calls a user's function, once it has ended at all ranks.

    Parameters
    ----------
    work : callable
        Of this rank alone: it exchanges nothing.
    operators : typed operators
        Those in it, or None.

    Raises
    ------
    SpbfsError
        That of the first rank that had one; `RankFailed` where it was no error of this package's.
    """
    if any(map(_may_raise, operators)):
        # On vectors ranks exchange nothing else, so that they are in no call yet.
        names = " ".join(operator.op.name for operator in operators if operator is not None)
        with within(engine.ranks, f"a function in {names}"):
            return settled(engine.ranks, work)
    return work()


def _may_raise(operator: Any) -> bool:
    """Whether it may raise for some values: a user's, or an integer to a negative power."""
    return any(op.function is not None or op.name == "pow" for op in _functions(operator))


def _functions(operator: Any) -> Iterator[Any]:
    if isinstance(operator, TypedSemiring):
        yield from (operator.add.op.binaryop, operator.multiply.op)
    elif isinstance(operator, TypedMonoid):
        yield operator.op.binaryop
    elif operator is not None:
        yield operator.op
