"""Hubs of a web: the pages that many point at, those that point at them, and PageRank.

python examples/web_hubs.py web-cnr-2000.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import spbfs as sb


def generated(seed: int = 2) -> sb.Matrix:
    """Links of an R-MAT graph, two of three left out in one direction."""
    A = sb.generate.rmat(13, seed=seed)
    rows, columns, _ = A.to_coo()
    kept = np.random.default_rng(seed).random(rows.size) < 1 / 3
    return sb.Matrix.from_coo(rows[kept], columns[kept], True, nrows=A.nrows, ncols=A.ncols)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path, nargs="?", help="a generated one by default")
    parser.add_argument("--top", type=int, default=5)
    options = parser.parse_args()

    A = generated() if options.graph is None else sb.read(options.graph)
    print(f"{A.nrows:,} pages, {A.nvals:,} links")
    found = sb.hits(A)
    ranks = {"hubs": found.hubs, "authorities": found.authorities, "PageRank": sb.pagerank(A)}
    for name, values in ranks.items():
        order = np.argsort(-values.to_dense(fill_value=0.0), kind="stable")[: options.top]
        print(f"  {name:12}", *order)


if __name__ == "__main__":
    main()
