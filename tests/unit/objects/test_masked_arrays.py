"""What NumPy's masked arrays mask is no entry of a dense object, and refused elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector
from spbfs.exceptions import DomainMismatch, InvalidValue

PAIR = np.ma.array([0, 1], mask=[False, True])
SQUARE = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [1, 0]])


def test_masked_elements_are_not_stored() -> None:
    assert Matrix.from_dense(SQUARE).to_dicts() == {0: {0: 1}, 1: {1: 4}}
    assert Matrix.from_dense(SQUARE, missing_value=4).to_dicts() == {0: {0: 1}}
    assert Matrix.from_dense(SQUARE, dtype="FP32").to_dicts() == {0: {0: 1.0}, 1: {1: 4.0}}
    assert Vector.from_dense(PAIR).to_dict() == {0: 0}
    v, A = Vector.from_dense([7, 8]), Matrix.from_dense([[5, 6], [7, 8]])
    v << PAIR
    A[:, :] << SQUARE
    assert v.to_dict() == {0: 0}
    assert A.to_dicts() == {0: {0: 1}, 1: {1: 4}}
    mask = np.ma.array([True, True], mask=[True, False])
    assert Vector.from_dense([1, 2]).new(mask=mask).to_dict() == {1: 2}


def test_an_array_that_masks_nothing_is_one_as_others() -> None:
    whole = np.ma.array([0, 1])
    assert Matrix.from_coo(whole, whole, whole).to_dicts() == {0: {0: 0}, 1: {1: 1}}


@pytest.mark.parametrize(
    "take",
    [
        lambda: Matrix.from_coo(PAIR, [1, 2]),
        lambda: Matrix.from_coo([1, 2], PAIR),
        lambda: Matrix.from_coo([0, 1], [1, 2], PAIR),
        lambda: Vector.from_coo(PAIR, 1),
        lambda: Vector.from_coo([0, 1], PAIR),
        lambda: Matrix.from_csr([0, 2], PAIR),
        lambda: Matrix.from_edgelist(SQUARE),
        lambda: Vector.from_dense([1, 2])[PAIR].new(),
    ],
)
def test_where_a_masked_element_has_no_meaning_it_is_refused(take: Callable[[], Any]) -> None:
    with pytest.raises(InvalidValue, match="masked array"):
        take()


def test_the_masked_constant_is_no_number() -> None:
    v = Vector("INT64", 1)
    with pytest.raises(DomainMismatch, match="masked"):
        v[0] = np.ma.masked
    with pytest.raises(DomainMismatch, match="masked"):
        Vector.from_coo([0], np.ma.masked)
