"""User-defined operators: Python functions of scalars, traced and evaluated over arrays."""

import math

import numpy as np
import pytest

from spbfs import Vector, binary, monoid, op, semiring, unary
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.operators.dtypes import BOOL, FP64, INT8, INT64
from spbfs.operators.traced.symbols import MAX_PATHS, trace
from spbfs.operators.traced.userdefined import evaluate, result_type


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x + 2 * y - 1,
        lambda x, y: x if x < y else y,
        lambda x, y: max(x, y) - min(x, y),
        lambda x, y: (x > 2 and y > 2) + 0,
        lambda x, y: x if x > 3 else (y if y > 3 else -1),
        lambda x, y: abs(x - y) ** 2,
        lambda x, y: np.hypot(x, y),
        lambda x, y: x if not x == y else -x,  # noqa: SIM201
        lambda x, y: 7,
    ],
)
def test_traced_functions_compute_what_python_computes(function):
    x, y = np.meshgrid(np.arange(6), np.arange(6))
    x, y = x.ravel(), y.ravel()
    got = evaluate(binary.register_anonymous(function)[int], np, x, y)
    want = [function(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    np.testing.assert_array_equal(got, want)


def test_result_types_follow_numba():
    assert result_type(trace(lambda x: x + 1, 1), INT8) == INT64
    assert result_type(trace(lambda x: x / 2, 1), INT8) == FP64
    assert result_type(trace(lambda x, y: x < y, 2), FP64, FP64) == BOOL
    assert result_type(trace(lambda x, y: x + y, 2), INT8, INT64) == INT64


@pytest.mark.parametrize(
    "function",
    [lambda x: math.sqrt(x), lambda x: "text", lambda x: [x], lambda x: x.real_part, lambda: 1],
)
def test_what_is_no_expression_is_refused(function):
    with pytest.raises(DomainMismatch, match="function"):
        trace(function, 1)


def test_numbers_beyond_64_bits_are_refused():
    with pytest.raises(DomainMismatch, match="INT8"):
        result_type(trace(lambda x: x * 2**70, 1), INT8)


def test_a_function_that_branches_without_end_is_refused():
    def steps(x):
        while x > 1:
            x = x / 2
        return x

    with pytest.raises(DomainMismatch, match="branches more than"):
        trace(steps, 1)
    assert MAX_PATHS < 10_000


def test_operators_made_by_users_work_in_operations():
    v = Vector.from_coo([0, 1, 3], [1, 5, -2], size=4)
    w = Vector.from_coo([0, 3], [4, 4], size=4)
    assert v.apply(lambda x: x * x + 1).new().to_dict() == {0: 2, 1: 26, 3: 5}
    gap = binary.register_anonymous(lambda x, y: abs(x - y))
    assert gap(v | w).new().to_dict() == {0: 3, 1: 5, 3: 6}
    longest = monoid.register_anonymous(lambda x, y: x if x > y else y, -100)
    assert v.reduce(longest).value == 5
    farthest = semiring.register_anonymous(longest, gap)
    assert farthest(v @ w).new().value == 6


def test_registered_names_are_found_and_cannot_be_taken_twice():
    unary.register_new("plus_three", lambda x: x + 3)
    try:
        v = Vector.from_coo([1], [4], size=2)
        assert v.apply("plus_three").new().to_dict() == {1: 7}
        with pytest.raises(InvalidValue, match="plus_three exists"):
            unary.register_new("plus_three", lambda x: x + 3)
    finally:
        del unary.plus_three, op.plus_three
    with pytest.raises(InvalidValue, match="identifier"):
        unary.register_new("two words", lambda x: x)


def test_an_operator_keeps_the_function_as_it_was_when_it_was_made():
    k = 1

    def shifted(x):
        return x + k

    v = Vector.from_coo([0], [10], size=1)
    assert v.apply(shifted).new().get(0) == 11
    k = 100
    assert v.apply(shifted).new().get(0) == 110


def test_operators_for_one_type():
    v = Vector.from_coo([0, 1], [1.9, 2.9], size=2)
    assert binary.plus["INT64"](v, 1.5).new().to_dict() == {0: 2, 1: 3}
    assert unary.sqrt[int](v).new().dtype == FP64
    assert monoid.plus[int](v | v).new().to_dict() == {0: 2, 1: 4}
    assert semiring.plus_times[int](v @ v).new().value == 5
    assert v.reduce(monoid.max["INT8"]).new().dtype == INT8
    with pytest.raises(DomainMismatch, match="dtype"):
        binary.plus["text"]
