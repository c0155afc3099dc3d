"""Files of other programs that are mapped instead of read: ``.sg``, and ``.npz`` not compressed.

Their arrays lie at odd bytes, behind headers of any length.  A search over parts of the edges
copies a part at a time; whatever needs an array whole has a copy of that in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.exceptions import InvalidValue
from spbfs.io.files.archive import Archive
from spbfs.io.files.source import Source
from spbfs.io.formats.entries import ReadOptions
from spbfs.io.formats.gap import HEADER, gap_header
from spbfs.io.formats.npz import npz_layout
from spbfs.io.formats.registry import CSR_FOLDER, is_csr_folder
from spbfs.io.mapped.arrays import map_read_only
from spbfs.io.mapped.csr_checks import check_columns, check_offsets, check_values
from spbfs.io.mapped.csr_folder import map_folder
from spbfs.io.mapped.csr_header import index_type
from spbfs.storage.arrays import iso_array
from spbfs.storage.derived import remember_symmetry, remember_transpose
from spbfs.storage.on_disk import MappedArray, OnDiskMatrix

__all__ = ["map_graph"]

_TRUE = np.array([True])
#: Where an array begins in the file, its type and its length.
Place = tuple[int, np.dtype[Any], int]


def map_graph(path: Path, options: ReadOptions) -> OnDiskMatrix:
    """The matrix in what `read` was to map."""
    maps: dict[str, Callable[[Path], OnDiskMatrix]] = {".sg": _map_gap, ".npz": _map_npz}
    suffix = path.suffix.lower()
    if not is_csr_folder(path) and suffix not in maps:
        raise InvalidValue(
            f"mmap: the arrays of {path.name!r} cannot be mapped; expected a CSR folder"
            f" ({CSR_FOLDER}), which convert and write make, a .sg, or an uncompressed .npz"
        )
    if options != ReadOptions():
        raise InvalidValue("mmap: expected no option that changes what is stored beside it")
    return map_folder(path) if is_csr_folder(path) else maps[suffix](path)


def _map_gap(path: Path) -> OnDiskMatrix:
    """A ``.sg``; a directed one has its transpose behind itself."""
    with Source(path) as source:
        directed, count, vertices = gap_header(source, False)
    size = 8 * (vertices + 1) + 4 * count
    halves = [
        _gap_half(path, HEADER + half * size, count, vertices) for half in range(1 + directed)
    ]
    data = halves[0]
    remember_symmetry(data, not directed)
    if directed:
        remember_symmetry(halves[1], False)
        remember_transpose(data, halves[1])
    return data


def _gap_half(path: Path, at: int, count: int, vertices: int) -> OnDiskMatrix:
    offsets = (at, np.dtype("<i8"), vertices + 1)
    columns = (at + 8 * (vertices + 1), np.dtype("<i4"), count)
    values = MappedArray(iso_array(_TRUE, count), None, lambda: None)
    return _mapped(path, (vertices, vertices), offsets, columns, values)


def _map_npz(path: Path) -> OnDiskMatrix:
    """A ``.npz`` of a matrix in CSR, of which only rows are known."""
    with Source(path) as source, open(path, "rb") as file, Archive(source, file) as archive:
        word, (nrows, ncols) = npz_layout(source, archive)
        if word != "csr":
            raise InvalidValue(
                f"mmap: {path.name!r} holds the format {word[:40]!r}; expected 'csr'"
            )
        offsets, columns, (at, dtype, length) = (
            archive.place(name) for name in ("indptr", "indices", "data")
        )
        expected = index_type(ncols)
        if columns[1] != expected or offsets[1].kind != "i":
            raise source.error(f"its columns are {columns[1]}; expected {expected} to map them")
        if dtype.kind not in "biuf" or dtype == np.float16:
            raise source.error(f"{dtype} values have no dtype here")
        if offsets[2] != nrows + 1 or length != columns[2]:
            raise source.error("its arrays are not as long as a matrix of its shape has them")
    held, pages = map_read_only(path, dtype, length, at, whole=False)
    values = MappedArray(held, lambda: check_values(str(path), held), pages)
    data = _mapped(path, (nrows, ncols), offsets, columns, values)
    remember_symmetry(data, False)  # whether it is so would take the whole of it to find out
    return data


def _mapped(
    path: Path, shape: tuple[int, int], offsets: Place, columns: Place, values: MappedArray
) -> OnDiskMatrix:
    """A matrix of arrays in a file, each looked at before it is trusted."""
    at = MappedArray(*_array(path, offsets))
    listed = MappedArray(*_array(path, columns))
    at.check = lambda: check_offsets(f"{path}: its offsets", at.array, columns[2])
    listed.check = lambda: check_columns(
        f"{path}: its columns", at.trusted(), listed.array, shape[1]
    )
    return OnDiskMatrix(str(path), *shape, at, listed, values, None)


def _array(path: Path, place: Place) -> tuple[Any, None, Callable[[], None]]:
    begin, dtype, length = place
    array, pages = map_read_only(path, dtype, length, begin, whole=False)
    return array, None, pages
