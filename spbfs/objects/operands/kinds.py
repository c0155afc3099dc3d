"""What an operand is once it is computed: a Matrix, a Vector or a Scalar.

Of python-graphblas's core, where graphblas-algorithms has these from.
"""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.objects.classes import classes

__all__ = ["ensure_type", "output_type"]


def output_type(value: Any) -> type:
    """The class that ``value.new()`` has, for an operand, else the value's own.

    Parameters
    ----------
    value : object

    Returns
    -------
    type

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([1, 2])
    >>> output_type(v + v), output_type(v.outer(v)), output_type(5)
    (<class 'spbfs.objects.vector.Vector'>, <class 'spbfs.objects.matrix.Matrix'>, <class 'int'>)
    """
    if isinstance(value, classes.Operand):
        return classes.Vector if value.ndim == 1 else classes.Matrix
    if isinstance(value, classes.ScalarArithmetic):
        return classes.Scalar
    return type(value)


def ensure_type(value: Any, types: Any) -> Any:
    """The value, computed where only then it is of these types.

    Parameters
    ----------
    value : object
    types : type or tuple of types

    Raises
    ------
    DomainMismatch
        When it is not of these types computed either.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0], [1], [5])
    >>> ensure_type(A, sb.Matrix) is A, ensure_type(A.T, sb.Matrix).to_dicts()
    (True, {1: {0: 5}})
    """
    if isinstance(value, types):
        return value
    wanted = types if isinstance(types, tuple) else (types,)
    if output_type(value) in wanted:
        return value.new()
    names = " or ".join(t.__name__ for t in wanted)
    raise DomainMismatch(f"value: expected a {names}, got {type(value).__name__}")
