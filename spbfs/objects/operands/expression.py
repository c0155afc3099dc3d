"""Delayed operations: what to compute, computed when it is assigned, read or made ``.new()``."""

from __future__ import annotations

from collections.abc import Callable
from operator import matmul
from typing import TYPE_CHECKING, Any

from spbfs.base import tracing
from spbfs.base.memory import refusal
from spbfs.engines.protocol import NO_HINTS, Hints
from spbfs.exceptions import OutOfMemory
from spbfs.objects.checks import MAX_SIZE, check_shape
from spbfs.objects.display.formatting import format_expression, format_infix
from spbfs.objects.indexing import extracted_by, written_by
from spbfs.objects.mask import Mask, mask_of
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.operands.operand import Operand
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.operations import products
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.placement.devices import common_engine
from spbfs.objects.shapes import SHAPE, resized
from spbfs.objects.symbols.infix import JOIN, settle

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, MaskData
    from spbfs.objects.assignment.statement import IndexedOutput, Updater
    from spbfs.objects.indexing import Index
    from spbfs.objects.labels import Labels
    from spbfs.operators.dtypes import DType
    from spbfs.storage.arrays import Device

__all__ = ["Expression", "MatrixExpression", "VectorExpression", "compute_matrix"]


class Expression(Operand):
    """One operation, not computed yet, usable wherever its result is.

    Attributes
    ----------
    operation : str
        Name of the operation and its operator, as a trace shows it.
    shape : tuple of int
    dtype : DType
    """

    __slots__ = (
        "_dtype",
        "_extracted",
        "_name",
        "_placed",
        "_result",
        "_run",
        "_semiring",
        "_shapes",
        "comparison",
        "operands",
        "pair",
        "shape",
    )

    __init__ = object.__init__  # `delayed` and `products` make it
    #: Of what is no product: its name, the type of the result, and what is called with the engine
    #: and the storage of every operand.  A product says these when it is asked.
    _name: str
    _dtype: DType
    #: The operands' shapes when it was made; a product is checked by its own.
    _shapes: tuple[tuple[int, ...], ...]
    #: None of an infix expression that has not settled yet.
    _run: Any
    #: The operands of an infix expression, as they were written: a default is none of theirs.
    pair: tuple[Any, Any]
    #: What the default of an infix expression settles, see `infix`.
    SETTLED = ("_dtype", "_name", "_run", "_semiring", "_shapes", "operands")
    #: (operand, operator, scalar) of a comparison such as ``A > 5``, for `spbfs.select`; no other
    #: expression has one.
    comparison: tuple[Operand, str, Any]
    #: What this is an extraction from, and its rows and columns there; no other has it.
    _extracted: tuple[Operand, tuple[Index, ...]]
    #: What a reposition moves, and its rows and columns in the output: all that is written of one.
    _placed: tuple[Operand, tuple[Index, ...]]

    @property
    def operation(self) -> str:
        """Name of the operation and its operator."""
        if self._semiring is None:
            if self._run is None:
                settle(self)
                return self.operation
            return self._name
        left, right = self.operands
        product = "mxm" if left.ndim == right.ndim else "vxm" if left.ndim == 1 else "mxv"
        return f"{product} {self._semiring.op.name}"

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """Of the result, before it is cast to that of an output."""
        if self._semiring is not None:
            return self._semiring.out_type
        if self._run is None:
            settle(self)
            return self.dtype
        return self._dtype

    @property
    def left(self) -> Any:
        """The operand before the symbol of an infix expression."""
        return self.pair[0]

    @property
    def right(self) -> Any:
        """The operand behind it."""
        return self.pair[1]

    @property
    def device(self) -> Device:  # type: ignore[override]
        """Where it will be computed: with its operands."""
        for operand in self.operands:
            if operand._bound:
                return operand.device
        return self.operands[0].device

    @property
    def _bound(self) -> bool:  # type: ignore[override]
        for operand in self.operands:  # noqa: SIM110 - a call less, for every statement
            if operand._bound:
                return True
        return False

    @property
    def labels(self) -> Labels | None:
        """What the vertices are called, where the operation leaves them in their places."""
        labels = super().labels
        if labels is None or hasattr(self, "_extracted") or self.operation == "reposition":
            return None
        return labels

    @property
    def value_labels(self) -> Labels | None:
        """What the values are called, where they are vertices and the operation chooses some."""
        labels: Labels | None = self.operands[0].value_labels
        if labels is None or hasattr(self, "_extracted") or self.operation.startswith("select "):
            return labels
        return None

    def _move(self, device: Device) -> None:
        for operand in self.operands:
            operand._move(device)

    def _ready(self) -> Any:
        if self._result is None:
            self._result = self.compute(common_engine(*self.operands), None, NO_HINTS)
        return self._result

    def compute(
        self, engine: Engine, mask: MaskData | None, hints: Hints, into: DType | None = None
    ) -> Any:
        """The result's storage on an engine; outside of the mask it may have entries or not.

        Parameters
        ----------
        engine : Engine
        mask : MaskData or None
        hints : Hints
        into : DType, optional
            Of what it is written to: it may be computed in that type where no value depends on it.

        Returns
        -------
        VectorData or MatrixData
            What was computed before, where something was.
        """
        if self._result is not None:
            return self._result
        work: Callable[..., Any]
        if self._semiring is not None:
            work = self._multiply
        elif self._run is not None:
            work = self._operate
        else:
            settle(self)
            return self.compute(engine, mask, hints, into)
        try:
            if tracing.current() is None:
                return work(engine, mask, hints, into)
            for operand in self.operands:
                operand._compute_delayed()
            start = tracing.clock()
            with tracing.as_one():
                data = work(engine, mask, hints, into)
            tracing.finished(self.operation, engine, start, data)
        except OutOfMemory:
            raise
        except MemoryError as error:
            raise refusal(error) from error
        return data

    def _compute_delayed(self) -> None:
        self._ready()

    def _operate(self, engine: Engine, *_: Any) -> Any:
        """The storage of what is no product."""
        if tuple(map(SHAPE, self.operands)) != self._shapes:
            raise resized(self.operation, self.shape, self.operands)
        return self._run(engine, *[operand._ready() for operand in self.operands])

    def _multiply(
        self, engine: Engine, mask: MaskData | None, hints: Hints, into: DType | None
    ) -> Any:
        """The storage of a product; entries that the mask does not admit are left out."""
        raise NotImplementedError

    # -- writing into what it was extracted from -----------------------------------------------
    @property
    def resolved_indexes(self) -> IndexedOutput:
        """What stood in the brackets, of an extraction; its `py_indices` can stand there again."""
        return extracted_by(self)

    def __call__(self, *args: Any, **options: Any) -> Updater:
        """``C[I, J](mask, accum, replace) << value``: the mask covers these rows and columns."""
        return written_by(self)(*args, **options)

    def __lshift__(self, value: Any) -> None:
        written_by(self).update(value)

    def update(self, value: Any, **options: Any) -> None:
        """``C[I, J](**options) << value``.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        **options
            As of `Matrix.update`; a mask covers these rows and columns only.
        """
        written_by(self).update(value, **options)

    # Computed at once: what an expression is computed from may change before the mask is used.
    @property
    def S(self) -> Mask:
        """The structural mask of the result as it is now: admits where an entry is stored."""
        return _mask_of_result(self, True)

    @property
    def V(self) -> Mask:
        """The valued mask of the result as it is now: admits where a true value is stored."""
        return _mask_of_result(self, False)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.symbol is not None:
            return JOIN[self.symbol], self.pair
        if self._semiring is not None:
            return self._semiring.op, (matmul(*self.operands),)
        # What it is computed by stays behind: a copy has the result as it is now.
        return _computed, (self.operation, self.new())

    def __repr__(self) -> str:
        return format_expression(self) if self.symbol is None else format_infix(self)


def _mask_of_result(expression: Any, structural: bool) -> Mask:
    return mask_of(expression.new(), structural)


class VectorExpression(Expression, VectorOperand):
    """A delayed vector."""

    __slots__ = ()

    _multiply = products.vector_product


def compute_matrix(
    self: Expression,
    engine: Engine,
    mask: MaskData | None,
    hints: Hints,
    into: DType | None = None,
) -> Any:
    """`Expression.compute` where the shape of a result might not fit.

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
    if max(self.shape) > MAX_SIZE:
        check_shape(*self.shape)
    return Expression.compute(self, engine, mask, hints, into)


class MatrixExpression(Expression, MatrixOperand):
    """A delayed matrix."""

    __slots__ = ()

    _multiply = products.matrix_product

    compute = compute_matrix


def _computed(operation: str, result: Any) -> Any:
    """A delayed operation whose result is known."""
    return delayed(operation, (result,), result.shape, result.dtype, lambda _, data: data)
