"""Parts of a CSR: together they are it, and each says what it has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spbfs.generate import kronecker
from spbfs.generate.remapping import remapped_vertices
from spbfs.storage.partitions import EdgePartitions


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 9), max_size=30),
    st.integers(1, 40),
    st.sampled_from([np.int32, np.int64]),
)
def test_parts_are_the_whole(lengths: list[int], part_edges: int, offset: type) -> None:
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(offset)
    entries = int(indptr[-1])
    indices = np.arange(entries, dtype=np.int32)[::-1].copy()
    rows = np.repeat(np.arange(len(lengths)), lengths)
    parts = EdgePartitions(indptr, indices, part_edges)
    assert len(parts) == -(-entries // part_edges)
    assert parts.counts.sum() == entries
    assert (parts.ids == np.arange(len(parts))).all()
    for part in parts:
        here = slice(part.offset, part.offset + part.count)
        assert part.count == parts.counts[part.id] <= part_edges
        assert part.offset == parts.offsets[part.id] == part.id * part_edges
        np.testing.assert_array_equal(part.indices, indices[here])
        filled, begin = part.filled()
        np.testing.assert_array_equal(np.repeat(filled, np.diff(begin)), rows[here])
        assert (part.first_row, part.end_row) == (filled[0], filled[-1] + 1)
        assert np.shares_memory(part.indices, indices)


@pytest.mark.parametrize("seed", [0, 5])
def test_remapped_vertices_are_those_with_edges(seed: int) -> None:
    A = kronecker(9, 4, seed=seed)
    filled = np.count_nonzero(np.diff(A.to_csr()[0]))
    assert remapped_vertices(9, 4, seed=seed) == (512, filled)
    assert 0 < filled < 512
