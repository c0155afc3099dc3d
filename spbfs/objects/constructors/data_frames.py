"""Matrices from edges as data frames and tensors have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfRange,
    InvalidValue,
    OutOfRange,
    UnknownDtype,
    VertexError,
)
from spbfs.objects.checks import as_array, as_flag, as_index_array
from spbfs.objects.constructors.arrow_strings import arrow_strings
from spbfs.objects.constructors.factorized import factorized
from spbfs.objects.constructors.graph_entries import graph_entries
from spbfs.objects.labels import Labels, call_by_name, objects
from spbfs.objects.placement.devices import device_for

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = [
    "columns_of",
    "edges_of_frame",
    "from_edge_index",
    "from_pandas_edgelist",
    "to_edge_index",
]


#: Columns that a message lists.
_LISTED = 10


@typed_refusals
def from_pandas_edgelist(
    cls: type[Matrix],
    frame: Any,
    source: str = "source",
    target: str = "target",
    weight: str | None = None,
    dtype: Any = None,
    *,
    labels: Labels | bool | None = None,
    order: Literal["met", "sorted"] = "met",
    directed: bool = True,
    nrows: Any = None,
    ncols: Any = None,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From the columns of a data frame: of pandas, polars, pyarrow, or who else speaks Arrow.

    Parameters
    ----------
    frame : pandas.DataFrame, or whatever has ``__arrow_c_stream__``
    source, target : str, optional
        Columns with the row and the column of every edge.  Whole numbers are the vertices
        themselves; all else are names, of which the matrix has `labels`.
    weight : str, optional
        Column of values; without one the matrix is BOOL.
    dtype : dtype-like, optional
        That of the values by default.
    labels : Labels or bool, optional
        Names known before, or whether there are any: True takes whole numbers as names, too, where
        they have gaps or are large.
    order : {"met", "sorted"}, optional
        How names are numbered: as they come, sources before targets, or sorted.
    directed : bool, optional
        False stores every edge both ways.
    nrows, ncols, dup_op, name, device : optional
        As for `from_coo`; `ncols` and `nrows` are made equal when neither is given.

    Returns
    -------
    Matrix
        With `labels` where there are names.

    Raises
    ------
    InvalidValue
        When there is no such column, or a name or number is missing.
    UnknownLabel
        When one is not among the `labels` given.
    DomainMismatch
        When the frame is none.
    UnknownDtype
        When weights are no numbers.
    PackageMissing
        When the frame is neither of pandas nor of pyarrow, and pyarrow is not installed.

    Examples
    --------
    >>> import pandas
    >>> from spbfs import Matrix
    >>> frame = pandas.DataFrame({"from": ["bob", "eve"], "to": ["eve", "ann"], "km": [3.5, 4.5]})
    >>> A = Matrix.from_pandas_edgelist(frame, "from", "to", "km")
    >>> A.labels, A.to_dicts()
    (<Labels of 3: 'bob', 'eve', 'ann'>, {0: {1: 3.5}, 1: {2: 4.5}})
    """
    wanted = {"source": source, "target": target, "weight": weight}
    for what in ("source", "target"):
        if wanted[what] is None:
            raise DomainMismatch(f"{what}: expected the name of a column, got None")
    columns = columns_of(frame, {k: v for k, v in wanted.items() if v is not None})
    # Before the names, which take longer than all else.
    values: Any = True
    if weight is not None:
        values = as_array(columns["weight"], "weight")
        if values.dtype.kind not in "biuf":
            hint = "; pandas.to_numeric makes numbers of text"
            raise UnknownDtype(
                f"weight: expected a column of numbers, {weight!r} has {_kind_of(frame, weight)}"
                + (hint if hasattr(frame, "iloc") and values.dtype.kind == "O" else "")
            )
    ends = {what: columns[what] for what in ("source", "target")}
    named = labels
    if labels is None:
        named = any(map(_are_names, ends.values()))
    if named is False:
        for what, column in ends.items():
            if _are_names(column):
                raise DomainMismatch(
                    f"{what}: expected whole numbers in {wanted[what]!r}, as labels is False; "
                    "labels=True takes what is there as names"
                )
        try:
            rows, cols = (as_index_array(a, wanted[what] or what) for what, a in ends.items())
        except (IndexOutOfRange, OutOfRange) as error:
            raise type(error)(f"{error}; labels=True takes numbers as names") from None
        known = None
    elif named is True:
        known, (rows, cols) = factorized(ends, order)
    elif isinstance(named, Labels):
        known, (rows, cols) = named, [named.numbers(a) for a in ends.values()]
    else:
        raise DomainMismatch(
            f"labels: expected Labels, True or False, got {brief(labels)}; Labels(names) makes "
            "them of a list of names"
        )
    if known is not None:
        if nrows is not None or ncols is not None:
            raise InvalidValue("nrows, ncols: expected None, as there is a vertex for every name")
        nrows = ncols = len(known)
    way = as_flag(directed, "directed")
    if not way or (nrows is None and ncols is None):
        made = graph_entries(rows, cols, values, None, (nrows, ncols), directed=way, gpu=False)
        rows, cols, values, (nrows, ncols) = made
    options = {"dup_op": dup_op, "name": name, "device": device, "nrows": nrows, "ncols": ncols}
    try:
        A = cls.from_coo(rows, cols, values, dtype, **options)
    except VertexError as error:
        if known is not None:
            call_by_name(error, known)
        raise
    A.labels = known
    return A


