"""The core of a network: peel off who has too few friends left, and see who remains.

python examples/cores.py social-deezer-hu.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import spbfs as sb

KARATE = Path(__file__).parent / "data" / "karate.mtx"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path, nargs="?", default=KARATE)
    options = parser.parse_args()

    A = sb.read(options.graph)
    cores = sb.core_numbers(A).to_dense(fill_value=0)
    for k, count in enumerate(np.bincount(cores)):
        if count:
            print(f"  core number {k}: {count} vertices")
    innermost = sb.k_core(A)
    members = np.flatnonzero(cores == cores.max())
    print(f"innermost core: {members.size} vertices, {innermost.nvals // 2} edges")


if __name__ == "__main__":
    main()
