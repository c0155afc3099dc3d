"""User-defined operators: small Python functions of numbers, evaluated over whole arrays.

The function is called with symbols in place of numbers (`symbols`), and with functions that know
symbols in place of Python's own ``int`` and ``math`` (`rebound`).  What it does to them is a tree,
evaluated by NumPy or CuPy, which is also what a compiled engine generates its source from.  A
function that cannot be followed so, because it loops as often as its argument says, is called for
every element, on the CPU only.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from spbfs.base.flags import any_true
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue, SpbfsError, UdfParseError
from spbfs.operators import casts
from spbfs.operators.dtypes import FP64, INT8, INT64, UINT64, DType, lookup_dtype
from spbfs.operators.rules import Rule
from spbfs.operators.traced import ufuncs
from spbfs.operators.traced.rebound import rebound
from spbfs.operators.traced.symbols import Node, trace

__all__ = ["Followed", "evaluate", "follow", "foregone", "result_type", "rule_of"]

#: What a function takes, by the number of its arguments.
_ARGUMENTS = {
    1: "a number",
    2: "two numbers",
    4: "a value, its row, its column and a number that they are compared with",
}
_COMPARISONS = frozenset("equal not_equal less less_equal greater greater_equal".split())
#: What a function that cannot be followed is tried with, to see which type comes out.
_SAMPLES = (1, 0, 2, 3, 5)


class Followed(NamedTuple):
    """A function of numbers, as it is called for one, and its tree where there is one.

    Where sums count Booleans, which those of NumPy's scalars do not, it is the tree that is called.
    """

    function: Callable[..., Any]
    tree: Node | None
    #: why there is no tree
    reason: str = ""


def follow(function: Any, arity: int) -> Followed:
    """What an operator is made of: a function of `arity` numbers.

    Raises
    ------
    DomainMismatch
        It is no function.

    Examples
    --------
    >>> follow(lambda x: int(x) + 1, 1).tree.op
    'add'
    """
    if not callable(function):
        raise DomainMismatch(
            f"function: expected a function of {arity} numbers, got {brief(function)}"
        )
    _check_arguments(function, arity)
    bound = rebound(function)
    try:
        tree = trace(bound, arity)
    except UdfParseError as error:
        return Followed(_reporting(bound), None, str(error))
    if tree.counts_truths is False:
        return Followed(bound, tree)

    def counting(*numbers: Any) -> Any:
        if tree.counts_truths or any(isinstance(x, bool | np.bool_) for x in numbers):
            return _evaluate(tree, np, numbers, {})
        return bound(*numbers)

    return Followed(counting, tree)


def _reporting(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called for every element, whose errors say for which."""

    def reported(*numbers: Any) -> Any:
        try:
            return function(*numbers)
        except Exception as error:
            if isinstance(error, SpbfsError):
                raise
            name = getattr(function, "__name__", type(function).__name__)
            given = ", ".join(map(str, numbers))
            raise InvalidValue(
                f"function: {name}({given}) raised {type(error).__name__}: {brief(error)}"
            ) from error

    return reported


def _check_arguments(function: Callable[..., Any], arity: int) -> None:
    """Refuse a function that takes another number of arguments, where it says how many."""
    try:
        taken = signature(function)
    except ValueError:  # one of C, which says nothing
        return
    try:
        taken.bind(*range(arity))
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise UdfParseError(
            f"function: expected a function of {_ARGUMENTS[arity]}, got {name}{taken}"
        ) from None


def rule_of(followed: Followed, types: Callable[[DType], tuple[DType, ...]]) -> Rule:
    """The rule of types of a user's function: what comes out, but in the size that came in.

    Parameters
    ----------
    followed : Followed
    types : callable
        The types of the arguments, for operands of a type.
    """

    def out(t: DType) -> DType:
        kinds = types(t)
        if followed.tree is None:
            return _sampled_type(followed, kinds)
        return result_type(followed.tree, *kinds)

    def rule(t: DType) -> tuple[DType, DType]:
        found = out(t)
        kinds = (t.np_type.kind, found.np_type.kind)
        if kinds == ("f", "f") or (kinds[0] in "iu" and kinds[1] in "iu"):
            found = t
        elif t is UINT64 and found is FP64 and out(INT64) is INT64:
            found = t  # NumPy has no type that holds both
        elif t.is_bool and found is INT64 and not out(INT8).is_float:
            found = INT8
        return t, found

    return rule


