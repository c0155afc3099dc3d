"""Roads within a distance: which junctions are reached in so many metres, drawn on the map.

python examples/roads_within.py --within 3000 --plot within.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.spatial import Delaunay

import spbfs as sb
from spbfs import Matrix, Vector

SIDE = 10_000.0  # metres


def roads(n: int, seed: int = 1) -> tuple[Matrix, np.ndarray]:
    """Junctions on a square of ten kilometres, and most of the ways between neighbours."""
    places = SIDE * np.random.default_rng(seed).random((n, 2))
    ends = Delaunay(places).simplices[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    short = lengths < np.quantile(lengths, 0.8)
    ends, lengths = ends[short], lengths[short]
    rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
    return Matrix.from_coo(rows, columns, np.tile(lengths, 2), nrows=n, ncols=n), places


def within(A: Matrix, source: int, metres: float) -> Vector:
    """The distance of every junction that is near enough; the search goes no further."""
    return sb.sssp(A, source, limit=metres, parents=False).distances


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--junctions", type=int, default=2000)
    parser.add_argument("--within", type=float, default=3000.0, help="metres")
    parser.add_argument("--plot", type=Path, help="where to draw them")
    options = parser.parse_args()

    A, places = roads(options.junctions)
    centre = int(np.argmin(np.linalg.norm(places - SIDE / 2, axis=1)))
    near = within(A, centre, options.within)
    print(f"{near.nvals} of {A.nrows} junctions within {options.within:.0f} m of {centre}")
    if options.plot is not None:
        near.name = "metres by road"
        sb.viz.plot_levels(A, near, places).savefig(options.plot)
        print(f"drew {options.plot}")


if __name__ == "__main__":
    main()
