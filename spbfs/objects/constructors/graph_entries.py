"""Entries that are said to be a graph's: as many columns as rows, and perhaps edges both ways."""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DimensionMismatch, InvalidValue
from spbfs.objects.checks import as_array, as_index_array, as_size, is_scalar
from spbfs.storage.entries import array_module

__all__ = ["edges_of_frame", "graph_entries"]

Shape = tuple[Any, Any]


def graph_entries(
    rows: Any, columns: Any, values: Any, shape: Shape, *, directed: bool, gpu: bool
) -> tuple[Any, Any, Any, Shape]:
    """Rows, columns, values and shape of the adjacency matrix of these edges.

    It is square, as large as the vertices ask for unless one of its sides is given; of a graph
    without directions it has every edge both ways.
    """
    i = as_index_array(rows, "rows", gpu=gpu)
    j = as_index_array(columns, "columns", gpu=gpu)
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
    if not is_scalar(values):
        given = as_array(values, "values", gpu=gpu)
        if given.shape != i.shape:
            raise DimensionMismatch(
                f"values: expected {i.size} values, one an entry, got shape {given.shape}"
            )
        given = xp.asarray(given)
        values = xp.concatenate([given, given[other]])
    mirrored = xp.concatenate([i, j[other]]), xp.concatenate([j, i[other]])
    return *mirrored, values, (side, side)


def edges_of_frame(frame: Any, weighted: bool) -> tuple[Any, Any, Any]:
    """Rows, columns and values (or None) of a data frame of edges.

    Its columns ``source``, ``target`` and, if it has one, ``weight``; else the first two, and the
    third of three.
    """
    names = list(frame.columns)
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
    arrays = [frame[name].to_numpy() for name in chosen]
    return arrays[0], arrays[1], arrays[2] if len(arrays) == 3 else None
