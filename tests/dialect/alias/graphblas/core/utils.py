"""What python-graphblas's tests and graphblas-algorithms import of the wrapper's helpers."""

# ruff: noqa: F401

from spbfs.objects.operands.kinds import ensure_type, output_type

_NP2 = True
