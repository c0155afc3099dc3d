"""The CUDA engine: products by our own kernels, everything else by the array engine over CuPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import cupy
import numpy as np

from spbfs.engines.arrays.engine import ArrayEngine
from spbfs.engines.bfs import Searches, SearchRequest
from spbfs.engines.cuda import arrays
from spbfs.engines.cuda.algorithms.betweenness import dependencies
from spbfs.engines.cuda.algorithms.colouring import colouring
from spbfs.engines.cuda.algorithms.components import components
from spbfs.engines.cuda.algorithms.core_numbers import core_numbers
from spbfs.engines.cuda.algorithms.maximal_independent_set import maximal_independent_set
from spbfs.engines.cuda.algorithms.minimum_spanning_forest import minimum_spanning_forest
from spbfs.engines.cuda.algorithms.pagerank import pagerank
from spbfs.engines.cuda.algorithms.path_between import path_between
from spbfs.engines.cuda.algorithms.sssp import shortest_paths
from spbfs.engines.cuda.algorithms.triangles import triangles
from spbfs.engines.cuda.bfs_many.searches import CudaManySearches
from spbfs.engines.cuda.peers.drawn import DrawnEntries
from spbfs.engines.cuda.peers.shared import SharedEntries
from spbfs.engines.cuda.products import mxm as matrix_product
from spbfs.engines.cuda.products import mxv as vector_product
from spbfs.engines.cuda.products import packed, reductions
from spbfs.engines.cuda.rounds.changes import CudaWatch
from spbfs.engines.cuda.rounds.recording import RecordedRounds
from spbfs.engines.cuda.runtime import recording
from spbfs.engines.cuda.runtime.constants import Constants
from spbfs.engines.cuda.runtime.mailbox import Mailbox
from spbfs.engines.cuda.searches.device import CudaSearches, check_vertices, in_edges
from spbfs.engines.cuda.searches.host import HostSearches
from spbfs.engines.cuda.vectors import counts, forms
from spbfs.engines.cuda.writing import in_place, under_masks
from spbfs.engines.fused import Fused
from spbfs.engines.hypersparse_searches import HypersparseSearches
from spbfs.operators.definitions import TypedIndexUnary
from spbfs.planner.forms import CUDA_FORMS
from spbfs.storage.data import MatrixData
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["CudaEngine"]


class CudaEngine(ArrayEngine):
    """Runs on CuPy's current device and stream; arrays never come to the host unasked."""

    name = "cuda"
    xp = cupy
    vector_forms = CUDA_FORMS

    def __init__(self) -> None:
        arrays.require_device()
        #: Scalars that are on the GPU and that the host knows.
        self.constants = Constants()
        #: By which counts come to the host, for every stream.
        self.mailboxes: dict[int, Mailbox] = {}
        self.fused = Fused(
            colouring=colouring,
            components=components,
            core_numbers=core_numbers,
            dependencies=partial(dependencies, self),
            maximal_independent_set=maximal_independent_set,
            minimum_spanning_forest=partial(minimum_spanning_forest, self),
            pagerank=partial(pagerank, self),
            path_between=partial(path_between, self),
            recorder=partial(RecordedRounds, self),
            shortest_paths=shortest_paths,
            triangles=triangles,
            watch=partial(CudaWatch, self),
        )

    # -- products ----------------------------------------------------------------------------
    mxv = vector_product.mxv
    matrix_product = matrix_product.mxm
    packed_rows = packed.packed_rows
    reduce_all = reductions.reduce_all
    segment_reduce = reductions.segment_reduce
    row_sums = reductions.row_sums

    # -- arrays and matrices -----------------------------------------------------------------
    asarray = arrays.asarray
    in_pinned_memory = arrays.in_pinned_memory
    to_numpy = arrays.to_numpy
    require_bytes = arrays.require_bytes
    constant = arrays.constant
    iso_value = arrays.iso_value
    known_value = arrays.known_value
    resized = arrays.resized
    transposed = arrays.transposed
    pinned = staticmethod(arrays.pinned)

    # -- vectors -----------------------------------------------------------------------------
    def apply_index(self, x: Any, op: TypedIndexUnary, thunk: np.generic) -> Any:
        """As of any engine; noted where a round is to be recorded."""
        recording.used(thunk)
        return super().apply_index(x, op, thunk)

    count = counts.count
    count_true = counts.count_true
    to_bitmap = forms.to_bitmap
    choose_form = forms.choose_form
    empty_vector = forms.empty_vector
    writable = in_place.writable
    fill = in_place.fill
    write_dense = in_place.write_dense
    write_vector = under_masks.write_vector
    assign_scalar_vector = under_masks.assign_scalar_vector

    # -- traversal ---------------------------------------------------------------------------
    in_edges = in_edges

    def searches(self, A: MatrixData) -> Searches:
        """The fused searches of `A`."""
        if isinstance(A, HypersparseMatrix):
            return HypersparseSearches(A, self.searches)
        return CudaSearches(A, self)

    def searches_from_host(
        self, A: MatrixData, in_edges: Callable[[MatrixData], MatrixData]
    ) -> Searches:
        """The searches of `A`, which stays in host memory."""
        if isinstance(A, HypersparseMatrix):
            return HypersparseSearches(A, lambda graph: self.searches_from_host(graph, in_edges))
        check_vertices(A)
        return HostSearches(in_edges)

    def shared_kronecker(
        self, scale: int, edges: int, seed: int, quadrants: Sequence[float]
    ) -> SharedEntries:
        """A Kronecker graph that several GPUs draw."""
        return SharedEntries(DrawnEntries(scale, edges, seed, quadrants))

    def many_searches(self, A: MatrixData) -> CudaManySearches:
        """The searches of `A` that run many at once."""
        return CudaManySearches(A, self)

    def search_as_given(
        self, indptr: Any, indices: Any, request: SearchRequest, started: float
    ) -> None:
        """Searches follow matrices."""
