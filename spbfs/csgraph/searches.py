"""Searches for shortest paths, from each of some vertices or the nearest, on the host or a GPU."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csgraph as scipys

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.paths import sssp
from spbfs.csgraph.graphs import NOBODY, Graph, both_directions, matrix_of
from spbfs.csgraph.heap_search import heap_search
from spbfs.csgraph.traversal import queue_search
from spbfs.exceptions import NegativeCycle
from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = [
    "Asked",
    "Searched",
    "from_each",
    "from_nearest",
    "has_negative",
    "matrix_asked",
    "negative_cycle",
]

_NegativeCycleError = scipys.NegativeCycleError
#: From so many levels on searches are run one after the other.
_DEEP = 256


class Searched(NamedTuple):
    """From one source, or from the nearest of several: arrays of N, or None if not asked for."""

    distances: Any
    predecessors: Any
    sources: Any = None


class Asked(NamedTuple):
    """What searches are asked for, wherever they begin."""

    graph: Graph
    directed: bool
    predecessors: bool
    unweighted: bool
    #: Whether a length is below 0.
    negative: bool
    limit: float = np.inf


def negative_cycle(cycle: NegativeCycle) -> Exception:
    return _NegativeCycleError(f"Negative cycle detected on node {cycle.vertices[0]}")


def has_negative(graph: Graph) -> bool:
    return bool(graph.csr.nnz) and float(graph.csr.data.min()) < 0


def matrix_asked(ask: Asked) -> MatrixOperand:
    graph = ask.graph
    if not ask.unweighted and graph.csr.dtype in (np.int64, np.uint64):
        # SciPy adds FP64 up; sums of these might be beyond 64 bits.
        graph = graph._replace(csr=graph.csr.astype(np.float64))
    A = matrix_of(graph, weighted=not ask.unweighted)
    return A if ask.directed else both_directions(A, weighted=not ask.unweighted)


def from_each(ask: Asked, sources: Any, shape: tuple[int, ...], potential: Any = None) -> Any:
    """A search from each of the sources, as SciPy returns them."""
    if ask.unweighted:
        distances, before = _each_by_edges(ask, sources)
    else:
        distances, before = _each_by_lengths(ask, sources)
    if potential is not None:
        distances += potential
        distances -= potential[sources][:, None]
    made = ask.graph.side(distances.reshape(shape))
    return (made, ask.graph.side(before.reshape(shape))) if before is not None else made


def from_nearest(ask: Asked, sources: Any) -> Searched:
    """One search from several vertices."""
    if ask.unweighted:
        return _by_edges(ask, matrix_asked(ask), sources)
    found = heap_search(
        ask.graph, ask.directed, sources, ask.limit, nearest=True, predecessors=ask.predecessors
    )
    return _by_lengths(ask, matrix_asked(ask), sources) if found is None else Searched(*found)


def _each_by_lengths(ask: Asked, sources: Any) -> tuple[Any, Any]:
    if not ask.negative:
        found = heap_search(
            ask.graph, ask.directed, sources, ask.limit, predecessors=ask.predecessors
        )
        if found is not None:
            return found[:2]
    A = matrix_asked(ask)
    return _stacked(ask, [_by_lengths(ask, A, source) for source in sources.tolist()])


def _each_by_edges(ask: Asked, sources: Any) -> tuple[Any, Any]:
    """Joined, but where a search is so deep that others would hardly ever meet it."""
    depth = None if np.isinf(ask.limit) else int(ask.limit)
    found = []
    for source in sources.tolist():
        order = queue_search(ask.graph, source, ask.directed, depth, levels=True)
        if order is None:
            return _many_by_edges(ask, sources)
        _, before, levels = order
        assert levels is not None, "they were asked for"
        if sources.size > 1 and levels.max() < _DEEP:
            return _many_by_edges(ask, sources)
        distances = levels.astype(np.float64)
        distances[levels < 0] = np.inf
        before[source] = NOBODY
        found.append(Searched(distances, before))
    return _stacked(ask, found)


def _stacked(ask: Asked, found: list[Searched]) -> tuple[Any, Any]:
    n = ask.graph.size
    distances = np.array([x.distances for x in found]).reshape(len(found), n)
    if not ask.predecessors:
        return distances, None
    before = np.array([x.predecessors for x in found], np.int32).reshape(len(found), n)
    return distances, before


def _by_lengths(ask: Asked, A: MatrixOperand, source: Any) -> Searched:
    bound = None if np.isinf(ask.limit) else ask.limit
    try:
        found = sssp(A, source, parents=ask.predecessors, limit=bound)
    except NegativeCycle as cycle:
        raise negative_cycle(cycle) from None
    distances = found.distances.to_dense(np.inf, dtype=np.float64)
    if not ask.predecessors:
        return Searched(distances, None)
    return Searched(distances, *_origins(source, found.parents, found.owners))


def _by_edges(ask: Asked, A: MatrixOperand, source: Any) -> Searched:
    depth = None if np.isinf(ask.limit) else int(ask.limit)
    found = bfs(A, source, parents=ask.predecessors, max_depth=depth)
    distances = found.levels.to_dense(np.inf, dtype=np.float64)
    if not ask.predecessors:
        return Searched(distances, None)
    return Searched(distances, *_origins(source, found.parents, found.owners))


def _origins(source: Any, parents: Any, owners: Any) -> tuple[Any, Any]:
    """Predecessors, and of several sources the nearest one, of every vertex."""
    before = parents.to_dense(NOBODY, dtype=np.int32)
    if owners is None:
        nearest = np.where(before == NOBODY, NOBODY, np.int32(np.ravel(source)[0]))
    else:
        owner = owners.to_dense(-1)
        nearest = np.where(owner < 0, NOBODY, source[owner]).astype(np.int32)
    before[source] = NOBODY
    return before, nearest


def _many_by_edges(ask: Asked, sources: Any) -> tuple[Any, Any]:
    depth = None if np.isinf(ask.limit) else int(ask.limit)
    outputs = ["levels", "parents"] if ask.predecessors else ["levels"]
    if not sources.size:
        return _stacked(ask, [])
    found = bfs_many(matrix_asked(ask), sources, outputs=outputs, max_depth=depth)
    levels, before = (x.get() if hasattr(x, "get") else x for x in (found.levels, found.parents))
    distances = levels.astype(np.float64)
    distances[levels == np.iinfo(levels.dtype).max] = np.inf
    if not ask.predecessors:
        return distances, None
    before = np.where(before < 0, NOBODY, before).astype(np.int32)
    before[np.arange(sources.size), sources] = NOBODY
    return distances, before
