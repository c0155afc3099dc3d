"""The classes of this room, for the functions that return one or ask whether a value is one.

A product of two matrices is a `MatrixExpression`, its row a `VectorExpression`, ``A.T`` a
`TransposedMatrix`.  The modules of these classes import the functions that are their methods, so
the functions cannot import the classes: they ask this table.  `spbfs.objects` fills it when it is
imported, which is before any module in it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spbfs.objects.expression import MatrixExpression, VectorExpression
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operand import Operand
    from spbfs.objects.scalar import Scalar
    from spbfs.objects.scalar_expression import ScalarExpression
    from spbfs.objects.statement import IndexedOutput
    from spbfs.objects.transposed import TransposedMatrix
    from spbfs.objects.vector import Vector

__all__ = ["Classes", "classes"]


class Classes:
    """The table; its one instance is `classes`."""

    __slots__ = (
        "IndexedOutput",
        "Matrix",
        "MatrixExpression",
        "Operand",
        "Scalar",
        "ScalarExpression",
        "TransposedMatrix",
        "Vector",
        "VectorExpression",
    )

    IndexedOutput: type[IndexedOutput]
    Matrix: type[Matrix]
    MatrixExpression: type[MatrixExpression]
    Operand: type[Operand]
    Scalar: type[Scalar]
    ScalarExpression: type[ScalarExpression]
    TransposedMatrix: type[TransposedMatrix]
    Vector: type[Vector]
    VectorExpression: type[VectorExpression]


classes = Classes()
