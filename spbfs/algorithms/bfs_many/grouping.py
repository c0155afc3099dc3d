"""Which sources should share a batch: those whose searches meet early.

Liu, Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016), section 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.storage.data import MatrixData, in_host_memory
from spbfs.storage.entries import array_module, bincount, on_host

__all__ = ["group_by_hub", "group_by_rules"]

Ints = npt.NDArray[np.int64]

#: Neighbours looked at in one go.
_BLOCK = 1 << 24
#: The values that iBFS has p rise through.
_STEPS = (4, 16, 64, 128)


def group_by_hub(A: MatrixData, sources: Ints) -> Ints:
    """An order of sources in which those that share a hub lie together.

    A source's hub is its out-neighbour of largest degree, the least of several.  Hubs follow one
    another by falling degree; among the sources of a hub those of many neighbours come first: the
    joint frontiers of 4096 sources of Kronecker graphs of scale 14 and 16, in batches of 64 to
    1024, had 0.1 to 1.3 % fewer vertices than with those of few first.

    Parameters
    ----------
    A : MatrixData
        Square.
    sources : int64 array

    Returns
    -------
    int64 array
        A permutation of the positions in `sources`.
    """
    if not sources.shape[0]:
        return np.empty(0, np.int64)
    if not in_host_memory(A.indptr):
        # Sorted where the matrix is: no worker has anything to do before that.
        from spbfs.engines.cuda.bfs_many.hubs import hub_order  # imports CuPy

        return hub_order(A, sources)
    degrees = A.indptr[1:] - A.indptr[:-1]
    hub = np.concatenate([_hubs(A, degrees, part) for part in _parts(degrees, sources)])
    hub_degree = np.where(hub < 0, 0, degrees[np.maximum(hub, 0)])
    return np.lexsort((-degrees[sources], hub, -hub_degree, hub < 0))


def group_by_rules(A: MatrixData, sources: Ints, limits: tuple[int, int], size: int) -> Ints:
    """The order in which iBFS's GroupBy fills groups of `size` searches (section 5.2 there).

    Two sources may share a group where both have fewer than p out-neighbours (rule 1) and some
    vertex of more than q, a hub, is an out-neighbour of both (rule 2).  Of the sources of a hub
    those of fewer than 4 out-neighbours are taken first, then those of fewer than 16, 64, 128 and
    p, as p rises there.  Groups that one hub fills are searched first.  What a hub has beyond them
    is too small for a group, so that sources of several are put together.  Those that meet both
    rules with no other source come last, at random.

    The paper leaves open under which of several hubs a source is put: here under that of largest
    degree, the least of several, as more sources share it.  So it does which small groups are put
    together: here those of hubs that follow one another by falling degree, sources of a hub and a
    step of p as given, and the last such group is filled up from those at random.  These are
    shuffled alike at every call, so that a call can be made again; as given they would be no random
    groups, since numbers that are close are often neighbours in real graphs.

    Measured faster and not the paper's is `group_by_hub`, which asks nothing of degrees.

    Parameters
    ----------
    A : MatrixData
        Square.
    sources : int64 array
    limits : (p, q)
        The largest p, and q.  With q = 0 any common out-neighbour is a hub that has some itself, as
        the paper wants it where degrees are even.
    size : int
        N of the paper: searches of a group.

    Returns
    -------
    int64 array
        A permutation of the positions in `sources`.
    """
    p, q = limits
    degrees = A.indptr[1:] - A.indptr[:-1]
    own = _at(degrees, sources)
    few = np.flatnonzero(own < p)
    hub = np.full(sources.shape[0], -1)
    hub[few] = _shared_hubs(A, degrees, sources[few], q)
    grouped = np.flatnonzero(hub >= 0)
    step = np.searchsorted(_STEPS, own[grouped], side="right")
    order = grouped[np.lexsort((step, hub[grouped], -_at(degrees, hub[grouped])))]
    begins = np.flatnonzero(np.diff(hub[order], prepend=-1))
    counts = np.diff(begins, append=order.shape[0])
    place = np.arange(order.shape[0]) - np.repeat(begins, counts)
    whole = place < np.repeat(counts // size * size, counts)
    rest = np.random.default_rng(0).permutation(np.flatnonzero(hub < 0))
    return np.concatenate([order[whole], order[~whole], rest])


def _at(degrees: Any, vertices: Ints) -> Ints:
    """Degrees of some vertices, on the host."""
    found: Ints = on_host(degrees[array_module(degrees).asarray(vertices)]).astype(np.int64)
    return found


def _parts(degrees: Any, sources: Ints) -> list[Any]:
    """The sources, where the matrix is, in pieces whose neighbours are not too many at once."""
    if not sources.shape[0]:
        return []
    xp = array_module(degrees)
    here = xp.asarray(sources)
    total = xp.cumsum(degrees[here].astype(np.int64))
    cuts = np.arange(_BLOCK, int(total[-1]), _BLOCK)
    if not cuts.shape[0]:
        return [here]
    pieces = xp.split(here, on_host(xp.searchsorted(total, xp.asarray(cuts))).tolist())
    return [piece for piece in pieces if piece.shape[0]]


def _neighbours(A: MatrixData, degrees: Any, sources: Any) -> tuple[Any, Any]:
    """Out-neighbours of all sources, and which of the sources each belongs to."""
    xp = array_module(degrees)
    length = degrees[sources].astype(np.int64)
    ends = xp.cumsum(length)
    total = int(ends[-1])
    # repeat() by lengths, which CuPy has from 14.1 on.
    owner = xp.cumsum(bincount(ends, total + 1)[:total])
    at = xp.arange(total) + (A.indptr[sources] - (ends - length))[owner]
    return A.indices[at], owner


def _hubs(A: MatrixData, degrees: Any, sources: Any, among: Any = None) -> Any:
    """The out-neighbour of largest degree of every source, the least of several, as int64 where the
    matrix is; -1 without any.

    `among` has a flag a vertex: whether it may be a hub.
    """
    xp = array_module(degrees)
    neighbour, owner = _neighbours(A, degrees, sources)
    if among is not None:
        kept = among[neighbour]
        neighbour, owner = neighbour[kept], owner[kept]
    degree = degrees[neighbour].astype(neighbour.dtype)
    # Of the type of columns: CuPy's atomics take int32, and have no int64.
    largest = xp.zeros(sources.shape[0], neighbour.dtype)
    xp.maximum.at(largest, owner, degree)
    hub = xp.full(sources.shape[0], A.ncols, neighbour.dtype)
    best = degree == largest[owner]
    xp.minimum.at(hub, owner[best], neighbour[best])
    return xp.where(hub < A.ncols, hub, -1).astype(np.int64)


def _shared_hubs(A: MatrixData, degrees: Any, sources: Ints, q: int) -> Ints:
    """The same among vertices of more than q out-neighbours that are those of several sources."""
    xp = array_module(degrees)
    parts = _parts(degrees, sources)
    times = xp.zeros(A.ncols, np.int64)
    for part in parts:
        times += bincount(_neighbours(A, degrees, part)[0], A.ncols)
    # No row is longer than there are columns; CuPy compares with nothing that int32 has not.
    among = (degrees > min(q, A.ncols)) & (times > 1)
    return np.concatenate(
        [np.empty(0, np.int64), *(on_host(_hubs(A, degrees, part, among)) for part in parts)]
    )
