"""A CSR folder whose files are cut while they are in use."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import FileError


@pytest.mark.parametrize("parents", [True, "min"])
@pytest.mark.parametrize("name", ["offsets", "columns"])
def test_a_search_of_what_is_gone(tmp_path: Path, name: str, parents: bool | str) -> None:
    """Of zeros it finds little, which is no result."""
    folder = tmp_path / "graph.csr"
    sb.write(folder, sb.generate.kronecker(16, seed=1))
    A = sb.open_csr(folder)
    assert sb.bfs(A, 1, parents=parents).reached > 1000
    os.truncate(folder / name, 4096)
    with pytest.raises(FileError, match="lost pages"):
        sb.bfs(A, 1, parents=parents)


@pytest.mark.parametrize("name", ["offsets", "columns"])
def test_a_search_of_what_was_overwritten(tmp_path: Path, name: str) -> None:
    """The same file with another content, which nobody has checked: kernels would follow it."""
    folder = tmp_path / "graph.csr"
    sb.write(folder, sb.generate.kronecker(12, seed=1))
    A, v = sb.open_csr(folder), sb.Vector.from_dense(np.ones(1 << 12))
    calls = [
        lambda: sb.bfs(A, 1),
        lambda: sb.bfs(A.T, 1, parents="min"),
        lambda: sb.bfs_many(A, [1, 2]),
        lambda: sb.components(A),
        lambda: sb.semiring.plus_times(A @ v).new(),
    ]
    for call in calls:
        call()
    os.utime(folder / name, ns=(0, os.stat(folder / name).st_mtime_ns))  # was read, no more
    calls[0]()
    with open(folder / name, "r+b") as file:
        file.write(np.full(1 << 9, 1 << 40, np.int64).tobytes())
    for call in calls:
        with pytest.raises(FileError, match=f"{name} was written to while it was in use"):
            call()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["offsets", "columns"])
@pytest.mark.parametrize(
    "algorithm",
    ["components", "strong_components", "core_numbers", "label_propagation"],
)
def test_an_algorithm_over_what_is_gone(
    tmp_path: Path, algorithm: str, name: str, threads: int
) -> None:
    """Its threads, too, live on, and zeros are no result."""
    folder = tmp_path / "graph.csr"
    sb.write(folder, sb.generate.kronecker(15, seed=1))
    A, before = sb.open_csr(folder), sb.get_threads()
    sb.set_threads(threads)
    try:
        getattr(sb, algorithm)(A)
        os.truncate(folder / name, 4096)
        for matrix in (A, A.T):
            with pytest.raises(FileError, match="lost pages"):
                getattr(sb, algorithm)(matrix)
    finally:
        sb.set_threads(before)
