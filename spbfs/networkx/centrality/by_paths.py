"""``networkx.algorithms.centrality``: closeness, harmonic and betweenness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.rank.betweenness import betweenness
from spbfs.algorithms.rank.closeness import harmonic
from spbfs.engines.cpu.algorithms.weighted_betweenness import weighted_betweenness
from spbfs.networkx.conversion.arguments import found, nodes_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.shortest_paths.lengths import weighted_rows
from spbfs.networkx.shortest_paths.sums import lengths_from, levels_from, sums_of_distances
from spbfs.storage.entries import on_host

__all__ = ["betweenness_centrality", "closeness_centrality", "harmonic_centrality"]


def closeness_centrality(
    G: Graph, u: Node | None = None, distance: Any = None, wf_improved: bool = True
) -> Any:
    """Of those that reach a node, how near they are."""
    n = len(G)
    missing = f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph"
    chosen = range(n) if u is None else [found(G, u, missing)]
    sums = sums_of_distances(G, chosen, distance, against=True)
    others = sums.reached - 1.0
    near = np.divide(others, sums.total, out=np.zeros(len(chosen)), where=sums.total > 0)
    if wf_improved and n > 1:
        near *= others / (n - 1)
    if u is not None:
        return float(near[0])
    return dict(zip(G.names.nodes, near.tolist(), strict=True))


def harmonic_centrality(
    G: Graph, nbunch: Any = None, distance: Any = None, sources: Any = None
) -> dict[Node, float]:
    """The sum of 1 / distance from the sources to every node of a bunch."""
    # NetworkX's results come in the order of this set.
    bunch = list(set(nodes_of(G, nbunch)))
    targets = np.array([G.names.number[node] for node in bunch], np.int64)
    starts = np.array([G.names.number[node] for node in set(nodes_of(G, sources))], np.int64)
    if distance is not None:
        sums = _inverse_lengths(G, starts, distance)[targets]
    elif len(starts) == len(G):
        sums = harmonic(G.matrix, targets)
    else:
        sums = _inverse_distances(G, starts)[targets]
    # An integer where nothing was added, as it is there.
    return {node: value or 0 for node, value in zip(bunch, sums.tolist(), strict=True)}


def betweenness_centrality(
    G: Graph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Node, float]:
    """Through which nodes shortest paths lead."""
    n = len(G)
    # NetworkX has made a generator of the seed; the sample is the one that it would draw.
    drawn = None if k is None or k == n else seed.sample(G.names.nodes, k)
    sources = range(n) if drawn is None else [G.names.number[node] for node in drawn]
    if len(sources) == 0:
        total = np.zeros(n)
    else:
        total = _dependencies(G, sources, weight)
        if endpoints:
            total += _paths_that_end(G, sources)
    total *= _scale(G, drawn, normalized, endpoints)
    return dict(zip(G.names.nodes, total.tolist(), strict=True))


def _dependencies(G: Graph, sources: Sequence[int], weight: Any) -> Array:
    """What paths from the sources give the vertices between their ends."""
    if weight is None:
        shares = betweenness(G.matrix, sources, normalized=False).to_dense()
        return np.asarray(on_host(shares)) * (len(sources) / len(G))
    if (G.weights(weight).values <= 0).any():
        raise NotImplementedError(f"edge attribute {weight!r} is not above 0 everywhere")
    return np.asarray(weighted_betweenness(weighted_rows(G, weight), np.array(sources)))


def _paths_that_end(G: Graph, sources: Any) -> Array:
    """At every vertex, of one shortest path from each source to everybody else it reaches."""
    found = bfs_many(G.matrix, sources, outputs="counts")
    ends = on_host(found.counts).astype(np.float64)
    # A source is counted by itself, and begins the paths to all others.
    ends[sources] += found.reached - 2
    return np.asarray(ends)


def _scale(G: Graph, drawn: list[Node] | None, normalized: bool, endpoints: bool) -> Any:
    """What the sums are multiplied by: one number, or one a vertex where sources were drawn.

    A drawn source is on no path of its own: with k of them a vertex has k - 1 or k chances.
    """
    n = len(G)
    pairs = n if endpoints else n - 1
    if pairs < 2:
        return 1.0
    k = pairs if drawn is None else len(drawn)

    def scale(chances: int) -> float:
        if normalized:
            return 1 / (chances * (pairs - 1))
        return pairs / (chances * (1 if G.is_directed() else 2))

    if drawn is None or endpoints:
        return scale(k)
    each = np.full(n, scale(k))
    each[[G.names.number[node] for node in drawn]] = scale(k - 1) if k > 1 else math.nan
    return each


def _inverse_distances(G: Graph, starts: Array) -> Array:
    """The sum of 1 / distance from some vertices to every vertex."""
    total = np.zeros(len(G))
    for block, depth in levels_from(G, starts):
        for levels in block:
            near = np.flatnonzero((levels > 0) & (levels <= depth))
            total[near] += 1 / levels[near]
    return total


def _inverse_lengths(G: Graph, starts: Array, weight: Any) -> Array:
    """The same over weights; a distance of 0 counts for nothing."""
    total = np.zeros(len(G))
    for rows in lengths_from(G, starts.tolist(), weight):
        total += np.divide(1.0, rows, out=np.zeros(rows.shape), where=rows > 0).sum(axis=0)
    return total
