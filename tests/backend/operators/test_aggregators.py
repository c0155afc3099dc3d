"""Every aggregator on every type, beside python-graphblas, by row, by column and of everything."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import spbfs
from spbfs import Matrix, Vector, agg, binary, monoid
from spbfs.exceptions import DomainMismatch, InvalidValue, OperatorUndefined
from spbfs.operators.dtypes import ALL, DType

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

NAMES = [n for n in dir(agg) if isinstance(getattr(agg, n), agg.Aggregator)]
#: Any of several values is right.
ARBITRARY = "any_value"
POSITIONS = ("argmin", "argmax", "first_index", "last_index")
WAYS = ("reduce_rowwise", "reduce_columnwise", "reduce_scalar", "reduce")


def made(lib: Any, dtype: DType, way: str, device: str | None = None, negative: bool = True) -> Any:
    rng = np.random.default_rng(dtype.np_type.num)
    rows, cols = np.divmod(rng.permutation(7 * 5)[:18], 5)
    values = rng.integers(0, 2 if dtype.is_bool else 7, 18)
    if dtype.is_signed and negative:
        values[::4] *= -1
    options = {"dtype": dtype.name, "nrows": 7, "ncols": 5}
    if device is not None:
        options["device"] = device
    A = lib.Matrix.from_coo(rows, cols, values, **options)
    return A[:, 2].new() if way == "reduce" else A


def outcome(operand: Any, way: str, op: Any) -> Any:
    """Dtype, indices and values; or the kind of error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = getattr(operand, way)(op).new()
        except (KeyError, ValueError) as error:
            return KeyError if isinstance(error, KeyError) else ValueError
    if way in ("reduce_scalar", "reduce"):
        return result.dtype.name, [], [result.value]
    indices, values = result.to_coo()
    return result.dtype.name, indices.tolist(), values.tolist()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [n for n in NAMES if n != ARBITRARY])
def test_as_python_graphblas_has_it(device: str, name: str, way: str) -> None:
    op = getattr(agg, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = getattr(graphblas.agg, name)
    for dtype in ALL:
        if name == "logaddexp2" and dtype.is_signed and not dtype.is_float:
            continue  # two to a negative power of integers
        if name in ("vars", "stds") and dtype.np_type.itemsize == 1:
            continue  # whose squares wrap there
        # Inverses of either sign cancel but for rounding.
        negative = name not in ("sum_of_inverses", "harmonic_mean")
        got = outcome(made(spbfs, dtype, way, device, negative), way, op)
        wanted = outcome(made(graphblas, dtype, way, None, negative), way, theirs)
        if isinstance(wanted, type) or isinstance(got, type):
            assert got == wanted, (name, dtype)
            continue
        if name in POSITIONS:  # of INT32, indices are INT32 there
            wanted = ("INT64", *wanted[1:])
        assert got[:2] == wanted[:2], (name, dtype)
        np.testing.assert_allclose(got[2], wanted[2], 1e-5, 1e-12, err_msg=f"{name} {dtype}")


def test_types_are_python_graphblas_s() -> None:
    names = {t.name for t in ALL}
    for name in NAMES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = getattr(graphblas.agg, name).types
        if name not in POSITIONS:
            wanted = {k.name: v.name for k, v in theirs.items() if k.name in names}
            assert {k.name: v.name for k, v in getattr(agg, name).types.items()} == wanted, name


def test_any_value_is_one_of_them(device: str) -> None:
    A = Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3], device=device)
    found = A.reduce_rowwise(agg.any_value).new().to_dict()
    assert found.pop(0) in (5, 2)
    assert found == {2: 3}


def test_ends_of_rows(device: str) -> None:
    n = 1 << 40
    for nrows, ncols in ((7, 6), (n, n)):
        A = Matrix.from_coo(
            [2, 2, 2, 5], [1, 4, 5, 0], 1.5, nrows=nrows, ncols=ncols, device=device
        )
        first, last = (A.reduce_rowwise(name).new() for name in ("first_index", "last_index"))
        assert first.dtype == last.dtype == "INT64"
        assert (first.to_dict(), last.to_dict()) == ({2: 1, 5: 0}, {2: 5, 5: 0})
        last_rows = A.reduce_columnwise("last_index").new()
        assert last_rows.to_dict() == {0: 5, 1: 2, 4: 2, 5: 2}
        empty = Matrix(float, nrows, ncols, device=device)
        assert empty.reduce_rowwise("first_index").new().nvals == 0


def test_aggregators_by_name_for_one_type_and_called(device: str) -> None:
    A = Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3], device=device)
    assert A.reduce_rowwise("mean").new().to_dict() == {0: 3.5, 2: 3.0}
    assert A.reduce_scalar("+[float]").new().dtype == "FP64"
    assert agg.max[float](A).new().value == 5.0
    assert agg.sum(A, columnwise=True).new().to_dict() == {0: 5, 1: 5}
    assert agg.argmin(A[0, :].new()).value == 1
    assert agg.from_string("|") is agg.any
    assert agg.count["INT8"] is agg.count["INT8"]
    out = Vector(float, 3, device=device)
    out(monoid.plus) << A.reduce_rowwise(agg.mean)
    assert out.to_dict() == {0: 3.5, 2: 3.0}


def test_one_s_own(device: str) -> None:
    middle = agg.Aggregator(
        "middle",
        composite=[agg.min, agg.max],
        finalize=lambda low, high, opts: binary.truediv(binary.plus(low & high).new(), 2),
        types=[binary.truediv],
    )
    A = Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3], device=device)
    assert A.reduce_rowwise(middle).new().to_dict() == {0: 3.5, 2: 3.0}
    cubes = agg.Aggregator("cubes", semiring=agg.sum_of_squares.semiring, initval=3)
    assert A.reduce_scalar(cubes).value == 125 + 8 + 27


def test_what_makes_no_sense_is_refused() -> None:
    A = Matrix.from_coo([0, 0, 2], [0, 1, 1], [5, 2, 3])
    with pytest.raises(InvalidValue, match="argmin"):
        A.reduce_scalar(agg.argmin)
    with pytest.raises(InvalidValue, match="allow_empty"):
        A.reduce_scalar(agg.mean, allow_empty=False)
    with pytest.raises(OperatorUndefined, match="BOOL"):
        agg.sum_of_inverses["BOOL"]
    with pytest.raises(InvalidValue, match="got both"):
        agg.sum(A, rowwise=True, columnwise=True)
    with pytest.raises(DomainMismatch, match="matrix"):
        agg.sum(7)
    with pytest.raises(InvalidValue, match="no agg operator"):
        agg.from_string("bad_agg")
    with pytest.raises(DomainMismatch, match="types"):
        agg.Aggregator("bad", composite=[agg.min], finalize=lambda x, opts: x)
