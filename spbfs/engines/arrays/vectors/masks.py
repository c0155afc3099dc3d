"""Masks of vectors: what one admits, as sorted indices or as one flag a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spbfs.engines.arrays.patterns.sets import locate
from spbfs.engines.arrays.values.value_arrays import blank, truths
from spbfs.engines.arrays.vectors.forms import restrict
from spbfs.engines.protocol import MaskData
from spbfs.storage.data import VectorData, is_iso

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = [
    "Region",
    "admits",
    "flags_of",
    "mask_flags",
    "masked_vector",
    "region_flags",
    "region_of",
    "resolve_mask",
]

Array = Any


@dataclass(slots=True)
class Region:
    """A set of positions: sorted `indices`, or one flag a position, or their complement."""

    indices: Array | None
    flags: Array | None
    complement: bool


def resolve_mask(mask: MaskData | None) -> tuple[bool, MaskData | None]:
    """Whether a mask admits anything, and the mask, None where it admits everything."""
    if mask is None:
        return True, None
    data, structural, complement = mask
    if structural and data.indices is None and data.present is None:
        return not complement, None
    return True, mask


def region_of(engine: ArrayEngine, mask: MaskData) -> Region:
    """What a mask admits, as indices for a list, as flags for a dense vector."""
    u = mask.data
    if u.indices is None:
        return Region(None, flags_of(engine, u, mask.structural), mask.complement)
    indices = u.indices
    if not mask.structural:
        indices = indices[truths(engine, u.values)]
    return Region(indices, None, mask.complement)


def admits(engine: ArrayEngine, region: Region, indices: Array) -> Array:
    """For each of `indices`, whether the region holds it."""
    if region.flags is not None:
        inside = region.flags[indices]
    else:
        _, inside = locate(engine.xp, region.indices, indices)
    return ~inside if region.complement else inside


def region_flags(engine: ArrayEngine, region: Region, size: int) -> Array:
    """The region as flags, not to be written."""
    flags = region.flags
    if flags is None:
        flags = blank(engine, size)
        flags[region.indices] = True
    return ~flags if region.complement else flags


def masked_vector(engine: ArrayEngine, w: VectorData, mask: MaskData | None) -> VectorData:
    """The entries of a list that the mask admits."""
    if mask is None:
        return w
    assert w.indices is not None
    return restrict(engine, w, admits(engine, region_of(engine, mask), w.indices))


def mask_flags(engine: ArrayEngine, mask: MaskData) -> tuple[Array, bool]:
    """One flag per position (not to be written), and whether they are complemented."""
    return flags_of(engine, mask.data, mask.structural), mask.complement


def flags_of(engine: ArrayEngine, u: Any, structural: bool) -> Array:
    """Where `u` has an entry (and, unless `structural`, a true one)."""
    if structural or (is_iso(u.values) and u.values.shape[0] and bool(engine.iso_value(u.values))):
        return engine.present(u) if u.present is None else u.present
    if u.indices is not None:
        flags = blank(engine, u.size)
        flags[u.indices] = truths(engine, u.values)
        return flags
    truth = truths(engine, u.values)
    return truth if u.present is None else truth & u.present
