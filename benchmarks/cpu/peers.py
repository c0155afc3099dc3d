"""The packages compared, each with its best way to search, prepared once a graph.

A peer is a function of a graph that returns ``search(source, threads)``; what a search returns goes
to the peer's ``levels``, outside of the clock.  Everything that depends on the graph alone
(conversion, transpose, degrees, workspace) is prepared before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common import six_lines
from benchmarks.cpu.graphs import pattern

Search = Callable[[int, int], Any]


@dataclass(frozen=True)
class Peer:
    """One package's search."""

    package: str
    what: str
    prepare: Callable[[sp.csr_array], Search]
    #: The levels of all vertices, -1 where not reached; None where the package gives none.
    levels: Callable[[Any], np.ndarray] | None
    threaded: bool
    #: Graphs with more stored entries are left out: the package could not hold them.
    most_entries: int = 1 << 62

    @property
    def available(self) -> bool:
        return find_spec(self.package) is not None


def _spbfs(S: sp.csr_array) -> Search:
    plan = sb.BFSPlan(pattern(S))
    return lambda source, threads: plan.run(source, threads=threads)


def _spbfs_levels(result: Any) -> np.ndarray:
    return np.asarray(result.levels.to_dense(-1))


def _six_lines(S: sp.csr_array) -> Search:
    """The search that a user composes, as the README has it: levels only."""
    A = pattern(S)

    def search(source: int, threads: int) -> sb.Vector:
        sb.set_threads(threads)
        found: sb.Vector = six_lines.levels(sb, A, source)
        return found

    return search


def _graphblas(S: sp.csr_array) -> Search:
    """Direction-optimising: vxm with a sparse frontier, or mxv of the transpose with a bitmap one.

    The rule and its constants are those of Beamer and of LAGraph: pull once the growing frontier's
    edges pass 1/8 of the unexplored, push again once it shrinks below 1/8 of the vertices.
    """
    import graphblas as gb

    n = S.shape[0]
    A = gb.io.from_scipy_sparse(sp.csr_array((np.ones(S.nnz, bool), S.indices, S.indptr), S.shape))
    same = (S != S.T).nnz == 0
    AT = A if same else A.T.new()
    degrees = gb.Vector.from_dense(np.diff(S.indptr).astype(np.int64))
    any_secondi = gb.semiring.ss.any_secondi

    def search(source: int, threads: int) -> tuple[Any, Any]:
        gb.ss.config["nthreads"] = threads
        parents = gb.Vector(gb.dtypes.INT64, n)
        parents.ss.config["sparsity_control"] = "bitmap"
        levels = gb.Vector(gb.dtypes.INT32, n)
        levels.ss.config["sparsity_control"] = "bitmap"
        parents[source] = source
        levels[source] = 0
        q = gb.Vector(gb.dtypes.INT64, n)
        q[source] = source
        edges = gb.Vector(gb.dtypes.INT64, n)
        unexplored, size, before, depth, pulling = S.nnz, 1, 0, 0, False
        while size:
            growing = size > before
            if not pulling:
                edges(q.S, gb.replace) << degrees
                leaving = edges.reduce(gb.monoid.plus).value or 0
                unexplored -= leaving
                pulling = growing and leaving > unexplored / 8
            elif not growing and size <= n / 8:
                pulling = False
            q.ss.config["sparsity_control"] = "bitmap" if pulling else "sparse"
            if pulling:
                q(~parents.S, gb.replace) << any_secondi(AT @ q)
            else:
                q(~parents.S, gb.replace) << any_secondi(q @ A)
            before, size = size, q.nvals
            depth += 1
            parents(q.S) << q
            levels(q.S) << depth
        return levels, parents

    return search


def _graphblas_levels(result: Any) -> np.ndarray:
    return np.asarray(result[0].to_dense(fill_value=-1))


def _scipy(S: sp.csr_array) -> Search:
    from scipy.sparse.csgraph import breadth_first_order

    # Doubles are what it converts to; given them it converts nothing.
    D = sp.csr_array((np.ones(S.nnz), S.indices, S.indptr), S.shape)
    return lambda source, threads: breadth_first_order(D, source, directed=True)


def _igraph(S: sp.csr_array) -> Search:
    import igraph

    rows = np.repeat(np.arange(S.shape[0]), np.diff(S.indptr))
    G = igraph.Graph(n=S.shape[0], edges=np.column_stack([rows, S.indices]), directed=True)
    return lambda source, threads: G.bfs(source, mode="out")


def _networkx(S: sp.csr_array) -> Search:
    import networkx as nx

    G = nx.from_scipy_sparse_array(S, create_using=nx.DiGraph)
    return lambda source, threads: nx.single_source_shortest_path_length(G, source)


PEERS: dict[str, Peer] = {
    "spbfs": Peer("spbfs", "BFSPlan.run: levels and parents", _spbfs, _spbfs_levels, True),
    "spbfs-composed": Peer(
        "spbfs",
        "the six-line program of masked products: levels",
        _six_lines,
        lambda levels: np.asarray(levels.to_dense(-1)),
        True,
    ),
    "python-graphblas": Peer(
        "graphblas", "push-pull by hand: levels and parents", _graphblas, _graphblas_levels, True
    ),
    "scipy": Peer("scipy", "csgraph.breadth_first_order: order and parents", _scipy, None, False),
    "igraph": Peer(
        "igraph", "Graph.bfs: order, layers and parents", _igraph, None, False, 20_000_000
    ),
    "networkx": Peer(
        "networkx", "single_source_shortest_path_length", _networkx, None, False, 1_000_000
    ),
}
