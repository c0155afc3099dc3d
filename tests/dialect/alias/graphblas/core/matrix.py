"""Classes of matrices."""

# ruff: noqa: F401

from spbfs.objects.expression import MatrixExpression
from spbfs.objects.matrix import Matrix
from spbfs.objects.transposed import TransposedMatrix
