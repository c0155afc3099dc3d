"""Spanning forests checked: no cycle, everything connected, and no lighter edge left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import square
from spbfs.algorithms.connectivity.components import components as components_of
from spbfs.base.memory import typed_refusals
from spbfs.exceptions import DimensionMismatch, DomainMismatch, VerificationError
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.devices import transfer
from spbfs.storage.data import MatrixData, in_host_memory
from spbfs.storage.entries import entry_rows
from spbfs.verify.arrays import edges_in_parts, first_of, is_stored, places
from spbfs.verify.connectivity.components import components

__all__ = ["minimum_spanning_forest", "spanning_forest"]

Ints = npt.NDArray[np.int64]


@typed_refusals
def spanning_forest(A: Any, forest: Any) -> None:
    """Check that `forest` is a spanning forest of `A`, its edges taken without direction.

    1. Every entry (u, v) of the forest has its (v, u), is no loop, and is an edge of `A`.
    2. Edges and components of the forest together are as many as vertices: it has no cycle.
    3. Both ends of every edge of `A` are in the same component of the forest: it spans `A`.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; values do not matter.
    forest : Matrix
        What `spbfs.spanning_forest` returned.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.complete(3)
    >>> spanning_forest(A, sb.spanning_forest(A))
    >>> spanning_forest(A, A)
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: forest: has a cycle: 3 edges and 1 components of 3 vertices
    """
    _check_spanning(*_on_host(A, forest))


@typed_refusals
def minimum_spanning_forest(A: Any, forest: Any) -> None:
    """Check that `forest` is a minimum spanning forest of `A`, its edges taken without direction.

    Beside the rules of `spanning_forest`:

    4. an edge of the forest has the weight that it has in `A`, the lesser one of both directions;
    5. no edge of `A` is lighter than the heaviest edge on the way between its ends in the forest.

    Which of several forests of the same weight it is, is not checked.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix.
    forest : Matrix
        What `spbfs.minimum_spanning_forest` returned.

    Raises
    ------
    VerificationError
        At the first violation; the message names the vertices and the weights.
    DimensionMismatch, DomainMismatch
        When an argument is not of the shape or kind described.

    Notes
    -----
    Heaviest edges on the way come from Boruvka's rounds over the forest alone, whose components are
    a tree of logarithmic depth with the same ones (King: A simpler minimum spanning tree
    verification algorithm, 1997).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_edgelist([(0, 1, 4), (1, 2, 2), (2, 0, 3)], directed=False)
    >>> minimum_spanning_forest(A, sb.minimum_spanning_forest(A))
    >>> B = sb.Matrix.from_edgelist([(0, 1, 4), (1, 2, 2)], nrows=3, directed=False)
    >>> minimum_spanning_forest(A, B)
    Traceback (most recent call last):
        ...
    spbfs.exceptions.VerificationError: forest: edge (0, 2) of weight 3 is lighter than one of \