def _are_names(column: Any) -> bool:
    is_number = isinstance(column, np.ndarray) and column.dtype.kind in "iu"
    return len(column) > 0 and not is_number


def columns_of(frame: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    """The columns of a data frame, by what they are for: NumPy's arrays, or Arrow's strings."""
    kind = type(frame).__name__
    if not (hasattr(frame, "iloc") and hasattr(frame, "columns")):
        speaks = hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "iloc")
        arrow = package("pyarrow", "a data frame that is not of pandas") if speaks else None
        try:
            frame = None if arrow is None else arrow.table(frame)
        except (TypeError, ValueError) as error:
            # A column alone speaks it, too.
            has_columns = hasattr(frame, "columns")
            frame = _known_columns(arrow, frame, wanted, error) if has_columns else None
            arrow = arrow if has_columns else None
        if arrow is None:
            raise DomainMismatch(
                "frame: expected a data frame of pandas, polars or pyarrow, or of who else speaks "
                f"Arrow, got {kind}"
            )
    names = list(frame.columns if hasattr(frame, "iloc") else frame.column_names)
    for what, column in wanted.items():
        if names.count(column) != 1:
            listed = ", ".join(map(repr, names[:_LISTED]))
            raise InvalidValue(f"{what}: expected one column {column!r}, the frame has {listed}")
    arrays = {}
    for what, column in wanted.items():
        missing = _missing(frame[column])
        if missing is not None and missing.any():
            raise InvalidValue(
                f"{what}: expected a value in every row of {column!r}, got none in "
                f"{int(missing.sum()):,}, the first of them row {int(missing.argmax())}; leave "
                "such rows out"
            )
        arrays[what] = _array_of(frame[column])
    return arrays


def _known_columns(arrow: Any, frame: Any, wanted: dict[str, Any], error: Exception) -> Any:
    """A table of the columns that are asked for, where Arrow does not know what is in another."""
    table = {}
    for what, column in wanted.items():
        if column not in frame.columns:
            raise InvalidValue(f"{what}: expected one column {column!r}, the frame has none")
        try:
            table[column] = arrow.table(frame[[column]]).column(0)
        except (TypeError, ValueError):
            raise UnknownDtype(
                f"{what}: {column!r} has {_kind_of(frame, column)}, which Arrow does not know: "
                f"{brief(error)}"
            ) from None
    return arrow.table(table)


def _kind_of(frame: Any, column: Any) -> str:
    """The type of a column, as whoever made the frame calls it."""
    held = frame[column]
    return f"type {held.type}" if hasattr(held, "type") else f"dtype {held.dtype}"


