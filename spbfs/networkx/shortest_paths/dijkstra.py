"""``networkx.algorithms.shortest_paths.weighted``: Dijkstra's family, of weights from 0 on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import networkx as nx

from spbfs.engines.cpu.algorithms.dijkstra_between import dijkstra_between
from spbfs.networkx.conversion.arguments import found, target_of
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Node
from spbfs.networkx.shortest_paths.lengths import (
    lengths_from,
    lengths_from_each,
    not_negative,
    weighted_rows,
)

__all__ = [
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "bidirectional_dijkstra",
    "dijkstra_path",
    "dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "sources_of",
    "to_target",
]

Path = list[Node]


def multi_source_dijkstra(
    G: Graph,
    sources: Any,
    target: Node | None = None,
    cutoff: float | None = None,
    weight: Any = "weight",
) -> Any:
    """Distances from the nearest source, and paths; or those of one target."""
    numbers = sources_of(G, sources)
    if target in sources:
        return 0, [target]
    not_negative(G, weight)
    if target is None:
        every = lengths_from(G, numbers, weight, cutoff=cutoff)
        return every.distances, every.paths
    return to_target(G, numbers, target, weight, f"No path to {target}.", cutoff)


def multi_source_dijkstra_path(
    G: Graph, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, Path]:
    """Paths from the nearest source."""
    numbers = sources_of(G, sources)
    not_negative(G, weight)
    return lengths_from(G, numbers, weight, cutoff=cutoff).paths


def multi_source_dijkstra_path_length(
    G: Graph, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, Any]:
    """Distances from the nearest source."""
    numbers = sources_of(G, sources)
    not_negative(G, weight)
    return lengths_from(G, numbers, weight, cutoff=cutoff, parents=False).distances


def single_source_dijkstra(
    G: Graph,
    source: Node,
    target: Node | None = None,
    cutoff: float | None = None,
    weight: Any = "weight",
) -> Any:
    """Distances from a source, and paths; or those of one target."""
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


def single_source_dijkstra_path(
    G: Graph, source: Node, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, Path]:
    """Paths from a source."""
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


def single_source_dijkstra_path_length(
    G: Graph, source: Node, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Node, Any]:
    """Distances from a source."""
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


def dijkstra_path(G: Graph, source: Node, target: Node, weight: Any = "weight") -> Any:
    """A path from one node to another."""
    return single_source_dijkstra(G, source, target, weight=weight)[1]


def dijkstra_path_length(G: Graph, source: Node, target: Node, weight: Any = "weight") -> Any:
    """The distance from one node to another."""
    at = found(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    not_negative(G, weight)
    return to_target(G, [at], target, weight, f"Node {target} not reachable from {source}")[0]


def bidirectional_dijkstra(
    G: Graph, source: Node, target: Node, weight: Any = "weight"
) -> tuple[Any, Path]:
    """Distance and path, searched from both ends."""
    s = found(G, source, f"Source {source} is not in G")
    t = found(G, target, f"Target {target} is not in G")
    not_negative(G, weight)
    rows, columns = weighted_rows(G, weight), weighted_rows(G.reversed, weight)
    length, path = dijkstra_between(rows, columns, s, t)
    if not path.shape[0]:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    whole = s == t or G.weights(weight).integral
    return int(length) if whole else length, G.names.named(path)


def dijkstra_predecessor_and_distance(
    G: Graph, source: Node, cutoff: float | None = None, weight: Any = "weight"
) -> tuple[dict[Node, Path], dict[Node, Any]]:
    """All predecessors on shortest paths, and distances."""
    at = found(G, source, f"Node {source} is not found in the graph")
    not_negative(G, weight)
    every = lengths_from(G, [at], weight, cutoff=cutoff)
    return every.predecessors, every.distances


def all_pairs_dijkstra(
    G: Graph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Node, Any]]:
    """Distances and paths from every node."""
    not_negative(G, weight)
    every = lengths_from_each(G, weight, cutoff=cutoff)
    return ((node, (x.distances, x.paths)) for node, x in zip(G.names.nodes, every, strict=True))


def all_pairs_dijkstra_path_length(
    G: Graph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Any]]]:
    """Distances from every node."""
    not_negative(G, weight)
    every = lengths_from_each(G, weight, cutoff=cutoff, parents=False)
    return ((node, found.distances) for node, found in zip(G.names.nodes, every, strict=True))


def all_pairs_dijkstra_path(
    G: Graph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Path]]]:
    """Paths from every node."""
    not_negative(G, weight)
    every = lengths_from_each(G, weight, cutoff=cutoff)
    return ((node, found.paths) for node, found in zip(G.names.nodes, every, strict=True))


def sources_of(G: Graph, sources: Any) -> list[int]:
    """The numbers of the nodes that paths begin at, each once."""
    if not sources:
        raise ValueError("sources must not be empty")
    if not isinstance(sources, Collection):
        raise NotImplementedError("NetworkX goes through the sources twice, which some forbid")
    numbers = (found(G, source, f"Node {source} not found in graph") for source in sources)
    return list(dict.fromkeys(numbers))


def to_target(
    G: Graph,
    numbers: list[int],
    target: Node,
    weight: Any,
    otherwise: str,
    cutoff: float | None = None,
) -> tuple[Any, Path]:
    """Distance and path, or an error that says there is none."""
    if (at := target_of(G, target)) is None:
        raise nx.NetworkXNoPath(otherwise)
    every = lengths_from(G, numbers, weight, cutoff=cutoff, target=at)
    distance = every.distance_of(at)
    if distance is None:
        raise nx.NetworkXNoPath(otherwise)
    return distance, every.path_to(at)
