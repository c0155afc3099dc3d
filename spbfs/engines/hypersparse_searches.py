"""Breadth-first searches of hypersparse matrices: those of the graph among vertices with edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.engines.arrays.patterns.labels import compacted, within
from spbfs.engines.arrays.patterns.sets import member, set_of
from spbfs.engines.bfs import ListedResult, Searches, SearchRequest, SearchResult, searches_of
from spbfs.engines.bfs_resumed import Ended, Resumable
from spbfs.exceptions import IndexOutOfBound, InvalidValue
from spbfs.storage.data import MatrixData, nbytes_of
from spbfs.storage.entries import array_module, on_host, vector_entries

__all__ = ["HypersparseSearches"]

Array = Any
Ints = npt.NDArray[np.int64]


class HypersparseSearches:
    """Searches of one matrix, whose vertices with edges are numbered once.

    Parameters
    ----------
    A : MatrixData
    make : callable
        Makes the searches of an ordinary matrix.
    """

    concurrent = True
    rehearsals = 0

    def __init__(self, A: MatrixData, make: Callable[[MatrixData], Searches]) -> None:
        H = compacted(A)
        xp = array_module(H.rows)
        self._make = make
        self._labels = set_of(xp, xp.concatenate((H.rows, H.columns)))
        self._graph = within(H, self._labels, self._labels)

    @property
    def nbytes(self) -> int:
        """Bytes of the numbered graph and of what is kept with it."""
        return nbytes_of(self._labels) + self._graph.nbytes

    def among(self, A: MatrixData, vertices: Ints) -> tuple[MatrixData, Array, Ints]:
        """A graph of the vertices of `A` with edges, and these; its labels, and where these are."""
        graph, labels = self._graph, self._labels
        known = on_host(labels)
        if not member(np, vertices, known).all():
            known = set_of(np, np.concatenate((known, vertices)))
            labels = array_module(labels).asarray(known)
            graph = within(A, labels, labels)
        return graph, labels, np.searchsorted(known, vertices)

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`, the matrix that this was made for."""
        if request.devices:
            raise InvalidValue("devices: expected None for a hypersparse matrix")
        graph, labels, numbered = self._numbered(A, request)
        found = searches_of(graph, self._make).run(graph, numbered)
        return _labelled(found, A, labels, request)

    def resumable(self, A: MatrixData, request: SearchRequest, sources: Ints) -> Resumable:
        """This engine's part in a search of `A`: all engines number its vertices the same."""
        graph, labels, numbered = self._numbered(A, request)
        searches: Any = searches_of(graph, self._make)
        part = searches.resumable(graph, numbered, np.searchsorted(on_host(labels), sources))
        return _LabelledPart(part, A, labels, request)

    def _numbered(
        self, A: MatrixData, request: SearchRequest
    ) -> tuple[MatrixData, Array, SearchRequest]:
        """The graph, the labels of its vertices, and the request in their numbers."""
        source, target = request.source, request.target
        sources: Ints = np.atleast_1d(np.asarray(on_host(source), np.int64))
        outside = sources[(sources < 0) | (sources >= A.nrows)]
        if outside.shape[0]:
            raise IndexOutOfBound(f"source: expected 0 <= source < {A.nrows}, got {outside[0]}")
        graph, labels, at = self.among(A, sources)
        if target is not None:
            # One without edges that is no source either is never reached.
            found_at = int((labels < target).sum())
            there = found_at < labels.shape[0] and int(labels[found_at]) == target
            target = found_at if there else None
        numbered = replace(
            request,
            source=int(at[0]) if isinstance(source, int) else at,
            target=target,
            # Some output has to tell which vertices were reached.
            levels=request.levels or request.parents is None,
        )
        return graph, labels, numbered


class _LabelledPart:
    """An engine's part in a search whose result is in the numbers of the whole matrix."""

    def __init__(
        self, part: Resumable, A: MatrixData, labels: Array, request: SearchRequest
    ) -> None:
        self._part, self._A, self._labels, self._request = part, A, labels, request
        self.expand, self.give, self.take = part.expand, part.give, part.take
        self.finds, self.add = part.finds, part.add

    def result(self, positions: Ints | None, ended: Ended) -> SearchResult:
        found = self._part.result(positions, ended)
        return _labelled(found, self._A, self._labels, self._request)


def _labelled(
    found: SearchResult, A: MatrixData, labels: Array, request: SearchRequest
) -> ListedResult:
    """The result in the numbers of the whole matrix."""
    kind = np.int32 if A.ncols <= np.iinfo(np.int32).max else np.int64
    wanted = {"levels": request.levels, "parents": request.parents is not None, "owners": True}
    vertices: Array = None
    entries: dict[str, Array | None] = dict.fromkeys(wanted)
    for name, asked in wanted.items():
        vector = found.vector(name)
        if vector is None:
            continue
        at, values = vector_entries(vector)
        vertices = labels[at]
        if asked:
            entries[name] = (labels[values] if name == "parents" else values).astype(kind)
    return ListedResult(A.nrows, vertices, entries, found.counts, found.edges)
