"""The search written as six lines of algebra on one GPU, beside the fused one.

The clock is the host's, from a source to complete results; the graph is resident and everything is
compiled.  Run as ``python -m benchmarks.cuda_composed``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

import spbfs as sb
from benchmarks.composed import levels, parents
from benchmarks.cuda_graphs import TABLE


def seconds(run: Callable[[], Any], repeats: int) -> float:
    """Median time of a run, the GPU waited for."""
    run()
    taken = []
    for _ in range(repeats):
        cp.cuda.Device().synchronize()
        begin = time.perf_counter()
        run()
        cp.cuda.Device().synchronize()
        taken.append(time.perf_counter() - begin)
    return float(np.median(taken))


def breakdown(A: sb.Matrix, source: int) -> list[float]:
    """Host microseconds a level of the three statements: ``q.nvals``, the levels, the frontier."""
    q, found = sb.Vector(bool, A.nrows), sb.Vector(int, A.nrows)
    q[source] = True
    spent, depth = [0.0, 0.0, 0.0], 0
    while True:
        marks = [time.perf_counter()]
        more = q.nvals
        marks.append(time.perf_counter())
        if not more:
            return [1e6 * t / max(depth, 1) for t in spent]
        found(q.S) << depth
        marks.append(time.perf_counter())
        q(~found.S, sb.replace) << sb.semiring.any_pair(q @ A)
        marks.append(time.perf_counter())
        spent = [t + b - a for t, a, b in zip(spent, marks, marks[1:], strict=False)]
        depth += 1


def measure(name: str, sources: int, repeats: int) -> None:
    """Print a line for one graph."""
    n, indptr, indices = TABLE[name].make()
    A = sb.Matrix.from_csr(indptr, indices, True, nrows=n, ncols=n, device="cuda")
    degrees = cp.diff(indptr)
    starts = np.random.default_rng(1).choice(cp.asnumpy(cp.flatnonzero(degrees > 1)), sources)
    rows = []
    for s in (int(v) for v in starts):
        fused = sb.bfs(A, s)
        found = levels(sb, A, s)
        if not found.isequal(fused.levels.dup(int)):
            raise AssertionError(f"{name}: levels from {s} are wrong")
        depth = fused.depth + 1
        composed = seconds(lambda s=s: levels(sb, A, s), repeats)
        with_parents = seconds(lambda s=s: parents(sb, A, s), repeats)
        rows.append((seconds(lambda s=s: sb.bfs(A, s), repeats), composed, with_parents, depth))
    fused_time, composed, with_parents, depth = np.median(np.array(rows), axis=0)
    print(
        f"{name:10} {int(depth):5} levels   fused {fused_time * 1e3:8.3f} ms   "
        f"levels {composed * 1e3:9.3f} ms ({composed / fused_time:5.1f}x, "
        f"{composed / depth * 1e6:6.1f} us a level)   parents {with_parents * 1e3:9.3f} ms",
        flush=True,
    )
    names = ("nvals", "levels", "frontier")
    parts = breakdown(A, int(starts[0]))
    print("    us a level:", ", ".join(f"{n} {t:.1f}" for n, t in zip(names, parts, strict=True)))
    if depth < 40:
        with sb.trace() as t:
            levels(sb, A, int(starts[-1]))
        print(t)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="+", choices=sorted(TABLE), default=list(TABLE))
    parser.add_argument("--sources", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name in options.graphs:
        measure(name, options.sources, options.repeats)


if __name__ == "__main__":
    main()
