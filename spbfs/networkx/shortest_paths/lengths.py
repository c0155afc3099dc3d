"""Shortest paths over weights, as NetworkX lists them: the nearest vertices first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from spbfs.algorithms.paths import sssp
from spbfs.engines.arrays.patterns.sets import member
from spbfs.engines.fused import WeightedCsr
from spbfs.exceptions import NegativeCycle
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.conversion.weights import Weights
from spbfs.networkx.shortest_paths.unweighted import lists_by_head, paths_of_tree
from spbfs.storage.entries import on_host

__all__ = [
    "Lengths",
    "lengths_from",
    "lengths_from_each",
    "negative_loops",
    "not_negative",
    "weight_of_path",
    "weighted_rows",
]


def not_negative(G: Graph, weight: Any) -> None:
    """Leave a graph to NetworkX whose weights are not for Dijkstra's algorithm."""
    if G.weights(weight).least < 0:
        raise NotImplementedError(f"edge attribute {weight!r} is negative somewhere")


def weighted_rows(G: Graph, weight: Any) -> WeightedCsr:
    """Offsets, neighbours in NetworkX's order, and weights, of parallel edges the least."""
    return *G.rows, G.weights(weight).lengths


def negative_loops(G: Graph, weight: Any) -> Array:
    """Vertices with an edge of negative weight to themselves, which is a cycle."""
    if G.weights(weight).least >= 0 or not G.structure.loops.size:
        return np.zeros(0, G.rows.indices.dtype)
    rows = G.structure.tails
    values = G.weights(weight).combined(np.minimum)
    return rows[(values < 0) & (rows == G.rows.indices)]


def weight_of_path(
    G: Graph, path: list[Node], weight: Any, default: Any, chosen: Callable[[Any], Any]
) -> Any:
    """The weights along a path, summed as Python does; of parallel edges the one chosen."""
    steps = (G.adjacency[u][v] for u, v in pairwise(path))
    if not G.is_multigraph():
        return sum(edge.get(weight, default) for edge in steps)
    return sum(chosen(edge.get(weight, default) for edge in keys.values()) for keys in steps)


def _limit(cutoff: float | None) -> float | None:
    """A number that distances may not exceed; None where they may all."""
    if cutoff is None:
        return None
    if not isinstance(cutoff, int | float | np.integer):
        raise NotImplementedError("a cutoff that is no number NetworkX compares as it meets it")
    # Nothing exceeds NaN; True and False are 1 and 0.
    return cutoff + 0 if cutoff == cutoff else None


#: Farther than any sum of weights.
_FAR = 1 << 62
#: Integers that a float64 holds, and bytes of what searches from several nodes find at once.
_EXACT, _HELD = 1 << 53, 1 << 25


class Found(NamedTuple):
    """Distances of vertices in order, and who is before each; nobody where nobody asked."""

    distances: Array
    parents: Array | None = None


class Lengths:
    """Who is reached from some vertices, how far it is, and from where: the nearest first, each
    after the one before it, and a source before itself."""

    def __init__(
        self, G: Graph, weight: Any, sources: Sequence[int], order: Array, found: Found
    ) -> None:
        self._G, self._weight, self._sources, self.order = G, weight, sources, order
        self._distances, self._parents = found

    @cached_property
    def distances(self) -> dict[Node, Any]:
        """Of every node reached; 0 of the sources, an integer whatever the weights."""
        nodes = self._G.names.named(self.order)
        found = dict(zip(nodes, self._distances.tolist(), strict=True))
        for node in self._G.names.named(np.array(self._sources)):
            if found[node] == 0:
                found[node] = 0
        return found

    @cached_property
    def paths(self) -> dict[Node, list[Node]]:
        """To every node reached."""
        return paths_of_tree(self._G, self.order, self._before)

    @cached_property
    def parents(self) -> dict[Node, Node | None]:
        """The node before every one, None of a source."""
        names = self._G.names
        before = names.named(self._before)
        roots = (self._before == self.order).tolist()
        return {
            node: None if root else parent
            for node, parent, root in zip(names.named(self.order), before, roots, strict=True)
        }

    def distance_of(self, target: int) -> Any:
        """Of one vertex; None where it is not reached."""
        at = np.flatnonzero(self.order == target)
        return self._distances[at[0]].item() if at.size else None

    def path_to(self, target: int) -> list[Node]:
        """The nodes from a source to one that is reached."""
        parents = np.zeros(len(self._G), self._before.dtype)
        parents[self.order] = self._before
        path = [target]
        while (before := int(parents[path[-1]])) != path[-1]:
            path.append(before)
        return self._G.names.named(np.array(path[::-1]))

    @cached_property
    def predecessors(self) -> dict[Node, list[Node]]:
        """All that come before a node on shortest paths, the nearest first."""
        G, order = self._G, self.order
        values = G.weights(self._weight).combined(np.minimum)
        # From whoever is not reached no edge is as long as the way to its end.
        far = _FAR if G.weights(self._weight).integral else np.inf
        start, end = np.full(len(G), -far), np.full(len(G), far)
        start[order] = end[order] = self._distances
        ahead = np.repeat(start, np.diff(G.rows.indptr)) + values
        tight = np.flatnonzero(ahead == end[G.rows.indices])
        u = np.searchsorted(G.rows.indptr, tight, "right") - 1
        lists = lists_by_head(G, order, u, G.rows.indices[tight])
        return dict(zip(G.names.named(order), lists, strict=True))

    @property
    def _before(self) -> Array:
        assert self._parents is not None, "nobody asked for paths"
        return self._parents


