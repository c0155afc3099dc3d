"""Classes of scalars."""

# ruff: noqa: F401

from spbfs.objects.scalar import Scalar
from spbfs.objects.scalars.expression import ScalarExpression
