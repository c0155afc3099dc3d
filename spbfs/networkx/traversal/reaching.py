"""``networkx.algorithms.centrality.reaching``, ``generators.ego``, ``walks``, powers and two
sweeps: what a few steps, or all, reach."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.rank.closeness import harmonic
from spbfs.networkx.conversion.arguments import found
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import add_new_edges, induced
from spbfs.networkx.conversion.structure import Array, Node, sorted_rows
from spbfs.networkx.distances.distance_measures import eccentricity
from spbfs.networkx.shortest_paths import dijkstra, unweighted
from spbfs.networkx.vertices.order import search_in_order

__all__ = [
    "approximate_diameter",
    "ego_graph",
    "global_reaching_centrality",
    "local_reaching_centrality",
    "number_of_walks",
    "power",
]

#: Searches whose levels are held at once.
_HELD = 1024


def local_reaching_centrality(
    G: Graph, v: Node, paths: None = None, weight: None = None, normalized: bool = True
) -> float:
    """The share of the other nodes that one reaches; undirected, each by 1 / distance."""
    _check_size(G)
    at = found(G, v, f"Source {v} not in G")
    return float(_reaching(G, np.array([at]))[0])


def global_reaching_centrality(G: Graph, weight: None = None, normalized: bool = True) -> float:
    """How much more the node that reaches the most does reach than the others, on average."""
    _check_size(G)
    reached = _reaching(G, np.arange(len(G)))
    return float((reached.max() - reached).sum() / (len(G) - 1))


def _check_size(G: Graph) -> None:
    if not G.rows.indices.shape[0]:
        raise nx.NetworkXError("Size of G must be positive")
    if len(G) == 1:
        raise nx.NetworkXError(
            "local_reaching_centrality of a single node with self-loop not well-defined"
        )


def _reaching(G: Graph, sources: Array) -> Array:
    others = len(G) - 1
    if G.is_directed():
        return np.asarray((bfs_many(G.matrix, sources, outputs=()).reached - 1) / others)
    return harmonic(G.matrix, sources) / others


def ego_graph(
    G: Graph,
    n: Node,
    radius: float = 1,
    center: bool = True,
    undirected: bool = False,
    distance: Any = None,
) -> Any:
    """The nodes that are near one, and the edges between them."""
    if distance is None:
        near = unweighted.single_source_shortest_path_length(G, n, cutoff=radius)
    else:
        near = dijkstra.single_source_dijkstra_path_length(G, n, cutoff=radius, weight=distance)
    made = induced(G, near)
    if not center:
        made.remove_node(n)
    return made


def power(G: Graph, k: float) -> Any:
    """The graph that joins every two nodes of a distance up to k."""
    if k <= 0:
        raise ValueError("k must be a positive integer")
    # NaN is no less than any distance, either.
    depth = math.ceil(k) if k < len(G) else None
    made = nx.Graph()
    made.add_nodes_from(G.names.nodes)
    tails, heads = [], []
    for first in range(0, len(G), _HELD):
        sources = np.arange(first, min(first + _HELD, len(G)))
        rows = bfs_many(G.matrix, sources, max_depth=depth, sparse=True).levels
        # The other way round every pair is there as well.
        rows = rows[rows["vertex"] > rows["source"]]
        tails.append(rows["source"])
        heads.append(rows["vertex"])
    if tails:
        add_new_edges(made, G.names.nodes, np.concatenate(tails), np.concatenate(heads))
    return made


def number_of_walks(G: Graph, walk_length: int) -> dict[Node, dict[Node, int]]:
    """The walks of so many edges from every node to every node."""
    if walk_length < 0:
        raise ValueError(f"`walk_length` cannot be negative: {walk_length}")
    if len(G) == 0:
        raise nx.NetworkXError("Graph has no nodes or edges")
    if not hasattr(walk_length, "__index__"):
        raise NotImplementedError("a length that is no integer is left to NetworkX")
    counts = G.counted.power(int(walk_length)).new(int).to_dense(0)
    if not G.matrix.nvals:
        # Whose matrix SciPy makes one of floats.
        counts = counts.astype(float)
    nodes = G.names.nodes
    rows = (dict(zip(nodes, row, strict=True)) for row in counts.tolist())
    return dict(zip(nodes, rows, strict=True))


def approximate_diameter(G: Graph, seed: Any = None) -> Any:
    """The eccentricity of a node that is farthest from a random one: a lower bound."""
    if len(G) == 0:
        raise nx.NetworkXError("Expected non-empty NetworkX graph!")
    if len(G) == 1:
        return 0
    # NetworkX has made a generator of the seed.
    source = G.names.number[seed.choice(list(G.names.nodes))]
    # NetworkX turns the edges node by node, so that those into a node come in the nodes' order.
    turned = sorted_rows(G.rows, symmetric=True)[0] if G.is_directed() else G.rows
    sweeps = [search_in_order(rows, [source]).order for rows in (G.rows, turned)]
    if any(order.shape[0] < len(G) for order in sweeps):
        what = "DiGraph not strongly" if G.is_directed() else "Graph not"
        raise nx.NetworkXError(f"{what} connected.")
    forward, backward = (G.names.nodes[order[-1]] for order in sweeps)
    if not G.is_directed():
        return eccentricity(G, forward)
    return max(eccentricity(G.reversed, forward), eccentricity(G, backward))
