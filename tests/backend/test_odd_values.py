"""What algorithms make of values and graphs that are unlike the usual ones, on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import InvalidValue


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("k", [2, 9])
def test_cores_keep_the_type_and_the_values(device: str, dtype: Any, k: int) -> None:
    values = np.array([0, 1, 5, 7], dtype)
    A = sb.Matrix.from_coo([0, 1, 2, 3], [1, 2, 0, 0], values, nrows=5, ncols=5).to(device)
    core = sb.k_core(A, k)
    assert core.dtype == A.dtype
    expected = {(0, 1): values[0], (1, 2): values[1], (2, 0): values[2]} if k == 2 else {}
    rows, columns, found = core.to("cpu").to_coo()
    assert dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), found, strict=True)) == (
        expected
    )


@pytest.mark.parametrize("find", [sb.sssp, sb.widest_path])
def test_the_entry_that_is_no_number_is_named(device: str, find: Any) -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, np.nan, 1], nrows=4, ncols=4).to(device)
    with pytest.raises(InvalidValue, match=r"A: entry \(1, 2\) is nan; expected the \w+ of"):
        find(A, 0)


def test_the_width_that_is_too_large_is_named(device: str) -> None:
    widths = np.array([1, 1 << 63], np.uint64)
    A = sb.Matrix.from_coo([0, 2], [1, 1], widths, nrows=3, ncols=3).to(device)
    with pytest.raises(InvalidValue, match=r"A: entry \(2, 1\) is 9223372036854775808; expected"):
        sb.widest_path(A, 0)
