"""Minimum spanning trees: which of the entries that a graph has are in one."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as scipys

from spbfs.algorithms.graphs import run_fused
from spbfs.csgraph.graphs import for_scipy, graph_of, matrix_of, tree_like
from spbfs.csgraph.host import passed_on
from spbfs.engines import get_engine
from spbfs.engines.fused import Forest
from spbfs.objects.matrix import Matrix

__all__ = ["minimum_spanning_tree"]

_theirs = scipys.minimum_spanning_tree


def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> Any:
    """Entries of least weight that connect all that is connected.

    Parameters
    ----------
    csgraph : sparse array or matrix, or array_like
        N x N; entry (i, j) is an edge between i and j without direction, of two the lesser counts.
    overwrite : bool, optional
        Allows SciPy to write into the graph; we never do.

    Returns
    -------
    csr_array, or csr_matrix for a matrix
        N x N, FP64: the entries chosen, where they are.  Those of weight zero, though chosen, are
        not stored, as by SciPy.

    Raises
    ------
    DimensionMismatch
        When the graph is not square.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import minimum_spanning_tree
    >>> minimum_spanning_tree(numpy.array([[0, 8, 0], [0, 0, 2], [5, 0, 0]])).toarray()
    array([[0., 0., 0.],
           [0., 0., 2.],
           [5., 0., 0.]])
    """
    if for_scipy(csgraph):
        return _theirs(csgraph, overwrite)
    graph = graph_of(csgraph)
    csr = graph.csr.get() if graph.gpu else graph.csr
    if csr.dtype.kind == "f" and np.isnan(csr.data).any():
        return passed_on(_theirs)(csgraph, overwrite)
    data, places = _chosen(matrix_of(graph, weighted=True))
    kept = np.zeros(data.indices.shape[0], np.bool_)
    kept[places] = True
    kept &= data.values != 0
    offsets = np.zeros(kept.shape[0] + 1, np.int32)
    np.cumsum(kept, out=offsets[1:])
    at = np.flatnonzero(kept)  # by which it takes half as long as by the flags
    values = data.values.take(at).astype(np.float64, copy=False)
    arrays = values, data.indices.take(at), offsets.take(data.indptr)
    tree = sp.csr_array(arrays, shape=csr.shape)
    return tree_like(csgraph, tree, graph, (sp.spmatrix, np.matrix))


def _chosen(A: Matrix) -> tuple[Any, Any]:
    """The matrix's arrays in host memory, and the places of the forest's entries in them."""
    on_cpu = A if A.device == "cpu" else A.to("cpu")
    data, call = on_cpu._ready(), get_engine("cpu").fused.minimum_spanning_forest
    assert call is not None, "the CPU engine has this call"
    forest = run_fused("minimum_spanning_forest", on_cpu, call, None)
    assert isinstance(forest, Forest), "no weight is NaN, and this engine lists the edges"
    return data, forest.places
