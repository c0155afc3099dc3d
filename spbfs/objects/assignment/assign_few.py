"""Writing into few places of a large matrix: what changes waits beside its storage.

``C[i, :] << v``, ``C(mask)[I, J](accum) << x`` and their kin, entry by entry.  An engine does the
same with a whole matrix (`assign_indexed`), which takes as long as to copy it.
"""

from __future__ import annotations

from itertools import pairwise, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.objects.indexing import Index
from spbfs.objects.waiting import (
    FEW_COLUMNS,
    Chosen,
    Entries,
    Place,
    entries_in,
    few_of,
    is_looked_into,
    keep,
    stored_in,
)
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.entries import entry_rows, vector_entries

if TYPE_CHECKING:
    from spbfs.engines.protocol import MaskData
    from spbfs.objects.stored_object import StoredObject

__all__ = ["assign_few"]

Array = Any
#: Rows and columns that are chosen.
Region = tuple[Chosen, Chosen]


def assign_few(
    C: StoredObject,
    engine: Any,
    indices: tuple[Index, ...],
    value: Any,
    mask: MaskData | None,
    is_part: bool,
    accum: TypedBinary | None,
    replaces: bool,
) -> bool:
    """``C<mask, replaces>[indices] accum= value``, unless there is too much to look at.

    Parameters
    ----------
    C : Matrix
    engine : Engine
        Its own.
    indices : tuple of Index
        None of them twice.
    value : VectorData, MatrixData or number
        Of the region's shape.
    mask : MaskData or None
        Over all of `C`, over the one row or column that is written into, or over the region.
    is_part : bool
        Whether it is over the region.
    accum : TypedBinary or None
    replaces : bool

    Returns
    -------
    bool
        Whether it is done.
    """
    if not is_looked_into(C._data):
        return False
    most = few_of(C._data)
    for x in indices:
        if x.chosen is not None and x.length > most:
            return False
    rows, columns = region = _chosen(indices[0]), _chosen(indices[1])
    if rows is None and (columns is None or not 0 < len(columns) <= FEW_COLUMNS):
        return False
    lists = mask is not None and not mask.complement
    if isinstance(value, VectorData | MatrixData):
        if engine.nvals(value) > most:
            return False
    elif not lists and indices[0].length * indices[1].length > most:
        return False
    is_row = indices[0].is_int
    over = region  # what the mask is over, of which at most the region is looked at
    if mask is not None and not is_part:
        if isinstance(mask.data, VectorData):
            over = (rows, None) if is_row else (None, columns)
        elif replaces:
            return False  # all that it does not admit is deleted
    marked = _marked(mask, over, is_part, is_row, most)
    stored = entries_in(C, *(over if replaces else region), most)
    if marked is None or stored is None or (accum is not None and accum.op.positional):
        return False
    if isinstance(value, VectorData | MatrixData):
        places, values = _entries(region, value, is_row)
    else:
        places, values = _number(indices, region, value, marked if lists else None)
    changed: Entries = {}
    if accum is None:
        changed = dict.fromkeys(_inside(stored, region) if replaces else stored)
    changed.update(zip(places, _written(C, engine, places, values, stored, accum), strict=True))
    if mask is not None:
        admits = not mask.complement
        changed = {p: x for p, x in changed.items() if (p in marked) is admits}
        if replaces:
            changed.update((p, None) for p in stored if (p in marked) is not admits)
    keep(C, changed)
    return True


def _chosen(index: Index) -> Chosen:
    chosen = index.chosen
    if chosen is None:
        return None
    return list(chosen) if isinstance(chosen, range) else chosen.tolist()


def _inside(places: Any, region: Region) -> list[Place]:
    rows, columns = (None if chosen is None else set(chosen) for chosen in region)
    return [
        (i, j)
        for i, j in places
        if (rows is None or i in rows) and (columns is None or j in columns)
    ]


def _placed(chosen: Chosen, at: list[int]) -> list[int]:
    """Where, in all of a matrix, these of the rows or columns that are chosen are."""
    return at if chosen is None else [chosen[k] for k in at]


def _along(region: Region, is_row: bool, at: list[int]) -> list[Place]:
    """Places of the one row or column that is chosen, by their indices in it."""
    rows, columns = region
    if is_row:
        return list(zip(repeat(0 if rows is None else rows[0]), _placed(columns, at), strict=False))
    return list(zip(_placed(rows, at), repeat(0 if columns is None else columns[0]), strict=False))


def _within(region: Region, data: MatrixData) -> list[Place]:
    """Places of a region where a matrix of its shape has entries."""
    rows, columns = region
    if rows is not None and type(data) is MatrixData:
        at = []  # of few rows: NumPy takes ten times as long
        for i, (first, last) in zip(rows, pairwise(data.indptr.tolist()), strict=True):
            at += [i] * (last - first)
    else:
        at = _placed(rows, entry_rows(data).tolist())
    return list(zip(at, _placed(columns, data.indices.tolist()), strict=True))


def _marked(
    mask: MaskData | None, over: Region, is_part: bool, is_row: bool, most: int
) -> set[Place] | None:
    """Where a mask has entries that count; None where these are many."""
    if mask is None:
        return set()
    data, structural = mask.data, mask.structural
    if isinstance(data, VectorData):
        at, truths = vector_entries(data)
        at = at if structural else at[truths != 0]
        return None if at.shape[0] > most else set(_along(over, is_row, at.tolist()))
    if not is_part:
        there = stored_in(data, *over, most) if is_looked_into(data) else None
        return None if there is None else {p for p, x in there.items() if structural or x}
    if data.nvals > most:
        return None
    places = _within(over, data)
    if structural:
        return set(places)
    return {p for p, x in zip(places, data.values.tolist(), strict=True) if x}


def _number(
    indices: tuple[Index, ...], region: Region, number: Any, only: set[Place] | None
) -> tuple[list[Place], Array]:
    """Where a number is written, `only` in some places where these are given, and as often."""
    if only is not None:
        places = _inside(only, region)
    else:
        sides = zip(region, indices, strict=True)
        rows, columns = (range(x.length) if side is None else side for side, x in sides)
        places = [(i, j) for i in rows for j in columns]
    return places, np.full(len(places), number)


def _entries(
    region: Region, data: VectorData | MatrixData, is_row: bool
) -> tuple[list[Place], Array]:
    """Where the entries of what is written go, and their values."""
    if isinstance(data, MatrixData):
        return _within(region, data), data.values
    at, values = vector_entries(data)
    return _along(region, is_row, at.tolist()), values


def _written(
    C: StoredObject,
    engine: Any,
    places: list[Place],
    values: Array,
    stored: Entries,
    accum: TypedBinary | None,
) -> list[Any]:
    """What stands in places afterwards: the values, or what an accumulator makes of them."""
    both = [] if accum is None else [k for k, p in enumerate(places) if p in stored]
    if not both:
        return _cast(C, engine, values)
    old = np.array([stored[places[k]] for k in both], C.dtype.np_type)
    everywhere = len(both) == len(places)
    new = values if everywhere else values[both]
    pair = VectorData(len(both), old), VectorData(len(both), new)
    summed = _cast(C, engine, engine.vector_mult(*pair, accum).values)
    if everywhere:
        return summed
    made = _cast(C, engine, values)
    for k, x in zip(both, summed, strict=True):
        made[k] = x
    return made


def _cast(C: StoredObject, engine: Any, values: Array) -> list[Any]:
    """Values in the type of `C`."""
    if values.dtype != C.dtype.np_type:
        values = engine.cast(VectorData(values.shape[0], values), C.dtype).values
    found: list[Any] = values.tolist()
    return found
