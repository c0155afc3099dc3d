"""Edges as long as Johnson's algorithm makes them: none negative, and the same paths shortest.

Johnson: Efficient algorithms for shortest paths in sparse networks (1977).
"""

from __future__ import annotations

from typing import Any

from spbfs import binary, unary
from spbfs.algorithms.paths.single_source import sssp
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["reweighted"]


def reweighted(A: MatrixOperand, sources: Any) -> tuple[Matrix, Vector]:
    """The matrix of ``A[u, v] + h[u] - h[v]`` and h, the distances from the nearest of the sources.

    Edges that no source reaches are left out.

    Raises
    ------
    NegativeCycle
        When a source reaches a cycle of negative length.
    """
    h = sssp(A, sources, parents=False).distances
    H = h.diag()
    one = A.apply(unary.one[h.dtype]).new()
    here, there = (H @ one).new(), (one @ H).new()
    slack = A.apply(unary.identity[h.dtype]).new().ewise_mult(here, binary.plus).new()
    # Rounding may leave a little less than nothing.
    B = slack.ewise_mult(there, binary.minus).new().apply(binary.max, 0).new()
    return B, h
