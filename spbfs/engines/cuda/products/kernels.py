"""The modules of the product kernels: one for each semiring and the types of its arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np

from spbfs.engines.arrays.elementwise import eval_binary
from spbfs.engines.cuda.products.semirings import Ring, ring_of
from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.operators.builtin import SEMIRING
from spbfs.operators.definitions import TypedBinary, TypedSemiring
from spbfs.operators.dtypes import BOOL, FP32, INT64
from spbfs.storage.data import is_iso

__all__ = ["LONG_ROW", "PIECE", "PIECE_BYTES", "product_kernel", "simplified", "specialisations"]

#: ``kLongRow``, ``kPiece`` and ``sizeof(Piece)`` of ``semiring_sums.cuh``.
LONG_ROW = 1024
PIECE = 4096
PIECE_BYTES = 48

_MODULE = {
    "push": ("push", "push_pieces"),
    "pull": ("pull", "pull_pieces"),
    "mxm": ("mxm_gather", "mxm_expand"),
}
_STEM = {kernel: stem for stem, kernels in _MODULE.items() for kernel in kernels}
_C = {4: "int", 8: "long long"}


def _specialisation(ring: Ring, stem: str, arguments: str) -> Specialisation:
    names = tuple(f"{kernel}<{arguments}>" for kernel in _MODULE[stem])
    return Specialisation(stem, names, (ring.define,))


@cache
def product_kernel(ring: Ring, kernel: str, *types: np.dtype[Any]) -> Kernel:
    """A kernel of the module for a ring and the types of offsets, indices and frontier."""
    arguments = ", ".join(_C[t.itemsize] for t in types)
    specialisation = _specialisation(ring, _STEM[kernel], arguments)
    return Kernel(specialisation, f"{kernel}<{arguments}>")


def simplified(
    engine: Any, ring: Ring, semiring: TypedSemiring, first: Any, second: Any, vector_first: bool
) -> tuple[Ring, Any]:
    """A cheaper ring for these values arrays, and the value of all results where it is known.

    Where every product is one and the same value (pattern-only operands), an idempotent monoid
    leaves only the pattern to be found.  The value comes as an array of one element.
    """
    if ring.is_pattern or semiring.multiply.op.positional or not semiring.add.idempotent:
        return ring, None
    if (ring.reads_first and not is_iso(first)) or (ring.reads_second and not is_iso(second)):
        return ring, None
    one = np.ones(1, semiring.multiply.in_type.np_type)
    x = np.asarray(engine.iso_value(first)).reshape(1) if ring.reads_first else one
    y = np.asarray(engine.iso_value(second)).reshape(1) if ring.reads_second else one
    if vector_first:
        x, y = y, x
    value = _product(semiring.multiply, x.dtype, x.tobytes(), y.dtype, y.tobytes())
    out = semiring.out_type
    return _pattern_ring(), engine.constant(value.astype(out.np_type), out.np_type, 1)


@lru_cache(maxsize=1024)
def _product(op: TypedBinary, x_type: Any, x: bytes, y_type: Any, y: bytes) -> Any:
    """The one product of two values given by their bits: -0.0 equals 0.0, and divides otherwise."""
    operands = (np.frombuffer(v, t) for v, t in ((x, x_type), (y, y_type)))
    with np.errstate(all="ignore"):
        return eval_binary(np, op, *(v.astype(op.in_type.np_type) for v in operands))


@cache
def _pattern_ring() -> Ring:
    made = ring_of(SEMIRING["any_pair"].resolve(BOOL, BOOL), BOOL, BOOL)
    assert made is not None
    return made


def specialisations() -> Iterator[Specialisation]:
    """One semiring of each sort, over every combination of offsets and indices."""
    rings = [_pattern_ring()]
    for name, dtype in (("any_secondi", INT64), ("min_plus", FP32), ("lxor_land", BOOL)):
        ring = ring_of(SEMIRING[name].resolve(dtype, dtype), dtype, dtype, True)
        assert ring is not None
        rings.append(ring)
    for ring in rings:
        for types in ("int, int", "long long, int", "long long, long long"):
            yield _specialisation(ring, "pull", types)
            yield _specialisation(ring, "push", f"{types}, {types.split(', ')[1]}")
        for index in ("int", "long long"):
            yield _specialisation(ring, "mxm", index)
