"""Where python-graphblas keeps its classes."""

# ruff: noqa: F401

from graphblas.core import dtypes, expr, infix, mask, matrix, operator, scalar, utils, vector

_supports_udfs = True
#: SuiteSparse and what reaches it.
lib = ss = ffi = NULL = None
