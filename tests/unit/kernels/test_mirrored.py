"""Which arrays, checked by nobody, are told to be their own transpose."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from spbfs import csgraph as ours
from spbfs.engines import get_engine


@pytest.mark.parametrize("itype", [np.int32, np.int64])
def test_what_is_its_own_transpose(itype: type) -> None:
    """Without a transpose, whatever the rows' order; and never where an entry has no image."""
    mirrored = get_engine("cpu").fused.mirrored
    assert mirrored is not None
    rng = np.random.default_rng(5)
    found = 0
    for case in range(300):
        n = int(rng.integers(1, 9))
        pairs = rng.integers(0, n, (int(rng.integers(0, 12)), 2))
        if case % 3:
            pairs = np.concatenate([pairs, pairs[:, ::-1]])
        if case % 2:
            pairs = np.unique(pairs, axis=0)  # else out of order, and some of them twice
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        offsets = np.searchsorted(pairs[:, 0], np.arange(n + 1)).astype(itype)
        columns = np.ascontiguousarray(pairs[:, 1], itype)
        is_own = sorted(pairs.tolist()) == sorted(pairs[:, ::-1].tolist())
        answer = mirrored((offsets, columns))
        assert answer == is_own if case % 2 else answer <= is_own, (case, pairs)
        found += answer
        S = sp.csr_array((np.ones(columns.size), columns, offsets), (n, n))
        asked = (S, int(rng.integers(n)), False)
        for mine, expected in zip(
            ours.breadth_first_order(*asked), theirs.breadth_first_order(*asked), strict=True
        ):
            np.testing.assert_array_equal(mine, expected, str(case))
    assert found > 100


@pytest.mark.parametrize(
    ("offsets", "columns"),
    [
        ([0, 1, 2], [1, 2]),  # of vertices that are not there
        ([0, 1, 2], [-1, 0]),
        ([0, 2, 1], [1, 0]),  # rows that end before they begin, or where there is nothing
        ([0, 1, 9], [1, 0]),
        ([0, -1, 2], [1, 0]),
        ([1, 1, 2], [1, 0]),
        ([0, 1, -2], [1, 0]),
        ([], []),
    ],
)
def test_arrays_that_are_no_csr_are_not_mirrored(offsets: list[int], columns: list[int]) -> None:
    mirrored = get_engine("cpu").fused.mirrored
    assert mirrored is not None
    for itype in (np.int32, np.int64):
        assert mirrored((np.array([0, 1, 2], itype), np.array([1, 0], itype)))
        assert not mirrored((np.array(offsets, itype), np.array(columns, itype)))
        assert not mirrored((np.array(offsets, itype), np.array(columns, np.float32)))
