"""Shortest paths over weights, as NetworkX lists them: the nearest vertices first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.paths import sssp
from spbfs.engines.arrays.sets import member
from spbfs.engines.fused import WeightedCsr
from spbfs.exceptions import NegativeCycle
from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Array, Node
from spbfs.networkx.unweighted import lists_by_head, paths_of_tree
from spbfs.storage.entries import on_host

__all__ = ["Lengths", "negative_loops", "not_negative", "weight_of_path", "weighted_rows"]


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


class Lengths:
    """Who is reached from some vertices, how far it is, and from where.

    Raises NetworkXUnbounded where a cycle of negative weight is reached.
    """

    def __init__(
        self,
        G: Graph,
        sources: Sequence[int],
        weight: Any,
        *,
        cutoff: float | None = None,
        target: int | None = None,
        parents: bool = True,
    ) -> None:
        self._G, self._weight, self._sources = G, weight, sources
        limit = _limit(cutoff)
        if limit is not None and limit < 0:
            # NetworkX compares what it finds along edges, and those of weight 0 exceed it, too.
            self.order = np.array(sources, G.rows.indices.dtype)
            self._distances = np.zeros(len(sources), np.int64)
            self._parents = self.order
            return
        try:
            found = sssp(
                *(G.weighted(weight), sources), limit=limit, target=target, parents=parents
            )
        except NegativeCycle:
            raise nx.NetworkXUnbounded("Negative cycle detected.") from None
        vertices, distances = map(on_host, found.distances.to_coo())
        if member(np, negative_loops(G, weight), vertices).any():
            raise nx.NetworkXUnbounded("Negative cycle detected.")
        before = on_host(found.parents.to_coo()[1]) if parents else None
        by_distance = np.argsort(distances, kind="stable")
        if before is not None:
            by_distance = self._parents_first(by_distance, vertices, before, distances)
            self._parents = before[by_distance]
        self.order = vertices[by_distance]
        self._distances = distances[by_distance]

    def _parents_first(
        self, order: Array, vertices: Array, before: Array, distances: Array
    ) -> Array:
        """The order; where weights of 0 or less make that necessary, by levels of the tree, too."""
        place = np.zeros(len(self._G), np.int64)
        place[vertices[order]] = np.arange(order.shape[0])
        if (place[before] <= place[vertices]).all():
            return order
        above = place[before[order]]
        levels, far = np.zeros(order.shape[0], np.int64), np.arange(order.shape[0])
        while (moved := above[far] != far).any():
            levels += moved
            far = above[far]
        lengths = distances[order]
        farther = (lengths[above] > lengths).any()
        return order[np.lexsort((lengths, levels) if farther else (levels, lengths))]

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
        return paths_of_tree(self._G, self.order, self._dense(self._parents))

    @cached_property
    def parents(self) -> dict[Node, Node | None]:
        """The node before every one, None of a source."""
        names = self._G.names
        before = names.named(self._parents)
        roots = (self._parents == self.order).tolist()
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
        parents = self._dense(self._parents)
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

    def _dense(self, values: Array) -> Array:
        dense = np.zeros(len(self._G), values.dtype)
        dense[self.order] = values
        return dense
