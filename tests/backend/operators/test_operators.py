"""Every built-in operator on every type and on values at the edges, judged by python-graphblas."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary, monoid, semiring, unary
from spbfs.exceptions import DomainMismatch
from spbfs.operators.dtypes import ALL, DType
from spbfs.operators.tables.builtin import BINARY, UNARY

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

EDGES: dict[str, list[float]] = {
    "b": [0, 1],
    "i": [-128, -127, -7, -3, -1, 0, 1, 2, 3, 7, 100, 127],
    "u": [0, 1, 2, 3, 7, 9, 127, 128, 200, 255],
    "f": [-7.5, -2.5, -1, -0.5, -0.0, 0.0, 0.5, 1, 1.5, 2, 3.5, 1e30, np.inf, -np.inf, np.nan],
}
#: python-graphblas compiles these with Numba, where division by zero and overflow are undefined;
#: `test_operators_of_our_own` has their rules.
NOT_THEIRS = {"floordiv", "rfloordiv", "rpow", "mod"}
#: Equal to a few units in the last place only: the work of different mathematics libraries.
ROUNDED = set(
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh "
    "acosh atanh hypot atan2 pow".split()
)


def typed(op: Any, *dtypes: DType) -> Any:
    try:
        return op.resolve(*dtypes)
    except DomainMismatch:
        return None


def full(values: np.ndarray, device: str) -> Any:
    return Vector.from_dense(values, device=device)


def theirs(name: str, kind: str, positional: bool) -> Any:
    module = getattr(graphblas, kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(module.ss if positional else module, name)


def compare(name: str, got: np.ndarray, wanted: np.ndarray, *operands: np.ndarray) -> None:
    __tracebackhide__ = True
    wanted = wanted.astype(got.dtype)
    same = (got == wanted) | ((got != got) & (wanted != wanted))
    if name in ROUNDED and got.dtype.kind == "f":
        with np.errstate(all="ignore"):
            same |= np.isclose(got, wanted, rtol=8 * np.finfo(got.dtype).eps, atol=0)
    if not same.all():
        k = int(np.argmin(same))
        values = ", ".join(repr(o[k]) for o in operands)
        pytest.fail(f"{name}({values}) = {got[k]!r}, expected {wanted[k]!r}")


CASES = [(name, t) for name in BINARY for t in ALL if typed(BINARY[name], t, t)]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [c for c in CASES if c[0] not in NOT_THEIRS | {"any"}],
    ids=lambda x: str(x),
)
def test_binary(device: str, name: str, dtype: DType) -> None:
    edges = np.array(EDGES[dtype.np_type.kind], dtype=dtype.np_type)
    x, y = (np.array(c) for c in zip(*itertools.product(edges, edges), strict=True))
    if name == "pow":
        # NumPy's scalar and vector powers differ at infinities; C's is the rule elsewhere.
        finite = np.isfinite(x.astype(float)) & np.isfinite(y.astype(float))
        x, y = x[finite], y[finite]
    op = BINARY[name]
    judge = theirs(name, "binary", op.positional)
    u, v = (graphblas.Vector.from_coo(np.arange(len(z)), z) for z in (x, y))
    wanted = u.ewise_mult(v, judge).new().to_coo()[1]
    result = full(x, device).ewise_mult(full(y, device), op).new()
    assert result.dtype == typed(op, dtype, dtype).out_type
    compare(name, result.to_coo()[1], wanted, x, y)
    if not op.positional:
        left = [full(y[k : k + 1], device).apply(op, left=x[k]).new()[0].new() for k in range(3)]
        compare(name, np.array([s.value for s in left], result.dtype.np_type), wanted[:3])


@pytest.mark.parametrize("dtype", ALL, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_unary(device: str, name: str, dtype: DType) -> None:
    op = UNARY[name]
    if typed(op, dtype) is None:
        with pytest.raises(DomainMismatch, match="dtype"):
            full(np.ones(1, dtype.np_type), device).apply(op)
        return
    x = np.array(EDGES[dtype.np_type.kind], dtype=dtype.np_type)
    result = full(x, device).apply(op).new()
    assert result.dtype == op.resolve(dtype).out_type
    if name in ("isnan", "isinf", "isfinite"):
        wanted = getattr(np, name)(x.astype(float))
    else:
        u = graphblas.Vector.from_coo(np.arange(len(x)), x)
        wanted = u.apply(theirs(name, "unary", op.positional)).new().to_coo()[1]
    if device == "cuda" and result.dtype.np_type == np.float32:
        # CuPy has its kernels compiled so.
        wanted = np.where(np.abs(wanted) < np.finfo(np.float32).tiny, 0, wanted)
    compare(name, result.to_coo()[1], wanted, x)


def test_operators_of_our_own(device: str) -> None:
    """Where python-graphblas has no rule: Python's floors, and 0 for integers divided by 0."""

    def of(op: Any, x: list[Any], y: list[Any], dtype: str) -> list[Any]:
        u, v = (full(np.array(z, dtype), device) for z in (x, y))
        return u.ewise_mult(v, op).new().to_coo()[1].tolist()

    assert of(binary.floordiv, [-7, 7, 5, -128, 0], [2, -2, 0, -1, 5], "int8") == [
        -4,
        -4,
        0,
        -128,
        0,
    ]
    assert of(binary.rfloordiv, [2, 0], [-7, 5], "int8") == [-4, 0]
    assert of(binary.floordiv, [7.5, -7.5], [2, 2], "float32") == [3.0, -4.0]
    assert of(binary.rpow, [2, 9, 0, 3], [3, 200, 0, 5], "uint8") == [9, 0, 1, 125]
    assert of(binary.floordiv, [1, 1, 0], [1, 0, 1], "bool") == [1, 0, 0]
    chosen = of(binary.any, [1, 2], [3, 4], "int32")
    assert chosen[0] in (1, 3)
    assert chosen[1] in (2, 4)


