"""The classes of this room, for the functions that return one or ask whether a value is one.

A product of two matrices is a `MatrixExpression`, its row a `VectorExpression`, ``A.T`` a
`TransposedMatrix`.  The modules of these classes import the functions that are their methods, so
the functions cannot import the classes: they ask this table.  `spbfs.objects` fills it when it is
imported, which is before any module in it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spbfs.objects.assignment.statement import IndexedOutput
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.expression import MatrixExpression, VectorExpression
    from spbfs.objects.operands.infix_expressions import VectorMatMulExpr
    from spbfs.objects.operands.one_element import OneElement
    from spbfs.objects.operands.operand import Operand
    from spbfs.objects.operands.transposed import TransposedMatrix
    from spbfs.objects.scalar import Scalar
    from spbfs.objects.scalars.arithmetic import ScalarArithmetic
    from spbfs.objects.scalars.expression import ScalarExpression
    from spbfs.objects.vector import Vector

__all__ = ["Classes", "classes"]


class Classes:
    """The table; its one instance is `classes`."""

    __slots__ = (
        "IndexedOutput",
        "Matrix",
        "MatrixExpression",
        "OneElement",
        "Operand",
        "Scalar",
        "ScalarArithmetic",
        "ScalarExpression",
        "TransposedMatrix",
        "Vector",
        "VectorExpression",
        "VectorMatMulExpr",
        "infix",
    )

    IndexedOutput: type[IndexedOutput]
    Matrix: type[Matrix]
    MatrixExpression: type[MatrixExpression]
    OneElement: type[OneElement]
    Operand: type[Operand]
    Scalar: type[Scalar]
    ScalarArithmetic: type[ScalarArithmetic]
    ScalarExpression: type[ScalarExpression]
    TransposedMatrix: type[TransposedMatrix]
    Vector: type[Vector]
    VectorExpression: type[VectorExpression]
    VectorMatMulExpr: type[VectorMatMulExpr]
    #: Those of ``x | y``, ``x & y`` and ``x @ y``, by number of dimensions and symbol.
    infix: dict[tuple[int, str], Any]


classes = Classes()
