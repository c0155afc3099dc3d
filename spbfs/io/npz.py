"""SciPy's ``.npz``: the arrays of a sparse matrix, as `scipy.sparse.save_npz` writes them.

The archive is opened by hand instead of by `numpy.load`: NumPy allocates what an array's header
claims before it looks for the data, and SciPy's conversions trust index arrays that nobody checked.
"""

from __future__ import annotations

import io
import math
import warnings
import zipfile
import zlib
from typing import Any

import numpy as np
import scipy.sparse

from spbfs.core.storage import MatrixData
from spbfs.exceptions import DomainMismatch, FormatError
from spbfs.io.entries import SPARSEST, UNQUESTIONED_ROWS, Entries, ReadOptions
from spbfs.io.memory import require_memory
from spbfs.io.sink import Sink
from spbfs.io.source import PIECE, Source

__all__ = ["read_npz", "write_npz"]

_LONGEST_HEADER = 10_000
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
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {i.filename.removesuffix(".npy"): i for i in archive.infolist()}
            return _read_members(source, archive, members, options)
    except FormatError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise source.error(f"not a readable .npz archive ({error})") from None
    except (NotImplementedError, RuntimeError) as error:
        raise source.error(f"an archive that cannot be read ({error})") from None


def _read_members(
    source: Source,
    archive: zipfile.ZipFile,
    members: dict[str, zipfile.ZipInfo],
    options: ReadOptions,
) -> Entries:
    def array(name: str) -> Any:
        if name not in members:
            raise source.error(f"has no array {name!r}; is it a file of scipy.sparse.save_npz?")
        return _read_array(source, archive, members[name], name)

    layout = array("format")
    if layout.shape != () or layout.dtype.kind not in "SU":
        raise source.error("its array 'format' is not a word")
    word = layout.item()
    word = word.decode("ascii", "replace") if isinstance(word, bytes) else word
    if word not in _ARRAYS:
        raise source.error(f"format {word[:40]!r} is none of {', '.join(_ARRAYS)}")
    size = array("shape")
    if size.shape != (2,) or size.dtype.kind not in "iu" or int(size.min()) < 0:
        raise source.error("its array 'shape' is not two counts")
    nrows, ncols = (int(x) for x in size)
    arrays = [array(name) for name in _ARRAYS[word]]
    for name, part in zip(_ARRAYS[word][1:], arrays[1:], strict=True):
        if part.dtype.kind not in "iu" or part.ndim != 1:
            raise source.error(f"its array {name!r} is not a list of integers")
    if max(nrows, ncols) >= 2**62:
        raise source.error(f"its shape is {nrows} x {ncols}")
    data = arrays[0]
    if data.dtype.kind not in "biuf" or data.dtype.itemsize > 8 or data.dtype == np.float16:
        if options.weights is not False:
            raise DomainMismatch(f"{source.name}: {data.dtype} values have no dtype here")
        arrays[0] = data = np.ones(data.shape, np.int8)
    if word != "csr" and word != "coo":
        # Only these two turn into a matrix without an array as long as a side on the way.
        side = max(nrows, ncols)
        if side > UNQUESTIONED_ROWS and side > SPARSEST * data.size:
            raise source.error(f"{nrows} x {ncols} with {data.size:,} values: far too sparse")
        require_memory(16 * side + 32 * data.size, f"reading {source.name}")
    rows, cols, values = _entries(source, word, arrays, (nrows, ncols))
    if values.dtype.kind == "b" and bool(values.all()):
        values = None
    return Entries(rows, cols, values, shape=(nrows, ncols), duplicates="sum")


def _entries(
    source: Source, word: str, arrays: list[Any], shape: tuple[int, int]
) -> tuple[Any, Any, Any]:
    """Rows, columns and values, after every index has been held against the shape."""
    data = arrays[0]
    if word == "csr":
        _, indices, indptr = arrays
        indptr, indices = _offsets(source, indptr, indices, data, shape)
        kind = np.int32 if shape[0] < 2**31 else np.int64
        rows = np.repeat(np.arange(shape[0], dtype=kind), np.diff(indptr))
        return rows, indices, data
    make = getattr(scipy.sparse, f"{word}_array")
    try:
        with warnings.catch_warnings():
            # SciPy warns of what it then refuses or what is checked here.
            warnings.simplefilter("ignore")
            if word == "coo":
                matrix = make((data, tuple(arrays[1:])), shape=shape)
            else:
                matrix = make(tuple(arrays), shape=shape)
                if word != "dia":
                    matrix.check_format(full_check=True)
            coo = matrix.tocoo()
    except (ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError) as error:
        raise source.error(f"not a {word} matrix of {shape[0]} x {shape[1]}: {error}") from None
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


def _read_array(
    source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str
) -> Any:
    """One array of the archive, whose header agrees with the length of its data."""
    form = np.lib.format
    with archive.open(member) as stream:
        try:
            version = form.read_magic(stream)
            read = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}
            if version not in read:
                raise source.error(f"array {name!r} is of an unknown version, {version}")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                shape, by_column, dtype = read[version](stream, max_header_size=_LONGEST_HEADER)
        except ValueError as error:
            if isinstance(error, FormatError):
                raise
            raise source.error(f"array {name!r} has a damaged header ({error})") from None
        if dtype.hasobject or dtype.subdtype is not None or dtype.names is not None:
            raise source.error(f"array {name!r} holds {dtype}; expected numbers")
        size = math.prod(shape) * dtype.itemsize
        left = member.file_size - stream.tell()
        if size != left or min(shape, default=0) < 0:
            raise source.error(f"array {name!r} promises {size:,} bytes and holds {left:,}")
        require_memory(2 * size if member.compress_type else size, f"reading {source.name}")
        data = bytearray()
        while piece := stream.read(PIECE):
            data += piece
        if len(data) != size:
            raise source.error(f"array {name!r} promises {size:,} bytes and holds {len(data):,}")
    array: Any = np.frombuffer(data, dtype).reshape(shape, order="F" if by_column else "C")
    return array.astype(dtype.newbyteorder("="), copy=False)


def write_npz(sink: Sink, A: MatrixData) -> None:
    """A ``.npz`` file that `scipy.sparse.load_npz` reads; every dtype, every shape."""
    values = np.ascontiguousarray(A.values)
    csr = scipy.sparse.csr_array((values, A.indices, A.indptr), shape=(A.nrows, A.ncols))
    scipy.sparse.save_npz(sink.stream, csr)
    sink.advance(A.nvals)
