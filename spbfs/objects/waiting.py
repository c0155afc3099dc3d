"""Entries that wait beside the storage of an object, to be set or deleted when it is needed.

`StoredObject._pending` has them: of a vector by index, of a matrix line by line, ``{row: {column:
value}}``; None deletes.  Whoever reads one element, or writes into few places, looks there first.

Threads may read an object while another writes elements of it: what waits is added, applied and
gone through under `WAITING`, so that nothing is applied in part or dropped.
"""

from __future__ import annotations

from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.forks import fork_safe_lock
from spbfs.objects.classes import classes
from spbfs.planner.forms import few_places
from spbfs.storage.data import MatrixData, in_host_memory
from spbfs.storage.delayed import is_plain
from spbfs.storage.entries import column_at, entry_at, row_at
from spbfs.storage.hypersparse import HypersparseMatrix

if TYPE_CHECKING:
    from spbfs.objects.indexing import Index
    from spbfs.objects.operands.operand import Operand
    from spbfs.objects.stored_object import StoredObject
    from spbfs.operators.dtypes import DType

__all__ = [
    "FEW_COLUMNS",
    "WAITING",
    "Chosen",
    "Entries",
    "Lines",
    "Place",
    "as_edits",
    "as_it_is",
    "count_of",
    "drop",
    "entries_in",
    "few_of",
    "is_looked_into",
    "keep",
    "set_element",
    "stored_in",
]

#: Row -> column -> value; None for a deletion.
Lines = dict[int, dict[int, Any]]
Place = tuple[int, int]
Entries = dict[Place, Any]
#: Rows or columns; None for all of them.
Chosen = list[int] | None
#: How many entries may be looked at in the time that it takes to find a row.
_ROW = 8
#: How many columns may be looked for among all entries: to go through the matrix takes as long as
#: for twice as many.
FEW_COLUMNS = 8
#: For fewer it takes less time to find each than to copy even a small matrix.
_LOOKED_UP = 16
#: Held by whoever adds to what waits for an object, applies it or goes through it.
WAITING = fork_safe_lock()


def set_element(C: StoredObject, indices: tuple[Index, ...], value: Any) -> None:
    """Have one element set, to None for a deletion."""
    at = int(indices[-1].chosen[0])
    if len(indices) == 1:
        with WAITING:
            C._pending[at] = value
        return
    row = int(indices[0].chosen[0])
    with WAITING:
        lines = C._pending
        if row in lines:
            lines[row][at] = value
        else:
            lines[row] = {at: value}


def drop(C: StoredObject, data: Any) -> None:
    """Have other storage in place of what is there and of all that waits."""
    with WAITING:  # a reader that applies what waits would put its own there afterwards
        C._data, C._pending = data, {}


def keep(C: StoredObject, changed: Entries) -> None:
    """Have entries of a matrix set, or deleted where the value is None; under `WAITING`."""
    waiting = C._pending
    for (i, j), x in changed.items():
        line = waiting.get(i)
        if line is None:
            line = waiting[i] = {}
        line[j] = x


def as_edits(waiting: Lines, dtype: DType) -> tuple[Any, Any, Any, Any]:
    """Rows, columns and values of what waits for a matrix, in order; flags of deletions, if any."""
    at: list[int] = []
    found: list[Any] = []
    for i, line in waiting.items():
        at += repeat(i, len(line))
        found += line.values()
    rows = np.array(at, np.int64)
    columns = np.array(list(chain.from_iterable(waiting.values())), np.int64)
    deleted = [x is None for x in found]
    gone = None
    if True in deleted:
        gone = np.array(deleted)
        found = [0 if x is None else x for x in found]
    values = np.array(found, dtype.np_type)
    if len(at) == 1:
        return rows, columns, values, gone
    order = np.lexsort((columns, rows))
    ordered = None if gone is None else gone[order]
    return rows[order], columns[order], values[order], ordered


def is_looked_into(data: Any) -> bool:
    """Whether rows and columns of a matrix can be looked at: stored as usual, in host memory."""
    known = type(data) in (MatrixData, HypersparseMatrix) or is_plain(data)
    return known and in_host_memory(data.values)


def few_of(data: MatrixData) -> int:
    """How many entries a statement may look at, to write into a matrix one by one."""
    return few_places(data.nvals, data.nrows if type(data) is MatrixData else 0)


def as_it_is(x: Operand) -> Any:
    """The storage of an operand as it is now in an object of its own, for who reads it repeatedly.

    Another thread may set elements of the operand meanwhile.  It shares the storage: none is to be
    written.  Over ranks it is the operand itself.
    """
    if isinstance(x, classes.TransposedMatrix):
        return as_it_is(x.T).T
    if x._engine.spread is not None:
        return x
    make: Any = classes.Vector if x.ndim == 1 else classes.Matrix
    held = make._from_data(x._ready(), x.device)
    if isinstance(x, make):
        held.name, held._labels = x.name, x._labels
        held._bound, held._on_both = x._bound, x._on_both
    return held


def count_of(C: StoredObject) -> int | None:
    """How many entries a matrix has, where as few wait as are soon looked up; else None."""
    with WAITING:
        data, lines = C._data, C._pending
        if not is_looked_into(data) or len(lines) > _LOOKED_UP:
            return None
        waiting = [
            (i, j, x) for i, line in lines.items() for j, x in islice(line.items(), _LOOKED_UP + 1)
        ]
    if len(waiting) > _LOOKED_UP:
        return None
    more = 0
    for i, j, x in waiting:
        more += (x is not None) - (entry_at(data, i, j) is not None)
    return data.nvals + more


def entries_in(C: StoredObject, rows: Chosen, columns: Chosen, most: int) -> Entries | None:
    """The entries of a matrix in some rows, in all columns or some, or in few columns of all rows.

    Parameters
    ----------
    C : Matrix
        Whose storage is looked into.
    rows, columns : list of int or None
        None stands for all of them.
    most : int
        How many there may be.

    Returns
    -------
    dict or None
        What waits included; None where there are more.
    """
    found = stored_in(C._data, rows, columns, most)
    if found is None or not C._pending:
        return found
    for i in list(C._pending) if rows is None else rows:
        waiting = C._pending.get(i)
        if waiting is None:
            continue
        if len(waiting) > most:
            return None
        for j, x in waiting.items():
            if x is None:
                found.pop((i, j), None)
            elif columns is None or j in columns:
                found[i, j] = x
    return found


def stored_in(data: MatrixData, rows: Chosen, columns: Chosen, most: int) -> Entries | None:
    """The same of what is stored."""
    found: Entries = {}
    if rows is None:
        assert columns is not None
        for j in columns:
            at, values = column_at(data, j)
            if len(found) + len(at) > most:
                return None
            places = zip(at.tolist(), repeat(j), strict=False)
            found.update(zip(places, values.tolist(), strict=True))
        return found
    if len(rows) * _ROW > most:
        return None
    for i in rows:
        at, values = row_at(data, i)
        if len(at) <= most:
            line = zip(at.tolist(), values.tolist(), strict=True)
            found.update([((i, j), x) for j, x in line if columns is None or j in columns])
        elif columns is None:
            return None
        else:
            sought = ((j, entry_at(data, i, j)) for j in columns)
            found.update(((i, j), x) for j, x in sought if x is not None)
        if len(found) > most:
            return None
    return found
