"""Rank the vertices of a graph by closeness: a search from every one of them, hundreds at a time.

python examples/closeness.py email-enron.txt.gz --plot closeness.png
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import spbfs as sb

KARATE = Path(__file__).parent / "data" / "karate.mtx"


def plot(scores: np.ndarray, degrees: np.ndarray, path: Path) -> None:
    """Closeness over degree, and how it is distributed."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    left.scatter(degrees, scores, s=6, alpha=0.5, linewidths=0)
    left.set_xscale("symlog", linthresh=1)
    left.set(xlabel="degree", ylabel="closeness")
    right.hist(scores, bins=50)
    right.set(xlabel="closeness", ylabel="vertices")
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path, nargs="?", default=KARATE)
    parser.add_argument("--samples", type=int, help="estimate from so many searches instead")
    parser.add_argument("--top", type=int, default=5)
    parser.add_argument("--plot", type=Path, help="where to draw closeness, as PNG")
    options = parser.parse_args()

    A = sb.read(options.graph)
    started = time.perf_counter()
    scores = sb.closeness(A, samples=options.samples, progress=sys.stderr.isatty())
    seconds = time.perf_counter() - started
    searches = options.samples or A.nrows
    print(f"{A.nrows:,} vertices, {A.nvals:,} entries: {searches:,} searches in {seconds:.2f} s")

    degrees = np.diff(A.to_csr()[0])
    print("  vertex  closeness  degree")
    for vertex in np.argsort(-scores, kind="stable")[: options.top]:
        print(f"  {vertex:6}  {scores[vertex]:9.4f}  {degrees[vertex]:6}")
    if options.plot is not None:
        plot(scores, degrees, options.plot)
        print(f"drew {options.plot}")


if __name__ == "__main__":
    main()
