"""Breadth-first search over parts of the edges: level by level, and of a level only those parts
that hold edges to look at.

Vertices' arrays lie with whoever searches, edges come part by part; `PartSteps` is what an engine
does with one of them.  A search holds the offsets of rows, a level, a key and two lists a vertex,
and as many parts as the engine says, not the edges.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from spbfs.engines.bfs import Counts, Ints, LevelTrace, SearchRequest, distinct
from spbfs.planner.search import pull_parts_pays
from spbfs.storage.data import MatrixData

__all__ = ["FoundInParts", "PartKeys", "PartSteps", "search_parts"]

Array = Any


class PartKeys(NamedTuple):
    """How a vertex's owner and parent are one number: the least of those claimed stays.

    Attributes
    ----------
    shift : int
        Bits of a vertex's number; the owner's position among the sources lies above them.
    mask : int
        The bits of owners; 0 where there is one source.
    """

    shift: int
    mask: int

    @classmethod
    def of(cls, n: int, sources: int) -> PartKeys:
        """Those of n vertices and so many sources.

        Examples
        --------
        >>> PartKeys.of(1000, 1), PartKeys.of(1 << 62, 2).mask == 0b11 << 62
        (PartKeys(shift=10, mask=0), True)
        """
        shift = max(1, (n - 1).bit_length())
        return cls(shift, (1 << 64) - (1 << shift) if sources > 1 else 0)


class PartSteps(Protocol):
    """The arrays of one search, at level 0 when it is made, and what is done with a part."""

    def frontier_parts(self) -> tuple[int, Ints]:
        """Out-edges of the frontier, and the parts of the out-edges that hold them."""

    def open_parts(self) -> Ints:
        """The parts of the in-edges that hold those of vertices not reached."""

    def expand(self, parts: Ints, pull: bool) -> None:
        """Look at parts of the out-edges for the frontier's rows, or of the in-edges for those of
        vertices not reached: what is found is of the next level."""

    def advance(self) -> int:
        """Make what was found the frontier; how many vertices it has."""

    def is_reached(self, vertex: int) -> bool:
        """Whether a vertex has a level."""

    def outputs(self, request: SearchRequest) -> dict[str, Array | None]:
        """Levels, parents and owners, -1 where not reached, None where not asked for."""


class FoundInParts(NamedTuple):
    """What a search over parts found."""

    arrays: dict[str, Array | None]
    counts: Counts
    edges: int


def search_parts(
    A: MatrixData,
    request: SearchRequest,
    begin: Callable[[Ints, Ints, PartKeys], PartSteps],
) -> FoundInParts:
    """A search of `A` over parts.

    Parameters
    ----------
    A : MatrixData
        Of which only the size is asked.
    request : SearchRequest
    begin : callable
        Makes the engine's steps of distinct sources, their owners' numbers and `PartKeys`.
    """
    started = time.perf_counter()
    sources, positions = distinct(request.source)
    n = A.nrows
    owners = np.arange(sources.shape[0]) if positions is None else positions
    limit = n if request.max_depth is None else request.max_depth
    steps = begin(sources, owners, PartKeys.of(n, sources.shape[0]))
    frontier, depth, reached, edges = sources.shape[0], 0, 0, 0
    trace: list[LevelTrace] = []
    width = 4 if n < 1 << 31 else 8
    while True:
        began = time.perf_counter()
        out_edges, parts = steps.frontier_parts()
        reached, edges = reached + frontier, edges + out_edges
        ended = request.target is not None and steps.is_reached(request.target)
        if ended or depth >= limit or not out_edges:
            break
        pull = request.direction == "pull"
        if request.direction == "auto":
            pull = pull_parts_pays(n, out_edges, A.nvals - edges)
        if pull:
            parts = steps.open_parts()
        steps.expand(parts, pull)
        found = steps.advance()
        seconds = time.perf_counter() - began
        looked_at = _entries_of(parts, A.nvals, request.part_edges or 1) if pull else out_edges
        line = LevelTrace(frontier, out_edges, "pull" if pull else "push", seconds, "parts")
        trace.append(replace(line, read=looked_at * width))
        if not found:
            break
        frontier, depth = found, depth + 1
    arrays = steps.outputs(request)
    seconds = time.perf_counter() - started
    counts = Counts(depth, reached, seconds, trace if request.traced else None)
    return FoundInParts(arrays, counts, edges)


def _entries_of(parts: Ints, entries: int, part_edges: int) -> int:
    """Entries of parts, the last of all of which may have fewer.

    Examples
    --------
    >>> _entries_of(np.array([0, 2]), 25, 10)
    15
    """
    last = -(-entries // part_edges) - 1
    missing = (last + 1) * part_edges - entries
    return len(parts) * part_edges - missing * int(last in parts)
