"""What Graph500 asks of a search: 64 roots of a Kronecker graph, every tree validated."""

from __future__ import annotations

import gpu  # noqa: F401  (skips where there is none)
import numpy as np

import spbfs as sb
from benchmarks.cuda.graphs import kronecker, on_device

SCALE, ROOTS = 22, 64


def test_64_roots_at_scale_22() -> None:
    A = on_device(kronecker(SCALE))
    plan = sb.BFSPlan(A)
    degrees = np.diff(A._ready().indptr.get())
    roots = np.random.default_rng(500).choice(np.flatnonzero(degrees), ROOTS, replace=False)
    for root in roots.tolist():
        found = plan.run(root)
        sb.verify.bfs_tree(A, root, found.parents, found.levels)
