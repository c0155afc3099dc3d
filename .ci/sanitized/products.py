"""Statements: products, masked writes, and loops of them."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np

import spbfs as sb
from sanitized.graphs import DEVICE, graphs, same, star
from spbfs.planner.gathers import CUDA

__all__ = ["algebra", "by_rows", "hubs_first", "loops", "over_bus", "packed", "rounds"]


def algebra() -> None:
    """Products both ways, with rows so long that the grid shares them, and masked writes."""
    from spbfs.engines.cuda.products import dots, mxm

    for A in (star(1500), *graphs()):
        values = np.arange(A.nvals) % 9
        weighted = sb.Matrix.from_csr(*A.to_csr()[:2], values, np.float32, ncols=A.ncols)
        for B, ring in ((A, "any_pair"), (weighted, "min_secondi"), (weighted, "min_plus")):
            for directions in (["push"] * 3, ["pull"] * 3, ["pull", "push", "pull"]):
                same(B, lambda M, r=ring, d=directions: _steps(M, r, d))
        same(weighted, lambda M: M.reduce_rowwise("max").new())
        same(weighted, _relaxed)
    for A in graphs():
        # Dots, and those by members of a row, are for many products, which tools take minutes for.
        for many, least in ((mxm._MANY, dots._LEAST), (0, dots._LEAST), (0, 16)):
            with patch.object(mxm, "_MANY", many), patch.object(dots, "_LEAST", least):
                same(A, _squared)
        weights = np.arange(A.nvals) % 9
        weighted = sb.Matrix.from_csr(*A.to_csr()[:2], weights, np.float32, ncols=A.ncols)
        same(weighted, lambda M: sb.semiring.min_plus(M @ M).new())


def by_rows() -> None:
    """Products of rows that are sorted, by warps and by several of them, and of rows of bits, which
    are taken range after range where there are many columns."""
    rng = np.random.default_rng(9)
    sizes = [*([1, 8, 14, 30, 40, 100] * 20), 200, 500, 900, 3000, 5000]
    inner = np.concatenate([rng.choice(5000, size, replace=False) for size in sizes])
    rows = np.repeat(np.arange(len(sizes)), sizes)
    A = sb.Matrix.from_coo(rows, inner, rng.integers(1, 9, rows.shape[0]), "FP32", ncols=5000)
    for ncols in (700, 1 << 21):
        B = sb.Matrix.from_coo(np.arange(5000), rng.integers(0, ncols, 5000), 2.0, ncols=ncols)
        for name, dtype in (
            *(("min_plus", "FP32"), ("plus_times", "FP64"), ("plus_times", "INT8")),
            *(("any_pair", "FP32"), ("max_secondj", "FP32")),
        ):
            op, its = getattr(sb.semiring, name), A.apply("identity").new(dtype)
            mask = op(its @ B).new().select("colle", 300).new()
            same(its, lambda M, B=B, op=op: op(M @ B.to(M.device)).new())
            same(its, lambda M, B=B, op=op, m=mask: _without(op, M, B, m))


def _without(op: Any, A: Any, B: Any, mask: Any) -> Any:
    return op(A @ B.to(A.device)).new(mask=~mask.to(A.device).S)


def _squared(A: Any) -> Any:
    """Paths of two edges between neighbours; the transpose is there for products by dots."""
    A.T.new()
    return sb.semiring.plus_pair(A @ A).new(mask=A.S)


def _steps(A: Any, ring: str, directions: list[str]) -> Any:
    """A few steps from a vertex, what was met before masked out: the composed search."""
    met = sb.Vector(int, A.nrows)
    q = sb.Vector.from_coo([1], A.dtype.np_type.type(1), size=A.nrows, device=A.device)
    for step, direction in enumerate(directions):
        met(q.S) << step
        q(~met.S, sb.replace, direction=direction) << sb.semiring.from_string(ring)(q @ A)
    met(q.S) << q
    return met


def _relaxed(A: Any) -> Any:
    """Least weights of two steps, accumulated under masks and without."""
    met = sb.Vector.from_coo([0, 1], np.float32(0), size=A.nrows, device=A.device)
    for mask in (None, met.S, ~met.V):
        met.update(sb.semiring.min_plus(met @ A), accum="min", mask=mask)
    return met


def packed() -> None:
    """Products with matrices of few columns, which are made in bits."""
    for A in (star(3000), graphs()[1]):
        flags = np.random.default_rng(6).random((A.nrows, 200)) < 0.05
        B = sb.Matrix.from_dense(flags, False)
        for direction in ("push", "pull"):
            same(A, lambda M, B=B, d=direction: _joined(M, B.to(M.device), d))


def _joined(A: Any, B: Any, direction: str) -> Any:
    with sb.trace() as made:
        C = sb.semiring.lor_land(A @ B).new(mask=~B.S, direction=direction)
    assert A.device == "cpu" or made.records[0]["kernel"] == f"packed {direction}"
    return C


def over_bus() -> None:
    """Rows in memory of the host, on lines of their own or too uneven for them: pushed, searched
    and searched together."""
    from spbfs.engines.cuda.graph.lines import lines_of

    sources = np.arange(0, 1500, 25)
    for A in (sb.generate.uniform(2000, 20, seed=3), star(1500)):
        P = A.to(DEVICE, memory="pinned")
        q = sb.Vector.from_coo(np.arange(1, A.nrows, 3), 2, size=A.nrows)
        for ring in (sb.semiring.any_pair, sb.semiring.min_secondi, sb.semiring.plus_second):
            pushed = ring(q.to(DEVICE) @ P).new(direction="push")
            assert pushed.to("cpu").isequal(ring(q @ A).new())
        levels = sb.bfs(P, 5, direction="push").levels
        assert levels.to("cpu").isequal(sb.bfs(A, 5).levels)
        together = sb.bfs_many(P, sources, batch=64).levels
        assert (together.get() == sb.bfs_many(A, sources).levels).all()
        assert (lines_of(P._ready()) is not None) == (A.nrows == 2000)


def hubs_first() -> None:
    """Columns numbered anew, of a matrix with more of them than L1 keeps."""
    A = star(150_000).apply(sb.binary.plus, right=1).new("FP32")
    x = sb.Vector.from_dense(np.arange(A.ncols, dtype=np.float32) % 7)
    expected, G, v = sb.semiring.min_plus(A @ x).new(), A.to(DEVICE), x.to(DEVICE)
    for _ in range(CUDA.passes + 2):
        assert sb.semiring.min_plus(G @ v).new().to("cpu").isequal(expected)
    for dtype in ("FP32", "FP64"):
        options = {"tolerance": None, "iterations": 3, "dtype": dtype}
        ranks = [sb.pagerank(M, **options).to("cpu").to_dense() for M in (A, G)]
        np.testing.assert_allclose(ranks[1], ranks[0], rtol=1e-3)  # sums of 150,000 FP32


def loops() -> None:
    """Searches written as loops, steps of which are computed ahead; some frontiers are read.

    The second loop on a matrix runs ahead from its first step.
    """
    from spbfs.engines.cuda.bfs.seeding import SHORT

    same(graphs()[0], lambda M: [_least_parents(M) for _ in range(2)][1])
    # Many short paths, so many that lists of vertices are too long for one launch to begin with.
    heads = np.arange(0, 80 * SHORT * 5 // 8, 80)
    n = 80 * heads.size
    u = (heads[:, None] + np.arange(8)).ravel()
    A = sb.Matrix.from_coo(u, u + 1, True, nrows=n, ncols=n)
    same(A, lambda M: [_reached(M, heads) for _ in range(2)][1])


def rounds() -> None:
    """Rounds of which one is recorded, and what they have changed."""
    same(graphs()[0], _labels)


def _labels(A: Any) -> Any:
    labels = sb.Vector.from_dense(np.arange(A.nrows), device=A.device)

    def body() -> None:
        labels(sb.binary.min) << sb.semiring.min_first(labels @ A)

    made = sb.repeat(body, labels)
    assert A.device == "cpu" or made.launched > 0, made.refusal
    return labels


def _reached(A: Any, sources: Any) -> Any:
    found = sb.Vector.from_coo(sources, 1, size=A.nrows, dtype=int, device=A.device)
    q = found.dup()
    while q.nvals:
        q(~found.S, sb.replace) << sb.semiring.min_secondi(q @ A)
        found(q.S) << q
    return found


def _least_parents(A: Any) -> Any:
    found, seen = sb.Vector(int, A.nrows), sb.Vector(int, A.nrows)
    q = sb.Vector(int, A.nrows)
    q[1] = 1
    while q.nvals:
        found(q.S) << q
        if found.nvals % 3 == 0:
            seen(sb.binary.plus) << q
        q(~found.S, sb.replace) << sb.semiring.min_secondi(q @ A)
    return found.ewise_add(seen, "plus").new()
