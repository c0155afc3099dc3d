"""A Scalar that takes part in a delayed operation is read when the operation is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from spbfs import Matrix, Scalar, Vector, select
from spbfs.exceptions import EmptyObject, InvalidValue

V = Vector.from_coo([0, 1, 3], [1, 4, 9], size=5)
W = Vector.from_coo([2, 3], [7, 8], size=5)
A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 4, 9], nrows=3, ncols=3)

Operation = Callable[[Any], Any]
OPERATIONS: dict[str, Operation] = {
    "apply, right": lambda s: V.apply("minus", right=s),
    "apply, left": lambda s: A.apply("minus", left=s),
    "positions": lambda s: V.apply("index", s),
    "a comparison": lambda s: V.apply("valuegt", s),
    "infix": lambda s: V * s,
    "infix comparison": lambda s: s < V,
    "select by value": lambda s: A.select(">", s),
    "select by position": lambda s: A.select("tril", s),
    "what a comparison is true of": lambda s: select.value(A.apply("gt", right=s)),
    "rows that a comparison is true of": lambda s: select.row(A.apply("le", right=s)),
    "left default": lambda s: V.ewise_union(W, "minus", s, 0),
    "right default": lambda s: V.ewise_union(W, "minus", 0, s),
}


def _scalar(value: int) -> Scalar:
    return Scalar.from_value(value)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_it_has_the_number_of_that_time(operation: Operation) -> None:
    s = _scalar(-1)
    made = operation(s)
    s.value = 4
    assert made.new().isequal(operation(4).new(), check_dtype=True)
    assert not made.new().isequal(operation(-1).new())
    s.value = 0
    assert operation(s).new().isequal(operation(0).new(), check_dtype=True)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_it_must_have_one(operation: Operation) -> None:
    s = _scalar(4)
    made = operation(s)
    s.clear()
    out = V.dup() if made.ndim == 1 else A.dup()
    before = out.dup()
    with pytest.raises(EmptyObject, match="expected a number, got an empty Scalar"):
        out << made
    assert out.isequal(before)
    with pytest.raises(EmptyObject):
        operation(s)  # at once


def test_what_cannot_be_an_argument_is_refused_at_once() -> None:
    with pytest.raises(InvalidValue):
        V.apply("index", _scalar(2**62))
