"""The state of a program in arrays that stay where they are from round to round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cupy

from spbfs.engines.arrays.vectors.forms import as_dense
from spbfs.engines.cuda.lookahead import hooks as lookahead
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["addresses", "bring_back", "settled"]

Array = Any

_ON_DEVICE = 3


def settled(engine: CudaEngine, u: VectorData) -> VectorData:
    """A copy of a vector in dense arrays of its own, of which nobody has counted anything."""
    u = as_dense(engine, lookahead.release(u))
    values = u.values if is_iso(u.values) else u.values.copy()
    return VectorData(u.size, values, present=None if u.present is None else u.present.copy())


def addresses(state: list[VectorData]) -> set[int]:
    """Where the arrays that may be written begin."""
    return {array.data.ptr for u in state for array in u.arrays}


def bring_back(made: list[VectorData], state: list[VectorData]) -> bool:
    """Copy what a round made into the arrays of the state; False, and nothing copied, where it is
    of another form."""
    moved = list(zip(made, state, strict=True))
    if not all(_alike(u, stays) for u, stays in moved):
        return False
    for u, stays in moved:
        _bring(u.values, stays.values)
        _bring(u.present, stays.present)
    return True


def _bring(source: Array | None, to: Array | None) -> None:
    if source is not None and to is not None and source.data.ptr != to.data.ptr:
        cupy.cuda.runtime.memcpyAsync(
            *(to.data.ptr, source.data.ptr, to.nbytes, _ON_DEVICE),
            cupy.cuda.get_current_stream().ptr,
        )


def _alike(u: VectorData, stays: VectorData) -> bool:
    """Whether a vector can be brought into the arrays of another, none of which it has moved."""
    if u.form != stays.form or u.values.dtype != stays.values.dtype or u.size != stays.size:
        return False
    alike = u.values.data.ptr == stays.values.data.ptr
    return alike if is_iso(stays.values) else not is_iso(u.values)
