"""User-defined operators: a small Python function of scalars becomes an expression tree.

The function is called with symbols in place of numbers.  Arithmetic, comparisons and NumPy ufuncs
on a symbol build a tree; where the function asks whether a symbol is true (``if``, ``and``,
``min``), every outcome is followed in turn and the results are joined by a selection, so ordinary
branching code is accepted.  The tree is evaluated over whole arrays by NumPy or CuPy, and is what
a compiled engine generates its source from.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.operators import ufuncs
from spbfs.operators.dtypes import DType, lookup_dtype

__all__ = ["Node", "evaluate", "foregone", "result_type", "trace"]

#: A function that branches more often than this is a program, not an operator.
MAX_PATHS = 256

#: The NumPy ufuncs an operator may call; their names are those of `Node.op`.
UFUNCS = frozenset(
    "add subtract multiply true_divide divide floor_divide remainder mod fmod power negative "
    "positive absolute fabs sign sqrt cbrt square exp exp2 expm1 log log2 log10 log1p sin cos tan "
    "arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh hypot floor ceil trunc "
    "rint minimum maximum fmin fmax equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor invert "
    "left_shift right_shift isnan isinf isfinite copysign".split()
)

_COMPARISONS = frozenset("equal not_equal less less_equal greater greater_equal".split())


@dataclass(frozen=True)
class Node:
    """One node: ``arg`` (`value` = its position), ``const``, ``where``, or a ufunc's name."""

    op: str
    args: tuple[Node, ...] = ()
    value: Any = None


class _Branch(Exception):
    """A symbol was asked for its truth beyond the decisions made so far."""

    def __init__(self, condition: Node) -> None:
        self.condition = condition


class _Symbol:
    """Stands for a number while a function is traced."""

    __slots__ = ("_decisions", "_node")

    def __init__(self, node: Node, decisions: list[bool]) -> None:
        self._node = node
        self._decisions = decisions

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> _Symbol:
        if method != "__call__" or kwargs or ufunc.__name__ not in UFUNCS:
            raise DomainMismatch(
                f"function: numpy.{ufunc.__name__} cannot be used in an operator; "
                f"expected one of {', '.join(sorted(UFUNCS))}"
            )
        nodes = tuple(_as_node(x) for x in inputs)
        return _Symbol(Node(ufunc.__name__, nodes), self._decisions)

    def __bool__(self) -> bool:
        if not self._decisions:
            raise _Branch(self._node)
        return self._decisions.pop(0)

    def _number(self) -> Any:
        raise DomainMismatch(
            "function: an operator sees whole arrays at once, so its argument cannot become a "
            "Python number; use NumPy's function (numpy.sqrt) in place of math's"
        )

    __float__ = __int__ = __index__ = __len__ = __iter__ = _number


def _operator(name: str, swap: bool = False) -> Callable[..., _Symbol]:
    ufunc = getattr(np, name)

    def method(self: _Symbol, *others: Any) -> _Symbol:
        operands = (*others, self) if swap else (self, *others)
        return self.__array_ufunc__(ufunc, "__call__", *operands)

    return method


for _name, _ufunc in {
    "add": "add",
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
    setattr(_Symbol, f"__{_name}__", _operator(_ufunc))
    setattr(_Symbol, f"__r{_name}__", _operator(_ufunc, swap=True))
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
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
}.items():
    setattr(_Symbol, f"__{_name}__", _operator(_ufunc))


def _as_node(x: Any) -> Node:
    if isinstance(x, _Symbol):
        return x._node
    if isinstance(x, numbers.Real | np.bool_ | np.integer | np.floating):
        return Node("const", value=x)
    raise DomainMismatch(
        f"function: an operator must return a number made of its arguments, got {x!r}"
    )


def _explore(function: Callable[..., Any], args: tuple[Node, ...], path: list[bool]) -> Node:
    """The tree of `function` once the first decisions are those of `path`."""
    if 2 ** len(path) > MAX_PATHS:
        raise DomainMismatch(
            f"function: {function!r} branches more than {len(path) - 1} times in a row; "
            "an operator must be a small expression of its arguments"
        )
    decisions = list(path)
    try:
        return _as_node(function(*(_Symbol(a, decisions) for a in args)))
    except _Branch as branch:
        condition = branch.condition
    chosen = _explore(function, args, [*path, True])
    other = _explore(function, args, [*path, False])
    return Node("where", (condition, chosen, other))


