"""Matrix, Vector, Scalar, masks and delayed expressions; every check of an argument."""

from spbfs.objects import infix_expressions
from spbfs.objects.classes import classes
from spbfs.objects.expression import MatrixExpression, VectorExpression
from spbfs.objects.matrix import Matrix
from spbfs.objects.one_element import OneElement
from spbfs.objects.operand import Operand
from spbfs.objects.scalar import Scalar
from spbfs.objects.scalar_arithmetic import ScalarArithmetic
from spbfs.objects.scalar_expression import ScalarExpression
from spbfs.objects.statement import IndexedOutput
from spbfs.objects.transposed import TransposedMatrix
from spbfs.objects.vector import Vector

classes.IndexedOutput = IndexedOutput
classes.Matrix = Matrix
classes.MatrixExpression = MatrixExpression
classes.Operand = Operand
classes.Scalar = Scalar
classes.ScalarArithmetic = ScalarArithmetic
classes.ScalarExpression = ScalarExpression
classes.TransposedMatrix = TransposedMatrix
classes.Vector = Vector
classes.VectorExpression = VectorExpression
classes.OneElement = OneElement
classes.VectorMatMulExpr = infix_expressions.VectorMatMulExpr
classes.infix = {
    (dimensions, kind.symbol): kind
    for dimensions, kinds in enumerate(infix_expressions.CLASSES)
    for kind in kinds
}
