"""Smoke test of an installed spbfs: python smoke.py CHECKOUT, from outside of the checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import spbfs

SOURCES = {".cu", ".cuh", ".h", ".cpp"}


def sources(folder: Path) -> dict[str, bytes]:
    """Every kernel source below a folder, by its path in there."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.suffix in SOURCES
    }


def main(checkout: Path) -> None:
    installed = Path(spbfs.__file__).resolve().parent
    assert checkout not in installed.parents, f"imported from the checkout: {installed}"
    found = sources(spbfs.kernels_path())
    assert spbfs.kernels_path().is_relative_to(installed)
    assert found and found == sources(checkout / "kernels"), "the wheel's kernels differ"

    A = spbfs.read(checkout / "examples" / "data" / "karate.mtx")
    levels, parents = spbfs.bfs(A, 0)
    dense = levels.to_dense(fill_value=-1)
    assert np.bincount(dense).tolist() == [1, 16, 9, 8], dense
    spbfs.verify.bfs_tree(A, 0, parents, levels)
    print("spbfs", spbfs.__version__, "works from", installed)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