def trace(function: Callable[..., Any], arity: int) -> Node:
    """The expression tree of a Python function of `arity` scalars.

    Raises
    ------
    DomainMismatch
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
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, DomainMismatch):
            raise
        raise DomainMismatch(
            f"function: {function!r} cannot be called with {arity} symbols: {error}"
        ) from error


def _evaluate(node: Node, xp: Any, arrays: tuple[Any, ...]) -> Any:
    if node.op == "arg":
        return arrays[node.value]
    if node.op == "const":
        return node.value
    operands = [_evaluate(a, xp, arrays) for a in node.args]
    if node.op == "where":
        condition, chosen, other = operands
        return xp.where(xp.asarray(condition) != 0, chosen, other)
    if node.op in ("negative", "subtract") and all(_is_bool(x) for x in operands):
        operands = [xp.asarray(x).astype(np.int64) for x in operands]
    if xp is not np:
        if node.op == "power":
            _check_exponents(xp, *operands)
        verdict = foregone(node.op, *(getattr(x, "dtype", x) for x in operands))
        if verdict is not None:
            return xp.full(np.broadcast_shapes(*map(np.shape, operands)), verdict)
    return ufuncs.call(xp, node.op, *operands)


def foregone(name: str, *operands: Any) -> bool | None:
    """What a comparison says of all values, where a number is beyond the other operand's type.

    NumPy compares with such a number; elsewhere it would have to be put into the type first.

    Parameters
    ----------
    name : str
        Of the ufunc.
    *operands : int, float or numpy.dtype
        A number as Python has it, or the type of an array.

    Examples
    --------
    >>> foregone("less", np.dtype("int8"), 300), foregone("greater", -1, np.dtype("uint8"))
    (True, False)
    """
    limits = [np.iinfo(x) for x in operands if isinstance(x, np.dtype) and x.kind in "iu"]
    given = [x for x in operands if isinstance(x, int) and not isinstance(x, bool)]
    if name not in _COMPARISONS or not (limits and given):
        return None
    if limits[0].min <= given[0] <= limits[0].max:
        return None
    samples = (x.type(0) if isinstance(x, np.dtype) else x for x in operands)
    return bool(getattr(np, name)(*samples))


def _check_exponents(xp: Any, base: Any, exponent: Any) -> None:
    """What NumPy refuses and others answer with anything: an integer to a negative power."""
    whole = all(xp.asarray(x).dtype.kind in "iu" for x in (base, exponent))
    if whole and bool((xp.asarray(exponent) < 0).any()):
        raise ValueError("Integers to negative integer powers are not allowed.")


def _is_bool(x: Any) -> bool:
    return isinstance(x, bool) or getattr(x, "dtype", None) == np.bool_


def evaluate(op: Any, xp: Any, *arrays: Any) -> Any:
    """A user's operator over whole arrays of `xp`, which broadcast; the result is one, too."""
    with np.errstate(all="ignore"):
        try:
            result = _evaluate(op.tree, xp, arrays)
        except ValueError as error:  # an integer to a negative power
            raise InvalidValue(f"function: not defined for these values: {error}") from None
    shape = np.broadcast_shapes(*(getattr(a, "shape", ()) for a in arrays))
    return xp.broadcast_to(xp.asarray(result), shape)


def result_type(tree: Node, *dtypes: DType) -> DType:
    """The type of an expression tree for operands of these types, by NumPy's promotion."""
    with np.errstate(all="ignore"):
        try:
            value = _evaluate(tree, np, tuple(np.ones(1, d.np_type) for d in dtypes))
        except (TypeError, ValueError, OverflowError) as error:
            names = ", ".join(map(str, dtypes))
            raise DomainMismatch(
                f"function: not defined for operands of {names}: {error}"
            ) from None
    dtype = np.asarray(value).dtype
    return lookup_dtype(np.float32 if dtype == np.float16 else dtype)
