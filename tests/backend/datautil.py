"""Making, checking and comparing what engines exchange, independently of any engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.storage.data import MatrixData, VectorData, is_iso

Data = VectorData | MatrixData
Entries = dict[tuple[int, int], Any]


def host(engine: Any, data: Data) -> Data:
    """The same data with NumPy arrays (stride 0 kept), without caches."""

    def one(array: Any) -> Any:
        if array is None:
            return None
        if is_iso(array) and array.shape[0]:
            return np.broadcast_to(np.asarray(engine.to_numpy(array[:1])), array.shape)
        return np.asarray(engine.to_numpy(array))

    if isinstance(data, VectorData):
        return VectorData(data.size, one(data.values), one(data.indices), one(data.present))
    return MatrixData(data.nrows, data.ncols, one(data.indptr), one(data.indices), one(data.values))


def device_copy(engine: Any, data: Data) -> Data:
    """The same data in the arrays of an engine, sharing nothing with `data`."""

    def one(array: Any) -> Any:
        if array is None:
            return None
        if is_iso(array):
            element = engine.asarray(np.array(array[:1] if len(array) else [0], array.dtype))
            xp = getattr(engine, "xp", np)
            return xp.broadcast_to(element, array.shape)
        return engine.asarray(array.copy())

    if isinstance(data, VectorData):
        return VectorData(
            data.size, one(data.values), one(data.indices), one(data.present), data.counted
        )
    return MatrixData(data.nrows, data.ncols, one(data.indptr), one(data.indices), one(data.values))


def vector(size: int, indices: Any, values: Any, form: str = "list") -> VectorData:
    """A vector in one of the three forms from sorted indices (``full`` needs all of them)."""
    indices, values = np.asarray(indices, dtype=np.int64), np.asarray(values)
    if form == "list":
        return VectorData(size, values, indices)
    iso = bool(is_iso(values) and len(values))
    dense = np.broadcast_to(values[:1], (size,)) if iso else np.zeros(size, dtype=values.dtype)
    if form == "full":
        return VectorData(size, values)
    if not iso:
        dense[indices] = values
        # What stands where nothing is stored is arbitrary: make it hurt.
        dense[np.setdiff1d(np.arange(size), indices)] = np.array(77).astype(values.dtype)
    present = np.zeros(size, dtype=bool)
    present[indices] = True
    return VectorData(size, dense, None, present, len(indices))


def matrix(nrows: int, ncols: int, rows: Any, cols: Any, values: Any, offset: Any) -> MatrixData:
    """CSR from entries without duplicates; `offset` is the dtype of indptr."""
    rows, cols = np.asarray(rows, dtype=np.int64), np.asarray(cols, dtype=np.int64)
    order = np.lexsort((cols, rows))
    indptr = np.zeros(nrows + 1, dtype=offset)
    np.cumsum(np.bincount(rows, minlength=nrows), out=indptr[1:])
    values = values if is_iso(values) else values[order]
    return MatrixData(nrows, ncols, indptr, cols[order].astype(np.int32), values)


def entries(data: Data) -> Entries:
    """``{(row, column): value}`` of data on the host."""
    if isinstance(data, MatrixData):
        rows = np.repeat(np.arange(data.nrows), np.diff(data.indptr))
        return dict(
            zip(zip(rows.tolist(), data.indices.tolist(), strict=True), data.values, strict=True)
        )
    if data.form == "list":
        indices, values = data.indices, data.values
    elif data.form == "bitmap":
        indices = np.flatnonzero(data.present)
        values = data.values[indices]
    else:
        indices, values = np.arange(data.size), data.values
    return {(int(i), 0): v for i, v in zip(indices, values, strict=True)}


def check_canonical(data: Data) -> None:
    """The promises of `spbfs.storage.data`, on the host."""
    if isinstance(data, MatrixData):
        assert data.indptr.dtype in (np.int32, np.int64)
        assert data.indices.dtype == (np.int32 if data.ncols <= 2**31 - 1 else np.int64)
        assert data.indptr.shape == (data.nrows + 1,)
        assert data.indptr[0] == 0
        assert data.indptr[-1] == len(data.indices) == len(data.values)
        assert (np.diff(data.indptr) >= 0).all()
        for i in range(data.nrows):
            row = data.indices[data.indptr[i] : data.indptr[i + 1]]
            assert (np.diff(row) > 0).all(), f"row {i} is not strictly increasing"
            assert not len(row) or (row[0] >= 0 and row[-1] < data.ncols)
        return
    if data.indices is not None:
        assert data.present is None
        assert data.indices.dtype == np.int64
        assert data.indices.shape == data.values.shape
        assert (np.diff(data.indices) > 0).all()
        assert not len(data.indices) or (data.indices[0] >= 0 and data.indices[-1] < data.size)
        return
    assert data.values.shape == (data.size,)
    if data.present is not None:
        assert data.present.dtype == np.bool_
        assert data.present.shape == (data.size,)
        assert data.counted in (-1, int(data.present.sum()))


def shape(data: Data) -> tuple[int, ...]:
    return (data.size,) if isinstance(data, VectorData) else (data.nrows, data.ncols)


def same_value(x: Any, y: Any) -> bool:
    return bool(x == y or (x != x and y != y))


def difference(got: Data, wanted: Data) -> str | None:
    """What distinguishes two data on the host, or None: shape, dtype, pattern, then values."""
    if shape(got) != shape(wanted):
        return f"shape {shape(got)}, expected {shape(wanted)}"
    if got.values.dtype != wanted.values.dtype:
        return f"dtype {got.values.dtype}, expected {wanted.values.dtype}"
    mine, theirs = entries(got), entries(wanted)
    if mine.keys() != theirs.keys():
        return f"entries {sorted(mine.keys() ^ theirs.keys())[:8]} are in one of the two only"
    for key, value in mine.items():
        if not same_value(value, theirs[key]):
            return f"value {value!r} at {key}, expected {theirs[key]!r}"
    return None
