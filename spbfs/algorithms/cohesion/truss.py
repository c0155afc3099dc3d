"""Trusses: the largest parts of a graph in which every edge is in k - 2 triangles or more.

Cohen: Trusses: cohesive subgraphs for social network analysis (2008); Davis: Graph algorithms via
SuiteSparse:GraphBLAS: triangle counting and k-truss (2018), for the masked product.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.graphs import Method, run_fused, square, undirected, way
from spbfs.base.memory import typed_refusals
from spbfs.base.progress import Progress, Report
from spbfs.objects.checks import as_size
from spbfs.objects.matrix import Matrix
from spbfs.storage.data import MatrixData

__all__ = ["k_truss"]


@typed_refusals
def k_truss(
    A: Any, k: int, *, method: Method = "auto", progress: bool | Progress | None = None
) -> Matrix:
    """The largest part of a graph in which every edge is in k - 2 triangles or more.

    With S the edges that are left and L those below the diagonal, ``C(L.S) << plus_pair(S @ S)``
    has the triangles of every edge; those of too few are dropped, until there are none.  The fused
    call counts triangles once, and takes from the others of a triangle whose edge is dropped.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.  Triangles are told without directions, loops and values.
    k : int
        A clique of so many vertices is in the k-truss.
    method : {"auto", "composed", "fused"}, optional
        As the program of products above, as one call of the engine, or as that call where the
        engine has it.
    progress : bool or callable, optional
        True shows a bar of rounds, of which the fused call is one; a function is called with rounds
        made, 0 as nobody knows how many there will be, and the edges looked at so far.

    Returns
    -------
    Matrix
        n x n: the entries of A that are edges of the k-truss, with their values; loops are not
        among them.  With k up to 2 that is all of them.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    A round takes the sum over edges of the shorter of two rows, and memory for the edges that are
    left; there are some ten rounds on most graphs, and as many as there are edges at worst.  The
    fused call takes as long as a round or two, and some 20 bytes an edge and direction.

    An undirected graph may have its edges in one direction or in both.  Zero, negative and NaN
    values stay as they are; of a graph without edges the result is empty.  It is the same on every
    run, whatever the way.

    References
    ----------
    Cohen: Trusses: cohesive subgraphs for social network analysis (2008); Davis: Graph algorithms
    via SuiteSparse:GraphBLAS: triangle counting and k-truss (2018), for the masked product; Wang,
    Cheng: Truss decomposition in massive networks (2012), for the fused call.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], 1.0, nrows=4, ncols=4)
    >>> sb.k_truss(A, 3).to_edgelist()[0].tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    matrix = square(A)
    least = as_size(k, "k") - 2
    fused = way(matrix._engine.fused.truss, method, matrix.device)
    with Report(progress, None, "k_truss", "round") as report:
        edges = select.offdiag(matrix).new()
        if least <= 0:
            return edges
        S = undirected(matrix)
        if fused is None:
            return edges.dup(mask=_dropped(S, least, report).S)
        flags, data = run_fused("truss", S, fused, least), S._ready()
        left = MatrixData(S.nrows, S.ncols, data.indptr, data.indices, flags)
        report(1, S.nvals)
    return edges.dup(mask=Matrix._from_data(left, S.device).V)


def _dropped(S: Matrix, least: int, report: Report) -> Matrix:
    """What is left of a graph by rounds."""
    L = select.tril(S, -1).new()
    looked = 0
    for ended in count(1):
        C = Matrix(int, *S.shape, device=S.device)
        C(L.S) << semiring.plus_pair(S @ S)
        before, looked = L.nvals, looked + S.nvals
        L = select.valuege(C, least).new().apply(unary.one[bool]).new()
        S = L.ewise_add(L.T, binary.any).new()
        report(ended, looked)
        if L.nvals == before:
            break
    return S
