"""Functions that are called for every element: they count as traced ones do, and tell why not."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spbfs import Vector, binary, unary
from spbfs.exceptions import UdfParseError
from spbfs.operators.dtypes import ALL, FP64, INT64
from spbfs.operators.traced.flags import may_count_flags

above = operator.gt
COMPARED = [operator.gt]

COUNTED: dict[str, Callable[..., Any]] = {
    "negative": lambda x: -(x > 2),
    "inverted": lambda x: ~(x > 2),
    "sum": lambda x: (x > 2) + (x > 1),
    "product": lambda x: (x > 2) * (x > 1),
    "difference": lambda x: (x > 2) - (x > 3),
    "quotient": lambda x: (x > 2) / (x > 1),
    "bits": lambda x: ((x > 2) & (x > 1)) | (x == 0),
    "absolute": lambda x: abs(x > 2),
    "root": lambda x: np.sqrt(x > 2) + 1,
    "logarithm": lambda x: math.log(x > 2),
    "logical": lambda x: np.logical_not(x > 2) + np.isnan(x),
    "whole": lambda x: int(x > 2) - 2,
    "of a root": lambda x: -(np.sqrt(x) > 1),
    "where": lambda x: np.where(x > 2, 1, 0) - (x > 2),
    "clipped": lambda x: -(np.clip(x, 0, 2) > 1),
    "chosen": lambda x: -((x > 2) and 1),
    "no Boolean": lambda x: 1 / x,
    "nearly": lambda x: math.isclose(x, 1) + math.isclose(x, 1),
    "bound outside": lambda x: above(x, 2) + above(x, 0),
    "by default": lambda x, gt=operator.gt: gt(x, 2) + gt(x, 0),
    "by its method": lambda x: x.__gt__(2) + x.__gt__(0),
    "of a table": lambda x: COMPARED[0](x, 2) + COMPARED[0](x, 0),
}
#: Booleans of NumPy's, and what else symbols do not follow.
NOT_FOLLOWED: dict[str, tuple[Callable[..., Any], list[int]]] = {
    "nearly": (lambda x: np.isclose(x, 1) + np.isclose(x, 1), [0, 2, 0, 0, 0]),
    "powers": (lambda x: pow(x, 3, 5), [0, 1, 3, 2, 4]),
    "powers of another": (lambda x: pow(2, x, 5) + (x > 3), [1, 2, 4, 3, 2]),
    "long powers": (lambda x: pow(x + 10, 50, 1000007) - (x > 9), [0, 0, 0, 0, 0]),
}


def looping(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function behind a loop that no symbol can follow, and that is left at once."""

    def looped(x: Any) -> Any:
        while x > 50:
            x = x - 1
        return function(x)

    return looped


@pytest.mark.parametrize("dtype", ["INT8", "UINT64", "INT64", "FP32", "FP64"])
@pytest.mark.parametrize("name", COUNTED)
def test_booleans_count_as_in_functions_that_are_traced(name: str, dtype: str) -> None:
    v = Vector.from_dense([0, 1, 2, 3, 4], dtype=dtype)
    traced = v.apply(unary.register_anonymous(COUNTED[name])).new()
    called = v.apply(unary.register_anonymous(looping(COUNTED[name]))).new()
    np.testing.assert_array_equal(called.to_dense(), traced.to_dense())


@pytest.mark.parametrize("name", NOT_FOLLOWED)
def test_what_is_not_followed_counts(name: str) -> None:
    function, wanted = NOT_FOLLOWED[name]
    if name == "long powers":
        wanted = [pow(x + 10, 50, 1000007) for x in range(5)]
    found = Vector.from_dense([0, 1, 2, 3, 4]).apply(unary.register_anonymous(looping(function)))
    assert found.new().to_dense().tolist() == wanted


@pytest.mark.parametrize("dtype", ["INT8", "UINT64", "INT64", "FP32", "FP64"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: divmod(x, 3)[0] * 10 + divmod(x, 3)[1],
        lambda x: divmod(7, x + 1)[0] * 10 + divmod(7, x + 1)[1],
        lambda x: divmod(x > 2, 2)[1] + (x > 3),
    ],
)
def test_quotients_with_rests(function: Callable[..., Any], dtype: str) -> None:
    v = Vector.from_dense([0, 1, 2, 3, 4], dtype=dtype)
    wanted = [function(x) for x in range(5)]
    for called in (function, looping(function)):
        assert v.apply(called).new(float).to_dense().tolist() == wanted


def test_errors_name_the_symbol() -> None:
    wrong = {
        r"number\.__add__\(\) takes": lambda x: x.__add__(1, 2),
        r"pow\(\) 3rd argument not allowed unless": lambda x: pow(x, 2, 0.5) + (x > 1),
    }
    for message, function in wrong.items():
        with pytest.raises(UdfParseError, match=message):
            unary.register_anonymous(looping(function))


def test_booleans_that_are_given_count() -> None:
    def added(x: Any, y: Any) -> Any:
        for _ in range(int(x)):
            y = y + x
        return -y

    u, v = Vector.from_dense([True, True, False]), Vector.from_dense([True, False, True])
    assert v.ewise_mult(u, binary.register_anonymous(added)).new().to_dict() == {
        0: -2,
        1: -1,
        2: -1,
    }


def test_only_who_counts_booleans_is_called_with_numbers_of_ours() -> None:
    def collatz(n: Any) -> Any:
        steps = 0
        while n > 1 and steps < 1000:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    def large(x: Any) -> Any:
        return x > 3

    assert not may_count_flags(collatz)

    def tabled(x: Any) -> Any:
        import random

        return random.random() + x

    def spread_out(x: Any, limit: float = 0.5) -> Any:
        parts = [math.sqrt(abs(x)), np.maximum(x, np.float64(3)), round(x) % 7]
        parts.append(min(*parts, collatz(x)))
        return sum(part for part in parts if part > limit) + max(parts) ** np.pi

    assert not may_count_flags(spread_out)
    functions = (large, lambda x: -large(x), lambda x: np.isnan(x) + 1, tabled)
    for function in (*functions, *COUNTED.values()):
        if function is not COUNTED["no Boolean"]:
            assert may_count_flags(function)

    def told(x: Any) -> Any:
        while x > 50:
            x = x - 1
        return 1 if isinstance(x, np.integer) else 0

    assert Vector.from_dense([1, 60]).apply(told).new().to_dense().tolist() == [1, 1]


def test_the_reason_is_the_function_s_own() -> None:
    def broken(x: Any) -> Any:
        while x > 50:
            x = x / 2
        return x.no_such_thing

    with pytest.raises(UdfParseError, match=r"broken\(1\) raised AttributeError.*branches more"):
        unary.register_anonymous(broken)


def test_a_type_that_only_large_numbers_give() -> None:
    def halved(x: Any) -> Any:
        n = 0
        while x > 1:
            x, n = x / 2, n + 1
        return x if n > 3 else 0

    assert Vector.from_dense([1.5, 100.0]).apply(halved).new().to_dict() == {0: 0.0, 1: 0.78125}
    op = unary.register_anonymous(halved)
    assert op.types[FP64] == op.types[INT64] == FP64


def test_integers_that_loops_give_stay_integers() -> None:
    def quotients(x: Any, y: Any) -> Any:
        n = 0
        while x > y and n < 64:
            x, n = x // y, n + 1
        return x

    op = binary.register_anonymous(quotients)
    assert all(op.types[t] == t for t in ALL if t.is_integer)
    v = Vector.from_dense([2**63 + 9], dtype="UINT64")
    assert v.apply(op, np.uint64(2)).new().get(0) == 2
