"""What the tests of input and output share: reading to arrays, one file of every format."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from spbfs.io.formats.entries import ReadOptions
from spbfs.io.formats.registry import load, store
from spbfs.storage.data import MatrixData, is_iso


def read(path: Path, **options: Any) -> MatrixData:
    """The matrix in a file, through everything but the public class."""
    return load(path, ReadOptions(**options), None)[0]


def read_text(folder: Path, name: str, content: str | bytes, **options: Any) -> MatrixData:
    return read(put(folder, name, content), **options)


def put(folder: Path, name: str, content: str | bytes) -> Path:
    """A file of this name and content, compressed if its name says so."""
    data = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    return path


def write(path: Path, A: MatrixData) -> None:
    store(path, A, None)


def listed(A: MatrixData) -> list[tuple[Any, ...]]:
    """``(row, column)`` or ``(row, column, value)`` of every entry, in order."""
    rows = np.repeat(np.arange(A.nrows), np.diff(A.indptr)).tolist()
    if A.values.dtype == bool and is_iso(A.values):
        return list(zip(rows, A.indices.tolist(), strict=True))
    return list(zip(rows, A.indices.tolist(), A.values.tolist(), strict=True))


def matrix(
    rows: Any, cols: Any, values: Any = None, shape: tuple[int, int] | None = None
) -> MatrixData:
    """Entries as a canonical matrix, built by SciPy; no values make a pattern."""
    data = np.ones(len(rows), np.int8) if values is None else np.asarray(values)
    csr = scipy.sparse.coo_array((data, (rows, cols)), shape=shape).tocsr()
    csr.sort_indices()
    held = np.broadcast_to(np.array([True]), (csr.nnz,)) if values is None else csr.data
    return MatrixData(*csr.shape, csr.indptr.astype(np.int32), csr.indices.astype(np.int32), held)


def equal(A: MatrixData, B: MatrixData) -> bool:
    return (
        (A.nrows, A.ncols) == (B.nrows, B.ncols)
        and np.array_equal(A.indptr, B.indptr)
        and np.array_equal(A.indices, B.indices)
        and np.array_equal(A.values, B.values, equal_nan=A.values.dtype.kind == "f")
    )


#: Rows that `check_canonical` looks at together.
_ROWS = 1 << 20


def check_canonical(A: MatrixData) -> None:
    """The promises of `MatrixData`, which nothing downstream checks again.

    Some rows at a time, as a file of few bytes may name many, where memory is limited.
    """
    assert A.indptr.shape == (A.nrows + 1,) and A.indptr.dtype in (np.int32, np.int64)
    assert A.indptr[0] == 0 and A.indptr[-1] == A.nvals
    assert A.indices.dtype == (np.int32 if A.ncols <= 2**31 - 1 else np.int64)
    assert A.values.shape == A.indices.shape
    same_row = np.ones(max(0, A.nvals - 1), np.bool_)
    for first in range(0, A.nrows, _ROWS):
        bounds = A.indptr[first : first + _ROWS + 1]
        assert bool((bounds[1:] >= bounds[:-1]).all())
        same_row[bounds[(bounds > 0) & (bounds < A.nvals)] - 1] = False
    if A.nvals:
        assert 0 <= int(A.indices.min()) <= int(A.indices.max()) < A.ncols
        assert bool((A.indices[1:] > A.indices[:-1])[same_row].all())


def npz_bytes(S: Any) -> bytes:
    stream = io.BytesIO()
    scipy.sparse.save_npz(stream, S)
    return stream.getvalue()


def gap_bytes(
    directed: bool, lists: list[list[Any]], inverse: list[list[Any]] | None = None
) -> bytes:
    """A serialized graph put together by hand, as the suite's writer lays it out."""

    def part(rows: list[list[Any]]) -> bytes:
        offsets = np.cumsum([0, *map(len, rows)]).astype("<i8").tobytes()
        return offsets + np.array([x for r in rows for x in r], "<i4").tobytes()

    count = sum(len(r) for r in lists)
    header = bytes([directed]) + np.array([count, len(lists)], "<i8").tobytes()
    return header + part(lists) + (part(inverse) if inverse is not None else b"")


