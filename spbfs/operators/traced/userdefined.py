"""User-defined operators: small Python functions of numbers, evaluated over whole arrays.

The function is called with symbols in place of numbers (`symbols`), and with functions that know
symbols in place of Python's own ``int`` and ``math`` (`rebound`).  What it does to them is a tree,
which for given types (`lowering`) NumPy or CuPy evaluate, and a compiled engine generates its
source from.  A function that cannot be followed so, because it loops as often as its argument says,
is called for every element, on the CPU only.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue, SpbfsError, UdfParseError
from spbfs.operators import casts
from spbfs.operators.dtypes import FP64, INT8, INT64, UINT64, DType, lookup_dtype
from spbfs.operators.rules import Rule
from spbfs.operators.traced import ufuncs
from spbfs.operators.traced.counting import counting, plain, widened
from spbfs.operators.traced.flags import may_count_flags
from spbfs.operators.traced.lowering import Lowered, lowered, put
from spbfs.operators.traced.rebound import rebound
from spbfs.operators.traced.symbols import Node, returned, trace

__all__ = ["Followed", "evaluate", "follow", "result_type", "rule_of", "tree_over"]

#: What a function takes, by the number of its arguments.
_ARGUMENTS = {
    1: "a number",
    2: "two numbers",
    4: "a value, its row, its column and a number that they are compared with",
}
#: What a function that cannot be followed is tried with, to see which type comes out.
_SAMPLES = (1, 0, 2, 3, 5)


class Followed(NamedTuple):
    """A function of numbers, as it is called for one, and its tree where there is one."""

    function: Callable[..., Any]
    tree: Node | None
    #: why there is no tree
    reason: str = ""
    #: what it returns where the first branches are taken one way or another
    returned: tuple[Node, ...] = ()


def follow(function: Any, arity: int) -> Followed:
    """What an operator is made of: a function of `arity` numbers.

    Raises
    ------
    DomainMismatch
        It is no function.

    Examples
    --------
    >>> follow(lambda x: int(x) + 1, 1).tree.op
    '+'
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
        reporting = _reporting(bound, may_count_flags(function))
        return Followed(reporting, None, str(error), returned(bound, arity))
    return Followed(bound, tree)


def _reporting(function: Callable[..., Any], counts: bool) -> Callable[..., Any]:
    """A function that is called for every element, whose errors say for which.

    Its numbers are NumPy's own unless it counts Booleans.
    """

    def reported(*numbers: Any) -> Any:
        try:
            if counts or np.bool_ in map(type, numbers):
                return plain(function(*map(counting, numbers)))
            return function(*map(widened, numbers))
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
        elif t.is_bool and found is INT64 and out(INT8).is_integer:
            found = INT8
        return t, found

    return rule


def _sampled_type(followed: Followed, kinds: tuple[DType, ...]) -> DType:
    """The type of the results of a function that is called for every element.

    It holds what is returned for small numbers and, as far as it was followed, for others.
    """
    found, wrong = set(), ""
    with np.errstate(all="ignore"):
        for sample in _SAMPLES:
            try:
                value = followed.function(*(t.np_type.type(sample) for t in kinds))
            except Exception as error:
                wrong = wrong or str(error)
                continue
            with suppress(Exception):  # no number was returned, which the reason says
                array = np.asarray(value)
                if array.ndim == 0:
                    found.add(lookup_dtype(array.dtype).np_type)
    if not found:
        if not wrong:
            raise DomainMismatch(followed.reason)
        untraced = followed.reason.removeprefix("function: ")
        raise DomainMismatch(f"{wrong}; it is called for numbers, since {untraced}")
    for node in followed.returned:
        with suppress(DomainMismatch):
            found.add(result_type(node, *kinds).np_type)
    common = np.result_type(*found)
    # No type of integers holds UINT64 and a signed one: as INT64 no bit is lost.
    mixed = common.kind == "f" and all(t.kind in "biu" for t in found)
    return INT64 if mixed else lookup_dtype(common)


def _evaluate(node: Node, xp: Any, arrays: tuple[Any, ...], known: dict[int, Any]) -> Any:
    if node.op == "arg":
        return arrays[node.value]
    if node.op == "const":
        return node.value
    if id(node) not in known:
        operands = [_evaluate(a, xp, arrays, known) for a in node.args]
        if node.op == "cast":
            known[id(node)] = ufuncs.cast(xp, node.value, operands[0])
        elif node.op == "where":
            known[id(node)] = xp.where(*operands)
        else:
            known[id(node)] = ufuncs.call(xp, node.op, *operands)
    return known[id(node)]


def evaluate(op: Any, xp: Any, *arrays: Any) -> Any:
    """A user's operator over whole arrays of `xp`, which broadcast; the result is one, too.

    Whoever calls it has told NumPy that NaN, infinities and overflow are no news.

    Parameters
    ----------
    op : TypedUnary, TypedBinary or TypedIndexUnary
    xp : module
    *arrays
        Of the operator's types.
    """
    result = _evaluate(op.tree, xp, arrays, {}) if op.tree else _called(op, xp, arrays)
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
            f"function: {brief(op.op)} cannot be compiled for the GPU, since it is not followed "
            "with symbols for numbers; write it without loops that depend on its arguments "
            "(numpy.where chooses), or move the operands to the CPU"
        )
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    columns = (np.broadcast_to(a, shape) for a in arrays)
    rows = list(zip(*columns, strict=True))
    values = [op.op.function(*row) for row in rows]
    result = np.array(values)
    if result.dtype.kind not in "biuf":
        for value in values:
            if not isinstance(value, int | float | np.number | np.bool_):
                raise DomainMismatch(
                    f"function: expected a number for every element, got {brief(value)}"
                )
        return result
    expected = op.out_type
    if expected.is_bool or (result.dtype.kind == "f" and expected.is_integer):
        lost = np.flatnonzero(casts.cast(np, result, expected.np_type) != result)
        if lost.size:
            given = ", ".join(map(str, rows[lost[0]]))
            raise InvalidValue(
                f"function: expected {expected} from {brief(op.op)}, as for small numbers, got "
                f"{result[lost[0]]} for ({given}); make it return one type for all numbers"
            )
    return result


def tree_over(tree: Node, dtypes: tuple[DType, ...], *, widen: bool, out: DType) -> Node:
    """A tree that engines evaluate over arguments of these types.

    Parameters
    ----------
    tree : Node
        Of a function.
    dtypes : tuple of DType
    widen : bool
        Whether the function is a user's: see `lowering`.
    out : DType
        Of the results.
    """
    found = _lowered(tree, dtypes, widen)
    return put(found, out.np_type) if found[0].op == "const" else found[0]


def result_type(tree: Node, *dtypes: DType) -> DType:
    """The type that a user's function gives for operands of these types."""
    return lookup_dtype(_lowered(tree, dtypes, True)[1])


def _lowered(tree: Node, dtypes: tuple[DType, ...], widen: bool) -> Lowered:
    try:
        return lowered(tree, tuple(t.np_type for t in dtypes), widen=widen)
    except (TypeError, ValueError, OverflowError) as error:
        names = ", ".join(map(str, dtypes))
        raise DomainMismatch(
            f"function: not defined for operands of {names}: {brief(error)}"
        ) from None
