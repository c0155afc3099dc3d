"""Random operands of products, and what a product is by the definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from spbfs.engines.cpu.engine import CpuEngine
from spbfs.engines.protocol import MaskData
from spbfs.engines.reference.operators import apply_binary, cast, combine
from spbfs.exceptions import DomainMismatch
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import BOOL, FP32, FP64, INT8, INT32, INT64, UINT16, UINT64, DType
from spbfs.operators.tables.builtin import SEMIRING
from spbfs.storage.data import MatrixData, VectorData

ENGINE = CpuEngine()
TYPES = (BOOL, INT8, INT32, INT64, UINT16, UINT64, FP32, FP64)
Cells = dict[tuple[int, int], Any]  # a vector is a column


def values_of(rng: np.random.Generator, dtype: DType, count: int, iso: bool) -> np.ndarray:
    size = 1 if iso and count else count
    made = rng.integers(0 if not dtype.is_signed else -3, 4, size).astype(dtype.np_type)
    return np.broadcast_to(made, (count,)) if iso and count else made


def random_matrix(
    rng: np.random.Generator, shape: tuple[int, int], dtype: DType, iso: bool = False, wide: int = 0
) -> MatrixData:
    """`wide`: 0 for 32-bit offsets and indices, 1 for 64-bit offsets, 2 for both."""
    present = rng.random(shape) < 0.35
    indptr = np.zeros(shape[0] + 1, np.int64 if wide else np.int32)
    np.cumsum(present.sum(axis=1), out=indptr[1:])
    indices = np.nonzero(present)[1].astype(np.int64 if wide == 2 else np.int32)
    return MatrixData(*shape, indptr, indices, values_of(rng, dtype, len(indices), iso))


def random_vector(
    rng: np.random.Generator, size: int, dtype: DType, form: str, iso: bool = False
) -> VectorData:
    present = np.ones(size, bool) if form == "full" else rng.random(size) < 0.5
    indices = np.flatnonzero(present)
    values = values_of(rng, dtype, len(indices), iso)
    if form != "bitmap":
        return VectorData(size, values, indices if form == "list" else None)
    if iso:
        one = values[0] if len(values) else dtype.np_type.type(1)
        return VectorData(size, np.broadcast_to(one, (size,)), present=present)
    dense = np.full(size, 99).astype(dtype.np_type)
    dense[indices] = values
    return VectorData(size, dense, present=present)


def cells_of(data: Any) -> Cells:
    if isinstance(data, MatrixData):
        rows = np.repeat(np.arange(data.nrows), np.diff(data.indptr))
        places = zip(rows.tolist(), data.indices.tolist(), strict=True)
        return dict(zip(places, data.values, strict=True))
    if data.form == "list":
        return {(int(i), 0): v for i, v in zip(data.indices, data.values, strict=True)}
    present = np.ones(data.size, bool) if data.present is None else data.present
    return {(int(i), 0): data.values[i] for i in np.flatnonzero(present)}


def turned(cells: Cells) -> Cells:
    return {(j, i): v for (i, j), v in cells.items()}


def products(left: Cells, right: Cells, semiring: TypedSemiring) -> dict[tuple[int, int], list]:
    """All products that meet at each position, in the order of the index summed over."""
    by_row: dict[int, list] = {}
    for (k, j), y in right.items():
        by_row.setdefault(k, []).append((j, y))
    op = semiring.multiply
    sums: dict[tuple[int, int], list] = {}
    for (i, k), x in sorted(left.items()):
        for j, y in by_row.get(k, []):
            if op.op.positional:
                position = {"firsti": i, "firstj": k, "secondi": k, "secondj": j}
                product = np.int64(position[op.op.name])
            else:
                product = apply_binary(op, cast(x, op.in_type), cast(y, op.in_type), (0, 0), (0, 0))
            sums.setdefault((i, j), []).append(cast(product, semiring.add.dtype))
    return sums


def equal(a: Any, b: Any) -> bool:
    """Equal, up to what another order of rounding may do."""
    if np.asarray(b).dtype.kind != "f":
        return bool(a == b)
    return bool(np.isclose(a, b, rtol=1e-5, atol=0, equal_nan=True))


def admitted(mask: MaskData | None, at: tuple[int, int]) -> bool:
    if mask is None:
        return True
    stored = cells_of(mask.data)
    inside = at in stored and (mask.structural or bool(stored[at]))
    return inside != mask.complement


def check(result: Any, expected: dict[tuple[int, int], list], semiring: Any, mask: Any) -> None:
    got = cells_of(result)
    assert set(got) == {at for at in expected if admitted(mask, at)}
    assert result.values.dtype == semiring.out_type.np_type
    for at, value in got.items():
        if semiring.add.op.is_any:
            assert any(equal(value, c) for c in expected[at]), (at, value, expected[at])
            continue
        total = expected[at][0]
        for product in expected[at][1:]:
            total = combine(semiring.add, total, product)
        assert equal(value, total), (at, value, total)
    if isinstance(result, VectorData) and result.indices is not None:
        assert result.indices.dtype == np.int64 and (np.diff(result.indices) > 0).all()
    if isinstance(result, VectorData) and result.present is not None:
        assert result.counted in (-1, len(got))


def resolved(name: str) -> Iterator[tuple[DType, TypedSemiring]]:
    for dtype in TYPES:
        try:
            yield dtype, SEMIRING[name].resolve(dtype, dtype)
        except DomainMismatch:
            continue


def masks(rng: np.random.Generator, size: int) -> Iterator[MaskData | None]:
    yield None
    for form, structural, complement in itertools.product(
        ("list", "bitmap", "full"), (True, False), (True, False)
    ):
        dtype, iso = [(BOOL, False), (INT8, False), (FP64, False), (BOOL, True)][rng.integers(4)]
        yield MaskData(random_vector(rng, size, dtype, form, iso), structural, complement)


def multiplied(
    A: MatrixData, u: VectorData, semiring: TypedSemiring, first: bool, flip: bool
) -> dict[tuple[int, int], list]:
    """What ``mxv`` should sum, at (row, 0)."""
    cells = turned(cells_of(A)) if flip else cells_of(A)
    if first:
        sums = products(turned(cells_of(u)), turned(cells), semiring)
        return {(j, 0): terms for (_, j), terms in sums.items()}
    return products(cells, cells_of(u), semiring)
