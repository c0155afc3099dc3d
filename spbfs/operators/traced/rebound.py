"""A function with Python's functions of numbers replaced by ones that know symbols.

``int``, ``float``, ``round`` and those of ``math`` need a number that is there; in their place
stand functions that build a tree for a symbol, and for a NumPy scalar give what the tree gives for
arrays: no exception, but NaN, infinity or the nearest integer there is.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from spbfs.exceptions import UdfParseError
from spbfs.operators.traced import ufuncs
from spbfs.operators.traced.counting import Element, counting, plain, rest_of_power
from spbfs.operators.traced.standins import StandIn, call, cast

__all__ = ["rebound"]

#: A function that calls more of others, and they of others, is a program.
MAX_FUNCTIONS = 64

#: Functions of `math` that have a ufunc of their name, and those that have it by another.
_SAME = (
    "sqrt cbrt exp exp2 expm1 log2 log10 log1p sin cos tan sinh cosh tanh hypot fabs copysign fmod "
    "isnan isinf isfinite erf erfc lgamma degrees radians nextafter"
).split()
_OTHERS = {f"a{name}": f"arc{name}" for name in "sin cos tan sinh cosh tanh".split()} | {
    "atan2": "arctan2",
    "pow": "power",
    "gamma": "tgamma",
}


def _cast(to: str, x: Any) -> Any:
    if isinstance(x, StandIn):
        return cast(to, x)
    with np.errstate(all="ignore"):
        made = ufuncs.cast(np, to, np.asarray(x)).reshape(())[()]
    return counting(made) if isinstance(x, Element) else made


def _known(x: Any) -> bool:
    """Whether `x` is of those that a tree sees: a symbol, or an element that stands for one."""
    return isinstance(x, StandIn | np.generic | Element)


def _called(name: str, *operands: Any) -> Any:
    """What a ufunc gives for elements."""
    with np.errstate(all="ignore"):
        made = ufuncs.call(np, name, *map(plain, operands))
    return counting(made) if any(isinstance(x, Element) for x in operands) else made


def _of_math(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `math`, which counts in doubles."""

    def function(*operands: Any) -> Any:
        if not any(map(_known, operands)):
            return original(*operands)
        floats = [_cast("float", x) if _known(x) else x for x in operands]
        if any(isinstance(x, StandIn) for x in floats):
            return call(name, *floats)
        return _called(name, *floats)

    return function


def _log(x: Any, *base: Any) -> Any:
    log = _of_math("log", math.log)
    return log(x) / log(*base) if base else log(x)


def _whole(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `math` that rounds to an integer."""
    rounded = _of_math(name, original)

    def function(x: Any) -> Any:
        return _cast("integer", rounded(x)) if _known(x) else original(x)

    return function


def _converted(to: str, original: Any) -> Callable[..., Any]:
    def function(*x: Any) -> Any:
        return _cast(to, x[0]) if len(x) == 1 and _known(x[0]) else original(*x)

    return function


def _round(x: Any, digits: Any = None) -> Any:
    if isinstance(x, np.generic | Element) and digits is None:
        return x if x.dtype.kind in "iu" else _cast("integer", np.rint(x))
    return round(x, digits)


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    operands = (base, exp, mod)
    if mod is None or not any(map(_known, operands)):
        return pow(*operands)
    if any(isinstance(x, StandIn) for x in operands):
        raise UdfParseError("function: pow takes no modulus in an operator")
    made = rest_of_power(*operands)
    return counting(made) if any(isinstance(x, Element) for x in operands) else made


def _id(x: Any) -> int:
    if _known(x):
        raise UdfParseError("function: id cannot be used in an operator; a number is no object")
    return id(x)


_MATH: dict[str, Any] = {
    **{name: _of_math(name, getattr(math, name)) for name in _SAME if hasattr(math, name)},
    **{name: _of_math(ufunc, getattr(math, name)) for name, ufunc in _OTHERS.items()},
    **{name: _whole(name, getattr(math, name)) for name in ("floor", "ceil", "trunc")},
    "log": _log,
}
_BUILTINS: dict[str, Any] = {
    "int": _converted("integer", int),
    "float": _converted("float", float),
    "bool": _converted("bool", bool),
    "round": _round,
    "pow": _pow,
    "id": _id,
}


class _NumPyType:
    """A type of NumPy's, called on a number; for all else its dtype says what it is."""

    def __init__(self, name: str) -> None:
        self.dtype = np.dtype(name)
        self._convert = _converted(self.dtype.name, self.dtype.type)

    def __call__(self, *x: Any) -> Any:
        return self._convert(*x)


class _Ufunc:
    """A ufunc that for elements gives what it gives for arrays, not in half precision."""

    def __init__(self, name: str) -> None:
        self._ufunc = getattr(np, name)

    def __call__(self, *operands: Any, **options: Any) -> Any:
        given = any(map(_known, operands))
        if options or not given or any(isinstance(x, StandIn) for x in operands):
            return self._ufunc(*operands, **options)
        return _called(self._ufunc.__name__, *operands)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ufunc, name)


