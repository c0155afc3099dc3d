"""A vector as the matrix of one column that it is, and back.

python-graphblas keeps both under private names, which its own tests and recipes call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DimensionMismatch
from spbfs.objects.classes import classes

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.operand import Operand
    from spbfs.objects.vector import Vector

__all__ = ["as_column", "as_vector"]


def as_column(self: Operand, *, name: str | None = None) -> Matrix:
    """A Matrix of one column with the entries of a vector."""
    out = classes.Matrix(self.dtype, self.shape[0], 1, name=name, device=self.device)
    out._bound = self._bound
    out[:, 0] << self
    return out


def as_vector(self: Operand, *, name: str | None = None) -> Vector:
    """A Vector with the entries of a matrix of one column."""
    if self.shape[1] != 1:
        raise DimensionMismatch(f"a vector is made of one column, not of {self.shape[1]}")
    vector: Any = self[:, 0].new(name=name)
    return vector
