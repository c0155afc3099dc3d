"""Functions are evaluated of what is stored: whatever lies in absent elements costs nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.engines.arrays.values import value_arrays
from spbfs.engines.cpu.vectors import absent
from spbfs.storage.data import VectorData

SIZES = [3, 8, 64, 65, 1001]
TYPES = ["INT8", "INT16", "FP32", "FP64"]


def bitmap(size: int, dtype: Any, seed: int) -> sb.Vector:
    """Half of the elements, and the least number there is in the others."""
    rng = np.random.default_rng(seed)
    present = rng.random(size) < 0.5
    present[1] = True
    present[2] = False
    stored = (rng.random(size) * 5 + 1).astype(dtype)
    if stored.dtype.kind == "f":
        stored[~present] = np.nextafter(stored.dtype.type(0), stored.dtype.type(1))
    return sb.Vector._from_data(VectorData(size, stored, present=present))


def expected(u: sb.Vector, function: Any) -> dict[int, Any]:
    return {i: function(x) for i, x in u.to_dict().items()}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_functions_of_bitmaps_are_those_of_their_entries(size: int, dtype: str) -> None:
    kind = sb.dtypes.lookup_dtype(dtype).np_type
    u, v = bitmap(size, kind, 1), bitmap(size, kind, 2)
    kinds: list[tuple[Any, Any]] = [
        (u.apply(lambda x: x * x + x), lambda x: x * x + x),
        (u.apply("times", right=kind.type(3)), lambda x: x * 3),
        (u.apply("truediv", left=kind.type(6)), lambda x: 6 / x),
        (u.apply("sqrt"), np.sqrt),
    ]
    for expression, function in kinds:
        assert expression.new().to_dict() == pytest.approx(expected(u, function), rel=1e-6)
    both = u.ewise_mult(v, sb.binary.numpy.hypot).new().to_dict()
    wanted = {i: np.hypot(x, v.to_dict()[i]) for i, x in u.to_dict().items() if i in v.to_dict()}
    assert both == pytest.approx(wanted, rel=1e-6)


def test_nothing_is_evaluated_where_nothing_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for name in ("unary_values", "binary_values"):

        def watched(engine: Any, op: Any, x: Any, *others: Any, name: str = name) -> Any:
            seen.append(x.shape[0])
            return getattr(value_arrays, name)(engine, op, x, *others)

        monkeypatch.setattr(absent, name, watched)
    u, v = bitmap(1001, np.float64, 1), bitmap(1001, np.float64, 2)
    for expression in (u.apply("exp"), u * 2, 1 / u, u.apply(lambda x: x * x + 1)):
        expression.new()
    u.ewise_mult(v, sb.binary.atan2).new()
    common = len(u.to_dict().keys() & v.to_dict().keys())
    assert seen == [u.nvals] * 4 + [common]


@pytest.mark.parametrize("op", [sb.binary.atan2, sb.binary.numpy.hypot])
def test_what_meets_nowhere_is_empty(op: Any) -> None:
    u = sb.Vector.from_coo(range(0, 40, 2), 1.5, size=40)
    v = sb.Vector.from_coo(range(1, 40, 2), 2.5, size=40)
    assert u.ewise_mult(v, op).new().nvals == 0


def test_matrices_meet_by_functions_that_kernels_do_not_know() -> None:
    A = sb.Matrix.from_coo([0, 0, 2], [1, 2, 0], [3.0, 5.0, 8.0], nrows=3, ncols=3)
    B = sb.Matrix.from_coo([0, 1, 2], [1, 1, 0], [4.0, 1.0, 15.0], nrows=3, ncols=3)
    assert A.ewise_mult(B, "hypot").new().to_dicts() == {0: {1: 5.0}, 2: {0: 17.0}}
    assert A.ewise_mult(A, "hypot").new().dtype == "FP64"
