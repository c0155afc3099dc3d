"""How far a conversion is, in a file beside its runs."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.conversion.csr_half import Half
from spbfs.io.conversion.external_sort import Run
from spbfs.io.files.refusals import unwritable
from spbfs.io.formats.entries import ReadOptions
from spbfs.io.mapped.csr_header import FileRecord
from spbfs.io.mapped.csr_writer import Written

__all__ = ["Asked", "Progress"]

_FILE = "progress.json"
Phase = Literal["reading", "rows", "across", "columns", "done"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a conversion is of: another one of the same is gone on with."""

    source: str
    size: int
    changed: int
    directed: bool
    one_based: bool | None
    weights: bool | None
    transpose: bool

    @classmethod
    def of(cls, source: Path, options: ReadOptions, transpose: bool) -> Asked:
        """The conversion of a file that is there."""
        kind = source.stat()
        path = os.path.realpath(source)
        how = options.directed, options.one_based, options.weights, transpose
        return cls(path, kind.st_size, kind.st_mtime_ns, *how)


def _drawn() -> tuple[int, int]:
    return secrets.randbits(64), secrets.randbits(64)


@dataclass(slots=True)
class Progress:
    """How far a conversion is.

    Attributes
    ----------
    asked : Asked
    phase : str
        What is being done.
    grammar : dict or None
        How lines read; None before the first.
    at_least, greatest : int
        Vertices that the file promises, and the greatest that it has.
    offset, lines : int
        Of the file, whose entries are in runs.
    mirrored : int
        Of the rows, whose mirror images are in runs.
    real : bool
        Whether a value is no integer.
    runs : list of Run
    rows, columns : Half
        The halves of the folder.
    files : dict
        The files that are complete.
    key : (int, int)
        Of the sums that show whether the graph is its own transpose.
    """

    asked: Asked
    phase: Phase = "reading"
    grammar: dict[str, Any] | None = None
    at_least: int = 0
    greatest: int = -1
    offset: int = 0
    lines: int = 0
    mirrored: int = 0
    real: bool = False
    runs: list[Run] = field(default_factory=list)
    rows: Half = field(default_factory=Half)
    columns: Half = field(default_factory=Half)
    files: dict[str, FileRecord] = field(default_factory=dict)
    key: tuple[int, int] = field(default_factory=_drawn)

    @property
    def vertices(self) -> int:
        """Of the graph, once all lines were read."""
        return max(self.greatest + 1, self.at_least)

    @property
    def value_type(self) -> np.dtype[Any]:
        """Of the values, where there are any."""
        return np.dtype("<f8" if self.real else "<i8")

    def next_phase(self, folder: Path, phase: Phase) -> None:
        """Note that one phase has ended and another begins."""
        self.phase = phase
        self.save(folder)

    def save(self, folder: Path) -> None:
        """Write it down, all or nothing."""
        path = folder / _FILE
        beside = path.with_suffix(".new")
        try:
            beside.write_text(json.dumps(asdict(self)), encoding="ascii")
            os.replace(beside, path)
        except OSError as error:
            raise unwritable("target", path, error) from None

    @classmethod
    def load(cls, folder: Path, asked: Asked) -> Progress:
        """What an earlier conversion has written down; the beginning where there was none.

        Raises
        ------
        InvalidValue
            When that was another conversion.
        FormatError
            When what is written there makes no sense.
        """
        try:
            said = json.loads((folder / _FILE).read_text("ascii"))
            found = cls(**{**said, **_parts_of(said)})
        except FileNotFoundError:
            return cls(asked)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise FormatError(
                f"{folder}: what a conversion has left there cannot be read ({error});"
                " expected it whole, or the folder removed"
            ) from None
        for name in (f.name for f in fields(Asked)):
            before, now = getattr(found.asked, name), getattr(asked, name)
            if before != now:
                raise InvalidValue(
                    f"target: {str(folder)!r} has the beginning of another conversion, with"
                    f" {name} {before!r} instead of {now!r}; expected the same, or the folder"
                    " removed"
                )
        return found


def _parts_of(said: dict[str, Any]) -> dict[str, Any]:
    """The fields that are no plain numbers."""
    return {
        "asked": Asked(**said["asked"]),
        "runs": [Run(**run) for run in said["runs"]],
        "rows": _half_of(said["rows"]),
        "columns": _half_of(said["columns"]),
        "files": {name: FileRecord(**record) for name, record in said["files"].items()},
        "key": tuple(said["key"]),
    }


def _half_of(said: dict[str, Any]) -> Half:
    files = {
        name: Written(w["bytes"], tuple(w["crc32"]), w["begun"])
        for name, w in said["files"].items()
    }
    return Half(**{**said, "files": files})
