"""The classes of ``x | y``, ``x & y`` and ``A @ B``, by the number of dimensions.

Each is a delayed operation like any other, with a symbol; see `infix` for what that means.
"""

from __future__ import annotations

from typing import Any

from spbfs.objects.operands.expression import Expression, compute_matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.operations import products
from spbfs.objects.scalars.expression import ScalarExpression
from spbfs.objects.symbols.infix import fill

__all__ = [
    "CLASSES",
    "MatrixEwiseAddExpr",
    "MatrixEwiseMultExpr",
    "MatrixMatMulExpr",
    "ScalarEwiseAddExpr",
    "ScalarEwiseMultExpr",
    "ScalarMatMulExpr",
    "VectorEwiseAddExpr",
    "VectorEwiseMultExpr",
    "VectorMatMulExpr",
]


class VectorEwiseAddExpr(Expression, VectorOperand):
    """``u | v``."""

    __slots__ = ()
    symbol = "|"
    __getattr__ = fill


class VectorEwiseMultExpr(Expression, VectorOperand):
    """``u & v``."""

    __slots__ = ()
    symbol = "&"
    __getattr__ = fill


class VectorMatMulExpr(Expression, VectorOperand):
    """``A @ v`` or ``v @ A``."""

    __slots__ = ()
    symbol = "@"
    __getattr__ = fill
    multiply = products.multiply_vector
    _multiply = products.vector_product


class MatrixEwiseAddExpr(Expression, MatrixOperand):
    """``A | B``, or of a matrix and a vector along its rows or columns."""

    __slots__ = ()
    symbol = "|"
    __getattr__ = fill
    compute = compute_matrix


class MatrixEwiseMultExpr(Expression, MatrixOperand):
    """``A & B``, or of a matrix and a vector along its rows or columns."""

    __slots__ = ()
    symbol = "&"
    __getattr__ = fill
    compute = compute_matrix


class MatrixMatMulExpr(Expression, MatrixOperand):
    """``A @ B``."""

    __slots__ = ()
    symbol = "@"
    __getattr__ = fill
    compute = compute_matrix
    multiply = products.multiply_matrix
    _multiply = products.matrix_product


class ScalarEwiseAddExpr(ScalarExpression):
    """``s | t``."""

    __slots__ = ()
    symbol = "|"


class ScalarEwiseMultExpr(ScalarExpression):
    """``s & t``."""

    __slots__ = ()
    symbol = "&"


class ScalarMatMulExpr(ScalarExpression):
    """``u @ v``."""

    __slots__ = ()
    symbol = "@"


#: By the number of dimensions.
CLASSES: tuple[tuple[Any, ...], ...] = (
    (ScalarEwiseAddExpr, ScalarEwiseMultExpr, ScalarMatMulExpr),
    (VectorEwiseAddExpr, VectorEwiseMultExpr, VectorMatMulExpr),
    (MatrixEwiseAddExpr, MatrixEwiseMultExpr, MatrixMatMulExpr),
)
