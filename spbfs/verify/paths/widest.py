"""Widest paths checked by what holds of them and of nothing else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.bfs.arguments import Vertices, square
from spbfs.algorithms.paths import SSSPResult
from spbfs.algorithms.paths.arguments import as_sources
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, VerificationError
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import edges_in_parts, first_of, places, values_of, vertex_integers
from spbfs.verify.trees import check_parents, levels_of_tree

__all__ = ["widest_path"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def widest_path(A: Any, source: Vertices, widths: Any, parents: Any = None) -> None:
    """Check that `widths` and `parents` are widest paths in `A` from `source`.

    The rules leave no other widths than the true ones:

    1. a source has the greatest number of their type;
    2. no edge leads to a vertex that is narrower than the edge and its start;
    3. of every other vertex the width is the lesser of its parent's and of a stored edge between
       them, and parents lead to a source.  Without parents, edges that fit so lead from a source to
       every vertex that has a width.

    Which of several widest paths it is, is not checked.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n, as for `sb.widest_path`.
    source : int or iterable of int
        Where paths begin.
    widths : SSSPResult or Vector
        What `sb.widest_path` returned; or the widths, with no entry where no path leads.
    parents : Vector or array_like of int, optional
        No path leads where a Vector has no entry, or an array a negative value.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the values.
    DimensionMismatch, DomainMismatch, IndexOutOfBound, InvalidValue
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [5.0, 2.0, 3.0], nrows=3, ncols=3)
    >>> sb.verify.widest_path(A, 0, sb.widest_path(A, 0))
    >>> sb.verify.widest_path(A, 0, sb.Vector.from_dense([float("inf"), 5, 2]))
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: widths: vertex 2 has 2.0, but 3.0 by the edge from 1
    """
    data: MatrixData = square(A)._ready()
    n, xp = data.nrows, array_module(data.indices)
    roots = xp.asarray(as_sources(source, n))
    if isinstance(widths, SSSPResult):
        if parents is not None:
            raise InvalidValue("parents: expected None beside a whole result")
        widths, parents = widths
    width, reached = _taken(xp, widths, n, data.values.dtype.kind == "f")
    most = math.inf if width.dtype.kind == "f" else np.iinfo(np.int64).max
    k = first_of(~reached[roots] | (width[roots] != most))
    if k is not None:
        told = width[roots[k]] if reached[roots[k]] else "none"
        raise VerificationError(f"widths: source {{}} has {told}, expected {most}", roots[k])
    fits = _check_edges(data, width, reached)
    if parents is not None:
        parent = vertex_integers(xp, parents, n, "parents")
        _check_tree(data, roots, parent, width, reached)
        return
    rows, columns = (xp.concatenate([roots, *x]) for x in fits)
    graph = Matrix.from_coo(rows, columns, True, nrows=n, ncols=n)
    level = vertex_integers(xp, bfs(graph, roots, parents=False).levels, n, "levels")
    v = first_of(reached & (level < 0))
    if v is not None:
        raise VerificationError(f"widths: vertex {{}} has {width[v]}, which no path to it has", v)


def _taken(xp: Any, widths: Any, n: int, floating: bool) -> tuple[Array, Array]:
    """Widths in the type that `sb.widest_path` has, and where there is one."""
    if not isinstance(widths, VectorOperand):
        raise DomainMismatch(f"widths: expected an SSSPResult or a Vector, got {type(widths)}")
    if widths.size != n:
        raise DimensionMismatch(f"widths: expected size {n}, got {widths.size}")
    if widths.dtype.is_float != floating:
        raise DomainMismatch(f"widths: expected those of a matrix of A's kind, got {widths.dtype}")
    width, reached = values_of(xp, widths._ready(), "widths")
    v = first_of(reached & (width != width))
    if v is not None:
        raise VerificationError("widths: vertex {} has nan, expected a width", v)
    return width.astype(np.float64 if floating else np.int64), reached


def _check_edges(data: MatrixData, width: Array, reached: Array) -> tuple[list[Array], list[Array]]:
    """Rule 2; the edges that may be on widest paths."""
    begin, rows, columns = 0, [], []
    for u, v in edges_in_parts(data):
        end = begin + u.shape[0]
        values = data.values[begin:end].astype(width.dtype)
        begin, out = end, reached[u]
        u, v, values = u[out], v[out], values[out]
        along = array_module(u).minimum(width[u], values)
        k = first_of(~reached[v] | (width[v] < along))
        if k is not None:
            told = f"has {width[v[k]]}" if reached[v[k]] else "has none"
            raise VerificationError(
                f"widths: vertex {{}} {told}, but {along[k]} by the edge from {{}}", v[k], u[k]
            )
        rows.append(u[width[v] == along])
        columns.append(v[width[v] == along])
    return rows, columns


def _check_tree(
    data: MatrixData, roots: Array, parent: Array, width: Array, reached: Array
) -> None:
    """Rule 3."""
    xp = array_module(roots)
    v = first_of((parent >= 0) != reached)
    if v is not None:
        if reached[v]:
            raise VerificationError("parents: vertex {} has no parent", v)
        raise VerificationError("parents: vertex {} has parent {} and no width", v, parent[v])
    check_parents(data, roots, parent)
    levels_of_tree(roots, parent)
    tree = parent >= 0
    tree[roots] = False
    child = xp.flatnonzero(tree)
    if not child.shape[0]:
        return
    above = parent[child]
    edge = data.values[places(data, above, child)].astype(width.dtype)
    k = first_of(xp.minimum(width[above], edge) != width[child])
    if k is not None:
        u, v = int(above[k]), int(child[k])
        raise VerificationError(
            f"parents: vertex {{}} has width {width[v]}, its parent {{}} has {width[u]}, "
            f"and the edge between them {edge[k]}",
            v,
            u,
        )
