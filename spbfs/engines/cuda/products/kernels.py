"""The modules of the product kernels: one for each semiring and the types of its arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.graph.hubs_first import HUB_DEFINE, HUB_THREADS, hub_bytes
from spbfs.engines.cuda.operators.semirings import (
    ProductSource,
    ends_early,
    product_source,
)
from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.specialise import product_key
from spbfs.operators.dtypes import BOOL, FP32, FP64, INT64
from spbfs.operators.tables.builtin import SEMIRING

__all__ = [
    "CLASSES",
    "CLASS_ROWS",
    "GROUP_BYTES",
    "GROUP_COLUMNS",
    "LONG_ROW",
    "MEMBER_THREADS",
    "PIECE",
    "PIECE_BYTES",
    "READINGS",
    "SHORT_ROW",
    "TASK_BYTES",
    "TOGETHER",
    "leaves_rows",
    "long_rows_count",
    "long_rows_kernel",
    "lookup_kernels",
    "members_kernel",
    "product_kernel",
    "size_kernels",
    "sorted_rows_count",
    "sorted_rows_kernel",
    "specialisations",
]

#: ``kLongRow``, ``kPiece`` and ``sizeof(Piece)`` of ``semiring_sums.cuh``.
LONG_ROW = 1024
PIECE = 1024
PIECE_BYTES = 48
#: ``kTogether`` of ``window_sums.cuh``: entries that a lane asks for at once.
TOGETHER = 4
#: Entries of a row that a lane of a warp may be left alone with, as those beside it wait: more than
#: crossings of roads have.
SHORT_ROW = 16
#: ``kMemberThreads`` by bytes of an index, and ``sizeof(OwnedEntries)`` of ``mxm_members.cu``.
MEMBER_THREADS = {4: 1024, 8: 512}
TASK_BYTES = 24
#: ``kClasses`` of ``mxm_classes.cuh`` and ``kRows`` of ``mxm_sizes.cu``.
CLASSES = 12
CLASS_ROWS = 2048
#: ``kGroupColumns`` of ``column_bits.cuh``, and bytes of such a group in ``ColumnBits``.
GROUP_COLUMNS = 1024
GROUP_BYTES = 152

#: How a pull reads rows: of a vector some elements or all are stored, or all and rows are short, so
#: that lanes are left alone with theirs, or all and hubs' elements are kept in shared memory.
READINGS = {
    "some": ", false, false, false",
    "all": ", true, false, false",
    "short": ", true, true, false",
    "hubs": ", true, false, true",
}

_MODULE = {
    "push": ("push", "push_pieces"),
    "pull": ("pull", "pull_pieces"),
    "mxm": ("mxm_gather", "mxm_dots"),
}
_STEM = {kernel: stem for stem, kernels in _MODULE.items() for kernel in kernels}
_C = {4: "int", 8: "long long"}
_KEYS = {4: "unsigned", 8: "unsigned long long"}


def _specialisation(
    source: ProductSource, stem: str, arguments: str, reading: str = ""
) -> Specialisation:
    names = tuple(f"{kernel}<{arguments}{READINGS.get(reading, '')}>" for kernel in _MODULE[stem])
    hubs = (HUB_DEFINE[source.dtype.itemsize],) if reading == "hubs" else ()
    return Specialisation(stem, names, (source.define, *hubs))


@cache
def product_kernel(
    source: ProductSource, kernel: str, *types: np.dtype[Any], reading: str = ""
) -> Kernel:
    """A kernel of the module for a source and the types of offsets, indices and frontier; of a pull
    also by which of `READINGS`."""
    arguments = ", ".join(_C[t.itemsize] for t in types)
    specialisation = _specialisation(source, _STEM[kernel], arguments, reading)
    name = f"{kernel}<{arguments}{READINGS.get(reading, '')}>"
    if reading != "hubs":
        return Kernel(specialisation, name)
    threads = HUB_THREADS[source.dtype.itemsize]
    return Kernel(specialisation, name, threads=threads, shared_bytes=hub_bytes())


def leaves_rows(source: ProductSource) -> bool:
    """Whether lanes may be left alone with short rows, where all of the vector is stored.

    Sums of doubles gained nothing by it: 0.18 to 0.27 ms on a road-like graph, 0.20 by windows.
    Rows of which few entries decide are not read whole.
    """
    return source.dtype.itemsize <= 4 and not ends_early(source.key)


def _readings(source: ProductSource) -> Iterator[str]:
    yield "some"
    if not ends_early(source.key):
        yield "all"
        yield "hubs"
    if leaves_rows(source):
        yield "short"


@cache
def members_kernel(
    source: ProductSource, index: np.dtype[Any], by_rows: bool, shared_bytes: int
) -> Kernel:
    """The kernel for entries that rows of the first factor own, or of the second."""
    names = _members(source, _C[index.itemsize])
    name = names.kernels[0 if by_rows else 1]
    return Kernel(names, name, threads=MEMBER_THREADS[index.itemsize], shared_bytes=shared_bytes)


def _members(source: ProductSource, index: str) -> Specialisation:
    names = tuple(f"mxm_members<{index}, {by_rows}>" for by_rows in ("true", "false"))
    return Specialisation("mxm_members", names, (source.define,))


@cache
def lookup_kernels(index: np.dtype[Any]) -> tuple[Kernel, Kernel]:
    """Those that count look-ups of dots: an owner's, and what is left of an entry's."""
    its = _lookups(_C[index.itemsize])
    return Kernel(its, its.kernels[0]), Kernel(its, its.kernels[1])


def _lookups(index: str) -> Specialisation:
    return Specialisation("mxm_lookups", (f"owned_lookups<{index}>", f"lookups_left<{index}>"))


@cache
def size_kernels(index: np.dtype[Any]) -> tuple[Kernel, Kernel, Kernel]:
    """Those that count the products of entries, count the rows of each class, and list them."""
    its = _sizes(_C[index.itemsize])
    return Kernel(its, its.kernels[0]), Kernel(its, its.kernels[1]), Kernel(its, its.kernels[2])


def _sizes(index: str) -> Specialisation:
    names = (f"entry_products<{index}>", "count_classes", "list_classes")
    return Specialisation("mxm_sizes", names)


@cache
def sorted_rows_kernel(
    source: ProductSource, index: np.dtype[Any], key: np.dtype[Any], items: int
) -> Kernel:
    """The kernel that sorts keys of products, so many a lane, and writes entries."""
    return _sorted_rows(source, index, key, items, "true")


@cache
def sorted_rows_count(index: np.dtype[Any], key: np.dtype[Any], items: int) -> Kernel:
    """The one that counts entries instead, of whatever values."""
    return _sorted_rows(_pattern(), index, key, items, "false")


@cache
def long_rows_kernel(source: ProductSource, index: np.dtype[Any], *shape: int) -> Kernel:
    """The kernel that has columns as bits and writes entries, of CTAs of so many threads, bytes."""
    return _long_rows(source, index, "true", *shape)


@cache
def long_rows_count(index: np.dtype[Any], *shape: int) -> Kernel:
    """The one that counts entries instead."""
    return _long_rows(_pattern(), index, "false", *shape)


def _pattern() -> ProductSource:
    """A product of which columns alone are wanted."""
    source = product_source(product_key(SEMIRING["any_pair"].resolve(BOOL, BOOL)), BOOL, BOOL)
    assert source is not None
    return source


def _sorted_rows(
    source: ProductSource, index: np.dtype[Any], key: np.dtype[Any], items: int, writes: str
) -> Kernel:
    names = _by_sorting(source, f"{_C[index.itemsize]}, {_KEYS[key.itemsize]}", writes)
    return Kernel(names, names.kernels[0 if items == 4 else 1])


def _by_sorting(source: ProductSource, types: str, writes: str) -> Specialisation:
    names = tuple(f"mxm_sorted_rows<{types}, {items}, {writes}>" for items in (4, 16))
    return Specialisation("mxm_sorted_rows", names, (source.define,))


def _long_rows(
    source: ProductSource, index: np.dtype[Any], writes: str, threads: int, shared_bytes: int
) -> Kernel:
    names = _by_bits(source, _C[index.itemsize], writes)
    return Kernel(names, threads=threads, shared_bytes=shared_bytes)


def _by_bits(source: ProductSource, index: str, writes: str) -> Specialisation:
    return Specialisation("mxm_long_rows", (f"mxm_long_rows<{index}, {writes}>",), (source.define,))


def _by_rows(source: ProductSource, writes: str) -> Iterator[Specialisation]:
    for width, key in ((4, 4), (4, 8), (8, 8)):
        yield _by_sorting(source, f"{_C[width]}, {_KEYS[key]}", writes)
    for index in _C.values():
        yield _by_bits(source, index, writes)


def specialisations() -> Iterator[Specialisation]:
    """One semiring of each sort, over every combination of offsets and indices."""
    yield from map(_lookups, _C.values())
    for index in _C.values():
        yield _sizes(index)
    yield from _by_rows(_pattern(), "false")
    sorts = (
        *(("any_pair", BOOL), ("any_secondi", INT64), ("min_plus", FP32), ("lxor_land", BOOL)),
        *(("plus_times", FP64), ("max_firsti", INT64)),
    )
    for name, dtype in sorts:
        key = product_key(SEMIRING[name].resolve(dtype, dtype), name != "any_pair")
        source = product_source(key, dtype, dtype)
        assert source is not None
        for types in ("int, int", "long long, int", "long long, long long"):
            for reading in _readings(source):
                yield _specialisation(source, "pull", types, reading)
            yield _specialisation(source, "push", f"{types}, {types.split(', ')[1]}")
        for index in ("int", "long long"):
            yield _specialisation(source, "mxm", index)
            yield _members(source, index)
        yield from _by_rows(source, "true")
