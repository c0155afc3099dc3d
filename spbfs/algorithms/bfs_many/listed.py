"""Searches that reach little, each on its own, whose time grows with what they find."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.prepare import Prepared
from spbfs.engines.bfs_many import ListedBatch
from spbfs.planner import many as planner_many

__all__ = ["search_listed"]

Ints = npt.NDArray[np.int64]
Listed = tuple[Ints, AbstractContextManager[ListedBatch]]

#: Searches that are tried first, and next: where most of either give up, the others are not tried.
_TRIED = (2, 16)
#: Searches, and entries of their lists, between two looks at who wants to know.
_SEARCHES, _ROWS = 1 << 16, 1 << 22


def search_listed(
    call: Arguments, prepared: Prepared, rows: Ints, *, joined: bool
) -> Generator[Listed, None, Ints]:
    """Every batch that could be listed, with its rows; returns the rows that are left.

    Parameters
    ----------
    call, prepared
    rows : int64 array
        Rows of the outputs that are to be searched.
    joined : bool
        Whether those that are left will be joined, or that is not known yet.
    """
    data = call.data
    most = planner_many.listing_edges(data.nrows, data.nvals, joined=joined)
    if call.max_depth in (0, 1) and not prepared.request.lists:
        most = max(most, 1)  # a row says all, whatever its length
    if not (most and rows.shape[0]) or "per_level" in call.outputs or call.direction != "auto":
        return rows
    left: list[Ints] = []
    parts = _parts(rows)
    while parts:
        part, gave_up = parts.pop(0), 0
        for first in range(0, part.shape[0], _SEARCHES):
            todo = part[first : first + _SEARCHES]
            while todo.shape[0]:
                sources = call.sources[todo]
                found = prepared.joint.listed(data, sources, prepared.request, most, _ROWS)
                if found is None:
                    return rows
                if found.ended.shape[0] == todo.shape[0]:
                    yield todo, nullcontext(found)
                    break
                if found.ended.shape[0]:
                    yield todo[found.ended], nullcontext(found)
                left.append(todo[found.gave_up])
                gave_up += found.gave_up.shape[0]
                begun = np.zeros(todo.shape[0], bool)
                begun[found.ended] = begun[found.gave_up] = True
                todo = todo[~begun]
        if 2 * gave_up > part.shape[0]:
            left += parts
            break
    return np.sort(np.concatenate(left)) if left else rows[:0]


def _parts(rows: Ints) -> list[Ints]:
    """The rows in the order in which they are tried.

    Those tried first lie all over the sources, which may be sorted by anything.
    """
    turn = np.full(rows.shape[0], len(_TRIED))
    for part, tried in reversed(list(enumerate(_TRIED))):
        turn[:: max(1, rows.shape[0] // tried)] = part
    return [rows[turn == part] for part in range(len(_TRIED) + 1)]
