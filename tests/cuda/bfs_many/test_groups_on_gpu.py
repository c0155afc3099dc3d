"""Groups of sources that a GPU makes are those of the host."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.algorithms.bfs_many.grouping import group_by_hub, group_by_rules
from spbfs.storage.data import MatrixData

#: Rows up to which a warp has one for itself, ``kLongRow`` of ``bfs_many_hubs.cu``.
LONG_ROW = 1024
GRAPHS: dict[str, Callable[[], sb.Matrix]] = {
    "skewed": lambda: sb.generate.kronecker(13, seed=1),
    "directed": lambda: sb.generate.rmat(11, 8, seed=2, directed=True),
    "lattice": lambda: sb.generate.grid2d(37, 37),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_groups_are_those_of_the_host(name: str) -> None:
    A = GRAPHS[name]()
    degrees = np.diff(A.to_csr()[0])
    sources = np.random.default_rng(3).integers(0, A.nrows, 400)
    sources[[3, 200]] = degrees.argmax(), degrees.argmin()
    assert name != "skewed" or degrees.max() > LONG_ROW
    on_host, on_gpu = A._ready(), A.to("cuda")._ready()
    ordered = group_by_hub(on_host, sources)
    assert np.array_equal(group_by_hub(on_gpu, sources), ordered)
    offsets = on_gpu.indptr.astype(cp.int64)
    for kind in (cp.int32, cp.int64):
        entries = on_gpu.indices.astype(kind)
        wide = MatrixData(A.nrows, A.ncols, offsets, entries, on_gpu.values)
        assert np.array_equal(group_by_hub(wide, sources), ordered)
    for limits in ((10, 30), (64, 4)):
        rules = sources, limits, 128
        assert np.array_equal(group_by_rules(on_gpu, *rules), group_by_rules(on_host, *rules))
