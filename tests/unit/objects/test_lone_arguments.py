"""One index or value where several are usual, perhaps in a Scalar."""

from __future__ import annotations

import pytest

from spbfs import Matrix, Scalar, Vector
from spbfs.exceptions import DimensionMismatch, EmptyObject, NotIndices

THREE = Scalar.from_value(3)


def test_one_index() -> None:
    assert Vector.from_coo(3, 1).to_dict() == {3: 1}
    assert Vector.from_coo(THREE, [1]).to_dict() == {3: 1}
    assert Matrix.from_coo(1, 2, 3).to_dicts() == {1: {2: 3}}
    assert Matrix.from_coo([1], 2, 3).shape == (2, 3)
    assert Matrix.from_coo(1, 2, directed=False).to_dicts() == {1: {2: True}, 2: {1: True}}
    with pytest.raises(DimensionMismatch):
        Matrix.from_coo([0, 1], 1, 2)
    for none in (1.5, True):
        with pytest.raises(NotIndices):
            Matrix.from_coo(none, 1, 1)


def test_a_value_in_a_scalar() -> None:
    delayed = Vector.from_coo([0], [3])[0]
    for value in (THREE, delayed):
        assert Vector.from_coo([0, 1], value).to_dict() == {0: 3, 1: 3}
        assert Vector.from_coo([0, 1], value).dtype == "INT64"
        assert Matrix.from_coo([0, 0], [1, 1], value).to_dicts() == {0: {1: 3}}
        assert Matrix.from_coo([0], [1], value, directed=False).nvals == 2
        assert Matrix.from_csr([0, 1], [0], value).to_dicts() == {0: {0: 3}}
        assert Vector.from_dense([1, 3], missing_value=value).to_dict() == {0: 1}
        assert Matrix.from_dense([[1, 3]], missing_value=value).to_dicts() == {0: {0: 1}}
    assert Vector.from_coo([0], THREE, dtype=float).to_dict() == {0: 3.0}
    with pytest.raises(EmptyObject):
        Vector.from_coo([0], Scalar(int))
