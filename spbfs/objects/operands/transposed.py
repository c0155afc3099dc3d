"""The transposed view of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base import tracing
from spbfs.objects.display.formatting import format_transposed, transposed_html
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, Hints, MaskData
    from spbfs.objects.operands.operand import Operand
    from spbfs.storage.arrays import Device

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
    def device(self) -> Device:  # type: ignore[override]
        """That of the matrix."""
        return self._matrix.device

    @property
    def _bound(self) -> bool:  # type: ignore[override]
        return self._matrix._bound

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The matrix itself, for those who ask what this is computed from."""
        return (self._matrix,)

    def _compute_delayed(self) -> None:
        self._matrix._compute_delayed()

    def _move(self, device: Device) -> None:
        self._matrix._move(device)

    def compute(
        self, engine: Engine, mask: MaskData | None, hints: Hints, into: DType | None = None
    ) -> MatrixData:
        """The transpose's storage: see `Operand.compute`.

        Parameters
        ----------
        engine : Engine
        mask : MaskData or None
        hints : Hints
        into : DType, optional

        Returns
        -------
        MatrixData
        """
        if tracing.current() is None:
            return self._ready()
        before, start = self._matrix._ready(), tracing.clock()
        data: MatrixData = self._engine.transpose(before)
        tracing.finished("transpose", engine, start, data)
        return data

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
        return format_transposed(self)

    def _repr_html_(self) -> str:
        return transposed_html(self)
