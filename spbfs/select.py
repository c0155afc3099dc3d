"""Selections: which stored entries to keep, by value or position.

``select.tril(A)``, ``select.valuegt(A, 5)``; ``select.value(A > 5)`` and ``select.row(A <= 3)``
read a comparison as a selection by value, row, column or index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DomainMismatch as _DomainMismatch
from spbfs.objects.symbols import calls as _calls
from spbfs.operators import doors as _doors

__all__ = ["column", "index", "row", "value"]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


def _by_position(expression: Any, names: dict[str, tuple[str, int]], what: str) -> Any:
    operand, comparison, thunk = _comparison(expression, what)
    if comparison not in names:
        raise _DomainMismatch(
            f"expression: select.{what} understands the comparisons "
            f"{', '.join(sorted(names))}, got {comparison}"
        )
    name, shift = names[comparison]
    return operand.select(name, thunk + shift if shift else thunk)


def _comparison(expression: Any, what: str) -> Any:
    found = getattr(expression, "comparison", None)
    if found is None:
        raise _DomainMismatch(
            f"expression: select.{what} expects a comparison with a scalar such as A > 5, "
            f"got {expression!r}"
        )
    return found


def value(expression: Any) -> Any:
    """Keep entries by value.

    Parameters
    ----------
    expression : Expression
        A comparison of a Matrix or Vector with a scalar.

    Returns
    -------
    Expression

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([5, 2, 7])
    >>> sb.select.value(v > 4).new().to_dict()
    {0: 5, 2: 7}
    """
    operand, comparison, thunk = _comparison(expression, "value")
    return operand.select(f"value{comparison}", thunk)


def row(expression: Any) -> Any:
    """Keep entries by row.

    Parameters
    ----------
    expression : Expression
        A comparison of a Matrix with a scalar.

    Returns
    -------
    Expression

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 0], [5, 3])
    >>> sb.select.row(A <= 0).new().to_dicts()
    {0: {1: 5}}
    """
    names = {"le": ("rowle", 0), "lt": ("rowle", -1), "gt": ("rowgt", 0), "ge": ("rowgt", -1)}
    return _by_position(expression, names, "row")


def column(expression: Any) -> Any:
    """Keep entries by column.

    Parameters
    ----------
    expression : Expression
        A comparison of a Matrix with a scalar.

    Returns
    -------
    Expression

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 0], [5, 3])
    >>> sb.select.column(A <= 0).new().to_dicts()
    {1: {0: 3}}
    """
    names = {"le": ("colle", 0), "lt": ("colle", -1), "gt": ("colgt", 0), "ge": ("colgt", -1)}
    return _by_position(expression, names, "column")


def index(expression: Any) -> Any:
    """Keep entries by index.

    Parameters
    ----------
    expression : Expression
        A comparison of a Vector with a scalar.

    Returns
    -------
    Expression

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_dense([5, 2, 7])
    >>> sb.select.index(v >= 1).new().to_dict()
    {1: 2, 2: 7}
    """
    names = {
        "le": ("indexle", 0),
        "lt": ("indexle", -1),
        "gt": ("indexgt", 0),
        "ge": ("indexgt", -1),
    }
    return _by_position(expression, names, "index")


_doors.open_door("select", globals(), _calls.call)
