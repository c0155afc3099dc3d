"""Sums by monoids with a value that ends them: in every form, wherever that value lies."""

from __future__ import annotations

import numpy as np
import pytest

from spbfs import Matrix, Vector, monoid

#: Longer than the blocks in which sums are taken.
N = 30_000
#: A monoid, the values that do not end its sum, one that does, and what the sum is without.
SUMS = {
    "lor of BOOL": (monoid.lor["BOOL"], [False], True, False),
    "land of BOOL": (monoid.land["BOOL"], [True], False, True),
    "min of BOOL": (monoid.min["BOOL"], [True], False, True),
    "max of INT8": (monoid.max["INT8"], [-3, 5], 127, 5),
    "min of FP64": (monoid.min["FP64"], [0.5, 2.0], -np.inf, 0.5),
    "times of INT16": (monoid.times["INT16"], [1], 0, 1),
    "band of UINT8": (monoid.band["UINT8"], [7, 5], 0, 5),
    "lor of FP64": (monoid.lor["BOOL"], [0.0, -0.0], 0.25, False),
}


@pytest.mark.parametrize("form", ["list", "bitmap", "full", "matrix"])
@pytest.mark.parametrize("name", SUMS)
def test_whatever_ends_a_sum(device: str, name: str, form: str) -> None:
    if device == "reference":
        pytest.skip("the reference takes seconds for so many, and ends no sum early")
    op, others, end, total = SUMS[name]
    each = {"list": 300, "bitmap": 3, "full": 1, "matrix": 1}[form]
    at = np.arange(0, N, each)
    kind = np.float64 if name == "lor of FP64" else op.return_type
    kept = np.resize(others, at.size).astype(getattr(kind, "np_type", kind))
    for place in (None, 0, at.size // 2, at.size - 1):
        values = kept.copy()
        if place is not None:
            values[place] = end
        if form == "matrix":
            A = Matrix.from_coo(at // 200, at % 200, values, nrows=N // 200, device=device)
            found = A.reduce_scalar(op).new().value
        else:
            u = Vector.from_coo(at, values, size=N, device=device)
            found = u.reduce(op).new().value
        wanted = total if place is None else (end if name != "lor of FP64" else True)
        assert found == wanted, place


def test_what_lies_in_absent_elements_ends_nothing(device: str) -> None:
    if device == "reference":
        pytest.skip("the reference has no absent elements")
    kept = Vector.from_coo(np.arange(0, N, 2), True, size=N, device=device)
    for value, op, wanted in ((-np.inf, "min", 1.0), (np.inf, "max", 2.0)):
        w = Vector.from_dense(np.where(np.arange(N) % 4 == 0, 1.0, 2.0), device=device)
        w(~kept.S) << value
        w(kept.S, replace=True) << w
        assert w.nvals == N // 2
        assert w.reduce(op).new().value == wanted
    flags = Vector.from_dense(np.arange(N) % 2 == 1, device=device)
    flags(kept.S, replace=True) << flags
    assert flags.nvals == N // 2 and not flags.reduce("lor").new().value
