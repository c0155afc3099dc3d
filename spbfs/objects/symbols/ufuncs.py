"""What NumPy asks of matrices and vectors: its numbers beside them compute, all else is refused.

NumPy calls a ufunc for ``np.int8(3) * v`` and ``array + v`` as for ``np.sqrt(v)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import is_scalar
from spbfs.objects.classes import classes
from spbfs.objects.display.makers import described, is_of_library
from spbfs.objects.placement.gpu_arrays import on_gpu
from spbfs.operators.tables.builtin import UNARY

__all__ = ["beside", "called_by_numpy", "may_answer", "not_taken"]

#: Symbols by their operators.
_SYMBOLS = {
    "plus": "+",
    "minus": "-",
    "times": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lxor": "^",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
#: By ufunc, the symbol, and the method that computes ``number symbol self``.
_UFUNCS = {
    "add": ("+", "__radd__"),
    "subtract": ("-", "__rsub__"),
    "multiply": ("*", "__rmul__"),
    "divide": ("/", "__rtruediv__"),
    "floor_divide": ("//", "__rfloordiv__"),
    "remainder": ("%", "__rmod__"),
    "divmod": ("divmod", "__rdivmod__"),
    "power": ("**", "__rpow__"),
    "bitwise_and": ("&", "__rand__"),
    "bitwise_or": ("|", "__ror__"),
    "bitwise_xor": ("^", "__rxor__"),
    "matmul": ("@", "__rmatmul__"),
    "less": ("<", "__gt__"),
    "less_equal": ("<=", "__ge__"),
    "greater": (">", "__lt__"),
    "greater_equal": (">=", "__le__"),
    "equal": ("==", "__eq__"),
    "not_equal": ("!=", "__ne__"),
}
#: What NumPy calls otherwise.
_UNARY = {"absolute": "abs", "negative": "ainv", "invert": "lnot", "rint": "round"}


def beside(operator: str, other: Any, reflected: bool) -> Any:
    """NotImplemented for what may know more than we do, an error for what holds numbers.

    Parameters
    ----------
    operator : str
        Of a symbol; those of ``==`` and ``!=`` have an error of their own.
    other : object
        Neither matrix, vector, Scalar nor number.
    reflected : bool
        Whether it is on the left.
    """
    if not _is_array(other) or operator not in _SYMBOLS:
        return NotImplemented
    raise not_taken(_SYMBOLS[operator], other, reflected)


def may_answer(other: Any, method: str) -> bool:
    """Whether what stands on the right has a reflected method, which then is to be asked."""
    if isinstance(other, classes.Operand | classes.ScalarArithmetic) or is_scalar(other):
        return False
    # Not by getattr: every class has `__ror__` of its own class.
    has_it = any(method in vars(kind) for kind in type(other).__mro__)
    return has_it and not _is_array(other)


def _is_array(other: Any) -> bool:
    """Whether it holds numbers of which a matrix or vector is made, and knows nothing of ours."""
    return isinstance(other, list | tuple | np.ndarray) or on_gpu(other) or is_of_library(other)


def called_by_numpy(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """``__array_ufunc__`` of matrices and vectors."""
    name, (first, *others) = ufunc.__name__, inputs
    symbol, reflected = _UFUNCS.get(name, ("", ""))
    if symbol and method == "__call__" and not options and first is not self:
        if is_scalar(first):
            return getattr(self, reflected)(first)
        if not isinstance(first, classes.Operand):
            raise not_taken(symbol, first, True)
    found, what = type(self).__name__, f"numpy.{name}"
    if method == "reduce":
        way = ".reduce()" if self.ndim == 1 else ".reduce_scalar()"
    elif symbol:
        way = f"x {symbol} y" if symbol != "divmod" else "divmod(x, y)"
    elif not others:
        called = _UNARY.get(name, name)
        way = f'.apply("{called if called in UNARY else what}")'
    else:
        way = ".ewise_add(y, op) or .ewise_mult(y, op) with an operator of spbfs.binary"
    raise DomainMismatch(f"{what}: a {found} is no dense array; write {way}")


def not_taken(symbol: str, other: Any, reflected: bool) -> DomainMismatch:
    """The error for what is beside a matrix or vector, and no operand."""
    side = "left" if reflected else "right"
    hint = "; isequal compares whole objects" if symbol in ("==", "!=") else ""
    return DomainMismatch(
        f"{side} of {symbol}: expected a matrix, vector, Scalar or number, got "
        f"{described(other)}{hint}"
    )
