"""Operators that are written as functions: on every type and engine, beside python-graphblas."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary, dtypes, monoid, semiring, unary
from spbfs.operators.dtypes import ALL, DType
from spbfs.operators.names import registry
from spbfs.operators.tables.composed import COMPOSED_BINARY, COMPOSED_MONOID, COMPOSED_UNARY

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

VALUES: dict[str, list[float]] = {
    "b": [0, 1],
    "i": [-128, -7, -3, -1, 0, 1, 2, 3, 7, 9, 100],
    "u": [0, 1, 2, 3, 7, 9, 127, 200],
    "f": [-7.5, -2.5, -1, -0.5, 0.0, 0.5, 1, 1.5, 3.5, 100.0],
}
KEYS = [t.name for t in ALL]
#: Before anything is used there: names that its NumPy operators bring along are not its own.
LISTED = {kind: dir(getattr(graphblas, kind)) for kind in ("unary", "binary", "monoid", "semiring")}


def theirs(kind: str, name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = getattr(graphblas, kind)
        for part in name.split("."):
            found = getattr(found, part)
        return found


def sliced(names: Any) -> list[Any]:
    """Those that Numba compiles for seconds over there are long, but for every fourth."""
    return [
        pytest.param(name, marks=pytest.mark.long) if name.startswith("numpy.") and i % 4 else name
        for i, name in enumerate(sorted(names))
    ]


def types(op: Any) -> dict[str, str]:
    return {k.name: v.name for k, v in op.types.items() if k.name in KEYS and v.name in KEYS}


@pytest.mark.parametrize(
    "kind",
    ["monoid", "semiring", *(pytest.param(k, marks=pytest.mark.long) for k in ("unary", "binary"))],
)
def test_every_name_has_their_types(kind: str) -> None:
    """All that python-graphblas lists but complex numbers and what sees positions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        there = getattr(graphblas, kind)
        names = [n for n in LISTED[kind] if hasattr(getattr(there, n), "coercions")]
        names += [
            f"numpy.{n}" for n in dir(there.numpy) if hasattr(getattr(there.numpy, n), "coercions")
        ]
    for name in names:
        wanted = types(theirs(kind, name))
        if not wanted or theirs(kind, name).is_positional or name == "binom":
            continue
        op = registry.find(kind, name)
        assert op is not None, f"{kind}.{name}"
        got = types(op)
        if kind == "semiring":  # those that are put together have every type that both halves have
            got = {t: got[t] for t in wanted}
        assert got == wanted, f"{kind}.{name}"


def compare(name: str, got: Any, wanted: Any, device: str) -> None:
    got, wanted = got.to_coo()[-1], wanted.to_coo()[-1]
    assert got.dtype == wanted.dtype, name
    exact = got.dtype.kind != "f"
    # CuPy compiles what it does element by element so that subnormal numbers count as zero.
    tiny = np.finfo(np.float32).tiny if device == "cuda" else 0
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(got, wanted, 0 if exact else 1e-5, tiny, err_msg=name)


@pytest.mark.parametrize("dtype", ALL, ids=str)
@pytest.mark.parametrize("name", sliced(COMPOSED_UNARY))
def test_unary(device: str, name: str, dtype: DType) -> None:
    op = registry.find("unary", name)
    if dtype not in op:
        pytest.skip(f"{name} is not defined for {dtype}")
    values = np.array(VALUES[dtype.np_type.kind], dtype.np_type)
    if name == "numpy.reciprocal" and not dtype.is_float:
        values = values[values != 0]
    if name == "numpy.sign" and dtype.np_type.kind == "u":
        values = values[values < 128]  # Numba takes others for negative ones
    if name == "lgamma":
        values = values[values != 0]
    compare(
        name,
        Vector.from_dense(values, device=device).apply(op).new(),
        graphblas.Vector.from_dense(values).apply(theirs("unary", name)).new(),
        device,
    )


