"""``networkx.algorithms.dag``: closures, reductions and longest paths of graphs without cycles."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.cohesion import closure
from spbfs.engines.cpu.algorithms.topological_order import topological_order
from spbfs.engines.cpu.algorithms.transitive_reduction import (
    transitive_reduction as transitive_reduction_of,
)
from spbfs.networkx.connectivity.components import is_strongly_connected
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import add_new_edges, add_new_nodes
from spbfs.networkx.conversion.structure import Array, Node, places_in_order
from spbfs.networkx.shortest_paths.lengths import weight_of_path
from spbfs.networkx.traversal.dag import is_directed_acyclic_graph, sorted_vertices, with_closure
from spbfs.storage.entries import on_host

__all__ = [
    "dag_longest_path",
    "dag_longest_path_length",
    "has_cycle",
    "is_aperiodic",
    "transitive_closure_dag",
    "transitive_reduction",
]


def has_cycle(G: Graph) -> bool:
    """Whether there is a cycle along the edges."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    return not is_directed_acyclic_graph(G)


def transitive_closure_dag(G: Graph, topo_order: None = None) -> Any:
    """The graph with an edge from every node to all that it reaches."""
    sorted_vertices(G)
    return with_closure(G, closure.transitive_closure(G.matrix))


def transitive_reduction(G: Graph) -> Any:
    """The edges from whose begin no other path leads to their end."""
    order = topological_order(G.rows)[0] if G.is_directed() else ()
    if len(order) < len(G) or not G.is_directed():
        raise nx.NetworkXError("Directed Acyclic Graph required for transitive_reduction")
    # Edges in any order: NetworkX has that of a set.
    edges = np.flatnonzero(transitive_reduction_of(G.rows, order))
    made = nx.DiGraph()
    add_new_nodes(made, G.names.nodes)
    add_new_edges(made, G.names.nodes, G.structure.tails[edges], G.rows.indices[edges])
    return made


def dag_longest_path(
    G: Graph, weight: Any = "weight", default_weight: Any = 1, topo_order: None = None
) -> list[Node]:
    """A path of greatest weight, from the first node behind which weights are not below 0."""
    return G.names.named(np.array(_longest(G, weight, default_weight), np.int64))


def dag_longest_path_length(G: Graph, weight: Any = "weight", default_weight: Any = 1) -> Any:
    """The weight of such a path."""
    path = dag_longest_path(G, weight, default_weight)
    return weight_of_path(G, path, weight, default_weight, max)


def _longest(G: Graph, weight: Any, default: Any) -> list[int]:
    """The vertices of the path, as NetworkX chooses among those of one weight."""
    if len(G) == 0:
        return []
    order, levels = sorted_vertices(G)
    back = G.reversed
    values = back.weights(weight, default).combined(np.maximum)
    lengths = _lengths_behind(back, order, levels, values)
    at = int(order[np.argmax(lengths[order])])
    path = [at]
    indptr, indices = back.rows
    while indptr[at] < indptr[at + 1]:
        # Of those by whom it is as long the first; it begins here where any makes it shorter.
        row = slice(indptr[at], indptr[at + 1])
        ways = lengths[indices[row]] + values[row]
        best = int(np.argmax(ways))
        if ways[best] < 0:
            break
        at = int(indices[row][best])
        path.append(at)
    return path[::-1]


def _lengths_behind(back: Graph, order: Array, levels: Array, values: Array) -> Array:
    """Of everybody the weight of the heaviest path that ends there, a single vertex having 0."""
    places, begins = places_in_order(back.rows, order)
    tails, steps = back.rows.indices[places], values[places]
    lengths = np.zeros(len(back), values.dtype)
    bounds = (np.flatnonzero(np.diff(levels, append=-1)) + 1).tolist()
    # Everybody on a level but the first has edges in, all from levels before.
    for a, b in pairwise(bounds):
        first, last = begins[a], begins[b]
        ways = lengths[tails[first:last]] + steps[first:last]
        lengths[order[a:b]] = np.maximum(np.maximum.reduceat(ways, begins[a:b] - first), 0)
    return lengths


def is_aperiodic(G: Graph) -> bool:
    """Whether the lengths of all cycles have no common divisor but 1."""
    if not G.is_directed():
        raise nx.NetworkXError("is_aperiodic not defined for undirected graphs")
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    if not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    levels = on_host(bfs(G.matrix, 0, parents=False).levels.to_dense())
    around = levels[G.structure.tails] + 1 - levels[G.rows.indices]
    return int(np.gcd.reduce(around)) == 1
