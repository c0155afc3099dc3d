"""Matrix, Vector, Scalar, masks and delayed expressions; every check of an argument.

`matrix`, `vector`, `scalar`, `mask` and `labels` have what a user holds, `stored_object` what the
first two share, `waiting` what is yet to be written into it; `checks` and `indexing` look at
arguments.  Their methods are functions of

- `constructors`: made of what people have: arrays, tables, what other libraries hold;
- `operands`: what stands for a matrix or a vector: stored, transposed or delayed;
- `symbols`: what Python's symbols mean, and calls of operators: ``x | y``, ``A @ B``, ``v += w``;
- `operations`: one operation a module: its operands are checked, and it is delayed;
- `assignment`: what ``C(mask, accum) << x`` and ``C[I, J] << x`` write, and ``setdiag``;
- `scalars`: delayed scalars, and their arithmetic, which is that of vectors of one element;
- `placement`: where storage lies: on which device, in which memory and process, and whose it is;
- `exports`: as others take them: arrays, dictionaries, tables;
- `display`: what people read: objects as text and pictures, and the hints in messages.
"""

from spbfs.objects.assignment.statement import IndexedOutput
from spbfs.objects.classes import classes
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands import infix_expressions
from spbfs.objects.operands.expression import MatrixExpression, VectorExpression
from spbfs.objects.operands.one_element import OneElement
from spbfs.objects.operands.operand import Operand
from spbfs.objects.operands.transposed import TransposedMatrix
from spbfs.objects.scalar import Scalar
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.objects.scalars.expression import ScalarExpression
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