weight 4 on its way in the forest
    """
    data, tree = _on_host(A, forest)
    _check_spanning(data, tree)
    _check_weights(data, tree)
    _check_heaviest(data, tree)


def _on_host(A: Any, forest: Any) -> tuple[MatrixData, MatrixData]:
    """Both in host memory."""
    matrix = square(A)
    if not isinstance(forest, MatrixOperand):
        raise DomainMismatch(f"forest: expected a Matrix, got {type(forest).__name__}")
    if forest.shape != matrix.shape:
        raise DimensionMismatch(f"forest: expected shape {matrix.shape}, got {forest.shape}")
    return _data(matrix), _data(forest)


def _data(matrix: MatrixOperand) -> MatrixData:
    data: MatrixData = matrix._ready()
    if in_host_memory(data.indices):
        return data
    moved: MatrixData = transfer(data, matrix._engine, "cpu")
    return moved


def _check_spanning(data: MatrixData, tree: MatrixData) -> None:
    u, v = entry_rows(tree), tree.indices.astype(np.int64)
    for wrong, why in (
        (u == v, "is a loop"),
        (~is_stored(tree, v, u), "has no counterpart"),
        (~(is_stored(data, u, v) | is_stored(data, v, u)), "is no edge of A"),
    ):
        k = first_of(wrong)
        if k is not None:
            raise VerificationError(f"forest: entry ({{}}, {{}}) {why}", u[k], v[k])
    label = _labels(tree.nrows, u, v)
    parts = int(np.count_nonzero(label == np.arange(tree.nrows)))
    if tree.nvals // 2 + parts != tree.nrows:
        raise VerificationError(
            f"forest: has a cycle: {tree.nvals // 2} edges and {parts} components "
            f"of {tree.nrows} vertices"
        )
    for rows, cols in edges_in_parts(data):
        k = first_of(label[rows] != label[cols])
        if k is not None:
            raise VerificationError(
                "forest: does not connect {} and {}, as A does", rows[k], cols[k]
            )


def _labels(n: int, u: Ints, v: Ints) -> Ints:
    """Components of a graph of these edges, found and checked."""
    graph = Matrix.from_coo(u, v, True, nrows=n, ncols=n)
    label = components_of(graph)
    components(graph, label)
    return np.asarray(label.to_dense())


def _check_weights(data: MatrixData, tree: MatrixData) -> None:
    """Rule 4, as far as rule 5 leaves it open: the weight is that of one direction."""
    u, v = entry_rows(tree), tree.indices.astype(np.int64)
    there, back = places(data, u, v), places(data, v, u)
    same = [(at >= 0) & (data.values[at] == tree.values) for at in (there, back)] if u.size else []
    k = first_of(~(same[0] | same[1])) if same else None
    if k is not None:
        raise VerificationError(
            f"forest: edge ({{}}, {{}}) has weight {tree.values[k]}, which A has not there",
            u[k],
            v[k],
        )


def _check_heaviest(data: MatrixData, tree: MatrixData) -> None:
    """Rule 5."""
    weights, rounds = _boruvka_tree(tree)
    begin = 0
    for rows, cols in edges_in_parts(data):
        x, y = rows, cols
        heaviest = np.full(rows.shape[0], -1)
        for above, least in rounds:
            on_way = np.where(x != y, np.maximum(least[x], least[y]), -1)
            heaviest = np.maximum(heaviest, on_way)
            x, y = above[x], above[y]
        has_way = np.flatnonzero(heaviest >= 0)
        weight = data.values[begin + has_way]
        k = first_of(weight < weights[heaviest[has_way]])
        if k is not None:
            at = has_way[k]
            raise VerificationError(
                f"forest: edge ({{}}, {{}}) of weight {weight[k]} is lighter than one "
                f"of weight {weights[heaviest[at]]} on its way in the forest",
                rows[at],
                cols[at],
            )
        begin += rows.shape[0]


def _boruvka_tree(tree: MatrixData) -> tuple[Any, list[tuple[Ints, Ints]]]:
    """The weights of the forest's edges, rising, and for each of Boruvka's rounds two arrays: the
    component that each component becomes part of, and the place of the least weight next to it."""
    once = np.flatnonzero(entry_rows(tree) < tree.indices)
    once = once[np.argsort(tree.values[once], kind="stable")]
    a, b = entry_rows(tree)[once], tree.indices[once].astype(np.int64)
    place = np.arange(once.shape[0])
    count, rounds = tree.nrows, []
    while a.shape[0]:
        least = np.full(count, once.shape[0])
        np.minimum.at(least, a, place)
        np.minimum.at(least, b, place)
        taken = (least[a] == place) | (least[b] == place)
        label = _labels(count, a[taken], b[taken])
        number = np.cumsum(label == np.arange(count)) - 1
        above, count = number[label], int(number[-1]) + 1
        rounds.append((above, least))
        a, b = above[a], above[b]
        left = a != b
        a, b, place = a[left], b[left], place[left]
    return tree.values[once], rounds
