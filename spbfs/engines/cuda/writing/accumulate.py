"""The module of ``cuda/vectors/accumulate.cu`` for an operator and the types of both sides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from spbfs.engines.cuda.operators.semirings import accumulation
from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import FP64, INT64, DType
from spbfs.operators.tables.builtin import BINARY

__all__ = ["accumulate_kernel", "specialisations"]


def _specialisation(op: TypedBinary, old: DType, new: DType) -> Specialisation | None:
    body = accumulation(op, old, new)
    if body is None:
        return None
    return Specialisation("accumulate", ("accumulate",), (f"SPBFS_ACCUM={body}",))


@lru_cache(maxsize=1024)
def accumulate_kernel(op: TypedBinary, old: DType, new: DType) -> Kernel | None:
    """The kernel that accumulates values stored as `new` into some stored as `old`; None for an
    operator that cannot be written as C++."""
    specialisation = _specialisation(op, old, new)
    return None if specialisation is None else Kernel(specialisation, "accumulate")


def specialisations() -> Iterator[Specialisation]:
    """A selection of operators and types."""
    usual = [(name, dtype, dtype) for name in ("plus", "min") for dtype in (FP64, INT64)]
    for name, old, new in (*usual, ("plus", FP64, INT64), ("second", INT64, INT64)):
        made = _specialisation(BINARY[name].resolve(old, old), old, new)
        assert made is not None
        yield made
