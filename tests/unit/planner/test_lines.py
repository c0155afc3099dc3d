"""Lines of pinned rows: how long they are, and where there are none."""

from __future__ import annotations

import pytest

from spbfs.planner.search_cuda import LINED_ROOM, LONGEST_LINE, line_shift


def _shift(
    n: int, entries: int, bits: int, filled: int | None = None, longest: int | None = None
) -> int | None:
    filled = n if filled is None else filled
    mean = -(-entries // max(1, filled))
    return line_shift(n, filled, entries, longest or mean, bits)


@pytest.mark.parametrize("bits", range(4, 32))
def test_most_rows_fit_a_line_that_a_warp_reads(bits: int) -> None:
    n, found = 1 << bits, []
    for mean in range(1, 200):
        shift = _shift(n, n * mean, bits)
        if shift is None:
            continue
        held = 128 // bits << shift
        assert 0 <= shift <= LONGEST_LINE and mean < held
        assert 16 << shift <= LINED_ROOM * 4 * mean
        found.append(mean)
    assert 12 <= min(found) <= 24 and 96 <= max(found) <= 128


def test_of_a_dense_graph_a_line_is_short() -> None:
    assert _shift(13, 13 * 12, 4) == 0


def test_rows_that_differ_or_are_few_have_none() -> None:
    n = 1 << 20
    assert _shift(n, 32 * n, 20) is not None
    assert _shift(n, 32 * n, 20, longest=300) is None
    assert _shift(n, 32 * n // 64, 20, filled=n // 64) is None
