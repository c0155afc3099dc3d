"""Statements on small operands: what they cost is how many functions of ours they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import spbfs as sb
from tests.walk import recorded

U = sb.Vector.from_coo([0, 2, 3], [1.0, 2.0, 3.0], size=5)
V = sb.Vector.from_coo([2, 4], [5.0, 6.0], size=5)
A = sb.Matrix.from_coo([0, 1, 3], [1, 2, 0], [1.0, 2.0, 3.0], nrows=5, ncols=5)

#: Statement -> calls of Python functions at most.
STATEMENTS: dict[str, tuple[int, Callable[[], Any]]] = {
    "ewise_add": (50, lambda: U.ewise_add(V, sb.binary.plus).new()),
    "ewise_mult": (50, lambda: U.ewise_mult(V, sb.binary.times).new()),
    "dup of a vector": (24, lambda: U.dup()),
    "dup of a matrix": (18, lambda: A.dup()),
    "product": (72, lambda: A.mxm(A, sb.semiring.plus_times).new()),
    "masked product": (68, lambda: sb.semiring.plus_times(A @ A).new(mask=~A.S)),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_makes_few_calls(name: str) -> None:
    most, statement = STATEMENTS[name]
    for _ in range(3):  # what is derived once is derived
        statement()
    called = [code.co_qualname for _, code in recorded(statement)]
    assert 1 < len(called) <= most, called
