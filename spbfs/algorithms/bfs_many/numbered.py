"""Searches of a hypersparse matrix: of the graph among its vertices with edges, numbered from 0."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from spbfs.algorithms.bfs_many.arguments import Arguments
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.engines import get_engine
from spbfs.engines.bfs import searches_of
from spbfs.engines.hypersparse_searches import HypersparseSearches
from spbfs.storage.entries import on_host
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["named", "numbered"]

Array = Any

#: Outputs that have an element for every vertex, reached or not.
_DENSE = {"levels", "per_level", "counts", "level_sums", "parents"}


def numbered(call: Arguments) -> tuple[Arguments, Array | None]:
    """The call over numbered vertices and their labels; None where vertices are as they were."""
    asked = _DENSE & set(call.outputs) - ({"levels"} if call.sparse else set())
    if asked or not isinstance(call.data, HypersparseMatrix):
        return call, None
    make = get_engine(call.device).searches
    searches = searches_of(call.data, make)
    if not isinstance(searches, HypersparseSearches):
        searches = HypersparseSearches(call.data, make)  # the reference searches it as it is
    graph, labels, at = searches.among(call.data, call.sources)
    return replace(call, data=graph, given=at), on_host(labels)


def named(result: BFSManyResult, call: Arguments, labels: Array | None) -> BFSManyResult:
    """What was found, of the vertices that `call` is about."""
    if labels is None:
        return result
    result.sources = call.sources
    rows = result.levels
    if rows is not None:
        kind = np.int32 if call.data.ncols <= np.iinfo(np.int32).max else np.int64
        types = [("source", kind), ("vertex", kind), ("hops", rows.dtype["hops"])]
        result.levels = made = np.empty(rows.shape, types)
        made["source"], made["vertex"] = labels[rows["source"]], labels[rows["vertex"]]
        made["hops"] = rows["hops"]
    return result
