"""``networkx.algorithms.shortest_paths.dense`` and ``astar``: all pairs, and a pair by Dijkstra's
algorithm, which is A* without a heuristic."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.paths import apsp, sssp
from spbfs.exceptions import NegativeCycle
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.shortest_paths.dijkstra import to_target
from spbfs.networkx.shortest_paths.lengths import negative_loops, not_negative, weight_of_path

__all__ = [
    "astar_path",
    "astar_path_length",
    "floyd_warshall",
    "floyd_warshall_numpy",
    "floyd_warshall_predecessor_and_distance",
]

Distances = dict[Node, dict[Node, Any]]


def astar_path(
    G: Graph,
    source: Node,
    target: Node,
    heuristic: None = None,
    weight: Any = "weight",
    *,
    cutoff: float | None = None,
) -> list[Node]:
    """A path from one node to another."""
    for what, node in (("Source", source), ("Target", target)):
        if node not in G:
            raise nx.NodeNotFound(f"{what} {node} is not in G")
    if source == target:
        return [source]
    not_negative(G, weight)
    otherwise = f"Node {target} not reachable from {source}"
    # A limit of 0 is none there.
    limit = cutoff or None
    return to_target(G, [G.names.number[source]], target, weight, otherwise, limit)[1]


def astar_path_length(
    G: Graph,
    source: Node,
    target: Node,
    heuristic: None = None,
    weight: Any = "weight",
    *,
    cutoff: float | None = None,
) -> Any:
    """The length of such a path."""
    if source not in G or target not in G:
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    path = astar_path(G, source, target, heuristic, weight, cutoff=cutoff)
    return weight_of_path(G, path, weight, 1, min)


def floyd_warshall(G: Graph, weight: Any = "weight") -> Distances:
    """Distances between all nodes, infinity where no path leads."""
    # Of edges without a weight NetworkX has the float 1.0.
    found = _all_distances(G, weight, 1.0)
    nodes = G.names.nodes
    distances: Distances = {}
    for at, (node, row) in enumerate(zip(nodes, _listed(found), strict=True)):
        row[at] = 0
        distances[node] = defaultdict(_infinity, zip(nodes, row, strict=True))
    return distances


def floyd_warshall_predecessor_and_distance(
    G: Graph, weight: Any = "weight"
) -> tuple[dict[Node, dict[Node, Node]], Distances]:
    """The node before every other on a path from every node, and distances."""
    distances = floyd_warshall(G, weight)
    loops = set(G.names.named(G.structure.loops))
    before = {}
    for at, source in enumerate(G.names.nodes):
        vertices, parents = sssp(G.weighted(weight, 1.0), at).parents.to_coo()
        pairs = zip(G.names.named(vertices), G.names.named(parents), strict=True)
        found = {node: parent for node, parent in pairs if node != source or source in loops}
        if found:
            before[source] = found
    return before, distances


def floyd_warshall_numpy(
    G: Graph, nodelist: list[Node] | None = None, weight: Any = "weight"
) -> Array:
    """The matrix of distances."""
    if nodelist is not None:
        if not len(nodelist) == len(G) == len(set(nodelist)):
            raise nx.NetworkXError(
                "nodelist must contain every node in G with no repeats."
                "If you wanted a subgraph of G use G.subgraph(nodelist)"
            )
        if not all(node in G for node in nodelist):
            raise NotImplementedError("NetworkX has to say which nodes it misses")
    found = _all_distances(G, weight, 1)
    if found.dtype.kind == "i":
        found = np.where(found == np.iinfo(np.int64).max, np.inf, found)
    if nodelist is None:
        return found
    order = G.names.numbers(nodelist, len(G))
    return found[np.ix_(order, order)]


def _all_distances(G: Graph, weight: Any, default: Any) -> Array:
    try:
        if not negative_loops(G, weight).size:
            return apsp(G.weighted(weight, default))
    except NegativeCycle:
        pass
    raise NotImplementedError("NetworkX has numbers for distances around negative cycles, too")


def _listed(found: Array) -> list[list[Any]]:
    """Rows of numbers, infinity where no path leads."""
    rows: list[list[Any]] = found.tolist()
    none = np.iinfo(np.int64).max
    if found.dtype.kind == "i":
        return [[math.inf if d == none else d for d in row] for row in rows]
    return rows


def _infinity() -> float:
    return math.inf
