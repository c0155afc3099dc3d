"""All distances equal SciPy's, on every engine, in memory and in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

import spbfs as sb
from spbfs.algorithms.paths import all_pairs
from spbfs.exceptions import (
    DomainMismatch,
    FileError,
    FileMissing,
    IndexOutOfBound,
    InvalidValue,
    NegativeCycle,
    OutOfMemory,
)
from tests.backend.algorithm_cases import cases, on, pattern, weighted
from tests.backend.algorithms.test_sssp import explicit

NONE = np.iinfo(np.int64).max


def same(found: Any, expected: Any) -> None:
    """Where there is no path, and how long the others are."""
    unreached = found == (NONE if found.dtype == np.int64 else np.inf)
    np.testing.assert_array_equal(unreached, np.isinf(expected))
    np.testing.assert_allclose(found[~unreached], expected[~unreached], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_distances(device: str, dtype: Any) -> None:
    for seed, (_, graph) in enumerate(cases(device)):
        S = weighted(pattern(graph), dtype, 0, 5, seed)
        sources = None if graph.nrows < 12 else [graph.nrows - 1, 0, graph.nrows // 2, 0]
        found = sb.apsp(on(S, device), sources, batch=3)
        expected = shortest_path(explicit(S), "D", indices=sources) if graph.nrows else found
        assert found.dtype == (np.float64 if dtype is np.float64 else np.int64)
        assert found.shape == (len(found) if sources is None else 4, graph.nrows)
        same(found, expected.astype(float))


def test_negative_lengths(device: str) -> None:
    for seed, (_, graph) in enumerate(cases(device)):
        if not 0 < graph.nrows < 40:
            continue
        C = weighted(pattern(graph), np.float64, 0, 4, seed).tocoo()
        potential = np.random.default_rng(seed).uniform(0, 9, graph.nrows)
        C.data = C.data + potential[C.row] - potential[C.col] + 1e-9
        S = C.tocsr()
        sources = [0, graph.nrows - 1]
        same(sb.apsp(on(S, device), sources), shortest_path(explicit(S), "BF", indices=sources))
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 1], [3, -2, 1], nrows=4, ncols=4).to(device)
    with pytest.raises(NegativeCycle, match="1 -> 2 -> 1"):
        sb.apsp(A)
    assert sb.apsp(A, [3]).tolist() == [[NONE, NONE, NONE, 0]]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_threads_with_searches_of_their_own_find_the_same(dtype: Any) -> None:
    """Lengths whose sums leave 32 bits, too, and rows with few sources left at the end."""
    S = weighted(pattern(dict(cases("cpu"))["random-120-500"]), dtype, 1, 9, 5)
    for scale in (1, 1 << 27):
        S.data = (S.data * scale).astype(dtype)
        A = on(S, "cpu")
        one_by_one = [sb.sssp(A, v, parents=False).distances for v in range(A.nrows)]
        none = NONE if S.dtype.kind == "i" else np.inf
        expected = np.array([d.to_dense(none) for d in one_by_one])
        for threads in (1, 2, 5):
            found = sb.apsp(A, threads=threads, batch=A.nrows - 1)
            np.testing.assert_array_equal(found, expected)


def test_one_search_from_all_makes_integer_lengths_positive(device: str) -> None:
    rng = np.random.default_rng(3)
    potential = rng.integers(0, 50, 30)
    rows, cols = np.nonzero(rng.random((30, 30)) < 0.1)
    lengths = rng.integers(0, 9, rows.size) + potential[rows] - potential[cols]
    assert (lengths < 0).any()
    A = sb.Matrix.from_coo(rows, cols, lengths, nrows=30, ncols=30).to(device)
    expected = [sb.sssp(A, v, parents=False).distances.to("cpu").to_dense(NONE) for v in range(30)]
    np.testing.assert_array_equal(sb.apsp(A), expected)
    # So great that sums as Johnson makes them may leave the type.
    B = A.apply("times", 10**15).new()
    expected = [sb.sssp(B, v, parents=False).distances.to("cpu").to_dense(NONE) for v in (4, 9)]
    np.testing.assert_array_equal(sb.apsp(B, [4, 9]), expected)


def test_a_file_is_complete_or_not_there(device: str, tmp_path: Path, monkeypatch: Any) -> None:
    S = weighted(pattern(dict(cases(device))["path"]), np.float64, 1, 5)
    A, path, told = on(S, device), tmp_path / "all.npy", []
    found = sb.apsp(A, output=path, batch=5, progress=lambda *told_now: told.append(told_now))
    n = A.nrows
    np.testing.assert_array_equal(found, sb.apsp(A))
    np.testing.assert_array_equal(np.load(path), found)
    assert isinstance(found, np.memmap)
    assert [ended for ended, _, _ in told] == [*range(5, n, 5), n]
    assert {total for _, total, _ in told} == {n}
    assert told[-1][2] == int(np.isfinite(found).sum(axis=0) @ np.diff(S.indptr))

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sb.apsp(A, [0], output=path, progress=stop)
    monkeypatch.setattr(all_pairs.shutil, "disk_usage", lambda _: type("Disk", (), {"free": 7}))
    with pytest.raises(FileError, match=rf"output: .* needs {8 * n:,} bytes and 7 are free"):
        sb.apsp(A, [0], output=path)
    assert sorted(tmp_path.iterdir()) == [path]
    np.testing.assert_array_equal(np.load(path), found)


def test_nothing_to_do(device: str, tmp_path: Path) -> None:
    A = on(pattern(dict(cases(device))["path"]), device)
    assert sb.apsp(A, []).shape == sb.apsp(A, [], output=tmp_path / "a.npy").shape == (0, A.nrows)
    assert sb.apsp(sb.Matrix("FP64", 0, 0).to(device), output=tmp_path / "b.npy").shape == (0, 0)


def test_arguments(device: str, tmp_path: Path) -> None:
    A = on(weighted(pattern(dict(cases(device))["path"]), np.int8, 1, 5), device)
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.apsp(A, [0, A.nrows])
    with pytest.raises(InvalidValue, match=r"output: expected the name of a \.npy file"):
        sb.apsp(A, output=tmp_path / "all.txt")
    with pytest.raises(DomainMismatch, match="output"):
        sb.apsp(A, output=3)  # type: ignore[arg-type]
    with pytest.raises(FileMissing, match=r"output: .* is not a directory"):
        sb.apsp(A, output=tmp_path / "nowhere" / "all.npy")
    with pytest.raises(InvalidValue, match="batch: expected at least 1, got 0"):
        sb.apsp(A, batch=0)
    with pytest.raises(DomainMismatch, match="progress"):
        sb.apsp(A, progress=7)  # type: ignore[arg-type]
    many = sb.Matrix("FP64", 1 << 20, 1 << 20).to(device)
    with pytest.raises(OutOfMemory, match=rf"sources: .* needs {8 << 40:,} bytes .*; output= "):
        sb.apsp(many)
