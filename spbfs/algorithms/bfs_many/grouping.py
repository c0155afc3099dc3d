"""Which sources should share a batch: those whose searches meet early (iBFS's GroupBy).

Liu, Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016), section 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module, on_host

__all__ = ["group_by_hub"]

Ints = npt.NDArray[np.int64]

#: Neighbours looked at in one go.
_BLOCK = 1 << 24


def group_by_hub(A: MatrixData, sources: Ints, rule: tuple[int, int] | None) -> Ints:
    """An order of sources in which those that share a hub lie together.

    A source's hub is its out-neighbour of largest degree.  Among the sources of a hub those of few
    neighbours come first: what they do not share is little.

    Parameters
    ----------
    A : MatrixData
        Square.
    sources : int64 array
    rule : (p, q) or None
        Group only sources of degree less than p whose hub has a degree of more than q.

    Returns
    -------
    int64 array
        A permutation of the positions in `sources`.
    """
    degrees = A.indptr[1:] - A.indptr[:-1]
    xp = array_module(degrees)
    hub = np.concatenate(
        [_hubs(A, degrees, xp.asarray(part)) for part in _parts(degrees, sources)]
        or [np.empty(0, np.int64)]
    )
    own = on_host(degrees[xp.asarray(sources)]).astype(np.int64)
    fame = np.where(hub < 0, 0, on_host(degrees[xp.asarray(np.maximum(hub, 0))]))
    grouped = (hub >= 0) if rule is None else (own < rule[0]) & (fame > rule[1])
    return np.lexsort((own, np.where(grouped, hub, -1), -fame, ~grouped)).astype(np.int64)


def _parts(degrees: Any, sources: Ints) -> list[Ints]:
    """The sources in pieces whose neighbours are not too many at once."""
    if not sources.shape[0]:
        return []
    xp = array_module(degrees)
    total = np.cumsum(on_host(degrees[xp.asarray(sources)]), dtype=np.int64)
    cuts = np.searchsorted(total, np.arange(_BLOCK, int(total[-1]), _BLOCK))
    return [part for part in np.split(sources, cuts) if part.shape[0]]


def _hubs(A: MatrixData, degrees: Any, sources: Any) -> Ints:
    """The out-neighbour of largest degree of every source, the least of several; -1 without any."""
    xp = array_module(degrees)
    length = degrees[sources].astype(np.int64)
    ends = xp.cumsum(length)
    which = xp.searchsorted(ends, xp.arange(int(ends[-1])), side="right")
    at = xp.arange(which.shape[0]) - (ends - length)[which] + A.indptr[sources][which]
    neighbour = A.indices[at].astype(np.int64)
    # By source, then by degree, then backwards by number: the last of a source is its hub.
    order = xp.lexsort(xp.stack([-neighbour, degrees[neighbour].astype(np.int64), which]))
    hub = xp.full(sources.shape[0], -1, np.int64)
    some = length > 0
    hub[some] = neighbour[order][ends[some] - 1]
    host: Ints = on_host(hub)
    return host
