"""A name that several kinds of operators may have is looked for in one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from spbfs import Vector, agg, binary, op, unary
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.operators import spelling

V = Vector.from_coo([0, 2], [4, -6], size=3)


def test_nothing_is_suggested_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer than all else, and nobody would read it."""

    def suggestion(*_: Any) -> str:
        raise AssertionError("something was suggested")

    monkeypatch.setattr(spelling, "suggestion", suggestion)
    assert V.apply("plus", right=3).new().to_dict() == {0: 7, 2: -3}
    assert V.apply("minus[FP64]", left=3).new().to_dict() == {0: -1.0, 2: 9.0}
    assert V.apply("rowindex").new().to_dict() == {0: 0, 2: 2}
    assert V.reduce("sum").value == V.reduce(agg.sum).value == -2
    assert spelling.from_string("op", "ABS[int]") is unary.abs[int]
    assert op.from_string("+") is binary.plus


def test_what_none_of_them_has_is_refused() -> None:
    with pytest.raises(InvalidValue, match="indexunary: no indexunary operator is named 'plsu'"):
        V.apply("plsu", right=3)
    with pytest.raises(InvalidValue, match="op: no operator is named 'plus\\[int'"):
        op.from_string("plus[int")
    with pytest.raises(DomainMismatch, match="name: expected the name"):
        op.from_string(5)
