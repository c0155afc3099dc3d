"""Graphs as SciPy's csgraph takes them: sparse, dense or masked, on the host or on a GPU."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as scipys

from spbfs import binary, unary
from spbfs.exceptions import DimensionMismatch, InvalidValue
from spbfs.objects.constructors.scipy_arrays import as_rows, is_sparse
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.gpu_arrays import on_gpu

__all__ = [
    "NOBODY",
    "Graph",
    "both_directions",
    "for_scipy",
    "graph_of",
    "matrix_of",
    "on_gpu_side",
    "to_gpu",
    "tree_like",
]

#: Who has no predecessor, in SciPy's csgraph.
NOBODY = -9999
_MOST = np.iinfo(np.int32).max

# Bound now: whoever puts this module in the place of SciPy's must not send us round in a circle.
_from_dense, _from_masked = scipys.csgraph_from_dense, scipys.csgraph_from_masked


class Graph(NamedTuple):
    """Compressed rows, of SciPy or of CuPy, with entries as they were given."""

    csr: Any
    gpu: bool

    @property
    def size(self) -> int:
        """Number of vertices."""
        return int(self.csr.shape[0])

    def side(self, array: Any) -> Any:
        """An array of the host where the graph is."""
        return to_gpu(array, self.csr) if self.gpu else array


def on_gpu_side(value: Any) -> bool:
    """Whether it is an array in GPU memory, or a sparse matrix of such."""
    if isinstance(value, np.ndarray) or sp.issparse(value):
        return False
    if is_sparse(value):
        return on_gpu(getattr(value.tocsr(), "data", None))
    return hasattr(value, "get") and on_gpu(value)


def to_gpu(array: Any, like: Any) -> Any:
    """An array on the GPU, or a sparse array as rows of the kind of `like`, a matrix of CuPy's."""
    import cupy

    if not sp.issparse(array):
        return cupy.asarray(array)
    csr = array.tocsr()
    arrays = tuple(cupy.asarray(x) for x in (csr.data, csr.indices, csr.indptr))
    kind = type(like.tocsr()) if is_sparse(like) else _cupy_csr()
    return kind(arrays, shape=csr.shape)


def _cupy_csr() -> Any:
    from cupyx.scipy.sparse import csr_matrix

    return csr_matrix


def for_scipy(csgraph: Any) -> bool:
    """Whether it is of a library that SciPy knows and we do not: pydata/sparse."""
    return type(csgraph).__module__.partition(".")[0] == "sparse"


def graph_of(csgraph: Any, directed: bool = True) -> Graph:
    """The graph that SciPy would see; dense ones by the rules of `csgraph_from_dense`.

    Without directions the transpose is as good, and of compressed columns it is there.
    """
    gpu = on_gpu_side(csgraph)
    if is_sparse(csgraph):
        if len(csgraph.shape) != 2:  # as arrays in coordinates may have
            raise DimensionMismatch("compressed-sparse graph must be 2-D")
        if not directed and csgraph.format == "csc":
            csgraph = csgraph.T
        csr = as_rows(csgraph, "csgraph")
    elif np.ma.isMaskedArray(csgraph):
        csr = _from_masked(csgraph)
    else:
        csr = _from_dense(csgraph.get() if gpu else csgraph)
        csr = to_gpu(csr, csgraph) if gpu else csr
    # A float of more bits is no type of ours; of complex numbers NumPy warns, as with SciPy.
    ours = csr.dtype.char != "g" and csr.dtype.kind != "c"
    if csr.dtype != np.float64 and not (ours and csr.has_canonical_format):
        # SciPy makes FP64 of it, and on the way rows in order, of which no entry occurs twice.
        csr = csr.astype(np.float64)
        csr.sum_duplicates()
    if csr.shape[0] != csr.shape[1]:
        raise DimensionMismatch("compressed-sparse graph must be shape (N, N)")
    if csr.shape[0] > _MOST:
        raise InvalidValue(f"csgraph: expected at most {_MOST} vertices, got {csr.shape[0]}")
    return Graph(csr, gpu)


def matrix_of(graph: Graph, *, weighted: bool) -> Matrix:
    """As a Matrix where the graph is: its pattern, or the least weight where an entry is twice."""
    csr = graph.csr
    if weighted:
        if csr.dtype == np.longdouble:
            csr = csr.astype(np.float64)
        return Matrix.from_scipy(csr, dup_op="min")
    n = graph.size
    return Matrix.from_csr(csr.indptr, csr.indices, True, nrows=n, ncols=n)


def both_directions(A: MatrixOperand, *, weighted: bool) -> MatrixOperand:
    """The graph without directions; the lesser of the weights of two directions."""
    if weighted:
        return A.ewise_add(A.T, binary.min).new()
    data = A._ready()
    if A._engine.in_edges(data) is data:
        return A
    pattern = A.apply(unary.one[bool]).new()
    return pattern.ewise_add(pattern.T, binary.any).new()


def tree_like(csgraph: Any, tree: Any, graph: Graph, matrix_types: tuple[type, ...]) -> Any:
    """A tree (sparse rows of the host) as SciPy returns it for such a graph."""
    if graph.gpu:
        return to_gpu(tree, csgraph)
    return sp.csr_matrix(tree) if isinstance(csgraph, matrix_types) else tree
