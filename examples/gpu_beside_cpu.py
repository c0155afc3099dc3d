"""The same search on every device there is: same levels, other times.

python examples/gpu_beside_cpu.py --scale 22
"""

from __future__ import annotations

import argparse
import statistics

import numpy as np

import spbfs as sb
from spbfs.exceptions import BackendUnavailable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=14, help="2**SCALE vertices (default: 14)")
    options = parser.parse_args()

    A = sb.generate.kronecker(options.scale, seed=1)
    source = int(np.argmax(np.diff(A.to_csr()[0])))
    print(f"{A.nrows:,} vertices, {A.nvals:,} entries; {sb.suggest_device(A)} is suggested")
    expected = None
    for device in ("cpu", "cuda"):
        try:
            there = A.to(device)
        except BackendUnavailable as why:
            print(f"  {device:4}  {why}")
            continue
        results = [sb.bfs(there, source) for _ in range(6)]
        levels = results[0].levels.to("cpu")
        assert expected is None or levels.isequal(expected), "devices disagree"
        expected = levels
        seconds = statistics.median(result.seconds for result in results[1:])
        print(f"  {device:4}  {1e3 * seconds:.3f} ms, {results[0].edges / seconds / 1e9:.2f} GTEPS")


if __name__ == "__main__":
    main()
