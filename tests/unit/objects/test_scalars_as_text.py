"""Scalars and scalar expressions are formatted and rounded as the number they hold."""

from __future__ import annotations

from typing import Any

import pytest

import spbfs as sb
from spbfs import Scalar, Vector
from spbfs.exceptions import DomainMismatch


def held() -> list[Any]:
    v = Vector.from_dense([2.71828, 1.0])
    first = Vector.from_coo([0], [1.0], size=2)
    return [v[0], Scalar.from_value(2.71828), v.reduce("max"), v @ first]


@pytest.mark.parametrize("x", held(), ids=lambda x: type(x).__name__)
def test_a_scalar_is_formatted_as_its_number(x: Any) -> None:
    assert f"{x}" == "2.71828"
    assert f"{x:.3f}" == "2.718"
    assert f"{x:>8.1e}" == " 2.7e+00"
    assert round(x, 1) == 2.7 and type(round(x, 1)) is float
    assert round(x) == 3 and type(round(x)) is int


def test_results_are_formatted() -> None:
    assert f"{sb.pagerank(sb.generate.star(5))[0]:.2f}" == "0.48"
    assert f"{Scalar.from_value(12345):,}" == "12,345"
    assert f"{Scalar.from_value(True)}" == "True"


@pytest.mark.parametrize("x", [Scalar(float), Vector(float, 2)[0]])
def test_an_empty_scalar_has_no_format_of_numbers(x: Any) -> None:
    assert f"{x}" == "None"
    for use in (lambda: f"{x:.3f}", lambda: round(x), lambda: round(x, 2)):
        with pytest.raises(DomainMismatch, match="an empty FP64 Scalar is no number"):
            use()
