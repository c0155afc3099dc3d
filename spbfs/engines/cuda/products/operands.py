"""What the kernels of matrix products are told of two factors and a mask."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import cupy as cp
import numpy as np

from spbfs.engines.cuda.products.row_kernels import size_kernels
from spbfs.engines.cuda.runtime.launch import THREADS, pointer
from spbfs.storage.data import MatrixData, is_iso

__all__ = ["Operands", "entry_products", "numbered_through"]

Array = Any


class Operands(NamedTuple):
    """What kernels are told of two factors and a mask."""

    kept: list[Array]
    first: tuple[int, ...]
    second: tuple[int, ...]
    mask: tuple[int, int]
    #: Of the columns of all of them.
    index_dtype: np.dtype[Any]

    @classmethod
    def of(cls, A: MatrixData, B: MatrixData, mask: MatrixData | None) -> Self:
        """Offsets and columns of common types, values, and whether these are stored once."""
        matrices = [A, B] if mask is None else [A, B, mask]
        index = np.result_type(*(m.indices.dtype for m in matrices))
        kept: list[tuple[Array, Array]] = []
        for k, m in enumerate(matrices):
            # A square has one matrix twice.
            alike = [i for i in range(k) if matrices[i].indptr is m.indptr]
            indptr = kept[alike[0]][0] if alike else m.indptr.astype(np.int64, copy=False)
            kept.append((indptr, m.indices.astype(index, copy=False)))
        places = [tuple(map(pointer, arrays)) for arrays in kept]
        first, second = (
            (*place, pointer(m.values), 0 if is_iso(m.values) else 1)
            for place, m in zip(places[:2], (A, B), strict=True)
        )
        its_mask = (0, 0) if mask is None else (places[2][0], places[2][1])
        return cls([a for pair in kept for a in pair], first, second, its_mask, index)

    def numbered(self, nrows: int, through: Array) -> tuple[int, ...]:
        """The factors, with the number of the first product or look-up of every entry."""
        rows = (self.first[0], nrows, *self.first[1:], *self.second)
        return (*rows, pointer(through), through.shape[0] - 1)


def entry_products(operands: Operands, entries: int) -> Array:
    """How many products each entry of the first factor has."""
    products = cp.empty(entries, np.int64)
    count, *_ = size_kernels(operands.index_dtype)
    count(
        -(-entries // THREADS),
        (operands.first[1], entries, operands.second[0], pointer(products)),
    )
    return products


def numbered_through(products: Array) -> Array:
    """The number of the first product of every entry, and of all at the end."""
    through = cp.zeros(products.shape[0] + 1, np.int64)
    cp.cumsum(products, out=through[1:])
    return through
