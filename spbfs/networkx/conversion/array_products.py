"""Products of arrays and matrices: to vectors and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs import semiring
from spbfs.networkx.conversion.structure import Array
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = ["step"]


def step(x: Array, A: MatrixOperand) -> Array:
    """x times the matrix."""
    product: Any = semiring.plus_times(Vector.from_dense(x, device=A.device) @ A).new(float)
    return np.asarray(on_host(product.to_dense(0.0)))
