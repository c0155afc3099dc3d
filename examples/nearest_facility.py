"""The nearest of several facilities: one search from all of them says whose everybody is.

python examples/nearest_facility.py --facilities 5 --plot map.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import spbfs as sb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=200, help="of a grid of streets")
    parser.add_argument("--facilities", type=int, default=5)
    parser.add_argument("--plot", type=Path, help="where to draw who goes where")
    options = parser.parse_args()

    side = options.side
    A = sb.generate.grid2d(side, side)
    places = np.random.default_rng(8).choice(A.nrows, options.facilities, replace=False)
    found = sb.bfs(A, places)
    assert found.owners is not None or options.facilities == 1
    owners = found.owners if found.owners is not None else sb.Vector(int, A.nrows)
    crossings = np.bincount(owners.to_dense(fill_value=0), minlength=options.facilities)
    print(f"{A.nrows:,} crossings, none farther than {found.depth} blocks from a facility")
    for place, count in zip(places, crossings, strict=True):
        print(f"  at {divmod(int(place), side)}: nearest for {count:,}")
    if options.plot is not None:
        owners.name = "facility"
        coordinates = np.stack(np.divmod(np.arange(A.nrows), side)[::-1], axis=1)
        sb.viz.plot_levels(A, owners, coordinates).savefig(options.plot)
        print(f"drew {options.plot}")


if __name__ == "__main__":
    main()
