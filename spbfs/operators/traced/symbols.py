"""Symbols in place of numbers: a small Python function becomes an expression tree.

Arithmetic, comparisons and NumPy ufuncs on a symbol build a tree; where the function asks whether a
symbol is true (``if``, ``and``, ``min``), every outcome is followed in turn and the results are
joined by a selection, so ordinary branching code is accepted.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import UdfParseError

__all__ = ["Node", "Symbol", "call", "cast", "trace"]

#: A function that branches more often than this is a program, not an operator.
MAX_PATHS = 256

#: The NumPy ufuncs an operator may call; their names are those of `Node.op`.
UFUNCS = frozenset(
    "add subtract multiply true_divide divide floor_divide remainder mod fmod power negative "
    "positive absolute fabs sign sqrt cbrt square exp exp2 expm1 log log2 log10 log1p sin cos tan "
    "arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh hypot floor ceil trunc "
    "rint minimum maximum fmin fmax equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor invert "
    "left_shift right_shift isnan isinf isfinite copysign logaddexp logaddexp2 gcd lcm nextafter "
    "ldexp spacing signbit reciprocal deg2rad rad2deg degrees radians float_power heaviside".split()
)

#: Those that give Booleans, and those that do so for Booleans.
_TRUTHS = frozenset(
    "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor "
    "logical_not isnan isinf isfinite signbit".split()
)
_OF_TRUTHS = frozenset(
    "add multiply absolute minimum maximum fmin fmax bitwise_and bitwise_or bitwise_xor invert "
    "where".split()
)


@dataclass(frozen=True)
class Node:
    """One node: ``arg`` (`value` = its position), ``const``, ``where``, ``cast`` (`value` = what
    to), or the name of a function of `ufuncs`."""

    op: str
    args: tuple[Node, ...] = ()
    value: Any = None

    @cached_property
    def truth(self) -> bool | None:
        """Whether it is Boolean; None where that depends on the types of the arguments."""
        if self.op == "const":
            return isinstance(self.value, bool | np.bool_)
        if self.op == "arg" or self.op in _OF_TRUTHS:
            found = [a.truth for a in (self.args[1:] if self.op == "where" else self.args)]
            return False if False in found else None if None in found or not found else True
        return self.op in _TRUTHS or (self.op == "cast" and self.value == "bool")

    @cached_property
    def counts_truths(self) -> bool | None:
        """Whether somewhere in it Booleans are added up, as numbers; None where that depends on the
        types of the arguments."""
        found = [a.counts_truths for a in self.args]
        if self.op == "cast" and self.value == "number":
            found.append(self.args[0].truth)
        return True if True in found else None if None in found else False


class _Branch(Exception):
    """A symbol was asked for its truth beyond the decisions made so far."""

    def __init__(self, condition: Node) -> None:
        self.condition = condition


class Symbol:
    """Stands for a number while a function is traced."""

    __slots__ = ("_decisions", "_node")

    def __init__(self, node: Node, decisions: list[bool]) -> None:
        self._node = node
        self._decisions = decisions

    def __repr__(self) -> str:
        return "<a number>"

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Symbol:
        if method != "__call__" or kwargs or ufunc.__name__ not in UFUNCS:
            raise UdfParseError(
                f"function: numpy.{ufunc.__name__} cannot be used in an operator; "
                f"expected one of {', '.join(sorted(UFUNCS))}"
            )
        nodes = tuple(_as_node(x) for x in inputs)
        return Symbol(Node(ufunc.__name__, nodes), self._decisions)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Symbol:
        if func in _FUNCTIONS and not kwargs:
            return _FUNCTIONS[func](*args)
        raise UdfParseError(f"function: numpy.{func.__name__} cannot be used in an operator")

    def __round__(self, digits: Any = None) -> Symbol:
        whole = call("rint", self)
        if digits is not None:
            raise UdfParseError("function: round takes no number of digits in an operator")
        return cast("integer", whole)

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

    def __add__(self, other: Any) -> Symbol:
        return _sum(self, other)

    def __radd__(self, other: Any) -> Symbol:
        return _sum(other, self)


def _operator(name: str, swap: bool = False) -> Callable[..., Symbol]:
    ufunc = getattr(np, name)

    def method(self: Symbol, *others: Any) -> Symbol:
        operands = (*others, self) if swap else (self, *others)
        return self.__array_ufunc__(ufunc, "__call__", *operands)

    return method


for _name, _ufunc in {
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}.items():
    setattr(Symbol, f"__{_name}__", _operator(_ufunc))
    setattr(Symbol, f"__r{_name}__", _operator(_ufunc, swap=True))
for _name, _ufunc in {
    "neg": "negative",
    "pos": "positive",
    "abs": "absolute",
    "invert": "invert",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}.items():
    setattr(Symbol, f"__{_name}__", _operator(_ufunc))


def _as_node(x: Any) -> Node:
    if isinstance(x, Symbol):
        return x._node
    if isinstance(x, numbers.Real | np.bool_ | np.integer | np.floating):
        return Node("const", value=x)
    raise UdfParseError(
        f"function: an operator must return a number made of its arguments, got {x!r}"
    )


def _symbol(node: Node, *operands: Any) -> Symbol:
    """A symbol for a node that is made of others, one of them a symbol."""
    decisions = next(x._decisions for x in operands if isinstance(x, Symbol))
    return Symbol(node, decisions)


def call(name: str, *operands: Any) -> Symbol:
    """A function of `ufuncs` over symbols and numbers."""
    return _symbol(Node(name, tuple(_as_node(x) for x in operands)), *operands)


def cast(to: str, x: Any) -> Symbol:
    """A symbol as another type: see `ufuncs.cast`."""
    return _symbol(Node("cast", (_as_node(x),), to), x)


def _sum(x: Any, y: Any) -> Symbol:
    """Python's sum, which counts Booleans where NumPy's of two is "or"."""
    nodes = [_as_node(x), _as_node(y)]
    truths = [node.truth for node in nodes]
    if False not in truths:
        # Of two only one need be a number: that which may be a float, whose type is not to change.
        at = truths.index(None) if None in truths else 0
        nodes[at] = Node("cast", (nodes[at],), "number")
    return _symbol(Node("add", tuple(nodes)), x, y)


def _where(condition: Any, chosen: Any, other: Any) -> Symbol:
    operands = (condition, chosen, other)
    return _symbol(Node("where", tuple(_as_node(x) for x in operands)), *operands)


_FUNCTIONS: dict[Any, Callable[..., Symbol]] = {
    np.where: _where,
    np.clip: lambda x, low, high: call("minimum", call("maximum", x, low), high),
    np.round: lambda x: call("rint", x),
    np.around: lambda x: call("rint", x),
}


def _explore(function: Callable[..., Any], args: tuple[Node, ...], path: list[bool]) -> Node:
    """The tree of `function` once the first decisions are those of `path`."""
    if 2 ** len(path) > MAX_PATHS:
        raise UdfParseError(
            f"function: {brief(function)} branches more than {len(path) - 1} times in a row; "
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
    'add'
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
