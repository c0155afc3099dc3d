"""``networkx.algorithms.tree.mst``: spanning forests of least and of greatest weight.

Edges are ranked by weight and, of one weight, by their places in the graph.  No two ranks are
equal, so that one forest is the least: the one that Kruskal's algorithm finds in that order.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import getitem
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.connectivity.minimum_spanning_forest import minimum_spanning_forest
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.made_graphs import add_new_edges, add_new_nodes, copies
from spbfs.networkx.conversion.structure import Array

__all__ = [
    "maximum_spanning_edges",
    "maximum_spanning_tree",
    "minimum_spanning_edges",
    "minimum_spanning_tree",
]


def minimum_spanning_edges(
    G: Graph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    """The edges of a forest of least weight, by rising weight."""
    return _edges(G, weight, 1, keys, data)


def maximum_spanning_edges(
    G: Graph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    """The edges of a forest of greatest weight, by falling weight."""
    return _edges(G, weight, -1, keys, data)


def minimum_spanning_tree(
    G: Graph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    """A forest of least weight, as a graph."""
    return _forest(G, weight, 1)


def maximum_spanning_tree(
    G: Graph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    """A forest of greatest weight, as a graph."""
    return _forest(G, weight, -1)


def _forest(G: Graph, weight: Any, sign: int) -> Any:
    _undirected(G)
    made = nx.MultiGraph() if G.is_multigraph() else nx.Graph()
    made.graph.update(G.attributes)
    if G.is_multigraph():
        made.add_nodes_from(G.node_attributes.items())
        made.add_edges_from(_edges(G, weight, sign, keys=True, data=True))
        return made
    add_new_nodes(made, G.names.nodes, G.node_attributes)
    u, v = _chosen(G, weight, sign)
    rows = map(G.adjacency.__getitem__, G.names.named(u))
    data = copies(map(getitem, rows, G.names.named(v)))
    add_new_edges(made, G.names.nodes, u, v, data)
    return made


def _undirected(G: Graph) -> None:
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")


def _edges(G: Graph, weight: Any, sign: int, keys: bool, data: bool) -> Iterator[Any]:
    """Found at once: NetworkX goes on by itself where it has to, and the graph may change later."""
    _undirected(G)
    us, vs = map(G.names.named, _chosen(G, weight, sign))
    if not (data or G.is_multigraph()):
        return zip(us, vs, strict=True)
    found = list(map(getitem, map(G.adjacency.__getitem__, us), vs))
    if not G.is_multigraph():
        return zip(us, vs, found, strict=True)
    chosen = [_least(parallel, weight, sign, keys, data) for parallel in found]
    return ((a, b, *edge) for a, b, edge in zip(us, vs, chosen, strict=True))


def _least(parallel: Any, weight: Any, sign: int, keys: bool, data: bool) -> tuple[Any, ...]:
    """The key and the data of the first of least weight."""
    key = min(parallel, key=lambda key: sign * parallel[key].get(weight, 1))
    return (key,) * bool(keys) + (parallel[key],) * bool(data)


def _chosen(G: Graph, weight: Any, sign: int) -> tuple[Array, Array]:
    """Ends of the edges in the order of their ranks, each from the end that comes first."""
    u, v, ranks = minimum_spanning_forest(G.ranked(weight, sign)).to_coo()
    once = np.flatnonzero(u < v)
    chosen = once[np.argsort(ranks[once])]
    return u[chosen], v[chosen]
