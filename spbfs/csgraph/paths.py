"""Shortest paths, from some vertices or all, with SciPy's arguments and results."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as scipys

from spbfs.algorithms.paths.reweighted import reweighted
from spbfs.csgraph.graphs import NOBODY, Graph, for_scipy, graph_of
from spbfs.csgraph.host import passed_on
from spbfs.csgraph.searches import (
    Asked,
    Searched,
    from_each,
    from_nearest,
    has_negative,
    matrix_asked,
    negative_cycle,
)
from spbfs.exceptions import DomainMismatch, InvalidValue, NegativeCycle

__all__ = ["bellman_ford", "dijkstra", "johnson", "shortest_path"]

_shortest_path, _dijkstra = scipys.shortest_path, scipys.dijkstra
_bellman_ford, _johnson = scipys.bellman_ford, scipys.johnson


def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Lengths of shortest paths between vertices.

    Parameters
    ----------
    csgraph : sparse array or matrix, or array_like
        N x N; entry (i, j) is the length of the edge from i to j.
    method : {"auto", "FW", "D", "BF", "J"}, optional
        Floyd and Warshall's algorithm is SciPy's own; the others are `dijkstra`, `bellman_ford` and
        `johnson`; "auto" chooses as SciPy does.
    directed : bool, optional
        False: edges lead both ways, where both are stored as long as the shorter.
    return_predecessors : bool, optional
        Whether to return these, too.
    unweighted : bool, optional
        Count edges instead of adding their lengths up.
    overwrite : bool, optional
        Allows SciPy's Floyd-Warshall to write into a dense graph.
    indices : array_like of int, optional
        Where paths begin; everywhere by default.

    Returns
    -------
    dist_matrix : float array, shape of `indices` + (N,)
        Infinity where there is no path.
    predecessors : int32 array of the same shape
        The vertex before each; -9999 where there is none.

    Raises
    ------
    scipy.sparse.csgraph.NegativeCycleError
        When a cycle of negative length is met.
    ValueError
        When `method` or `indices` is not what is described above.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import shortest_path
    >>> shortest_path(numpy.array([[0, 1, 5], [0, 0, 2], [0, 0, 0]]), indices=0)
    array([0., 1., 3.])
    """
    options = {"return_predecessors": return_predecessors, "unweighted": unweighted}
    if for_scipy(csgraph):
        return _shortest_path(
            csgraph, method, directed, overwrite=overwrite, indices=indices, **options
        )
    if method == "auto":
        method = _chosen(graph_of(csgraph), indices)
    if method == "FW":
        if indices is not None:
            raise InvalidValue("Cannot specify indices with method == 'FW'.")
        from spbfs.csgraph.passed_on import floyd_warshall

        return floyd_warshall(csgraph, directed, overwrite=overwrite, **options)
    ways = {"D": dijkstra, "BF": bellman_ford, "J": johnson}
    if not isinstance(method, str) or method not in ways:
        raise InvalidValue(f"unrecognized method '{method}'")
    return ways[method](csgraph, directed, indices=indices, **options)


def _chosen(graph: Graph, indices: Any) -> str:
    """What SciPy's "auto" is of a graph."""
    edges, n = graph.csr.nnz, graph.size
    if indices is None and edges >= n * n / 4:
        return "FW"
    return "J" if edges and float(graph.csr.data.min()) < 0 else "D"


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """Lengths of shortest paths where no edge has a negative length.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted
        As for `shortest_path`.
    limit : float, optional
        Leave out paths that are longer.
    min_only : bool, optional
        Search from the nearest of `indices` instead of from each.

    Returns
    -------
    dist_matrix, predecessors : arrays
        As for `shortest_path`; of shape (N,) with `min_only`.
    sources : int32 array of N
        With `min_only` and `return_predecessors`: which of `indices` is nearest, -9999 where none
        reaches the vertex.

    Raises
    ------
    ValueError
        When `limit` is negative, or `indices` has what is no vertex.
    TypeError
        When `limit` is no number.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import dijkstra
    >>> dijkstra(numpy.array([[0, 1, 5], [0, 0, 2], [0, 0, 0]]), indices=[0, 1], limit=2)
    array([[ 0.,  1., inf],
           [inf,  0.,  2.]])
    """
    if for_scipy(csgraph):
        return _dijkstra(
            csgraph, directed, indices, return_predecessors, unweighted, limit, min_only
        )
    graph = graph_of(csgraph, directed)
    limit = _as_limit(limit)
    # NaN, too, is as SciPy's comparisons have it.
    if limit != limit or (graph.csr.nnz and not float(graph.csr.data.min()) >= 0):
        return passed_on(_dijkstra)(
            csgraph, directed, indices, return_predecessors, unweighted, limit, min_only
        )
    sources, shape = _as_sources(indices, graph.size)
    if not min_only:
        ask = Asked(graph, directed, bool(return_predecessors), unweighted, False, limit)
        return from_each(ask, sources, shape)
    if not sources.size:
        nobody = np.full(graph.size, NOBODY, np.int32)
        found = Searched(np.full(graph.size, np.inf), nobody, nobody.copy())
    else:
        ask = Asked(graph, directed, bool(return_predecessors), unweighted, False, limit)
        found = from_nearest(ask, sources)
    if not return_predecessors:
        return graph.side(found.distances)
    return tuple(map(graph.side, found))


