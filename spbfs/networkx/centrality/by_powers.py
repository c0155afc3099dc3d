"""Centralities by powers of the adjacency matrix: NetworkX's own rounds, over our products."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from spbfs.networkx.centrality.singular import leading_vector
from spbfs.networkx.conversion.array_products import step
from spbfs.networkx.conversion.graph import Graph
from spbfs.networkx.conversion.structure import Array, Node

__all__ = ["eigenvector_centrality", "hits", "katz_centrality", "pagerank"]

Scores = dict[Node, float]


def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: Scores | None = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Scores | None = None,
    weight: Any = "weight",
    dangling: Scores | None = None,
) -> Scores:
    """The share of its time that a random walk spends at every node."""
    n = len(G)
    if n == 0:
        return {}
    A = G.weighted(weight, combine=np.add)
    out = _row_sums(G, weight)
    shares = np.divide(1.0, out, out=np.zeros(n), where=out != 0)
    x = np.full(n, 1.0 / n) if nstart is None else _dense(G, nstart)
    p = np.full(n, 1.0 / n) if personalization is None else _dense(G, personalization)
    x, p = x / x.sum(), p / _not_zero(p.sum())
    jumps = p if dangling is None else _dense(G, dangling)
    jumps = jumps / jumps.sum()
    stuck = out == 0
    for _ in range(max_iter):
        last = x
        x = alpha * (step(x * shares, A) + x[stuck].sum() * jumps) + (1 - alpha) * p
        if np.abs(x - last).sum() < n * tol:
            return _named(G, x)
    raise nx.PowerIterationFailedConvergence(max_iter)


def katz_centrality(
    G: Graph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: Scores | None = None,
    normalized: bool = True,
    weight: Any = None,
) -> Scores:
    """The walks that end at every node, one of k edges counted ``alpha**k`` times."""
    n = len(G)
    if n == 0:
        return {}
    x = np.zeros(n) if nstart is None else _of_all(G, nstart)
    try:
        b = np.full(n, float(beta))
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G.names.nodes):
            message = "beta dictionary must have a value for every node"
            raise nx.NetworkXError(message) from error
        b = _dense(G, beta)
    A = G.weighted(weight)
    for _ in range(max_iter):
        last = x
        x = alpha * step(last, A) + b
        if np.abs(x - last).sum() < n * tol:
            length = math.hypot(*x.tolist()) if normalized else 1.0
            return _named(G, x * (1.0 / length if length else 1.0))
    raise nx.PowerIterationFailedConvergence(max_iter)


def eigenvector_centrality(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Scores | None = None,
    weight: Any = None,
) -> Scores:
    """The left eigenvector of the largest eigenvalue."""
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    x = np.ones(n) if nstart is None else _of_all(G, nstart)
    if not x.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    x = x / x.sum()
    A = G.weighted(weight)
    for _ in range(max_iter):
        last = x
        x = last + step(last, A)
        x /= math.hypot(*x.tolist()) or 1
        if np.abs(x - last).sum() < n * tol:
            return _named(G, x)
    raise nx.PowerIterationFailedConvergence(max_iter)


def hits(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1.0e-8,
    nstart: Scores | None = None,
    normalized: bool = True,
) -> tuple[Scores, Scores]:
    """Hubs point at authorities, and authorities are pointed at by hubs."""
    n = len(G)
    if n == 0:
        return {}, {}
    A = G.weighted("weight", combine=np.add)
    # Any that is not orthogonal to what is sought, by chance.
    start = np.random.default_rng(0).random(n) if nstart is None else np.array([*nstart.values()])
    if n == 1 or not G.weights("weight").combined(np.add).any() or not start.any():
        raise NotImplementedError("of one node, no edge or no start NetworkX has to say")
    if start.shape != (n,) or start.dtype.kind != "f":
        raise NotImplementedError("nstart is not a float for every node")
    a = leading_vector(lambda x: step(x, A.T), lambda x: step(x, A), start, tol, max_iter)
    if a is None:
        raise nx.PowerIterationFailedConvergence(max_iter)
    h = step(a, A.T)
    if not h.any():
        raise NotImplementedError("of a start that no edge leads on from NetworkX has to say")
    if normalized:
        h, a = h / h.sum(), a / a.sum()
    return _named(G, h), _named(G, a)


def _row_sums(G: Graph, weight: Any) -> Array:
    rows = G.structure.tails
    values = G.weights(weight).combined(np.add)
    return np.bincount(rows, values, minlength=len(G))


def _dense(G: Graph, scores: Scores) -> Array:
    """The scores of all nodes, 0 where none is given."""
    return np.array([scores.get(node, 0) for node in G.names.nodes], np.float64)


def _of_all(G: Graph, scores: Scores) -> Array:
    """The scores where all nodes have one; what NetworkX does about others is its own affair."""
    if set(scores) != set(G.names.nodes):
        raise NotImplementedError("nstart is not of the graph's nodes")
    return _dense(G, scores)


def _not_zero(total: float) -> float:
    if total == 0:
        raise ZeroDivisionError
    return total


def _named(G: Graph, x: Array) -> Scores:
    return dict(zip(G.names.nodes, x.tolist(), strict=True))
