"""Delayed scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.objects.checks import as_hints
from spbfs.objects.classes import classes
from spbfs.objects.display.formatting import format_infix
from spbfs.objects.indexing import extracted_by, written_by
from spbfs.objects.scalar import Scalar
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.objects.symbols.infix import JOIN, settle
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.objects.assignment.statement import IndexedOutput
    from spbfs.objects.indexing import Index
    from spbfs.objects.operands.operand import Operand

__all__ = ["ScalarExpression"]


class ScalarExpression(ScalarArithmetic):
    """A delayed scalar: a reduction, an inner product or one element.

    One element of a stored object can be written, too: ``C[i] << x``.
    """

    __slots__ = (
        "_default",
        "_dtype",
        "_extracted",
        "_name",
        "_run",
        "comparison",
        "operand",
        "pair",
    )

    #: The operands of an infix expression, as they were written.
    pair: tuple[Any, Any]
    _run: Callable[[Any], Any] | None
    #: What the default of an infix expression settles, see `infix`.
    SETTLED = ("_default", "_dtype", "_name", "_run", "operand")

    def __init__(
        self,
        operation: str,
        operand: Operand,
        dtype: DType,
        run: Callable[[Any], Any] | None,
        default: Any = None,
    ) -> None:
        self._name = operation
        self.operand = operand
        self._dtype = dtype
        self._run = run
        self._default = default
        #: What this is an element of, and where there.
        self._extracted: tuple[Operand, tuple[Index, ...]] | None = None
        #: (operand, operator, scalar) of a comparison such as ``s > 5``, for `spbfs.select`.
        self.comparison: tuple[Any, str, Any] | None = None

    @property
    def operation(self) -> str:
        """Name of the operation and its operator."""
        if self._run is None:
            settle(self)
        return self._name

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """Of the result."""
        if self._run is None:
            settle(self)
        return self._dtype

    @property
    def left(self) -> Any:
        """The operand before the symbol of an infix expression."""
        return self.pair[0]

    @property
    def right(self) -> Any:
        """The operand behind it."""
        return self.pair[1]

    @typed_refusals
    def compute(self) -> Any:
        """The number, or None."""
        if self._run is None:
            settle(self)
        run: Any = self._run
        if tracing.current() is None:
            value = run(self.operand._engine)
        else:
            self.operand._compute_delayed()
            start = tracing.clock()
            with tracing.as_one():
                value = run(self.operand._engine)
            tracing.finish(self.operation, self.operand.device, tracing.clock() - start, None)
        return self._default if value is None else value

    def new(
        self,
        dtype: Any = None,
        *,
        is_cscalar: bool = False,
        name: str | None = None,
        **hints: Any,
    ) -> Scalar:
        """Compute into a new Scalar.

        Parameters
        ----------
        dtype : dtype-like, optional
            That of the expression by default.
        is_cscalar, name : optional
            As of the constructor.
        **hints
            ``threads`` (int).

        Returns
        -------
        Scalar

        Examples
        --------
        >>> from spbfs import Vector
        >>> Vector.from_dense([1, 2]).reduce().new(float)
        Scalar(3.0, dtype=FP64)
        """
        as_hints(**hints)
        kind = self.dtype if dtype is None else dtype
        scalar = Scalar(kind, is_cscalar=is_cscalar, name=name)
        scalar.value = self.compute()
        return scalar

    def dup(
        self,
        dtype: Any = None,
        *,
        clear: bool = False,
        is_cscalar: bool = False,
        name: str | None = None,
        **hints: Any,
    ) -> Scalar:
        """Compute into a new Scalar, or make an empty one of the type.

        Parameters
        ----------
        dtype : dtype-like, optional
            That of the expression by default.
        clear : bool, optional
            Leave it empty.
        is_cscalar, name, **hints : optional
            As of `new`.

        Returns
        -------
        Scalar
        """
        if clear:
            kind = self.dtype if dtype is None else dtype
            return Scalar(kind, is_cscalar=is_cscalar, name=name)
        return self.new(dtype, is_cscalar=is_cscalar, name=name, **hints)

    def _filled(self) -> Scalar:
        return self.new()

    @property
    def value(self) -> Any:
        """Compute, as a Python number or None."""
        return self.new().value

    @property
    def resolved_indexes(self) -> IndexedOutput:
        """What stood in the brackets, of an extraction; its `py_indices` can stand there again."""
        return extracted_by(self)

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def update(self, value: Any) -> None:
        """Set the element that this is; an empty Scalar deletes it.

        Parameters
        ----------
        value : number or Scalar
        """
        written_by(self).set_element(value)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return written_by(self)(*args, **options)

    def __reduce__(self) -> Any:
        if self.symbol:
            return JOIN[self.symbol], self.pair
        # What it is computed by stays behind: a copy has the value as it is now.
        return _computed, (self.operation, self.new())

    def __repr__(self) -> str:
        if self.symbol is not None:
            return format_infix(self)
        return f"ScalarExpression({self.operation}, dtype={self.dtype})"


def _computed(operation: str, result: Scalar) -> ScalarExpression:
    """A delayed scalar whose value is known."""
    operand = classes.OneElement(result)
    return ScalarExpression(operation, operand, result.dtype, lambda _: result.value)
