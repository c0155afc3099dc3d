"""Classes of matrices."""

# ruff: noqa: F401

from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.expression import MatrixExpression
from spbfs.objects.operands.transposed import TransposedMatrix
