"""Selections by value compare exactly, in the sense of numbers of any size."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Scalar, Vector, indexunary, select
from spbfs.exceptions import InvalidValue
from spbfs.operators.dtypes import ALL, DType

COMPARE = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
THUNKS: list[Any] = [
    0, 1, -1, 2, 300, 2.5, -0.5, 0.0, 127, 127.5, 255, 2**31, 2**53, 2**53 + 1, 2.0**53,
    2**63 - 1, 2**63, 2.0**63, 2**64 - 1, 2.0**64, -(2**63), -(2.0**63), 1e300, -1e300,
    math.inf, -math.inf, math.nan, True, np.int8(-3), np.uint64(2**64 - 1), np.float32(0.1), 0.1,
]  # fmt: skip


def values_of(dtype: DType) -> np.ndarray:
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.is_float:
        given = [
            0,
            0.1,
            -0.1,
            0.5,
            2.5,
            2,
            -3,
            255,
            2.0**31,
            2.0**53,
            2.0**53 + 2,
            2.0**63,
            2.0**64,
        ]
        given += [-(2.0**63), 1e30, math.inf, -math.inf, math.nan, -0.0]
        return np.array(given, dtype.np_type)
    info = np.iinfo(dtype.np_type)
    given = [0, 1, 2, 3, -1, -3, 127, 255, 2**31, 2**53, 2**53 + 1, 2**53 - 1, 2**63 - 1, 2**63]
    inside = {x for x in [*given, info.min, info.max] if info.min <= x <= info.max}
    return np.array(sorted(inside), dtype.np_type)


def holds(name: str, x: Any, thunk: Any) -> bool:
    x, thunk = (v.item() if isinstance(v, np.generic) else v for v in (x, thunk))
    if any(isinstance(v, float) and not math.isfinite(v) for v in (x, thunk)):
        return bool(COMPARE[name](float(x), float(thunk)))
    return bool(COMPARE[name](Fraction(x), Fraction(thunk)))


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_all_pairs(device: str, dtype: DType) -> None:
    values = values_of(dtype)
    v = Vector.from_dense(values, device=device)
    A = Matrix.from_dense([values], device=device)
    for thunk in THUNKS:
        for name in COMPARE:
            wanted = [i for i, x in enumerate(values) if holds(name, x, thunk)]
            kept = v.select(f"value{name}", thunk).new()
            assert kept.dtype == dtype
            assert kept.to_coo()[0].tolist() == wanted, (name, thunk)
            assert A.select(f"value{name}", thunk).new().to_coo()[1].tolist() == wanted
            tested = v.apply(getattr(indexunary, f"value{name}"), thunk).new()
            assert np.flatnonzero(tested.to_coo()[1]).tolist() == wanted
            assert select.value(COMPARE[name](v, thunk)).new().to_coo()[0].tolist() == wanted


def test_symbols_scalars_and_iso_values(device: str) -> None:
    v = Vector.from_dense([5, 2, 7], device=device)
    assert v.select(">", 2.5).new().to_dict() == {0: 5, 2: 7}
    assert v.select(">", Scalar.from_value(2.5)).new().to_dict() == {0: 5, 2: 7}
    # A symbol with something on its left is the binary operator.
    assert v.apply("<", left=5).new().to_dict() == {0: False, 1: False, 2: True}
    assert v.apply("<", 5).new().to_dict() == {0: False, 1: True, 2: False}
    u = Vector.from_coo([0, 3], np.uint64(2**64 - 1), size=4).to(device)
    assert u.select(">", -1).new().nvals == u.select("<", 2.0**64).new().nvals == 2
    assert u.select(">=", 2.0**64).new().nvals == 0
    assert "valuege" in repr(v.select(">=", 2.5))


POSITIONS: dict[str, Callable[[int, int, Any], bool]] = {
    "tril": lambda i, j, k: j - i <= k,
    "triu": lambda i, j, k: j - i >= k,
    "diag": lambda i, j, k: j - i == k,
    "offdiag": lambda i, j, k: j - i != k,
    "rowle": lambda i, j, k: i <= k,
    "rowgt": lambda i, j, k: i > k,
    "colle": lambda i, j, k: j <= k,
    "colgt": lambda i, j, k: j > k,
    "indexle": lambda i, j, k: i <= k,
    "indexgt": lambda i, j, k: i > k,
}


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_compare_exactly(device: str, name: str) -> None:
    A = Matrix.from_dense(np.arange(12).reshape(4, 3), device=device)
    v = Vector.from_dense(np.arange(4), device=device)
    given = [0, 1, 2.0, 1.5, 0.5, -0.5, -1.5, True, np.False_, np.float32(0.5), 1e30, -1e30]
    given += [math.inf, -math.inf, math.nan, Scalar.from_value(1.5), Scalar.from_value(True)]
    for thunk in given:
        number = thunk.value if isinstance(thunk, Scalar) else thunk
        cells = [(i, j) for i in range(4) for j in range(3) if POSITIONS[name](i, j, number)]
        if not name.startswith("index"):
            rows, columns, _ = A.select(name, thunk).new().to_coo()
            assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == cells, thunk
            tested = getattr(indexunary, name)(A, thunk).new()
            assert tested.reduce_scalar("plus[int]").new() == len(cells)
        kept = v.select(name, thunk).new().to_coo()[0].tolist()  # a vector is a column
        assert kept == [i for i in range(4) if POSITIONS[name](i, 0, number)], thunk


def test_what_is_added_to_positions_is_cast(device: str) -> None:
    v = Vector.from_dense([5, 2, 7], device=device)
    for thunk in (1.5, True, np.float32(1), Scalar.from_value(1.75), 1):
        assert v.apply(indexunary.index, thunk).new().to_dict() == {0: 1, 1: 2, 2: 3}
    assert v.apply(indexunary.index, math.nan).new().to_dict() == {0: 0, 1: 1, 2: 2}
    with pytest.raises(InvalidValue, match="thunk: expected at most"):
        v.apply(indexunary.index, 1e30)
