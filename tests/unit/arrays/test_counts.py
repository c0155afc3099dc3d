"""Counts, of nothing too, and what is made of them."""

from __future__ import annotations

import numpy as np
import pytest

import spbfs as sb
from spbfs import verify
from spbfs.storage.entries import bincount
from spbfs.verify import arrays


def test_bincount() -> None:
    nothing = np.zeros(0, np.int64)
    assert bincount(nothing, 2).tolist() == [0, 0]
    assert bincount(nothing, 2, np.zeros(0)).dtype == np.float64
    assert bincount(np.array([1, 1]), 3).tolist() == [0, 2, 0]
    assert bincount(np.array([1, 1]), 2, np.array([0.5, 2])).tolist() == [0, 2.5]


@pytest.mark.parametrize("most", [1, 2, 3, 100])
def test_a_part_of_one_row_that_began_before(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    A = sb.Matrix.from_coo([1] * 7 + [4, 6], [*range(7), 2, 3], True, nrows=8, ncols=8)
    monkeypatch.setitem(arrays._EDGES_AT_ONCE, "numpy", most)
    parts = list(arrays.edges_in_parts(A._ready()))
    rows, columns = (np.concatenate(side) for side in zip(*parts, strict=True))
    assert rows.tolist() == [1] * 7 + [4, 6]
    assert columns.tolist() == [*range(7), 2, 3]


def test_checks_where_nothing_is_to_be_counted() -> None:
    apart = sb.Matrix.from_coo([0, 1], [1, 0], True, nrows=4, ncols=4)
    tailed = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True, nrows=4, ncols=4)
    for A in (apart, tailed, sb.Matrix(bool, 3, 3)):
        verify.core_numbers(A, sb.core_numbers(A))
        verify.pagerank(A, sb.pagerank(A))
        verify.bfs_tree(A, 0, sb.bfs(A, 0))
