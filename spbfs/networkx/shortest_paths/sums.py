"""What distances sum up to, source by source: over edges that are counted, or over weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.paths.all_pairs import apsp
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array
from spbfs.networkx.shortest_paths.lengths import not_negative, weighted_rows
from spbfs.storage.entries import on_host

__all__ = ["Sums", "distances_from", "lengths_from", "levels_from", "sums_of_distances"]

#: Bytes of the distances that are held at once.
_HELD = 1 << 26
#: Searches whose levels are held at once.
_SEARCHED = 64


class Sums(NamedTuple):
    """Arrays, a value a source: how many it reaches, how far all these and the farthest are."""

    reached: Array
    total: Array
    farthest: Array


def sums_of_distances(
    G: Graph, sources: Sequence[int], weight: Any = None, *, against: bool = False
) -> Sums:
    """From every one of the sources, or, `against` the edges, to it."""
    if weight is None:
        found = bfs_many(G.matrix.T if against else G.matrix, sources, outputs="reached")
        return Sums(found.reached, found.sum_levels, found.eccentricity)
    if not sources:
        none = np.zeros(0, np.int64)
        return Sums(none, none, none)
    graph = G.reversed if against else G
    parts = [_summed(rows) for rows in lengths_from(graph, sources, weight)]
    reached, total, farthest = (np.concatenate(x) for x in zip(*parts, strict=True))
    if G.weights(weight).integral:
        return Sums(reached, total.astype(np.int64), farthest.astype(np.int64))
    return Sums(reached, total, farthest)


def lengths_from(G: Graph, sources: Sequence[int], weight: Any) -> Iterator[Array]:
    """Distances of shape (some sources, nodes), one block after another; infinity where no path."""
    not_negative(G, weight)
    numbers = np.asarray(sources, np.int64)
    together = max(1, _HELD // (8 * len(G) + 1))
    for first in range(0, numbers.shape[0], together):
        yield _lengths(G, numbers[first : first + together], weight)


def distances_from(G: Graph, weight: Any = None) -> Iterator[Array]:
    """The same from every node, of edges that are counted or of weights."""
    if weight is not None:
        return lengths_from(G, range(len(G)), weight)
    blocks = levels_from(G, np.arange(len(G)))
    return (np.where(levels > depth, np.inf, levels) for levels, depth in blocks)


def levels_from(G: Graph, sources: Array) -> Iterator[tuple[Array, int]]:
    """Levels of shape (some sources, nodes), one block after another, and the deepest of a block:
    what is greater stands where nobody was."""
    for first in range(0, sources.shape[0], _SEARCHED):
        found = bfs_many(G.matrix, sources[first : first + _SEARCHED])
        yield np.asarray(on_host(found.levels)), found.depth


def _lengths(G: Graph, sources: Array, weight: Any) -> Array:
    A = G.weighted(weight)
    search = A._engine.fused.dijkstra
    if search is None:
        found = apsp(A, sources)
        none = np.inf if found.dtype.kind == "f" else np.iinfo(found.dtype).max
        return np.where(found == none, np.inf, found)
    rows = weighted_rows(G, weight)
    paths = search(rows, None, sources, np.inf, nearest=False, predecessors=False, nobody=-1)
    assert paths is not None, "rows of a graph are a CSR"
    return np.asarray(paths[0])


def _summed(rows: Array) -> Sums:
    known = np.isfinite(rows)
    lengths = np.where(known, rows, 0.0)
    return Sums(known.sum(axis=1), lengths.sum(axis=1), lengths.max(axis=1))
