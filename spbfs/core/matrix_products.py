"""Products of matrices with matrices and vectors."""

from __future__ import annotations

from functools import cache
from typing import Any

from spbfs.core.matrix_exports import MatrixExports
from spbfs.core.operators import lookup
from spbfs.core.storage import MatrixData
from spbfs.core.vector_operand import VectorOperand
from spbfs.exceptions import DimensionMismatch, DomainMismatch

__all__ = ["MatrixProducts", "vector_product"]


def vector_product(
    name: str, A: MatrixProducts, u: VectorOperand, op: Any, *, vector_first: bool
) -> Any:
    """The delayed ``A u`` or, `vector_first`, ``u A``; dimensions are checked."""
    left, right = (u.dtype, A.dtype) if vector_first else (A.dtype, u.dtype)
    semiring = lookup.as_semiring(op).resolve(left, right)

    def run(backend: Any, mask: Any, hints: Any) -> Any:
        data, transposed = A._base()
        return backend.mxv(
            data,
            u._ready(),
            semiring,
            transpose=transposed != vector_first,
            vector_first=vector_first,
            mask=mask,
            hints=hints,
        )

    size = A.ncols if vector_first else A.nrows
    operands = (u, A) if vector_first else (A, u)
    return _vector_expression()(
        f"{name} {semiring.op.name}", operands, (size,), semiring.out_type, run, applies_mask=True
    )


@cache
def _vector_expression() -> Any:
    from spbfs.core.expression import VectorExpression

    return VectorExpression


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
        from spbfs.core.expression import MatrixExpression

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
        return vector_product("mxv", self, other, op, vector_first=False)

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
        from spbfs.core.expression import delayed

        return delayed(
            f"kronecker {typed.op.name}",
            (self, other),
            (self.nrows * other.nrows, self.ncols * other.ncols),
            typed.out_type,
            lambda b, mask, hints: b.kronecker(self._ready(), other._ready(), typed),
        )
