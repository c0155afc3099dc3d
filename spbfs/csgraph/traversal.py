"""Breadth-first order and tree, as SciPy's queue makes them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as scipys

from spbfs.algorithms.bfs.order import bfs_order
from spbfs.base import tracing
from spbfs.csgraph.graphs import NOBODY, Graph, for_scipy, graph_of, matrix_of, tree_like
from spbfs.engines import get_engine
from spbfs.engines.fused import Order
from spbfs.objects.checks import as_index

__all__ = ["breadth_first_order", "breadth_first_tree", "queue_search"]

_their_order, _their_tree = scipys.breadth_first_order, scipys.breadth_first_tree


def breadth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """The vertices reached, as a breadth-first search with one queue meets them.

    Parameters
    ----------
    csgraph : sparse array or matrix, or array_like
        N x N; a stored entry (i, j), or an element of an array that is neither zero nor infinite
        nor NaN, is the edge from i to j.
    i_start : int
        The first vertex.
    directed : bool, optional
        False: edges are followed both ways, out-edges of a vertex before those that lead to it.
    return_predecessors : bool, optional
        Whether to return these, too.

    Returns
    -------
    node_array : int32 array
        The vertices reached, in SciPy's order.
    predecessors : int32 array of N
        The vertex each was met from; -9999 for `i_start` and those not reached.

    Raises
    ------
    IndexOutOfBound
        When `i_start` is no vertex.
    DimensionMismatch
        When the graph is not square.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import breadth_first_order
    >>> order, before = breadth_first_order(numpy.array([[0, 1, 2], [0, 0, 0], [0, 5, 0]]), 0)
    >>> order.tolist(), before.tolist()
    ([0, 1, 2], [-9999, 0, 0])
    """
    if for_scipy(csgraph):
        return _their_order(csgraph, i_start, directed, return_predecessors)
    graph = graph_of(csgraph, directed)
    order, parents = _searched(graph, _first(i_start, graph.size), directed)
    if return_predecessors:
        return graph.side(order), graph.side(parents)
    return graph.side(order)


def _first(i_start: Any, size: int) -> int:
    """A vertex by a whole number of any type, as SciPy takes it."""
    flag = isinstance(i_start, bool | np.bool_)
    if flag or (isinstance(i_start, float | np.floating) and i_start == np.trunc(i_start)):
        i_start = int(i_start) if np.isfinite(i_start) else i_start
    return as_index(i_start, size, "i_start")


def _searched(graph: Graph, start: int, directed: bool) -> tuple[Any, Any]:
    """Vertices in order and predecessors, arrays of the host."""
    found = queue_search(graph, start, bool(directed))
    if found is None:
        result = bfs_order(matrix_of(graph, weighted=False), start, directed=bool(directed))
        order = result.order.get() if graph.gpu else result.order
        parents = result.parents.to("cpu").to_dense(NOBODY, dtype=np.int32)
    else:
        order, parents, _ = found
    parents[start] = NOBODY
    return order, parents


def queue_search(
    graph: Graph, start: int, directed: bool, max_depth: int | None = None, *, levels: bool = False
) -> Order | None:
    """Vertices, predecessors and levels along SciPy's arrays; None where that needs a Matrix.

    The predecessor of `start` is itself.
    """
    fused = get_engine("cpu").fused
    search, mirrored = fused.bfs_order, fused.mirrored
    if graph.gpu or search is None or mirrored is None:
        return None
    began = time.perf_counter()
    csr, columns = graph.csr, None
    rows = csr.indptr, csr.indices
    if not directed and not mirrored(rows):
        back = csr.T.tocsr()
        columns = back.indptr, back.indices
    found = search(rows, columns, np.array([start]), max_depth, levels=levels, nobody=NOBODY)
    if found is not None:
        tracing.record(kernel="bfs_order", frontier=1)
        seconds = time.perf_counter() - began
        tracing.finish("breadth_first_order", "cpu", seconds, found[0].shape[0])
    return found


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of `breadth_first_order` with the weights of its edges.

    Parameters
    ----------
    csgraph, i_start, directed
        As for `breadth_first_order`.

    Returns
    -------
    csr_array, or csr_matrix for a sparse matrix
        N x N, FP64, an entry (predecessor, vertex) for every vertex reached but the first.  Without
        directions it is the lesser weight of the two that are not zero.

    Raises
    ------
    IndexOutOfBound, DimensionMismatch
        As for `breadth_first_order`.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import breadth_first_tree
    >>> breadth_first_tree(numpy.array([[0, 1, 2], [0, 0, 0], [0, 5, 0]]), 0).toarray()
    array([[0., 1., 2.],
           [0., 0., 0.],
           [0., 0., 0.]])
    """
    if for_scipy(csgraph):
        return _their_tree(csgraph, i_start, directed)
    graph = graph_of(csgraph, directed)
    start = _first(i_start, graph.size)
    _, parents = _searched(graph, start, directed)
    tree = _tree(graph, parents, start, bool(directed))
    return tree_like(csgraph, tree, graph, (sp.spmatrix,))


def _tree(graph: Graph, parents: Any, start: int, directed: bool) -> Any:
    """Of every vertex the edge from its predecessor, as rows of the host."""
    csr = graph.csr.get() if graph.gpu else graph.csr
    search_tree = get_engine("cpu").fused.search_tree
    assert search_tree is not None, "the CPU engine has this call"
    weights = csr.data.astype(np.float64, copy=False)
    found = search_tree((csr.indptr, csr.indices, weights), parents, start, directed)
    if found is None:
        matrix_of(graph, weighted=False)  # refuses what is no CSR, in rows that nobody had to read
        indptr, indices = (np.ascontiguousarray(x, np.int64) for x in (csr.indptr, csr.indices))
        rows = indptr, indices, np.ascontiguousarray(weights)
        found = search_tree(rows, parents, start, directed)
        assert found is not None, "what contradicts itself was refused"
    offsets, children, values = found
    return sp.csr_array((values, children, offsets), shape=csr.shape)
