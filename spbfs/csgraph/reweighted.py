"""Edges as long as Johnson's algorithm makes them: none negative, and the same paths shortest.

Johnson: Efficient algorithms for shortest paths in sparse networks (1977).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import binary, unary
from spbfs.algorithms.paths import sssp
from spbfs.objects.matrix import Matrix
from spbfs.objects.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector

__all__ = ["reweighted"]


def reweighted(A: MatrixOperand) -> tuple[Matrix, Any]:
    """The matrix of ``A[u, v] + h[u] - h[v]`` and h, the distances from the nearest of all.

    Raises
    ------
    NegativeCycle
        When there is a cycle of negative length.
    """
    n = A.nrows
    h = sssp(A, np.arange(n), parents=False).distances.to_dense(dtype=np.float64)
    H = Vector.from_dense(h, device=A.device).diag()
    one = A.apply(unary.one["FP64"]).new()
    here, there = (H @ one).new(), (one @ H).new()
    slack = A.apply(unary.identity["FP64"]).new().ewise_mult(here, binary.plus).new()
    # Rounding may leave a little less than nothing.
    B = slack.ewise_mult(there, binary.minus).new().apply(binary.max, 0.0).new()
    return B, h
