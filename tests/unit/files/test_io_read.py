"""Reading valid files: every format, and what the options do."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from io_cases import VALID, check_canonical, gap_bytes, listed, npz_bytes, put, read, read_text

from spbfs.exceptions import DomainMismatch, FormatError, InvalidValue
from spbfs.io.files import source as source_module
from spbfs.io.formats.entries import ReadOptions
from spbfs.io.formats.registry import extensions, load


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("case", VALID)
def test_every_format(tmp_path: Path, case: str, suffix: str) -> None:
    name, content, entries = VALID[case]
    A = read_text(tmp_path, name + suffix, content)
    check_canonical(A)
    assert listed(A) == entries


def test_no_format_is_without_a_case() -> None:
    assert {Path(name).suffix for name, _, _ in VALID.values()} == set(extensions())


@pytest.mark.parametrize("case", VALID)
def test_pieces_may_be_cut_anywhere(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A piece of 7 bytes cuts every line, number and comment somewhere.
    name, content, entries = VALID[case]
    monkeypatch.setattr(source_module, "PIECE", 7)
    assert listed(read_text(tmp_path, name, content)) == entries
    assert listed(read_text(tmp_path, name + ".gz", content)) == entries


@pytest.mark.parametrize("piece", [1, 5, 1 << 20])
@pytest.mark.parametrize("suffix", [".txt", ".csv"])
def test_blank_lines_are_passed_over_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, piece: int
) -> None:
    monkeypatch.setattr(source_module, "PIECE", piece)
    path = tmp_path / f"a{suffix}"
    blank = "\n \t\n\r\n" * 50
    path.write_text(f"{blank}# Nodes: 5\n{blank}0,1\n{blank}1,2\n{blank}")
    assert listed(read(path)) == [(0, 1), (1, 2)]
    path.write_text(f"{blank}0,1\n{blank}1,x\n")
    with pytest.raises(FormatError, match="line 302: 'x' is not a vertex"):
        read(path)


def test_many_blank_lines_before_edges_take_few_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[Any] = []
    taken = source_module.Text._taken
    monkeypatch.setattr(source_module.Text, "_taken", lambda *of: lines.append(of) or taken(*of))
    path = tmp_path / "a.txt"
    path.write_text("\n" * 5000 + "0 1\n")
    assert read(path).nvals == 1
    assert len(lines) < 5


@pytest.mark.parametrize("case", VALID)
def test_without_weights_everything_is_a_pattern(tmp_path: Path, case: str) -> None:
    name, content, entries = VALID[case]
    A = read_text(tmp_path, name, content, weights=False)
    assert listed(A) == [e[:2] for e in entries] and A.values.strides == (0,)


@pytest.mark.parametrize("case", VALID)
def test_insisting_on_weights(tmp_path: Path, case: str) -> None:
    name, content, entries = VALID[case]
    if len(entries[0]) == 3 or name.endswith(".npz"):
        A = read_text(tmp_path, name, content, weights=True)
        assert [e[:2] for e in listed(A)] == [e[:2] for e in entries]
    else:
        with pytest.raises(FormatError, match="weight"):
            read_text(tmp_path, name, content, weights=True)


@pytest.mark.parametrize(
    ("case", "dtype"),
    [
        ("snap", "BOOL"),
        ("snap weights", "INT64"),
        ("wel", "FP64"),
        ("npz", "INT16"),
        ("wsg", "INT64"),
    ],
)
def test_value_types(tmp_path: Path, case: str, dtype: str) -> None:
    from spbfs.operators.dtypes import lookup_dtype

    name, content, _ = VALID[case]
    assert lookup_dtype(read_text(tmp_path, name, content).values.dtype) == dtype


def test_vertices_come_from_the_greatest_id_or_the_comment(tmp_path: Path) -> None:
    assert read_text(tmp_path, "a.txt", "3 1\n").nrows == 4
    assert read_text(tmp_path, "a.txt", "# Nodes: 9 Edges: 1\n3 1\n").nrows == 9
    assert read_text(tmp_path, "a.txt", "# Nodes: 2 Edges: 1\n3 1\n").nrows == 4
    assert read_text(tmp_path, "a.txt", "# Nodes: 3 Edges: 0\n").nrows == 3


def test_duplicates_and_loops(tmp_path: Path) -> None:
    assert listed(read_text(tmp_path, "a.txt", "1 1\n0 1\n0 1\n")) == [(0, 1), (1, 1)]
    graph = read_text(tmp_path, "a.txt", "1 1 4\n0 1 9\n0 1 3\n0 1 5\n")
    assert listed(graph) == [(0, 1, 3), (1, 1, 4)]
    header = "%%MatrixMarket matrix coordinate integer general\n2 2 3\n"
    assert listed(read_text(tmp_path, "a.mtx", header + "1 2 9\n1 2 3\n2 2 1\n")) == [
        (0, 1, 12),
        (1, 1, 1),
    ]


def test_undirected_on_request(tmp_path: Path) -> None:
    A = read_text(tmp_path, "a.txt", "0 1 5\n1 0 4\n2 2 1\n2 1 8\n", directed=False)
    assert listed(A) == [(0, 1, 4), (1, 0, 4), (1, 2, 8), (2, 1, 8), (2, 2, 1)]
    header = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n"
    with pytest.raises(InvalidValue, match=r"directed.*square"):
        read_text(tmp_path, "a.mtx", header, directed=False)


def test_semicolons(tmp_path: Path) -> None:
    A = read_text(tmp_path, "a.csv", "# a comment\nfrom;to;cost\n1;2;0.5\n3;1;2\n", weights=True)
    assert listed(A) == [(1, 2, 0.5), (3, 1, 2)]
    assert listed(read_text(tmp_path, "a.csv", "0;1\n1;2\n")) == [(0, 1), (1, 2)]
    commas = read_text(tmp_path, "a.csv", "source,target,a;b\n0,1,2\n", weights=False)
    assert listed(commas) == [(0, 1)]


def test_one_based(tmp_path: Path) -> None:
    A = read_text(tmp_path, "a.csv", "source,target\n1,2\n3,1\n", one_based=True)
    assert listed(A) == [(0, 1), (2, 0)]
    with pytest.raises(FormatError, match=r"line 2.*'0' is below 1"):
        read_text(tmp_path, "a.txt", "1 2\n0 1\n", one_based=True)
    with pytest.raises(InvalidValue, match="one_based"):
        read_text(tmp_path, "a.gr", "p sp 1 0\n", one_based=True)


def test_compact_gives_labels(tmp_path: Path) -> None:
    big = 2**62
    path = put(tmp_path, "a.txt", f"{big} 7\n7 5000000000\n")
    A, labels = load(path, ReadOptions(compact=True), None)
    assert labels.tolist() == [7, 5_000_000_000, big] and labels.dtype == np.int64
    assert (A.nrows, A.ncols) == (3, 3) and listed(A) == [(0, 1), (2, 0)]
    path = put(tmp_path, "a.gr", "p sp 9 1\na 9 4 1\n")
    A, labels = load(path, ReadOptions(compact=True), None)
    assert labels.tolist() == [4, 9] and listed(A) == [(1, 0, 1)]


def test_64_bit_ids_between_narrow_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Pieces of one line each: the wide one comes between narrow ones.
    monkeypatch.setattr(source_module, "PIECE", 4)
    path = put(tmp_path, "a.txt", "0 1\n1 99999999999\n1 2\n")
    A, labels = load(path, ReadOptions(compact=True), None)
    assert labels.tolist() == [0, 1, 2, 99_999_999_999]
    assert listed(A) == [(0, 1), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("dtype", "text", "held"),
    [
        ("FP32", "0 1 2\n", [2.0]),
        ("UINT8", "0 1 255\n", [255]),
        ("INT8", "0 1 -3.0\n", [-3]),
        ("BOOL", "0 1 1\n", [True]),
        ("INT32", "0 1\n", [1]),
    ],
)
def test_dtype(tmp_path: Path, dtype: str, text: str, held: list[Any]) -> None:
    A = read_text(tmp_path, "a.txt", text, dtype=dtype)
    assert A.values.tolist() == held


@pytest.mark.parametrize(
    ("dtype", "weight"),
    [
        ("UINT8", "256"),
        ("UINT64", "-1"),
        ("INT64", "0.5"),
        ("INT64", "1e30"),
        ("INT32", "inf"),
        ("FP32", "1e300"),
        ("BOOL", "2"),
    ],
)
def test_dtype_that_would_change_a_weight(tmp_path: Path, dtype: str, weight: str) -> None:
    with pytest.raises(DomainMismatch, match="dtype"):
        read_text(tmp_path, "a.txt", f"0 1 {weight}\n", dtype=dtype)


def test_weights_turn_real_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "0 1 1\n0 2 2\n0 3 2.5\n0 4 3\n"
    expected = [(0, 1, 1.0), (0, 2, 2.0), (0, 3, 2.5), (0, 4, 3.0)]
    assert listed(read_text(tmp_path, "a.txt", text)) == expected
    monkeypatch.setattr(source_module, "PIECE", 6)
    assert listed(read_text(tmp_path, "a.txt", text)) == expected


def test_extreme_weights(tmp_path: Path) -> None:
    text = "0 0 -9223372036854775808\n0 1 9223372036854775807\n"
    assert read_text(tmp_path, "a.txt", text).values.tolist() == [-(2**63), 2**63 - 1]
    text = "0 0 -inf\n0 1 5e-324\n0 2 1.7976931348623157e308\n0 3 123456789012345678901.0\n"
    values = read_text(tmp_path, "a.txt", text).values.tolist()
    assert values == [-np.inf, 5e-324, 1.7976931348623157e308, 123456789012345678901.0]
    tiny = ["1e-400", "-1e-400", "0." + "0" * 400 + "1", "0.0001e-99999999999999999999"]
    tiny.append("1" + "0" * 100 + ".5e-500")
    text = "".join(f"0 {i} {weight}\n" for i, weight in enumerate(tiny))
    values = read_text(tmp_path, "a.txt", text).values.tolist()
    assert list(map(str, values)) == ["0.0", "-0.0", "0.0", "0.0", "0.0"]


def test_more_columns_than_three(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "0 1 5 1286668800\n1 0 6 1286668801\n")
    assert listed(read(path, weights=True)) == [(0, 1, 5), (1, 0, 6)]
    assert listed(read(path, weights=False)) == [(0, 1), (1, 0)]
    with pytest.raises(FormatError, match=r"line 1: 4 fields.*weights=True"):
        read(path)


def test_titles_of_several_weights_where_none_is_wanted(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", "source,target,weight,cost\n0,1,5,6\n1,0,x,y\n")
    assert listed(read(path, weights=False)) == [(0, 1), (1, 0)]


def test_hermitian_pattern(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 -1\n"
    assert listed(read_text(tmp_path, "a.mtx", text, weights=False)) == [(0, 0), (0, 1), (1, 0)]
    with pytest.raises(DomainMismatch, match="complex"):
        read_text(tmp_path, "a.mtx", text)


def test_npz_index_types_and_order(tmp_path: Path) -> None:
    S = scipy.sparse.csr_array(
        (np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3)
    )
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    assert listed(read_text(tmp_path, "a.npz", npz_bytes(S))) == [(0, 0, 2.0), (0, 2, 5.0)]


def test_rows_in_any_order_with_duplicates(tmp_path: Path) -> None:
    A = read_text(tmp_path, "a.sg", gap_bytes(False, [[1, 1], [1, 0], []]))
    check_canonical(A)
    assert listed(A) == [(0, 1), (1, 0), (1, 1)] and A.nrows == 3
    A = read_text(tmp_path, "a.wsg", gap_bytes(False, [[], [(1, 9), (0, 5), (1, 3)]]))
    assert listed(A) == [(1, 0, 5), (1, 1, 3)]


def test_gzip_of_several_members_and_padding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"0 1\n1 ") + gzip.compress(b"2\n") + b"\0" * 512)
    assert listed(read(path)) == [(0, 1), (1, 2)]


def test_a_line_longer_than_a_piece(tmp_path: Path) -> None:
    # METIS puts a vertex's neighbours in one line, however many there are.
    n = 900_000
    center = " ".join(str(i) for i in range(2, n + 1))
    A = read_text(tmp_path, "a.graph", f"{n} {n - 1}\n{center}\n" + "1\n" * (n - 1))
    check_canonical(A)
    assert int(A.indptr[1]) == n - 1 and A.nvals == 2 * (n - 1)


@pytest.mark.parametrize("body", ["3 2\n2\n1 3\n2\n", "3 2 1\n2 7\n1 7 3 5\n2 5\n"])
def test_a_file_that_lists_both_ends_makes_a_graph_that_is_known_as_symmetric(
    tmp_path: Path, body: str
) -> None:
    assert read_text(tmp_path, "a.graph", body).derived.symmetric


def test_a_long_file_in_order(tmp_path: Path) -> None:
    # Several pieces, several threads: what comes out is what went in.
    rng = np.random.default_rng(5)
    ids = rng.integers(10**6, size=(700_000, 2))
    body = "\n".join(f"{u} {v}" for u, v in ids.tolist())
    A = read_text(tmp_path, "a.txt", body)
    check_canonical(A)
    expected = np.unique(ids[:, 0] * A.ncols + ids[:, 1])
    rows = np.repeat(np.arange(A.nrows), np.diff(A.indptr))
    assert np.array_equal(rows * A.ncols + A.indices, expected)


def test_progress_is_quiet_unless_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "a.txt", "0 1\n")
    load(path, ReadOptions(), None)
    load(path, ReadOptions(), False)
    assert capsys.readouterr() == ("", "")
    load(path, ReadOptions(), True)
    out, err = capsys.readouterr()
    assert out == "" and "reading a.txt" in err


@pytest.mark.parametrize("sizes", ["0 0", "0 3", "3 0"])
@pytest.mark.parametrize("field", ["real", "integer"])
def test_arrays_of_nothing(tmp_path: Path, sizes: str, field: str) -> None:
    A = read_text(tmp_path, "a.mtx", f"%%MatrixMarket matrix array {field} general\n{sizes}\n\n")
    assert [A.nrows, A.ncols] == [int(side) for side in sizes.split()]
    assert A.nvals == 0 and A.values.dtype == (np.float64 if field == "real" else np.int64)
