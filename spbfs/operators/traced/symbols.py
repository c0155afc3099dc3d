"""Symbols in place of numbers: a small Python function becomes an expression tree.

Arithmetic, comparisons and NumPy ufuncs on a symbol build a tree; where the function asks whether a
symbol is true (``if``, ``and``, ``min``), every outcome is followed in turn and the results are
joined by a selection, so ordinary branching code is accepted.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import UdfParseError
from spbfs.operators.traced.standins import StandIn

__all__ = ["Node", "Symbol", "returned", "trace"]

#: A function that branches more often than this is a program, not an operator.
MAX_PATHS = 256


@dataclass(frozen=True)
class Node:
    """One node: ``arg`` (`value` = its position), ``const``, ``where``, ``cast`` (`value` = what
    to), the sign of an operator of Python's, or the name of a function of `ufuncs`."""

    op: str
    args: tuple[Node, ...] = ()
    value: Any = None


class _Branch(Exception):
    """A symbol was asked for its truth beyond the decisions made so far."""

    def __init__(self, condition: Node) -> None:
        self.condition = condition


class Symbol(StandIn):
    """Stands for a number while a function is traced."""

    __slots__ = ("_decisions", "_node")

    def __init__(self, node: Node, decisions: list[bool]) -> None:
        self._node = node
        self._decisions = decisions

    def __repr__(self) -> str:
        return "<a number>"

    def made(self, name: str, *operands: Any) -> Symbol:
        return Symbol(Node(name, tuple(_as_node(x) for x in operands)), self._decisions)

    def converted(self, to: str) -> Symbol:
        return Symbol(Node("cast", (self._node,), to), self._decisions)

    def __bool__(self) -> bool:
        if not self._decisions:
            raise _Branch(self._node)
        return self._decisions.pop(0)

    def _number(self) -> Any:
        raise UdfParseError(
            "function: an operator sees whole arrays at once, so its argument cannot become a "
            "Python number that something else counts with"
        )

    # A hash that is the symbol's own would find nothing in a table, and so give an answer.
    __float__ = __int__ = __index__ = __len__ = __iter__ = __hash__ = _number


def _as_node(x: Any) -> Node:
    if isinstance(x, Symbol):
        return x._node
    if isinstance(x, numbers.Real | np.bool_ | np.integer | np.floating):
        return Node("const", value=x)
    raise UdfParseError(
        f"function: an operator must return a number made of its arguments, got {x!r}"
    )


def _explore(function: Callable[..., Any], args: tuple[Node, ...], path: list[bool]) -> Node:
    """The tree of `function` once the first decisions are those of `path`."""
    if 2 ** len(path) > MAX_PATHS:
        name = getattr(function, "__name__", brief(function))
        raise UdfParseError(
            f"function: {name} branches more than {len(path) - 1} times in a row; "
            "an operator must be a small expression of its arguments"
        )
    decisions = list(path)
    try:
        return _as_node(function(*(Symbol(a, decisions) for a in args)))
    except _Branch as branch:
        condition = branch.condition
    chosen = _explore(function, args, [*path, True])
    other = _explore(function, args, [*path, False])
    return Node("where", (condition, chosen, other))


def trace(function: Callable[..., Any], arity: int) -> Node:
    """The expression tree of a Python function of `arity` scalars.

    Raises
    ------
    UdfParseError
        When the function uses something that has no meaning over whole arrays.

    Examples
    --------
    >>> trace(lambda x, y: x + 2 * y, 2).op
    '+'
    >>> trace(lambda x, y: x if x < y else y, 2).op
    'where'
    """
    args = tuple(Node("arg", value=i) for i in range(arity))
    try:
        return _explore(function, args, [])
    except Exception as error:
        if isinstance(error, UdfParseError):
            raise
        name = getattr(function, "__name__", type(function).__name__)
        raise UdfParseError(
            f"function: {name} cannot be made an operator: {brief(error)}"
        ) from error


def returned(function: Callable[..., Any], arity: int) -> tuple[Node, ...]:
    """What a function that cannot be traced returns where it can be followed to its end.

    Examples
    --------
    >>> def halved(x):
    ...     while x > 1:
    ...         x = x / 2
    ...     return x
    >>> {node.op for node in returned(halved, 1)} == {"arg", "/"}
    True
    """
    args = tuple(Node("arg", value=i) for i in range(arity))
    found: list[Node] = []
    paths: list[list[bool]] = [[]]
    while paths:
        path = paths.pop()
        decisions = list(path)
        try:
            found.append(_as_node(function(*(Symbol(a, decisions) for a in args))))
        except _Branch:
            if 2 ** len(path) < MAX_PATHS:
                paths += [*path, False], [*path, True]
        except Exception:  # it does what has no meaning over whole arrays
            continue
    return tuple(found)
