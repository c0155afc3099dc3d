"""A sum of nothing but -0.0 is -0.0, whoever makes it and in which order: 1 divided by it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb

N = 40

SUMS: dict[str, Callable[[Any, Any], Any]] = {
    "pushed": lambda A, u: _product(u, A, "push"),
    "pulled": lambda A, u: _product(u, A, "pull"),
    "pulled, full": lambda A, u: sb.semiring.plus_times(A @ _full(A)).new(),
    "masked product": lambda A, u: sb.semiring.plus_times(A @ _zeros(A)).new(mask=A.S),
    "product": lambda A, u: sb.semiring.plus_times(A @ _zeros(A)).new(),
    "rows": lambda A, u: _zeros(A).reduce_rowwise("plus").new(),
    "columns": lambda A, u: _zeros(A).reduce_columnwise("plus").new(),
    "matrix": lambda A, u: _zeros(A).reduce_scalar("plus").new(),
    "vector": lambda A, u: _full(A).reduce("plus").new(),
    "accumulated": lambda A, u: _accumulated(A),
    "element-wise": lambda A, u: _full(A).ewise_add(_full(A), "plus").new(),
}


def _product(u: Any, A: Any, direction: str) -> Any:
    w = sb.Vector(A.dtype, N, device=A.device)
    w(direction=direction) << sb.semiring.plus_times(u @ A)
    return w


def _zeros(A: Any) -> Any:
    return A.apply("times", right=-0.0).new()


def _full(A: Any) -> Any:
    return sb.Vector.from_dense(np.full(N, -0.0, A.dtype.np_type), device=A.device)


def _accumulated(A: Any) -> Any:
    w = _full(A)
    w("plus") << _full(A)
    return w


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("how", SUMS)
def test_sums_of_minus_zeros(how: str, dtype: str, device: str) -> None:
    rows, columns = np.nonzero(np.random.default_rng(3).random((N, N)) < 0.4)
    A = sb.Matrix.from_coo(rows, columns, 1.0, dtype=dtype, nrows=N, ncols=N, device=device)
    at = np.arange(0, N, 3)
    u = sb.Vector.from_coo(at, np.full(at.size, -0.0), dtype=dtype, size=N, device=device)
    found = SUMS[how](A, u)
    if isinstance(found, sb.Scalar):
        values = np.array([found.value])
    else:
        values = found.to("cpu").to_coo()[-1]
    assert values.size and not values.any()
    assert np.signbit(values).all()
