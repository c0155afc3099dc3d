"""Places for the vertices of a small graph: a column a value, without simulated forces."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["columns"]

Array = npt.NDArray[Any]


def columns(edges: tuple[Array, Array], values: Array) -> Array:
    """Columns by rising value, those that have none last; in each the vertices fill the height.

    They are ordered by the mean height of their neighbours to the left, so that few edges cross.

    Parameters
    ----------
    edges : pair of int arrays
    values : array of n
        NaN where a vertex has none.

    Returns
    -------
    array, n x 2
    """
    levels = np.nan_to_num(values, nan=np.inf)
    different = np.array(sorted(set(levels.tolist())))
    column = np.searchsorted(different, levels)
    tails, heads = np.concatenate(edges), np.concatenate(edges[::-1])
    onward = column[tails] < column[heads]
    tails, heads = tails[onward], heads[onward]
    heights = np.zeros(len(values))
    for one in range(different.shape[0]):
        members = np.flatnonzero(column == one)
        here = column[heads] == one
        sums = np.bincount(heads[here], heights[tails[here]], len(values))[members]
        counts = np.bincount(heads[here], minlength=len(values))[members]
        # Who has no neighbour to the left is at the bottom.
        means = np.divide(sums, counts, out=np.full(members.size, -np.inf), where=counts > 0)
        places = (members.size - 1) / 2 - np.arange(members.size)
        heights[members[np.argsort(-means, kind="stable")]] = places * min(2 / members.size, 0.5)
    return np.column_stack([column.astype(np.float64), heights])
