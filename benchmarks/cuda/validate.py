# ruff: noqa: E501  (CUDA sources)
"""Invariants of a breadth-first tree, checked on the GPU by code that shares nothing with the
search.

Reached vertices have a parent one level up along an edge, so no level is too small; no edge spans
more than one level
or leaves the reached set, so none is too large.
"""

from __future__ import annotations

from typing import Any

import cupy as cp

_CHECK = r"""
template <typename Offset>
__global__ void check(const Offset* indptr, const int* indices, int n, int source, const int* levels,
                      const int* parents, int* broken) {
    const int u = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (u >= n) return;
    const int level = levels[u], parent = parents ? parents[u] : -2;
    if (lane == 0) {
        if (level < -1 || level >= n) atomicAdd(broken + 0, 1);
        if (parents && (level < 0) != (parent < 0)) atomicAdd(broken + 1, 1);
        if ((u == source) != (level == 0)) atomicAdd(broken + 2, 1);
        if (u == source && parents && parent != u) atomicAdd(broken + 3, 1);
        if (parents && level > 0 && (parent >= n || levels[parent] != level - 1)) atomicAdd(broken + 4, 1);
    }
    bool has = parents == nullptr || level <= 0, bad = false, below = level <= 0;
    for (Offset e = indptr[u] + lane; e < indptr[u + 1]; e += 32) {
        const int w = indices[e], other = levels[w];
        has |= w == parent;
        below |= other == level - 1;
        bad |= (level < 0) != (other < 0) || other > level + 1 || other < level - 1;
    }
    if (__any_sync(~0u, bad) && lane == 0) atomicAdd(broken + 5, 1);
    if (!__any_sync(~0u, has) && lane == 0) atomicAdd(broken + 6, 1);
    if (!__any_sync(~0u, below) && lane == 0) atomicAdd(broken + 7, 1);
}
"""
RULES = (
    "level out of range",
    "parent without level or level without parent",
    "level 0 not only at the source",
    "source not its own parent",
    "parent not one level up",
    "edge spans more than one level or leaves the reached set",
    "parent is no neighbour",
    "no neighbour one level up",
)


def check_tree(
    n: int, indptr: Any, indices: Any, source: int, levels: Any, parents: Any | None
) -> str:
    """The first broken rule and how often, or an empty string; for symmetric graphs."""
    offset = "int" if indptr.dtype == cp.int32 else "long long"
    module = cp.RawModule(
        code=_CHECK, name_expressions=[f"check<{offset}>"], options=("-std=c++17",)
    )
    kernel = module.get_function(f"check<{offset}>")
    broken = cp.zeros(len(RULES), dtype=cp.int32)
    none = cp.uint64(0) if parents is None else parents
    threads = 256
    kernel(
        (-(-n * 32 // threads),), (threads,),
        (indptr, indices, cp.int32(n), cp.int32(source), levels, none, broken),
    )  # fmt: skip
    counts = broken.get()
    return next(
        (f"{rule}: {count}" for rule, count in zip(RULES, counts, strict=True) if count), ""
    )
