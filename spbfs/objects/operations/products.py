"""Products: ``A @ B`` with a semiring, inner and outer products, the Kronecker product."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.exceptions import DimensionMismatch
from spbfs.objects.checks import check_ndim, check_same_shape
from spbfs.objects.classes import classes
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.operations.elementwise import binary_operator
from spbfs.objects.placement.devices import common_engine
from spbfs.objects.scalars.expression import ScalarExpression
from spbfs.objects.shapes import resized
from spbfs.objects.symbols.infix import with_operator
from spbfs.operators import lookup
from spbfs.operators.definitions import Semiring
from spbfs.planner.forms import outer_by_entries
from spbfs.storage.data import VectorData
from spbfs.storage.entries import (
    column_matrix,
    each_repeated,
    row_matrix,
    tiled,
    vector_entries,
)

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, Hints, MaskData
    from spbfs.objects.operands.expression import MatrixExpression, VectorExpression
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.vector_operand import VectorOperand
    from spbfs.operators.definitions import TypedBinary
    from spbfs.operators.dtypes import DType
    from spbfs.storage.data import MatrixData

__all__ = ["inner", "kronecker", "multiply_matrix", "multiply_vector", "mxm", "mxv", "outer", "vxm"]


def multiply_vector(self: Any, semiring: Semiring) -> Any:
    """The delayed product over a semiring that ``A @ v`` or ``v @ A`` stands for.

    It is made here and not by `delayed`, since a search makes one a level; dimensions were checked
    when the two met.
    """
    left, right = pair = self.pair
    if left.symbol or right.symbol:
        return with_operator(self, semiring)
    types, typed = semiring.last
    if types != (left.dtype, right.dtype):
        typed = semiring.resolve(left.dtype, right.dtype)
    made = classes.VectorExpression()
    made.operands = pair
    made.shape = (right.shape[1],) if left.ndim == 1 else (left.shape[0],)
    made._semiring = typed
    made._result = None
    return made


def multiply_matrix(self: Any, semiring: Semiring) -> Any:
    """The delayed product over a semiring that ``A @ B`` stands for."""
    left, right = self.pair
    if left.symbol or right.symbol:
        return with_operator(self, semiring)
    return _product(left, right, (left.shape[0], right.shape[1]), semiring)


def vector_product(
    self: VectorExpression, engine: Engine, mask: MaskData | None, hints: Hints, into: DType | None
) -> VectorData:
    """What ``u A`` and ``A u`` compute; `into` is the type it is for, where that is known."""
    u, A = self.operands
    vector_first = transpose = u.ndim == 1
    if not vector_first:
        u, A = A, u
    rows, columns = A.shape if vector_first else A.shape[::-1]
    if u.shape[0] != rows or self.shape[0] != columns:
        raise resized(self.operation, self.shape, self.operands)
    if A._pending and isinstance(A, classes.TransposedMatrix):
        A, transpose = A._matrix, not transpose
    matrix = A._ready() if A._pending else A._data
    vector = u._ready() if u._pending else u._data
    semiring = self._semiring
    if semiring.by_output is not None and into is not None:
        semiring = semiring.by_output[into.name]
    return engine.mxv((matrix, semiring, transpose, vector_first), vector, mask, hints)


def matrix_product(
    self: MatrixExpression, engine: Engine, mask: MaskData | None, hints: Hints, into: DType | None
) -> MatrixData:
    """What ``A B`` computes; `into` is the type it is for, where that is known."""
    A, B = self.operands
    if A.shape[1] != B.shape[0] or self.shape != (A.shape[0], B.shape[1]):
        raise resized(self.operation, self.shape, self.operands)
    semiring = self._semiring
    if into is not None and semiring.by_output is not None:
        semiring = semiring.by_output[into.name]
    return engine.mxm(A._ready(), B._ready(), semiring, mask=mask, hints=hints)


def vxm(self: VectorOperand, other: Any, op: Any = "plus_times") -> Any:
    """``u A``: the vector as a row times a matrix, delayed.

    Parameters
    ----------
    other : Matrix
        ``self.size x n``.
    op : semiring or name, optional
        ``plus_times`` by default.

    Returns
    -------
    VectorExpression
        Of size n.  The engine expands the entries of the vector (push) or scans the columns
        that the mask admits (pull), whichever is less work; ``w(direction="push") << ...``
        decides for it.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1, 2, 3])
    >>> sb.Vector.from_dense([10, 1]).vxm(A).new().to_dict()
    {0: 10, 1: 23}
    """
    check_ndim(other, 2)
    if other.nrows != self.size:
        raise DimensionMismatch(
            f"other: expected {self.size} rows to match the vector, got shape {other.shape}"
        )
    return _product(self, other, (other.ncols,), op)


def mxv(self: MatrixOperand, other: Any, op: Any = "plus_times") -> Any:
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
    check_ndim(other, 1)
    if other.size != self.ncols:
        raise DimensionMismatch(
            f"other: expected {self.ncols} elements to match shape {self.shape}, got {other.size}"
        )
    return _product(self, other, (self.nrows,), op)


def mxm(self: MatrixOperand, other: Any, op: Any = "plus_times") -> Any:
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
    check_ndim(other, 2)
    if other.nrows != self.ncols:
        raise DimensionMismatch(
            f"other: expected {self.ncols} rows to match shape {self.shape}, "
            f"got shape {other.shape}"
        )
    return _product(self, other, (self.nrows, other.ncols), op)


def _product(left: Any, right: Any, shape: tuple[int, ...], op: Any) -> Any:
    semiring = lookup.as_semiring(op).resolve(left.dtype, right.dtype)
    made: Any = classes.VectorExpression() if len(shape) == 1 else classes.MatrixExpression()
    made.operands = (left, right)
    made.shape = shape
    made._semiring = semiring
    made._result = None
    return made


def inner(self: VectorOperand, other: Any, op: Any = "plus_times") -> ScalarExpression:
    """The inner product with another vector, delayed.

    Parameters
    ----------
    other : Vector
        Of the same size.
    op : semiring or name, optional
        ``plus_times`` by default.

    Returns
    -------
    ScalarExpression
        Empty where no index is stored in both.

    Examples
    --------
    >>> import spbfs as sb
    >>> u, v = sb.Vector.from_dense([1, 2, 3]), sb.Vector.from_coo([0, 2], [10, 1])
    >>> u.inner(v).value, u.inner(v, "min_plus").value
    (13, 4)
    """
    check_same_shape(other, self.shape)
    semiring = lookup.as_semiring(op).resolve(self.dtype, other.dtype)

    def run(_: Any) -> Any:
        check_same_shape(other, self.shape)  # either may be another size by now
        engine = common_engine(self, other)
        products = engine.ewise_mult(self._ready(), other._ready(), semiring.multiply)
        return engine.reduce(products, semiring.add)

    return ScalarExpression(f"inner {semiring.op.name}", self, semiring.out_type, run)


def outer(self: VectorOperand, other: Any, op: Any = "times") -> Any:
    """The matrix of ``op(self[i], other[j])``, delayed.

    Parameters
    ----------
    other : Vector
    op : binary operator, monoid or name, optional
        ``times`` by default.

    Returns
    -------
    MatrixExpression
        Of shape ``(self.size, other.size)``; as ``numpy.outer`` where both are full.

    Examples
    --------
    >>> import spbfs as sb
    >>> u = sb.Vector.from_dense([1, 2])
    >>> u.outer(u, "plus").new().to_dense()
    array([[2, 3],
           [3, 4]])
    """
    check_ndim(other, 1)
    typed = binary_operator(op, self.dtype, other.dtype)
    return delayed(
        f"outer {typed.op.name}",
        (self, other),
        (self.size, other.size),
        typed.out_type,
        lambda engine, u, v: _outer(engine, u, v, typed),
    )


def _outer(engine: Engine, u: VectorData, v: VectorData, op: TypedBinary) -> MatrixData:
    left, right = engine.nvals(u), engine.nvals(v)
    is_whole = engine.spread is None and not op.op.positional
    if not is_whole or not outer_by_entries(u.size, left * right):
        return engine.kronecker(column_matrix(u, engine), row_matrix(v), op)
    (rows, x), (columns, y) = vector_entries(u), vector_entries(v)
    pairs = [VectorData(left * right, a) for a in (each_repeated(x, right), tiled(y, left))]
    values = engine.ewise_mult(pairs[0], pairs[1], op).values
    return engine.build_matrix(
        u.size, v.size, each_repeated(rows, right), tiled(columns, left), values, None
    )


def kronecker(self: MatrixOperand, other: Any, op: Any = "times") -> Any:
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
    check_ndim(other, 2)
    typed = binary_operator(op, self.dtype, other.dtype)
    return delayed(
        f"kronecker {typed.op.name}",
        (self, other),
        (self.nrows * other.nrows, self.ncols * other.ncols),
        typed.out_type,
        lambda engine, A, B: engine.kronecker(A, B, typed),
    )
