"""Writing: what comes back is what was written, and what a format cannot hold is refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from io_cases import check_canonical, equal, gap_bytes, listed, matrix, read, write

from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    FileError,
    FileMissing,
    InvalidValue,
    SpbfsError,
)
from spbfs.io.files import sink
from spbfs.io.formats.registry import extensions, store
from spbfs.storage.data import MatrixData

TRIANGLE = matrix([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2])
ROUND_TRIP = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@st.composite
def matrices(draw: st.DrawFn, values: Any = None, square: bool = True) -> MatrixData:
    """Small matrices, empty rows and columns, loops and no entries at all among them."""
    nrows = draw(st.integers(0, 6))
    ncols = nrows if square else draw(st.integers(0, 6))
    cells = [(i, j) for i in range(nrows) for j in range(ncols)]
    places = draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
    held = None if values is None else [draw(values) for _ in places]
    if held is not None:
        held = np.array(held, np.float64 if any(isinstance(x, float) for x in held) else np.int64)
    return matrix([p[0] for p in places], [p[1] for p in places], held, (nrows, ncols))


INT64S = st.integers(-(2**63), 2**63 - 1)
INT32S = st.integers(-(2**31), 2**31 - 1)
REALS = st.floats(allow_nan=False)


def symmetric(A: MatrixData) -> MatrixData:
    """The entries of the lower triangle, both ways."""
    rows = np.repeat(np.arange(A.nrows), np.diff(A.indptr))
    low, off = rows >= A.indices, rows > A.indices
    r = np.concatenate((rows[low], A.indices[off]))
    c = np.concatenate((A.indices[low], rows[off]))
    v = None
    if A.values.dtype != bool:
        v = np.concatenate((A.values[low], A.values[off]))
    return matrix(r, c, v, (A.nrows, A.nrows))


def round_trip(folder: Path, name: str, A: MatrixData) -> None:
    path = folder / name
    write(path, A)
    B = read(path)
    check_canonical(B)
    assert equal(A, B) and A.values.dtype == B.values.dtype


@pytest.mark.parametrize("name", ["a.txt", "a.mtx", "a.npz", "a.sg", "a.txt.gz", "a.sg.gz"])
@ROUND_TRIP
@given(A=matrices())
def test_patterns(tmp_path: Path, name: str, A: MatrixData) -> None:
    round_trip(tmp_path, name, A)


@pytest.mark.parametrize("name", ["a.mtx", "a.npz", "a.mtx.gz"])
@ROUND_TRIP
@given(A=matrices(square=False))
def test_rectangular_patterns(tmp_path: Path, name: str, A: MatrixData) -> None:
    round_trip(tmp_path, name, A)


@pytest.mark.parametrize("name", ["a.txt", "a.mtx", "a.npz", "a.gr", "a.wel", "a.npz.gz"])
@ROUND_TRIP
@given(A=matrices(INT64S).filter(lambda A: A.nvals))
def test_integers(tmp_path: Path, name: str, A: MatrixData) -> None:
    round_trip(tmp_path, name, A)


@pytest.mark.parametrize("name", ["a.txt", "a.mtx", "a.npz", "a.gr", "a.wel"])
@ROUND_TRIP
@given(A=matrices(REALS).filter(lambda A: A.nvals))
def test_reals(tmp_path: Path, name: str, A: MatrixData) -> None:
    round_trip(tmp_path, name, A)


@ROUND_TRIP
@given(A=matrices(INT32S))
def test_gap_weights(tmp_path: Path, A: MatrixData) -> None:
    round_trip(tmp_path, "a.wsg", A)
    round_trip(tmp_path, "a.wsg", symmetric(A))


@pytest.mark.parametrize("block", [1, 2, 1 << 18])
@ROUND_TRIP
@given(A=matrices(), W=matrices(st.integers(0, 2**63 - 1)))
def test_metis(tmp_path: Path, block: int, A: MatrixData, W: MatrixData) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sink, "BLOCK", block)
        round_trip(tmp_path, "a.graph", symmetric(A))
        round_trip(tmp_path, "a.graph", symmetric(W))


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz"])
@ROUND_TRIP
@given(A=matrices(), W=matrices(REALS))
def test_csv(tmp_path: Path, name: str, A: MatrixData, W: MatrixData) -> None:
    for B in (A, W):
        used = {i for entry in listed(B) for i in entry[:2]}
        if B.nrows == max(used, default=-1) + 1 and (B.nvals or B is A):
            round_trip(tmp_path, name, B)
        else:
            refused = B.nrows != max(used, default=-1) + 1
            if refused:
                with pytest.raises(InvalidValue, match="CSV cannot hold vertices after"):
                    write(tmp_path / name, B)


@pytest.mark.parametrize(
    "dtype", "bool int8 int16 int32 uint8 uint16 uint32 uint64 float32".split()
)
def test_other_types(tmp_path: Path, dtype: str) -> None:
    values = np.array([0, 1, 1], dtype)
    if values.dtype.kind == "f":
        values = np.array([0.1, -np.inf, np.finfo(dtype).tiny], dtype)
    A = matrix([0, 0, 1], [0, 1, 1], values, (2, 2))
    round_trip(tmp_path, "a.npz", A)
    if dtype == "bool":
        return
    write(tmp_path / "a.txt", A)
    B = read(tmp_path / "a.txt", dtype=dtype)
    assert B.values.dtype == dtype and np.array_equal(A.values, B.values)
    # Without being asked for, the type is a wider one, and the values are the same.
    assert np.array_equal(read(tmp_path / "a.txt").values, A.values)


def test_one_weight_shared_by_all(tmp_path: Path) -> None:
    A = matrix([0, 1], [1, 0])
    A.values = np.broadcast_to(np.array([7]), (2,))
    for name in ("a.txt", "a.mtx", "a.gr", "a.graph", "a.wsg", "a.npz", "a.csv"):
        write(tmp_path / name, A)
        assert read(tmp_path / name).values.tolist() == [7, 7]
    directed = matrix([0, 0], [1, 2], shape=(3, 3))
    directed.values = np.broadcast_to(np.array([7]), (2,))
    write(tmp_path / "a.wsg", directed)
    assert listed(read(tmp_path / "a.wsg")) == [(0, 1, 7), (0, 2, 7)]


def test_others_read_what_is_written(tmp_path: Path) -> None:
    A = matrix([0, 1, 1], [2, 0, 2], np.array([1.5, 2.0, 1e-300]), (3, 3))
    S = scipy.sparse.csr_array((A.values, A.indices, A.indptr), shape=(3, 3)).toarray()
    write(tmp_path / "a.mtx", A)
    assert np.array_equal(scipy.io.mmread(tmp_path / "a.mtx").toarray(), S)
    write(tmp_path / "a.npz", A)
    assert np.array_equal(scipy.sparse.load_npz(tmp_path / "a.npz").toarray(), S)
    write(tmp_path / "a.csv", A)
    assert (tmp_path / "a.csv").read_text().splitlines()[:2] == ["source,target,weight", "0,2,1.5"]


def test_gap_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a.sg", TRIANGLE)
    assert (tmp_path / "a.sg").read_bytes() == gap_bytes(False, [[1, 2], [0, 2], [0, 1]])
    write(tmp_path / "a.sg", matrix([0, 0], [1, 2], shape=(3, 3)))
    assert (tmp_path / "a.sg").read_bytes() == gap_bytes(True, [[1, 2], [], []], [[], [0], [0]])
    write(tmp_path / "a.wsg", matrix([0, 1], [1, 0], np.array([5, 6])))
    assert (tmp_path / "a.wsg").read_bytes() == gap_bytes(
        True, [[(1, 5)], [(0, 6)]], [[(1, 6)], [(0, 5)]]
    )


def test_long_rows_and_many_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    keep = np.unique(rng.integers(300 * 300, size=5000))
    A = symmetric(matrix(keep // 300, keep % 300, shape=(300, 300)))
    star = symmetric(matrix(np.arange(1, 300), np.zeros(299, int), shape=(301, 301)))
    monkeypatch.setattr(sink, "BLOCK", 64)
    for B in (A, star):
        for name in ("a.txt", "a.graph", "a.sg", "a.mtx"):
            round_trip(tmp_path, name, B)


def test_equal_graphs_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.txt.gz", "a.npz", "a.sg.gz"):
        write(tmp_path / name, TRIANGLE)
        write(tmp_path / f"copy-{name}", TRIANGLE)
        assert (tmp_path / name).read_bytes() == (tmp_path / f"copy-{name}").read_bytes()


FLOATS = matrix([0, 1], [1, 0], np.array([0.5, 0.5]))
REFUSED: list[tuple[str, MatrixData, type[SpbfsError], str]] = [
    *(
        (f"a{e}", matrix([0], [2], np.array([1]), (2, 3)), DimensionMismatch, "2 x 3")
        for e in (".txt", ".csv", ".gr", ".graph", ".wsg", ".wel")
    ),
    *(
        (f"a{e}", matrix([0], [1], np.array([np.nan]), (2, 2)), InvalidValue, "NaN")
        for e in (".txt", ".csv", ".gr", ".mtx", ".wel")
    ),
    *(
        (f"a{e}", matrix([0], [1], np.array([2**63], np.uint64)), SpbfsError, "signed|square")
        for e in (".txt", ".mtx")
    ),
    *(
        (f"a{e}", matrix([0, 1], [1, 0], np.array([True, False])), DomainMismatch, "stored False")
        for e in (".txt", ".csv", ".gr", ".graph", ".mtx", ".sg")
    ),
    *(
        (f"a{e}", TRIANGLE, DomainMismatch, "needs a weight on every edge")
        for e in (".gr", ".wel", ".wsg")
    ),
    ("a.sg", matrix([0, 1], [1, 0], np.array([4, 4])), DomainMismatch, "holds no weights"),
    ("a.sg", matrix([0], [2], shape=(2, 3)), DimensionMismatch, "2 x 3"),
    ("a.wsg", FLOATS, DomainMismatch, "int32"),
    ("a.wsg", matrix([0], [0], np.array([2**31])), InvalidValue, "2147483648"),
    ("a.graph", FLOATS, DomainMismatch, "weights are integers"),
    ("a.graph", matrix([0, 1], [1, 0], np.array([-4, -4])), InvalidValue, "not negative"),
    ("a.graph", matrix([0], [1], shape=(2, 2)), InvalidValue, "not symmetric"),
    ("a.graph", matrix([0, 1], [1, 0], np.array([4, 5])), InvalidValue, "not symmetric"),
    ("a.csv", matrix([0], [1], shape=(3, 3)), InvalidValue, "after the last edge"),
    ("a.xyz", TRIANGLE, InvalidValue, "extension"),
]


@pytest.mark.parametrize(("name", "A", "error", "reason"), REFUSED)
def test_refused_and_nothing_changed(
    tmp_path: Path, name: str, A: MatrixData, error: type[SpbfsError], reason: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"precious")
    with pytest.raises(error, match=reason):
        write(path, A)
    assert path.read_bytes() == b"precious" and list(tmp_path.iterdir()) == [path]


def test_a_disk_that_fills_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"precious")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sink.Sink, "write", full)
    with pytest.raises(FileError, match=r"cannot be written: No space left"):
        write(path, TRIANGLE)
    assert path.read_bytes() == b"precious" and list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(FileError, match="directory"):
        write(tmp_path / "folder.txt", TRIANGLE)
    with pytest.raises(FileMissing, match="not a directory"):
        write(tmp_path / "nowhere" / "a.txt", TRIANGLE)
    with pytest.raises(FileError, match=r"/dev/null.*|regular"):
        (tmp_path / "null.txt").symlink_to("/dev/null")
        write(tmp_path / "null.txt", TRIANGLE)


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write(tmp_path / "link.txt", TRIANGLE)
    assert (tmp_path / "link.txt").is_symlink() and equal(read(tmp_path / "real.txt"), TRIANGLE)


def test_compressed_by_name(tmp_path: Path) -> None:
    write(tmp_path / "A.TXT.GZ", TRIANGLE)
    text = gzip.decompress((tmp_path / "A.TXT.GZ").read_bytes())
    assert text.startswith(b"# Nodes: 3 Edges: 6\n") and text.count(b"\n") == 8
    assert equal(read(tmp_path / "A.TXT.GZ"), TRIANGLE)


def test_every_extension_is_written_somewhere_here() -> None:
    source = Path(__file__).read_text()
    assert all(f"a{e}" in source for e in extensions() if e not in (".el", ".edges"))


def test_progress_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "a.txt", TRIANGLE)
    assert capsys.readouterr() == ("", "")
    store(tmp_path / "a.txt", TRIANGLE, True)
    assert "writing a.txt" in capsys.readouterr().err
