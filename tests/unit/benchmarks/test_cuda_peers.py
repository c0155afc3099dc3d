"""How other packages on the GPU are called: stand-ins with their signatures, arrays of NumPy."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path

INT_MAX = 2**31 - 1


class ResourceHandle:
    def __init__(self, handle: int | None = None) -> None:
        assert handle is None


class GraphProperties:
    def __init__(self, is_symmetric: bool = False, is_multigraph: bool = False) -> None:
        self.is_symmetric, self.is_multigraph = is_symmetric, is_multigraph


class SGGraph:
    """The arguments of pylibcugraph 26.10, in its order."""

    def __init__(
        self,
        resource_handle: ResourceHandle,
        graph_properties: GraphProperties,
        src_or_offset_array: Any,
        dst_or_index_array: Any,
        weight_array: Any = None,
        store_transposed: bool = False,
        renumber: bool = False,
        do_expensive_check: bool = False,
        edge_id_array: Any = None,
        edge_type_array: Any = None,
        edge_start_time_array: Any = None,
        edge_end_time_array: Any = None,
        input_array_format: str = "COO",
        vertices_array: Any = None,
        drop_self_loops: bool = False,
        drop_multi_edges: bool = False,
        symmetrize: bool = False,
    ) -> None:
        assert isinstance(resource_handle, ResourceHandle)
        assert isinstance(graph_properties, GraphProperties)
        self.symmetric = graph_properties.is_symmetric
        assert input_array_format == "CSR"
        assert src_or_offset_array.dtype == dst_or_index_array.dtype == np.int32
        n, entries = len(src_or_offset_array) - 1, len(dst_or_index_array)
        csr = np.ones(entries), dst_or_index_array, src_or_offset_array
        self.matrix = sp.csr_array(csr, shape=(n, n))


def bfs(
    handle: ResourceHandle,
    graph: SGGraph,
    sources: Any,
    direction_optimizing: bool,
    depth_limit: int,
    compute_predecessors: bool,
    do_expensive_check: bool,
) -> Any:
    """Distances, the largest integer where there is none, in an order of its own."""
    assert isinstance(handle, ResourceHandle) and isinstance(graph, SGGraph)
    assert sources.shape == (1,) and sources.dtype == np.int32
    assert direction_optimizing <= graph.symmetric
    assert depth_limit <= 0 and compute_predecessors and not do_expensive_check
    far = shortest_path(graph.matrix, unweighted=True, indices=int(sources[0]))
    distances = np.where(np.isinf(far), INT_MAX, far).astype(np.int32)
    vertices = np.arange(len(far), dtype=np.int32)[::-1]
    return distances[vertices], np.zeros_like(vertices), vertices


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> Any:
    stand_in = ModuleType("pylibcugraph")
    for offered in (ResourceHandle, GraphProperties, SGGraph, bfs):
        setattr(stand_in, offered.__name__, offered)
    monkeypatch.setitem(sys.modules, "pylibcugraph", stand_in)
    monkeypatch.setitem(sys.modules, "cupy", np)
    for name in ("graphs", "peers"):
        monkeypatch.delitem(sys.modules, f"benchmarks.cuda.{name}", raising=False)
    yield importlib.import_module("benchmarks.cuda.peers")
    for name in ("graphs", "peers"):
        sys.modules.pop(f"benchmarks.cuda.{name}", None)


def test_pylibcugraph_gives_levels(peers: Any) -> None:
    rows, cols = np.array([0, 1, 1, 2, 2, 3]), np.array([1, 0, 2, 1, 3, 2])
    csr = sp.csr_array((np.ones(6), (rows, cols)), shape=(5, 5))
    prepare = peers.PEERS["pylibcugraph"][2]
    search, levels = prepare((5, csr.indptr.astype(np.int64), csr.indices.astype(np.int32)))
    found = levels(search(np.array([1], np.int32)))
    assert found.dtype == np.int32 and found.tolist() == [1, 0, 1, 2, -1]
