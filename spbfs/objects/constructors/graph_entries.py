"""Entries that are said to be a graph's: as many columns as rows, and perhaps edges both ways."""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DimensionMismatch, InvalidValue
from spbfs.objects.checks import as_index_array, as_size, as_value_array, is_scalar, several
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.operators.dtypes import DType
from spbfs.storage.entries import array_module

__all__ = ["graph_entries"]

Shape = tuple[Any, Any]


def graph_entries(
    rows: Any,
    columns: Any,
    values: Any,
    dtype: DType | None,
    shape: Shape,
    *,
    directed: bool,
    gpu: bool,
) -> tuple[Any, Any, Any, Shape]:
    """Rows, columns, values and shape of the adjacency matrix of these edges.

    It is square, as large as the vertices ask for unless one of its sides is given; of a graph
    without directions it has every edge both ways.
    """
    i = as_index_array(several(rows, "rows"), "rows", floats="whole", gpu=gpu)
    j = as_index_array(several(columns, "columns"), "columns", floats="whole", gpu=gpu)
    if i.shape != j.shape:
        raise DimensionMismatch(
            f"columns: expected {i.size} indices, as many as rows, got {j.size}"
        )
    sides = {
        as_size(side, name)
        for name, side in zip(("nrows", "ncols"), shape, strict=True)
        if side is not None
    }
    if len(sides) > 1:
        raise InvalidValue(f"nrows, ncols: expected equal sides of a graph, got {shape}")
    side = sides.pop() if sides else 1 + max((int(a.max()) for a in (i, j) if a.size), default=-1)
    if directed:
        return i, j, values, (side, side)
    xp = array_module(i)
    other = i != j  # a loop is its own mirror image
    if not (is_scalar(values) or isinstance(values, ScalarArithmetic)):
        given = xp.asarray(as_value_array(values, i.size, dtype, gpu=gpu))
        values = xp.concatenate([given, given[other]])
    mirrored = xp.concatenate([i, j[other]]), xp.concatenate([j, i[other]])
    return *mirrored, values, (side, side)
