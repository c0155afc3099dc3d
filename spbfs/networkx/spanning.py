"""``networkx.algorithms.tree.mst``: spanning forests of least and of greatest weight.

Edges are ranked by weight and, of one weight, by their places in the graph.  No two ranks are
equal, so that one forest is the least: the one that Kruskal's algorithm finds in that order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from spbfs.algorithms.connectivity.minimum_spanning_forest import minimum_spanning_forest
from spbfs.engines.arrays.sets import set_of
from spbfs.networkx.graph import Graph
from spbfs.networkx.structure import Array
from spbfs.objects.matrix import Matrix

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
    return _forest(G, minimum_spanning_edges(G, algorithm, weight))


def maximum_spanning_tree(
    G: Graph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False
) -> Any:
    """A forest of greatest weight, as a graph."""
    return _forest(G, maximum_spanning_edges(G, algorithm, weight))


def _forest(G: Graph, edges: Iterator[Any]) -> Any:
    made = nx.MultiGraph() if G.is_multigraph() else nx.Graph()
    made.graph.update(G.attributes)
    made.add_nodes_from(G.node_attributes.items())
    made.add_edges_from(edges)
    return made


def _edges(G: Graph, weight: Any, sign: int, keys: bool, data: bool) -> Iterator[Any]:
    """What is found at once, so that NetworkX goes on by itself where it has to, made later."""
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    u, v, key = _chosen(G, weight, sign)
    ends = zip(G.names.named(u), G.names.named(v), strict=True)
    if not G.is_multigraph():
        return ((a, b, G.adjacency[a][b]) if data else (a, b) for a, b in ends)
    return (
        (a, b, *_key_and_data(G.adjacency[a][b], place, keys, data))
        for (a, b), place in zip(ends, key.tolist(), strict=True)
    )


def _key_and_data(parallel: Any, place: int, keys: bool, data: bool) -> tuple[Any, ...]:
    key = list(parallel)[place]
    return (key,) * bool(keys) + (parallel[key],) * bool(data)


def _chosen(G: Graph, weight: Any, sign: int) -> tuple[Array, Array, Array]:
    """Ends of the edges in the order of their ranks, and which of its parallels each is."""
    n = len(G)
    rows = G.structure.tails
    weights = G.weights(weight)
    entries = rows.shape[0]
    begins = np.arange(entries) if weights.first is None else weights.first
    # Of every edge which entry it is of; each is met first from the end that comes first.
    counts = np.diff(begins, append=weights.values.shape[0])
    of = np.repeat(np.arange(entries), counts)
    edges = np.flatnonzero((rows <= G.rows.indices)[of])
    by_rank = edges[np.argsort(sign * weights.values[edges], kind="stable")]
    # The first of parallel edges stands for all of them: the last that is written.
    places = np.arange(by_rank.shape[0])
    first = np.empty(entries, np.int64)
    first[of[by_rank[::-1]]] = places[::-1]
    standing = by_rank[first[of[by_rank]] == places]
    entry = of[standing]
    u, v = rows[entry], G.rows.indices[entry]
    ranked = Matrix.from_coo(
        *(u, v, np.arange(u.shape[0])), nrows=n, ncols=n, device=G.matrix.device
    )
    ranks = set_of(np, minimum_spanning_forest(ranked).to_coo()[2])
    return u[ranks], v[ranks], (standing - begins[entry])[ranks]