def _as_limit(limit: Any) -> float:
    """A number, which text of one is not; an integer may have more than 64 bits."""
    if isinstance(limit, str | bytes | bytearray | memoryview):
        raise DomainMismatch(f"limit: must be real number, not {type(limit).__name__}")
    found = float(limit)
    if found < 0:
        raise InvalidValue("limit must be >= 0")
    return found


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Lengths of shortest paths where lengths may be negative.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted
        As for `shortest_path`.

    Returns
    -------
    dist_matrix, predecessors : arrays
        As for `shortest_path`.

    Raises
    ------
    scipy.sparse.csgraph.NegativeCycleError
        When a cycle of negative length can be reached.
    ValueError
        When `indices` has what is no vertex.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import bellman_ford
    >>> bellman_ford(numpy.array([[0, 4, 5], [0, 0, -2], [0, 0, 0]]), indices=0)
    array([0., 4., 2.])
    """
    graph = None if for_scipy(csgraph) else graph_of(csgraph, directed)
    if graph is None or _has_no_length(graph):
        return passed_on(_bellman_ford)(csgraph, directed, indices, return_predecessors, unweighted)
    ask = Asked(graph, directed, bool(return_predecessors), unweighted, has_negative(graph))
    return from_each(ask, *_as_sources(indices, graph.size))


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Lengths of shortest paths where lengths may be negative, from many vertices.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted
        As for `shortest_path`.

    Returns
    -------
    dist_matrix, predecessors : arrays
        As for `shortest_path`.

    Raises
    ------
    scipy.sparse.csgraph.NegativeCycleError
        When there is a cycle of negative length, be it reached or not.
    ValueError
        When `indices` has what is no vertex.

    Examples
    --------
    >>> import numpy
    >>> from spbfs.csgraph import johnson
    >>> johnson(numpy.array([[0, 4, 5], [0, 0, -2], [0, 0, 0]]))
    array([[ 0.,  4.,  2.],
           [inf,  0., -2.],
           [inf, inf,  0.]])
    """
    graph = None if for_scipy(csgraph) else graph_of(csgraph, directed)
    if graph is None or _has_no_length(graph):
        return passed_on(_johnson)(csgraph, directed, indices, return_predecessors, unweighted)
    ask = Asked(graph, directed, bool(return_predecessors), unweighted, has_negative(graph))
    sources, shape = _as_sources(indices, graph.size)
    if unweighted or not ask.negative:
        return from_each(ask, sources, shape)
    try:
        B, nearest = reweighted(matrix_asked(ask), np.arange(graph.size))
    except NegativeCycle as cycle:
        raise negative_cycle(cycle) from None
    # As none was refused, edges without directions have no negative length: B is directed.
    again = graph_of(graph.side(B.to_scipy()))
    longer = ask._replace(graph=again, directed=True, negative=False)
    potential = nearest.to_dense(dtype=np.float64)
    return from_each(longer, sources, shape, potential)


def _has_no_length(graph: Graph) -> bool:
    """Whether there is NaN or -inf, or what FP64 cannot add up, of which SciPy's loops make what
    they make."""
    data = graph.csr.data
    if data.dtype.kind != "f" or not data.size:
        return False
    if not float(data.min()) > -np.inf:
        return True
    finite = data[data < np.inf]
    return bool(finite.size) and 4.0 * graph.size * float(abs(finite).max()) == np.inf


def _as_sources(indices: Any, n: int) -> tuple[Any, tuple[int, ...]]:
    """Where searches begin, and the shape of their results."""
    if indices is None:
        return np.arange(n), (n, n)
    if hasattr(indices, "get"):
        indices = indices.get()
    given = np.array(indices, dtype=np.int32)
    sources = given.reshape(-1).astype(np.int64)
    # Read without a sign what is below 0 is too great as well.
    outside = sources.view(np.uint64) >= n
    if outside.any():
        sources[sources < 0] += n
        if (sources.view(np.uint64) >= n).any():
            raise InvalidValue("indices out of range 0...N")
    return sources, (*given.shape, n)
