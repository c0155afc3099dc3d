"""What is wrong with a name or a function that should be an operator is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import agg, binary, indexunary, monoid, select, semiring, unary
from spbfs.exceptions import DomainMismatch, InvalidValue, OperatorUndefined, UdfParseError


@pytest.mark.parametrize(
    ("door", "function", "reason"),
    [
        (unary, lambda x, y: x + y, r"expected a function of a number, got <lambda>\(x, y\)"),
        (unary, lambda: 1, r"expected a function of a number, got <lambda>\(\)"),
        (binary, lambda x: x, r"expected a function of two numbers, got <lambda>\(x\)"),
        (select, lambda x: x > 3, r"a value, its row, its column and .*, got <lambda>\(x\)"),
        (indexunary, lambda x, i: x + i, r"a value, its row, .*, got <lambda>\(x, i\)"),
        (unary, lambda x: maths.sin(x), "<lambda> cannot be .*: name 'maths' is not defined"),  # type: ignore[name-defined] # noqa: F821
        (unary, lambda x: [x], r"must return a number made of its arguments, got \[<a number>\]"),
        (unary, lambda x: (x, x), r"must return a number .*, got \(<a number>, <a number>\)"),
        (unary, lambda x: None, "must return a number made of its arguments, got None"),
    ],
)
def test_functions_are_refused_with_the_reason(door: Any, function: Any, reason: str) -> None:
    with pytest.raises(UdfParseError, match=f"^function: .*{reason}"):
        door.register_anonymous(function)


def test_functions_with_other_arguments_and_of_c() -> None:
    v = sb.Vector.from_dense([4, 9])
    for function in (lambda x, y=1: x + y, lambda *x: x[0] + 1, lambda x, **_: x + 1):
        assert v.apply(function).new().to_dense().tolist() == [5, 10]
    assert v.apply(np.sqrt).new().to_dense().tolist() == [2, 3]
    assert v.apply(abs).new().to_dense().tolist() == [4, 9]


def test_names_that_come_close() -> None:
    for door, name, meant in (
        (semiring, "any_par", "any_pair"),
        (binary, "mn", "min"),
        (monoid, "sum", "plus"),
        (unary, "sqroot", "sqrt"),
        (agg, "means", "mean"),
    ):
        with pytest.raises(AttributeError, match=rf"no operator '{name}'; did you mean {meant}"):
            getattr(door, name)
    with pytest.raises(AttributeError, match=r"'wxyzwxyz'; dir\(spbfs\.unary\) lists them$"):
        getattr(unary, "wxyzwxyz")  # noqa: B009
    with pytest.raises(AttributeError, match=r"'__path__'$"):
        getattr(unary, "__path__")  # noqa: B009


def test_aggregators_say_why_they_are_not_for_booleans() -> None:
    A = sb.generate.path(3)
    for name in ("sum", "mean"):
        with pytest.raises(OperatorUndefined, match=r"BOOL: .*agg\.count_nonzero"):
            A.reduce_rowwise(name).new()


def test_replace_is_no_name_of_an_operator() -> None:
    v = sb.Vector(int, 3)
    with pytest.raises(InvalidValue, match=r"spbfs\.replace, or replace=True"):
        v(v.S, "replace") << 1


def test_arguments_that_name_nothing() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"source": [0], "target": [1]})
    for name in ("source", "target"):
        with pytest.raises(DomainMismatch, match=f"^{name}: expected the name of a column, got"):
            sb.Matrix.from_pandas_edgelist(frame, **{name: None})
        with pytest.raises(DomainMismatch, match=f"^{name}: expected the name of a column, got"):
            sb.Matrix.from_coo([0], [1], 2).to_pandas_edgelist(**{name: {0}})
    for odd in ([1], "a", 1j):
        with pytest.raises(DomainMismatch, match=r"^rel_tol: expected a number"):
            sb.Scalar.from_value(2).isclose(2, rel_tol=odd)
