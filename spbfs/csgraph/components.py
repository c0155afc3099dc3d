"""Connected components, with SciPy's numbers."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy.sparse import csgraph as scipys

from spbfs.algorithms.connectivity.components import components
from spbfs.base import tracing
from spbfs.base.wording import brief
from spbfs.csgraph.graphs import Graph, for_scipy, graph_of, matrix_of
from spbfs.csgraph.host import passed_on
from spbfs.engines import get_engine
from spbfs.exceptions import InvalidValue

__all__ = ["connected_components"]

_theirs = scipys.connected_components
_on_host = passed_on(_theirs)


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """How many components there are, and which everybody is in.

    Parameters
    ----------
    csgraph : sparse array or matrix, or array_like
        N x N, as for `breadth_first_order`.
    directed : bool, optional
        False: edges have no direction, and `connection` does not matter.
    connection : {"weak", "strong"}, optional
        Whether vertices are together that a path connects without directions, or those that reach
        each other.
    return_labels : bool, optional
        Whether to return these, too.

    Returns
    -------
    n_components : int
    labels : int32 array of N
        Numbers of components, SciPy's: of weak ones in the order of their least vertices, of strong
        ones as a depth-first search is done with them that begins at vertex 0 and takes the last
        neighbour of a row first.

    Raises
    ------
    InvalidValue
        When `connection` is neither.
    DimensionMismatch
        When the graph is not square.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import connected_components
    >>> count, labels = connected_components(numpy.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    >>> count, labels.tolist()
    (2, [0, 0, 1])
    """
    kind = connection.lower() if isinstance(connection, str) else None
    if kind not in ("weak", "strong"):
        raise InvalidValue(f"connection must be 'weak' or 'strong', got {brief(connection)}")
    if for_scipy(csgraph):
        return _theirs(csgraph, directed, connection, return_labels)
    strong = bool(directed) and kind == "strong"
    graph = graph_of(csgraph, directed=strong)
    found = _numbered(graph, strong)
    if found is None:
        if strong:
            matrix_of(graph, weighted=False)  # refuses what is no CSR, which SciPy would follow
            return _on_host(csgraph, directed, connection, return_labels)
        found = _by_matrix(graph)
    count, labels = found
    return (count, graph.side(labels)) if return_labels else count


def _numbered(graph: Graph, strong: bool) -> tuple[int, Any] | None:
    """Along SciPy's arrays; None where the engine cannot, or they are no CSR of the host."""
    call = get_engine("cpu").fused.numbered_components
    if graph.gpu or call is None or not graph.size:
        return None
    began = time.perf_counter()
    found = call((graph.csr.indptr, graph.csr.indices), strong)
    if found is None:
        return None
    kernel = "strong_components" if strong else "components"
    tracing.record(kernel=kernel, frontier=graph.size, edges=graph.csr.nnz)
    tracing.finish("connected_components", "cpu", time.perf_counter() - began, None)
    return found[0], found[1].astype(np.int32, copy=False)


def _by_matrix(graph: Graph) -> tuple[int, Any]:
    """Weak components of a Matrix, their least vertices numbered."""
    least = components(matrix_of(graph, weighted=False)).to("cpu").to_dense()
    first = least == np.arange(graph.size)
    number = np.cumsum(first, dtype=np.int32) - np.int32(1)
    return int(number[-1]) + 1 if graph.size else 0, number[least]
