"""Graphs in CSR folders: searched from the disk as from memory, and whatever a folder holds."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import FileError, FileMissing, FormatError, InvalidValue
from spbfs.planner import search as planner
from spbfs.storage.on_disk import OnDiskMatrix
from tests.graphs import GRAPHS, Graph, bfs_levels
from tests.on_disk import circulant, resealed
from tests.processes import finished

SQUARE = {name: graph for name, graph in GRAPHS.items() if graph.square and graph.nrows}


def matrix(graph: Graph) -> Any:
    shape = {"nrows": graph.nrows, "ncols": graph.ncols}
    return sb.Matrix.from_coo(graph.rows, graph.cols, True, **shape)


def put(folder: Path, A: Any) -> Path:
    sb.write(folder / "graph.csr", A)
    return folder / "graph.csr"


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No graph fits into memory."""
    monkeypatch.setattr(planner, "DISK_SHARE", 0.0)
    monkeypatch.setattr(planner, "DISK_PART_EDGES", 7)


# -- what is written is read -----------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("weighted", [False, True])
def test_folders_are_read_as_they_were_written(tmp_path: Path, name: str, weighted: bool) -> None:
    A = matrix(GRAPHS[name])
    if weighted:
        values = np.arange(A.nvals, dtype=np.float32)
        A = sb.Matrix.from_coo(*A.to_coo()[:2], values, nrows=A.nrows, ncols=A.ncols)
    folder = put(tmp_path, A)
    for B in (sb.open_csr(folder), sb.open_csr(folder, verify=True), sb.read(folder)):
        assert B.dtype == A.dtype and B.isequal(A) and B.T.new().isequal(A.T.new())
    assert sb.read(folder, mmap=True).isequal(A)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.csr"]


def test_a_folder_takes_the_place_of_an_older_one_and_of_nothing_else(tmp_path: Path) -> None:
    folder = put(tmp_path, sb.generate.path(4))
    old = sb.open_csr(folder)
    put(tmp_path, sb.generate.path(9))
    assert sb.open_csr(folder).nrows == 9 and sb.bfs(old, 0).depth == 3
    for other in ("file", "dir"):
        path = tmp_path / f"{other}.csr"
        path.mkdir() if other == "dir" else path.write_text("precious")
        with pytest.raises(FileError, match="is no CSR folder"):
            sb.write(path, sb.generate.path(4))
        assert path.exists()
    with pytest.raises(FileMissing):
        sb.write(tmp_path / "nowhere" / "a.csr", sb.generate.path(4))


def test_read_takes_its_options_of_a_folder_and_mmap_none(tmp_path: Path) -> None:
    A = sb.Matrix.from_coo([0, 7], [7, 9], [2, 3])
    folder = put(tmp_path, A)
    B, ids = sb.read(folder, compact=True, directed=False)
    assert ids.tolist() == [0, 7, 9] and B.nvals == 4 and B.dtype == "INT64"
    assert sb.read(folder, weights=False).dtype == "BOOL"
    assert sb.read(folder, dtype="INT8").dtype == "INT8"
    with pytest.raises(InvalidValue, match="mmap: expected no option"):
        sb.read(folder, mmap=True, directed=False)
    with pytest.raises(InvalidValue, match="one_based"):
        sb.read(folder, one_based=True)


def test_weights_that_are_asked_for_have_to_be_there(tmp_path: Path) -> None:
    put(tmp_path, sb.generate.path(5))
    with pytest.raises(FormatError, match="no weights"):
        sb.read(tmp_path / "graph.csr", weights=True)


@pytest.mark.parametrize("name", ["a.wsg", "a.sg.gz", "a.txt", "a.txt.gz", "a.mtx", "a.parquet"])
def test_other_formats_say_that_they_cannot_be_mapped(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidValue, match=r"mmap: the arrays of .*expected a CSR folder"):
        sb.read(tmp_path / name, mmap=True)


# -- searches --------------------------------------------------------------------------------------


