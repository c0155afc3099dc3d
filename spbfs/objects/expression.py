"""Delayed operations: what to compute, computed when it is assigned, read or made ``.new()``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.base import tracing
from spbfs.base.memory import refusal
from spbfs.engines.protocol import Hints
from spbfs.exceptions import OutOfMemory
from spbfs.objects.checks import check_shape
from spbfs.objects.matrix_operand import MatrixOperand
from spbfs.objects.operand import Operand, common_engine
from spbfs.objects.vector_operand import VectorOperand
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, MaskData
    from spbfs.objects.mask import Mask
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.vector import Vector
    from spbfs.operators.definitions import TypedSemiring

__all__ = ["Expression", "MatrixExpression", "VectorExpression", "VectorProduct", "delayed"]

Run = Callable[["Engine", "MaskData | None", Hints], Any]


class Expression(Operand):
    """One operation, not computed yet, usable wherever its result is.

    Attributes
    ----------
    operation : str
        Name of the operation and its operator, as a trace shows it.
    shape : tuple of int
    dtype : DType
        Of the result, before it is cast to that of an output.
    """

    __slots__ = (
        "_result",
        "_run",
        "applies_mask",
        "comparison",
        "dtype",
        "operands",
        "operation",
        "shape",
    )

    def __init__(
        self,
        operation: str,
        operands: tuple[Operand, ...],
        shape: tuple[int, ...],
        dtype: DType,
        run: Run,
        applies_mask: bool = False,
    ) -> None:
        self.operation = operation
        self.operands = operands
        self.shape = shape
        self.dtype = dtype
        self._run = run
        #: Whether `run` leaves out what the mask does not admit.
        self.applies_mask = applies_mask
        #: (operand, operator, scalar) of a comparison such as ``A > 5``, for `spbfs.select`.
        self.comparison: tuple[Operand, str, Any] | None = None
        self._result: Any = None

    @property
    def device(self) -> str:  # type: ignore[override]
        """Where it will be computed: with its operands."""
        for operand in self.operands:
            if operand._bound:
                return operand.device
        return self.operands[0].device

    @property
    def _bound(self) -> bool:  # type: ignore[override]
        return any(operand._bound for operand in self.operands)

    def _lives_on(self, device: str) -> bool:
        return all(operand.device == device for operand in self.operands)

    def _move(self, device: str) -> None:
        for operand in self.operands:
            operand._move(device)

    def _ready(self) -> Any:
        if self._result is None:
            self._result = self.compute(common_engine(*self.operands), None, Hints())
        return self._result

    def compute(self, engine: Engine, mask: MaskData | None, hints: Hints) -> Any:
        """The result's storage on an engine; outside of the mask it may have entries or not.

        Parameters
        ----------
        engine : Engine
        mask : MaskData or None
        hints : Hints

        Returns
        -------
        VectorData or MatrixData
        """
        try:
            if tracing.current() is None:
                return self._run(engine, mask, hints)
            start = time.perf_counter()
            data = self._run(engine, mask, hints)
            seconds = time.perf_counter() - start
            tracing.finish(self.operation, engine.name, seconds, engine.nvals(data))
        except OutOfMemory:
            raise
        except MemoryError as error:
            raise refusal(error) from error
        return data

    def _new(self, out: Any, mask: Mask | None, hints: Any) -> Any:
        out._bound = self._bound
        out.update(self, mask=mask, **hints)
        return out

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.shape))
        return (
            f"{type(self).__name__}({self.operation}, {size}, dtype={self.dtype}; .new() computes)"
        )


class VectorExpression(Expression, VectorOperand):
    """A delayed vector."""

    __slots__ = ()

    def new(self, dtype: Any = None, *, mask: Any = None, **hints: Any) -> Vector:
        """Compute into a new Vector.

        Parameters
        ----------
        dtype : dtype-like, optional
            That of the expression by default.
        mask : Mask or ndarray of bool, optional
            Only where it admits.
        **hints
            ``direction`` ({"auto", "push", "pull"}) and ``threads`` (int), for products.

        Returns
        -------
        Vector

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1, 0, 2])
        >>> (v + 1).new(float, mask=v.V).to_dict()
        {0: 2.0, 2: 3.0}
        """
        from spbfs.objects.vector import Vector

        kind = self.dtype if dtype is None else dtype
        out = Vector(kind, self.shape[0], device=self.device)
        return self._new(out, mask, hints)


class VectorProduct(VectorExpression):
    """A matrix and a vector, delayed; dimensions have been checked.

    A class of its own rather than an expression with a function: a search makes one a level.
    """

    __slots__ = ("_left", "_right", "_semiring")

    __init__ = object.__init__  # `MatrixProduct.multiply` makes it
    applies_mask = True
    comparison = None
    _left: Any
    _right: Any
    _semiring: TypedSemiring

    def __reduce__(self) -> tuple[Any, ...]:
        return self._semiring.op, (self._left @ self._right,)  # nothing else of it can be set

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The factors."""
        return self._left, self._right

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """Of the result."""
        left, right = self._left, self._right
        return (right.shape[1],) if left.ndim == 1 else (left.shape[0],)

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """Of the result."""
        return self._semiring.add.dtype

    @property
    def operation(self) -> str:  # type: ignore[override]
        """Name of the operation and its operator."""
        return f"{'vxm' if self._left.ndim == 1 else 'mxv'} {self._semiring.op.name}"

    def _lives_on(self, device: str) -> bool:
        return bool(self._left.device == device == self._right.device)

    def _run(self, engine: Engine, mask: MaskData | None, hints: Hints) -> Any:
        left, right = self._left, self._right
        if left.ndim == 1:
            data, transposed = right._base()
            u, first = left._ready(), True
        else:
            data, transposed = left._base()
            u, first = right._ready(), False
        return engine.mxv(data, u, self._semiring, transposed is not first, first, mask, hints)


class MatrixExpression(Expression, MatrixOperand):
    """A delayed matrix."""

    __slots__ = ()

    def compute(self, engine: Engine, mask: MaskData | None, hints: Hints) -> Any:
        check_shape(*self.shape)
        return super().compute(engine, mask, hints)

    def new(self, dtype: Any = None, *, mask: Any = None, **hints: Any) -> Matrix:
        """Compute into a new Matrix.

        Parameters
        ----------
        dtype : dtype-like, optional
            That of the expression by default.
        mask : Mask or ndarray of bool, optional
            Only where it admits.
        **hints
            ``threads`` (int), for products.

        Returns
        -------
        Matrix

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
        >>> A.mxm(A).new(mask=~A.S).nvals, A.mxm(A).new(float).dtype
        (0, FP64)
        """
        from spbfs.objects.matrix import Matrix

        kind = self.dtype if dtype is None else dtype
        out = Matrix(kind, *self.shape, device=self.device)
        return self._new(out, mask, hints)


def delayed(
    operation: str,
    operands: tuple[Operand, ...],
    shape: tuple[int, ...],
    dtype: DType,
    run: Run,
    applies_mask: bool = False,
) -> Any:
    """A `VectorExpression` or `MatrixExpression`, by the shape."""
    kind = VectorExpression if len(shape) == 1 else MatrixExpression
    return kind(operation, operands, shape, dtype, run, applies_mask)
