"""Unweighted distances between all pairs of vertices, or from many of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spbfs.algorithms.bfs.arguments import Vertices, chosen_vertices
from spbfs.algorithms.bfs_many import bfs_many
from spbfs.algorithms.bfs_many.arguments import square

if TYPE_CHECKING:
    from spbfs.base.progress import Progress
from spbfs.base.wording import said_of

__all__ = ["distances"]


def distances(
    A: Any,
    sources: Vertices | None = None,
    *,
    out: Any = None,
    max_depth: int | None = None,
    sparse: bool = False,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    scheduler: Any = None,
    devices: Sequence[str | int] | None = None,
) -> Any:
    """How many edges lead from each source to every vertex, on a shortest path.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix, entry (u, v) for the edge from u to v; values do not matter, be they
        zero, negative or NaN, nor do loops.
    sources : int or iterable of int, optional
        k vertices; all of them by default.
    out : array, str or os.PathLike, optional
        Where the result goes, k x n in uint8, uint16 or uint32; a ``numpy.memmap``, say, or the
        name of a ``.npy`` file, as for `bfs_many`.
    max_depth : int, optional
        Vertices farther than this count as unreached.
    sparse : bool, optional
        Rows of (source, vertex, hops) instead, as for `bfs_many`: of the pairs within `max_depth`,
        say, which are few.
    threads, progress : optional
        As for `bfs_many`.
    scheduler, devices : optional
        Who searches, as for `bfs_many`, with its errors.

    Returns
    -------
    array, k x n
        uint8, or what the largest distance asks for; the dtype's maximum stands for unreached.
        With `sparse` a structured array, a row a pair, straight to a data frame.  Of a matrix over
        ranks without it a list of k vectors.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfMemory
        As for `bfs_many`.

    Notes
    -----
    Work is about that of a search a vertex at most, n looks at m edges; searches of a batch share
    looks, and there is memory for a batch beside the result.  A graph without edges has only the
    sources' zeros.  The result is the same on every run.

    References
    ----------
    Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
    multi-source graph traversal (VLDB 2014).

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.distances(sb.generate.path(4))
    array([[0, 1, 2, 3],
           [1, 0, 1, 2],
           [2, 1, 0, 1],
           [3, 2, 1, 0]], dtype=uint8)
    >>> import pandas
    >>> pandas.DataFrame(sb.distances(sb.generate.path(4), [0, 3], max_depth=1, sparse=True))
       source  vertex  hops
    0       0       0     0
    1       0       1     1
    2       3       3     0
    3       3       2     1
    """
    matrix = square(A)
    chosen = chosen_vertices(None, "sources", matrix.nrows) if sources is None else sources
    with said_of(outputs="out"):
        found = bfs_many(
            matrix,
            chosen,
            outputs={"levels": out},
            max_depth=max_depth,
            sparse=sparse,
            threads=threads,
            progress=progress,
            scheduler=scheduler,
            devices=devices,
        )
    return found.levels
