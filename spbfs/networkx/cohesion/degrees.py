"""``networkx.algorithms.assortativity``, ``reciprocity``, ``richclub`` and ``smetric``: what
degrees of neighbours say."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from spbfs import monoid, select
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.networkx.conversion.arguments import by_node, nodes_of
from spbfs.networkx.conversion.array_products import step
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node
from spbfs.networkx.vertices.degrees import in_degrees, out_degrees, whole_degrees
from spbfs.networkx.vertices.surroundings import surroundings
from spbfs.storage.entries import on_host

__all__ = [
    "average_degree_connectivity",
    "average_neighbor_degree",
    "degree_assortativity_coefficient",
    "degree_pearson_correlation_coefficient",
    "overall_reciprocity",
    "reciprocity",
    "rich_club_coefficient",
    "s_metric",
]

_KINDS = ("in", "out", "in+out")


def average_neighbor_degree(
    G: Graph, source: str = "out", target: str = "out", nodes: Any = None, weight: Any = None
) -> dict[Node, float]:
    """The mean degree of everybody's neighbours, each by the weight of the edge to it."""
    if not G.is_directed():
        if source != "out" or target != "out":
            raise nx.NetworkXError(
                "source and target arguments are only supported for directed graphs"
            )
        source = target = "in+out"
    for what, kind in (("source", source), ("target", target)):
        if kind not in _KINDS:
            raise nx.NetworkXError(f"{what} argument {kind} must be 'in', 'out' or 'in+out'")
    _one_weight(G, weight)
    if nodes in G:
        raise NotImplementedError("NetworkX has to say what a single node is")
    A = G.matrix if weight is None else G.weighted(weight)
    of = _degrees(G, target)
    near = np.zeros(len(G))
    if "out" in source:
        near += step(of, A.T)
    if "in" in source and G.is_directed():
        near += step(of, A)
    known = _degrees(G, source, weight)
    shares = np.divide(near, known, out=np.zeros(len(G)), where=known != 0).tolist()
    return {node: shares[G.names.number[node]] for node in nodes_of(G, nodes)}


def average_degree_connectivity(
    G: Graph,
    source: str = "in+out",
    target: str = "in+out",
    nodes: Any = None,
    weight: Any = None,
) -> dict[int, float]:
    """Of nodes of every degree, the mean degree of their neighbours."""
    if not G.is_directed() and (source != "in+out" or target != "in+out"):
        raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
    for what, kind in (("source", source), ("target", target)):
        if kind not in _KINDS:
            raise nx.NetworkXError(f'{what} must be one of "in", "out", or "in+out"')
    _one_weight(G, weight)
    # Of edges in and out NetworkX follows those out.
    A = G.matrix if weight is None else G.weighted(weight)
    near = step(_degrees(G, target), A if source == "in" else A.T)
    known = _degrees(G, source)
    chosen = np.array([G.names.number[node] for node in nodes_of(G, nodes)], np.int64)
    kinds = set_of(np, known[chosen])
    place = np.searchsorted(kinds, known[chosen])
    first = np.empty(kinds.shape[0], np.int64)
    first[place[::-1]] = np.arange(place.shape[0])[::-1]
    sums = np.bincount(place, near[chosen], minlength=kinds.shape[0])
    norms = np.bincount(place, _degrees(G, source, weight)[chosen], minlength=kinds.shape[0])
    whole = weight is None or G.weights(weight).integral
    found = {}
    for i in np.argsort(first).tolist():
        total = int(sums[i]) if whole or kinds[i] == 0 else float(sums[i])
        found[int(kinds[i])] = total if norms[i] == 0 else total / float(norms[i])
    return found


def _degrees(G: Graph, kind: str, weight: Any = None) -> Array:
    return {"in": in_degrees, "out": out_degrees, "in+out": whole_degrees}[kind](G, weight)


def _one_weight(G: Graph, weight: Any) -> None:
    if weight is not None and G.is_multigraph():
        raise NotImplementedError("NetworkX looks for weights among keys of parallel edges")


