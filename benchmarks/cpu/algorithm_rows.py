"""What ``python -m benchmarks algorithms`` runs: algorithms by their public calls, beside peers.

A peer's graph is prepared once, outside of the clock.  The programs of the GAP suite time
themselves and are called by `benchmarks.cpu.gap`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph as csgraph

import spbfs as sb

__all__ = ["ROWS", "Case", "Row"]

#: PageRank's iterations and the sources of betweenness.
ITERATIONS, SOURCES = 20, 4


@dataclass(frozen=True)
class Case:
    """One graph as everybody takes it; `weighted` has integers 1 to 255 on the same entries."""

    S: sp.csr_array
    W: sp.csr_array
    A: sb.Matrix
    weighted: sb.Matrix
    threads: int

    def sources(self, turn: int, count: int) -> list[int]:
        """Vertices with an edge, other ones every turn."""
        rng = np.random.default_rng(turn)
        return [int(v) for v in rng.choice(np.flatnonzero(np.diff(self.S.indptr)), count)]


#: A call to be timed, which takes the number of the turn.
Call = Callable[[int], Any]


@dataclass(frozen=True)
class Row:
    """One algorithm: ours, the GAP suite's program with its options, other packages' calls."""

    what: str
    ours: Callable[[Case], Call]
    #: Program, options of turn and case, and whether it reads weights.
    gap: Callable[[Case, int], list[object]] | None = None
    program: str = ""
    reads_weights: bool = False
    peers: dict[str, Callable[[Case], Call]] = field(default_factory=dict)


def _networkit(S: sp.csr_array, weighted: bool = False) -> Any:
    import networkit as nk

    U = sp.triu(S, k=1).tocoo()
    G = nk.Graph(S.shape[0], weighted=weighted)
    G.addEdges((U.data.astype(float), (U.row, U.col)) if weighted else (U.row, U.col))
    return G


def _nk(call: Callable[[Any, Case, int], Any], weighted: bool = False) -> Callable[[Case], Call]:
    """A call of NetworKit."""

    def prepared(case: Case) -> Call:
        import networkit as nk

        nk.setNumberOfThreads(case.threads)
        G = _networkit(case.W if weighted else case.S, weighted)
        return lambda turn: call(G, case, turn)

    return prepared


def _spmv_loop(case: Case) -> Call:
    """PageRank as a SciPy user writes it."""
    n = case.S.shape[0]
    degrees = np.maximum(np.diff(case.S.indptr), 1).astype(np.float32)
    T = sp.csr_array(case.S.T, dtype=np.float32)

    def run(turn: int) -> Any:
        rank = np.full(n, 1 / n, np.float32)
        for _ in range(ITERATIONS):
            rank = np.float32(0.15 / n) + np.float32(0.85) * (T @ (rank / degrees))
        return rank

    return run


def _nk_pagerank(G: Any, case: Case, turn: int) -> Any:
    import networkit as nk

    rank = nk.centrality.PageRank(G, 0.85, tol=0.0)
    rank.maxIterations = ITERATIONS
    return rank.run()


def _nk_run(module: str, name: str, *options: Any) -> Callable[[Any, Case, int], Any]:
    def call(G: Any, case: Case, turn: int) -> Any:
        import networkit as nk

        return getattr(getattr(nk, module), name)(G, *options).run()

    return call


def _nk_dijkstra(G: Any, case: Case, turn: int) -> Any:
    import networkit as nk

    return nk.distance.Dijkstra(G, case.sources(turn, 1)[0], False).run()


def _igraph_cores(case: Case) -> Call:
    import igraph as ig

    U = sp.triu(case.S, k=1).tocoo()
    G = ig.Graph(case.S.shape[0], np.column_stack((U.row, U.col)))
    return lambda turn: G.coreness()


ROWS: dict[str, Row] = {
    "components": Row(
        "connected components",
        lambda c: lambda turn: sb.components(c.A, threads=c.threads),
        gap=lambda c, turn: [],
        program="cc",
        peers={
            "scipy": lambda c: lambda turn: csgraph.connected_components(c.S, directed=False),
            "networkit": _nk(_nk_run("components", "ConnectedComponents")),
        },
    ),
    "sssp": Row(
        "shortest paths from one source with a tree of them, weights 1 to 255",
        lambda c: lambda turn: sb.sssp(c.weighted, c.sources(turn, 1)[0], threads=c.threads),
        gap=lambda c, turn: ["-r", c.sources(turn, 1)[0]],
        program="sssp",
        reads_weights=True,
        peers={
            "scipy": lambda c: lambda turn: csgraph.dijkstra(c.W, indices=c.sources(turn, 1)[0]),
            "networkit": _nk(_nk_dijkstra, weighted=True),
        },
    ),
    "pagerank": Row(
        f"PageRank, {ITERATIONS} iterations, FP32",
        lambda c: (
            lambda turn: sb.pagerank(
                c.A, iterations=ITERATIONS, tolerance=None, dtype="FP32", threads=c.threads
            )
        ),
        gap=lambda c, turn: ["-i", ITERATIONS, "-t", 0],
        program="pr",
        peers={"scipy": _spmv_loop, "networkit": _nk(_nk_pagerank)},
    ),
    "triangles": Row(
        "triangles",
        lambda c: lambda turn: sb.triangles(c.A, threads=c.threads),
        gap=lambda c, turn: [],
        program="tc",
        peers={"networkit": _nk(_nk_run("centrality", "LocalClusteringCoefficient", True))},
    ),
    "betweenness": Row(
        f"betweenness, {SOURCES} sources",
        lambda c: lambda turn: sb.betweenness(c.A, c.sources(turn, SOURCES), threads=c.threads),
        gap=lambda c, turn: ["-i", SOURCES],
        program="bc",
    ),
    "strong_components": Row(
        "strongly connected components",
        lambda c: lambda turn: sb.strong_components(c.A, threads=c.threads),
        peers={
            "scipy": lambda c: lambda turn: csgraph.connected_components(c.S, connection="strong")
        },
    ),
    "minimum_spanning_forest": Row(
        "minimum spanning forest, weights 1 to 255",
        lambda c: lambda turn: sb.minimum_spanning_forest(c.weighted, threads=c.threads),
        peers={"scipy": lambda c: lambda turn: csgraph.minimum_spanning_tree(c.W)},
    ),
    "core_numbers": Row(
        "core numbers",
        lambda c: lambda turn: sb.core_numbers(c.A, threads=c.threads),
        peers={
            "igraph": _igraph_cores,
            "networkit": _nk(_nk_run("centrality", "CoreDecomposition")),
        },
    ),
}
