"""The fused search past 2^31 stored entries, where offsets have 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu import cp

from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.graph.layout import build_layout

BITS, GENERATORS = 24, 132
NEEDED = 40 << 30

if cp.cuda.runtime.memGetInfo()[0] < NEEDED:
    pytest.skip(f"needs {NEEDED >> 30} GiB of GPU memory", allow_module_level=True)


def _expected(differences: Any) -> Any:
    """Level of every vertex seen from vertex 0, from masks alone."""
    vertices = cp.arange(1 << BITS, dtype=cp.int32)
    levels = cp.full(1 << BITS, -1, dtype=cp.int32)
    levels[0] = 0
    for depth in range(1, 20):
        frontier = levels == depth - 1
        if not bool(frontier.any()):
            break
        near = cp.zeros_like(frontier)
        for difference in differences:
            near |= frontier[vertices ^ difference]
        levels[near & (levels < 0)] = depth
    return levels


@pytest.mark.parametrize("hubs", [None, 1 << 14], ids=["caller's labels", "hubs first"])
def test_more_entries_than_32_bits_count(hubs: int | None) -> None:
    """Vertices are neighbours where they differ by one of a few masks: symmetric, levels known."""
    n = 1 << BITS
    masks = np.random.default_rng(5).choice(n - 1, GENERATORS, replace=False).astype(np.int32) + 1
    differences = cp.asarray(masks)
    vertices = cp.arange(n, dtype=cp.int32)
    indices = (vertices[:, None] ^ differences[None, :]).reshape(-1)
    assert indices.size > 2**31
    indptr = cp.arange(n + 1, dtype=cp.int64) * GENERATORS
    layout = build_layout(n, indptr, indices, hubs=hubs)
    del indices
    expected = _expected(differences)
    plan = FusedBFS(layout)
    levels, parents = cp.empty(n, dtype=cp.int32), cp.empty(n, dtype=cp.int32)
    for direction in ("auto", "push", "pull"):
        source = n - 3
        plan.run(source, levels, parents, direction=direction)
        assert bool((levels == expected[vertices ^ source]).all())
        assert int(parents[source]) == source
        below = levels > 0
        assert bool((levels[parents[below]] == levels[below] - 1).all())
        assert bool(cp.isin(parents[below] ^ vertices[below], differences).all())
    cp.get_default_memory_pool().free_all_blocks()
