"""SciPy's ``.npz``: the arrays of a sparse matrix, as `scipy.sparse.save_npz` writes them.

The matrix is not left to `scipy.sparse.load_npz`: SciPy's conversions trust index arrays that
nobody checked.
"""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
import scipy.sparse

from spbfs.base.memory import require_bytes
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.io.files.archive import Archive
from spbfs.io.files.sink import Sink
from spbfs.io.files.source import Source
from spbfs.io.formats.entries import Entries, ReadOptions, is_sparse
from spbfs.objects.checks import MAX_SIZE
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import matrix_entries
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["npz_layout", "read_npz", "write_npz"]

_ARRAYS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
    "dia": ("data", "offsets"),
}


def read_npz(source: Source, options: ReadOptions) -> Entries:
    """A ``.npz`` file in any of SciPy's formats; duplicates add up, as SciPy defines them."""
    content = source.read_rest()
    with Archive(source, io.BytesIO(content)) as archive:
        word, shape, arrays = _read_members(source, archive)
    data = arrays[0]
    if data.dtype.kind not in "biuf" or data.dtype.itemsize > 8 or data.dtype == np.float16:
        if options.weights is not False:
            raise DomainMismatch(f"{source.name}: {data.dtype} values have no dtype here")
        arrays[0] = data = np.ones(data.shape, np.int8)
    if word not in ("csr", "coo"):
        # Only these two turn into a matrix without an array as long as a side on the way.
        side = max(shape)
        if is_sparse(shape, data.size):
            raise source.error(f"{shape[0]} x {shape[1]} with {data.size:,} values: far too sparse")
        require_bytes(16 * side + 32 * data.size, f"reading {source.name}")
    if word == "csr":
        indptr, cols = _offsets(source, arrays[2], arrays[1], data, shape)
        rows, values = None, data
    else:
        indptr = None
        rows, cols, values = _entries(source, word, arrays, shape)
    if values.dtype.kind == "b" and bool(values.all()):
        values = None
    return Entries(rows, cols, values, indptr, shape=shape, duplicates="sum")


def _read_members(source: Source, archive: Archive) -> tuple[str, tuple[int, int], list[Any]]:
    """SciPy's name of the format, the shape, and the arrays that the format has."""
    word, shape = npz_layout(source, archive)
    if word not in _ARRAYS:
        raise source.error(f"format {word[:40]!r} is none of {', '.join(_ARRAYS)}")
    arrays = [archive.array(name) for name in _ARRAYS[word]]
    for name, part in zip(_ARRAYS[word][1:], arrays[1:], strict=True):
        if part.dtype.kind not in "iu" or part.ndim != 1:
            raise source.error(f"its array {name!r} is not a list of integers")
    return word, shape, arrays


def npz_layout(source: Source, archive: Archive) -> tuple[str, tuple[int, int]]:
    """SciPy's name of the format, whatever it is, and the shape."""
    layout = archive.array("format")
    if layout.shape != () or layout.dtype.kind not in "SU":
        raise source.error("its array 'format' is not a word")
    word = layout.item()
    word = word.decode("ascii", "replace") if isinstance(word, bytes) else word
    size = archive.array("shape")
    if size.shape != (2,) or size.dtype.kind not in "iu" or int(size.min()) < 0:
        raise source.error("its array 'shape' is not two counts")
    nrows, ncols = (int(x) for x in size)
    if max(nrows, ncols) > MAX_SIZE:
        raise source.error(f"its shape is {nrows} x {ncols}; expected at most 2**60")
    return word, (nrows, ncols)


def _entries(
    source: Source, word: str, arrays: list[Any], shape: tuple[int, int]
) -> tuple[Any, Any, Any]:
    """Rows, columns and values, after every index has been held against the shape."""
    make = getattr(scipy.sparse, f"{word}_array")
    try:
        with warnings.catch_warnings():
            # SciPy warns of what it then refuses or what is checked here.
            warnings.simplefilter("ignore")
            if word == "coo":
                matrix = make((arrays[0], tuple(arrays[1:])), shape=shape)
            else:
                matrix = make(tuple(arrays), shape=shape)
                if word != "dia":
                    matrix.check_format(full_check=True)
            coo = matrix.tocoo()
    except (ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError) as error:
        raise source.error(
            f"not a {word} matrix of {shape[0]} x {shape[1]}: {brief(error)}"
        ) from None
    return coo.coords[0], coo.coords[1], coo.data


def _offsets(
    source: Source, indptr: Any, indices: Any, data: Any, shape: tuple[int, int]
) -> tuple[Any, Any]:
    if data.ndim != 1 or len(indptr) != shape[0] + 1 or len(indices) != len(data):
        raise source.error(
            f"{len(indptr)} offsets, {len(indices)} indices and {data.size} values do not make a"
            f" matrix of {shape[0]} rows"
        )
    steps = np.diff(indptr.astype(np.int64))
    if int(indptr[0]) != 0 or int(indptr[-1]) != len(indices) or bool((steps < 0).any()):
        raise source.error(f"its array 'indptr' does not rise from 0 to {len(indices):,}")
    if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < shape[1]:
        wrong = int(indices.min()) if int(indices.min()) < 0 else int(indices.max())
        raise source.error(f"column {wrong} is not one of the {shape[1]:,} promised")
    narrow = np.int32 if shape[1] < 2**31 else np.int64
    return indptr.astype(np.int64, copy=False), indices.astype(narrow, copy=False)


def write_npz(sink: Sink, A: MatrixData) -> None:
    """A ``.npz`` file that `scipy.sparse.load_npz` reads; every dtype, every shape."""
    values = np.ascontiguousarray(A.values)
    held: Any
    if isinstance(A, HypersparseMatrix):
        rows, columns, _ = matrix_entries(A)
        held = scipy.sparse.coo_array((values, (rows, columns)), shape=A.shape)
    else:
        held = scipy.sparse.csr_array((values, A.indices, A.indptr), shape=A.shape)
    # A zip archive is written with seeks, which a gzip stream only pretends to have.
    stream = io.BytesIO()
    scipy.sparse.save_npz(stream, held)
    sink.write(stream.getbuffer())
    sink.advance(A.nvals)
