"""Searches from many sources of a matrix that is spread over ranks, which all of them make."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from spbfs.algorithms.bfs_many.arguments import ALWAYS, COMPUTED, Arguments
from spbfs.algorithms.bfs_many.outputs.sparse_levels import rows_type
from spbfs.algorithms.bfs_many.result import BFSManyResult, inverses_summed, nothing_found
from spbfs.base.progress import Report
from spbfs.engines.arrays.patterns.layout import index_type
from spbfs.engines.bfs_many import ManyRequest, summed
from spbfs.engines.protocol import Spread
from spbfs.exceptions import InvalidValue
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector

__all__ = ["search_over_ranks"]

#: What is made over ranks.
_MADE = frozenset(COMPUTED + ALWAYS) - {"per_level"}
#: Searches at once: a row of bits is a cache line.
_BATCH = 512


def search_over_ranks(call: Arguments, spread: Spread, progress: Any = None) -> BFSManyResult:
    """The call, whose levels and parents are lists of vectors over ranks, as counts and sums are
    vectors; sparse levels are an array, at every rank."""
    _check(call)
    started = time.perf_counter()
    request = ManyRequest(max_depth=call.max_depth, threads=call.threads)
    batch = call.batch or _BATCH
    wanted = frozenset(call.outputs)
    with Report(progress, call.sources.shape[0]) as report:
        found = spread.search_many(call.data, call.sources, request, wanted, batch, report)
    result = nothing_found(call.sources)
    result.done[:] = True
    result.reached, result.sum_levels, result.eccentricity = summed(found.level_sizes)
    result.level_sizes = found.level_sizes if "level_sizes" in wanted else None
    if "sum_inverses" in wanted:
        result.sum_inverses = inverses_summed(found.level_sizes)
    if found.levels is not None and call.sparse:
        result.levels = _rows(call, found.levels)
    elif found.levels is not None:
        result.levels = [_vector(data, call.device) for data in found.levels]
    if found.parents is not None:
        result.parents = [_vector(data, call.device) for data in found.parents]
    for name, data in found.vectors.items():
        setattr(result, name, _vector(data, call.device))
    result.depth, result.edges = found.level_sizes.shape[1] - 1, found.edges
    result.batch, result.seconds = batch, time.perf_counter() - started
    return result


def _rows(call: Arguments, levels: list[Any]) -> Any:
    """Every level as a row of (source, vertex, hops), at every rank."""
    kind = rows_type(index_type(call.data.nrows))
    parts = []
    for source, data in zip(call.sources.tolist(), levels, strict=True):
        vertices, hops = whole(_vector(data, call.device)).to_coo()
        order = np.lexsort((vertices, hops))
        rows = np.empty(vertices.shape[0], kind)
        rows["source"], rows["vertex"], rows["hops"] = source, vertices[order], hops[order]
        parts.append(rows)
    return np.concatenate(parts) if parts else np.empty(0, kind)


def _vector(data: Any, device: str) -> Vector:
    made: Vector = Vector._from_data(data, device)
    return made


def _check(call: Arguments) -> None:
    """Refuse what needs an array of all vertices in one place."""
    for name, place in call.outputs.items():
        if name not in _MADE:
            known = ", ".join(sorted(_MADE))
            raise InvalidValue(f"outputs: expected some of {known} over ranks, got {name!r}")
        if place is not None:
            raise InvalidValue(
                f"outputs: expected no place for {name} over ranks; vectors have .to_file()"
            )
    if call.group != "auto" and call.group != "given":
        raise InvalidValue(f"group: expected 'auto' or 'given' over ranks, got {call.group}")
