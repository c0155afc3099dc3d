"""Lists of Booleans as masks, as arrays of them are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from spbfs import Matrix, Vector
from spbfs.exceptions import DimensionMismatch, DomainMismatch

FLAGS = [True, False, True]


@pytest.mark.parametrize(
    "write",
    [
        lambda v, m: v(m).update(9),
        lambda v, m: v(mask=m).update(9),
        lambda v, m: v(tuple(m)).update(9),
        lambda v, m: v.update(9, mask=m),
        lambda v, m: v[:](m).update(9),
        lambda v, m: v(m)[:].update(9),
    ],
)
def test_where_a_list_says_true_it_is_written(device: str, write: Callable[..., Any]) -> None:
    v = Vector.from_dense([1, 2, 3], device=device)
    write(v, FLAGS)
    assert v.to_dict() == {0: 9, 1: 2, 2: 9}
    with pytest.raises(DimensionMismatch, match="mask"):
        write(v, [True])
    with pytest.raises(DomainMismatch, match="mask: a dense mask must be Boolean"):
        write(v, [1, 0, 1])


def test_what_is_read_and_selected(device: str) -> None:
    v = Vector.from_dense([1, 2, 3], device=device)
    assert v.dup(mask=FLAGS).to_dict() == v.select(FLAGS).new().to_dict() == {0: 1, 2: 3}
    assert (v.S & FLAGS).new().to_dict() == {0: True, 2: True}
    empty = Vector("INT64", 0, device=device)
    empty([]) << 1
    assert empty.nvals == 0


def test_matrices_and_diagonals(device: str) -> None:
    A = Matrix("INT64", 2, 2, device=device)
    A([[True, False], [False, True]]) << 5
    assert A.to_dicts() == {0: {0: 5}, 1: {1: 5}}
    A.setdiag(7, mask=[False, True])
    assert A.to_dicts() == {0: {0: 5}, 1: {1: 7}}