def degree_assortativity_coefficient(
    G: Graph, x: str = "out", y: str = "in", weight: Any = None, nodes: None = None
) -> float:
    """How far the degrees of both ends of an edge rise together."""
    return _correlation(G, x, y, weight)


def degree_pearson_correlation_coefficient(
    G: Graph, x: str = "out", y: str = "in", weight: Any = None, nodes: None = None
) -> float:
    """The same, which NetworkX adds up in another order."""
    return _correlation(G, x, y, weight)


def _correlation(G: Graph, x: str, y: str, weight: Any) -> float:
    """Of degrees where edges begin and where they end, undirected ones from either end."""
    kinds = (x, y) if G.is_directed() else ("in+out", "in+out")
    if G.is_directed() and not {x, y} <= {"in", "out"}:
        raise KeyError(x if x not in ("in", "out") else y)
    begins, ends = (_degrees(G, kind, weight).astype(np.float64) for kind in kinds)
    u, v = begins[G.structure.tails], ends[G.rows.indices]
    if not u.shape[0] or (u == u[0]).all() or (v == v[0]).all():
        raise NotImplementedError("of degrees that are all one NetworkX's rounding decides")
    counts = G.parallel
    u, v = (values - np.average(values, weights=counts) for values in (u, v))
    return float((counts * u * v).sum() / np.sqrt((counts * u * u).sum() * (counts * v * v).sum()))


def overall_reciprocity(G: Graph) -> float:
    """The share of the edges whose opposite there is; a loop has none."""
    _directed(G)
    if not G.rows.indices.shape[0]:
        raise nx.NetworkXError("Not defined for empty graphs")
    edges = select.offdiag(G.matrix).new()
    return float(edges.ewise_mult(edges.T, monoid.any).new().nvals / G.matrix.nvals)


def reciprocity(G: Graph, nodes: Any = None) -> Any:
    """The same; or of a node, or of each of several, None without edges."""
    if nodes is None:
        return overall_reciprocity(G)
    _directed(G)

    def of(numbers: Array) -> list[float | None]:
        A, at = surroundings(G, numbers, 1)
        both = A.ewise_mult(A.T, monoid.any).new()
        counts = (x.reduce_rowwise("count").new().to_dense(0) for x in (both, A, A.T))
        joined, out, into = (on_host(x)[at] for x in counts)
        pairs = zip((2 * joined).tolist(), (out + into).tolist(), strict=True)
        return [twice / total if total else None for twice, total in pairs]

    found = by_node(G, nodes, of)
    if found is None:
        raise nx.NetworkXError("Not defined for isolated nodes.")
    return found


def _directed(G: Graph) -> None:
    if not G.is_directed() or G.is_multigraph():
        raise NotImplementedError("NetworkX has to say what the reciprocity of other graphs is")


def rich_club_coefficient(
    G: Graph, normalized: bool = True, Q: float = 100, seed: Any = None
) -> dict[int, float]:
    """For every degree the share of pairs of nodes of greater degree that are neighbours."""
    if G.structure.loops.size:
        raise Exception("rich_club_coefficient is not implemented for graphs with self loops.")
    degrees = np.diff(G.rows.indptr)
    if not degrees.any():
        return {}
    lesser = np.minimum(degrees[G.structure.tails], degrees[G.rows.indices])
    # Every edge is met twice, as often as its ends make pairs.
    most = int(degrees.max())
    joined, rich = _more(lesser, most), _more(degrees, most)
    return {k: joined[k] / (n * (n - 1)) for k, n in enumerate(rich) if n > 1}


def _more(values: Array, most: int) -> list[int]:
    """For 0 up to the most that there is, how many values are greater."""
    counts = np.bincount(values, minlength=most + 1)
    return (values.shape[0] - np.cumsum(counts)).tolist()


def s_metric(G: Graph) -> float:
    """The degrees of both ends multiplied, summed over all edges."""
    degrees = whole_degrees(G)
    u, v = G.structure.tails, G.rows.indices
    products = degrees[u] * degrees[v] * G.parallel
    if G.is_directed():
        return float(products.sum())
    return float(products.sum() + products[u == v].sum()) / 2
