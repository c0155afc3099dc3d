"""Boolean matrices in packed bits: whatever an operation does with bits, the entries are right."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, binary, monoid, semiring, unary
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.storage.packed import PackedMatrix

COLUMNS = [1, 2, 63, 64, 65, 256, 257, 1000]
ROWS = 37


def dense(ncols: int, seed: int, nrows: int = ROWS, share: float = 0.2) -> np.ndarray:
    return np.random.default_rng(seed).random((nrows, ncols)) < share


def packed(flags: np.ndarray, device: str) -> Matrix:
    """The true elements as a packed matrix."""
    width = -(-flags.shape[1] // 64) * 64
    padded = np.zeros((flags.shape[0], width), bool)
    padded[:, : flags.shape[1]] = flags
    bits = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    A = Matrix.from_packed_bits(bits, flags.shape[1], device=device)
    assert isinstance(A._ready(), PackedMatrix)
    return A


def same(A: Any, flags: np.ndarray) -> None:
    """Entries are the true elements, and true."""
    A = A.new() if not isinstance(A, Matrix) else A
    rows, columns, values = A.to_coo()
    expected = flags.nonzero()
    np.testing.assert_array_equal(rows, expected[0])
    np.testing.assert_array_equal(columns, expected[1])
    assert values.all() and A.nvals == flags.sum() and A.shape == flags.shape


@pytest.mark.parametrize("ncols", COLUMNS)
def test_conversions(ncols: int, device: str) -> None:
    flags = dense(ncols, ncols)
    A = packed(flags, device)
    same(A, flags)
    same(A.dup(), flags)
    same(A.T.new(), flags.T)
    same(A.T.T, flags)
    same(pickle.loads(pickle.dumps(A)), flags)
    same(A.to("reference").to(device), flags)
    np.testing.assert_array_equal(A.to_dense(False), flags)
    np.testing.assert_array_equal(A.to_scipy().toarray(), flags)
    np.testing.assert_array_equal(
        Matrix.from_dense(flags, False, device=device).to_packed_bits(), A.to_packed_bits()
    )
    np.testing.assert_array_equal(A.new(int).to_dense(0), flags)
    A[0, 0] = not flags[0, 0]
    flags[0, 0] = not flags[0, 0]
    np.testing.assert_array_equal(A.to_dense(False), flags)


@pytest.mark.parametrize("ncols", COLUMNS)
def test_element_wise(ncols: int, device: str) -> None:
    x, y = dense(ncols, 1), dense(ncols, 2)
    A, B = packed(x, device), packed(y, device)
    for other in (B, Matrix.from_dense(y, False, device=device)):
        for op in (binary.lor, binary.any, binary.land, binary.pair):
            same(A.ewise_add(other, op), x | y)
            same(A.ewise_mult(other, op), x & y)
            same(other.ewise_mult(A, op), x & y)
    np.testing.assert_array_equal(A.ewise_add(B, binary.lxor).new().to_dense(False), x ^ y)
    np.testing.assert_array_equal(A.ewise_add(B, binary.plus["INT64"]).new().to_dense(0), x + 1 * y)
    np.testing.assert_array_equal(A.apply(unary.lnot).new().to_dense(True), ~x)
    same(A.select("<=", np.True_), x)
    same(A.select("tril", 2), np.tril(x, 2))
    rows = [5, 0, 5, 36]
    same(A[rows, :], x[rows])
    same(A[:, [0]], x[:, [0]])
    same(A[3:9, :], x[3:9])


@pytest.mark.parametrize("ncols", COLUMNS)
def test_reductions(ncols: int, device: str) -> None:
    flags = dense(ncols, 3, share=0.02)
    A = packed(flags, device)
    assert A.nvals == flags.sum()
    assert (A.reduce_scalar(monoid.lor).new().value or False) == flags.any()
    assert (A.reduce_scalar(monoid.plus["INT64"]).new().value or 0) == flags.sum()
    for axis, sums in ((1, A.reduce_rowwise), (0, A.reduce_columnwise)):
        np.testing.assert_array_equal(
            sums(monoid.plus["INT64"]).new().to_dense(0), flags.sum(axis=axis)
        )
        np.testing.assert_array_equal(sums(monoid.lor).new().to_dense(False), flags.any(axis=axis))
        some = flags.any(axis=axis).nonzero()[0]
        np.testing.assert_array_equal(sums(monoid.lxor).new().to_coo()[0], some)
    empty = packed(np.zeros((4, ncols), bool), device)
    assert empty.nvals == 0 and empty.reduce_scalar(monoid.lor).new().is_empty


@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("ncols", [1, 64, 65, 300])
def test_output(
    ncols: int, complement: bool, replaced: bool, accumulate: bool, device: str
) -> None:
    c, t, m = dense(ncols, 4), dense(ncols, 5), dense(ncols, 6)
    inside = ~m if complement else m
    made = (c | t) if accumulate else t
    expected = (made & inside) | (c & ~inside & (not replaced))
    options: list[Any] = [binary.lor] if accumulate else []
    options += [sb.replace] if replaced else []
    for mask in (packed(m, device), Matrix.from_dense(m * 3, 0, device=device)):
        C = packed(c, device)
        chosen = ~mask.S if complement else mask.S
        C(chosen, *options) << packed(t, device).ewise_add(packed(t, device), "lor")
        same(C, expected)
        C = packed(c, device)
        chosen = ~mask.V if complement else mask.V
        C(chosen, *options) << packed(t, device)
        same(C, expected)
    C = packed(c, device)
    mask = packed(m, device)
    C(~mask.S if complement else mask.S, *options) << True
    same(C, inside | (c & (not replaced)))
    C = packed(c, device)
    C(mask.S) << False
    np.testing.assert_array_equal(C.to_dense(False), c & ~m)
    assert C.nvals == (c | m).sum()


@pytest.mark.parametrize("direction", ["push", "pull", "auto"])
@pytest.mark.parametrize("ncols", COLUMNS)
def test_products(ncols: int, direction: Any, device: str) -> None:
    if device == "reference" and direction != "auto":
        pytest.skip("the reference engine has one way")
    edges = np.random.default_rng(7).random((23, ROWS)) < 0.15
    flags, m = dense(ncols, 8, share=0.05), dense(ncols, 9, nrows=23)
    product = edges.astype(int) @ flags.astype(int) > 0
    for values in (edges, edges * 2.5):
        A = Matrix.from_dense(values, 0, device=device)
        for B in (packed(flags, device), Matrix.from_dense(flags, False, device=device)):
            same(semiring.any_pair(A @ B).new(direction=direction), product)
            same(semiring.any_second["BOOL"](A @ B).new(direction=direction), product)
            same(semiring.lor_land["BOOL"](A @ B).new(direction=direction), product)
            for mask in (packed(m, device), Matrix.from_dense(m, False, device=device)):
                same(semiring.any_pair(A @ B).new(mask=mask.S, direction=direction), product & m)
                same(semiring.any_pair(A @ B).new(mask=~mask.S, direction=direction), product & ~m)
    counts = semiring.plus_pair["INT64"](A @ packed(flags, device)).new()
    np.testing.assert_array_equal(counts.to_dense(0), edges.astype(int) @ flags.astype(int))


def test_a_false_entry_is_no_bit(device: str) -> None:
    A = Matrix.from_coo([0, 0, 1], [0, 1, 2], [True, False, True], nrows=2, ncols=3, device=device)
    assert A.to_packed_bits().tolist() == [[1], [4]]
    both = A.ewise_add(packed(np.array([[False, True, False]] * 2), device), "land").new()
    assert both.to_dicts() == {0: {0: True, 1: False}, 1: {1: True, 2: True}}
    product = semiring.lor_land(Matrix.from_dense(np.eye(2, dtype=bool), device=device) @ A).new()
    assert product.to_dicts()[0][1] in (False, np.False_)


def test_size() -> None:
    A = packed(dense(256, 1, nrows=1000), "cpu")
    assert A.nbytes == 1000 * 32
    assert "packed bits" in repr(A)
    product = semiring.any_pair(sb.generate.uniform(1000, 8, seed=1) @ A).new(bool)
    assert product.nbytes == 1000 * 32


def test_a_tall_product_of_few_entries_is_not_packed() -> None:
    n = 2_000_000
    A = Matrix.from_coo([0, n - 1], [1, 0], True, nrows=n, ncols=2)
    B = Matrix.from_coo([0, 1], [700, 3], True, nrows=2, ncols=1000)
    product = semiring.any_pair(A @ B).new()
    assert product.to_dicts() == {0: {3: True}, n - 1: {700: True}}
    assert product.nbytes < 8 * (n + 100)


def test_mistakes() -> None:
    with pytest.raises(DimensionMismatch, match="bits"):
        Matrix.from_packed_bits(np.zeros(3, np.uint64), 3)
    with pytest.raises(DimensionMismatch, match="expected 2 words"):
        Matrix.from_packed_bits(np.zeros((3, 1), np.uint64), 65)
    with pytest.raises(DomainMismatch, match="uint64"):
        Matrix.from_packed_bits(np.zeros((3, 1), np.int64), 3)
    with pytest.raises(InvalidValue, match="1024"):
        Matrix.from_packed_bits(np.zeros((3, 17), np.uint64), 1025)
    with pytest.raises(InvalidValue, match="1024"):
        Matrix(bool, 3, 2000).to_packed_bits()
