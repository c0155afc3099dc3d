"""Functions of a user's that return one of their operands, or a number, as they are.

Nothing is computed, so that a program of theirs has no step of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from spbfs import Matrix, Vector, binary, monoid, semiring

#: Functions, and the built-in operators that do the same.
RETURN_ONE: dict[str, tuple[Callable[..., Any], Any]] = {
    "second": (lambda x, y: y, binary.second),
    "first": (lambda x, y: x, binary.first),
    "chosen": (lambda x, y: y if True else x, binary.second),
    "positive": (lambda x, y: +y, binary.second),
    "a number": (lambda x, y: 1, binary.pair),
}
#: Conversions to what the operand is already.
SAME_TYPE = {"INT64": lambda x, y: int(y), "FP64": lambda x, y: float(y)}
TYPES = ["BOOL", "INT8", "UINT16", "INT64", "UINT64", "FP32", "FP64"]


def results(op: Any, dtype: str, device: str) -> dict[str, Any]:
    """What it gives in operations of all kinds."""
    v = Vector.from_coo([0, 1, 3], [1, 0, 1], dtype, size=5, device=device)
    w = Vector.from_coo([0, 3, 4], [0, 1, 1], dtype, size=5, device=device)
    A = Matrix.from_coo([0, 0, 1, 2], [0, 1, 2, 0], [1, 0, 1, 1], dtype, ncols=3, device=device)
    B, u = A.T.new(), A[:, 0].new()
    accumulated, region, number = v.dup(), v.dup(), v.dup()
    accumulated(op) << w
    region[[3, 0]](op) << w[[0, 3]]
    number(op) << 1
    sums = semiring.register_anonymous(monoid.max if dtype != "BOOL" else monoid.lor, op)
    twice = ([0, 0, 1], [1, 1, 0], [1, 0, 1])
    made = {
        "ewise_mult": v.ewise_mult(w, op).new(),
        "ewise_add": v.ewise_add(w, op).new(),
        "ewise_union": v.ewise_union(w, op, 1, 0).new(),
        "matrices multiplied": A.ewise_mult(B, op).new(),
        "matrices added": A.ewise_add(B, op).new(),
        "outer": v.outer(w, op).new(),
        "kronecker": A.kronecker(B, op).new(),
        "right": v.apply(op, 1).new(),
        "left": A.apply(op, left=1).new(),
        "duplicates": Matrix.from_coo(*twice, dtype, dup_op=op, device=device),
        "accumulated": accumulated,
        "region": region,
        "number": number,
        "mxv": A.mxv(u, sums).new(),
        "vxm": u.vxm(A, sums).new(),
        "mxm": A.mxm(B, sums).new(),
    }
    return {name: (x.shape, [a.tolist() for a in x.to_coo()]) for name, x in made.items()}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", RETURN_ONE)
def test_what_returns_an_operand_is_as_the_built_in_operator(
    device: str, name: str, dtype: str
) -> None:
    function, built_in = RETURN_ONE[name]
    if dtype == "BOOL" and name == "positive":
        pytest.skip("a sign makes an integer of a Boolean")
    if dtype == "BOOL" and name == "a number":
        pytest.skip("1 is an integer, which pair of Booleans is not")
    op = binary.register_anonymous(function)
    assert results(op, dtype, device) == results(built_in, dtype, device)


@pytest.mark.parametrize("dtype", SAME_TYPE)
def test_a_conversion_to_the_same_type_is_no_step(device: str, dtype: str) -> None:
    op = binary.register_anonymous(SAME_TYPE[dtype])
    assert results(op, dtype, device) == results(binary.second, dtype, device)
