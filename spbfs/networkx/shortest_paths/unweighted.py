"""``networkx.algorithms.shortest_paths.unweighted``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse

from spbfs.engines.cpu.bfs.between import bfs_between
from spbfs.engines.cpu.bfs.path_lists import every_path_list, path_lists
from spbfs.engines.cpu.bfs.search_edges import tails_in_order
from spbfs.networkx.conversion.arguments import depth_below, found, target_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node, entries_in_order, places_of
from spbfs.networkx.vertices.order import InOrder, search_in_order, searches_in_order

__all__ = [
    "all_pairs_shortest_path",
    "all_pairs_shortest_path_length",
    "bidirectional_shortest_path",
    "every_path",
    "lists_by_head",
    "paths_of_tree",
    "predecessor",
    "predecessors_on_ways",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "single_target_shortest_path",
    "single_target_shortest_path_length",
]

Path = list[Node]


def single_source_shortest_path_length(
    G: Graph, source: Node, cutoff: float | None = None
) -> dict[Node, int]:
    """Distances from a source."""
    at = found(G, source, f"Source {source} is not in G")
    return _lengths(G, search_in_order(G.rows, [at], depth_below(cutoff)))


def single_target_shortest_path_length(
    G: Graph, target: Node, cutoff: float | None = None
) -> dict[Node, int]:
    """Distances to a target."""
    at = found(G, target, f"Target {target} is not in G")
    return _lengths(G, search_in_order(G.columns, [at], depth_below(cutoff)))


def all_pairs_shortest_path_length(
    G: Graph, cutoff: float | None = None
) -> Iterator[tuple[Node, dict[Node, int]]]:
    """Distances from every node, one after another."""
    for node, search in zip(
        G.names.nodes, searches_in_order(G.rows, depth_below(cutoff)), strict=True
    ):
        yield node, _lengths(G, search)


def single_source_shortest_path(
    G: Graph, source: Node, cutoff: float | None = None
) -> dict[Node, Path]:
    """Paths from a source."""
    at = found(G, source, f"Source {source} not in G")
    return _paths(G, search_in_order(G.rows, [at], depth_below(cutoff)))


def single_target_shortest_path(
    G: Graph, target: Node, cutoff: float | None = None
) -> dict[Node, Path]:
    """Paths to a target."""
    at = found(G, target, f"Target {target} not in G")
    paths = _paths(G, search_in_order(G.columns, [at], depth_below(cutoff)))
    for path in paths.values():
        path.reverse()
    return paths


def all_pairs_shortest_path(
    G: Graph, cutoff: float | None = None
) -> Iterator[tuple[Node, dict[Node, Path]]]:
    """Paths from every node, one after another."""
    for node, search in zip(
        G.names.nodes, searches_in_order(G.rows, depth_below(cutoff)), strict=True
    ):
        yield node, _paths(G, search)


def bidirectional_shortest_path(G: Graph, source: Node, target: Node) -> Path:
    """A path, searched from both ends."""
    s = found(G, source, f"Source {source} is not in G")
    t = found(G, target, f"Target {target} is not in G")
    path = bfs_between(G.rows, G.columns, s, t)
    if not path.shape[0]:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.names.named(path)


def predecessor(
    G: Graph,
    source: Node,
    target: Node | None = None,
    cutoff: float | None = None,
    return_seen: bool | None = None,
) -> Any:
    """Everybody's predecessors on shortest paths, and distances."""
    at = found(G, source, f"Source {source} not in G")
    # NetworkX looks at the limit after a level, and takes 0 for none.
    limited = cutoff and cutoff == cutoff and cutoff != np.inf
    depth = max(1, depth_below(cutoff) or 1) if limited else None
    search = search_in_order(G.rows, [at], depth)
    order, levels, _ = search
    if target is not None:
        end = target_of(G, target)
        if end is None or levels[end] < 0:
            return ([], -1) if return_seen else []
        before = _predecessors(G, search)[int(np.flatnonzero(order == end)[0])]
        return (before, int(levels[end])) if return_seen else before
    nodes = G.names.named(order)
    lists = dict(zip(nodes, _predecessors(G, search), strict=True))
    if return_seen:
        return lists, dict(zip(nodes, levels[order].tolist(), strict=True))
    return lists


def predecessors_on_ways(G: Graph, source: Node, target: Node) -> dict[Node, list[Node]]:
    """The same of those alone that are on shortest paths to a target; of nobody without any."""
    start, end = found(G, source, f"Source {source} not in G"), G.names.number[target]
    order, levels, _ = search_in_order(G.rows, [start])
    depth = int(levels[end])
    if depth < 0:
        return {}
    left = search_in_order(G.columns, [end], depth).levels
    on_way = order[(left[order] >= 0) & (levels[order] + left[order] == depth)]
    v, places = entries_in_order(G.columns, on_way)
    u = G.columns.indices[places]
    nearer = np.flatnonzero((levels[u] == levels[v] - 1) & (levels[u] >= 0))
    lists = lists_by_head(G, on_way, u[nearer], v[nearer])
    return dict(zip(G.names.named(on_way), lists, strict=True))


def _lengths(G: Graph, search: InOrder) -> dict[Node, int]:
    order, levels, _ = search
    return dict(zip(G.names.named(order), levels[order].tolist(), strict=True))


def _paths(G: Graph, search: InOrder) -> dict[Node, Path]:
    order, _, parents = search
    return paths_of_tree(G, order, parents[order])


def paths_of_tree(G: Graph, order: Array, before: Array) -> dict[Node, Path]:
    """The way to every vertex of an order, after the one `before` it; a root is so itself."""
    nodes = G.names.named(order)
    return dict(zip(nodes, path_lists(nodes, places_of(order, len(G))[before]), strict=True))


def every_path(G: Graph, source: Node) -> dict[Node, list[Path]]:
    """All shortest paths from a source."""
    at = found(G, source, f"Source {source} not in G")
    order, levels, _ = search_in_order(G.rows, [at])
    nodes = G.names.named(order)
    tails = tails_in_order(G.rows, order, levels)
    return dict(zip(nodes, every_path_list(nodes, tails), strict=True))


def _predecessors(G: Graph, search: InOrder) -> list[list[Node]]:
    """Of every vertex in the order of the search, in that order."""
    return _named(G, search.order, *tails_in_order(G.rows, search.order, search.levels))


def lists_by_head(G: Graph, order: Array, u: Array, v: Array) -> list[list[Node]]:
    """The tails u of the edges (u, v) of every v in an order, in which the u come, too."""
    place, k = places_of(order, len(G)), order.shape[0]
    ones = np.ones(u.shape[0], np.bool_)
    columns = scipy.sparse.coo_array((ones, (place[v], place[u])), shape=(k, k)).tocsr()
    columns.sort_indices()
    return _named(G, order, columns.indptr, columns.indices)


def _named(G: Graph, order: Array, begins: Array, tails: Array) -> list[list[Node]]:
    """Rows of places in an order as lists of nodes."""
    nodes = G.names.named(order[tails])
    return [nodes[a:b] for a, b in pairwise(begins.tolist())]
