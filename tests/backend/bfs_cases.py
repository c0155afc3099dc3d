"""Awkward graphs, and breadth-first search by a queue in plain Python."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb


def matrix(n: int, edges: list[tuple[int, int]], device: str = "cpu") -> Any:
    rows, cols = [u for u, _ in edges], [v for _, v in edges]
    S = sp.coo_array((np.ones(len(edges), bool), (rows, cols)), shape=(n, n))
    return sb.Matrix.from_scipy(sp.csr_array(S)).to(device)


def both_ways(edges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return edges + [(v, u) for u, v in edges]


GRAPHS: dict[str, tuple[int, list[tuple[int, int]]]] = {
    "one vertex": (1, []),
    "one loop": (1, [(0, 0)]),
    "no edges": (70, []),
    "path": (130, both_ways([(i, i + 1) for i in range(129)])),
    "one-way path": (130, [(i, i + 1) for i in range(129)]),
    "one-way cycle": (65, [(i, (i + 1) % 65) for i in range(65)]),
    "star": (200, both_ways([(0, i) for i in range(1, 200)])),
    "star outwards, and apart": (202, [(0, i) for i in range(1, 200)] + [(200, 201)]),
    "star inwards": (200, [(i, 0) for i in range(1, 200)]),
    "complete": (20, [(i, j) for i in range(20) for j in range(20)]),
    "two parts": (128, both_ways([(i, (i + 3) % 64) for i in range(64)])),
    "loops only": (64, [(i, i) for i in range(64)]),
    "ladder down": (99, [(i, j) for i in range(99) for j in (i + 1, i + 2) if j < 99]),
}


def queue_search(
    S: Any, sources: list[int], max_depth: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levels, least parents and least owners, by the textbook."""
    n = S.shape[0]
    level, parent, owner = (np.full(n, -1) for _ in range(3))
    for k, s in enumerate(sources):
        if level[s] < 0:
            level[s], parent[s], owner[s] = 0, s, k
    queue = deque(int(s) for s in np.flatnonzero(level == 0))
    while queue:
        u = queue.popleft()
        if level[u] == max_depth:
            continue
        for v in S.indices[S.indptr[u] : S.indptr[u + 1]]:
            if level[v] < 0:
                level[v] = level[u] + 1
                queue.append(int(v))
    # Among a vertex's candidates one level up: least owner, then least id.
    into = sp.csc_array(S)
    for v in sorted(np.flatnonzero(level > 0), key=lambda v: level[v]):
        up = [
            u for u in into.indices[into.indptr[v] : into.indptr[v + 1]] if level[u] == level[v] - 1
        ]
        owner[v] = min(owner[u] for u in up)
        parent[v] = min(u for u in up if owner[u] == owner[v])
    return level, parent, owner


def scipy_of(n: int, edges: list[tuple[int, int]]) -> Any:
    S = sp.coo_array(
        (np.ones(len(edges), bool), ([u for u, _ in edges], [v for _, v in edges])), shape=(n, n)
    ).tocsr()
    S.sort_indices()
    return S


def dense(vector: Any) -> np.ndarray:
    indices, values = vector.to_coo()
    out = np.full(vector.size, -1)
    out[indices] = values
    return out


def kronecker_like(scale: int, seed: int) -> Any:
    """A skewed symmetric graph large enough that every level runs on several threads."""
    rng = np.random.default_rng(seed)
    n = 1 << scale
    ends = (n * rng.random((2, 16 * n)) ** 3).astype(np.int64)
    ends = rng.permutation(n)[ends]
    S = sp.coo_array((np.ones(16 * n, bool), (ends[0], ends[1])), shape=(n, n))
    return sp.csr_array(S + S.T)
