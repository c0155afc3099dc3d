"""``networkx.algorithms.shortest_paths.generic``: one call for any ends and any method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import networkx as nx

from spbfs.networkx.connectivity.components import all_reach_all
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Node
from spbfs.networkx.shortest_paths import bellman_ford, dijkstra, unweighted
from spbfs.networkx.shortest_paths.sums import sums_of_distances

__all__ = [
    "all_pairs_all_shortest_paths",
    "all_shortest_paths",
    "average_shortest_path_length",
    "has_path",
    "shortest_path",
    "shortest_path_length",
    "single_source_all_shortest_paths",
]

_METHODS = ("dijkstra", "bellman-ford")


def has_path(G: Graph, source: Node, target: Node) -> bool:
    """Whether there is any."""
    try:
        shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def shortest_path(
    G: Graph,
    source: Node | None = None,
    target: Node | None = None,
    weight: Any = None,
    method: str = "dijkstra",
) -> Any:
    """A path, or those from, to or between all nodes."""
    way = _way(method, weight)
    if source is None and target is None:
        return way.all_paths(G)
    if source is None:
        # As NetworkX has it: from the target, against the edges, and then turned.
        paths = way.paths(G.reversed, target)
        return {node: path[::-1] for node, path in paths.items()}
    if target is None:
        return way.paths(G, source)
    return way.path(G, source, target)


def shortest_path_length(
    G: Graph,
    source: Node | None = None,
    target: Node | None = None,
    weight: Any = None,
    method: str = "dijkstra",
) -> Any:
    """A distance, or those from, to or between all nodes."""
    way = _way(method, weight)
    if source is None and target is None:
        return way.all_lengths(G)
    if source is None:
        return way.lengths(G.reversed, target)
    if target is None:
        return way.lengths(G, source)
    return way.length(G, source, target)


def average_shortest_path_length(G: Graph, weight: Any = None, method: str | None = None) -> float:
    """The mean distance of two nodes."""
    supported = ("unweighted", *_METHODS, "floyd-warshall", "floyd-warshall-numpy")
    if method is not None and method not in supported:
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if not all_reach_all(G.matrix, G.is_directed()):
        how = "strongly connected" if G.is_directed() else "connected"
        raise nx.NetworkXError(f"Graph is not {how}.")
    found = sums_of_distances(G, range(n), None if method == "unweighted" else weight)
    return float(found.total.sum()) / (n * (n - 1))


def all_shortest_paths(
    G: Graph, source: Node, target: Node, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Node]]:
    """Every shortest path between two nodes."""
    if (weight is None or method == "unweighted") and target in G:
        return _paths(unweighted.predecessors_on_ways(G, source, target), source, target)
    return _paths(_before(G, source, weight, method), source, target)


def single_source_all_shortest_paths(
    G: Graph, source: Node, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, list[list[Node]]]]:
    """Every node that can be reached, with every shortest path to it."""
    try:
        before = _before(G, source, weight, method)
    except (nx.NetworkXException, TypeError, ValueError) as error:
        return _all_from(source, error)
    return _all_from(source, before)


def _all_from(
    source: Node, before: dict[Node, list[Node]] | Exception
) -> Iterator[tuple[Node, list[list[Node]]]]:
    """The paths, or what NetworkX says when somebody goes through them."""
    if isinstance(before, Exception):
        raise before
    for node in before:
        yield node, list(_paths(before, source, node))


def all_pairs_all_shortest_paths(
    G: Graph, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, dict[Node, list[list[Node]]]]]:
    """The same from every node."""
    if weight is None or method == "unweighted":
        return ((node, unweighted.every_path(G, node)) for node in G.names.nodes)
    _leave_zeros(G, weight)
    if method == "bellman-ford":
        every = single_source_all_shortest_paths
        return ((node, dict(every(G, node, weight, method))) for node in G.names.nodes)
    return ((node, _all_at_once(_before(G, node, weight, method))) for node in G.names.nodes)


def _all_at_once(before: dict[Node, list[Node]]) -> dict[Node, list[list[Node]]]:
    """Every shortest path to every node, which comes after all that are nearer."""
    paths: dict[Node, list[list[Node]]] = {}
    for node, nearer in before.items():
        paths[node] = [[*path, node] for other in nearer for path in paths[other]] or [[node]]
    return paths


def _before(G: Graph, source: Node, weight: Any, method: str) -> dict[Node, list[Node]]:
    """All predecessors on shortest paths."""
    if weight is None or method == "unweighted":
        return unweighted.predecessor(G, source)
    _leave_zeros(G, weight)
    if method == "dijkstra":
        return dijkstra.dijkstra_predecessor_and_distance(G, source, weight=weight)[0]
    if method == "bellman-ford":
        return bellman_ford.bellman_ford_predecessor_and_distance(G, source, weight=weight)[0]
    raise ValueError(f"method not supported: {method}")


def _leave_zeros(G: Graph, weight: Any) -> None:
    """Leave to NetworkX what it does along edges of weight 0, where it may list a path twice."""
    if G.weights(weight).has_zeros:
        raise NotImplementedError(f"edge attribute {weight!r} is 0 somewhere")


class _Way(NamedTuple):
    """The functions that one method has for every choice of ends."""

    path: Callable[[Graph, Any, Any], Any]
    paths: Callable[[Graph, Any], Any]
    all_paths: Callable[[Graph], Any]
    length: Callable[[Graph, Any, Any], Any]
    lengths: Callable[[Graph, Any], Any]
    all_lengths: Callable[[Graph], Any]


def _way(method: str, weight: Any) -> _Way:
    if method not in _METHODS:
        raise ValueError(f"method not supported: {method}")
    if weight is None:
        return _Way(
            unweighted.bidirectional_shortest_path,
            unweighted.single_source_shortest_path,
            unweighted.all_pairs_shortest_path,
            lambda G, s, t: len(unweighted.bidirectional_shortest_path(G, s, t)) - 1,
            unweighted.single_source_shortest_path_length,
            unweighted.all_pairs_shortest_path_length,
        )
    if method == "dijkstra":
        return _Way(
            lambda G, s, t: dijkstra.bidirectional_dijkstra(G, s, t, weight)[1],
            partial(dijkstra.single_source_dijkstra_path, weight=weight),
            partial(dijkstra.all_pairs_dijkstra_path, weight=weight),
            partial(dijkstra.dijkstra_path_length, weight=weight),
            partial(dijkstra.single_source_dijkstra_path_length, weight=weight),
            partial(dijkstra.all_pairs_dijkstra_path_length, weight=weight),
        )
    return _Way(
        partial(bellman_ford.bellman_ford_path, weight=weight),
        partial(bellman_ford.single_source_bellman_ford_path, weight=weight),
        partial(bellman_ford.all_pairs_bellman_ford_path, weight=weight),
        partial(bellman_ford.bellman_ford_path_length, weight=weight),
        partial(bellman_ford.single_source_bellman_ford_path_length, weight=weight),
        partial(bellman_ford.all_pairs_bellman_ford_path_length, weight=weight),
    )


def _paths(before: dict[Node, list[Node]], source: Node, target: Node) -> Iterator[list[Node]]:
    """Every way back from a target, depth first."""
    if target not in before:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    way, open_ = [target], [iter(before[target])]
    if target == source:
        yield [target]
    while way:
        node = next(open_[-1], None)
        if node is None:
            way.pop()
            open_.pop()
            continue
        way.append(node)
        open_.append(iter(before[node]))
        if node == source:
            yield way[::-1]
