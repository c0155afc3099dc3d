"""Spanning forests: breadth-first trees from the least vertex of every component."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary
from spbfs.algorithms.bfs import BFSResult, bfs
from spbfs.algorithms.connectivity.components import components
from spbfs.algorithms.graphs import both_ways, square
from spbfs.base.memory import typed_refusals
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole

__all__ = ["search_components", "spanning_forest"]


@typed_refusals
def spanning_forest(A: Any, *, threads: int | None = None) -> Matrix:
    """Edges enough to connect what is connected, and no cycle of them.

    One search of all components at once, from the least vertex of each, over ``any_pair`` products
    that keep the least parent: so the trees are breadth-first trees, no path from a root is longer
    than it need be, and an edge {parent, child} is stored both ways, as every undirected graph is.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        n x n adjacency matrix; edges are taken without direction.  Values do not matter, be they
        zero, negative or NaN (`minimum_spanning_forest` looks at them), nor do loops.
    threads : int, optional
        Of the CPU.

    Returns
    -------
    Matrix of BOOL
        n x n, symmetric, with two entries an edge: n less the number of components edges.  The same
        on every engine and with any number of threads.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory
        As for `bfs`.

    Notes
    -----
    The work is that of `components` and of one `bfs`; of a directed graph also that of joining it
    with its transpose.

    Memory is some numbers a vertex, and of a directed graph the joined one.  Of a graph without
    edges the forest is empty.

    References
    ----------
    Moore: The shortest path through a maze (1959).

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_edgelist([(0, 1), (1, 2), (2, 0), (3, 4)], directed=False)
    >>> sb.spanning_forest(A).to_edgelist(values=False)[0].tolist()
    [[0, 1], [0, 2], [1, 0], [2, 0], [3, 4], [4, 3]]
    """
    matrix = square(A)
    G = both_ways(matrix)
    found = search_components(G, threads)
    tree = found.tree if found else Matrix(bool, matrix.nrows, matrix.ncols, device=matrix.device)
    return tree.ewise_add(tree.T, binary.any).new()


def search_components(G: MatrixOperand, threads: int | None) -> BFSResult | None:
    """Breadth-first trees of a symmetric matrix, from the least vertex of every component.

    None where there is no vertex.
    """
    least = whole(components(G, threads=threads)).to_dense()
    roots = np.flatnonzero(least == np.arange(G.nrows))
    if not roots.shape[0]:
        return None
    return bfs(G, roots, parents="min", threads=threads)
