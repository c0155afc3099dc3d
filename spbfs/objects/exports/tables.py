"""Matrices and vectors as data frames, by the names of their vertices where there are any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.labels import Labels
from spbfs.objects.placement.parts import whole

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.vector import Vector

__all__ = [
    "named_columns",
    "named_entries",
    "only_text",
    "table",
    "to_pandas",
    "to_pandas_edgelist",
]


@contextmanager
def only_text(what: str) -> Iterator[None]:
    """Refuse names that have no UTF-8 where `what` encodes them in the block."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise DomainMismatch(
            f"{what} cannot hold a name with {error.object[error.start]!r}, half of a pair, which"
            " is no text"
        ) from None


def to_pandas_edgelist(
    self: MatrixOperand,
    source: str = "source",
    target: str = "target",
    weight: str | None = "weight",
) -> Any:
    """The stored entries as a pandas DataFrame, a row each, with names where there are `labels`.

    Parameters
    ----------
    source, target : str, optional
        What the columns with the row and the column of every entry are called.
    weight : str or None, optional
        What that with the values is called; None leaves it out, and of BOOL there is none.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    PackageMissing
        When pandas is not installed.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 2], [3.5, 4.5], nrows=3, ncols=3)
    >>> A.labels = ["bob", "eve", "ann"]
    >>> A.to_pandas_edgelist(weight="km").to_dict("list")
    {'source': ['bob', 'eve'], 'target': ['eve', 'ann'], 'km': [3.5, 4.5]}
    """
    pandas = package("pandas", "to_pandas_edgelist")
    named: dict[str, Any] = {"source": source, "target": target}
    if weight is not None and not self.dtype.is_bool:
        named["weight"] = weight
    taken: set[Any] = set()
    for what, name in named.items():
        try:
            hash(name)  # a set would be looked for as a frozen one
            again = name in taken
        except TypeError:
            raise DomainMismatch(
                f"{what}: expected the name of a column, got {brief(name)}"
            ) from None
        if again:
            raise InvalidValue(f"{what}: expected a name of its own, got {brief(name)}")
        taken.add(name)
    # The weight is named last, if at all.
    with only_text("pandas"):
        return pandas.DataFrame(dict(zip(named.values(), named_entries(self), strict=False)))


def named_entries(A: MatrixOperand) -> tuple[Any, Any, Any]:
    """Rows and columns of the stored entries, by name where there are labels, and values."""
    rows, columns, values = A.to_coo()
    if A.labels is not None:
        rows, columns = A.labels.names(rows), A.labels.names(columns)
    return rows, columns, values


def to_pandas(self: Vector) -> Any:
    """The stored entries as a pandas Series, by the names of their vertices where there are any.

    Of a vector over ranks it is the whole, at every rank; all of them call it.

    Returns
    -------
    pandas.Series
        Its index, called "vertex", are the `labels`, or the numbers; values that are vertices are
        their names where there are `value_labels`.

    Raises
    ------
    PackageMissing
        When pandas is not installed.
    IndexOutOfBound
        When `value_labels` have no name for a value; without them, None, values are numbers.

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([2, 0], [6, 4])
    >>> v.labels = ["ann", "bob", "eve"]
    >>> v.to_pandas().to_dict()
    {'ann': 4, 'eve': 6}
    """
    vertices, columns = named_columns(self.labels, {"value": self})
    pandas = package("pandas", "to_pandas")
    with only_text("pandas"):
        index = pandas.Index(vertices, name="vertex")
        return pandas.Series(columns["value"], index, name=self.name)


def table(labels: Labels | None, columns: dict[str, Vector]) -> Any:
    """A DataFrame of vectors by the names of vertices."""
    pandas = package("pandas", "to_pandas")
    vertices, values = named_columns(labels, columns)
    with only_text("pandas"):
        return pandas.DataFrame(values, pandas.Index(vertices, name="vertex"))


def named_columns(labels: Labels | None, columns: dict[str, Vector]) -> tuple[Any, dict[str, Any]]:
    """The names of the vertices that have entries, the same ones in all vectors, and the values.

    Owners, which are positions among the sources, become the sources themselves.
    """
    columns = {name: whole(vector) for name, vector in columns.items()}
    found = {}
    for name, vector in columns.items():
        at, values = vector.to_coo()
        called = vector.value_labels
        if name == "owner":
            values, called = _sources(columns, at, values)[values], labels
        found[name] = values if called is None else called.names(values)
    return at if labels is None else labels.names(at), found


def _sources(columns: dict[str, Vector], owned: Any, owners: Any) -> Any:
    """The source of every owner: who has itself for a parent, or level 0."""
    name = "parent" if "parent" in columns else "level"
    at, values = columns[name].to_coo()
    sources = at[values == (at if name == "parent" else 0)]
    found = np.zeros(int(owners.max(initial=-1)) + 1, np.int64)
    found[owners[np.searchsorted(owned, sources)]] = sources
    return found
