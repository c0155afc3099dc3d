"""Shortest paths along SciPy's arrays, by the queue of the CPU engine: no Matrix is made."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spbfs.base import tracing
from spbfs.csgraph.graphs import NOBODY, Graph
from spbfs.engines import get_engine
from spbfs.engines.fused import Paths

__all__ = ["heap_search"]


def heap_search(
    graph: Graph,
    directed: bool,
    sources: Any,
    limit: float,
    *,
    nearest: bool = False,
    predecessors: bool,
) -> Paths | None:
    """Distances, predecessors and origins from each of the sources, or the nearest.

    None where the arrays are no CSR, of the host: then the searches need a Matrix.
    """
    search = get_engine("cpu").fused.dijkstra
    if graph.gpu or search is None:
        return None
    began = time.perf_counter()
    rows = _arrays(graph.csr)
    columns = None
    if not directed:
        columns = _arrays(graph.csr.T.tocsr())
        if all(map(np.array_equal, rows, columns)):
            columns = None  # there and back are the same
    found = search(
        rows,
        columns,
        sources,
        float(limit),
        nearest=nearest,
        predecessors=predecessors,
        nobody=NOBODY,
    )
    if found is not None:
        tracing.record(kernel="dijkstra", frontier=sources.shape[0])
        tracing.finish("dijkstra", "cpu", time.perf_counter() - began, None)
    return found


def _arrays(csr: Any) -> tuple[Any, Any, Any]:
    return csr.indptr, csr.indices, csr.data.astype(np.float64, copy=False)
