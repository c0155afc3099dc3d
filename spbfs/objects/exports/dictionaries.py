"""Matrices as dictionaries of dictionaries: rows of columns, or columns of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.constructors.compressed import from_csc, from_csr, from_dcsc, from_dcsr

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = ["from_dicts", "to_dicts"]

#: The names that an order goes by, and whether rows come first.
_ORDERS = dict.fromkeys(("rowwise", "row", "rows", "c"), True) | dict.fromkeys(
    ("columnwise", "colwise", "column", "columns", "col", "cols", "f"), False
)


def _rows_first(order: Any) -> bool:
    try:
        return _ORDERS[order.lower()]
    except (AttributeError, KeyError):
        raise InvalidValue(
            f"order: expected 'rowwise' or 'columnwise', got {brief(order)}"
        ) from None


def from_dicts(
    cls: type[Matrix],
    nested_dicts: Any,
    dtype: Any = None,
    *,
    order: str = "rowwise",
    nrows: Any = None,
    ncols: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From ``{row: {column: value}}``, or from a list of one ``{column: value}`` a row.

    Parameters
    ----------
    nested_dicts : mapping of mappings, or sequence of mappings
    dtype : dtype-like, optional
        That of the values by default.
    order : {"rowwise", "columnwise"}, optional
        Whether rows are outside; columnwise it is ``{column: {row: value}}``.
    nrows, ncols : int, optional
        One more than the largest index, or as long as the list, by default.
    name, device : optional
        As for `Matrix`.

    Returns
    -------
    Matrix

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue

    Examples
    --------
    >>> from spbfs import Matrix
    >>> Matrix.from_dicts({0: {1: 5}, 2: {0: 3}}).to_coo()[2].tolist()
    [5, 3]
    >>> Matrix.from_dicts([{1: 5}, {}, {0: 3}], order="columnwise").to_dicts()
    {0: {2: 3}, 1: {0: 5}}
    """
    rows_first = _rows_first(order)
    listed = isinstance(nested_dicts, Sequence)
    if not listed and not isinstance(nested_dicts, Mapping):
        raise DomainMismatch(
            "nested_dicts: expected a dictionary or a list of dictionaries, got "
            f"{type(nested_dicts).__name__}"
        )
    inner = list(nested_dicts if listed else nested_dicts.values())
    odd = [x for x in inner if not isinstance(x, Mapping)]
    if odd:
        raise DomainMismatch(f"nested_dicts: expected dictionaries in it, got {brief(odd[0])}")
    size, given = ("nrows", nrows) if rows_first else ("ncols", ncols)
    if listed and given is not None and given != len(inner):
        raise DimensionMismatch(
            f"{size}: expected {len(inner)}, as many as dictionaries, got {given}"
        )
    indptr = np.cumsum([0, *map(len, inner)])
    indices = list(chain.from_iterable(inner))
    values = list(chain.from_iterable(x.values() for x in inner))
    shape = {"nrows": nrows, "ncols": ncols, "name": name, "device": device}
    if listed:
        make: Any = from_csr if rows_first else from_csc
        made: Matrix = make(cls, indptr, indices, values, dtype, **shape)
    else:
        make = from_dcsr if rows_first else from_dcsc
        made = make(cls, list(nested_dicts), indptr, indices, values, dtype, **shape)
    return made


def to_dicts(self: MatrixOperand, order: str = "rowwise") -> dict[int, dict[int, Any]]:
    """Stored entries as ``{row: {column: value}}``; empty rows are left out.

    Parameters
    ----------
    order : {"rowwise", "columnwise"}, optional
        Whether rows are outside; columnwise it is ``{column: {row: value}}``.

    Returns
    -------
    dict

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 2], [1, 0], [5, 3])
    >>> A.to_dicts(), A.to_dicts("columnwise")
    ({0: {1: 5}, 2: {0: 3}}, {0: {2: 3}, 1: {0: 5}})
    """
    arrays = self.to_dcsr() if _rows_first(order) else self.to_dcsc()
    lines, indptr, indices, values = (a.tolist() for a in arrays)
    return {
        line: dict(zip(indices[start:stop], values[start:stop], strict=True))
        for line, start, stop in zip(lines, indptr, indptr[1:], strict=False)
    }
