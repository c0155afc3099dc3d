"""Bitmaps listed in order on the GPU, without a number that the host waits for."""

from __future__ import annotations

import numpy as np
import pytest
from gpu import cp

from spbfs.engines.cuda.vectors import forms
from spbfs.storage.data import VectorData


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("parts", [1, 3, 500])
@pytest.mark.parametrize("size", [0, 1, 5, 1023, 1024, 1025, 4097, 70_001])
def test_as_numpy_lists_them(
    size: int, parts: int, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "_MOST_PARTS", parts)
    monkeypatch.setattr(forms, "_LEAST_TURNS", 1)
    rng = np.random.default_rng(size)
    for share in (0.0, 0.01, 0.6, 1.0):
        flags = rng.random(size) < share
        expected = np.flatnonzero(flags)
        for counted in (-1, len(expected)):
            u = VectorData(size, cp.ones(1), present=cp.asarray(flags), counted=counted)
            found, totals = forms.list_in_order(u, np.dtype(dtype))
            assert int(totals.view(np.uint64)[0]) == len(expected)
            assert found.dtype == dtype and found.shape[0] >= len(expected)
            np.testing.assert_array_equal(cp.asnumpy(found[: len(expected)]), expected)
