"""A search whose levels are expanded by strategies that somebody chooses, on one device or on two.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018).

`Chooser.next_run` is asked how the search goes on, and answers with a run of levels on one device.
A run to the end, from the sources, is a search as any other, in one call of that device's engine.
Else the engines take turns: whoever is next is given the frontier and what was found since it had
it, and at the end the GPU gets what the CPU found.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, cast

import numpy as np

from spbfs.base import tracing
from spbfs.engines import get_engine
from spbfs.engines.bfs import (
    Ints,
    LevelTrace,
    Searches,
    SearchRequest,
    SearchResult,
    distinct,
    searches_of,
)
from spbfs.engines.bfs_resumed import Ended, Expanded, Resumable, TurnTaking
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.residences import residence, residences_of
from spbfs.planner.strategies import Chooser, Run, Traversed
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import on_host
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["search_by"]


def search_by(
    chooser: Chooser, A: MatrixOperand, request: SearchRequest
) -> tuple[SearchResult, str]:
    """What a search of `A` finds with the strategies that are chosen, and where its outputs are."""
    sources, positions = distinct(request.source)
    start = _beginning(A, sources)
    run = chooser.next_run(start)
    if run.levels is None:
        device = run.device if A.device in ("cpu", "cuda") else A.device
        data, searches = _searches_on(A, device)
        return searches.run(data, request.scheduled(run.strategies)), device
    if A.device == "cpu" and _needs_levels(request):
        # One engine alone sets owners and least parents level by level, in a search of its own.
        data, searches = _searches_on(A, "cpu")
        return searches.run(data, request), "cpu"
    turns = _Turns(A, request, sources)
    turns.take(chooser, start, run)
    return turns.result(positions)


def _needs_levels(request: SearchRequest) -> bool:
    return request.parents == "min" or request.several


def _searches_on(A: MatrixOperand, device: str) -> tuple[MatrixData, Searches]:
    data = residence(A, device)
    return data, searches_of(data, get_engine(device).searches)


def _beginning(A: MatrixOperand, sources: Ints) -> Traversed:
    """What is known before the first level; over ranks, which have one way alone, not the edges."""
    if A._engine.spread is not None:
        return Traversed(A.nrows, A.nvals, 0, sources.shape[0], 0, sources.shape[0], 0)
    return _at_sources(residence(A, residences_of(A)[-1]), sources)


def _at_sources(data: MatrixData, sources: Ints) -> Traversed:
    """What is known before the first level, from the host's storage where there is one."""
    n, count, rows = data.nrows, sources.shape[0], sources
    if isinstance(data, HypersparseMatrix):
        known = on_host(data.rows)
        rows = np.searchsorted(known, sources)
        rows = (
            rows[known[np.minimum(rows, known.shape[0] - 1)] == sources] if known.size else rows[:0]
        )
        data = data.compact
    offsets = data.indptr
    edges = int((offsets[rows + 1] - offsets[rows]).sum())
    return Traversed(n, data.nvals, 0, count, edges, count, 0)


class _Turns:
    """The engines' parts in one search, each begun when its device is first chosen."""

    def __init__(self, A: MatrixOperand, request: SearchRequest, sources: Ints) -> None:
        self._A, self._request, self._sources = A, request, sources
        self._parts: dict[str, Resumable] = {}
        self._started = time.perf_counter()
        self._steps: list[LevelTrace] = []
        self._depth = 0

    def take(self, chooser: Chooser, at: Traversed, run: Run) -> None:
        """Run after run until the search is over, the first from the sources."""
        n, deepest = self._A.nrows, self._request.max_depth
        limit = n if deepest is None else min(deepest, n)
        here = run.device
        self._part(here)
        over = limit == 0 or self._request.target in self._sources.tolist()
        while not over:
            part, moving = self._part(run.device), 0.0
            if run.device != here:
                moving = self._switch(here, run.device, at.level)
                here = run.device
            last = limit if run.levels is None else min(limit, at.level + run.levels)
            went = part.expand(run, at.level, last, explored=at.explored)
            if went.steps:
                went.steps[0] = replace(went.steps[0], switch=moving)
            self._steps += went.steps
            self._depth = went.level
            over = went.over or went.level >= limit
            at = _after(at, went)
            if not over:
                run = chooser.next_run(at)

    def _part(self, device: str) -> Resumable:
        if device not in self._parts:
            data, searches = _searches_on(self._A, device)
            taking_turns = cast(TurnTaking, searches)
            self._parts[device] = taking_turns.resumable(data, self._request, self._sources)
        return self._parts[device]

    def _switch(self, here: str, there: str, level: int) -> float:
        """Move the frontier and the visited set; seconds that it took."""
        began = time.perf_counter()
        gpu: Any = get_engine("cuda")
        moved = self._parts[here].give(gpu.pinned)
        self._part(there).take(moved, level)
        forms = f"{moved.frontier.form} and {moved.found.form}"
        tracing.record(conversions=f"{here}->{there} as {forms}, {moved.nbytes} bytes")
        return time.perf_counter() - began

    def result(self, positions: Ints | None) -> tuple[SearchResult, str]:
        """What was found, where it is put together."""
        # Owners and least parents follow from levels, on the GPU.
        on_gpu = "cuda" in self._parts or _needs_levels(self._request)
        device = "cuda" if on_gpu else "cpu"
        part = self._part(device)
        del self._parts[device]
        for other in self._parts.values():
            part.add(other.finds())
        trace = self._steps if self._request.traced else None
        return part.result(positions, Ended(self._depth, self._started, trace)), device


def _after(at: Traversed, went: Expanded) -> Traversed:
    """What is known behind a run."""
    return replace(
        at,
        level=went.level,
        frontier=went.frontier,
        edges=went.edges,
        reached=at.reached + sum(s.frontier for s in went.steps[1:]) + went.frontier,
        explored=at.explored + sum(s.edges for s in went.steps),
    )
