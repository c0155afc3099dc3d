"""Through the alias, names alone, are all that graphblas-algorithms imports of python-graphblas.

`python -m tests.dialect` runs its calls, where there is a checkout.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import spbfs as sb
from spbfs.exceptions import DomainMismatch
from spbfs.objects.operands.kinds import ensure_type, output_type

ALIAS = Path(__file__).parents[2] / "dialect" / "alias"
IMPORTS = """
import graphblas as gb
from graphblas import Matrix, Vector, agg, binary, monoid, op, replace, select, semiring, unary
from graphblas.core import operator
from graphblas.core.matrix import TransposedMatrix
from graphblas.core.utils import ensure_type, output_type
from graphblas.semiring import (
    any_pair, any_plus, any_second, min_plus, plus_first, plus_pair, plus_times
)

A = Matrix.from_coo([0], [1], [2])
assert output_type(A.T) is Matrix and isinstance(A.T, TransposedMatrix)
assert ensure_type(A, Matrix) is A
print(gb.Matrix.__module__, any_pair is semiring.any_pair)
"""


def test_what_algorithms_import_is_there() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTS],
        env=os.environ | {"PYTHONPATH": str(ALIAS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == [sb.Matrix.__module__, "True"]


def test_what_an_operand_is_once_computed() -> None:
    A, v, s = sb.Matrix(int, 2, 2), sb.Vector(int, 2), sb.Scalar(int)
    for value in (A, A.T, A @ A, A + A, v.outer(v)):
        assert output_type(value) is sb.Matrix
    for value in (v, v + v, A @ v, A.reduce_rowwise()):
        assert output_type(value) is sb.Vector
    for value in (s, s + 1, v.reduce(), v[0]):
        assert output_type(value) is sb.Scalar
    assert output_type(5) is int


def test_what_has_to_be_of_a_kind_is_computed_where_it_is_only_then() -> None:
    A = sb.Matrix.from_coo([0], [1], [5], nrows=2, ncols=2)
    assert ensure_type(A, (sb.Matrix, sb.Vector)) is A
    assert ensure_type(A.T, sb.Matrix).to_dicts() == {1: {0: 5}}
    with pytest.raises(DomainMismatch, match="value: expected a Vector or Scalar, got Matrix"):
        ensure_type(A, (sb.Vector, sb.Scalar))
