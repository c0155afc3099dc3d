"""``networkx.algorithms.cluster`` and ``core``: triangles, and what peeling leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import compress
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.cohesion import clustering as shares
from spbfs.algorithms.cohesion.cores import core_numbers
from spbfs.algorithms.cohesion.triangles import triangles as corners
from spbfs.algorithms.cohesion.truss import k_truss as truss
from spbfs.engines.arrays.patterns.sets import member
from spbfs.networkx.conversion.arguments import by_node
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import (
    add_new_edges,
    add_new_nodes,
    copies,
    entries,
    induced,
)
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.vertices.surroundings import surroundings
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = [
    "average_clustering",
    "clustering",
    "core_number",
    "k_core",
    "k_corona",
    "k_crust",
    "k_shell",
    "k_truss",
    "simple",
    "transitivity",
    "triangles",
    "without_loops",
]


def triangles(G: Graph, nodes: Any = None) -> Any:
    """How many triangles a node is a corner of, or each of several."""
    if nodes is not None:
        simple(G)
    return _of(G, nodes, corners)


def clustering(G: Graph, nodes: Any = None, weight: None = None) -> Any:
    """The share of the pairs of a node's neighbours that an edge connects."""
    simple(G)
    found = _of(G, nodes, shares.clustering)
    # An integer where there is no triangle, as it is there.
    if not isinstance(found, dict):
        return found or 0
    return {node: share or 0 for node, share in found.items()}


def average_clustering(
    G: Graph, nodes: Any = None, weight: None = None, count_zeros: bool = True
) -> float:
    """The mean of these shares."""
    found = clustering(G, nodes).values()
    kept = found if count_zeros else [share for share in found if share]
    return sum(kept) / len(kept)


def transitivity(G: Graph) -> float:
    """The share of all paths of two edges whose ends are neighbours."""
    simple(G)
    if G.is_directed():
        raise NotImplementedError("NetworkX counts neighbours along the edges")
    return shares.transitivity(G.matrix) or 0


def core_number(G: Graph) -> dict[Node, int]:
    """The greatest k for which a node is in the k-core."""
    if G.is_directed():
        raise NotImplementedError("NetworkX counts edges in both directions twice")
    without_loops(G)
    found: dict[Node, int] = _of(G, None, core_numbers)
    return found


def k_core(G: Graph, k: int | None = None, core_number: dict[Node, int] | None = None) -> Any:
    """The nodes of core number k or more, and the edges between them."""
    return _part(G, k, core_number, lambda core, k: core >= k)


def k_shell(G: Graph, k: int | None = None, core_number: dict[Node, int] | None = None) -> Any:
    """The nodes of core number k."""
    return _part(G, k, core_number, lambda core, k: core == k)


def k_crust(G: Graph, k: int | None = None, core_number: dict[Node, int] | None = None) -> Any:
    """The nodes of core number k or less; of less than the greatest, by default."""
    cores = _cores(G, core_number)
    most = max(cores.values()) - 1 if k is None else k
    return _part(G, most, cores, lambda core, k: core <= k)


def k_corona(G: Graph, k: int, core_number: dict[Node, int] | None = None) -> Any:
    """The nodes of core number k that have exactly k neighbours in the k-core."""
    simple(G)
    cores = _cores(G, core_number)
    k = max(cores.values()) if k is None else k

    def stays(node: Node) -> bool:
        return cores[node] == k and sum(cores[other] >= k for other in G.adjacency[node]) == k

    return induced(G, filter(stays, cores))


def k_truss(G: Graph, k: float) -> Any:
    """The edges that are in k - 2 triangles of such edges, and their ends."""
    without_loops(G)
    # More than all nodes have none, and NaN is no more than anything.
    least = math.ceil(min(k, len(G) + 2)) if k > 2 else 2
    u, v, _ = truss(G.matrix, least).to_coo()
    kept = np.zeros(len(G), np.bool_)
    kept[u] = True
    # Neighbours come in the graph's order, each edge from the end that comes first.
    rows = G.structure.tails
    first = np.flatnonzero((rows < G.rows.indices) & kept[rows])
    tails, heads = rows[first], G.rows.indices[first]
    within = member(np, tails * len(G) + heads, u.astype(np.int64) * len(G) + v)
    inside = np.zeros(rows.shape[0], np.bool_)
    inside[first[within]] = True
    made = nx.Graph()
    made.graph.update(G.attributes)
    nodes = G.names.named(np.flatnonzero(kept))
    add_new_nodes(made, nodes, G.node_attributes)
    data = copies(compress(entries(G, G.names.nodes), inside.tobytes()))
    place = np.cumsum(kept) - 1
    add_new_edges(made, nodes, place[tails[within]], place[heads[within]], data)
    return made


def without_loops(G: Graph, verb: str = "has") -> None:
    """Refuse a graph with loops, as NetworkX does."""
    if G.structure.loops.size:
        raise nx.NetworkXNotImplemented(
            f"Input graph {verb} self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )


def _cores(G: Graph, known: dict[Node, int] | None) -> dict[Node, int]:
    return core_number(G) if known is None else known


def _part(
    G: Graph,
    k: int | None,
    known: dict[Node, int] | None,
    kept: Callable[[int, int], bool],
) -> Any:
    cores = _cores(G, known)
    least = max(cores.values()) if k is None else k
    # NetworkX takes no notice of what is no node of the graph.
    return induced(G, (v for v in cores if v in G and kept(cores[v], least)))


def simple(G: Graph) -> None:
    """Refuse a multigraph, as NetworkX does."""
    if G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def _of(G: Graph, nodes: Any, values: Callable[[Matrix], Vector]) -> Any:
    """The value of a node, or those of several, by name; edges between its neighbours decide it."""
    if nodes is None:
        found = on_host(values(G.matrix).to_dense(0)).tolist()
        return dict(zip(G.names.nodes, found, strict=True))

    def of(numbers: Array) -> list[Any]:
        part = surroundings(G, numbers, 1)
        return list(on_host(values(part.matrix).to_dense(0))[part.at].tolist())

    return by_node(G, nodes, of)