#: One small valid file of every kind: name, content, and its entries.
VALID: dict[str, tuple[str, bytes, list[tuple[Any, ...]]]] = {
    "snap": (
        "a.txt",
        b"# Nodes: 4\n0\t1\n1 2\r\n\n% note\n2  0\n",
        [(0, 1), (1, 2), (2, 0)],
    ),
    "snap commas": ("a.edges", b"0, 1\n1,2\n", [(0, 1), (1, 2)]),
    "snap weights": ("a.el", b"0 1 5\n1 0 -7\n", [(0, 1, 5), (1, 0, -7)]),
    "wel": ("a.wel", b"0 1 .5\n1 0 2e3\n1 1 +4", [(0, 1, 0.5), (1, 0, 2000.0), (1, 1, 4.0)]),
    "csv": ("a.csv", b"source,target\n0,1\n2,1\n", [(0, 1), (2, 1)]),
    "csv named": (
        "a.csv",
        b'id,"to","from",weight,"note, short"\n9,1,0,2,"a,b"\n8,0,2,3,\n',
        [(0, 1, 2), (2, 0, 3)],
    ),
    "csv bare": ("a.csv", b"0,1,3\n1,2,4\n", [(0, 1, 3), (1, 2, 4)]),
    "tsv": ("a.tsv", b"\xef\xbb\xbfsrc\tdst\n0\t1\n 1 \t 2\n", [(0, 1), (1, 2)]),
    "gr": ("a.gr", b"c x\np sp 3 2\na 1 2 10\nc y\na 3 1 20\n", [(0, 1, 10), (2, 0, 20)]),
    "metis": ("a.graph", b"% c\n3 2\n2\n1 3\n2\n", [(0, 1), (1, 0), (1, 2), (2, 1)]),
    "metis isolated": ("a.graph", b"3 1\n\n3\n2\n", [(1, 2), (2, 1)]),
    "metis all": (
        "a.graph",
        b"2 1 111 2\n4 1 1 2 9\n%\n4 1 1 1 9\n",
        [(0, 1, 9), (1, 0, 9)],
    ),
    "mtx": (
        "a.mtx",
        b"%%MatrixMarket matrix coordinate pattern general\n% c\n\n2 3 2\n1 3\n2 1\n",
        [(0, 2), (1, 0)],
    ),
    "mtx symmetric": (
        "a.mtx",
        b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 3 -5\n",
        [(0, 1, 4), (1, 0, 4), (2, 2, -5)],
    ),
    "mtx skew": (
        "a.mtx",
        b"%%matrixmarket MATRIX coordinate real skew-symmetric\n2 2 1\n2 1 1.5\n",
        [(0, 1, -1.5), (1, 0, 1.5)],
    ),
    "mtx array": (
        "a.mtx",
        b"%%MatrixMarket matrix array real general\n2 2\n0\n1\n2.5\n0\n",
        [(0, 1, 2.5), (1, 0, 1.0)],
    ),
    "npz": (
        "a.npz",
        npz_bytes(scipy.sparse.csr_array(np.array([[0, 2], [3, 0]], np.int16))),
        [(0, 1, 2), (1, 0, 3)],
    ),
    "npz coo": (
        "b.npz",
        npz_bytes(scipy.sparse.coo_array(([True, True], ([1, 0], [0, 2])), shape=(2, 3))),
        [(0, 2), (1, 0)],
    ),
    "npz bsr": (
        "c.npz",
        npz_bytes(scipy.sparse.bsr_array(np.array([[1.5, 0], [0, 2]]), blocksize=(1, 1))),
        [(0, 0, 1.5), (1, 1, 2.0)],
    ),
    "npz dia": (
        "d.npz",
        npz_bytes(scipy.sparse.dia_array(np.diag([7, 8]))),
        [(0, 0, 7), (1, 1, 8)],
    ),
    "npz csc": (
        "e.npz",
        npz_bytes(scipy.sparse.csc_array(np.array([[0, 2], [3, 0]]))),
        [(0, 1, 2), (1, 0, 3)],
    ),
    "sg": ("a.sg", gap_bytes(False, [[1], [0, 2], [1]]), [(0, 1), (1, 0), (1, 2), (2, 1)]),
    "sg directed": ("b.sg", gap_bytes(True, [[1, 2], [], []], [[], [0], [0]]), [(0, 1), (0, 2)]),
    "wsg": ("a.wsg", gap_bytes(False, [[(1, 7)], [(0, 7)]]), [(0, 1, 7), (1, 0, 7)]),
}
