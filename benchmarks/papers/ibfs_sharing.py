"""How much of their frontiers searches share, and how even their work is: the measures of iBFS.

A search's frontier is what it has at a level where it is pushed, and what it has not visited where
it is pulled; vertices without edges are in none.  The sharing degree of a group is the vertices of
all its searches' frontiers over those of the joint ones, the sharing ratio that over the number of
searches: 1 where all share all.  Arrays are of NumPy or CuPy, whichever levels are of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.planner.many import stepwise_pulls
from spbfs.storage.entries import array_module, on_host

__all__ = ["LevelSharing", "by_level", "inspections", "level_sets", "pairwise", "ratio"]

Array = Any


@dataclass(frozen=True, slots=True)
class LevelSharing:
    """Frontiers of a group at a level, of searches that are pushed or of those that are pulled.

    Parameters
    ----------
    level : int
    pulled : bool
    searches : int
        Of the group that go this way at this level.
    own, joint : int
        Vertices of their frontiers, and of the joint one.
    """

    level: int
    pulled: bool
    searches: int
    own: int
    joint: int

    @property
    def degree(self) -> float:
        """Searches that share a vertex of the joint frontier."""
        return self.own / self.joint if self.joint else float("nan")


def directions(levels: Array, degrees: Array) -> Array:
    """Whether each search is pulled at each level: searches x (depth + 1), on the host.

    Each turns by itself, as `stepwise_pulls` says.
    """
    xp = array_module(levels)
    deepest = int(levels.max())
    pulled = np.zeros((levels.shape[0], deepest + 1), bool)
    total = int(degrees.sum())
    some = int((degrees > 0).sum())
    for search in range(levels.shape[0]):
        reached = levels[search] >= 0
        at = levels[search][reached]
        sizes = on_host(xp.bincount(at, minlength=deepest + 1)).tolist()
        weights = xp.bincount(at, weights=degrees[reached], minlength=deepest + 1)
        entries = on_host(weights).astype(np.int64).tolist()
        open_vertices, open_entries, now = some, total, False
        for level, (size, edges) in enumerate(zip(sizes, entries, strict=True)):
            open_vertices, open_entries = open_vertices - size, open_entries - edges
            now = size > 0 and stepwise_pulls(size, edges, open_vertices, open_entries, pulled=now)
            pulled[search, level] = now
    return pulled


def by_level(levels: Array, degrees: Array) -> Iterator[LevelSharing]:
    """What a group shares at every level, pushed and pulled apart.

    Parameters
    ----------
    levels : array, searches x n
        -1 where not reached.
    degrees : array of n
        Entries of every vertex's row.
    """
    for level, pulled, frontier in _frontiers(levels, degrees):
        own = int(frontier.sum())
        joint = int(frontier.any(axis=0).sum())
        yield LevelSharing(level, pulled, frontier.shape[0], own, joint)


def _frontiers(levels: Array, degrees: Array) -> Iterator[tuple[int, bool, Array]]:
    """Level, direction and frontiers, searches x n, of the searches that still run."""
    xp = array_module(levels)
    turned = directions(levels, degrees)
    deepest = on_host(levels.max(axis=1))
    some = degrees > 0
    for level in range(turned.shape[1]):
        for pulled in (False, True):
            chosen = np.flatnonzero((turned[:, level] == pulled) & (deepest >= level))
            if not chosen.shape[0]:
                continue
            part = levels[xp.asarray(chosen)]
            frontier = ((part < 0) | (part > level)) if pulled else part == level
            yield level, pulled, frontier & some


def level_sets(levels: Array) -> list[float]:
    """The sharing degree of what searches have at each level, whichever way they go."""
    deepest = int(levels.max())
    found = (levels == level for level in range(deepest + 1))
    return [float(at.sum() / at.any(axis=0).sum()) for at in found]


def ratio(shared: list[LevelSharing], pulled: bool) -> float:
    """The sharing ratio of pushed or of pulled levels, each weighed by its joint frontier; NaN
    where there are none.

    From the second level on, as in the paper: nobody shares a source.
    """
    counted = [s for s in shared if s.level and s.pulled == pulled]
    own = sum(s.own for s in counted)
    room = sum(s.joint * s.searches for s in counted)
    return own / room if room else float("nan")


def pairwise(one: Array, other: Array, degrees: Array) -> dict[bool, float]:
    """The mean share of two searches' frontiers that both have, of pushed and of pulled levels.

    Parameters
    ----------
    one, other : array of n
        Levels, -1 where not reached.
    degrees : array of n

    Returns
    -------
    dict
        Pulled or not -> mean over the levels, from the second on, at which both go this way, NaN
        where there are none.
    """
    xp = array_module(one)
    shares: dict[bool, list[float]] = {False: [], True: []}
    for level, pulled, frontier in _frontiers(xp.stack([one, other]), degrees):
        union = int(frontier.any(axis=0).sum())
        if level and frontier.shape[0] == 2 and union:
            shares[pulled].append(int(frontier.all(axis=0).sum()) / union)
    return {way: float(np.mean(s)) if s else float("nan") for way, s in shares.items()}


def inspections(levels: Array, indptr: Array, indices: Array, degrees: Array) -> Array:
    """Neighbours that every search looks at where it is pulled: searches x 2, on the host: how many
    it looks at, and for how many vertices, each once a level.

    A vertex looks at its in-neighbours in their order until one was visited, at all of them where
    none was.

    Parameters
    ----------
    levels : array, searches x n
    indptr, indices : array
        In-neighbours.
    degrees : array of n
        Out-degrees, by which searches turn.
    """
    xp = array_module(levels)
    turned = directions(levels, degrees)
    rows = xp.diff(indptr).astype(np.int64)
    owner = xp.cumsum(xp.bincount(indptr[1:], minlength=indices.shape[0] + 1)[:-1])
    looked = np.zeros((levels.shape[0], 2), np.int64)
    for search in range(levels.shape[0]):
        level = levels[search]
        # Where the first in-neighbour lies that has the level before: it is the first one visited.
        parents = xp.flatnonzero((level[indices] == level[owner] - 1) & (level[indices] >= 0))
        if not parents.shape[0]:
            continue
        begins = indptr[:-1].astype(np.int64)
        at = xp.minimum(xp.searchsorted(parents, begins), parents.shape[0] - 1)
        until_found = parents[at] - begins + 1
        for step in np.flatnonzero(turned[search]).tolist():
            waiting = ((level < 0) | (level > step + 1)) & (rows > 0)
            found = level == step + 1
            looked[search, 0] += int(rows[waiting].sum()) + int(until_found[found].sum())
            looked[search, 1] += int(waiting.sum()) + int(found.sum())
    return looked
