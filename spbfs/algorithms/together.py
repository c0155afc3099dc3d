"""Algorithms over a matrix that is spread over ranks: all of them call one, with equal arguments.

A door that `spbfs` puts before every algorithm, as `named` is one.  Arguments that differ between
ranks are refused by all of them before anything is exchanged, and what an algorithm cannot do over
ranks is refused by the algorithm's name, not by that of the step at which it found out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

from spbfs.base.progress import Report
from spbfs.base.wording import brief
from spbfs.engines.protocol import Spread
from spbfs.exceptions import InvalidValue, NotImplementedException
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.devices import DEVICES
from spbfs.objects.placement.residences import check_pages

__all__ = ["together"]

F = TypeVar("F", bound=Callable[..., Any])

#: Arguments that are each rank's own: who is told how far a call is, and how many threads work.
OWN_MATTERS = {"progress", "threads"}
#: And those that ranks have none of: where a result goes, which all would write at once, and who
#: else works on a matrix that is whole.
NONE_OVER_RANKS = ("checkpoint", "out", "output", "scheduler", "devices")


def together(function: F, matrix_of: Callable[[Any], Any] | None = None) -> F:
    """The function, whose first argument may be a matrix over ranks, or what `matrix_of` has one
    of."""
    parameters = list(signature(function).parameters.values())
    if not parameters or parameters[0].kind is Parameter.VAR_POSITIONAL:
        return function
    names = [parameter.name for parameter in parameters]
    defaults = {p.name: p.default for p in parameters if p.default is not Parameter.empty}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        matrix = args[0] if args else kwargs.get(names[0])
        if matrix_of is not None:
            matrix = matrix_of(matrix)
        # Asked before every search of a small graph: the engine only where it may be one of ranks.
        if not isinstance(matrix, MatrixOperand):
            return function(*args, **kwargs)
        if matrix.device in DEVICES:
            result = function(*args, **kwargs)
            check_pages(matrix)
            return result
        spread = matrix._engine.spread
        if spread is None:
            return function(*args, **kwargs)
        # What can be read once only is read for all who look at it.
        given = [list(value) if isinstance(value, Iterator) else value for value in args]
        by_name = {k: list(v) if isinstance(v, Iterator) else v for k, v in kwargs.items()}
        told = defaults | dict(zip(names, given, strict=False)) | by_name
        shared = {"the function": function.__name__, "A": matrix}
        shared |= {n: told[n] for n in names[1:] if n in told and n not in OWN_MATTERS}
        spread.agree(shared)
        for name in NONE_OVER_RANKS:
            if told.get(name) is not None:
                raise InvalidValue(f"{name}: expected None over ranks, got {brief(told[name])}")
        if "progress" in names and spread.any_of(told["progress"] is not None):
            # All are told when one is, so that an error of who is told is one of all ranks.
            by_name["progress"] = _Told(told["progress"], function.__name__, spread)
        try:
            return function(*given, **by_name)
        except NotImplementedException as error:
            raise NotImplementedException(
                f"{function.__name__}: not for a matrix over ranks, which A is; "
                f"{function.__name__}(A.gather()) has it at each of them where A fits ({error})"
            ) from None

    return cast(F, call)


class _Told:
    """How far a call over ranks is: each has told whom it likes before any goes on."""

    def __init__(self, progress: Any, what: str, spread: Spread) -> None:
        self._progress, self._what, self._spread = progress, what, spread
        self._report: Report | None = None

    def __call__(self, ended: int, total: int, edges: int) -> None:
        self._spread.settle(lambda: self._tell(ended, total, edges))

    def _tell(self, ended: int, total: int, edges: int) -> None:
        if self._report is None:
            self._report = Report(self._progress, total or None, self._what, "step")
        self._report(ended, edges)
