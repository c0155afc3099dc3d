"""Matrices from compressed lines, dictionaries and edges, and back; parts of them moved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Scalar, Vector, binary
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidObject,
    InvalidValue,
    OutputNotEmpty,
)

SEED = 20261122


def draw(rng: Any, device: str) -> tuple[Any, Any]:
    """A random matrix and its dense array, 0 where it has no entry."""
    shape = tuple(rng.integers(1, 9, 2))
    dense = rng.integers(1, 100, shape) * (rng.random(shape) < rng.random())
    rows, columns = dense.nonzero()
    values = dense[rows, columns]
    A = Matrix.from_coo(rows, columns, values, nrows=shape[0], ncols=shape[1], device=device)
    return A, dense


def test_compressed_forms_return_what_they_were_given(device: str) -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(30):
        A, dense = draw(rng, device)
        m, n = A.shape
        for B in (
            Matrix.from_csr(*A.to_csr(), ncols=n, device=device),
            Matrix.from_csc(*A.to_csc(), nrows=m, device=device),
            Matrix.from_dcsr(*A.to_dcsr(), nrows=m, ncols=n, device=device),
            Matrix.from_dcsc(*A.to_dcsc(), nrows=m, ncols=n, device=device),
            Matrix.from_dicts(A.to_dicts(), int, nrows=m, ncols=n, device=device),
            Matrix.from_dicts(A.to_dicts("col"), int, order="F", nrows=m, ncols=n, device=device),
            Matrix.from_edgelist(*A.to_edgelist(), int, nrows=m, ncols=n, device=device),
            Matrix.from_csr(*A.T.to_csc(), ncols=n, device=device),
        ):
            assert B.isequal(A, check_dtype=True)
        assert np.array_equal(A.T.to_dense(0), dense.T)


def test_what_is_repositioned_keeps_its_distances(device: str) -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(30):
        A, dense = draw(rng, device)
        down, right = (int(x) for x in rng.integers(-9, 10, 2))
        m, n = (int(x) for x in rng.integers(1, 12, 2))
        expected = np.zeros((m, n), int)
        for i, j in zip(*dense.nonzero(), strict=True):
            if 0 <= i + down < m and 0 <= j + right < n:
                expected[i + down, j + right] = dense[i, j]
        assert np.array_equal(
            A.reposition(down, right, nrows=m, ncols=n).new().to_dense(0), expected
        )
        row = Vector.from_dense(dense[0], 0, device=device)
        moved = row.reposition(right, size=n).new()
        alone = Matrix.from_dense(dense[:1], 0, device=device).reposition(0, right, ncols=n)
        assert np.array_equal(moved.to_dense(0), alone.new().to_dense(0)[0])


def test_powers_are_repeated_products(device: str) -> None:
    rng = np.random.default_rng(SEED)
    dense = rng.integers(0, 3, (4, 4))
    A = Matrix.from_dense(dense, 0, device=device)
    for n in range(7):
        found = A.power(n).new().to_dense(0)
        assert np.array_equal(found, np.linalg.matrix_power(dense, n))
    assert A.T.power(3, "min_plus").new().isequal(A.power(3, "min_plus").new().T.new())
    with pytest.raises(InvalidValue, match="identity"):
        A.power(0, "min_first")
    with pytest.raises(DomainMismatch, match="n:"):
        A.power(1.5)
    with pytest.raises(DimensionMismatch, match="square"):
        A[:2, :].new().power(2)


@pytest.mark.parametrize("k", [-2, -1, 0, 1, 3])
def test_a_diagonal_is_written_and_nothing_else(device: str, k: int) -> None:
    rng = np.random.default_rng(SEED + k)
    dense = rng.integers(1, 9, (3, 4))
    A = Matrix.from_dense(dense, device=device)
    expected = dense.copy()
    at = np.arange(max(0, -k), min(3, 4 - k))
    expected[at, at + k] = 100
    A.setdiag(100, k)
    assert np.array_equal(A.to_dense(), expected)
    new = rng.integers(1, 9, len(at))
    A.setdiag(new, k, accum=binary.plus)
    expected[at, at + k] += new
    assert np.array_equal(A.to_dense(), expected)
    first = Vector.from_coo([0], [7], size=len(at), device=device)
    A.setdiag(Scalar.from_value(5), k, mask=~first.S)
    expected[at[1:], at[1:] + k] = 5
    assert np.array_equal(A.to_dense(), expected)
    A.setdiag(first, k)
    assert A.diag(k).to_dict() == {0: 7}
    assert A.nvals == 12 - len(at) + 1


def test_what_does_not_fit_a_diagonal(device: str) -> None:
    A = Matrix.from_dense([[1, 2], [3, 4]], device=device)
    for wrong, error in (
        (lambda: A.setdiag(1, 2), IndexOutOfBound),
        (lambda: A.setdiag(1, -2), IndexOutOfBound),
        (lambda: A.setdiag(1, 0.5), DomainMismatch),
        (lambda: A.setdiag(object()), DomainMismatch),
        (lambda: A.setdiag([1]), DimensionMismatch),
        (lambda: A.setdiag(1, mask=Vector(bool, 3).S), DimensionMismatch),
        (lambda: A.setdiag(1, mask=Matrix(bool, 3, 3).S), DimensionMismatch),
    ):
        with pytest.raises(error):
            wrong()
    assert np.array_equal(A.to_dense(), [[1, 2], [3, 4]])


def test_what_is_not_wanted_is_not_made(device: str) -> None:
    A = Matrix.from_coo([0, 1], [1, 0], [5, 3], device=device)
    rows, columns, values = A.T.to_coo(columns=False)
    assert (rows.tolist(), columns, values.tolist()) == ([1, 0], None, [5, 3])
    assert A[0, :].new().to_coo(values=False)[1] is None
    assert A.to_edgelist(values=False)[1] is None


def test_lines_that_contradict_one_another() -> None:
    for wrong, error in (
        (lambda: Matrix.from_csr([0, 1], [5], ncols=3), InvalidObject),
        (lambda: Matrix.from_csr([0, 1], [5], ncols=3), IndexOutOfBound),
        (lambda: Matrix.from_csc([0, 1], [0], ncols=3), DimensionMismatch),
        (lambda: Matrix.from_csc([0, 2, 1], [0, 1]), InvalidValue),
        (lambda: Matrix.from_dcsr([], [], []), InvalidValue),
        (lambda: Matrix.from_dcsr([1, 1], [0, 1, 2], [0, 0], [1, 2]), InvalidValue),
        (lambda: Matrix.from_dcsr([4], [0, 1], [0], nrows=3), IndexOutOfBound),
        (lambda: Matrix.from_dicts([{1: 1}], nrows=3), DimensionMismatch),
        (lambda: Matrix.from_dicts([{1: 1}], ncols=1), InvalidObject),
        (lambda: Matrix.from_dicts({0: 1}), DomainMismatch),
        (lambda: Matrix.from_dicts({}, order="up"), InvalidValue),
        (lambda: Matrix.from_edgelist(np.array([[0, 1, 5, 2]])), DimensionMismatch),
        (lambda: Matrix.from_edgelist(np.arange(5)), DimensionMismatch),
        (lambda: Matrix.from_edgelist([(0, 1, 5)], values=3), TypeError),
        (lambda: Matrix.from_scalar("x", 2, 2), DomainMismatch),
        (lambda: Matrix.from_dense([[1]]).build([0], [0], [1]), OutputNotEmpty),
        (lambda: Vector.from_dense([1]).build([0], [1]), OutputNotEmpty),
        (lambda: Vector(int, 2).to_dense(), DomainMismatch),
    ):
        with pytest.raises(error):
            wrong()


def test_a_full_matrix_has_the_scalars_type(device: str) -> None:
    A = Matrix.from_scalar(Scalar.from_value(2, "INT8"), 2, 3, device=device)
    assert (A.dtype, A.nvals, A.device) == ("INT8", 6, device)
    assert Vector.from_scalar(Scalar.from_value(2.5), 3, int).to_dict() == {0: 2, 1: 2, 2: 2}
    assert Vector.from_dict({}).shape == Vector.from_dict({}, size=0).shape == (0,)


def test_questions_about_storage(device: str) -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(10):
        A, _ = draw(rng, device)
        for form in ("csr", "csc", "hypercsr", "hypercsc", "coo"):
            arrays = A.ss.export(form)
            assert arrays["values"].size == A.nvals
            assert sorted(arrays["values"]) == sorted(A.ss.itervalues())
        assert list(A.ss.iterkeys()) == list(A)
        assert dict(A.ss.iteritems()) == {
            (i, j): x for i, r in A.to_dicts().items() for j, x in r.items()
        }
    one = Matrix.from_coo([0, 1], [1, 0], 7, device=device)
    assert one.ss.is_iso == (device != "reference"), "which spells every value out"
    if one.ss.is_iso:
        assert one.ss.iso_value == 7
    varied = Vector.from_coo([0, 1], [1, 2], device=device)
    assert not varied.ss.is_iso
    assert varied.ss.export()["indices"].tolist() == [0, 1]
    with pytest.raises(InvalidValue, match="iso_value"):
        varied.ss.iso_value  # noqa: B018 - asking is what is tested
    with pytest.raises(InvalidValue, match="format"):
        one.ss.export("bitmap")
