"""Parquet files of edges, by pyarrow: columns of sources, targets and perhaps weights."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    FileError,
    FileMissing,
    FormatError,
    InvalidValue,
    OutOfMemory,
    SpbfsError,
)
from spbfs.io.files.sink import Sink
from spbfs.io.files.tokens import SOURCE, TARGET, WEIGHT
from spbfs.io.formats.edge_list import roles_of
from spbfs.io.formats.entries import ReadOptions
from spbfs.objects.constructors.data_frames import from_pandas_edgelist
from spbfs.objects.exports.arrow_tables import arrow_table
from spbfs.objects.matrix import Matrix

__all__ = ["read_parquet", "write_columns", "write_parquet"]


@typed_refusals
def read_parquet(path: Path, options: ReadOptions) -> Matrix:
    """The graph in a file, with labels where its columns are names or `options` ask for them.

    Of several edges between two vertices the least weight is kept, as with other graph formats.
    """
    if options.one_based is not None:
        raise InvalidValue("one_based: a Parquet file has numbers from 0, or names; expected None")
    table, names = _table(path)
    try:
        roles, _ = roles_of(names, options)
    except ValueError as error:
        raise FormatError(f"{path}: the header {names!r:.200} {error}") from None
    column = dict(zip(roles, names, strict=True))
    weight = column.get(WEIGHT)
    if options.weights and weight is None:
        raise FormatError(f"{path}: no column of weights")
    try:
        return from_pandas_edgelist(
            Matrix,
            table,
            column[SOURCE],
            column[TARGET],
            weight,
            options.dtype,
            labels=True if options.compact else None,
            order="sorted" if options.compact else "met",
            directed=options.directed,
            dup_op=None if weight is None else "min",
        )
    except OutOfMemory:
        raise
    except SpbfsError as error:
        # Who reads a file asks for names by another word.
        told = str(error).replace("labels=True", "compact=True")
        raise FormatError(f"{path}: {told}") from error


def _table(path: Path) -> tuple[Any, list[str]]:
    """What is in a file, with the names of its columns."""
    parquet = package("pyarrow.parquet", "a Parquet file")
    try:
        table = parquet.read_table(path)
        table.validate(full=True)  # text need not be any, nor numbers of names in range
        return table, list(table.column_names)
    except FileNotFoundError:
        if path.exists():  # a pipe, a device
            raise FileError(f"{path}: not a regular file") from None
        raise FileMissing(f"{path}: no such file") from None
    except OSError as error:
        # Without a number it is not the system's: pyarrow's own of what is wrong in the file.
        kind = FormatError if error.errno is None else FileError
        raise kind(f"{path}: {brief(error)}") from None
    except MemoryError:  # pyarrow's, too, of a file that is sound
        raise
    except Exception as error:  # pyarrow's own, of a file that is none
        raise FormatError(f"{path}: {brief(error)}") from None


@typed_refusals
def write_parquet(path: Path, A: Matrix) -> None:
    """The entries of a matrix, by the names of their vertices where it has labels."""
    rows, columns, values = A.to_coo()
    _refuse_what_is_lost(path.name, A, rows, columns, values)
    if A.labels is not None:
        rows, columns = A.labels.names(rows), A.labels.names(columns)
    found = {"source": rows, "target": columns}
    if not A.dtype.is_bool:
        found["weight"] = values
    write_columns(path, found)


def _refuse_what_is_lost(name: str, A: Matrix, rows: Any, columns: Any, values: Any) -> None:
    """Refuse a matrix that a list of edges does not tell: shape, vertices, stored False."""
    if A.nrows != A.ncols:
        raise DimensionMismatch(
            f"A: {A.nrows} x {A.ncols}, and {name!r} holds graphs, which are square;"
            " .mtx and .npz hold any shape"
        )
    if A.dtype.is_bool and not values.all():
        raise DomainMismatch(f"A: {name!r} cannot hold a stored False; .npz can")
    if A.labels is None:
        top = max(int(x.max(initial=-1)) for x in (rows, columns))
        if top + 1 != A.nrows:
            raise InvalidValue(
                f"path: {name!r}: Parquet cannot hold vertices after the last edge, and the matrix "
                f"has {A.nrows} vertices, the last with an edge being {top}; .txt and .mtx can"
            )
        return
    alone = np.ones(A.nrows, bool)
    alone[rows] = alone[columns] = False
    if alone.any():
        missing = str(A.labels.names(np.flatnonzero(alone)[:1])[0])
        raise InvalidValue(
            f"path: {name!r}: Parquet cannot hold vertices without edges, as {missing!r:.80} is"
        )


def write_columns(path: Path, columns: dict[str, Any]) -> None:
    """Columns of equal length as a Parquet file, which appears whole or not at all."""
    parquet, buffer = package("pyarrow.parquet", "a Parquet file"), io.BytesIO()
    what = f"path: {path.name!r}: Parquet"
    parquet.write_table(arrow_table(list(columns), list(columns.values()), what), buffer)
    with Sink(path, 0) as sink:
        sink.write(buffer.getvalue())
