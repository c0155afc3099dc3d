"""The frontiers of many searches, level by level, for those who write their own searches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from spbfs.algorithms.bfs.arguments import Vertices
from spbfs.algorithms.bfs_many.arguments import MOST_SEARCHES, Arguments, check_arguments
from spbfs.algorithms.bfs_many.outputs.frontiers import Frontiers
from spbfs.algorithms.bfs_many.prepare import joint_searches
from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.engines import get_engine
from spbfs.engines.bfs_many import ManyRequest
from spbfs.exceptions import NotImplementedException
from spbfs.objects.matrix import Matrix

__all__ = ["levels_many"]


@typed_refusals
def levels_many(
    A: Any,
    sources: Vertices,
    *,
    max_depth: int | None = None,
    direction: Literal["auto", "push", "pull"] = "auto",
    threads: int | None = None,
) -> Iterator[tuple[int, Matrix]]:
    """The frontiers of many breadth-first searches: ``for depth, F in sb.levels_many(A, sources)``.

    What the loop ``F(~levels.S, replace) << semiring.any_pair(A.T @ F)`` computes level by level,
    out of joint searches, which run when the first frontier is asked for.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; stored entry (u, v) is the edge from u to v, whatever its value.
    sources : int or iterable of int
        k vertices, in any order, perhaps repeated; also an array on the GPU where the matrix is.
    max_depth : int, optional
        Visit no vertex deeper than this.
    direction : {"auto", "push", "pull"}, optional
        Expand the joint frontier over out-edges, let vertices search their in-edges, or choose at
        every level what costs less.
    threads : int, optional
        Of the CPU engine.  Default: `set_threads`, else ``OMP_NUM_THREADS``, else every core.

    Yields
    ------
    depth : int
        0 for the sources, then 1, 2, ... until all searches have ended.
    F : Matrix
        n x k, BOOL, on the device of A: column j has the vertices `depth` steps from source j; in
        packed bits for up to 1024 sources.  Its entries are made when something first looks at
        them, and until then it keeps the memory of the searches from serving others.

    Raises
    ------
    DimensionMismatch, IndexOutOfBound, DomainMismatch, InvalidValue
        As `bfs_many`, at the call; on CUDA, InvalidValue at the first frontier where a search is
        deeper than 65534.
    OutOfMemory
        At the first frontier, when searches do not fit: of more than 1024 sources all are held at
        once, 1024 and what remains to a traversal.

    Notes
    -----
    Work is that of `bfs_many`.  Edges are followed along their direction; loops and values, zero,
    negative and NaN too, do not matter.  A graph of no vertices has no source to begin at; from a
    source without edges nobody else is reached.  Frontiers are the same on every run and engine.

    References
    ----------
    Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
    multi-source graph traversal (VLDB 2014).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(4)
    >>> for depth, F in sb.levels_many(A, [0, 2]):
    ...     print(depth, F.to_coo()[0], F.to_coo()[1])
    0 [0 2] [0 1]
    1 [1 1 3] [0 1 1]
    2 [0 2] [1 0]
    3 [3] [0]
    """
    call = check_arguments(A, sources, max_depth=max_depth, direction=direction, threads=threads)
    if get_engine(call.device).spread is not None:
        raise NotImplementedException("a frontier is n x k there; spbfs.bfs_many has the levels")
    return _levels(replace(call, given=call.sources))


def _levels(call: Arguments) -> Iterator[tuple[int, Matrix]]:
    # A call of its own, so that no name here keeps the searches when the last level was handed out.
    yield from _search(call)


@typed_refusals
def _search(call: Arguments) -> Frontiers:
    """All searches, a joint one for every so many columns."""
    joint = joint_searches(call)
    request = ManyRequest(
        levels=True,
        max_depth=call.max_depth,
        direction=call.direction,
        threads=call.threads,
    )
    found = []
    begun = time.perf_counter()
    with ExitStack() as opened:
        for first in range(0, call.sources.shape[0], MOST_SEARCHES):
            sources = call.sources[first : first + MOST_SEARCHES]
            batch = joint.batch(call.data, sources, np.arange(sources.shape[0]), request)
            found.append((opened.enter_context(batch), int(sources.shape[0])))
        if tracing.current() is not None:
            edges = sum(batch.edges for batch, _ in found)
            tracing.record(kernel="bfs_many", frontier=call.sources.shape[0], edges=edges)
            tracing.finish("levels_many", call.device, time.perf_counter() - begun, None)
        return Frontiers(call.device, call.data.nrows, found, opened.pop_all())
