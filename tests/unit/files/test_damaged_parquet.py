"""Parquet files of strangers: text that is none, numbers that lead nowhere."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import spbfs as sb
from spbfs.exceptions import FormatError, SpbfsError

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
        with suppress(SpbfsError):
            assert sb.read(path).nrows <= 4
