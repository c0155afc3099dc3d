"""Augmented assignments write into the object, and what has no meaning is refused."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Scalar, Vector, binary, dtypes
from spbfs.exceptions import DimensionMismatch, DomainMismatch

SYMBOLS = {
    "iadd": operator.iadd,
    "isub": operator.isub,
    "imul": operator.imul,
    "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv,
    "imod": operator.imod,
    "ipow": operator.ipow,
}


@pytest.mark.parametrize("dtype", ["INT64", "INT16"])
def test_matmul(device: str, dtype: str) -> None:
    A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 2, 3], dtype=dtype).to(device)
    same, A2 = A, A.dup()
    A @= A2
    assert A is same
    assert A.to_dicts() == {0: {2: 2}, 1: {0: 6}, 2: {1: 3}}
    v = w = Vector.from_dense([5, 2, 7], device=device)
    v @= A2
    assert v is w
    assert v.dtype == "INT64"
    assert v.to_dict() == {0: 21, 1: 5, 2: 4}
    with pytest.raises(DimensionMismatch):
        v @= Matrix(int, 3, 2, device=device)
    with pytest.raises(DomainMismatch):
        v @= 3
    assert w.to_dict() == {0: 21, 1: 5, 2: 4}


def test_matmul_by_itself_and_of_booleans(device: str) -> None:
    A = Matrix.from_coo([0, 1], [1, 0], [2, 3]).to(device)
    A @= A
    assert A.to_dicts() == {0: {0: 6}, 1: {1: 6}}
    B = Matrix.from_coo([0, 1], [1, 0], [True, False]).to(device)
    B @= B
    assert B.dtype == "BOOL"
    assert B.to_dicts() == {0: {0: False}, 1: {1: False}}


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize(
    ("value", "other"),
    [(5, 2), (5, 2.5), (-5, 2.5), (5, True), (2.5, 2), (None, 2), (5, None), (7, Scalar(float))],
)
def test_scalars(symbol: str, value: Any, other: Any) -> None:
    """As in python-graphblas: under all names, in the Scalar's own type."""
    graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

    def of(module: Any) -> Any:
        s = module.Scalar(int) if value is None else module.Scalar.from_value(value)
        if other is None or isinstance(other, Scalar):
            right: Any = module.Scalar(int if other is None else float)
        else:
            right = other
        t = s
        t = SYMBOLS[symbol](t, right)
        assert t is s
        return s.dtype.name, s.value

    mine = of(__import__("spbfs"))
    assert mine == of(graphblas)
    assert type(mine[1]) in (type(None), int, float)


def test_scalars_refuse_what_is_no_number() -> None:
    s = Scalar.from_value(5)
    for wrong in ("a", [1]):
        with pytest.raises(TypeError):
            s += wrong
        with pytest.raises(TypeError):
            s *= wrong
    assert s.value == 5


@pytest.mark.parametrize("other", [[5, 2], np.array([5, 2]), None, "a", (5, 2), {}, object()])
def test_equality_without_meaning_is_refused(device: str, other: Any) -> None:
    v = Vector.from_dense([5, 2], device=device)
    A = Matrix.from_dense([[5, 2]], device=device)
    for x in (v, A, A.T, v + 1):
        with pytest.raises(DomainMismatch, match="right of =="):
            operator.eq(x, other)
        with pytest.raises(DomainMismatch, match="right of !="):
            operator.ne(x, other)
        side = "left" if isinstance(other, np.ndarray) else "right"  # which NumPy alone says
        with pytest.raises(DomainMismatch, match=f"{side} of =="):
            operator.eq(other, x)


def test_masks_updaters_and_types_refuse_it_too(device: str) -> None:
    v = Vector.from_dense([5, 2], device=device)
    with pytest.raises(DomainMismatch):
        operator.eq(v.S, v.S)
    with pytest.raises(DomainMismatch):
        bool(v(v.S))
    with pytest.raises(DomainMismatch):
        operator.eq(dtypes.BOOL, object())
    assert dtypes.BOOL == "bool"


@pytest.mark.parametrize("where", ["all", "element", "region", "mask"])
def test_accumulators_take_numbers_as_they_are(device: str, where: str) -> None:
    """2.5 divides integers by 2.5, not by the 2 that it is among them."""
    v = Vector.from_coo([0, 1], [2, 100], size=3).to(device)
    if where == "all":
        v(binary.truediv) << 2.5
        assert v.to_dict() == {0: 0, 1: 40, 2: 2}
    elif where == "element":
        v[1](binary.truediv) << 2.5
        assert v.to_dict() == {0: 2, 1: 40}
    elif where == "region":
        v[[1, 2]](binary.truediv) << 2.5
        assert v.to_dict() == {0: 2, 1: 40, 2: 2}
    else:
        inner = Vector.from_coo([0], True, size=2).to(device)
        v[[1, 2]](inner.S, binary.truediv) << 2.5
        assert v.to_dict() == {0: 2, 1: 40}


@pytest.mark.parametrize("size", [0, 1, 5])
def test_a_vector_from_a_dense_array_shares_nothing_with_it(size: int, device: str) -> None:
    given = np.arange(size, dtype=np.float64)
    for values in (given, given[::-1], np.broadcast_to(np.float64(3), size)):
        wanted = values.tolist()
        v = Vector.from_dense(values, device=device)
        assert v.nvals == size and v.dtype == dtypes.FP64
        if size:
            v[0] = 7.0
            assert v.get(0) == 7
        assert values.tolist() == wanted
    v = Vector.from_dense(given, device=device)
    given[:] = 9
    assert v.to_coo()[1].tolist() == list(range(size))
