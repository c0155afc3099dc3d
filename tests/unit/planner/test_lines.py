"""Lines of pinned rows: how long they are, and where there are none."""

from __future__ import annotations

import pytest

from spbfs.planner.search_cuda import LINED_ROOM, LONGEST_LINE, GraphCounts, line_shift


def _counts(
    n: int, entries: int, rows: int | None = None, longest: int | None = None
) -> GraphCounts:
    rows = n if rows is None else rows
    mean = -(-entries // max(1, rows))
    return GraphCounts(n, rows, entries, longest or mean, entries, rows)


@pytest.mark.parametrize("bits", range(4, 32))
def test_most_rows_fit_a_line_that_a_warp_reads(bits: int) -> None:
    n, found = 1 << bits, []
    for mean in range(1, 200):
        shift = line_shift(_counts(n, n * mean), bits)
        if shift is None:
            continue
        held = 128 // bits << shift
        assert 0 <= shift <= LONGEST_LINE and mean < held
        assert 16 << shift <= LINED_ROOM * 4 * mean
        found.append(mean)
    assert 12 <= min(found) <= 24 and 96 <= max(found) <= 128


def test_of_a_dense_graph_a_line_is_short() -> None:
    assert line_shift(_counts(13, 13 * 12), 4) == 0


def test_rows_that_differ_or_are_few_have_none() -> None:
    n = 1 << 20
    assert line_shift(_counts(n, 32 * n), 20) is not None
    assert line_shift(_counts(n, 32 * n, longest=300), 20) is None
    assert line_shift(_counts(n, 32 * n // 64, rows=n // 64), 20) is None
