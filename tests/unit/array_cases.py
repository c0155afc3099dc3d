"""Random storage in every form, and its entries as dictionaries, to test the array engine with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.arrays.engine import ArrayEngine
from spbfs.engines.protocol import MaskData
from spbfs.operators.dtypes import INT64, DType
from spbfs.storage.data import MatrixData, VectorData

engine = ArrayEngine()
FORMS = ("list", "bitmap", "full")


def iso(value: Any, size: int, dtype: DType) -> Any:
    return np.broadcast_to(np.array(value).astype(dtype.np_type), (size,))


def sample(rng: np.random.Generator, size: int, dtype: DType, all_equal: bool = False) -> Any:
    if all_equal:
        return iso(rng.integers(0, 4), size, dtype)
    return rng.integers(0 if dtype.np_type.kind in "ub" else -3, 4, size).astype(dtype.np_type)


def vector(
    rng: np.random.Generator, size: int, form: str, dtype: DType = INT64, all_equal: bool = False
) -> VectorData:
    """A random vector; lists are read-only, since nothing may write into them."""
    if form == "full":
        return VectorData(size, sample(rng, size, dtype, all_equal))
    present = rng.random(size) < rng.choice([0.2, 0.6])
    if form == "bitmap":
        return VectorData(size, sample(rng, size, dtype, all_equal), present=present)
    indices = np.flatnonzero(present)
    values = sample(rng, len(indices), dtype, all_equal)
    for array in (indices, values):
        array.flags.writeable = False
    return VectorData(size, values, indices=indices)


def matrix(
    rng: np.random.Generator,
    nrows: int,
    ncols: int,
    dtype: DType = INT64,
    all_equal: bool = False,
    density: float = 0.4,
) -> MatrixData:
    rows, cols = np.nonzero(rng.random((nrows, ncols)) < density)
    indptr = np.searchsorted(rows, np.arange(nrows + 1)).astype(np.int32)
    values = sample(rng, len(rows), dtype, all_equal)
    for array in (indptr, cols, values):
        array.flags.writeable = False
    return MatrixData(nrows, ncols, indptr, cols.astype(np.int32), values)


def entries(x: VectorData | MatrixData) -> dict[Any, Any]:
    if isinstance(x, MatrixData):
        rows = np.repeat(np.arange(x.nrows), np.diff(x.indptr)).tolist()
        places: list[Any] = list(zip(rows, x.indices.tolist(), strict=True))
        return dict(zip(places, x.values.tolist(), strict=True))
    if x.indices is not None:
        assert x.indices.dtype == np.int64
        assert (np.diff(x.indices) > 0).all()
        return dict(zip(x.indices.tolist(), x.values.tolist(), strict=True))
    values = x.values.tolist()
    if x.present is None:
        return dict(enumerate(values))
    assert x.counted in (-1, np.count_nonzero(x.present))
    return {i: values[i] for i in np.flatnonzero(x.present).tolist()}


def admitted(mask: MaskData | None, places: Any) -> set[Any]:
    if mask is None:
        return set(places)
    true = {k for k, v in entries(mask.data).items() if mask.structural or v}
    return {k for k in places if (k in true) != mask.complement}


def masks(rng: np.random.Generator, make: Any) -> Iterator[MaskData | None]:
    yield None
    for structural, complement in itertools.product((True, False), repeat=2):
        yield MaskData(make(), structural, complement)


def written(C: Any, Z: Any, allowed: set[Any], replace: bool) -> dict[Any, Any]:
    out = {k: v for k, v in Z.items() if k in allowed}
    if not replace:
        out |= {k: v for k, v in C.items() if k not in allowed}
    return out


def summed(C: Any, T: Any, accum: Any) -> dict[Any, Any]:
    if accum is None:
        return dict(T)
    return {**C, **T, **{k: C[k] + T[k] for k in C.keys() & T.keys()}}
