"""``%`` is the floored remainder in the operands' type, as NumPy has it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Scalar, Vector, binary, monoid, semiring
from spbfs.operators.dtypes import ALL

FLOATS = [0.0, -0.0, 1, -1, 0.5, 2.5, -7.25, 3, 1e30, -1e30, np.inf, -np.inf, np.nan, 1e-40]


def edges(dtype: Any) -> np.ndarray:
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.is_float:
        return np.array(FLOATS, dtype.np_type)
    info = np.iinfo(dtype.np_type)
    some = [info.min, info.max, info.max - 1, 0, 1, 2, 3, 7, -1, -2, -3, -7]
    return np.array([x for x in some if info.min <= x <= info.max], dtype.np_type)


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_all_pairs(device: str, dtype: Any) -> None:
    given = edges(dtype)
    if device == "cuda" and dtype == "FP32":
        # What is not a product is CuPy's, whose kernels take subnormal numbers for zero.
        given = given[given != np.float32(1e-40)]
    x, y = (np.array(c, dtype.np_type) for c in zip(*itertools.product(given, given), strict=True))
    with np.errstate(all="ignore"):
        wanted = np.remainder(x, y)
    u, v = Vector.from_dense(x, device=device), Vector.from_dense(y, device=device)
    user = binary.register_anonymous(lambda a, b: a % b)
    for made in (u % v, u.ewise_mult(v, "%"), u.ewise_mult(v, user)):
        found = made.new().to_coo()[1]
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
        if dtype.is_float:
            numbers = ~np.isnan(wanted)  # the sign of a NaN says nothing
            np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(wanted)[numbers])
    # Every second operand bound; the number is of the operands' type.
    for k in range(given.shape[0]):
        with np.errstate(all="ignore"):
            right, left = np.remainder(given, given[k]), np.remainder(given[k], given)
        w = Vector.from_dense(given, device=device)
        np.testing.assert_array_equal((w % given[k]).new().to_coo()[1], right)
        np.testing.assert_array_equal((w.apply("%", left=given[k])).new().to_coo()[1], left)
        np.testing.assert_array_equal((Scalar.from_value(given[k]) % w).new().to_coo()[1], left)


def test_numbers_of_python_and_scalars(device: str) -> None:
    v = Vector.from_dense([7, -7], device=device)
    assert (v % 3).new().to_coo()[1].tolist() == [1, 2]
    assert (3 % v).new().to_coo()[1].tolist() == [3, -4]
    assert (v % 2.5).new().to_coo()[1].tolist() == [2.0, 0.5]
    assert (Scalar.from_value(-7) % 3).value == 2
    assert (-7 % Scalar.from_value(3)).value == 2
    v %= 4
    assert v.to_coo()[1].tolist() == [3, 1]
    assert v.dtype == "INT64"


@pytest.mark.parametrize("direction", ["push", "pull"])
def test_in_products(device: str, direction: str) -> None:
    ring = semiring.register_anonymous(monoid.plus, binary.from_string("%"))
    A = Matrix.from_coo([0, 0, 1], [0, 1, 1], [7, -7, 5], dtype="INT16").to(device)
    u = Vector.from_dense(np.array([3, 4], np.int16)).to(device)
    assert ring(A @ u).new(direction=direction).to_dict() == {0: 1 + 1, 1: 1}
    assert ring(u @ A).new(direction=direction).to_dict() == {0: 3, 1: 3 % -7 + 4}
    assert ring(A @ A).new().to_dicts() == {0: {0: 0, 1: 0 + 3}, 1: {1: 0}}


def test_the_ieee_remainder_keeps_its_name(device: str) -> None:
    v = Vector.from_dense([7, -7, 5], device=device)
    assert v.apply(binary.remainder, right=3).new().to_coo()[1].tolist() == [1, -1, -1]
