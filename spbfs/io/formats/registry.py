"""Which format a file is in, and the way from its name to a matrix's arrays and back."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from spbfs.base.memory import typed_refusals
from spbfs.exceptions import FileMissing, InvalidValue
from spbfs.io.arguments import path_of
from spbfs.io.files.sink import Sink
from spbfs.io.files.source import Source
from spbfs.io.formats.entries import Entries, ReadOptions, assemble
from spbfs.storage.data import MatrixData

__all__ = [
    "CSR_FOLDER",
    "PARQUET",
    "extensions",
    "is_csr_folder",
    "is_csv",
    "is_edge_list",
    "is_parquet",
    "load",
    "store",
]

#: The extension of a folder that is mapped rather than read.
CSR_FOLDER = ".csr"
#: That of files that pyarrow reads and writes.
PARQUET = ".parquet"


@dataclass(frozen=True, slots=True)
class _Format:
    """A file format: its module here, its two functions, and whether ids may count from 1 or 0."""

    module: str
    reader: str
    writer: str
    free_base: bool = False

    def read(self, source: Source, options: ReadOptions) -> Entries:
        return self._function(self.reader)(source, options)

    def write(self, sink: Sink, A: MatrixData) -> None:
        self._function(self.writer)(sink, A)

    def _function(self, name: str) -> Callable[..., Any]:
        return getattr(import_module(f"spbfs.io.formats.{self.module}"), name)


_EDGES = _Format("edge_list", "read_edges", "write_edges", free_base=True)
_CSV = _Format("edge_list", "read_csv", "write_csv", free_base=True)
_FORMATS = {
    ".mtx": _Format("matrix_market", "read_matrix_market", "write_matrix_market"),
    ".txt": _EDGES,
    ".el": _EDGES,
    ".edges": _EDGES,
    ".wel": _Format("edge_list", "read_weighted_edges", "write_weighted_edges", free_base=True),
    ".csv": _CSV,
    ".tsv": _CSV,
    ".gr": _Format("dimacs", "read_dimacs", "write_dimacs"),
    ".graph": _Format("metis", "read_metis", "write_metis"),
    ".npz": _Format("npz", "read_npz", "write_npz"),
    ".sg": _Format("gap", "read_gap", "write_gap"),
    ".wsg": _Format("gap", "read_weighted_gap", "write_weighted_gap"),
}

_BY_PANDAS = "; Matrix.from_pandas_edgelist takes what pandas reads from it"
_BY_NETWORKX = "; Matrix.from_networkx takes what NetworkX reads from it"
#: Extensions of files that other packages read.
_READ_BY = {
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".json", ".jsonl", ".feather"), _BY_PANDAS),
    **dict.fromkeys((".gexf", ".gml", ".graphml", ".net", ".adjlist", ".g6"), _BY_NETWORKX),
    ".npy": "; Matrix.from_dense and Matrix.from_edge_index take arrays",
}


def extensions() -> tuple[str, ...]:
    """The extensions that `read` and `write` know, each also with ``.gz`` behind it.

    Examples
    --------
    >>> ".mtx" in extensions()
    True
    """
    return tuple(_FORMATS)


def _format_of(path: Path) -> _Format:
    name = path.name.lower().removesuffix(".gz")
    extension = os.path.splitext(name)[1]
    if extension not in _FORMATS:
        known = " ".join((*_FORMATS, PARQUET, CSR_FOLDER))
        has = f"the extension {extension!r}" if extension else "no extension"
        by = _READ_BY.get(extension, "")
        raise InvalidValue(
            f"path: {str(path)!r} has {has}; expected one of {known}, .gz after it or not{by}"
        )
    return _FORMATS[extension]


def _beside(path: Path) -> str:
    """A hint at files that have the same name and an extension behind it."""
    names = (f"{path.name}{extension}" for extension in (*_FORMATS, PARQUET, CSR_FOLDER))
    ours = [name for base in names for name in (base, f"{base}.gz")]
    there = [name for name in ours if path.with_name(name).exists()]
    if not there:
        return ""
    return f"; there is {there[0]!r}" if len(there) == 1 else f"; there are {', '.join(there)}"


def is_parquet(path: Any) -> bool:
    """Whether a file is for pyarrow, by its name."""
    return path_of(path).name.lower().endswith(PARQUET)


def is_edge_list(path: Any) -> bool:
    """Whether a file lists an edge a line, by its name."""
    name = path_of(path).name.lower().removesuffix(".gz")
    form = _FORMATS.get(os.path.splitext(name)[1])
    return form is not None and form.module == "edge_list"


def is_csr_folder(path: Any) -> bool:
    """Whether a name is that of a CSR folder."""
    return path_of(path).name.lower().endswith(CSR_FOLDER)


def is_csv(path: Any) -> bool:
    """Whether a file is CSV, by its name."""
    return _format_of(path_of(path)) is _CSV


@typed_refusals
def load(path: Any, options: ReadOptions, progress: bool | None) -> tuple[MatrixData, Any]:
    """The matrix in the file `path`, and the file's ids of its vertices if they were compacted."""
    name = path_of(path)
    if not name.suffix and not name.exists():
        raise FileMissing(f"path: there is no file {str(name)!r}{_beside(name)}")
    form = _format_of(name)
    if options.one_based is not None and not form.free_base:
        raise InvalidValue(
            f"one_based: {name.name!r} is of a format that says itself where ids start;"
            " expected None"
        )
    if options.columns is not None and form is not _CSV:
        raise InvalidValue(f"columns: {name.name!r} is of a format without names; expected None")
    with Source(name, progress) as source:
        return assemble(form.read(source, options), options, source)


def store(path: Any, A: MatrixData, progress: bool | None) -> None:
    """Write `A` to the file `path`; on any error a file of that name stays what it was."""
    name = path_of(path)
    form = _format_of(name)
    with Sink(name, A.nvals, progress) as sink:
        form.write(sink, A)