def test_user_defined_operators(device: str) -> None:
    x = np.array([-3, 0, 2, 5], dtype=np.int32)
    y = np.array([2, 2, -1, 7], dtype=np.int32)
    u, v = full(x, device), full(y, device)
    half_up = unary.register_anonymous(lambda a: (a + 1) // 2 if a > 0 else -a)
    assert u.apply(half_up).new().to_coo()[1].tolist() == [3, 0, 1, 3]
    gap = binary.register_anonymous(lambda a, b: abs(a - b) * 0.5)
    assert u.ewise_mult(v, gap).new().to_coo()[1].tolist() == [2.5, 1.0, 1.5, 1.0]
    assert u.apply(gap, right=1).new().dtype == "FP64"


@pytest.mark.parametrize(
    ("test", "dtype", "wanted"),
    [
        (lambda x, y: x < 300, "int8", True),
        (lambda x, y: x > -1, "uint8", True),
        (lambda x, y: x == -1, "uint64", False),
        (lambda x, y: x < 2**70, "int64", True),
        (lambda x, y: (x if y > -1 else 0) != 0, "uint16", True),
    ],
)
def test_comparisons_with_what_the_type_cannot_hold(
    device: str, test: Any, dtype: str, wanted: bool
) -> None:
    u = full(np.array([1, 2, 100], dtype), device)
    op = binary.register_anonymous(test)
    assert u.ewise_mult(u, op).new().to_coo()[1].tolist() == 3 * [wanted]
    found = semiring.register_anonymous(monoid.lor, op)(u.diag() @ u).new()
    assert found.to_coo()[1].tolist() == 3 * [wanted]


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64", "float32", "float64"])
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod", "left_shift", "right_shift"])
def test_divisions_and_shifts_are_numpy_s(device: str, name: str, dtype: str) -> None:
    ufunc = getattr(np, name)
    if dtype.startswith("f"):
        edges = np.array([0, -0.0, 1, -1, 2.5, -7.25, 3, 1e10, np.inf, -np.inf, np.nan], dtype)
    else:
        info = np.iinfo(dtype)
        some = (0, 1, 2, 3, 7, 63, 64, -1, -2, -7, info.max, info.max - 1, info.min)
        edges = np.array([v for v in some if info.min <= v <= info.max], dtype)
    x, y = (np.ascontiguousarray(a.ravel()) for a in np.meshgrid(edges, edges))
    op = binary.register_anonymous(lambda a, b: ufunc(a, b))
    if dtype.startswith("f") and "shift" in name:
        with pytest.raises(DomainMismatch):
            full(x, device).ewise_mult(full(y, device), op)
        return
    with np.errstate(all="ignore"):
        wanted = ufunc(x, y)
    found = full(x, device).ewise_mult(full(y, device), op).new().to_coo()[1]
    np.testing.assert_array_equal(found, wanted)
    if name == "floor_divide":
        found = full(x, device).ewise_mult(full(y, device), binary.floordiv).new().to_coo()[1]
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize(
    ("add", "identity", "terminal", "wanted"),
    [
        (lambda x, y: x if x < y else y, 2**63 - 1, -(2**63), {0: -3, 1: 0}),
        (lambda x, y: min(x, y), np.inf, -np.inf, {0: -3, 1: 0}),
        (binary.bor, 0, None, {0: -1, 1: 7}),
        (binary.plus, 0, None, {0: -1, 1: 7}),
    ],
)
def test_monoids_of_one_s_own(
    device: str, add: Any, identity: Any, terminal: Any, wanted: dict[int, int], direction: str
) -> None:
    """Whose identity or terminal the type need not have, and whose operator may be built in."""
    op = add if add in (binary.bor, binary.plus) else binary.register_anonymous(add)
    mine = monoid.register_anonymous(op, identity, terminal=terminal)
    values = np.array([2, 0, -3, 0, 7], np.int8)
    A = Matrix.from_coo([0, 0, 0, 1, 1], [0, 1, 2, 1, 2], values).to(device)
    one = Vector.from_dense(np.ones(3, np.int8)).to(device)
    found = semiring.register_anonymous(mine, binary.first)(A @ one).new(direction=direction)
    assert found.to_dict() == A.reduce_rowwise(mine).new().to_dict() == wanted
    low = Vector.from_dense(np.array([3, 0, -3], np.int8)).to(device)
    assert low.reduce(mine).new().value == (0 if add is binary.plus else -3 if identity else -1)
    with pytest.raises(DomainMismatch):
        low.reduce(
            monoid.register_anonymous(binary.register_anonymous(lambda x, y: x ^ (y / 2)), 0)
        )


def test_logical_operators_in_place(device: str) -> None:
    v = Vector.from_coo([0, 1], [True, False], size=3, device=device)
    same = v
    v |= Vector.from_coo([1, 2], [True, False], size=3, device=device)
    assert same.to_dict() == {0: True, 1: True, 2: False}
    v &= Vector.from_coo([0, 1], [False, True], size=3, device=device)
    assert same.to_dict() == {0: False, 1: True}
    with pytest.raises(DomainMismatch, match="BOOL"):
        v |= full(np.ones(3), device)
