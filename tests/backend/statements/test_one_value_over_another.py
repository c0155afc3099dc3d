"""Objects that store one value for all entries, and another that equals it is written: -0.0 is not
0.0, as 1 divided by them shows, and NaN is NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary, unary
from spbfs.engines.arrays.values.value_arrays import same_bits

N = 6
VALUES = [0.0, -0.0, math.nan, 1.0]


def vector(at: list[int], value: float, dtype: str, device: str) -> Vector:
    return Vector.from_coo(at, value, dtype=dtype, size=N).to(device)


def matrix(value: float, dtype: str, device: str) -> Matrix:
    return Matrix.from_coo([0, 1, 2], [0, 1, 4], value, dtype=dtype, nrows=N, ncols=N).to(device)


def _masked(w: Any, x: Any, value: float) -> Any:
    w(x.S) << value
    return w


def _written(w: Any, x: Any, value: float) -> Any:
    w(x.S) << x
    return w


def _summed(w: Any, x: Any, value: float) -> Any:
    w(binary.second) << x
    return w


def _at(w: Any, x: Any, value: float, index: Any) -> Any:
    w[index] << value
    return w


#: What is written into an object `w`: another, `x`, or the value that it has.
WRITES: dict[str, Callable[[Any, Any, float], Any]] = {
    "a value under a mask": _masked,
    "another under a mask": _written,
    "another summed in": _summed,
    "sum": lambda w, x, value: w.ewise_add(x, "second").new(),
    "sum of all": lambda w, x, value: w.ewise_union(x, "second", value, value).new(),
}
VECTOR_WRITES = WRITES | {
    "slice": lambda w, x, value: _at(w, x, value, slice(1, None)),
    "list": lambda w, x, value: _at(w, x, value, [1, 3]),
    "element": lambda w, x, value: _at(w, x, value, 1),
}
MATRIX_WRITES = WRITES | {
    "row": lambda w, x, value: _at(w, x, value, (1, slice(None))),
    "block": lambda w, x, value: _at(w, x, value, ([0, 1], [1, 2])),
    "element": lambda w, x, value: _at(w, x, value, (0, 0)),
}


def bits(found: Any) -> tuple[Any, ...]:
    """Places and values, of which NaNs are all one."""
    *places, values = found.to_coo()
    return [at.tolist() for at in places], [str(x) for x in values.tolist()]


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("how", VECTOR_WRITES)
def test_vectors(how: str, dtype: str, device: str) -> None:
    for before in VALUES:
        for value in VALUES:
            for at in ([], [1], [0, 3, 5], list(range(N))):
                found = [
                    bits(VECTOR_WRITES[how](*(vector(*w, dtype, d) for w in ws), value))
                    for d in ("reference", device)
                    for ws in [((at, before), ([1, 2], value))]
                ]
                assert found[0] == found[1], (before, value, at)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("how", MATRIX_WRITES)
def test_matrices(how: str, dtype: str, device: str) -> None:
    for before in VALUES:
        for value in VALUES:
            found = []
            for d in ("reference", device):
                w, x = (matrix(v, dtype, d) for v in (before, value))
                x = x.T.new()
                found.append(bits(MATRIX_WRITES[how](w, x, value)))
            assert found[0] == found[1], (before, value)


def test_a_zero_of_the_other_sign_divides_otherwise(device: str) -> None:
    w = vector([0, 1], 0.0, "FP64", device)
    w[1:] << -0.0
    assert w.apply(unary.minv).new().to_coo()[1].tolist() == [math.inf] + [-math.inf] * (N - 1)


@pytest.mark.parametrize("value", VALUES)
def test_the_same_value_stays_one(value: float, device: str) -> None:
    w = vector([0, 1], value, "FP64", device)
    w[1:] << value
    assert w.ss.is_iso == (device != "reference")  # which stores them one by one


@pytest.mark.parametrize("dtype", ["FP32", "FP64", "INT8", "INT64", "BOOL"])
def test_numbers_are_compared_by_their_bits(dtype: str) -> None:
    kind = Vector(dtype, 1).dtype.np_type
    given = [0, 1] if kind.kind in "bi" else VALUES
    numbers = [(x, y) for x in np.array(given, kind) for y in np.array(given, kind)]
    for x, y in numbers:
        assert same_bits(x, y) == (x.tobytes() == y.tobytes())
