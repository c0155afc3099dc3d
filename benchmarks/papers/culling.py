"""How often concurrent lanes find the same vertex: a count of what local culling can tell.

A two-phase search as Merrill, Garland, Grimshaw have it, with lanes, warps and CTAs played in
steps.  In a step every resident CTA takes one tile of the edge queue, looks up and claims: what
other CTAs claim in the same step it does not see, what was claimed in steps before it does.  On a
GPU steps are not kept, so that a count is the outcome of one possible order, and of one in which
nobody is ahead.  What a CTA's history and its warps tell is as in ``cuda/expansion/discovery.cuh``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Counted", "Way", "count"]

Ints = npt.NDArray[np.int64]

WARP = 32
HISTORY = 1024
#: A search in which the edge queue has grown to so many times the graph's edges is given up.
HOPELESS = 15


@dataclass(frozen=True, slots=True)
class Way:
    """How a level is cut, who is told what, and where what is found goes.

    Parameters
    ----------
    ctas : int
        Resident at once.
    lanes : int, optional
        Of a CTA, which is a tile.
    tiles : str, optional
        ``"strided"``: CTA c takes tiles c, c + ctas, ...; ``"runs"``: as many neighbouring ones as
        the others.
    queue : str, optional
        ``"warps"``: a warp keeps what it finds and writes 32 at a time, wherever the queue's end is
        then; ``"tiles"``: a CTA writes what its tile found in order, the tiles of a step in any
        order; ``"ordered"``: everything stands in the order of what it was found from.
    warp, history : bool, optional
        The cullings.
    """

    ctas: int
    lanes: int = 256
    tiles: str = "strided"
    queue: str = "warps"
    warp: bool = True
    history: bool = True


@dataclass(frozen=True, slots=True)
class Counted:
    """Queues of every level; None as `again` where the search was given up."""

    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    #: Edges expanded over edges there are.
    again: float | None


def count(graph: tuple[int, Any, Any], source: int, way: Way, seed: int = 1) -> Counted:
    """Search and count.

    Examples
    --------
    Two CTAs at once do not know of each other: the end of a square is found twice.

    >>> square = 4, np.array([0, 2, 4, 6, 8]), np.array([1, 2, 0, 3, 0, 3, 1, 2])
    >>> count(square, 0, Way(ctas=1, lanes=2, warp=False)).vertices
    (1, 2, 1)
    >>> count(square, 0, Way(ctas=2, lanes=2, warp=False)).vertices
    (1, 2, 2)
    """
    n, indptr, indices = graph
    degree = np.diff(indptr).astype(np.int64)
    rng = np.random.default_rng(seed)
    visited = np.zeros(n, dtype=bool)
    visited[source] = True
    queue = np.array([source])
    vertices, edges = [], []
    while queue.size:
        vertices.append(queue.size)
        edges.append(int(degree[queue].sum()))
        if sum(edges) > HOPELESS * max(indices.shape[0], 1):
            return Counted(tuple(vertices), tuple(edges), None)
        if way.queue != "ordered":
            queue = _shuffled(queue, np.arange(queue.size) // way.lanes, rng)
        queue = _contract(_expand(queue, indptr, indices, degree), visited, way, rng)
    logical = int(degree[visited].sum())
    return Counted(tuple(vertices), tuple(edges), sum(edges) / max(logical, 1))


def _expand(queue: Ints, indptr: Any, indices: Any, degree: Ints) -> Ints:
    """The edge queue of a vertex queue, row after row."""
    rows = degree[queue]
    end = np.cumsum(rows)
    place = np.arange(int(end[-1])) - np.repeat(end - rows, rows)
    found: Ints = indices[np.repeat(indptr[queue], rows) + place].astype(np.int64)
    return found


def _shuffled(values: Ints, group: Ints, rng: np.random.Generator) -> Ints:
    """Groups of neighbours stay together, in any order: those of a step meet at an atomic."""
    if not group.size:
        return values
    order = rng.permutation(int(group.max()) + 1)
    return values[np.argsort(order[group], kind="stable")]


def _contract(edges: Ints, visited: npt.NDArray[np.bool_], way: Way,
              rng: np.random.Generator) -> Ints:  # fmt: skip
    """The next vertex queue, with what was found more than once."""
    tiles = -(-edges.size // way.lanes)
    ctas = max(1, min(way.ctas, tiles))
    steps = -(-tiles // ctas)
    place = np.arange(edges.size)
    tile = place // way.lanes
    cta, step = (tile % ctas, tile // ctas) if way.tiles == "strided" else divmod(tile, steps)
    history = np.full(ctas * HISTORY, -1, dtype=np.int64)
    found: list[Ints] = []
    for now in range(steps):
        mine = place[step == now] if steps > 1 else place
        mine = mine[~visited[edges[mine]]]
        if way.history:
            mine = _unknown_to_history(mine, edges, cta, history)
        if way.warp:
            mine = _first_of(mine, (mine // WARP) * visited.size + edges[mine])
        visited[edges[mine]] = True
        found.append(mine)
    kept = np.concatenate(found)
    if way.queue == "ordered":
        return edges[np.sort(kept)]
    if way.queue == "tiles":
        return _shuffled_in_steps(edges, kept, step, tile, rng)
    return _by_warps(edges, kept, cta, step, way, rng)


def _first_of(places: Ints, keys: Ints) -> Ints:
    """Of places with equal keys the first, in order."""
    order = np.argsort(keys, kind="stable")
    first = np.ones(places.size, dtype=bool)
    first[1:] = keys[order][1:] != keys[order][:-1]
    return np.sort(places[order[first]])


def _unknown_to_history(mine: Ints, edges: Ints, cta: Ints, history: Ints) -> Ints:
    """Lanes of a CTA one after another put their vertex where its number says, and go on unless
    they found it there."""
    if not mine.size:
        return mine
    value = edges[mine]
    slot = cta[mine] * HISTORY + value % HISTORY
    order = np.argsort(slot, kind="stable")
    slot, value = slot[order], value[order]
    follows = np.zeros(order.size, dtype=bool)
    follows[1:] = slot[1:] == slot[:-1]
    before = history[slot]
    before[1:][follows[1:]] = value[:-1][follows[1:]]
    last = np.ones(order.size, dtype=bool)
    last[:-1] = ~follows[1:]
    history[slot[last]] = value[last]
    return np.sort(mine[order[value != before]])


def _shuffled_in_steps(edges: Ints, kept: Ints, step: Ints, tile: Ints,
                       rng: np.random.Generator) -> Ints:  # fmt: skip
    """Tiles of a step in any order, steps one after another."""
    if not kept.size:
        return edges[kept]
    order = rng.permutation(int(tile[kept].max()) + 1)
    return edges[kept[np.lexsort((kept, order[tile[kept]], step[kept]))]]


def _by_warps(edges: Ints, kept: Ints, cta: Ints, step: Ints, way: Way,
              rng: np.random.Generator) -> Ints:  # fmt: skip
    """Every warp's finds in portions of 32, by the step in which one was full, the rest last."""
    if not kept.size:
        return edges[kept]
    warp = cta[kept] * (way.lanes // WARP or 1) + kept % way.lanes // WARP
    order = np.lexsort((kept, step[kept], warp))
    kept, warp = kept[order], warp[order]
    begin = np.flatnonzero(np.r_[True, warp[1:] != warp[:-1]])
    sizes = np.diff(np.r_[begin, warp.size])
    rank = np.arange(warp.size) - np.repeat(begin, sizes)
    portion = rank // WARP
    full = portion < np.repeat(sizes // WARP, sizes)
    end = np.minimum(np.arange(warp.size) - rank % WARP + WARP - 1, warp.size - 1)
    when = np.where(full, step[kept][end], np.iinfo(np.int64).max)
    key = warp * (int(portion.max()) + 1) + portion
    _, key = np.unique(key, return_inverse=True)
    by_chance = rng.permutation(int(key.max()) + 1)
    return edges[kept[np.lexsort((rank, by_chance[key], when))]]
