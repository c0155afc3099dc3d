"""Subnormal floats are numbers: in products pushed and pulled, in sums, accumulators and casts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary, monoid, semiring

#: Multiples of the least number there is, so that every sum of them is exact.
LEAST = {"FP32": np.float32(1e-45), "FP64": np.float64(5e-324)}


def small(dtype: str, whole: Any) -> Any:
    return np.asarray(whole).astype(LEAST[dtype].dtype) * LEAST[dtype]


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("dtype", LEAST)
def test_products(device: str, dtype: str, direction: str) -> None:
    rng = np.random.default_rng(1)
    whole = rng.integers(-50, 51, (40, 40)) * (rng.random((40, 40)) < 0.4)
    A = Matrix.from_dense(small(dtype, whole), 0.0, dtype=dtype, device=device)
    one = Vector.from_dense(np.ones(40, LEAST[dtype].dtype), device=device)
    cases = {
        "plus_times": whole.sum(0),
        "plus_second": whole.sum(0),
        "min_times": np.where(whole == 0, 99, whole).min(0),
        "max_times": np.where(whole == 0, -99, whole).max(0),
        "plus_minus": ((whole != 0) * (0 - whole)).sum(0),
    }
    for name, wanted in cases.items():
        left = Vector(dtype, 40, device=device)
        left[:] = 0.0 if name == "plus_minus" else 1.0
        found = getattr(semiring, name)(left @ A).new(direction=direction)
        np.testing.assert_array_equal(found.to_dense(0.0), small(dtype, wanted), name)
    lor = semiring.lor_first(A @ one).new(direction=direction).to_dense(False)
    np.testing.assert_array_equal(lor, (whole != 0).any(1))


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("dtype", LEAST)
def test_sums_through_zero(device: str, dtype: str, direction: str) -> None:
    """Large numbers that cancel leave the small one; whichever comes first, it is there."""
    kind = LEAST[dtype].dtype.type
    large = np.finfo(kind).tiny  # the least number that is not subnormal
    values = np.array([large, large * kind(1.5), -large, -large * kind(1.5)], kind)
    A = Matrix.from_coo(np.arange(4), np.zeros(4, np.int64), values, ncols=1).to(device)
    u = Vector.from_dense(np.ones(4, kind), device=device)
    assert semiring.plus_times(u @ A).new(direction=direction).to_dict() == {0: 0.0}
    B = Matrix.from_coo([0, 1], [0, 0], values[[1, 2]], ncols=1).to(device)
    u = Vector.from_dense(np.ones(2, kind), device=device)
    found = semiring.plus_first(B.T @ u)
    assert found.new(direction=direction).to_dict() == {0: float(large * kind(0.5))}


@pytest.mark.parametrize("dtype", LEAST)
def test_reductions_matrices_and_accumulators(device: str, dtype: str) -> None:
    whole = np.array([[3, -1, 5], [0, 7, 2], [1, 1, -9]])
    A = Matrix.from_dense(small(dtype, whole), 0.0, dtype=dtype, device=device)
    eye = Matrix.from_dense(np.eye(3), 0.0, dtype=dtype, device=device)
    np.testing.assert_array_equal(
        semiring.plus_first(A @ eye).new().to_dense(0.0), small(dtype, whole)
    )
    rows = A.reduce_rowwise(monoid.plus).new().to_dense()
    np.testing.assert_array_equal(rows, small(dtype, whole.sum(1)))
    if device == "cuda" and dtype == "FP32":
        return  # what is not a product is CuPy's, which has its kernels compiled to flush
    assert A.reduce_scalar(monoid.plus).new().value == small(dtype, whole.sum())
    w = Vector.from_dense(small(dtype, [1, 2, 3]), device=device)
    w(binary.plus) << Vector.from_dense(small(dtype, [10, -20, 30]), device=device)
    np.testing.assert_array_equal(w.to_dense(), small(dtype, [11, -18, 33]))
