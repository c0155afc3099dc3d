"""Breadth-first search on the CPU: the whole traversal in one native call."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial

from spbfs.base.memory import available_bytes
from spbfs.base.threads import resolve_threads
from spbfs.engines.bfs import Ints, SearchRequest, SearchResult, distinct
from spbfs.engines.cpu.bfs.kernel import Found, native_rates, needs_least, pushes, search
from spbfs.engines.cpu.bfs.laid_out import LaidOutSearches
from spbfs.engines.cpu.bfs.listed import list_one
from spbfs.engines.cpu.bfs.resumed import CpuResumable
from spbfs.engines.cpu.bfs.workspace import Workspace
from spbfs.engines.cpu.graph.layout import lay_out
from spbfs.engines.cpu.graph.transpose import is_symmetric, transposed
from spbfs.engines.cpu.parts.steps import CpuPartSteps
from spbfs.engines.part_searches import search_parts
from spbfs.planner.search import NeighbourOrder, Relabelling, disk_part_edges
from spbfs.planner.search_cpu import cpu_layout
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import known_transpose
from spbfs.storage.on_disk import OnDiskMatrix

__all__ = ["CpuSearches", "in_edges", "maybe_in_edges"]


class CpuSearches:
    """The searches of one matrix by ``kernels/cpu/bfs/bfs.cpp``, with the workspace they share.

    Any number of threads may search at once; each search beyond the first has workspace of its own
    for as long as it runs.
    """

    concurrent = True
    rehearsals = 0

    def __init__(self, A: MatrixData) -> None:
        dtype = A.index_type if isinstance(A, OnDiskMatrix) else A.indices.dtype
        self._workspace = Workspace(A.nrows, dtype)
        self._building = threading.Lock()
        self._laid_out: dict[tuple[Relabelling, NeighbourOrder], LaidOutSearches] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of layouts and workspace held, and of outputs that came back."""
        layouts = list(self._laid_out.values())
        return self._workspace.nbytes + sum(searches.nbytes for searches in layouts)

    def run(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """Search `A`, the matrix that this was made for."""
        if isinstance(A, OnDiskMatrix):
            request = _from_disk(A, request)
        if request.part_edges is not None:
            return self._search_parts(A, request)
        sources, positions = distinct(request.source)
        listed = list_one(A, request, sources, positions, self._workspace.marks)
        if listed is not None:
            _check_pages(A)
            return listed
        found = self._search(A, sources, request)
        _check_pages(A)
        owner = found.owners
        if owner is not None and positions is not None:
            owner[owner >= 0] = positions[owner[owner >= 0]]
        wanted = found.levels if request.levels else None
        return SearchResult(
            A.nrows,
            {"levels": wanted, "parents": found.parents, "owners": owner},
            found.counts,
            found.edges,
            self._workspace,
        )

    def _search_parts(self, A: MatrixData, request: SearchRequest) -> SearchResult:
        """A search over parts of the edges, which shares nothing with others."""
        part_edges, threads = request.part_edges, resolve_threads(request.threads)
        assert part_edges is not None
        begin = partial(CpuPartSteps, A, lambda: in_edges(A), part_edges, threads)
        found = search_parts(A, request, begin)
        return SearchResult(A.nrows, found.arrays, found.counts, found.edges)

    def _search(self, A: MatrixData, sources: Ints, request: SearchRequest) -> Found:
        """A search from distinct sources in the layout that is asked for."""
        least = needs_least(request)
        layout = cpu_layout(request.relabel, request.neighbours, least)
        if layout == (None, None):
            pattern = maybe_in_edges(A, needed=not pushes(request) or least)
            return search(A, pattern, self._workspace, sources, request)
        with self._building:
            if layout not in self._laid_out:
                made = lay_out(A, in_edges(A), *layout, resolve_threads(request.threads))
                self._laid_out[layout] = LaidOutSearches(made, self._workspace)
        return self._laid_out[layout].search(sources, request)

    def resumable(self, A: MatrixData, request: SearchRequest, sources: Ints) -> CpuResumable:
        """This engine's part in a search of `A` from distinct sources."""
        return CpuResumable(A, in_edges(A), self._workspace, request, sources, native_rates())


def _check_pages(A: MatrixData) -> None:
    """Refuse what was read of a matrix on the disk that has lost pages: zeros, of which a search
    finds little."""
    if isinstance(A, OnDiskMatrix):
        A.check_pages()


def _from_disk(A: OnDiskMatrix, request: SearchRequest) -> SearchRequest:
    """The request, by parts of the edges where these do not fit into memory, or would have to be
    copied there, or least parents would be told by in-edges that are not there; and only pushing
    where there are none."""
    known = A.derived.symmetric or known_transpose(A) is not None
    if request.part_edges is None and request.layout == ("auto", "auto") and not request.schedule:
        needed = A.is_odd or (not known and needs_least(request))
        part_edges = disk_part_edges(A.bytes_on_disk, available_bytes(), needed=needed)
        request = replace(request, part_edges=part_edges)
    if request.direction == "auto" and not known:
        request = replace(request, direction="push")
    return request


def in_edges(A: MatrixData) -> MatrixData:
    """A matrix with the pattern of the transpose of `A`."""
    return A if is_symmetric(A) else transposed(A)


def maybe_in_edges(A: MatrixData, *, needed: bool) -> MatrixData | None:
    """The same; None where it need not be made."""
    if needed or (A.derived.symmetric is not None and is_symmetric(A)):
        return in_edges(A)
    return known_transpose(A)
