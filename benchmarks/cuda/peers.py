"""Other packages' searches on the GPU, where they are installed.

A peer is a function of a graph that returns ``search(source)``, source an int32 array of one vertex
on the device; what depends on the graph alone is made before.

pylibcugraph (26.10, a library of 510 MB) was nowhere that this ran: its call is tested against a
stand-in with its signatures (``tests/unit/benchmarks/test_cuda_peers.py``), and no result has
figures of it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import cupy as cp
import numpy as np

from benchmarks.cuda.graphs import Graph

Search = Callable[[Any], Any]


def _cugraph(graph: Graph) -> tuple[Search, Callable[[Any], Any]]:
    import pylibcugraph as plc

    n, indptr, indices = graph
    handle = plc.ResourceHandle()
    entries = int(indices.shape[0])
    G = plc.SGGraph(
        handle,
        plc.GraphProperties(is_symmetric=True, is_multigraph=False),
        indptr.astype(np.int32) if entries < 2**31 else indptr,
        indices,
        input_array_format="CSR",
    )

    def search(source: Any) -> Any:
        return plc.bfs(handle, G, source, True, -1, True, False)

    def levels(result: Any) -> Any:
        distances, _, vertices = (cp.asarray(a) for a in result)
        out = cp.full(n, -1, np.int32)
        out[vertices] = cp.where(distances < n, distances, -1)
        return out

    return search, levels


#: Name -> (package, what is called, preparation).
PEERS: dict[str, tuple[str, str, Callable[[Graph], tuple[Search, Callable[[Any], Any]]]]] = {
    "pylibcugraph": (
        "pylibcugraph",
        "pylibcugraph.bfs: direction-optimising, distances and predecessors",
        _cugraph,
    ),
}


def available(name: str) -> bool:
    """Whether a peer's package is installed."""
    return find_spec(PEERS[name][0]) is not None
