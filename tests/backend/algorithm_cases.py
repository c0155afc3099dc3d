"""Graphs for the algorithms: every awkward one of the table, random ones, weights of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from spbfs.engines import get_engine
from tests.graphs import SQUARE, Graph

#: Random graphs beside those of the table: vertices, entries, seed.
RANDOM = [(120, 500, 11), (300, 400, 12), (200, 3000, 13)]


def _random(n: int, entries: int, seed: int) -> Graph:
    ends = np.random.default_rng(seed).integers(0, n, (entries, 2)).tolist()
    return Graph(f"random-{n}-{entries}", n, [(u, v) for u, v in ends])


#: All graphs by name, directed as they are.
DIRECTED: dict[str, Graph] = SQUARE | {g.name: g for g in (_random(*r) for r in RANDOM)}


def pattern(graph: Graph, *, symmetric: bool = False) -> sp.csr_array:
    """The graph as SciPy holds it, every entry 1, none twice."""
    S = sp.coo_array(
        (np.ones(len(graph.edges)), (graph.rows, graph.cols)), shape=(graph.nrows, graph.nrows)
    ).tocsr()
    S = (S + S.T).tocsr() if symmetric else S
    S.data[:] = 1
    return S


def weighted(S: sp.csr_array, dtype: Any, low: float, high: float, seed: int = 1) -> sp.csr_array:
    """The same entries with random weights in [low, high); (u, v) and (v, u) have the same."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    drawn = rng.uniform(low, high, 4096) if kind == "f" else rng.integers(int(low), int(high), 4096)
    C = S.tocoo()
    u, v = np.minimum(C.row, C.col).astype(np.int64), np.maximum(C.row, C.col).astype(np.int64)
    return sp.coo_array(
        (drawn[(u * 7919 + v * 104729) % 4096].astype(dtype), (C.row, C.col)), S.shape
    ).tocsr()


def on(S: sp.csr_array, device: str) -> sb.Matrix:
    """The matrix on a device."""
    return sb.Matrix.from_scipy(S).to(device)


def cases(device: str) -> list[tuple[str, Graph]]:
    """All graphs by name, without the larger ones where the reference would take long."""
    most = 70 if device == "reference" else 1 << 20
    return [(name, graph) for name, graph in DIRECTED.items() if graph.nrows <= most]


def ways(device: str, algorithm: str) -> list[Any]:
    """The methods that an algorithm has on a device."""
    fused = getattr(get_engine(device).fused, algorithm)
    return ["composed"] if fused is None else ["composed", "fused"]
