"""Casts between all pairs of types, of values at their edges, everywhere where one happens."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Scalar, Vector, binary, monoid, semiring, unary
from spbfs.operators.dtypes import ALL, BOOL, DType

PAIRS = list(itertools.product(ALL, ALL))
#: Enough of them where every pair is a kernel of its own to be compiled.
OF_FLOATS = [(source, to) for source, to in PAIRS if source.is_float]


def specials(dtype: DType) -> np.ndarray:
    """Values at the edges of the type, and of the types that it may be cast to."""
    if dtype.is_bool:
        return np.array([False, True])
    if not dtype.is_float:
        info = np.iinfo(dtype.np_type)
        powers = [s * 2**b + d for b in (7, 8, 15, 16, 24, 31, 32, 53, 63) for s in (1, -1)
                  for d in (-1, 0, 1)]  # fmt: skip
        inside = {
            x for x in [*powers, 0, 1, -1, 3, info.min, info.max] if info.min <= x <= info.max
        }
        return np.array(sorted(inside), dtype.np_type)
    numbers = [0.0, 0.5, 0.999, 1.0, 1.5, 1e10, 1e300, math.inf, 1e-320, 1e-42, 0.1]
    for bits in (7, 8, 15, 16, 31, 32, 63, 64):
        power = dtype.np_type.type(2.0**bits)
        toward = (np.nextafter(power, dtype.np_type.type(x)) for x in (0, np.inf))
        numbers += [float(power), *map(float, toward), 2.0**bits - 0.5]
    with np.errstate(over="ignore"):
        return np.array([*numbers, *(-x for x in numbers), math.nan], dtype.np_type)


def rule(value: Any, to: DType) -> Any:
    """What the value becomes, worked out with numbers of any size."""
    x = value.item()
    if to.is_bool:
        return x != 0
    if to.is_float:
        with np.errstate(over="ignore"):
            return to.np_type.type(x) if isinstance(x, float) else _rounded(int(x), to)
    info = np.iinfo(to.np_type)
    if isinstance(x, float):
        if math.isnan(x):
            return 0
        if math.isinf(x):
            return int(info.max if x > 0 else info.min)
        return min(max(math.trunc(Fraction(x)), int(info.min)), int(info.max))
    return (int(x) - int(info.min)) % 2 ** (8 * to.np_type.itemsize) + int(info.min)


def _rounded(x: int, to: DType) -> Any:
    # Straight to the type: by way of FP64, FP32 would be rounded twice.
    return np.array([x], np.uint64 if x > 2**62 else np.int64).astype(to.np_type)[0]


def expected(values: np.ndarray, to: DType) -> np.ndarray:
    return np.array([rule(x, to) for x in values], to.np_type)


def same(got: Any, wanted: np.ndarray) -> None:
    got = np.asarray(got)
    assert got.dtype == wanted.dtype
    np.testing.assert_array_equal(got, wanted)
    if wanted.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(got), np.signbit(wanted))


def values_of(thing: Any) -> np.ndarray:
    return thing.to_coo()[-1]


def _written(v: Any, to: DType) -> Any:
    w = Vector(to, v.size, device=v.device)
    w << v
    return values_of(w)


def _masked(v: Any, to: DType) -> Any:
    w = Vector.from_coo([0], [1], dtype=to, size=v.size).to(v.device)
    w(v.S) << v
    return values_of(w)


def _region(v: Any, to: DType) -> Any:
    w = Vector.from_dense(np.ones(v.size, to.np_type), device=v.device)
    w[::-1] << v[::-1].new()
    return values_of(w)


def _accumulated(v: Any, to: DType) -> Any:
    """Where the output has an entry the operator's result is cast, elsewhere the operand."""
    w = Vector.from_coo(np.arange(0, v.size, 2), 1, dtype=to, size=v.size).to(v.device)
    w(binary.second) << v
    return values_of(w)


def _row(v: Any, to: DType) -> Any:
    C = Matrix(to, 2, v.size, device=v.device)
    C[1, :] << v
    return values_of(C)


def _product(v: Any, to: DType) -> Any:
    """By a matrix of the diagonal: the product of types, then cast into the output."""
    w = Vector(to, v.size, device=v.device)
    w << semiring.any_first(v.diag() @ v)
    return values_of(w)


def _typed_product(direction: str) -> Callable[[Any, DType], Any]:
    def cast(v: Any, to: DType) -> Any:
        w = semiring.any_second[to](v.diag() @ v).new(direction=direction)
        return values_of(w)

    return cast


def _scalar(v: Any, to: DType) -> Any:
    return np.array([Scalar.from_value(x).dup(to).value for x in values_of(v)], to.np_type)


def _numbers(v: Any, to: DType) -> Any:
    """One number written everywhere, to a region, and to one element."""
    made = []
    for x in values_of(v):
        w, y, z = (Vector(to, 3, device=v.device) for _ in range(3))
        w[:] << x
        y[[0, 2]] << x
        z[1] = x
        found = np.concatenate([values_of(w), values_of(y), values_of(z)])
        assert (found == found[0]).all() or np.isnan(found).all()
        made.append(found[0])
    return np.array(made, to.np_type)


