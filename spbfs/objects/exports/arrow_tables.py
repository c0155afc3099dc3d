"""Tables as Arrow's PyCapsule interface hands them over: to polars, pyarrow, DuckDB, pandas.

The methods here become those of matrices, vectors and results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.objects.exports.tables import named_columns, named_entries

if TYPE_CHECKING:
    from spbfs.objects.labels import Labels
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.vector import Vector

__all__ = ["arrow_table", "edge_stream", "stream", "table_stream", "vector_stream"]

_WHAT = "__arrow_c_stream__"


def arrow_table(names: list[str], columns: list[Any], what: str) -> Any:
    """Columns of equal length as a table of pyarrow's; `what` says in errors what it is for.

    Raises
    ------
    DomainMismatch
        When Arrow has no type for what a column holds.
    PackageMissing
        When pyarrow is not installed.
    """
    arrow = package("pyarrow", _WHAT)
    try:
        return arrow.table([arrow.array(column) for column in columns], names)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        # Of some names pyarrow lets through what Python says of them.
        raise DomainMismatch(f"{what} has no type for these names: {brief(error)}") from None


def stream(names: list[str], columns: list[Any], requested_schema: object) -> object:
    """The capsule of such a table."""
    capsule: object = arrow_table(names, columns, "Arrow").__arrow_c_stream__(requested_schema)
    return capsule


def table_stream(
    labels: Labels | None, columns: dict[str, Vector], requested_schema: object
) -> object:
    """That of vectors beside the names of their vertices, as `tables.table` has them."""
    vertices, values = named_columns(labels, columns)
    return stream(["vertex", *values], [vertices, *values.values()], requested_schema)


def vector_stream(self: Vector, requested_schema: object = None) -> object:
    """The stored entries for whoever speaks Arrow: columns "vertex" and "value".

    ``polars.DataFrame(v)``, ``pyarrow.table(v)`` and ``pandas.DataFrame.from_arrow(v)`` call it.
    Vertices are the `labels`, or the numbers, and values names where there are `value_labels`, as
    in `to_pandas`.  Of a vector over ranks it is the whole, at every rank; all of them call it.

    Parameters
    ----------
    requested_schema : PyCapsule, optional
        An Arrow schema to convert to, as far as pyarrow can.

    Returns
    -------
    PyCapsule
        An ``ArrowArrayStream``.

    Raises
    ------
    DomainMismatch
        When Arrow has no type for the names.
    PackageMissing
        When pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([2, 0], [6, 4])
    >>> v.labels = ["ann", "bob", "eve"]
    >>> pyarrow.table(v).to_pydict()
    {'vertex': ['ann', 'eve'], 'value': [4, 6]}
    """
    return table_stream(self.labels, {"value": self}, requested_schema)


def edge_stream(self: MatrixOperand, requested_schema: object = None) -> object:
    """The stored entries for whoever speaks Arrow: columns "source", "target" and "weight".

    ``polars.DataFrame(A)``, ``pyarrow.table(A)`` and ``pandas.DataFrame.from_arrow(A)`` call it.
    Ends are names where there are `labels`; of BOOL there is no weight, as in
    `to_pandas_edgelist`.

    Parameters
    ----------
    requested_schema : PyCapsule, optional
        An Arrow schema to convert to, as far as pyarrow can.

    Returns
    -------
    PyCapsule
        An ``ArrowArrayStream``.

    Raises
    ------
    DomainMismatch
        When Arrow has no type for the names.
    PackageMissing
        When pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 2], [3.5, 4.5], nrows=3, ncols=3)
    >>> A.labels = ["bob", "eve", "ann"]
    >>> pyarrow.table(A).to_pydict()
    {'source': ['bob', 'eve'], 'target': ['eve', 'ann'], 'weight': [3.5, 4.5]}
    """
    names = ["source", "target"] if self.dtype.is_bool else ["source", "target", "weight"]
    return stream(names, list(named_entries(self))[: len(names)], requested_schema)
