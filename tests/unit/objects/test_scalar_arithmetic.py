"""Scalars in formulas."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from spbfs import Scalar, Vector
from spbfs.exceptions import DomainMismatch, InvalidValue

BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
]


def scalar(value: Any, dtype: Any = int) -> Scalar:
    out = Scalar(dtype)
    out.value = value
    return out


@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_a_scalar_counts_as_its_number(function: Any) -> None:
    for x, y in ((7, 2), (2, 2), (7.5, 2), (3, 0.5)):
        expected = function(x, y)
        s, t = Scalar.from_value(x), Scalar.from_value(y)
        for found in (function(s, t), function(s, y), function(x, t)):
            assert isinstance(found.new(), Scalar)
            assert found.value == pytest.approx(expected)
            assert isinstance(found.value, type(expected))


def test_absence_follows_that_of_vectors() -> None:
    seven, empty = scalar(7), scalar(None)
    assert (seven + empty).value == (empty + seven).value == 7
    assert (empty - seven).value == -7
    assert (seven * empty).is_empty and (empty < seven).is_empty
    # A number is a Scalar that has a value, so a union with one has one, too.
    assert (empty + 1).value == (1 - empty).value == 1 and (empty - 1).value == -1
    assert (empty * 1).is_empty and (1 / empty).is_empty and (-empty).is_empty
    assert not empty < seven and not Scalar(bool)
    for function in (int, float, complex, operator.index, range):
        with pytest.raises(DomainMismatch, match="empty"):
            function(empty)


def test_delayed_scalars_and_operands_mix() -> None:
    v = Vector.from_coo([0, 2], [4, 6], size=3)
    assert (v.reduce() / 2).value == 5
    assert (1 + v.reduce() * v[0]).value == 41
    assert (abs(-v.reduce())).value == 10
    assert (v - v.reduce()).new().to_dict() == {0: -6, 2: -4}
    assert (scalar(2) * v).new().to_dict() == (v * scalar(2)).new().to_dict() == {0: 8, 2: 12}
    assert (2**v).new().to_dict() == {0: 16, 2: 64}
    assert (~Scalar.from_value(True)).value is False
    with pytest.raises(InvalidValue, match="empty"):
        v * v[1]


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(TypeError):
        scalar(7) + "x"
    with pytest.raises(DomainMismatch, match="BOOL"):
        ~scalar(7)
