"""CSR folders of tests: made without an engine, sealed again after damage; and memory, measured."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common.peak import peak_anonymous, status_bytes
from spbfs.io.mapped.csr_header import BLOCK, HEADER, FileRecord, Header, header_text

__all__ = ["circulant", "data_bytes", "peak_anonymous", "resealed", "sums"]


def sums(content: bytes, block: int) -> list[int]:
    return [zlib.crc32(content[at : at + block]) for at in range(0, len(content), block)]


def resealed(
    folder: Path, change: Callable[[dict[str, Any]], object] | None = None, *, files: bool = True
) -> None:
    """Make the header say of a folder what it holds now, and what `change` makes of it."""
    said = json.loads((folder / HEADER).read_text())
    said.pop("crc32", None)
    if files:
        for name in said["files"]:
            content = (folder / name).read_bytes()
            said["files"][name] = {"bytes": len(content), "crc32": sums(content, said["block"])}
    if change is not None:
        change(said)
    seal = zlib.crc32(json.dumps(said, sort_keys=True).encode())
    (folder / HEADER).write_text(json.dumps({**said, "crc32": seal}))


def circulant(folder: str | Path, n: int, degree: int) -> Path:
    """The graph in which everybody has as many neighbours on either side, in blocks of rows."""
    made = Path(folder) / "circulant.csr"
    made.mkdir()
    half = np.arange(1, degree // 2 + 1, dtype=np.int32)
    steps = np.concatenate((-half[::-1], half))
    with open(made / "columns", "wb") as file:
        for first in range(0, n, 1 << 12):
            rows = np.arange(first, min(first + (1 << 12), n), dtype=np.int32)
            np.sort((rows[:, None] + steps) % n, axis=1).astype("<i4").tofile(file)
    (np.arange(n + 1, dtype="<i8") * degree).tofile(made / "offsets")
    (made / "values").write_bytes(b"\1")
    header = Header(n, n, n * degree, "BOOL", True, True, "itself", BLOCK, {})
    for name in header.arrays():
        content = (made / name).read_bytes()
        header.files[name] = FileRecord(len(content), sums(content, BLOCK))
    (made / HEADER).write_text(header_text(header))
    assert asdict(header)["nvals"] == n * degree
    return made


def data_bytes() -> int:
    """What RLIMIT_DATA counts of this process."""
    return status_bytes("VmData")