def _sampled_type(followed: Followed, kinds: tuple[DType, ...]) -> DType:
    """The type of the results of a function that is called for every element."""
    found = set()
    with np.errstate(all="ignore"):
        for sample in _SAMPLES:
            try:
                value = np.asarray(followed.function(*(t.np_type.type(sample) for t in kinds)))
                if value.ndim == 0:
                    found.add(lookup_dtype(value.dtype).np_type)
            except Exception:
                continue
    if not found:
        raise DomainMismatch(followed.reason)
    return lookup_dtype(np.result_type(*found))


def _evaluate(node: Node, xp: Any, arrays: tuple[Any, ...], known: dict[int, Any]) -> Any:
    if node.op == "arg":
        return arrays[node.value]
    if node.op == "const":
        return node.value
    if id(node) not in known:
        operands = [_evaluate(a, xp, arrays, known) for a in node.args]
        known[id(node)] = _applied(node, xp, operands)
    return known[id(node)]


def _applied(node: Node, xp: Any, operands: list[Any]) -> Any:
    if node.op == "cast":
        return ufuncs.cast(xp, node.value, operands[0])
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
    if whole and any_true(xp.asarray(exponent) < 0):
        raise ValueError("Integers to negative integer powers are not allowed.")


def _is_bool(x: Any) -> bool:
    return isinstance(x, bool) or getattr(x, "dtype", None) == np.bool_


def evaluate(op: Any, xp: Any, *arrays: Any) -> Any:
    """A user's operator over whole arrays of `xp`, which broadcast; the result is one, too.

    Whoever calls it has told NumPy that NaN, infinities and overflow are no news.
    """
    try:
        result = _evaluate(op.tree, xp, arrays, {}) if op.tree else _called(op, xp, arrays)
    except InvalidValue:
        raise
    except ValueError as error:  # an integer to a negative power
        raise InvalidValue(f"function: not defined for these values: {brief(error)}") from None
    shapes = [getattr(a, "shape", ()) for a in arrays]
    shape = shapes[0]
    if shapes.count(shape) < len(shapes):
        shape = np.broadcast_shapes(*shapes)
    result = xp.asarray(result)
    return result if result.shape == shape else xp.broadcast_to(result, shape)


def _called(op: Any, xp: Any, arrays: tuple[Any, ...]) -> Any:
    """A function that could not be followed, called for every element."""
    if xp is not np:
        raise UdfParseError(
            f"function: {brief(op)} cannot be compiled for the GPU, since it is not followed with "
            "symbols for numbers; write it without loops that depend on its arguments (numpy.where "
            "chooses), or move the operands to the CPU"
        )
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    columns = (np.broadcast_to(a, shape) for a in arrays)
    rows = list(zip(*columns, strict=True))
    values = [op.function(*row) for row in rows]
    result = np.array(values)
    if result.dtype.kind not in "biuf":
        for value in values:
            if not isinstance(value, int | float | np.number | np.bool_):
                raise DomainMismatch(
                    f"function: expected a number for every element, got {brief(value)}"
                )
        return result
    expected = op.typed(lookup_dtype(arrays[0].dtype)).out_type
    if expected.is_bool or (result.dtype.kind == "f" and expected.is_integer):
        lost = np.flatnonzero(casts.cast(np, result, expected.np_type) != result)
        if lost.size:
            given = ", ".join(map(str, rows[lost[0]]))
            raise InvalidValue(
                f"function: expected {expected} from {brief(op)}, as for small numbers, got "
                f"{result[lost[0]]} for ({given}); make it return one type for all numbers"
            )
    return result


def result_type(tree: Node, *dtypes: DType) -> DType:
    """The type of an expression tree for operands of these types, by NumPy's promotion."""
    with np.errstate(all="ignore"):
        try:
            value = _evaluate(tree, np, tuple(np.ones(1, d.np_type) for d in dtypes), {})
        except (TypeError, ValueError, OverflowError) as error:
            names = ", ".join(map(str, dtypes))
            raise DomainMismatch(
                f"function: not defined for operands of {names}: {brief(error)}"
            ) from None
    return lookup_dtype(np.asarray(value).dtype)
