"""Six degrees of separation: how far apart are those who have written papers together?

python examples/six_degrees.py collab-astro-ph.graph.gz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import spbfs as sb


def distances(A: sb.Matrix, samples: int, seed: int = 0) -> np.ndarray:
    """How many pairs are at each distance, from a sample of authors to all they reach."""
    vertices = np.flatnonzero(np.diff(A.to_csr()[0]))
    sources = np.random.default_rng(seed).choice(
        vertices, min(samples, vertices.size), replace=False
    )
    sizes = sb.bfs_many(A, sources, outputs=["level_sizes"]).level_sizes
    assert sizes is not None
    return sizes.sum(axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path, nargs="?", help="a generated one by default")
    parser.add_argument("--samples", type=int, default=500)
    options = parser.parse_args()

    generated = options.graph is None
    A = sb.generate.small_world(20_000, 8, 0.1, seed=6) if generated else sb.read(options.graph)
    pairs = distances(A, options.samples)
    mean = (pairs * np.arange(pairs.size)).sum() / pairs[1:].sum()
    print(f"{A.nrows:,} authors, {A.nvals // 2:,} collaborations: {mean:.2f} steps on average")
    for steps, share in enumerate(np.cumsum(pairs) / pairs.sum()):
        print(f"  {steps:2} steps or fewer: {share:7.2%}")
        if share > 0.9999:
            break
    print(f"  {pairs.size - 1:2} steps at most")


if __name__ == "__main__":
    main()
