"""Half a CSR folder written from sorted entries, a part at a time, and gone on with later."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.io.conversion.external_sort import Entries, parted
from spbfs.io.mapped.csr_checks import entry_sum
from spbfs.io.mapped.csr_header import FileRecord, index_type
from spbfs.io.mapped.csr_writer import ArrayWriter, Written

__all__ = ["Half", "HalfWriter"]

Array = Any  # numpy.ndarray

#: Entries, and rows, that are made into numbers of a file at a time.
_PIECE = 1 << 18


@dataclass(slots=True)
class Half:
    """How far a half is.

    Attributes
    ----------
    until : int
        All entries with less keys are written.  It is no number of parts, which another call may
        cut otherwise: it may have other memory.
    entries, rows : int
        Entries and offsets that are written.
    files : dict
        How far each file is.
    sums : list of int
        `entry_sum` of the entries and of their mirror images, without values and with them.
    """

    until: int = 0
    entries: int = 0
    rows: int = 0
    files: dict[str, Written] = field(default_factory=dict)
    sums: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    @property
    def symmetric(self) -> bool:
        """Whether (j, i) is stored wherever (i, j) is."""
        return self.sums[0] == self.sums[1]

    @property
    def itself(self) -> bool:
        """Whether it is its own transpose, values included."""
        return self.symmetric and self.sums[2] == self.sums[3]


class HalfWriter:
    """The files of a half, `prefix` before their names.

    Parameters
    ----------
    folder : Path
    prefix : str
    n : int
        Vertices.
    values : numpy.dtype or None
    room : int
        Most entries that will come.
    half : Half
        How far it is; kept up to date.
    key : (int, int)
        Of the sums.
    """

    def __init__(
        self,
        folder: Path,
        prefix: str,
        n: int,
        values: np.dtype[Any] | None,
        room: int,
        half: Half,
        key: tuple[int, int],
    ) -> None:
        self._n, self._half, self._key = n, half, key
        kinds = {"offsets": (np.dtype("<i8"), n + 1), "columns": (index_type(n), room)}
        if values is not None:
            kinds["values"] = values, room
        self._files: dict[str, ArrayWriter] = {}
        with ExitStack() as opened:
            for name, (kind, length) in kinds.items():
                done = half.files.get(name, Written())
                file = ArrayWriter("target", folder / f"{prefix}{name}", kind, length, done)
                self._files[name] = opened.enter_context(file)
            # All of them are there: who uses the writer closes them.
            self._open = opened.pop_all()

    def __enter__(self) -> HalfWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def append(self, entries: Entries, until: int) -> None:
        """Write a part of the entries, behind those that were written; the last below a key."""
        keys, values = entries
        for at in range(0, keys.shape[0], _PIECE):
            rows, columns = parted(keys[at : at + _PIECE])
            some = None if values is None else values[at : at + _PIECE]
            self._files["columns"].append(columns)
            if some is not None:
                self._files["values"].append(some)
            self._offsets(rows, int(rows[-1]) + 1)
            self._half.entries += rows.shape[0]
            self._sum(rows, columns, some)
        self._half.until = until
        self._half.files = {name: file.written for name, file in self._files.items()}

    def _offsets(self, rows: Array, end: int) -> None:
        """Where rows below `end` begin that nobody has written, if these are the next entries."""
        half = self._half
        while half.rows < end:
            some = np.arange(half.rows, min(half.rows + _PIECE, end))
            self._files["offsets"].append(half.entries + np.searchsorted(rows, some))
            half.rows += some.shape[0]

    def _sum(self, rows: Array, columns: Array, values: Array) -> None:
        sums = self._half.sums
        for at, held in ((0, None), (2, values)):
            sums[at] += entry_sum(rows, columns, self._key, held)
            sums[at + 1] += entry_sum(columns, rows, self._key, held)
        self._half.sums = [s % (1 << 64) for s in sums]

    def close(self) -> dict[str, FileRecord]:
        """All entries are there; what the header says of the files."""
        self._offsets(np.empty(0, np.int64), self._n + 1)
        return {name: file.close() for name, file in self._files.items()}
