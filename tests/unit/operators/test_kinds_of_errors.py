"""What is wrong about an operator is an error of the kind that python-graphblas raises for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from spbfs import Matrix, Vector, agg, binary, dtypes, monoid, op, semiring, unary
from spbfs.exceptions import (
    NotImplementedException,
    SpbfsError,
    UdfParseError,
    WrongOperator,
)

A = Matrix.from_coo([0, 0], [1, 2], [1, 2])
v = Vector.from_coo([0, 1], [1, 2])


@pytest.mark.parametrize(
    ("call", "kinds", "text"),
    [
        (lambda: v.select("index", 1), TypeError, "indexunary.index"),
        (lambda: v.select("rowindex", 1), ValueError, "indexunary.rowindex"),
        (lambda: v.select("foo", 1), ValueError, "named 'foo'"),
        (lambda: v.apply("abs", right=2), TypeError, "unary.abs.* indexunary or binary"),
        (lambda: v.apply("abs", left=2), TypeError, "unary.abs"),
        (lambda: v.apply("min_plus"), TypeError, "semiring.min_plus"),
        (lambda: v.apply("foo"), ValueError, "named 'foo'"),
        (lambda: semiring.from_string("numpy.add"), TypeError, "binary.numpy.add"),
        (lambda: semiring.from_string("foo"), ValueError, "named 'foo'"),
        (lambda: op.from_string(5), ValueError, "got 5"),
        (lambda: unary.from_string(5), AttributeError, "got 5"),
        (lambda: agg.from_string(None), AttributeError, "got None"),
        (lambda: binary.from_string("plus[int,float]"), KeyError, "one type"),
        (lambda: unary.from_string("plus[int,float]"), ValueError, "binary.plus"),
        (lambda: binary.from_string("plus[foo]"), ValueError, "foo"),
        (lambda: A.reduce_rowwise(lambda x, y: x + y), NotImplementedException, "identity"),
        (lambda: v.reduce(lambda x, y: x + y), TypeError, "identity"),
        (lambda: A.apply(lambda x: None), ValueError, "must return a number"),
        (lambda: unary.register_anonymous(lambda x: [x]), ValueError, "must return a number"),
        (lambda: unary.register_anonymous(lambda x, y: x), TypeError, "a function of a number"),
        (lambda: unary.register_anonymous(lambda x: x.foo), UdfParseError, "cannot be made"),
        (lambda: unary.register_new(5, lambda x: x), TypeError, "got 5"),
    ],
)
def test_kinds(call: Callable[[], Any], kinds: type[Exception], text: str) -> None:
    with pytest.raises(kinds, match=text) as caught:
        call()
    assert isinstance(caught.value, SpbfsError)


def test_a_wrong_operator_is_all_that_python_graphblas_may_raise() -> None:
    assert issubclass(WrongOperator, ValueError | TypeError)
    assert issubclass(WrongOperator, AttributeError)


def test_products_of_booleans_are_idempotent() -> None:
    """By type: of numbers, a product with itself is a square."""
    assert monoid.times["BOOL"].is_idempotent
    assert monoid.numpy.multiply["BOOL"].is_idempotent
    assert not monoid.times.is_idempotent
    for t in monoid.times.types:
        assert monoid.times[t].is_idempotent == (t is dtypes.BOOL)
        assert monoid.min[t].is_idempotent
    assert not monoid.plus[int].is_idempotent