def _user(v: Any, to: DType) -> Any:
    w = Vector(to, v.size, device=v.device)
    w << v.apply(unary.register_anonymous(lambda x: x))
    return values_of(w)


PLACES: dict[str, Callable[[Any, DType], Any]] = {
    "dup": lambda v, to: values_of(v.dup(to)),
    "new": lambda v, to: values_of(v.apply("identity").new(to)),
    "typed operator": lambda v, to: values_of(v.apply(unary.identity[to]).new()),
    "intersection": lambda v, to: values_of(v.ewise_mult(v, binary.second[to]).new()),
    "union": lambda v, to: values_of(
        v.ewise_add(Vector(v.dtype, v.size, device=v.device), binary.second[to]).new()
    ),
    "from_dense": lambda v, to: values_of(
        Vector.from_dense(values_of(v), dtype=to, device=v.device)
    ),
    "from_coo": lambda v, to: values_of(
        Vector.from_coo(np.arange(v.size), values_of(v), to, device=v.device)
    ),
    "matrix": lambda v, to: values_of(Matrix.from_dense([values_of(v)], dtype=to, device=v.device)),
    "dup of a matrix": lambda v, to: values_of(v.diag().dup(to)),
    "to_coo": lambda v, to: v.to_coo(dtype=to)[1],
    "to_dense": lambda v, to: v.to_dense(dtype=to),
    "to_dense, filled": lambda v, to: v.diag().to_dense(0, to).diagonal(),
    "written": _written,
    "under a mask": _masked,
    "region": _region,
    "accumulated": _accumulated,
    "row": _row,
    "product": _product,
    "pushed": _typed_product("push"),
    "pulled": _typed_product("pull"),
    "scalar": _scalar,
    "numbers": _numbers,
    "of a user's operator": _user,
}


COMPILED = ("accumulated", "product", "pushed", "pulled")


@pytest.mark.parametrize("place", PLACES)
def test_all_pairs(device: str, place: str) -> None:
    for source, to in OF_FLOATS if device == "cuda" and place in COMPILED else PAIRS:
        values = specials(source)
        v = Vector.from_dense(values, device=device)
        same(PLACES[place](v, to), expected(values, to))


@pytest.mark.parametrize("source", [t for t in ALL if t.is_float], ids=str)
def test_iso_values(device: str, source: DType) -> None:
    """One value for all entries takes ways of its own."""
    for to in ALL:
        for x in specials(source):
            wanted = expected(np.array([x, x]), to)
            v = Vector.from_coo([0, 2], x, size=3).to(device)
            A = Matrix.from_coo([0, 1], [0, 2], x, nrows=3, ncols=3).to(device)
            same(values_of(v.dup(to)), wanted)
            same(values_of(A.dup(to)), wanted)
            product = semiring.any_first[to](A @ Vector.from_dense(np.ones(3), device=device))
            same(values_of(product.new()), wanted)


def test_sums_of_mixed_types(device: str) -> None:
    """A sum of floats, cast into an integer output; products cast into the type of their sum."""
    A = Matrix.from_coo([0, 0, 1, 2], [0, 1, 1, 2], [1e300, 1e300, np.nan, -7.9]).to(device)
    one = Vector.from_dense(np.ones(3)).to(device)
    for direction in ("push", "pull"):
        w = Vector("INT16", 3, device=device)
        w(direction=direction) << semiring.plus_times(A @ one)
        assert w.to_coo()[1].tolist() == [32767, 0, -7]
        ring = semiring.plus_times["UINT8"]
        assert ring(A @ one).new(direction=direction).to_coo()[1].tolist() == [254, 0, 0]
    w = Vector("INT8", 3, device=device)
    w << A.reduce_rowwise()
    assert w.to_coo()[1].tolist() == [127, 0, -7]
    assert A.reduce_scalar(monoid.max["INT32"]).new().value == 2**31 - 1
    assert A.reduce_scalar(monoid.min).new("UINT64").value == 0


def test_accumulators_cast_both_sides(device: str) -> None:
    w = Vector.from_dense(np.array([1, 2, 3, 4], np.uint8)).to(device)
    w(binary.plus) << Vector.from_dense([np.inf, np.nan, -5.5, 1.9]).to(device)
    assert w.to_coo()[1].tolist() == [0, 2, 3, 5]
    w(binary.truediv) << 0.0
    assert w.to_coo()[1].tolist() == [0, 255, 255, 255]


def test_the_graphblas_casts_so_too() -> None:
    graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")
    for source, to in PAIRS:
        if source is to or to is BOOL:
            continue
        values = specials(source)
        made = graphblas.Vector.from_dense(values).dup(to.name).to_coo()[1]
        wanted = expected(values, to)
        different = (made != wanted) & ~((made != made) & (wanted != wanted))
        assert not different.any(), (source, to, values[different])


def test_nan_is_the_same_number_wherever_it_stands(device: str) -> None:
    """37 of them take the vector loops of a compiler, and its remainder."""
    v = Vector.from_dense(np.full(37, np.nan)).to(device)
    for to in ALL:
        if not (to.is_float or to.is_bool):
            assert set(values_of(v.dup(to)).tolist()) == {0}
