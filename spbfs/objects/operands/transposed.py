"""The transposed view of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.objects.operands.operand import Operand

__all__ = ["TransposedMatrix"]


class TransposedMatrix(MatrixOperand):
    """``A.T``: a view that products read without building it, and others through a kept copy."""

    __slots__ = ("_matrix",)

    _is_transposed = True

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """That of the matrix."""
        return self._matrix.dtype

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """The matrix's, turned round."""
        return (self._matrix.shape[1], self._matrix.shape[0])

    @property
    def device(self) -> str:  # type: ignore[override]
        """That of the matrix."""
        return self._matrix.device

    @property
    def _bound(self) -> bool:  # type: ignore[override]
        return self._matrix._bound

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The matrix itself, for those who ask what this is computed from."""
        return (self._matrix,)

    def _move(self, device: str) -> None:
        self._matrix._move(device)

    def _ready(self) -> MatrixData:
        return self._engine.transpose(self._matrix._ready())

    @property
    def T(self) -> Any:
        """The matrix itself."""
        return self._matrix

    def to_coo(
        self,
        dtype: Any = None,
        *,
        rows: bool = True,
        columns: bool = True,
        values: bool = True,
        sort: bool = True,
        device: str = "cpu",
    ) -> tuple[Any, Any, Any]:
        """The matrix's entries with rows and columns exchanged, in the order that it has them.

        Parameters
        ----------
        dtype, rows, columns, values, sort, device : optional
            As of `Matrix.to_coo`.

        Returns
        -------
        tuple of three numpy.ndarray or cupy.ndarray

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 1], [1, 0], [5, 3])
        >>> [a.tolist() for a in A.T.to_coo()]
        [[1, 0], [0, 1], [5, 3]]
        """
        i, j, x = self._matrix.to_coo(
            dtype, rows=columns, columns=rows, values=values, sort=sort, device=device
        )
        return j, i, x

    def __repr__(self) -> str:
        return f"TransposedMatrix({self._matrix!r})"
