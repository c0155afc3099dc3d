"""A path of fewest edges on the GPU: by a search from one end, as far as the level of the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.bfs import Searches, SearchRequest, searches_of
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import on_host

__all__ = ["path_between"]

Array = Any  # numpy.ndarray


def path_between(engine: Any, A: MatrixData, source: int, target: int) -> Array:
    """See `PathBetween`."""
    searches: Searches = searches_of(A, engine.searches)
    request = SearchRequest(
        source, False, "any", None, target, "auto", None, "auto", traced=False, planned=False
    )
    request.device = engine.name
    parents = on_host(searches.run(A, request).array("parents"))
    if parents[target] < 0:
        return np.zeros(0, np.int64)
    path = [target]
    while path[-1] != source:
        path.append(int(parents[path[-1]]))
    return np.array(path[::-1], np.int64)
