"""Classes of scalars."""

# ruff: noqa: F401

from spbfs.objects.scalar import Scalar
from spbfs.objects.scalar_expression import ScalarExpression
