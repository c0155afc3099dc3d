"""Statements on small operands: what they cost is how many functions of ours they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import spbfs as sb
from tests.walk import recorded

U = sb.Vector.from_coo([0, 2, 3], [1.0, 2.0, 3.0], size=5)
V = sb.Vector.from_coo([2, 4], [5.0, 6.0], size=5)
W = U.dup()
A = sb.Matrix.from_coo([0, 1, 3], [1, 2, 0], [1.0, 2.0, 3.0], nrows=5, ncols=5)
B = sb.Matrix.from_coo([0, 1, 3], [1, 2, 3], [1.0, 2.0, 3.0], nrows=5, ncols=5)
DENSE = [[0.0, 1.0], [2.0, 0.0]]


def accumulated_product() -> None:
    W(sb.binary.plus) << sb.semiring.plus_times(A @ U)


def accumulated_vector() -> None:
    W(sb.binary.plus) << U


def accumulated_part() -> None:
    W[[1, 2]](sb.binary.plus) << 1.0


#: Statement -> calls of Python functions at most.
STATEMENTS: dict[str, tuple[int, Callable[[], Any]]] = {
    "ewise_add": (45, lambda: U.ewise_add(V, sb.binary.plus).new()),
    "ewise_mult": (48, lambda: U.ewise_mult(V, sb.binary.times).new()),
    "dup of a vector": (20, lambda: U.dup()),
    "dup of a matrix": (18, lambda: A.dup()),
    "product": (64, lambda: A.mxm(A, sb.semiring.plus_times).new()),
    "masked product": (66, lambda: sb.semiring.plus_times(A @ A).new(mask=~A.S)),
    "union of matrices": (49, lambda: A.ewise_add(B, sb.binary.plus).new()),
    "intersection of matrices": (52, lambda: A.ewise_mult(B, sb.binary.times).new()),
    "outer product": (92, lambda: U.outer(V, sb.binary.times).new()),
    "function": (53, lambda: U.apply(sb.unary.exp).new()),
    "function with a number": (63, lambda: U.apply(sb.binary.times, right=2.0).new()),
    "accumulated product": (65, accumulated_product),
    "accumulated vector": (40, accumulated_vector),
    "accumulated part": (84, accumulated_part),
    "vector of an array": (34, lambda: sb.Vector.from_dense(DENSE[0], missing_value=0.0)),
    "matrix of an array": (41, lambda: sb.Matrix.from_dense(DENSE, missing_value=0.0)),
    "rows counted": (140, lambda: A.reduce_rowwise(sb.agg.count).new()),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_makes_few_calls(name: str) -> None:
    most, statement = STATEMENTS[name]
    for _ in range(3):  # what is derived once is derived
        statement()
    called = [code.co_qualname for _, code in recorded(statement)]
    assert 1 < len(called) <= most, called
