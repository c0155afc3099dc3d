"""The numbers that a function is called with, one by one: NumPy's, whose Booleans count.

What NumPy's comparisons give does not count: the sum of two is "or", and none has a negative.  Here
it counts as Numba has it, as 0 and 1, and ``~ & | ^`` of Booleans alone are logical.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["Element", "counting", "plain", "rest_of_power", "widened"]

_BOOLEANS = (bool, np.bool_)
_WIDE = (np.int64, np.uint64)
_BITS = frozenset("and or xor invert".split())


class Element:
    """A scalar of NumPy's, of which operators and functions give such ones."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattr__(self, name: str) -> Any:
        if name == "value":  # of one that is being copied
            raise AttributeError(name)
        return getattr(self.value, name)

    def __repr__(self) -> str:
        return f"{self.value}"

    def __format__(self, how: str) -> str:
        return format(self.value, how)

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        return operator.index(self.value.item())

    def __round__(self, digits: Any = None) -> Any:
        return counting(round(self.value, digits))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.value, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return counting(getattr(ufunc, method)(*map(plain, inputs), **kwargs))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return counting(function(*plain(args), **kwargs))


def widened(number: Any) -> Any:
    """An integer of NumPy's with 64 bits, as an operator of Python's takes it."""
    if isinstance(number, np.integer) and type(number) not in _WIDE:
        # NumPy has another type of as many bits, which large numbers in lists are of.
        is_large = number.dtype.kind == "u" and number.dtype.itemsize == 8
        return np.uint64(number) if is_large else np.int64(number)
    return number


def counting(number: Any) -> Any:
    """A number of NumPy's, with 64 bits, as one that counts."""
    if isinstance(number, np.ndarray) and not number.ndim:
        number = number[()]
    return Element(widened(number)) if isinstance(number, np.generic) else number


def plain(number: Any) -> Any:
    """The same as NumPy has it, in a tuple or list, too."""
    if isinstance(number, Element):
        return number.value
    return type(number)(map(plain, number)) if type(number) in (list, tuple) else number


def _slow(name: str, function: Callable[..., Any], *numbers: Any) -> Any:
    """An operator of any operands, one of which is an element."""
    operands = [plain(x) for x in numbers]
    flags = [type(x) in _BOOLEANS for x in operands]
    # Booleans are integers, unless all are and their bits are meant.
    if True in flags and not (name in _BITS and all(flags)):
        operands = [np.int64(x) if flag else x for x, flag in zip(operands, flags, strict=True)]
    return counting(function(*operands))


def _arithmetic(name: str, function: Callable[..., Any], swapped: bool) -> Callable[..., Any]:
    def method(self: Element, other: Any) -> Any:
        x, y = self.value, other.value if type(other) is Element else other
        if type(x) in _QUICK and type(y) in _QUICK:
            made = _new(Element)
            made.value = function(y, x) if swapped else function(x, y)
            return made
        return _slow(name, function, y, x) if swapped else _slow(name, function, x, y)

    return method


def _named(name: str, method: Callable[..., Any]) -> None:
    """Make a function a method of elements: an error that Python makes says its name."""
    method.__name__, method.__qualname__ = name, f"number.{name}"
    setattr(Element, name, method)


def _to_power(to_power: Callable[..., Any]) -> Callable[..., Any]:
    """The power, perhaps the rest of it that a third integer leaves."""

    def method(self: Element, other: Any, modulus: Any = None) -> Any:
        if modulus is None:
            return to_power(self, other)
        return counting(rest_of_power(self, other, modulus))

    return method


def rest_of_power(*numbers: Any) -> Any:
    """What ``pow`` of Python's integers gives, which do not wrap: NumPy's have no modulus."""
    operands = [x.item() if isinstance(x, np.generic) else x for x in map(plain, numbers)]
    found = pow(*operands)
    return np.uint64(found) if found >= 1 << 63 else np.int64(found)


def _comparison(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Element, other: Any) -> Any:
        x, y = self.value, other.value if type(other) is Element else other
        if type(x) in _QUICK and type(y) in _QUICK:
            return _TRUE if function(x, y) else _FALSE
        return _slow(name, function, x, y)

    return method


def _of_one(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self: _slow(name, function, self)


#: What operators give numbers of that count already.
_QUICK = frozenset((int, float, np.int64, np.uint64, np.float32, np.float64))
_TRUE, _FALSE = Element(np.True_), Element(np.False_)
_new = object.__new__

for _name in "add sub mul truediv floordiv mod pow and or xor lshift rshift".split():
    _function = getattr(operator, f"__{_name}__")
    _method = _arithmetic(_name, _function, swapped=False)
    _named(f"__{_name}__", _to_power(_method) if _name == "pow" else _method)
    _named(f"__r{_name}__", _arithmetic(_name, _function, swapped=True))
_named("__divmod__", lambda self, other: (self // other, self % other))
_named("__rdivmod__", lambda self, other: (other // self, other % self))
for _name in "eq ne lt le gt ge".split():
    _named(f"__{_name}__", _comparison(_name, getattr(operator, f"__{_name}__")))
for _name in "neg pos abs invert".split():
    _named(f"__{_name}__", _of_one(_name, getattr(operator, f"__{_name}__")))
