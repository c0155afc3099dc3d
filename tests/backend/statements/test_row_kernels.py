"""Operations that compiled kernels make row by row, against the reference: sizes beyond a block."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb

#: Functions of arithmetic.
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "affine": lambda x, y: x + 2 * y,
    "distance": lambda x, y: abs(x - y),
    "branch": lambda x, y: x if x < y else y,
    "square": lambda x, y: (x - y) ** 2,
    "floor": lambda x, y: x // 3 + y % 7,
    "quotient": lambda x, y: x / 2 + y,
    "test": lambda x, y: x > y,
    "cast": lambda x, y: int(x) * 2 - y,
    "float": lambda x, y: float(x) / 4 + round(y),
    "of C": lambda x, y: math.lgamma(abs(x) + 1) + math.erf(y),
    "chosen": lambda x, y: np.where(x > 1, y, -x),
}


def matrix(seed: int, nrows: int, ncols: int, entries: int, dtype: str) -> sb.Matrix:
    """A random matrix on the host, with one row far longer than the others."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, nrows * ncols, entries)
    places = np.unique(np.concatenate([places, nrows // 2 * ncols + rng.permutation(ncols)[:300]]))
    values = rng.integers(0, 9, places.size)
    return sb.Matrix.from_coo(
        places // ncols, places % ncols, values, dtype, nrows=nrows, ncols=ncols
    )


def agrees(device: str, expression: Callable[..., Any], *operands: Any) -> None:
    """The result of an engine is that of the reference."""
    if device == "reference":
        return
    got = expression(*(x.to(device) for x in operands))
    wanted = expression(*(x.to("reference") for x in operands))
    assert got.dtype == wanted.dtype
    assert (
        got.isclose(wanted.to(device), rel_tol=1e-12)
        if got.dtype.is_float
        else got.isequal(wanted.to(device), check_dtype=True)
    )


@pytest.mark.parametrize("dtype", ["FP64", "INT8", "BOOL"])
def test_unions_and_intersections_agree(device: str, dtype: str) -> None:
    x, y = matrix(1, 9, 700, 300, dtype), matrix(2, 9, 700, 200, dtype)
    few = matrix(3, 9, 700, 5, dtype).select("colle", 40).new()
    named = [sb.binary.plus, sb.binary.minus, sb.binary.lt, sb.binary.second]
    made = [sb.binary.register_anonymous(f) for f in FUNCTIONS.values()]
    for op in (*named, *made[::3]):
        for other in (y, x, few):
            agrees(device, lambda a, b, op=op: a.ewise_add(b, op).new(), x, other)
            agrees(device, lambda a, b, op=op: a.ewise_mult(b, op).new(), x, other)
        agrees(device, lambda a, b, op=op: a.ewise_union(b, op, 2, 3).new(), x, y)


@pytest.mark.parametrize("dtype", ["FP64", "INT8", "BOOL"])
def test_products_without_sums_agree(device: str, dtype: str) -> None:
    A, small = matrix(4, 30, 60, 100, dtype), matrix(5, 3, 4, 6, dtype)
    rng = np.random.default_rng(6)
    weights = rng.integers(1, 5, 60)
    full = sb.Vector.from_dense(weights).diag()
    partial = sb.Vector.from_coo(np.arange(0, 60, 2), weights[::2], size=60).diag()
    chosen = sb.Matrix.from_coo(np.arange(20), rng.integers(0, 30, 20), weights[:20], ncols=30)
    for op in (sb.binary.times, sb.binary.minus, sb.binary.register_anonymous(FUNCTIONS["affine"])):
        agrees(device, lambda a, b, op=op: a.kronecker(b, op).new(), A, small)
        semiring = sb.semiring.register_anonymous(sb.monoid.plus, op)
        for D in (full, partial):
            agrees(device, lambda a, b, s=semiring: s(a @ b).new(), A, D)
            agrees(device, lambda a, b, s=semiring: s(b @ a.T).new(), A, D)
        agrees(device, lambda a, b, s=semiring: s(b @ a).new(), A, chosen)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_products_over_functions_agree(device: str, name: str) -> None:
    A, M = matrix(7, 30, 30, 150, "FP64"), matrix(8, 30, 30, 150, "INT64")
    u = sb.Vector.from_dense(np.arange(30) % 7 - 3.0)
    few = u.select("==", 2.0).new()
    larger = sb.binary.register_anonymous(lambda x, y: x if x > y else y)
    sums = [sb.monoid.min, sb.monoid.register_anonymous(larger, -np.inf)]
    multiply = sb.binary.register_anonymous(FUNCTIONS[name])
    for add in sums:
        s = sb.semiring.register_anonymous(add, multiply)
        agrees(device, lambda a, s=s: s(a @ a).new(), A)
        for kind in (lambda m: m.S, lambda m: ~m.V):
            agrees(device, lambda a, m, s=s, k=kind: s(a @ a.T).new(mask=k(m)), A, M)
        for v in (u, few):
            agrees(device, lambda a, v, s=s: s(a @ v).new(), A, v)
            agrees(device, lambda a, v, s=s: s(v @ a).new(), A, v)


def test_a_row_longer_than_a_block_is_summed_in_order(device: str) -> None:
    row = sb.Matrix.from_coo(np.zeros(700, int), np.arange(700), np.arange(700) % 5)
    ones = sb.Vector.from_dense(np.ones(700, int))
    first = sb.binary.register_anonymous(lambda x, y: x + y)
    add = sb.monoid.register_anonymous(first, 0)
    s = sb.semiring.register_anonymous(add, sb.binary.register_anonymous(lambda x, y: x * y + 1))
    agrees(device, lambda a, v: s(a @ v).new(), row, ones)


def test_submatrices_agree_whatever_is_asked_for(device: str) -> None:
    A = matrix(9, 50, 1500, 500, "INT64")
    rng = np.random.default_rng(10)
    asked = [
        (np.arange(10, 30), np.arange(500, 1200)),
        (rng.permutation(50), rng.permutation(1500)),
        (np.sort(rng.permutation(50)[:20]), np.sort(rng.permutation(1500)[:900])),
        (rng.integers(0, 50, 70), rng.integers(0, 1500, 400)),
        (rng.permutation(50)[:5], rng.permutation(1500)[:3]),
    ]
    for rows, columns in asked:
        agrees(device, lambda a, i=rows, j=columns: a[i, j].new(), A)


def test_rows_of_several_workers_are_put_together(device: str) -> None:
    x, y = (matrix(seed, 3000, 900, 40_000, "INT16") for seed in (12, 13))
    one = x.apply(sb.unary.one).new()  # iso
    rows = np.random.default_rng(14).permutation(3000)
    known = sb.get_threads()
    sb.set_threads(4)
    try:
        for op in ("minus", "second", "lt"):
            agrees(device, lambda a, b, op=op: a.ewise_add(b, op).new(), x, y)
            agrees(device, lambda a, b, op=op: a.ewise_mult(b, op).new(), x, y)
        for a, b in ((x, x), (one, one), (one, y)):
            agrees(device, lambda a, b: a.ewise_mult(b, "first").new(), a, b)
        for A in (x, one):
            agrees(device, lambda a: a[200:2900, 30:700].new(), A)
            agrees(device, lambda a: a[rows, 30:700].new(), A)
            agrees(device, lambda a: a[rows, rows[rows < 900]].new(), A)
            agrees(device, lambda a: a[rows, [5, 3, 5]].new(), A)
            agrees(device, lambda a: a.select("tril", -7).new(), A)
    finally:
        sb.set_threads(known)


def test_selections_by_position_agree(device: str) -> None:
    A = matrix(15, 40, 90, 700, "INT64")
    least, greatest = -(2**60), 2**60
    for op in ("tril", "triu", "diag", "offdiag", "rowle", "rowgt", "colle", "colgt"):
        for thunk in (0, 7, -5, 60, least, greatest):
            agrees(device, lambda a, op=op, t=thunk: a.select(op, t).new(), A)
            agrees(device, lambda a, op=op, t=thunk: a.T.select(op, t).new(), A)


@pytest.mark.parametrize("columns", [30, 40_000])
@pytest.mark.parametrize("name", ["plus_times", "min_plus", "any_pair", "plus_first", "lor_land"])
def test_products_of_short_rows_agree(device: str, name: str, columns: int) -> None:
    A = matrix(16, 200, 70, 500, "FP64").select("rowle", 99).new()  # its row 100 is the long one
    B, M = matrix(17, 70, columns, 300, "FP64"), matrix(18, 200, columns, 900, "INT64")
    semiring = getattr(sb.semiring, name)
    agrees(device, lambda a, b: semiring(a @ b).new(), A, B)
    agrees(device, lambda a, b, m: semiring(a @ b).new(mask=~m.S), A, B, M)
    agrees(device, lambda a, b, m: semiring(a @ b).new(mask=m.V), A, B, M)


@pytest.mark.parametrize("dup", ["plus", "minus", "first", "second", "affine"])
def test_entries_at_equal_places_are_combined_in_the_order_given(device: str, dup: str) -> None:
    rng = np.random.default_rng(11)
    rows = np.concatenate([rng.integers(0, 40, 600), np.full(1500, 7)])
    columns = np.concatenate([rng.integers(0, 20, 600), rng.integers(0, 3000, 1500)])
    values = rng.integers(-9, 9, rows.size)
    op = sb.binary.register_anonymous(FUNCTIONS[dup]) if dup in FUNCTIONS else dup
    made = [
        sb.Matrix.from_coo(rows, columns, values, dup_op=op, device=d)
        for d in (device, "reference")
    ]
    assert made[0].isequal(made[1].to(device), check_dtype=True)
