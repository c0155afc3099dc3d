"""Files of other programs that are mapped: arrays at odd bytes, and whatever a file holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.exceptions import FileError, FileMissing, FormatError, InvalidValue
from tests.graphs import GRAPHS, bfs_levels
from tests.processes import finished

SQUARE = {name: graph for name, graph in GRAPHS.items() if graph.square and graph.nrows}


def written(folder: Path, A: Any, suffix: str) -> Path:
    path = folder / f"graph{suffix}"
    if suffix == ".npz":
        sp.save_npz(path, A.to_scipy(), compressed=False)
    else:
        sb.write(path, A)
    return path


@pytest.mark.parametrize("suffix", [".sg", ".npz"])
@pytest.mark.parametrize("name", SQUARE)
def test_searches_are_those_of_what_is_read(tmp_path: Path, name: str, suffix: str) -> None:
    graph = SQUARE[name]
    shape = {"nrows": graph.nrows, "ncols": graph.ncols}
    A = sb.Matrix.from_coo(graph.rows, graph.cols, True, **shape)
    path = written(tmp_path, A, suffix)
    sources = sorted({0, graph.nrows // 2, graph.nrows - 1})
    pulled = ("pull",) if suffix == ".sg" else ()
    for direction in ("auto", "push", *pulled):
        B = sb.read(path, mmap=True)
        found = sb.bfs(B, sources, direction=direction, trace=True)
        levels = found.levels.to_dense(fill_value=-1)
        np.testing.assert_array_equal(levels, bfs_levels(graph, sources))
        sb.verify.bfs_tree(A, sources, found)
        assert all(step.strategy == "parts" and step.read is not None for step in found.trace)
    without = B.nbytes
    assert B.isequal(A) and B.nbytes - without >= 4 * B.nvals  # now they are in memory
    product = sb.semiring.plus_pair(B @ B).new()
    assert product.isequal(sb.semiring.plus_pair(A @ A).new())
    if suffix == ".sg":
        assert B.T.new().isequal(A.T.new())
        many = sb.bfs_many(sb.read(path, mmap=True), sources, outputs="level_sizes")
        expected = sb.bfs_many(A, sources, outputs="level_sizes")
        assert np.array_equal(many.level_sizes, expected.level_sizes)


def test_an_archive_has_no_second_half_to_pull_by(tmp_path: Path) -> None:
    path = written(tmp_path, sb.generate.path(9), ".npz")
    with pytest.raises(InvalidValue, match="no second half"):
        sb.bfs(sb.read(path, mmap=True), 0, direction="pull")


def test_values_of_an_archive_are_mapped_too(tmp_path: Path) -> None:
    S = sp.random_array((40, 50), density=0.2, rng=np.random.default_rng(2), format="csr")
    S.sort_indices()
    sp.save_npz(tmp_path / "a.npz", S, compressed=False)
    A = sb.read(tmp_path / "a.npz", mmap=True)
    assert A.dtype == "FP64" and A.isequal(sb.read(tmp_path / "a.npz"), check_dtype=True)


@pytest.mark.parametrize("make", [sp.coo_array, sp.csc_array])
def test_other_formats_of_an_archive_are_refused(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "a.npz"
    S = sb.generate.path(9).to_scipy()
    sp.save_npz(path, make(S), compressed=False)
    with pytest.raises(InvalidValue, match="expected 'csr'"):
        sb.read(path, mmap=True)
    sp.save_npz(path, S)
    with pytest.raises(InvalidValue, match="compressed"):
        sb.read(path, mmap=True)
    with pytest.raises(FileMissing):
        sb.read(tmp_path / "none.npz", mmap=True)


def test_a_stranger_s_file_is_looked_at_before_it_is_followed(tmp_path: Path) -> None:
    """Every array damaged in every way that a kernel would trip over."""
    A = sb.generate.kronecker(6, 4, seed=1)
    source, any_pair = int(A.to_coo()[0][0]), sb.semiring.any_pair
    u = sb.Vector.from_dense(np.ones(A.nrows, bool))
    for suffix in (".sg", ".npz"):
        path = written(tmp_path, A, suffix)
        whole = path.read_bytes()
        at = whole.index(np.asarray(A.to_csr()[1], "<i4").tobytes())
        offsets = whole.index(
            np.asarray(A.to_csr()[0], "<i8" if suffix == ".sg" else "<i4").tobytes()
        )
        for place, value in ((at, -1), (at + 4, 64), (offsets, 5), (offsets + 16, -7)):
            damaged = bytearray(whole)
            damaged[place : place + 4] = np.int32(value).tobytes()
            path.write_bytes(damaged)
            for use in (lambda B: sb.bfs(B, source), lambda B: any_pair(B @ u).new()):
                with pytest.raises(FormatError):
                    use(sb.read(path, mmap=True))
        for size in range(0, len(whole), 97):
            path.write_bytes(whole[:size])
            with pytest.raises((FormatError, FileError)):
                sb.read(path, mmap=True)


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("shape", np.array(9), "not two counts"),
        ("shape", np.array([9, 9, 9]), "not two counts"),
        ("shape", np.array([9, -9]), "not two counts"),
        ("shape", np.array(["9", "9"]), "not two counts"),
        ("shape", np.array([9, 2**60 + 1]), r"at most 2\*\*60"),
        ("format", np.array([b"csr", b"csr"]), "not a word"),
    ],
)
def test_a_layout_that_lies_is_refused(
    tmp_path: Path, name: str, array: np.ndarray[Any, Any], reason: str
) -> None:
    path = tmp_path / "a.npz"
    sp.save_npz(path, sb.generate.path(9).to_scipy(), compressed=False)
    with np.load(path) as archive:
        np.savez(path, **{**archive, name: array})
    with pytest.raises(FormatError, match=reason):
        sb.read(path, mmap=True)


def test_columns_that_do_not_rise_are_refused_by_products(tmp_path: Path) -> None:
    rows = np.array([0, 2, 2]), np.array([1, 0], np.int32)
    S = sp.csr_array((np.ones(2), rows[1], rows[0].astype(np.int32)), shape=(2, 2))
    sp.save_npz(tmp_path / "a.npz", S, compressed=False)
    A = sb.read(tmp_path / "a.npz", mmap=True)
    assert sb.bfs(A, 0).levels.to_dense().tolist() == [0, 1]
    with pytest.raises(FormatError, match="does not rise in row 0"):
        A.reduce_rowwise("plus").new()


SEARCHED = """
    import os, resource, sys, threading
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    threading.stack_size(1 << 20)  # which RLIMIT_DATA counts, used or not
    import spbfs as sb
    from tests.on_disk import data_bytes, peak_anonymous

    sb.bfs(sb.generate.path(9), 0, part_edges=4)  # what is loaded once
    A = sb.read(sys.argv[1], mmap=True)
    room = A.nvals  # of 4 bytes an entry
    limit = data_bytes() + room
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with peak_anonymous() as peak:
        found = sb.bfs(A, 0, threads=2)
    assert found.reached == A.nrows and found.depth == int(sys.argv[2])
    assert peak.bytes < room, (peak.bytes, room)
    print("searched")
"""


def test_a_search_has_a_quarter_of_the_graph_for_its_heap(tmp_path: Path) -> None:
    n, half = 1 << 18, 64
    path = tmp_path / "circulant.sg"
    steps = np.concatenate((-np.arange(half, 0, -1), np.arange(1, half + 1))).astype(np.int32)
    with open(path, "wb") as file:
        file.write(b"\0")
        np.array([2 * half * n, n], "<i8").tofile(file)
        (np.arange(n + 1, dtype="<i8") * 2 * half).tofile(file)
        for first in range(0, n, 1 << 12):
            rows = np.arange(first, first + (1 << 12), dtype=np.int32)
            np.sort((rows[:, None] + steps) % n, axis=1).astype("<i4").tofile(file)
    done = finished("", SEARCHED, path, n // 2 // half)
    assert done.stdout == "searched\n", done.stderr
