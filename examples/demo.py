"""What `make demo` shows: a real graph in full, then one of a million vertices in figures."""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import numpy as np

import spbfs as sb

KARATE = Path(__file__).parent / "data" / "karate.mtx"


def karate_club() -> None:
    """Levels and parents of a graph small enough to read."""
    A = sb.read(KARATE)
    levels, parents = sb.bfs(A, 0)
    level, parent = levels.to_dense(fill_value=-1), parents.to_dense(fill_value=-1)
    print(f"Zachary's karate club: {A.nrows} members, {A.nvals // 2} friendships")
    print("From the instructor, vertex 0, as vertex<-parent:")
    for depth in range(level.max() + 1):
        reached = np.flatnonzero(level == depth)
        print(f"  level {depth}:", " ".join(f"{v}<-{parent[v]}" for v in reached))


def kronecker(scale: int, searches: int) -> None:
    """Speed on a graph like a social network."""
    begin = time.perf_counter()
    A = sb.generate.kronecker(scale, seed=1)
    print(
        f"\nA Kronecker graph of scale {scale}: {A.nrows:,} vertices, {A.nvals:,} stored entries"
        f" (generated in {time.perf_counter() - begin:.1f} s)"
    )
    indptr, _, _ = A.to_csr()
    candidates = np.flatnonzero(np.diff(indptr))
    sources = np.random.default_rng(2).choice(candidates, size=searches, replace=False)

    first = sb.bfs(A, int(sources[0]), trace=True)
    sb.verify.bfs_tree(A, int(sources[0]), first.parents, first.levels)
    print(f"From vertex {sources[0]}, checked against the graph:")
    print("  level  direction   frontier         edges")
    for depth, step in enumerate(first.trace):
        print(f"  {depth:5}  {step.direction:9}  {step.frontier:9,}  {step.edges:12,}")

    results = [sb.bfs(A, int(source)) for source in sources]
    # Like rates over equal work, TEPS of several searches have a harmonic mean.
    mean = statistics.harmonic_mean([r.edges / r.seconds for r in results])
    print(
        f"{searches} searches, levels and parents each: {mean / 1e6:,.0f} MTEPS"
        f" on {sb.get_threads()} threads"
    )
    print("  (harmonic mean; an undirected edge of the part reached counts as two)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=20, help="2**SCALE vertices (default: 20)")
    parser.add_argument("--searches", type=int, default=8, help="how many to time (default: 8)")
    arguments = parser.parse_args()
    karate_club()
    kronecker(arguments.scale, arguments.searches)


if __name__ == "__main__":
    main()
