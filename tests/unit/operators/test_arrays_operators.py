"""The built-in operators over arrays against those of the GraphBLAS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from array_cases import (
    engine,
)

from spbfs.operators.dtypes import ALL, FP32, INT8, DType
from spbfs.operators.tables.builtin import BINARY, UNARY
from spbfs.storage.data import VectorData


def specials(dtype: DType) -> Any:
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.is_float:
        numbers = "0 -0.0 1 -1 0.5 -0.5 1.5 2.5 -2.5 3 7.25 6 4 1e30 -1e30 inf -inf nan 1e-40"
        return np.array(numbers.split(), dtype.np_type)
    info = np.iinfo(dtype.np_type)
    some = [info.min, info.max, info.max - 1, 0, 1, 2, 3, 6, 7, 13]
    return np.unique(np.array(some + ([-1, -2, -3, -7] if info.min else []), dtype.np_type))


#: Operators that the other library compiles from Python, with results that no type rule fixes.
COMPILED_THERE = frozenset("floordiv rfloordiv mod rpow any isnan isinf isfinite".split())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_operators_agree_with_the_graphblas(dtype: DType) -> None:
    gb = pytest.importorskip("graphblas")
    values = specials(dtype)
    x, y = (m.ravel() for m in np.meshgrid(values, values))
    there = [gb.Vector.from_coo(np.arange(len(a)), a, dtype=dtype.name) for a in (x, y)]
    here = [VectorData(len(a), a) for a in (x, y)]

    def close(got: Any, wanted: Any, typed: Any) -> bool:
        wanted = wanted.astype(typed.out_type.np_type)
        if not typed.out_type.is_float:
            return bool((got == wanted).all())
        rounding = 1e-6 if FP32 in (typed.in_type, typed.out_type) else 1e-14
        return bool(np.isclose(got, wanted, rtol=rounding, equal_nan=True).all())

    compared = 0
    for name, op in [*BINARY.items(), *UNARY.items()]:
        if op.positional or name in COMPILED_THERE:
            continue
        try:
            typed: Any = op.resolve(dtype, dtype) if op.kind == "binary" else op.resolve(dtype)
        except TypeError:
            continue
        if op.kind == "binary":
            wanted = there[0].ewise_mult(there[1], getattr(gb.binary, name)).new().to_coo()[1]
            got = engine.ewise_mult(*here, typed).values
        else:
            wanted = there[0].apply(getattr(gb.unary, name)).new().to_coo()[1]
            got = engine.apply(here[0], typed).values
        assert got.dtype == typed.out_type.np_type
        assert close(got, wanted, typed), f"{name} of {dtype}"
        compared += 1
    assert compared > 50


def test_floor_division_by_zero() -> None:
    floordiv = BINARY["floordiv"].resolve(INT8, INT8)
    x, y = (
        VectorData(3, np.array([5, -7, -128], np.int8)),
        VectorData(3, np.array([0, 2, -1], np.int8)),
    )
    assert engine.ewise_mult(x, y, floordiv).values.tolist() == [0, -4, -128]
