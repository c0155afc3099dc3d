"""Products of matrices with matrices and vectors."""

from __future__ import annotations

from typing import Any

from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects.matrix_exports import MatrixExports
from spbfs.objects.vector_operand import VectorOperand
from spbfs.operators import lookup
from spbfs.storage.data import MatrixData

__all__ = ["MatrixProducts"]


class MatrixProducts(MatrixExports):
    """A matrix as a factor."""

    __slots__ = ()

    def _base(self) -> tuple[MatrixData, bool]:
        """Storage, and whether this operand is its transpose."""
        return self._ready(), False

    def mxm(self, other: Any, op: Any = "plus_times") -> Any:
        """``A B`` over a semiring, delayed.

        Parameters
        ----------
        other : Matrix
            With as many rows as this has columns.
        op : semiring or name, optional
            ``plus_times`` by default.

        Returns
        -------
        MatrixExpression
            Of shape ``(self.nrows, other.ncols)``.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
        >>> A.mxm(A).new().to_dicts()
        {0: {0: 1, 1: 8}, 1: {1: 9}}
        >>> A.mxm(A, "min_plus").new().to_dicts()
        {0: {0: 2, 1: 3}, 1: {1: 6}}
        """
        if not isinstance(other, MatrixProducts):
            raise DomainMismatch(f"other: expected a matrix, got {type(other).__name__}")
        if other.nrows != self.ncols:
            raise DimensionMismatch(
                f"other: expected {self.ncols} rows to match shape {self.shape}, "
                f"got shape {other.shape}"
            )
        semiring = lookup.as_semiring(op).resolve(self.dtype, other.dtype)
        from spbfs.objects.expression import MatrixExpression

        return MatrixExpression(
            f"mxm {semiring.op.name}",
            (self, other),
            (self.nrows, other.ncols),
            semiring.out_type,
            lambda b, mask, hints: b.mxm(
                self._ready(), other._ready(), semiring, mask=mask, hints=hints
            ),
            applies_mask=True,
        )

    def mxv(self, other: Any, op: Any = "plus_times") -> Any:
        """``A u`` over a semiring, delayed; see `Vector.vxm` for push and pull.

        Parameters
        ----------
        other : Vector
            With as many elements as this has columns.
        op : semiring or name, optional
            ``plus_times`` by default.

        Returns
        -------
        VectorExpression
            Of size ``self.nrows``.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
        >>> A.mxv(sb.Vector.from_dense([10, 1])).new().to_dict()
        {0: 12, 1: 3}
        """
        if not isinstance(other, VectorOperand):
            raise DomainMismatch(f"other: expected a vector, got {type(other).__name__}")
        if other.size != self.ncols:
            raise DimensionMismatch(
                f"other: expected {self.ncols} elements to match shape {self.shape}, "
                f"got {other.size}"
            )
        return lookup.as_semiring(op)(self @ other)

    def kronecker(self, other: Any, op: Any = "times") -> Any:
        """The Kronecker product, delayed: blocks of `other` in the pattern of this matrix.

        Parameters
        ----------
        other : Matrix
        op : binary operator, monoid or name, optional
            ``times`` by default.

        Returns
        -------
        MatrixExpression
            Of shape ``(self.nrows * other.nrows, self.ncols * other.ncols)``; as ``numpy.kron``.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 1], [1, 0], [1, 2])
        >>> A.kronecker(A).new().to_coo()[2].tolist()
        [1, 2, 2, 4]
        """
        if not isinstance(other, MatrixProducts):
            raise DomainMismatch(f"other: expected a matrix, got {type(other).__name__}")
        typed = self._binary(op, other)
        from spbfs.objects.expression import delayed

        return delayed(
            f"kronecker {typed.op.name}",
            (self, other),
            (self.nrows * other.nrows, self.ncols * other.ncols),
            typed.out_type,
            lambda b, mask, hints: b.kronecker(self._ready(), other._ready(), typed),
        )
