"""The forms of a vector on the CPU: lists found in bitmaps in one pass, bitmaps without zeroing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spbfs.base import tracing
from spbfs.engines.arrays.vectors import forms
from spbfs.engines.cpu.native import kernels
from spbfs.storage.data import VectorData, is_iso, iso_array

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["to_bitmap", "to_list"]


def to_list(engine: CpuEngine, u: VectorData) -> VectorData:
    """The same vector as a list; `u` itself if it is one."""
    if u.present is None:
        return forms.to_list(engine, u)
    indices = np.empty(u.counted if u.counted >= 0 else engine.count(u), np.int64)
    indices = indices[: kernels.bytes_to_list(u.present, indices)]
    if tracing.current() is not None:
        tracing.record(conversions="bitmap->list")
    values = u.values
    values = iso_array(values[:1], indices.shape[0]) if is_iso(values) else values[indices]
    return VectorData(u.size, values, indices=indices)


def to_bitmap(engine: CpuEngine, u: VectorData) -> VectorData:
    """The same vector as a bitmap; `u` itself if it is one, else arrays of its own."""
    if u.indices is None or u.values.dtype == np.bool_ or is_iso(u.values):
        return forms.to_bitmap(engine, u)
    present = engine.present(u)
    # Values of absent elements mean nothing, so they need not be zeroed.
    engine.require_bytes(u.size * u.values.itemsize, f"a dense vector of {u.size} elements")
    values = np.empty(u.size, u.values.dtype)
    values[u.indices] = u.values
    return VectorData(u.size, values, present=present, counted=u.indices.shape[0])