def lengths_from(
    G: Graph,
    sources: Sequence[int],
    weight: Any,
    *,
    cutoff: float | None = None,
    target: int | None = None,
    parents: bool = True,
) -> Lengths:
    """Those from the nearest of several vertices.

    Raises NetworkXUnbounded where a cycle of negative weight is reached.
    """
    limit = _limit(cutoff)
    if limit is not None and limit < 0:
        # NetworkX compares what it finds along edges, and those of weight 0 exceed it, too.
        order = np.array(sources, G.rows.indices.dtype)
        return Lengths(G, weight, sources, order, Found(np.zeros(len(sources), np.int64), order))
    try:
        found = sssp(G.weighted(weight), sources, limit=limit, target=target, parents=parents)
    except NegativeCycle:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from None
    vertices, distances = map(on_host, found.distances.to_coo())
    if member(np, negative_loops(G, weight), vertices).any():
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    if not parents:
        order = np.argsort(distances, kind="stable")
        return Lengths(G, weight, sources, vertices[order], Found(distances[order]))
    before = on_host(found.parents.to_coo()[1])
    place = np.zeros(len(G), np.int64)
    place[vertices] = np.arange(vertices.shape[0])
    order = _nearest_first(distances[None], place[before][None], G.weights(weight))[0]
    return Lengths(G, weight, sources, vertices[order], Found(distances[order], before[order]))


def lengths_from_each(
    G: Graph, weight: Any, *, cutoff: float | None = None, parents: bool = True
) -> Iterator[Lengths]:
    """Those from every vertex alone, one after another.

    Weights are read, and what is left to NetworkX is refused, before anybody asks for the first.
    """
    n, limit, weights = len(G), _limit(cutoff), G.weights(weight)
    search = G.weighted(weight)._engine.fused.dijkstra
    longest = n * float(weights.values.max(initial=0)) if weights.integral else 0
    if search is None or weights.least < 0 or (limit or 0) < 0 or longest >= _EXACT:
        return (lengths_from(G, [at], weight, cutoff=cutoff, parents=parents) for at in range(n))
    return _by_batches(G, weight, search, limit, parents)


def _by_batches(
    G: Graph, weight: Any, search: Any, limit: float | None, parents: bool
) -> Iterator[Lengths]:
    """The same by calls of one compiled search, ever more at once."""
    n = len(G)
    rows, most = weighted_rows(G, weight), max(1, _HELD // (8 * n + 1))
    farthest = np.inf if limit is None else float(min(limit, sys.float_info.max))
    first, several = 0, 1
    while first < n:
        sources = np.arange(first, min(n, first + several))
        paths = search(
            *(rows, None, sources, farthest), nearest=False, predecessors=parents, nobody=-1
        )
        assert paths is not None, "rows of a graph are a CSR"
        yield from _of_rows(G, weight, sources, *paths[:2])
        first, several = first + several, min(2 * several, most)


def _of_rows(
    G: Graph, weight: Any, sources: Array, distances: Array, before: Array | None
) -> Iterator[Lengths]:
    """Rows of distances and of who is before, one a source, infinity and -1 where nobody is."""
    counts = np.isfinite(distances).sum(axis=1).tolist()
    if before is None:
        order = np.argsort(distances, axis=1, kind="stable")
        parents = None
    else:
        before[np.arange(sources.shape[0]), sources] = sources
        # Nobody is before those that are not reached, which are last.
        above = np.where(before < 0, np.arange(len(G)), before)
        order = _nearest_first(distances, above, G.weights(weight))
        parents = np.take_along_axis(before, order, 1)
    lengths = np.take_along_axis(distances, order, 1)
    if G.weights(weight).integral:
        lengths = np.where(np.isfinite(lengths), lengths, 0).astype(np.int64)
    for at, (source, count) in enumerate(zip(sources.tolist(), counts, strict=True)):
        found = Found(lengths[at, :count], None if parents is None else parents[at, :count])
        yield Lengths(G, weight, [source], order[at, :count], found)


def _nearest_first(distances: Array, before: Array, weights: Weights) -> Array:
    """Places in the order of their distances, row by row; where a weight of 0 or less, or rounding,
    may bring nobody farther, by levels of the tree, too, in which `before` has the place above."""
    if weights.least > 0 and weights.integral:
        return np.argsort(distances, axis=1, kind="stable")
    k, n = before.shape
    # Of all rows at once, each step twice as far as the last.
    far = (before + n * np.arange(k)[:, None]).ravel()
    levels = far != np.arange(far.shape[0])
    levels = levels.astype(np.int16 if n < 1 << 15 else np.int64)
    while ((beyond := far[far]) != far).any():
        levels += levels[far]
        far = beyond
    levels = levels.reshape(k, n)
    if weights.least < 0 and (np.take_along_axis(distances, before, 1) > distances).any():
        return np.lexsort((distances, levels), axis=1)
    return np.lexsort((levels, distances), axis=1)
