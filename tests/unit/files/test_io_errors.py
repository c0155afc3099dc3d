"""Files from strangers: every way of being wrong has its typed error, its line and its reason."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from io_cases import VALID, gap_bytes, put, read, read_text

from spbfs.base import memory
from spbfs.exceptions import (
    DomainMismatch,
    FileError,
    FileMissing,
    FormatError,
    InvalidValue,
    OutOfMemory,
    SpbfsError,
)
from spbfs.io.files import source

MTX = "%%MatrixMarket matrix coordinate "

#: File name, content, and what the message must say.
MALFORMED: list[tuple[str, str | bytes, str]] = [
    # Edge lists.
    ("a.txt", "", "a.txt: the file is empty"),
    ("a.txt", "# only a comment\n\n", "holds no edges"),
    ("a.txt", "0 1\n1 x\n", "line 2: 'x' is not a vertex id"),
    ("a.txt", "# c\n\n0 1\n1\n", "line 4: the line has too few fields; expected 2"),
    ("a.txt", "0 1\n1 2 3\n", "line 2: the line has more than 2 fields, from '3' on"),
    ("a.txt", "7\n", "line 1: 1 fields"),
    ("a.txt", f"{MTX}real general\n3 3 1\n1 2 0.5\n", "line 1: starts as a Matrix Market file"),
    ("a.csv", f"{MTX}real general\n3 3 1\n1 2 0.5\n", "line 1: starts as a Matrix Market file"),
    ("a.txt", "ann bob\n", r"'ann' is not a vertex id; .* names are read from .*labels=True"),
    ("a.csv", "source;target\n0;1;2\n", "line 2: the line has more than 2 fields"),
    ("a.txt", "0 -1\n", "line 1: vertex id '-1' is negative"),
    ("a.txt", "0 1.0\n", "line 1: '1.0' is not a vertex id"),
    ("a.txt", "0 1e3\n", "'1e3' is not a vertex id"),
    ("a.txt", "nan 1\n", "'nan' is not a vertex id"),
    ("a.txt", "0x10 1\n", "'0x10' is not a vertex id"),
    ("a.txt", "0 9223372036854775808\n", "does not fit a 64-bit integer"),
    ("a.txt", "0 99999999999999999999999999\n", "does not fit a 64-bit integer"),
    ("a.txt", "0 9223372036854775807\n", "beyond 9223372036854775806"),
    ("a.txt", "0 1 nan\n", "line 1: 'nan' is not a weight"),
    ("a.txt", "0 1 1\n0 1 --5\n", "line 2: '--5' is not a weight"),
    ("a.txt", "0 1 +-5\n", "'[+]-5' is not a weight"),
    ("a.txt", "0 1 1e999\n", "line 1: '1e999' does not fit FP64"),
    ("a.txt", "0 1 -1e309\n", "'-1e309' does not fit FP64"),
    ("a.txt", "0 1 1" + "0" * 400 + ".5\n", "does not fit FP64"),
    ("a.txt", "0 1 1" + "0" * 400 + "\n", "does not fit a 64-bit integer"),
    ("a.txt", "0 1 5x\n", "'5x' is not a weight"),
    ("a.txt", "0 1 9223372036854775808\n", "does not fit a 64-bit integer"),
    ("a.txt", "0 1 123456789012345678901\n", "does not fit a 64-bit integer"),
    ("a.txt", b"\x00\x01\x02\xff" * 100, r"line 1: .*expected"),
    ("a.txt", b"0 1\n\xff\xfe\n", r"line 2: '\\xff\\xfe' is not a vertex id"),
    ("a.txt", "0 1\n" + "1" * 2_000_000, "longer than 1,048,576 bytes"),
    ("a.txt", "# " + "c" * 6_000_000, "longer than 1,048,576 bytes"),
    ("a.txt", "4000000000 1\n", "4,000,000,001 rows for 1 entries.*compact=True"),
    ("a.txt", "# Nodes: 999999999\n0 4000000000\n", "4,000,000,001 rows for 1 entries"),
    ("a.txt", f"# Nodes: {2**60 + 1}\n0 1\n", r"at most 2\*\*60 rows"),
    ("a.wel", "0 1\n", "no weight"),
    ("a.edges", "0,1\n2,\n", "line 2: an empty field is not a vertex id"),
    # CSV.
    ("a.csv", "\n\n", "holds no header"),
    ("a.csv", "name,colour,size,age\n", "does not name one 'source' and one 'target'"),
    ("a.csv", "source,target\n0;1\n", "line 2: '0;1' is not a vertex id"),
    ("a.csv", "source,target\n0,1,2\n", "line 2: the line has more than 2 fields"),
    ("a.csv", "source,target,weight\n0,1\n", "line 2: the line has too few fields"),
    ("a.csv", "source,target,weight\n0,1,\n", "line 2: an empty field is not a weight"),
    ("a.csv", 'source,target\n"0,1\n', "line 2: '\"0' is not a vertex id"),
    ("a.csv", 'source,target\n"0"x,1\n', "line 2"),
    ("a.csv", "a,b,source,c\n1,2,3,4\n", "does not name"),
    ("a.csv", "source,target,source\n1,2,3\n", "2 columns that may be the source, 'source'"),
    ("a.csv", "source,target,weight,cost\n1,2,3,4\n", "the weight, 'weight', 'cost'; columns="),
    ("a.csv", "weight,a,b\n1,2,3\n", "does not name one 'source' and one 'target'"),
    ("a.csv", "source;target;weight\n1;2;1,5\n", "line 2: '1,5' is .* a decimal point$"),
    # CSV with names.
    ("a.csv", "source,target\na,b\n\nb\n", "line 4: the line has too few fields; expected 2"),
    ("a.csv", "source,target\na,b\nb,c,7\n", "line 3: the line has more than 2 fields, from '7'"),
    ("a.csv", "source,target\na,b\n , c\n", "line 3: a vertex without a name"),
    ("a.csv", "source,target\na,b\n\xa0,c\n", "line 3: a vertex without a name"),
    ("a.csv", b"source,target\na,b\nb,\xff\n", "line 3: a name is not UTF-8"),
    ("a.csv", 'source,target\na,b\n"b"c,d\n', "line 3: '\"b\"c' does not end where its quotes do"),
    ("a.csv", 'source,target\na,"b\nc"\n"b,\nd,e\n', "line 4: the quotes .* are open"),
    ("a.csv", "source,target\na,b\nb\rc,d\n", "line 3: 'b' has a carriage return"),
    ("a.csv", f"source,target\na,b\nb,{'c' * 200_000}\n", "line 3: 'ccc.* 131,072 bytes"),
    *(
        ("a.csv", f'source,target\na,b\nb,"{text * 3_000_000}{end}', "line 3: .* 131,072 bytes")
        for text in ("c\n", "\r\n", '""\n', "\r\r\r\n")
        for end in ("", '"\n')
    ),
    ("a.csv", ",".join(["source"] * 300) + "\n", "more than 256 columns"),
    # DIMACS.
    ("a.gr", "c only\n", "no problem line"),
    ("a.gr", "a 1 2 3\n", "line 1: 'a 1 2 3'; expected 'p sp"),
    ("a.gr", "p max 2 1\na 1 2 3\n", "expected 'p sp"),
    ("a.gr", "p sp 2 -1\n", "size '-1' is not a count"),
    ("a.gr", "p sp 2 1\na 1 3 1\n", "line 2: vertex id '3' is beyond the 2 vertices promised"),
    ("a.gr", "p sp 2 1\na 0 1 1\n", "line 2: vertex id '0' is below 1"),
    ("a.gr", "p sp 2 2\na 1 2 1\n", "line 1: the header promises 2 entries, and the file holds 1"),
    (
        "a.gr",
        "p sp 2 1\na 1 2 1\na 2 1 1\n",
        "line 1: the header promises 1 entries, and the file holds more",
    ),
    ("a.gr", "p sp 2 1\nb 1 2 1\n", "line 2: the line starts with 'b'; expected 'a'"),
    ("a.gr", "p sp 2 1\na 1 2\n", "line 2: the line has too few fields"),
    ("a.gr", "p sp 2 1\np sp 2 1\n", "line 2: the line starts with 'p'"),
    # METIS.
    ("a.graph", "% c\n", "holds no header"),
    ("a.graph", "2\n", "line 1: '2'; expected 'VERTICES EDGES"),
    ("a.graph", "2 x\n2\n1\n", "header field 'x' is not a count"),
    ("a.graph", "2 1 5\n2\n1\n", "format '5' is not three digits"),
    ("a.graph", "2 1 0 3\n2\n1\n", "vertex weights are counted"),
    ("a.graph", "2 1\n3\n1\n", "line 2: neighbour '3' is beyond the 2 vertices"),
    ("a.graph", "2 1\n0\n1\n", "line 2: neighbour '0' is below 1"),
    ("a.graph", "2 1\n2\n-1\n", "line 3: '-1' is negative"),
    ("a.graph", "2 1\n2\n1.5\n", "line 3: '1.5' is not a vertex"),
    ("a.graph", "2 1\n2\n", "line 2: ends after 1 of 2 vertices"),
    ("a.graph", "2 1\n2\n1\n1\n", "line 4: '1' follows the line of the last vertex"),
    ("a.graph", "4 2\n2\n4\n2\n1\n", "graph: 1 lists 2 as its neighbour, and 2 does not list 1"),
    ("a.graph", "4 2\n\n1\n1 2\n3\n", "graph: 2 lists 1 as its neighbour, and 1 does not list 2"),
    ("a.graph", "3 1 1\n\n3 7\n2 5\n", "edge of 2 and 3 has the weight 7 in the line of 2, and 5"),
    ("a.graph", "2 2\n2\n1\n", "line 1: the header promises 2 edges, and the 2 neighbours make 1"),
    ("a.graph", "3 1\n2\n\n\n", "promises 1 edges, and the 1 neighbours make no undirected"),
    ("a.graph", "2 1 1\n2 5\n1\n", "line 3: the line ends where a number is missing"),
    ("a.graph", "2 1 1\n2 0.5\n1 0.5\n", "line 2: '0.5' is not a weight; METIS"),
    ("a.graph", "2 1 10 3\n1 1\n1 1 1 1\n", "line 2: the line ends where a number is missing"),
    ("a.graph", "999999999999 0\n\n", "ends after"),
    ("a.graph", "2 1\n" + "2" * 2_000_000, "longer than 1,048,576"),
    # Matrix Market.
    ("a.mtx", "2 2 1\n1 1\n", "line 1: starts with '2 2 1'; expected '%%MatrixMarket'"),
    ("a.mtx", "%%MatrixMarket matrix\n", "expected '%%MatrixMarket matrix LAYOUT"),
    ("a.mtx", "%%MatrixMarket matrix sparse real general\n", "'sparse' is none of"),
    ("a.mtx", MTX + "quaternion general\n", "'quaternion' is none of"),
    ("a.mtx", MTX + "real round\n", "'round' is none of"),
    ("a.mtx", MTX + "pattern skew-symmetric\n", "cannot be a pattern"),
    ("a.mtx", MTX + "real hermitian\n", "hermitian matrix is complex"),
    ("a.mtx", MTX + "real general\n% c\n", "ends before the line of sizes"),
    ("a.mtx", MTX + "real general\n2 2\n", "line 2: 2 sizes; a coordinate file has 3"),
    ("a.mtx", MTX + "real general\n2 2 1.5\n", "size '1.5' is not a count"),
    (
        "a.mtx",
        MTX + f"integer skew-symmetric\n2 2 1\n2 1 {-(2**63)}\n",
        "skew-symmetric, and -9223372036854775808 has no opposite",
    ),
    ("a.mtx", MTX + "real general\n2 2 99999999999999999999\n", "is not a count"),
    ("a.mtx", MTX + "real symmetric\n2 3 0\n", "symmetric, yet 2 x 3"),
    ("a.mtx", MTX + "real general\n2 2 2\n1 1 1\n", "line 2: .* 2 entries, and the file holds 1"),
    (
        "a.mtx",
        MTX + "real general\n2 2 0\n1 1 1\n",
        "line 2: .* 0 entries, and the file holds more",
    ),
    ("a.mtx", MTX + "real general\n2 2 999999999999999\n1 1 1\n", "entries, and the file holds 1"),
    ("a.mtx", MTX + "real general\n2 3 1\n3 1 1\n", "line 3: vertex id '3' is beyond the 2 x 3"),
    ("a.mtx", MTX + "real general\n2 3 1\n0 1 1\n", "line 3: vertex id '0' is below 1"),
    ("a.mtx", MTX + "real general\n2 2 1\n1 1\n", "line 3: the line has too few fields"),
    ("a.mtx", MTX + "integer general\n2 2 1\n1 1 1.5\n", "promises integers"),
    ("a.mtx", MTX + "real skew-symmetric\n2 2 1\n2 2 1\n", r"diagonal entry \(2, 2\)"),
    ("a.mtx", MTX + "real general\n1 1152921504606846977 0\n", r"at most 2\*\*60 rows and columns"),
    (
        "a.mtx",
        "%%MatrixMarket matrix array real general\n9999999 9999999\n1\n",
        "entries, and the file holds 1",
    ),
    ("a.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\nx\n", "line 4: 'x' is not a"),
    ("a.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2x\n", "line 4: '2x' is not a"),
    ("a.mtx", "%%MatrixMarket matrix array real general\n2 1\n1_0\n2\n", "line 3: '1_0' is not a"),
    ("a.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\0\n2\n", "line 3: .* is not a"),
    (
        "a.mtx",
        "%%MatrixMarket matrix array real general\n2 1\n1\n",
        "entries, and the file holds 1",
    ),
    ("a.mtx", "%%MatrixMarket matrix array integer general\n1 1\n2.5\n", "promises integers"),
    ("a.mtx", "%%MatrixMarket matrix array real general\n2 1\n1 1 1 1 1 1\n", "more than 1 fields"),
    ("a.mtx", "%%MatrixMarket matrix array real general\n1 1\nnan\n", "line 3: 'nan' is not a"),
    (
        "a.mtx",
        "%%MatrixMarket matrix array real general\n0 2\n0\n1\n",
        " 0 entries, and the file holds more",
    ),
    (
        "a.mtx",
        "%%MatrixMarket matrix array real general\n2 0\n1\n",
        " 0 entries, and the file holds more",
    ),
    (
        "a.mtx",
        "%%MatrixMarket matrix array real skew-symmetric\n1 1\n1\n",
        " 0 entries, and the file holds more",
    ),
    # Compressed.
    ("a.txt.gz", "", "holds no edges"),
    ("a.txt", gzip.compress(b"0 1\n", mtime=0), "holds gzip data; its name should end in .gz"),
    # GAP.
    ("a.sg", b"\x00" * 10, "truncated: 10 bytes of the header, which should have 17"),
    ("a.sg", b"\x02" + b"\0" * 24, "directed flag, is 2"),
    ("a.sg", b"\0" + np.array([0, -1], "<i8").tobytes(), "-1 vertices"),
    ("a.sg", b"\0" + np.array([-1, 0, 0], "<i8").tobytes(), "-1 entries"),
    ("a.sg", b"\0" + np.array([10**12, 2, 0, 0, 0], "<i8").tobytes(), "entries take"),
    ("a.sg", b"\0" + np.array([1, 2**31 - 1, 0], "<i8").tobytes(), "entries take"),
    ("a.sg", gap_bytes(False, [[1], [0]]) + b"\0", "entries take"),
    ("a.sg", gap_bytes(False, [[1], [2]]), "neighbour 2 is not one of the 2"),
    ("a.sg", gap_bytes(False, [[1], [-5]]), "neighbour -5 is not one of the 2"),
    ("a.sg", b"\0" + np.array([1, 2, 0, 5, 1, 0], "<i8").tobytes()[:-4], "do not rise"),
    ("a.sg", gap_bytes(True, [[1], [0]]), "entries take"),
    ("a.wsg", gap_bytes(False, [[1], [0]]), "entries take"),
    ("a.sg.gz", gap_bytes(True, [[1], [0]]), "truncated: the transpose"),
    ("a.sg.gz", gap_bytes(False, [[1], [0]]) + b"\0", "goes on after the last neighbour"),
    (
        "a.sg.gz",
        b"\0" + np.array([10**6, 2, 0, 5, 10**6], "<i8").tobytes(),
        "truncated: 0 bytes of",
    ),
    # NumPy archives.
    ("a.npz", b"PK\x03\x04 and then junk", "not a readable .npz archive"),
    ("a.npz", b"junk", "not a readable .npz archive"),
]


@pytest.mark.parametrize(("name", "content", "reason"), MALFORMED)
def test_malformed(tmp_path: Path, name: str, content: str | bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read_text(tmp_path, name, content)
    message = str(caught.value)
    assert name in message and "\n" not in message and len(message) < 600


@pytest.mark.parametrize("case", [c for c in VALID if not c.startswith("npz")])
def test_truncated_gzip(tmp_path: Path, case: str) -> None:
    name, content, _ = VALID[case]
    whole = gzip.compress(content)
    path = tmp_path / f"{name}.gz"
    for kept in (len(whole) - 1, len(whole) - 8, 12, 5, 1):
        path.write_bytes(whole[:kept])
        with pytest.raises(FormatError, match="gzip"):
            read(path)


def test_damaged_gzip(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(b"0 1\n" * 100))
    whole[-6] ^= 1  # the check sum
    path = tmp_path / "a.txt.gz"
    path.write_bytes(whole)
    with pytest.raises(FormatError, match="damaged gzip"):
        read(path)
    path.write_bytes(b"0 1\n")
    with pytest.raises(FormatError, match="is not a gzip file"):
        read(path)


def test_the_line_of_an_error_deep_in_a_long_file(tmp_path: Path) -> None:
    body = b"".join(b"%d %d\n" % (i, i + 1) for i in range(1_000_000))
    path = put(tmp_path, "a.txt", b"# c\n" + body + b"1 2\noops 3\n" + body)
    with pytest.raises(FormatError, match="line 1000003: 'oops'"):
        read(path)


def test_no_such_file_directory_device(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"nowhere\.txt"):
        read(tmp_path / "nowhere.txt")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nowhere.txt")
    folder = tmp_path / "folder.txt"
    folder.mkdir()
    with pytest.raises(FileError, match="directory"):
        read(folder)
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    with pytest.raises(FileError, match="regular file"):
        read(pipe)
    with pytest.raises(InvalidValue, match="path"):
        read(tmp_path / "nul\0.txt")


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "a.txt", "0 1\n")

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(FileError, match=r"cannot be read: Permission denied"):
        read(path)


@pytest.mark.parametrize("name", ["a.xyz", "a.gz", "a.txt.bz2", ".txt.zip"])
def test_unknown_extension(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidValue, match=r"path: .*extension.*\.mtx"):
        read(tmp_path / name)


@pytest.mark.parametrize("path", [None, 3, "", b"", b"\xff.txt", ["a.txt"]])
def test_path_of_a_wrong_type(path: Any) -> None:
    with pytest.raises(SpbfsError, match="path"):
        read(path)


def test_unknown_dtype(tmp_path: Path) -> None:
    with pytest.raises(DomainMismatch, match="dtype: 'int7'"):
        read_text(tmp_path, "a.txt", "0 1\n", dtype="int7")


# ---- Bombs ----


def test_gzip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "UNQUESTIONED", 1 << 24)
    put(tmp_path, "a.txt.gz", b"0 1\n" + b"\n" * (1 << 25))
    with pytest.raises(FormatError, match="expands to more than 200 times"):
        read(tmp_path / "a.txt.gz")


def test_entries_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 20)
    monkeypatch.setattr(memory, "UNQUESTIONED", 0)
    path = put(tmp_path, "a.txt", b"0 1\n" * 200_000)
    with pytest.raises(OutOfMemory, match=r"reading .*a\.txt needs [\d,]+ bytes and 1,048,576"):
        read(path)


def test_offsets_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spbfs.io.formats.entries.available_bytes", lambda: 1 << 20)
    with pytest.raises(OutOfMemory, match=r"1,000,001 rows .*compact=True"):
        read_text(tmp_path, "a.txt", "0 1000000\n")
