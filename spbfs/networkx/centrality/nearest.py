"""``networkx.algorithms.voronoi``, and centralities of ``group`` and ``bipartite``: from several
nodes at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from spbfs.algorithms.paths import sssp
from spbfs.networkx.centrality.by_paths import betweenness_centrality
from spbfs.networkx.conversion.arguments import found
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Node
from spbfs.networkx.shortest_paths.dijkstra import sources_of
from spbfs.networkx.shortest_paths.lengths import lengths_from, not_negative
from spbfs.networkx.shortest_paths.sums import sums_of_distances

__all__ = [
    "bipartite_betweenness_centrality",
    "bipartite_closeness_centrality",
    "group_closeness_centrality",
    "voronoi_cells",
]


def voronoi_cells(
    G: Graph, center_nodes: Collection[Node], weight: Any = "weight"
) -> dict[Any, set[Node]]:
    """To every centre the nodes that it is the nearest to; those that none reaches apart."""
    numbers = sources_of(G, center_nodes)
    not_negative(G, weight)
    search = sssp(G.weighted(weight), numbers)
    of = np.full(len(G), len(numbers))
    # Of one source nobody asks which.
    owners = search.distances if search.owners is None else search.owners
    vertices, places = owners.to_coo()
    of[vertices] = 0 if search.owners is None else places
    order = np.argsort(of, kind="stable")
    bounds = np.searchsorted(of[order], np.arange(len(numbers) + 2)).tolist()
    nodes = G.names.named(order)
    names = [*G.names.named(np.array(numbers)), "unreachable"]
    return {
        name: set(nodes[a:b])
        for name, a, b in zip(names, bounds[:-1], bounds[1:], strict=True)
        if b > a
    }


def group_closeness_centrality(G: Graph, S: Iterable[Node], weight: Any = None) -> Any:
    """How near those outside of a group are to it, along the edges."""
    group = set(S)
    numbers = sources_of(G, group)
    turned = G.reversed
    not_negative(turned, weight)
    distances = lengths_from(turned, numbers, weight, parents=False).distances
    total = sum(distance for node, distance in distances.items() if node not in group)
    return (len(G) - len(group)) / total if total else 0


def bipartite_closeness_centrality(
    G: Graph, nodes: Iterable[Node], normalized: bool = True
) -> dict[Node, float]:
    """How near everybody is to the others, where one side's nodes are two steps from each other."""
    top, bottom = _sides(G, nodes)
    for node in top:
        found(G, node, f"Source {node} is not in G")
    sums = sums_of_distances(G, range(len(G)))
    shares = ((sums.reached - 1) / (len(G) - 1)).tolist() if len(G) > 1 else []
    totals = sums.total.tolist()
    scores: dict[Node, float] = {}
    for side, other in ((top, bottom), (bottom, top)):
        least = len(other) + 2 * (len(side) - 1)
        for node in side:
            at = G.names.number[node]
            near = least / totals[at] if totals[at] else 0.0
            scores[node] = near * shares[at] if near and normalized else near
    return scores


def bipartite_betweenness_centrality(G: Graph, nodes: Iterable[Node]) -> dict[Node, float]:
    """Through which nodes shortest paths lead, as shares of the most that a node can have."""
    top, bottom = _sides(G, nodes)
    most = _most_between(len(top), len(bottom)), _most_between(len(bottom), len(top))
    scores = betweenness_centrality(G, normalized=False)
    for side, value in zip((top, bottom), most, strict=True):
        for node in side:
            scores[node] /= value
    return scores


def _sides(G: Graph, nodes: Iterable[Node]) -> tuple[set[Node], set[Node]]:
    top = set(nodes)
    return top, set(G.names.nodes) - top


def _most_between(n: int, m: int) -> float:
    """The largest betweenness of a node on a side of n, the other having m.

    Borgatti, Halgin: Analyzing affiliation networks (2011).
    """
    s, t = divmod(n - 1, m)
    return (m * m * (s + 1) ** 2 + m * (s + 1) * (2 * t - s - 1) - t * (2 * s - t + 3)) / 2
