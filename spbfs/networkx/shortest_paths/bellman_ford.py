"""``networkx.algorithms.shortest_paths.weighted``: Bellman and Ford's family, of any weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.paths import sssp
from spbfs.engines.arrays.patterns.sets import member
from spbfs.exceptions import NegativeCycle
from spbfs.networkx.conversion.arguments import found, target_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Node
from spbfs.networkx.conversion.weights import Weights
from spbfs.networkx.shortest_paths.dijkstra import all_pairs_dijkstra_path
from spbfs.networkx.shortest_paths.lengths import (
    Lengths,
    lengths_from,
    lengths_from_each,
    negative_loops,
)
from spbfs.storage.entries import on_host

__all__ = [
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance",
    "find_negative_cycle",
    "goldberg_radzik",
    "johnson",
    "negative_edge_cycle",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
]

Path = list[Node]


def single_source_bellman_ford_path_length(
    G: Graph, source: Node, weight: Any = "weight"
) -> dict[Node, Any]:
    """Distances from a source."""
    return lengths_from(G, [_source(G, source)], weight, parents=False).distances


def single_source_bellman_ford_path(
    G: Graph, source: Node, weight: Any = "weight"
) -> dict[Node, Path]:
    """Paths from a source."""
    return lengths_from(G, [_source(G, source)], weight).paths


def single_source_bellman_ford(
    G: Graph, source: Node, target: Node | None = None, weight: Any = "weight"
) -> Any:
    """Distances from a source, and paths; or those of one target."""
    if source == target:
        found(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    every = lengths_from(G, [_source(G, source)], weight)
    if target is None:
        return every.distances, every.paths
    at = target_of(G, target)
    distance = None if at is None else every.distance_of(at)
    if at is None or distance is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return distance, every.path_to(at)


def bellman_ford_path(G: Graph, source: Node, target: Node, weight: Any = "weight") -> Any:
    """A path from one node to another."""
    return single_source_bellman_ford(G, source, target, weight)[1]


def bellman_ford_path_length(G: Graph, source: Node, target: Node, weight: Any = "weight") -> Any:
    """The distance from one node to another."""
    if source == target:
        found(G, source, f"Node {source} not found in graph")
        return 0
    every = lengths_from(G, [_source(G, source)], weight, parents=False)
    at = target_of(G, target)
    distance = None if at is None else every.distance_of(at)
    if distance is None:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return distance


def bellman_ford_predecessor_and_distance(
    G: Graph,
    source: Node,
    target: Node | None = None,
    weight: Any = "weight",
    heuristic: bool = False,
) -> tuple[dict[Node, Path], dict[Node, Any]]:
    """All predecessors on shortest paths, and distances."""
    every = _without_loops(G, source, weight)
    if len(G) == 1:  # of which NetworkX looks at no edge, not even at a loop of weight 0
        return {source: []}, every.distances
    return every.predecessors, every.distances


def goldberg_radzik(
    G: Graph, source: Node, weight: Any = "weight"
) -> tuple[dict[Node, Node | None], dict[Node, Any]]:
    """The tree of shortest paths, and distances."""
    every = _without_loops(G, source, weight)
    return every.parents, every.distances


def all_pairs_bellman_ford_path_length(
    G: Graph, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Any]]]:
    """Distances from every node."""
    every = lengths_from_each(G, weight, parents=False)
    return ((node, found.distances) for node, found in zip(G.names.nodes, every, strict=True))


def all_pairs_bellman_ford_path(
    G: Graph, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Path]]]:
    """Paths from every node."""
    every = lengths_from_each(G, weight)
    return ((node, found.paths) for node, found in zip(G.names.nodes, every, strict=True))


def johnson(G: Graph, weight: Any = "weight") -> dict[Node, dict[Node, Path]]:
    """Paths between all pairs of nodes."""
    if negative_edge_cycle(G, weight):
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    if not G.weights(weight).integral:
        # Potentials that are rounded might leave weights below 0.
        return dict(all_pairs_bellman_ford_path(G, weight))
    return dict(all_pairs_dijkstra_path(_lifted(G, weight), weight=weight))


def _lifted(G: Graph, weight: Any) -> Graph:
    """The same graph with the same shortest paths, over weights from 0 on."""
    if not len(G):
        return G
    low = on_host(sssp(G.weighted(weight), np.arange(len(G)), parents=False).distances.to_dense())
    values = G.weights(weight).combined(np.minimum) + low[G.structure.tails] - low[G.rows.indices]
    return G.with_weights(weight, Weights(values, None))


def find_negative_cycle(G: Graph, source: Node, weight: Any = "weight") -> Path:
    """The nodes of a cycle of negative weight that a source reaches, the first one once more."""
    at = _source(G, source)
    try:
        reached = sssp(G.weighted(weight), at, parents=False).distances.to_coo(values=False)[0]
    except NegativeCycle as cycle:
        return G.names.named(np.array([*cycle.vertices, cycle.vertices[0]]))
    loops = negative_loops(G, weight)
    loops = loops[member(np, loops, reached)]
    if not loops.size:
        raise nx.NetworkXError("No negative cycles detected.")
    return G.names.named(loops[[0, 0]])


def negative_edge_cycle(G: Graph, weight: Any = "weight", heuristic: bool = True) -> bool:
    """Whether there is a cycle of negative weight anywhere."""
    if G.rows.indices.shape[0] == 0:
        return False
    if negative_loops(G, weight).size:
        return True
    try:
        sssp(G.weighted(weight), np.arange(len(G)), parents=False)
    except NegativeCycle:
        return True
    return False


def _source(G: Graph, source: Node) -> int:
    hash(source)  # NetworkX looks it up, which raises where it cannot
    return found(G, source, f"Source {source} not in G")


def _without_loops(G: Graph, source: Node, weight: Any) -> Lengths:
    """Paths from a source of a graph without any negative edge from a node to itself."""
    at = found(G, source, f"Node {source} is not found in the graph")
    if negative_loops(G, weight).size:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    return lengths_from(G, [at], weight)
