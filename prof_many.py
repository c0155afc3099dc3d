import cupy as cp, numpy as np
from benchmarks.cuda_graphs import kronecker
from spbfs.backends.cuda_layout import build_layout
from spbfs.backends.cuda_many import ManyBFS, empty_levels
n, indptr, indices = kronecker(21)
layout = build_layout(n, indptr, indices, hubs=1 << 30)
deg = indptr[1:] - indptr[:-1]
v = cp.flatnonzero(deg > 0)
src = v[cp.asarray(np.random.default_rng(7).integers(0, int(v.size), 256))].astype(cp.int32)
plan = ManyBFS(layout)
out = empty_levels(256, n)
for d in (2, 3, None):
    plan.run(src, max_depth=d)
plan.levels(out)
cp.cuda.Device().synchronize()
