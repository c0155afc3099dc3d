"""Classes of vectors."""

# ruff: noqa: F401

from spbfs.objects.operands.expression import VectorExpression
from spbfs.objects.vector import Vector
