"""Powers of a square matrix over a semiring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.engines.protocol import NO_HINTS
from spbfs.exceptions import DimensionMismatch, InvalidValue
from spbfs.objects.checks import as_offset, to_scalar
from spbfs.objects.operations.delayed import delayed
from spbfs.operators import lookup
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import DType
from spbfs.storage.data import VectorData, iso_array

if TYPE_CHECKING:
    from spbfs.objects.operands.expression import MatrixExpression
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.storage.data import MatrixData

__all__ = ["power"]


def power(self: MatrixOperand, n: Any, op: Any = "plus_times") -> MatrixExpression:
    """``A A ... A``, n times, over a semiring, delayed; computed by repeated squaring.

    Parameters
    ----------
    n : int
        Not negative.  ``A.power(0)`` has the identity of the semiring's multiplication on its
        diagonal, which must then have one.
    op : semiring or name, optional
        ``plus_times`` by default.

    Returns
    -------
    MatrixExpression
        Of the matrix's shape and dtype; as ``numpy.linalg.matrix_power``.

    Raises
    ------
    DimensionMismatch
        When the matrix is not square.
    InvalidValue
        When `n` is negative, or 0 where the multiplication has no identity.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
    >>> A.power(3).new().to_dicts(), A.power(0).new().to_dicts()
    ({0: {0: 1, 1: 26}, 1: {1: 27}}, {0: {0: 1}, 1: {1: 1}})
    """
    if self.nrows != self.ncols:
        raise DimensionMismatch(f"power: expected a square matrix, got shape {self.shape}")
    times = as_offset(int(n) if isinstance(n, float) and n.is_integer() else n, "n")
    if times < 0:
        raise InvalidValue(f"n: expected 0 or more, got {brief(times)}")
    dtype = self.dtype
    semiring = lookup.as_semiring(op).resolve(dtype, dtype)
    identity = _identity(semiring) if times == 0 else None

    def run(engine: Any, A: Any) -> MatrixData:
        if times == 0:
            one = np.array([to_scalar(identity, dtype)])
            ones = VectorData(A.nrows, iso_array(engine.asarray(one), A.nrows))
            made: MatrixData = engine.diag_matrix(ones, 0)
            return made
        return _repeated(engine, A, times, semiring, dtype)

    made: MatrixExpression = delayed(f"power {semiring.op.name}", (self,), self.shape, dtype, run)
    return made


def _repeated(engine: Any, A: Any, times: int, semiring: TypedSemiring, dtype: DType) -> Any:
    """The product of as many factors A: those squares whose bits `times` has."""

    def multiply(left: Any, right: Any) -> Any:
        product = engine.mxm(left, right, semiring, mask=None, hints=NO_HINTS)
        return engine.cast(product, dtype)

    square, result = A, None
    while True:
        times, bit = divmod(times, 2)
        if bit:
            result = square if result is None else multiply(result, square)
        if not times:
            return result
        square = multiply(square, square)


def _identity(semiring: TypedSemiring) -> Any:
    """That of a semiring's multiplication."""
    multiply = semiring.multiply
    monoid = multiply.op.monoid
    if monoid is None or monoid.is_any or multiply.out_type not in monoid:
        raise InvalidValue(
            f"n: expected 1 or more, as {multiply.op!r}, whose identity A.power(0) holds, has none"
        )
    return monoid[multiply.out_type].identity
