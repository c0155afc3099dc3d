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
    reduction_source,
)
from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.engines.cuda.runtime.source import INDEX_TYPES, Specialisation
from spbfs.engines.specialise import product_key
from spbfs.operators.dtypes import BOOL, FP32, FP64, INT64, DType
from spbfs.operators.tables.builtin import MONOID, SEMIRING

__all__ = [
    "LONG_ROW",
    "MEMBER_THREADS",
    "PIECE",
    "PIECE_BYTES",
    "READINGS",
    "SHORT_ROW",
    "TASK_BYTES",
    "TOGETHER",
    "leaves_rows",
    "lookup_kernels",
    "members_kernel",
    "product_kernel",
    "samples",
    "specialisations",
    "usual_of_matrices",
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
    "push_over_bus": ("push_over_bus",),
    "pull": ("pull", "pull_pieces"),
    "mxm": ("mxm_gather", "mxm_dots"),
}
_STEM = {kernel: stem for stem, kernels in _MODULE.items() for kernel in kernels}


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
    arguments = ", ".join(INDEX_TYPES[t.itemsize] for t in types)
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
    names = _members(source, INDEX_TYPES[index.itemsize])
    name = names.kernels[0 if by_rows else 1]
    return Kernel(names, name, threads=MEMBER_THREADS[index.itemsize], shared_bytes=shared_bytes)


def _members(source: ProductSource, index: str) -> Specialisation:
    names = tuple(f"mxm_members<{index}, {by_rows}>" for by_rows in ("true", "false"))
    return Specialisation("mxm_members", names, (source.define,))


@cache
def lookup_kernels(index: np.dtype[Any]) -> tuple[Kernel, Kernel]:
    """Those that count look-ups of dots: an owner's, and what is left of an entry's."""
    its = _lookups(INDEX_TYPES[index.itemsize])
    return Kernel(its, its.kernels[0]), Kernel(its, its.kernels[1])


def _lookups(index: str) -> Specialisation:
    return Specialisation("mxm_lookups", (f"owned_lookups<{index}>", f"lookups_left<{index}>"))


def samples() -> Iterator[ProductSource]:
    """One semiring of each sort."""
    sorts = (
        *(("any_pair", BOOL), ("any_secondi", INT64), ("min_plus", FP32), ("lxor_land", BOOL)),
        *(("plus_times", FP64), ("max_firsti", INT64)),
    )
    for name, dtype in sorts:
        yield _source(name, dtype, dtype, name != "any_pair")


def _source(name: str, first: DType, second: DType, vector_first: bool = False) -> ProductSource:
    """Of a built-in semiring, by the types of the left operand and the right one."""
    key = product_key(SEMIRING[name].resolve(first, second), vector_first)
    stored = (second, first) if vector_first else (first, second)
    source = product_source(key, *stored)
    assert source is not None
    return source


def usual_of_matrices() -> Iterator[ProductSource]:
    """What products of two matrices are mostly over, in programs and in algorithms of ours."""
    for name, dtype in (
        *(("plus_times", FP64), ("plus_times", FP32), ("plus_times", INT64), ("plus_pair", BOOL)),
        *(("min_plus", FP64), ("max_min", FP64), ("any_times", FP64), ("any_eq", FP64)),
    ):
        yield _source(name, dtype, dtype)
    for dtype in (INT64, FP64):
        yield _source("any_first", dtype, BOOL)
        yield _source("any_second", BOOL, dtype)


def _usual_of_vectors() -> Iterator[ProductSource]:
    """The same of a matrix and a vector on either side of it."""
    for side in (False, True):
        yield from (_source("plus_times", dtype, dtype, side) for dtype in (FP64, FP32, INT64))
        yield _source("min_plus", FP64, FP64, side)
        yield from (_source(f"any_{of}i", BOOL, BOOL, side) for of in ("first", "second"))
    yield _source("plus_pair", BOOL, BOOL)
    yield _source("plus_second", BOOL, FP64)
    yield from (_source(f"{add}_second", BOOL, INT64) for add in ("plus", "min", "any"))


def _usual() -> Iterator[Specialisation]:
    """Products over those and sums of rows, for what 32 bits number, and sums where 64 do."""
    for source in _usual_of_vectors():
        yield from (_specialisation(source, "pull", "int, int", r) for r in _readings(source))
        for at in INDEX_TYPES.values():
            yield _specialisation(source, "push", f"int, int, {at}")
            yield _specialisation(source, "push_over_bus", f"int, {at}")
    for source in usual_of_matrices():
        yield from (_specialisation(source, "mxm", "int"), _members(source, "int"))
    for name, dtype in (("plus", FP64), ("plus", INT64), ("max", FP64), ("min", INT64)):
        summed = reduction_source(MONOID[name].resolve(dtype), dtype)
        assert summed is not None
        for types in ("int, int", "long long, long long"):
            yield _specialisation(summed, "pull", types, "all")


def specialisations() -> Iterator[Specialisation]:
    """One semiring of each sort over every combination of offsets and indices, and the usual."""
    yield from map(_lookups, INDEX_TYPES.values())
    yield from dict.fromkeys((*_sampled(), *_usual()))


def _sampled() -> Iterator[Specialisation]:
    for source in samples():
        for types in ("int, int", "long long, int", "long long, long long"):
            for reading in _readings(source):
                yield _specialisation(source, "pull", types, reading)
            # Queues and bitmaps are listed by what numbers them, other lists have 64 bits.
            for at in INDEX_TYPES.values():
                yield _specialisation(source, "push", f"{types}, {at}")
                if types.endswith("int"):
                    offset, _ = types.split(", ")
                    yield _specialisation(source, "push_over_bus", f"{offset}, {at}")
        for index in INDEX_TYPES.values():
            yield _specialisation(source, "mxm", index)
            yield _members(source, index)