def test_a_folder_without_its_second_half_has_owners_and_least_parents(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("0 1\n0 2\n1 3\n2 3\n4 3\n")
    sb.convert(tmp_path / "a.txt", tmp_path / "a.csr", transpose=False)
    A, B = sb.open_csr(tmp_path / "a.csr"), sb.read(tmp_path / "a.txt")
    assert sb.bfs(A, 0, parents="min").parents.isequal(sb.bfs(B, 0, parents="min").parents)
    assert sb.bfs(A, [4, 0]).owners.isequal(sb.bfs(B, [4, 0]).owners)


@pytest.mark.parametrize("name", SQUARE)
@pytest.mark.parametrize("how", ["memory", "parts"])
def test_searches_from_disk(
    tmp_path: Path, request: pytest.FixtureRequest, name: str, how: str
) -> None:
    if how == "parts":
        request.getfixturevalue("parts")
    graph = SQUARE[name]
    folder = put(tmp_path, matrix(graph))
    sources = sorted({0, graph.nrows // 2, graph.nrows - 1})
    for direction in ("auto", "push", "pull"):
        A = sb.open_csr(folder)
        found = sb.bfs(A, sources, direction=direction, trace=True)
        np.testing.assert_array_equal(
            found.levels.to_dense(fill_value=-1), bfs_levels(graph, sources)
        )
        sb.verify.bfs_tree(A, sources, found)
        assert {step.strategy for step in found.trace} <= {"parts" if how == "parts" else "threads"}
    many = sb.bfs_many(sb.open_csr(folder), sources)
    for row, source in zip(np.asarray(many.levels), sources, strict=True):
        np.testing.assert_array_equal(row, np.uint8(np.array(bfs_levels(graph, [source])) % 256))


@pytest.mark.parametrize("name", SQUARE)
def test_the_loop_of_products_from_disk(tmp_path: Path, name: str) -> None:
    graph = SQUARE[name]
    A = sb.open_csr(put(tmp_path, matrix(graph)))
    for direction in ("auto", "push", "pull"):
        frontier, levels, depth = sb.Vector(bool, A.nrows), sb.Vector(int, A.nrows), 0
        frontier[0] = True
        while frontier.nvals:
            levels(frontier.S) << depth
            frontier(~levels.S, sb.replace, direction=direction) << sb.semiring.any_pair(
                frontier @ A
            )
            depth += 1
        np.testing.assert_array_equal(levels.to_dense(fill_value=-1), bfs_levels(graph, [0]))


def test_the_trace_says_what_is_read(tmp_path: Path, parts: None) -> None:
    A = sb.open_csr(put(tmp_path, sb.generate.kronecker(8, 8, seed=1)))
    degrees = np.diff(A._data.indptr)
    found = sb.bfs(A, int(np.argmax(degrees == 3)), trace=True)
    levels = found.levels.to_dense(fill_value=-1)
    for step, line in enumerate(found.trace):
        if line.direction == "push":
            assert line.read == 4 * degrees[levels == step].sum()
        else:
            open_rows = 4 * degrees[(levels < 0) | (levels > step)].sum()
            assert open_rows <= line.read <= 4 * A.nvals
    assert {line.direction for line in found.trace} == {"push", "pull"}


def one_way(folder: Path) -> Path:
    """A directed graph without its second half."""
    made = put(folder, sb.Matrix.from_coo([0, 1, 2, 2], [1, 2, 3, 0], True, nrows=4))

    def forget(header: dict[str, Any]) -> None:
        header["transpose"] = "absent"

    resealed(made, forget)
    return made


@pytest.mark.parametrize("how", ["memory", "parts"])
def test_without_a_second_half_searches_push(
    tmp_path: Path, request: pytest.FixtureRequest, how: str
) -> None:
    if how == "parts":
        request.getfixturevalue("parts")
    folder = one_way(tmp_path)
    A = sb.open_csr(folder)
    assert sb.bfs(A, 0).levels.to_dense().tolist() == [0, 1, 2, 3]
    with pytest.raises(InvalidValue, match="has no second half"):
        sb.bfs(A, 0, direction="pull")
    with pytest.raises(InvalidValue, match="has no second half"):
        A.T.new()
    q = sb.Vector.from_coo([0], True, size=4)
    for _ in range(100):  # nor does any number of products make it in memory
        assert (q @ A).new().to_coo()[0].tolist() == [1]
        assert (A @ q).new().to_coo()[0].tolist() == [2]
    B = sb.read(folder)
    assert sb.bfs(B, 0, direction="pull").depth == 3 and not isinstance(B._data, OnDiskMatrix)


# -- memory ----------------------------------------------------------------------------------------

VERTICES, DEGREE = 1 << 17, 256


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with 128 MiB of columns."""
    return circulant(tmp_path_factory.mktemp("large"), VERTICES, DEGREE)


LARGE = """
import os, resource, sys, threading
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
threading.stack_size(1 << 20)  # which RLIMIT_DATA counts, used or not
import numpy as np, spbfs as sb
from spbfs.planner import search as planner
from tests.on_disk import data_bytes, peak_anonymous

sb.bfs(sb.generate.path(9), 0), sb.bfs_many(sb.generate.path(9), [0, 1])  # what is loaded once
folder, n, degree = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
size = 4 * n * degree
limit = data_bytes() + size // 4
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
A = sb.open_csr(folder)
expected = np.minimum(-(-np.arange(n) // (degree // 2)), -(-(n - np.arange(n)) // (degree // 2)))
with peak_anonymous() as peak:
"""


@pytest.mark.parametrize(
    "search",
    [
        "found = sb.bfs(A, 0, threads=2).levels.to_dense()",
        "planner.DISK_SHARE = 0.0\nfound = sb.bfs(A, 0, threads=2).levels.to_dense()",
        "found = np.asarray(sb.bfs_many(A, [0, 5], threads=2, max_depth=9).levels)[0]\n"
        "expected[expected > 9] = 255",
        """
q = sb.Vector.from_coo([0], True, size=n)
levels = sb.Vector("INT32", n)
for depth in range(6):
    levels(q.S) << depth
    way = "push" if depth % 2 else "pull"
    q(~levels.S, sb.replace, direction=way, threads=2) << sb.semiring.any_pair(q @ A)
found = levels.to_dense(fill_value=-1)
expected[expected > 5] = -1
""",
    ],
    ids=["bfs", "bfs over parts", "bfs_many", "products"],
)
def test_with_a_heap_of_a_quarter_of_the_graph(large: Path, search: str) -> None:
    """Of 128 MiB of columns; and of that quarter they use half at most."""
    check = """
    assert peak.bytes < size // 8, (peak.bytes, size)
    np.testing.assert_array_equal(found, expected)
    try:
        sb.read(folder)
    except sb.exceptions.OutOfMemory:
        print("right")
    """
    program = LARGE + textwrap.indent(search.strip(), "    ") + "\n"
    done = finished(program, check, large, VERTICES, DEGREE)
    assert done.returncode == 0 and done.stdout == "right\n", done.stderr


# -- folders that lie ------------------------------------------------------------------------------


def lying(folder: Path, name: str, at: int, number: int) -> Path:
    """A folder in which one number is another, as the checksums say, too."""
    made = put(folder, sb.generate.kronecker(6, 8, seed=3))
    array = np.memmap(made / name, "<i8" if "offsets" in name else "<i4", "r+")
    array[at] = number
    del array
    resealed(made)
    return made


LIES = [
    ("offsets", 3, -1),
    ("offsets", 3, 1 << 40),
    ("offsets", 0, 4),
    ("offsets", -1, 1 << 40),
    ("columns", 9, -1),
    ("columns", 9, 64),
    ("columns", 9, 2**31 - 1),
    ("columns", 9, -(2**31)),
]


@pytest.mark.parametrize(("name", "at", "number"), LIES)
def test_arrays_that_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, at: int, number: int
) -> None:
    folder = lying(tmp_path, name, at, number)
    calls = [
        lambda: sb.open_csr(folder, verify=True),
        lambda: sb.read(folder),
        lambda: sb.bfs(sb.open_csr(folder), 0),
        lambda: sb.bfs_many(sb.open_csr(folder), [0]),
        lambda: (sb.Vector.from_dense(np.ones(64)) @ sb.open_csr(folder)).new(),
        lambda: sb.open_csr(folder).T.new(),
        lambda: repr(sb.open_csr(folder)),
        lambda: sb.pagerank(sb.open_csr(folder)),
    ]
    for share in (planner.DISK_SHARE, 0.0):
        monkeypatch.setattr(planner, "DISK_SHARE", share)
        for call in calls:
            with pytest.raises(FormatError, match=f"{name}|columns"):
                call()


def test_checksums_and_halves(tmp_path: Path) -> None:
    folder = put(tmp_path, sb.Matrix.from_coo([0, 1, 2, 2], [1, 2, 3, 0], True, nrows=4))
    with open(folder / "transpose.columns", "r+b") as file:
        file.write(b"\1")
    with pytest.raises(FormatError, match="another checksum"):
        sb.open_csr(folder, verify=True)
    resealed(folder)
    sb.open_csr(folder)
    with pytest.raises(FormatError, match="second half is not the transpose"):
        sb.open_csr(folder, verify=True)

    def boast(header: dict[str, Any]) -> None:
        header["symmetric"], header["transpose"] = True, "itself"

    resealed(folder, boast)
    with pytest.raises(FormatError, match="called symmetric"):
        sb.open_csr(folder, verify=True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nrows", -1),
        ("nrows", 5.0),
        ("nrows", True),
        ("nvals", 1 << 60),
        ("ncols", 7),
        ("dtype", "FP128"),
        ("dtype", 3),
        ("dtype", None),
        ("iso", 1),
        ("transpose", "perhaps"),
        ("block", 0),
        ("files", []),
        ("files", {"offsets": 3}),
        ("version", 2),
        ("format", "other"),
    ],
)
def test_headers_that_lie(tmp_path: Path, field: str, value: Any) -> None:
    folder = put(tmp_path, sb.generate.path(5))
    resealed(folder, lambda header: header.update({field: value}), files=field != "files")
    with pytest.raises(FormatError, match=r"header\.json"):
        sb.open_csr(folder)


def test_what_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        sb.open_csr(tmp_path / "none.csr")
    (tmp_path / "file.csr").write_text("0 1\n")
    with pytest.raises(FormatError, match="is a file"):
        sb.open_csr(tmp_path / "file.csr")
    (tmp_path / "empty.csr").mkdir()
    with pytest.raises(FormatError, match=r"has no header\.json"):
        sb.read(tmp_path / "empty.csr")
    folder = put(tmp_path, sb.generate.path(5))
    (folder / "columns").unlink()
    with pytest.raises(FormatError, match="missing"):
        sb.open_csr(folder)
    os.mkfifo(folder / "columns")
    with pytest.raises(FileError, match="not a regular file"):
        sb.open_csr(folder)
    (folder / "columns").unlink()
    (folder / "columns").write_bytes(b"12")
    with pytest.raises(FormatError, match="2 bytes; expected 32"):
        sb.open_csr(folder)
    for wrong in (3, "a\0b"):
        with pytest.raises(InvalidValue):
            sb.open_csr(wrong)
    with pytest.raises(InvalidValue, match="verify"):
        sb.open_csr(folder, verify=1)  # type: ignore[arg-type]


def test_a_file_cut_short_in_use_is_an_error_and_no_signal(tmp_path: Path) -> None:
    program = """
    import os, sys, numpy as np, spbfs as sb
    from spbfs.planner import search as planner
    from tests.on_disk import circulant
    folder = circulant(sys.argv[1], 1 << 12, 64)
    A, B, C = (sb.open_csr(folder) for _ in range(3))
    sb.bfs(B, 0)  # checks the arrays
    os.truncate(folder / "columns", 5000)
    planner.DISK_SHARE = 0.0
    calls = [
        lambda: sb.bfs(A, 0), lambda: sb.bfs(B, 0), lambda: sb.bfs_many(B, [0]),
        lambda: sb.bfs(C, 0, threads=2), lambda: (B @ sb.Vector.from_dense(np.ones(1 << 12))).new(),
    ]
    for call in calls:
        try:
            print(call())
        except sb.exceptions.FileError as error:
            print("lost" if "cut" in str(error) else error)
    """
    done = finished("", program, tmp_path)
    assert done.returncode == 0 and done.stdout == 5 * "lost\n", (done.stdout, done.stderr)
