"""Distributed matrices from what each rank has a part of: a file, edges, SciPy's arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spbfs.base.wording import brief, counted
from spbfs.distributed.constructors.assemble import Listed, begun, digest, made
from spbfs.distributed.exchange.ranks import agree, everyones, settled, sums
from spbfs.distributed.parts.partition import Cut
from spbfs.exceptions import DimensionMismatch
from spbfs.objects.checks import as_flag, as_index_array, as_size, as_value_array
from spbfs.objects.matrix import Matrix

__all__ = ["from_edges", "from_scipy", "read"]

Array = Any


def read(
    path: Any,
    comm: Any = None,
    *,
    directed: bool = True,
    weights: bool | None = None,
    one_based: bool | None = None,
    cut: Cut = "rows",
    hubs: int | None = None,
    permutation: bool | int = True,
    devices: str | Sequence[str] = "cpu",
) -> Matrix:
    """Read a graph from a file, each rank a slice of it.

    No rank ever holds the whole graph.  All ranks call it, with equal arguments.

    Parameters
    ----------
    path : str or os.PathLike
        Of what every rank sees: a CSR folder, or a file, not compressed, that is a ``.sg``,
        ``.wsg``, ``.txt``, ``.el``, ``.edges`` or ``.wel``; see `spbfs.read`.
    comm : mpi4py.MPI.Comm, optional
        The ranks; by default all processes of the job.
    directed, weights, one_based : optional
        As for `spbfs.read`.
    cut, hubs, permutation, devices : optional
        As for `from_edges`.

    Returns
    -------
    Matrix
        Square, its edges spread over the ranks; its device is the name of the partition.

    Raises
    ------
    FormatError, FileError, FileMissing, InvalidValue
        As of `spbfs.read`, at every rank; or when files of that name have no slices.
    InvalidValue
        When arguments, files or versions of spbfs differ between ranks.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import spbfs as sb
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "triangle.el"
    >>> _ = path.write_text("0 1\\n1 2\\n2 0\\n")
    >>> def count(ranks):
    ...     return sb.distributed.read(path, ranks, directed=False).nvals
    >>> sb.distributed.simulate(2, count)
    [6, 6]
    """
    # What reads files loads compiled code.
    from spbfs.io.arguments import path_of
    from spbfs.io.formats.entries import ReadOptions, check_size
    from spbfs.io.formats.registry import is_csr_folder
    from spbfs.io.slices import file_print, read_slice

    ranks = begun(comm, "read")

    def slice_of() -> Listed:
        options = ReadOptions(as_flag(directed, "directed"), one_based, weights)
        found = read_slice(path_of(path), options, ranks.rank, ranks.size)
        n = found.at_least if found.shape is None else found.shape[0]
        top = max((int(a.max()) + 1 for a in (found.rows, found.cols) if len(a)), default=0)
        values = None if weights is False else found.values
        return Listed(found.rows, found.cols, values, max(top, n), "min")

    agree(ranks, "path", settled(ranks, lambda: digest(*file_print(path_of(path)))))
    listed = settled(ranks, slice_of)
    n = int(ranks.reduce(np.array([listed.vertices], np.int64), "max")[0])
    mirrored = 0 if directed else np.count_nonzero(listed.rows != listed.columns)
    (count,) = sums(ranks, listed.rows.shape[0] + mirrored)
    if not is_csr_folder(path):  # which has an offset for every row
        check_size((n, n), count, str(path_of(path)))
    return made(ranks, listed._replace(vertices=n), directed, cut, hubs, permutation, devices)


def from_edges(
    rows: Any,
    columns: Any,
    values: Any = None,
    comm: Any = None,
    *,
    n: int,
    directed: bool = True,
    cut: Cut = "rows",
    hubs: int | None = None,
    permutation: bool | int = True,
    devices: str | Sequence[str] = "cpu",
) -> Matrix:
    """Make a graph of edges of which every rank gives some.

    All ranks call it.  Edges go to the ranks that are to have them, so who gives which does not
    matter; of several in one place the least value stays.

    Parameters
    ----------
    rows, columns : array_like of int
        This rank's edges, from ``rows[k]`` to ``columns[k]``.
    values : array_like, optional
        One an edge; the matrix is BOOL without.  Its type holds those of all ranks: of whole
        numbers, some of them uint64, UINT64 or INT64.
    comm : mpi4py.MPI.Comm, optional
        The ranks; by default all processes of the job.
    n : int
        Vertices of the whole graph.
    directed : bool, optional
        False stores the mirror image of every edge, too.
    cut : {"rows", "grid"}, optional
        How edges are dealt out: with the vertex that they leave, or over a grid of ranks, so that
        a rank exchanges with those of its row and column only.  Either way ranks have consecutive
        vertices with about as many edges.
    hubs : int, optional
        With ``cut="rows"``: vertices with more edges than this have them at the ranks of their
        neighbours, and all these know the vertex.  By default those with more than a sixteenth of
        what a rank has.
    permutation : bool or int, optional
        Vertices are dealt out at random, and results are in the given numbers.  An integer is the
        seed; False leaves them in their order.
    devices : str or sequence of str, optional
        Who works on a rank's part, "cpu" or "cuda": one device for all ranks, or one a rank.  Ranks
        that are all on GPUs of their own exchange between these by NCCL, where it is there; the
        GPU is the current one, or by turns of those that ranks see where several have the same.

    Returns
    -------
    Matrix
        n x n.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue, OutOfRange
        When an argument is not what is described, at any rank; or differs between ranks.
    BackendUnavailable
        When a rank has not the device that it should work on.

    Examples
    --------
    >>> import spbfs as sb
    >>> def depth(ranks):
    ...     edge = [ranks.rank], [ranks.rank + 1]
    ...     return sb.bfs(sb.distributed.from_edges(*edge, comm=ranks, n=4), 0).depth
    >>> sb.distributed.simulate(3, depth)
    [3, 3, 3]
    """
    ranks = begun(comm, "from_edges")

    def checked() -> Listed:
        size = as_size(n, "n")
        i, j = (
            as_index_array(a, name, size, floats="whole")
            for a, name in ((rows, "rows"), (columns, "columns"))
        )
        if i.shape != j.shape:
            raise DimensionMismatch(f"columns: expected {i.shape[0]} as of rows, got {j.shape[0]}")
        x = None if values is None else as_value_array(values, i.shape[0], None)
        return Listed(i, j, x, size, "min")

    listed = settled(ranks, checked)
    return made(ranks, listed, directed, cut, hubs, permutation, devices)


def from_scipy(
    A: Any,
    comm: Any = None,
    *,
    first_row: int | None = None,
    cut: Cut = "rows",
    hubs: int | None = None,
    permutation: bool | int = True,
    devices: str | Sequence[str] = "cpu",
) -> Matrix:
    """Make a graph of SciPy sparse arrays, of which every rank has some rows.

    All ranks call it.  What several ranks store in one place is added up.

    Parameters
    ----------
    A : scipy.sparse array
        This rank's rows, with a column for every vertex.
    comm : mpi4py.MPI.Comm, optional
        The ranks; by default all processes of the job.
    first_row : int, optional
        The vertex that is row 0 of this rank's array; by default rows follow one another in the
        order of ranks.
    cut, hubs, permutation, devices : optional
        As for `from_edges`.

    Returns
    -------
    Matrix
        As many rows as columns.

    Raises
    ------
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not what is described, at any rank; or differs between ranks.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> import spbfs as sb
    >>> def entries(ranks):
    ...     row = sp.csr_array(([1.5], ([0], [1 - ranks.rank])), shape=(1, 2))
    ...     return sb.distributed.from_scipy(row, ranks).gather().to_dicts()
    >>> sb.distributed.simulate(2, entries)[0]
    {0: {1: 1.5}, 1: {0: 1.5}}
    """
    ranks = begun(comm, "from_scipy")
    height, size = settled(ranks, lambda: _two_sides(A))
    before = sum(everyones(ranks, height)[: ranks.rank])

    def checked() -> Listed:
        first = before if first_row is None else as_size(first_row, "first_row")
        if first + height > size:
            raise DimensionMismatch(
                f"A: {counted(height, 'row')} from row {first:,} on; expected no more rows than"
                f" columns, which are {size:,}"
            )
        entries = A.tocoo()
        i, j = (np.asarray(a, np.int64) for a in entries.coords)
        i = as_index_array(i + first, "A", size)
        return Listed(i, j, as_value_array(entries.data, i.shape[0], None, "A"), size, "plus")

    return made(ranks, settled(ranks, checked), True, cut, hubs, permutation, devices)


def _two_sides(A: Any) -> tuple[int, int]:
    if not hasattr(A, "tocoo"):
        raise DimensionMismatch(f"A: expected a SciPy sparse array, got {brief(A)}")
    if len(A.shape) != 2:
        raise DimensionMismatch(f"A: expected two dimensions, got {len(A.shape)}")
    height, width = A.shape
    return height, width
