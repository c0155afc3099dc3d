"""Parquet files of strangers: text that is none, numbers that lead nowhere."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

import spbfs as sb
from spbfs.exceptions import FileError, FormatError, OutOfMemory

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    offsets = pa.array([0, 1, 3, 4], pa.int32()).buffers()[1]
    names = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"a\xff\xfeb")])
    pq.write_table(pa.table({"source": names, "target": ["x", "y", "z"]}), tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=r"a\.parquet"):
        sb.read(tmp_path / "a.parquet")


def test_any_byte_may_be_another(tmp_path: Path) -> None:
    path = tmp_path / "b.parquet"
    columns = {"source": ["ann", "bob"], "target": ["bob", "cid"]}
    pq.write_table(pa.table(columns), path)
    sound = path.read_bytes()
    for at in range(len(sound)):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 0x80]) + sound[at + 1 :])
        with suppress(FormatError, OutOfMemory):
            assert sb.read(path).nrows <= 4


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1\0\0\0\0PAR1", b"PAR1" + b"\xff" * 50 + b"PAR1", b"0 1\n" * 9]
)
def test_what_is_no_parquet_is_so_by_its_content(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.parquet").write_bytes(content)
    with pytest.raises(FormatError, match=r"c\.parquet"):
        sb.read(tmp_path / "c.parquet")


def test_a_pipe_is_no_missing_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "d.parquet")
    with pytest.raises(FileError, match=r"d\.parquet: not a regular file"):
        sb.read(tmp_path / "d.parquet")
