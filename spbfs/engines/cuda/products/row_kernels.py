"""The modules of matrix products by rows: those that count or move entries serve all semirings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.operators.semirings import ProductSource, product_source
from spbfs.engines.cuda.products.kernels import samples, usual_of_matrices
from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.engines.cuda.runtime.modules import begin
from spbfs.engines.cuda.runtime.source import INDEX_TYPES, WORD_TYPES, Specialisation
from spbfs.engines.specialise import product_key
from spbfs.operators.dtypes import BOOL
from spbfs.operators.tables.builtin import SEMIRING

__all__ = [
    "CLASSES",
    "CLASS_ROWS",
    "GROUP_BYTES",
    "GROUP_COLUMNS",
    "begin_compiling",
    "long_rows_kernel",
    "moved_rows_kernel",
    "size_kernels",
    "sorted_rows_kernel",
    "specialisations",
]

#: ``kClasses`` of ``mxm_classes.cuh`` and ``kRows`` of ``mxm_sizes.cu``.
CLASSES = 12
CLASS_ROWS = 2048
#: ``kGroupColumns`` of ``column_bits.cuh``, and bytes of such a group in ``ColumnBits``.
GROUP_COLUMNS = 1024
GROUP_BYTES = 152

_KEYS = {4: "unsigned", 8: "unsigned long long"}
#: Bytes of indices and keys that go together.
_PAIRS = ((4, 4), (4, 8), (8, 8))


@cache
def size_kernels(index: np.dtype[Any]) -> tuple[Kernel, Kernel, Kernel]:
    """Those that count the products of entries, count the rows of each class, and list them."""
    its = _sizes(index.itemsize)
    return Kernel(its, its.kernels[0]), Kernel(its, its.kernels[1]), Kernel(its, its.kernels[2])


@cache
def sorted_rows_kernel(
    source: ProductSource | None, index: np.dtype[Any], key: np.dtype[Any], items: int
) -> Kernel:
    """The kernel that sorts keys of products, so many a lane, and writes entries; without a source
    the one that counts them."""
    its = _sorted(source, index.itemsize, key.itemsize)
    return Kernel(its, its.kernels[0 if items == 4 else 1])


@cache
def long_rows_kernel(
    source: ProductSource | None, index: np.dtype[Any], threads: int, shared_bytes: int
) -> Kernel:
    """The same where columns are bits, with threads and shared memory of a CTA."""
    its = _long(source, index.itemsize)
    return Kernel(its, threads=threads, shared_bytes=shared_bytes)


@cache
def moved_rows_kernel(index: np.dtype[Any], width: int) -> Kernel:
    """The kernel that moves entries, with values of so many bytes or none."""
    return Kernel(_moved(index.itemsize, width or 1))


@cache
def begin_compiling(
    source: ProductSource, index: np.dtype[Any], keys: frozenset[int], counts: bool, has_long: bool
) -> None:
    """Have what a product needs compiled side by side.

    Parameters
    ----------
    source : ProductSource
    index : dtype
    keys : frozenset of int
        The bytes of the keys of rows that are sorted.
    counts : bool
        Whether these are counted before they are written.
    has_long : bool
    """
    begin(*(_sorted(of, index.itemsize, k) for k in keys for of in (None, source)[not counts :]))
    if has_long:
        begin(_long(None, index.itemsize), _long(source, index.itemsize))


def _sizes(index: int) -> Specialisation:
    names = (f"entry_products<{INDEX_TYPES[index]}>", "count_classes", "list_classes")
    return Specialisation("mxm_sizes", names)


def _sorted(source: ProductSource | None, index: int, key: int) -> Specialisation:
    of, writes = _of(source)
    types = f"{INDEX_TYPES[index]}, {_KEYS[key]}"
    names = tuple(f"mxm_sorted_rows<{types}, {items}, {writes}>" for items in (4, 16))
    return Specialisation("mxm_sorted_rows", names, (of.define,))


def _moved(index: int, width: int) -> Specialisation:
    name = f"mxm_moved_rows<{INDEX_TYPES[index]}, {WORD_TYPES[width]}>"
    return Specialisation("mxm_moved_rows", (name,))


def _long(source: ProductSource | None, index: int) -> Specialisation:
    of, writes = _of(source)
    name = f"mxm_long_rows<{INDEX_TYPES[index]}, {writes}>"
    return Specialisation("mxm_long_rows", (name,), (of.define,))


def _of(source: ProductSource | None) -> tuple[ProductSource, str]:
    """What a kernel is compiled for, and whether it writes: to count, columns are all it needs."""
    if source is not None:
        return source, "true"
    columns = product_source(product_key(SEMIRING["any_pair"].resolve(BOOL, BOOL)), BOOL, BOOL)
    assert columns is not None
    return columns, "false"


def specialisations() -> Iterator[Specialisation]:
    """One semiring of each sort, and none, and the usual ones of what 32 bits number."""
    yield from map(_sizes, INDEX_TYPES)
    yield from (_moved(index, width) for index in INDEX_TYPES for width in WORD_TYPES)
    for source in (None, *samples()):
        for index, key in _PAIRS:
            yield _sorted(source, index, key)
        for index in INDEX_TYPES:
            yield _long(source, index)
    for source in usual_of_matrices():
        yield from (_sorted(source, 4, 4), _long(source, 4))