def edges_of_frame(frame: Any, weighted: bool) -> tuple[Any, Any, Any]:
    """Rows, columns and values (or None) of a data frame of edges.

    Its columns ``source``, ``target`` and, if it has one, ``weight``; else the first two, and the
    third of three.
    """
    of_arrow = hasattr(frame, "num_columns")  # whose `columns` are arrays
    names = list(frame.schema.names if of_arrow else frame.columns)
    if "source" in names and "target" in names:
        chosen = ["source", "target", *(["weight"] if "weight" in names else [])]
    elif 2 <= len(names) <= 3:
        chosen = names
    else:
        raise InvalidValue(
            "edges: expected a data frame with columns source, target and perhaps weight, or of "
            f"two or three columns, got columns {names!r:.200}; Matrix.from_pandas_edgelist takes "
            "their names"
        )
    if weighted and len(chosen) == 3:
        raise InvalidValue("values: expected None, since edges has a column of values")
    if of_arrow:
        held = columns_of(frame, dict(zip(chosen, chosen, strict=True)))
        arrays = [np.asarray(column) for column in held.values()]
    else:
        arrays = [frame[name].to_numpy() for name in chosen]
    return arrays[0], arrays[1], arrays[2] if len(arrays) == 3 else None


def _missing(column: Any) -> Any:
    """Which rows have nothing, where a column says so: NumPy's have NaN, which is a number."""
    if hasattr(type(column), "null_count"):
        return column.is_null().to_numpy() if column.null_count else None
    return np.asarray(column.isna()) if hasattr(column.dtype, "na_value") else None


def _array_of(column: Any) -> Any:
    """A column as an array, or as Arrow's strings.

    Times of a zone, and types beyond Arrow's own, as UUIDs are, are objects: NumPy would have what
    they are stored as.  Lists are tuples, which are names.
    """
    strings = arrow_strings(column)
    if strings is not None:
        return strings
    if hasattr(type(column), "null_count"):
        if hasattr(column.type, "value_field"):
            return objects(list(map(_as_tuple, column.to_pylist())))
        kind = getattr(column.type, "value_type", column.type)
        if getattr(kind, "tz", None) is not None or hasattr(kind, "extension_name"):
            return objects(column.to_pylist())
    return column.to_numpy()


def _as_tuple(listed: Any) -> Any:
    return tuple(map(_as_tuple, listed)) if isinstance(listed, list) else listed


def from_edge_index(
    cls: type[Matrix],
    edge_index: Any,
    values: Any = True,
    *,
    num_nodes: int | None = None,
    dtype: Any = None,
    dup_op: Any = None,
    name: str | None = None,
    device: str | None = None,
) -> Matrix:
    """From PyTorch Geometric's ``edge_index``: two rows of sources and targets.

    Parameters
    ----------
    edge_index : 2 x E tensor or array of int
        Of PyTorch, JAX, CuPy, NumPy or who else speaks DLPack; on a GPU it stays there.
    values : E numbers or one, optional
        Those of the edges; True by default.
    num_nodes : int, optional
        By default one more than the greatest number in `edge_index`.
    dtype, dup_op, name, device : optional
        As for `from_coo`.

    Returns
    -------
    Matrix
        Square.

    Raises
    ------
    DimensionMismatch
        When there are not two rows.
    DomainMismatch, IndexOutOfBound, InvalidValue
        As for `from_coo`.

    Examples
    --------
    >>> import numpy
    >>> from spbfs import Matrix
    >>> Matrix.from_edge_index(numpy.array([[0, 1, 1], [1, 0, 2]])).to_edgelist()[0].tolist()
    [[0, 1], [1, 0], [1, 2]]
    """
    where = device_for(device, edge_index, values)
    pairs = as_array(edge_index, "edge_index", gpu=where == "cuda")
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise DimensionMismatch(f"edge_index: expected 2 x E numbers, got shape {pairs.shape}")
    sources, targets, weights, shape = graph_entries(
        pairs[0], pairs[1], values, None, (num_nodes, None), directed=True, gpu=where == "cuda"
    )
    return cls.from_coo(
        sources,
        targets,
        weights,
        dtype,
        nrows=shape[0],
        ncols=shape[1],
        dup_op=dup_op,
        name=name,
        device=where,
    )


def to_edge_index(self: MatrixOperand, *, device: str = "cpu") -> Any:
    """The stored entries as PyTorch Geometric's ``edge_index``, row by row.

    Parameters
    ----------
    device : {"cpu", "cuda"}, optional
        Where the array is to be.

    Returns
    -------
    numpy.ndarray or cupy.ndarray
        int64, two rows of sources and targets; ``torch.from_dlpack`` takes it without a copy.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.generate.path(3).to_edge_index()
    array([[0, 1, 1, 2],
           [1, 0, 2, 1]])
    """
    pairs, _ = self.to_edgelist(values=False, device=device)
    return np.ascontiguousarray(pairs.T) if device == "cpu" else pairs.T.copy()
