"""Semirings written out as CUDA C++: which can be, what they read, and how values are spelled."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spbfs import binary, monoid, semiring
from spbfs.engines.cuda.operators.expressions import expression
from spbfs.engines.cuda.operators.literals import literal
from spbfs.engines.cuda.operators.semirings import ProductSource, product_source, reduction_source
from spbfs.engines.specialise import product_key
from spbfs.exceptions import DomainMismatch
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import ALL, BOOL, FP32, FP64, INT8, INT64, UINT64, DType
from spbfs.operators.tables.builtin import MONOID, SEMIRING
from spbfs.operators.traced.symbols import trace
from spbfs.operators.traced.userdefined import tree_over


def source_of(
    semiring: TypedSemiring, first: DType, second: DType, vector_first: bool = False
) -> ProductSource | None:
    return product_source(product_key(semiring, vector_first), first, second)


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_every_built_in_semiring_and_monoid_can_be_written(dtype: DType) -> None:
    for op in SEMIRING.values():
        try:
            typed = op.resolve(dtype, dtype)
        except DomainMismatch:
            continue
        for vector_first in (False, True):
            source = source_of(typed, dtype, dtype, vector_first)
            assert source is not None, op
            # One line: it is passed as a preprocessor definition.
            assert "\n" not in source.define
            assert source.body.count("{") == source.body.count("}")
    for op in MONOID.values():
        try:
            assert reduction_source(op.resolve(dtype), dtype) is not None
        except DomainMismatch:
            continue


def test_a_source_says_which_values_it_reads() -> None:
    def reads(name: str, vector_first: bool) -> tuple[bool, bool]:
        source = source_of(SEMIRING[name].resolve(INT64, INT64), INT64, INT64, vector_first)
        assert source is not None
        return source.key.uses_first, source.key.uses_second

    assert reads("plus_times", False) == (True, True)
    assert reads("min_first", False) == reads("min_second", True) == (True, False)
    assert reads("min_second", False) == reads("min_first", True) == (False, True)
    assert reads("any_pair", True) == reads("any_secondi", True) == (False, False)


def test_only_the_pattern_is_made_where_values_are_known() -> None:
    pattern = source_of(SEMIRING["any_pair"].resolve(BOOL, BOOL), BOOL, BOOL)
    counts = source_of(SEMIRING["plus_pair"].resolve(INT64, INT64), INT64, INT64)
    assert pattern is not None
    assert counts is not None
    assert (pattern.key.is_pattern, pattern.key.stops_early) == (True, True)
    assert (counts.key.is_pattern, counts.key.stops_early) == (False, False)


def test_sums_start_from_what_does_not_show() -> None:
    least = source_of(SEMIRING["min_plus"].resolve(FP32, FP32), FP32, FP32)
    total = source_of(SEMIRING["plus_times"].resolve(FP64, FP64), FP64, FP64)
    assert least is not None
    assert total is not None
    # A NaN loses against every number, and -0.0 leaves 0.0 and -0.0 what they are.
    assert np.isnan(least.identity)
    assert np.signbit(total.identity)


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (True, BOOL, "true"),
        (-(2**63), INT64, "static_cast<long long>((-9223372036854775807LL - 1))"),
        (2**64 - 1, UINT64, "static_cast<unsigned long long>(18446744073709551615ULL)"),
        (-1, INT8, "static_cast<signed char>((-0LL - 1))"),
        (0.1, FP64, "__longlong_as_double(0x3fb999999999999aLL)"),
        (np.inf, FP32, "__int_as_float(0x7f800000)"),
    ],
)
def test_values_are_spelled_exactly(value: object, dtype: DType, text: str) -> None:
    assert literal(value, dtype) == text


def written(function: Callable[..., Any], *dtypes: DType, name: str = "abc") -> str | None:
    """The expression of a user's function over operands of these types."""
    tree = tree_over(trace(function, len(dtypes)), dtypes, widen=True, out=dtypes[0])
    return expression(tree, list(zip(name, dtypes, strict=False)))


def test_a_user_s_function_is_typed_as_python_s_operators_take_it() -> None:
    text = written(lambda x, y: x + 2 * y, INT8, INT8)
    assert text is not None
    assert set(re.findall(r"(?:Plus|Times)<([\w ]+)>", text)) == {"long long"}
    half = written(lambda x: x / 2, INT64)
    assert half is not None
    assert "CDiv<double>" in half
    larger = written(lambda x, y: x if x > y else y, FP32, FP32)
    assert larger is not None
    assert "?" in larger


@pytest.mark.parametrize(
    "turn", [lambda x: x * x + 1, lambda x: np.maximum(1, x)], ids=["square", "maximum"]
)
def test_an_expression_that_grows_with_every_turn_is_left_to_the_array_engine(
    turn: Callable[[Any], Any],
) -> None:
    """Of what is used twice the text is there twice, in formulas as in trees."""

    def turned(turns: int) -> Callable[[Any], Any]:
        def function(x: Any) -> Any:
            for _ in range(turns):
                x = turn(x)
            return x

        return function

    assert written(turned(3), FP64) is not None
    assert written(turned(16), FP64) is None
    assert written(turned(40), FP64) is None


def test_what_has_no_counterpart_is_left_to_the_array_engine() -> None:
    assert written(lambda x: np.spacing(x), FP32) is None
    odd = binary.register_anonymous(lambda x, y: np.spacing(x) + y)
    op = semiring.register_anonymous(monoid.plus, odd)
    assert source_of(op.resolve(INT8, INT8), INT8, INT8) is None
