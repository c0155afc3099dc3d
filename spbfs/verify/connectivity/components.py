"""Components and bipartitions checked: edges agree, and a search finds the rest connected."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.algorithms.bfs import bfs
from spbfs.algorithms.bfs.arguments import square
from spbfs.algorithms.connectivity.bipartite import Bipartition
from spbfs.algorithms.graphs import both_ways
from spbfs.algorithms.named import labels_of, numbers
from spbfs.algorithms.paths import topological_levels
from spbfs.base.memory import typed_refusals
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import DomainMismatch, GraphCyclic, VerificationError
from spbfs.objects.checks import as_index_array
from spbfs.objects.matrix import Matrix
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import edges_in_parts, first_of, is_stored, moved, vertex_integers

__all__ = ["bipartite", "components", "strong_components"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


@typed_refusals
def components(A: Any, labels: Any) -> None:
    """Check that `labels` are the connected components of `A`, its edges taken without direction.

    The rules, which leave no other labels:

    1. the label of a vertex is a vertex, none that is greater, and its own label;
    2. both ends of an edge have the same label;
    3. a search from a label along edges, directions aside, reaches every vertex that has it.

    A matrix on the GPU is checked there.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.
    labels : Vector or array_like of int
        What `spbfs.components` returned: n long.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the labels.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(3)
    >>> components(A, sb.components(A))
    >>> components(A, [0, 0, 2])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: labels: edge (1, 2) joins labels 0 and 2
    """
    matrix = square(A)
    data: MatrixData = matrix._ready()
    xp = array_module(data.indices)
    label = vertex_integers(xp, labels, data.nrows, "labels")
    _check_names(label)
    for rows, cols in edges_in_parts(data):
        k = first_of(label[rows] != label[cols])
        if k is not None:
            u, v = rows[k], cols[k]
            raise VerificationError(
                "labels: edge ({}, {}) joins labels {} and {}", u, v, label[u], label[v]
            )
    roots = moved(np, xp.flatnonzero(label == xp.arange(data.nrows)))
    if not roots.shape[0]:
        return
    reached = bfs(both_ways(matrix), roots, parents=False).levels
    v = first_of(vertex_integers(xp, reached, data.nrows, "levels") < 0)
    if v is not None:
        raise VerificationError(
            "labels: no path leads from label {} to vertex {}, its own", label[v], v
        )


@typed_refusals
def strong_components(A: Any, labels: Any) -> None:
    """Check that `labels` are the strong components of `A`: of vertices that reach each other.

    The rules, which leave no other labels:

    1. the label of a vertex is a vertex, none that is greater, and its own label;
    2. along edges whose ends have the same label, a search from a label reaches every vertex that
       has it, and so does one against them;
    3. the other edges lead from label to label without a cycle.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; entry (u, v) is the edge from u to v.  Values do not matter.
    labels : Vector or array_like of int
        What `spbfs.strong_components` returned: n long.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the labels.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 1], True, nrows=3, ncols=3)
    >>> strong_components(A, sb.strong_components(A))
    >>> strong_components(A, [0, 0, 0])
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: labels: no path leads from vertex 1 to its own label 0
    """
    matrix = square(A)
    n, device = matrix.nrows, matrix.device
    xp = array_module(matrix._ready().indices)
    label = moved(np, vertex_integers(xp, labels, n, "labels"))
    _check_names(label)
    if not n:
        return
    rows, cols, _ = (moved(np, part) for part in matrix.to_coo())
    begins, ends = label[rows], label[cols]
    inside = begins == ends
    roots = np.flatnonzero(label == np.arange(n))
    for away, to, path in (
        (rows, cols, "label {0} to vertex {1}, its own"),
        (cols, rows, "vertex {1} to its own label {0}"),
    ):
        kept = Matrix.from_coo(away[inside], to[inside], True, nrows=n, ncols=n, device=device)
        reached = bfs(kept, roots, parents=False).levels
        v = first_of(vertex_integers(np, reached, n, "levels") < 0)
        if v is not None:
            raise VerificationError(f"labels: no path leads from {path}", label[v], v)
    across = Matrix.from_coo(begins[~inside], ends[~inside], True, nrows=n, ncols=n, device=device)
    try:
        topological_levels(across)
    except GraphCyclic as cycle:
        raise VerificationError(
            "labels: {} is on a cycle of labels, expected one for all of the cycle", cycle.vertex
        ) from None


def _check_names(label: Array) -> None:
    """Rule 1."""
    vertices = array_module(label).arange(label.shape[0])
    v = first_of((label < 0) | (label > vertices))
    if v is not None:
        raise VerificationError(f"labels: vertex {{}} has label {label[v]}, not from 0 to {v}", v)
    v = first_of(label[label] != label)
    if v is not None:
        root = label[v]
        raise VerificationError(
            "labels: vertex {} has label {}, but vertex {} has label {}", v, root, root, label[root]
        )


@typed_refusals
def bipartite(A: Any, found: Bipartition) -> None:
    """Check that two sides or an odd cycle are those of `A`, its edges taken without direction.

    1. There are sides, or there is a cycle, as `found` says.
    2. Every vertex has a side, and no edge joins two of the same.
    3. The vertices of the cycle are distinct and of odd number, and each is joined to the next one,
       the last one to the first.

    A matrix on the GPU is checked there.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.
    found : Bipartition
        What `spbfs.bipartite` returned.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices.
    DimensionMismatch, DomainMismatch, IndexOutOfBound
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(3)
    >>> bipartite(A, sb.bipartite(A))
    >>> bipartite(A, sb.bipartite(sb.generate.complete(3)))
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: odd_cycle: A has no edge between 2 and 0
    """
    matrix = square(A)
    if not isinstance(found, Bipartition):
        raise DomainMismatch(f"found: expected a Bipartition, got {type(found).__name__}")
    cycle, labels = found.odd_cycle, labels_of(A)
    if labels is not None:
        cycle = numbers(cycle, labels, "odd_cycle")
    cycle = as_index_array(cycle, "odd_cycle", matrix.nrows)
    if found.is_bipartite != (cycle.shape[0] == 0):
        raise VerificationError(
            f"is_bipartite: {found.is_bipartite}, with an odd cycle of {cycle.shape[0]} vertices"
        )
    if found.is_bipartite:
        _check_sides(matrix._ready(), found.sides)
    else:
        _check_cycle(matrix._ready(), cycle)


def _check_sides(data: MatrixData, sides: Any) -> None:
    """Rule 2."""
    xp = array_module(data.indices)
    side = vertex_integers(xp, sides.apply("identity").new("INT8"), data.nrows, "sides")
    v = first_of(side < 0)
    if v is not None:
        raise VerificationError("sides: vertex {} has none", v)
    for rows, cols in edges_in_parts(data):
        k = first_of(side[rows] == side[cols])
        if k is not None:
            raise VerificationError(
                "sides: edge ({}, {}) joins two vertices of the same side", rows[k], cols[k]
            )


def _check_cycle(data: MatrixData, cycle: Array) -> None:
    """Rule 3."""
    if cycle.shape[0] % 2 == 0:
        raise VerificationError(f"odd_cycle: has {cycle.shape[0]} vertices, an even number")
    if set_of(np, cycle).shape[0] < cycle.shape[0]:
        raise VerificationError("odd_cycle: a vertex is in it twice")
    xp = array_module(data.indices)
    u = xp.asarray(cycle)
    v = xp.roll(u, -1)
    k = first_of(~(is_stored(data, u, v) | is_stored(data, v, u)))
    if k is not None:
        raise VerificationError("odd_cycle: A has no edge between {} and {}", u[k], v[k])