@pytest.mark.parametrize("dtype", ALL, ids=str)
@pytest.mark.parametrize("name", sliced(COMPOSED_BINARY))
def test_binary(device: str, name: str, dtype: DType) -> None:
    op = registry.find("binary", name)
    if dtype not in op:
        pytest.skip(f"{name} is not defined for {dtype}")
    values = np.array(VALUES[dtype.np_type.kind], dtype.np_type)
    x, y = (np.array(c) for c in zip(*itertools.product(values, values), strict=True))
    inside = np.ones(len(x), bool)
    if name in ("numpy.left_shift", "numpy.right_shift"):  # further is undefined in C
        inside = (y >= 0) & (y < min(8 * dtype.np_type.itemsize, 63))
    elif name in ("numpy.floor_divide", "numpy.fmod") or "mod" in name:
        inside = (y != 0) & ~((x == -128) & (y == -1))
        if not dtype.is_float:  # Numba takes rests of negative integers as if they were not
            inside &= (x >= 0) & (y > 0)
    elif name == "rpow":
        inside = (x >= 0) & (y > 0)
        with np.errstate(all="ignore"):
            inside &= np.abs(y.astype(float)) ** x.astype(float) < 2.0**31
        if dtype.is_float:
            inside &= (x == np.floor(x)) | (y > 0)
    elif name == "bshift":
        inside = np.abs(y.astype(float)) < 100
    elif name == "numpy.lcm" and dtype.np_type.itemsize == 1:  # the sign of what wraps is anybody's
        inside = np.abs(x.astype(int) * y.astype(int)) < 128
    elif name in ("binom", "ldexp"):
        inside = (x >= 0) & (y >= 0) & (y <= 100)
    x, y = x[inside].astype(dtype.np_type), y[inside].astype(dtype.np_type)
    compare(
        name,
        Vector.from_dense(x, device=device)
        .ewise_mult(Vector.from_dense(y, device=device), op)
        .new(),
        graphblas.Vector.from_dense(x)
        .ewise_mult(graphblas.Vector.from_dense(y), theirs("binary", name))
        .new(),
        device,
    )


@pytest.mark.parametrize("name", sorted(COMPOSED_MONOID))
def test_monoids_sum(device: str, name: str) -> None:
    op = registry.find("monoid", name)
    for dtype in op.types:
        x = np.array([3, 6, 9, 1], dtype.np_type)
        got = Vector.from_dense(x, device=device).reduce(op).new()
        wanted = graphblas.Vector.from_dense(x).reduce(theirs("monoid", name)).new()
        assert got.dtype == wanted.dtype.name
        assert np.isclose(got.value, wanted.value), (name, dtype)


def test_products_over_numpy_s_names(device: str) -> None:
    A = Matrix.from_coo([0, 0, 1], [0, 1, 1], [1.0, 2.0, 3.0], device=device)
    B = graphblas.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1.0, 2.0, 3.0])
    for name in ("logaddexp_hypot", "maximum_add", "add_nextafter", "minimum_fmod", "hypot_add"):
        op, other = getattr(semiring.numpy, name), getattr(graphblas.semiring.numpy, name)
        compare(name, op(A @ A).new(), other(B @ B).new(), device)


def test_close_values(device: str) -> None:
    x = Vector.from_dense([1.0, 2.0], device=device)
    y = Vector.from_dense([1.05, 2.5], device=device)
    near = binary.isclose(rel_tol=0.1)
    assert near is binary.isclose(rel_tol=0.1)
    assert near(x & y).new().to_dict() == {0: True, 1: False}
    assert x.ewise_mult(y, binary.isclose).new().to_dict() == {0: False, 1: False}


def test_names_lead_to_the_same_objects() -> None:
    assert binary.numpy.add is binary.plus
    assert monoid.numpy.logical_or is monoid.lor
    assert unary.numpy.arcsin is unary.asin
    assert semiring.numpy.add_multiply is semiring.plus_times
    assert unary.ss.erf is unary.erf
    assert semiring.ss.min_firsti is semiring.min_firsti
    assert binary.from_string("numpy.gcd[int8]").type == dtypes.INT8


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_of_minus_zero_numpy_s_functions_give_what_numpy_gives(device: str, dtype: str) -> None:
    zeros = np.array([-0.0, 0.0, -1.5, np.inf, np.nan], dtype.lower().replace("fp", "float"))
    v = Vector.from_dense(zeros, device=device)
    for name in ("sign", "spacing"):
        found = v.apply(f"numpy.{name}").new().to_dense()
        with np.errstate(all="ignore"):
            wanted = getattr(np, name)(zeros)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found[:3]), np.signbit(wanted[:3]))


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_at_poles_and_infinities_functions_of_c_give_what_c_gives(device: str, dtype: str) -> None:
    inf, nan = np.inf, np.nan
    v = Vector.from_dense([-inf, -2.0, -1.0, -0.0, 0.0, inf, nan], dtype=dtype, device=device)
    wanted = {
        "tgamma": [nan, nan, nan, -inf, inf, inf, nan],
        "lgamma": [inf, inf, inf, inf, inf, inf, nan],
        "erf": [-1, *map(math.erf, (-2, -1)), -0.0, 0, 1, nan],
        "erfc": [2, *map(math.erfc, (-2, -1)), 1, 1, 0, nan],
    }
    for name, values in wanted.items():
        found = v.apply(name).new().to_dense()
        np.testing.assert_allclose(found, values, 1e-6, err_msg=name)
