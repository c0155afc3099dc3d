"""The array engine against dictionaries: every form, iso or not, every type."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from array_cases import (
    FORMS,
    admitted,
    engine,
    entries,
    iso,
    matrix,
    summed,
    vector,
)

from spbfs.base import memory
from spbfs.engines.arrays.engine import ArrayEngine
from spbfs.engines.arrays.patterns import layout
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import OutOfMemory
from spbfs.operators.definitions import BinaryOp, Monoid, UnaryOp
from spbfs.operators.dtypes import ALL, BOOL, FP32, FP64, INT8, INT64, UINT8, DType
from spbfs.operators.tables.builtin import BINARY, INDEXUNARY, MONOID, UNARY
from spbfs.storage.data import MatrixData, VectorData, is_iso


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_unions_and_intersections_in_all_forms(dtype: DType) -> None:
    rng = np.random.default_rng(5)
    plus, first = BINARY["plus"].resolve(dtype, dtype), BINARY["first"].resolve(dtype, dtype)
    for f, g, a, b in itertools.product(FORMS, FORMS, (False, True), (False, True)):
        x, y = vector(rng, 40, f, dtype, a), vector(rng, 40, g, dtype, b)
        X, Y = entries(x), entries(y)
        add = {k: np.add(*np.array([[X[k]], [Y[k]]], dtype.np_type))[0] for k in X.keys() & Y}
        assert entries(engine.ewise_mult(x, y, plus)) == add
        assert entries(engine.ewise_add(x, y, plus)) == {**X, **Y, **add}
        assert entries(engine.ewise_add(x, y, first)) == {**Y, **X}
        assert entries(x) == X
        assert entries(y) == Y


def test_a_union_with_defaults_replaces_what_is_absent() -> None:
    rng = np.random.default_rng(6)
    minus = BINARY["minus"].resolve(INT64, INT64)
    one, ten = np.int64(1), np.int64(10)
    for f, g, a in itertools.product(FORMS, FORMS, (False, True)):
        x, y = vector(rng, 30, f, INT64, a), vector(rng, 30, g, INT64, a)
        X, Y = entries(x), entries(y)
        wanted = {k: X.get(k, 1) - Y.get(k, 10) for k in X.keys() | Y}
        assert entries(engine.ewise_union(x, one, y, ten, minus)) == wanted
    A, B = matrix(rng, 6, 7), matrix(rng, 6, 7, all_equal=True)
    X, Y = entries(A), entries(B)
    wanted = {k: X.get(k, 1) - Y.get(k, 10) for k in X.keys() | Y}
    assert entries(engine.ewise_union(A, one, B, ten, minus)) == wanted


def test_positional_operators_see_where_entries_stand() -> None:
    rng = np.random.default_rng(7)
    A, B = matrix(rng, 5, 6), matrix(rng, 5, 6)
    op = BINARY["firstj"].resolve(INT64, INT64)
    both = entries(A).keys() & entries(B)
    assert entries(engine.ewise_mult(A, B, op)) == {k: k[1] for k in both}
    assert entries(engine.apply(A, UNARY["positioni"].resolve(INT64))) == {
        k: k[0] for k in entries(A)
    }
    u = vector(rng, 20, "bitmap")
    assert entries(engine.apply(u, UNARY["positioni"].resolve(INT64))) == {k: k for k in entries(u)}


@pytest.mark.parametrize("form", FORMS)
def test_select_by_value_and_position(form: str) -> None:
    u = vector(np.random.default_rng(8), 60, form)
    U = entries(u)
    over = engine.select(u, INDEXUNARY["valuegt"].resolve(INT64), np.int64(1))
    assert entries(over) == {k: v for k, v in U.items() if v > 1}
    front = engine.select(u, INDEXUNARY["indexle"].resolve(INT64), np.int64(9))
    assert entries(front) == {k: v for k, v in U.items() if k <= 9}


def test_what_comes_out_of_dense_vectors_shares_nothing_with_them() -> None:
    u = VectorData(9, np.arange(9.0), present=np.arange(9) % 2 == 0)
    full = VectorData(9, np.arange(9.0))
    identity = UnaryOp.register_anonymous(lambda x: x).resolve(FP64)
    first = BINARY["first"].resolve(FP64, FP64)
    for x in (u, full):
        for y in (
            engine.apply(x, UNARY["identity"].resolve(FP64)),
            engine.apply(x, identity),
            engine.cast(x, FP64),
            engine.copy(x),
            engine.ewise_add(x, x, first),
            engine.ewise_mult(x, x, first),
            engine.extract_vector(x, None),
            engine.select(x, INDEXUNARY["valuege"].resolve(FP64), np.float64(0)),
            engine.assign_vector(x, x, None, None),
            engine.assign_vector(engine.copy(x), x, np.array([1, 0, 2, 3, 4, 5, 6, 7, 8]), None),
        ):
            assert not np.shares_memory(y.values, x.values)
            if y.present is not None and x.present is not None:
                assert not np.shares_memory(y.present, x.present)


def test_results_that_are_sure_to_be_iso_store_one_element() -> None:
    rng = np.random.default_rng(9)
    lor, pair = BINARY["lor"].resolve(BOOL, BOOL), BINARY["pair"].resolve(FP64, FP64)
    A, B = matrix(rng, 9, 9, BOOL, True), matrix(rng, 9, 9, BOOL, True)
    A.values, B.values = iso(True, A.nvals, BOOL), iso(True, B.nvals, BOOL)
    W = matrix(rng, 9, 9, FP64)
    cut = INDEXUNARY["tril"].resolve(BOOL)
    results = [
        engine.ewise_add(A, B, lor),
        engine.ewise_mult(A, B, lor),
        engine.ewise_mult(W, W, pair),
        engine.apply(W, UNARY["one"].resolve(FP64)),
        engine.apply(A, UNARY["lnot"].resolve(BOOL)),
        engine.cast(A, FP32),
        engine.transpose(A),
        engine.kronecker(A, B, lor),
        engine.select(A, cut, np.int64(0)),
        engine.extract_matrix(A, np.array([1, 1, 3]), np.array([4, 0, 0, 2])),
        engine.write(A, B, MaskData(W, True), None, False),
        engine.assign_scalar_matrix(A, np.True_, None, None, MaskData(W, True), None, False),
        engine.build_matrix(4, 4, np.array([1, 1]), np.array([2, 2]), iso(3, 2, INT64), None),
    ]
    for result in results:
        assert result.nvals
        assert is_iso(result.values)
    for form in FORMS:
        u = vector(rng, 40, form, INT64, True)
        assert is_iso(
            engine.apply_bind(
                u, BINARY["times"].resolve(INT64, INT64), left=None, right=np.int64(3)
            ).values
        )
        assert is_iso(engine.extract_vector(u, np.arange(40)[::-1]).values)
        assert is_iso(engine.to_bitmap(u).values)
        assert is_iso(engine.to_list(u).values)


FOLDS: dict[str, Any] = {
    "plus": np.add,
    "times": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "lor": np.logical_or,
    "land": np.logical_and,
    "lxor": np.logical_xor,
    "lxnor": np.equal,
    "eq": np.equal,
    "band": np.bitwise_and,
    "bor": np.bitwise_or,
    "bxor": np.bitwise_xor,
    "bxnor": lambda x, y: np.invert(np.bitwise_xor(x, y)),
}


def fold(f: Any, values: Any) -> Any:
    total = values[:1]
    for k in range(1, len(values)):
        with np.errstate(over="ignore"):
            total = f(total, values[k : k + 1]).astype(values.dtype)
    return total[0]


def _reductions() -> Iterator[Any]:
    for name, dtype in itertools.product(FOLDS, (BOOL, INT8, UINT8, INT64, FP32)):
        if dtype in MONOID[name]:
            yield pytest.param(name, dtype, id=f"{name}-{dtype}")


@pytest.mark.parametrize(("name", "dtype"), list(_reductions()))
def test_reductions(name: str, dtype: DType) -> None:
    rng = np.random.default_rng(17)
    monoid = MONOID[name].resolve(dtype)
    for all_equal in (False, True):
        A = matrix(rng, 12, 9, dtype, all_equal)
        if name == "times" and dtype.is_float and not all_equal:
            # Powers of two only: their products do not depend on the order.
            A.values = np.where(A.values > 1, 2, 1).astype(dtype.np_type)
        values = A.values.astype(monoid.dtype.np_type)
        sums = {
            i: fold(FOLDS[name], values[A.indptr[i] : A.indptr[i + 1]])
            for i in np.flatnonzero(np.diff(A.indptr)).tolist()
        }
        rows = engine.reduce_rowwise(A, monoid)
        assert rows.values.dtype == monoid.dtype.np_type
        assert entries(rows) == sums
        total = engine.reduce(A, monoid)
        assert total is not None
        assert total.dtype == monoid.dtype.np_type
        assert total == fold(FOLDS[name], values)
    assert engine.reduce(matrix(rng, 3, 3, dtype, density=0.0), monoid) is None


def test_a_user_defined_monoid_is_summed_in_order() -> None:
    left = BinaryOp.register_anonymous(lambda x, y: x, "left")
    monoid = Monoid("left", left).resolve(INT64)
    values, starts = np.arange(100, 117), np.array([0, 1, 4, 5, 12])
    assert engine.segment_reduce(values, starts, monoid).tolist() == [100, 101, 104, 105, 112]
    plus = BinaryOp.register_anonymous(lambda x, y: x + y, "mine")
    sums = engine.segment_reduce(values, starts, Monoid("mine", plus).resolve(INT64))
    assert sums.tolist() == np.add.reduceat(values, starts).tolist()


@pytest.mark.parametrize("shape", [(60, 50), (100000, 50), (1, 3000)], ids=str)
@pytest.mark.parametrize("dup", ["plus", "minus", "first", "second", "land", None, "mine"])
def test_repeated_entries_are_combined_in_the_order_given(
    shape: tuple[int, int], dup: str | None
) -> None:
    rng = np.random.default_rng(18)
    rows, cols = rng.integers(0, shape[0], 5000), rng.integers(0, shape[1], 5000)
    values = rng.integers(-5, 6, 5000)
    table = {**BINARY, "mine": BinaryOp.register_anonymous(lambda x, y: x + 2 * y, "mine")}
    python = {
        "plus": lambda x, y: x + y,
        "minus": lambda x, y: x - y,
        "first": lambda x, y: x,
        "land": lambda x, y: int(bool(x) and bool(y)),
        "mine": lambda x, y: x + 2 * y,
    }.get(dup or "", lambda x, y: y)
    for given in (values, iso(3, 5000, INT64)):
        wanted: dict[Any, Any] = {}
        for i, j, v in zip(rows.tolist(), cols.tolist(), given.tolist(), strict=True):
            wanted[i, j] = python(wanted[i, j], v) if (i, j) in wanted else v
        op = None if dup is None else table[dup].resolve(INT64, INT64)
        A = engine.build_matrix(*shape, rows, cols, given, op)
        assert entries(A) == wanted
        assert A.indices.dtype == np.int32
        u = engine.build_vector(shape[0] * shape[1], rows * shape[1] + cols, given, op)
        assert entries(u) == {i * shape[1] + j: v for (i, j), v in wanted.items()}


@pytest.mark.parametrize("dup", ["plus", "first", None])
@pytest.mark.parametrize("value", [None, True])
def test_few_entries_are_built_as_many_are(
    dup: str | None, value: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(8)
    rows, cols = rng.integers(0, 9, (2, 60))
    values = rng.integers(0, 9, 60) if value is None else np.broadcast_to(np.int64(1), 60)
    op = None if dup is None else BINARY[dup].resolve(INT64, INT64)
    made = []
    for few in (0, 1000):
        monkeypatch.setattr(layout, "SORTED_ENTRIES", few)
        made.append(ArrayEngine().build_matrix(9, 9, rows, cols, values, op))
    one, other = made
    for name in ("indptr", "indices", "values"):
        a, b = getattr(one, name), getattr(other, name)
        assert a.dtype == b.dtype and a.tolist() == b.tolist(), name


def dense(A: MatrixData) -> Any:
    out = np.zeros((A.nrows, A.ncols), A.values.dtype)
    rows = np.repeat(np.arange(A.nrows), np.diff(A.indptr))
    out[rows, A.indices] = A.values
    return out


@pytest.mark.parametrize("all_equal", [False, True])
def test_structure_equals_dense_numpy(all_equal: bool) -> None:
    rng = np.random.default_rng(19)
    A, B = matrix(rng, 6, 8, INT64, all_equal), matrix(rng, 3, 4, INT64, all_equal)
    times = BINARY["times"].resolve(INT64, INT64)
    T = engine.transpose(A)
    assert (dense(T) == dense(A).T).all()
    assert engine.transpose(A) is T
    assert engine.transpose(T) is A
    assert (dense(engine.kronecker(A, B, times)) == np.kron(dense(A), dense(B))).all()
    some, many = np.array([5, 0, 0, 3]), np.array([7, 7, 1, 0, 4])
    for P, Q in [
        (some, many),
        (None, many),
        (some, None),
        (np.array([1, 4]), np.array([0, 6])),
    ]:
        full = dense(A)[slice(None) if P is None else P][:, slice(None) if Q is None else Q]
        assert (dense(engine.extract_matrix(A, P, Q)) == full).all()
    for k in range(-7, 10):
        wanted = {min(i, j): v for (i, j), v in entries(A).items() if j - i == k}
        u = engine.diag_vector(A, k)
        assert entries(u) == wanted
        assert u.size == len(np.diagonal(dense(A), k)) if -6 < k < 8 else u.size == 0
        if u.size:
            D = engine.diag_matrix(u, k)
            assert (dense(D) == np.diag(np.diagonal(dense(A), k), k)).all()


def test_a_symmetric_pattern_is_its_own_transpose() -> None:
    rows, cols = np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2])
    A = engine.build_matrix(4, 4, rows, cols, iso(True, 4, BOOL), None)
    assert engine.transpose(A) is A
    W = engine.build_matrix(4, 4, rows, cols, np.array([1, 2, 3, 4]), None)
    assert entries(engine.transpose(W)) == {(j, i): v for (i, j), v in entries(W).items()}


class Elsewhere(ArrayEngine):
    """Over a module that is not NumPy by identity, and repeats nothing by an array of counts."""

    xp = SimpleNamespace(**{k: v for k, v in vars(np).items() if k != "repeat"})


def test_ways_around_what_only_numpy_and_scipy_can_do() -> None:
    rng = np.random.default_rng(20)
    other = Elsewhere()
    rows, cols, values = (rng.integers(0, 30, 300) for _ in range(3))
    plus = BINARY["plus"].resolve(INT64, INT64)
    mine = Monoid("mine", BinaryOp.register_anonymous(lambda x, y: x + y, "mine")).resolve(INT64)
    for given in (values, iso(2, 300, INT64)):
        for dup in (plus, None):
            A = engine.build_matrix(30, 31, rows, cols, given, dup)
            assert entries(other.build_matrix(30, 31, rows, cols, given, dup)) == entries(A)
        wanted = {(j, i): v for (i, j), v in entries(A).items()}
        assert entries(other.transpose(A)) == wanted
        assert other.transpose(other.transpose(A)) is A
        many = rng.integers(0, 30, 40)
        got = other.extract_matrix(A, many, many)
        assert entries(got) == entries(engine.extract_matrix(A, many, many))
        assert entries(other.kronecker(A, A, plus)) == entries(engine.kronecker(A, A, plus))
        assert entries(other.reduce_rowwise(A, mine)) == entries(engine.reduce_rowwise(A, mine))
    loop = engine.build_matrix(3, 3, np.array([0, 1]), np.array([1, 0]), iso(1, 2, BOOL), None)
    assert other.transpose(loop) is loop


def test_shapes_whose_product_exceeds_64_bits() -> None:
    nrows, ncols = 5, 2**62
    far = np.array([0, 7, 2**61, 2**62 - 1])
    plus = BINARY["plus"].resolve(INT64, INT64)
    A = engine.build_matrix(nrows, ncols, np.array([0, 4, 4, 2]), far, np.arange(1, 5), None)
    B = engine.build_matrix(nrows, ncols, np.array([4, 4, 0, 2]), far, np.arange(10, 14), None)
    a, b = entries(A), entries(B)
    assert A.indices.dtype == A.indptr.dtype == np.int64
    assert entries(engine.ewise_add(A, B, plus)) == summed(a, b, plus)
    assert entries(engine.ewise_mult(A, B, plus)) == {k: a[k] + b[k] for k in a.keys() & b}
    allowed = admitted(MaskData(B, True, True), a)
    out = engine.write(A, A, MaskData(B, True, True), None, True)
    assert entries(out) == {k: v for k, v in a.items() if k in allowed}
    picked = engine.extract_matrix(A, None, np.array([2**61, 7, 1, 2**61]))
    assert entries(picked) == {(4, 0): 3, (4, 1): 2, (4, 3): 3}
    low = np.array([2**61, 2**61 - 1])
    T = engine.build_matrix(2, 2, np.array([0, 1]), np.array([0, 1]), np.array([8, 9]), None)
    moved = engine.assign_matrix(A, T, np.array([4, 0]), low, None)
    gone = set(itertools.product((0, 4), low.tolist()))
    assert entries(moved) == {k: v for k, v in a.items() if k not in gone} | {
        (4, 2**61): 8,
        (0, 2**61 - 1): 9,
    }


def test_what_cannot_fit_is_refused_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**9)
    n = 1 << 16
    A = engine.build_matrix(n, n, np.arange(n), np.arange(n), iso(True, n, BOOL), None)
    with pytest.raises(OutOfMemory, match=r"assigning a scalar to 65536 x 65536.*1,000,000,000"):
        engine.assign_scalar_matrix(A, np.True_, None, None, MaskData(A, True, True), None, False)
    with pytest.raises(OutOfMemory, match="kronecker"):
        engine.kronecker(A, A, BINARY["land"].resolve(BOOL, BOOL))
    hub = engine.build_matrix(1, n, np.zeros(n, np.int64), np.arange(n), iso(True, n, BOOL), None)
    with pytest.raises(OutOfMemory, match="extract"):
        engine.extract_matrix(hub, np.zeros(n, np.int64), None)