_NUMPY: dict[str, Any] = {
    name: _NumPyType(name)
    for name in (
        "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 intp".split()
    )
} | {name: _Ufunc(name) for name in ufuncs.OF_FLOATS}

_MATH_MODULE = SimpleNamespace(**{**vars(math), **_MATH})
#: What stands for a function or type that a name of the user's refers to, by its identity.
_STANDS_FOR = (
    {id(getattr(math, name)): made for name, made in _MATH.items()}
    | {id(getattr(builtins, name)): made for name, made in _BUILTINS.items()}
    | {id(getattr(np, name)): made for name, made in _NUMPY.items()}
)


class _NumPy:
    """NumPy, but for its types and ufuncs of floats."""

    def __getattr__(self, name: str) -> Any:
        return _NUMPY.get(name) or getattr(np, name)


def _names_in(code: CodeType) -> Iterator[str]:
    """What a function's code, and that of functions in it, looks up."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def rebound(function: Callable[..., Any], seen: dict[int, Any] | None = None) -> Any:
    """The function, looking up what knows symbols; itself where it looks up none of that.

    Parameters
    ----------
    function : callable
    seen : dict, optional
        Functions that it calls and that have been done already, by their identity.

    Examples
    --------
    >>> import numpy as np
    >>> float(rebound(lambda x: math.sqrt(x))(np.float64(-1.0)))
    nan
    """
    if not isinstance(function, FunctionType):
        return _replaced(function, set(), {}) if isinstance(function, np.ufunc) else function
    seen = {} if seen is None else seen
    if id(function) in seen:
        return seen[id(function)]
    seen[id(function)] = function  # for one that calls itself
    names = set(_names_in(function.__code__))
    here = function.__globals__
    found = {name: here.get(name, getattr(builtins, name, None)) for name in names}
    changed = {}
    for name, value in found.items():
        other = _replaced(value, names, seen)
        if other is not value:
            changed[name] = other
    cells = function.__closure__ or ()
    closure = tuple(_replaced_cell(cell, names, seen) for cell in cells)
    if not changed and all(a is b for a, b in zip(closure, cells, strict=True)):
        return function
    made = FunctionType(
        function.__code__, {**here, **changed}, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _replaced(value: Any, names: set[str], seen: dict[int, Any]) -> Any:
    if value is math:
        return _MATH_MODULE
    if value is np and not names.isdisjoint(_NUMPY):
        return _NumPy()
    if isinstance(value, BuiltinFunctionType | type | np.ufunc):
        return _STANDS_FOR.get(id(value), value)
    if isinstance(value, FunctionType) and len(seen) < MAX_FUNCTIONS:
        return rebound(value, seen)
    return value


def _replaced_cell(cell: CellType, names: set[str], seen: dict[int, Any]) -> CellType:
    try:
        value = cell.cell_contents
    except ValueError:  # a name without a value yet
        return cell
    other = _replaced(value, names, seen)
    return cell if other is value else CellType(other)
