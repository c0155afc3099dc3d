"""A trace and its plot: what a search did at each level, as a table and as a picture.

python examples/trace_plot.py --plot trace.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import spbfs as sb
from spbfs import Vector, replace, semiring


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=14, help="2**SCALE vertices (default: 14)")
    parser.add_argument("--plot", type=Path, help="where to draw it")
    options = parser.parse_args()

    A = sb.generate.kronecker(options.scale, seed=1)
    source = int(np.argmax(np.diff(A.to_csr()[0])))
    q, seen = Vector(bool, A.nrows), Vector(bool, A.nrows)
    q[source] = True
    with sb.trace() as steps:
        while q.nvals:
            seen(q.S) << True
            q(~seen.S, replace) << semiring.any_pair(q @ A)
    steps.table()

    found = sb.bfs(A, source, trace=True)
    assert found.trace is not None
    print("\nThe same in one call: " + " ".join(step.direction for step in found.trace))
    if options.plot is not None:
        found.trace.plot().savefig(options.plot)
        print(f"drew {options.plot}")


if __name__ == "__main__":
    main()
