"""Indices that a slice names, as a ``range``: what is stored there is found by arithmetic.

A range over 2^40 indices takes no memory, so it is spelled out only where all of them are looked
at anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.patterns.sets import true_at

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["among", "as_slice", "held", "rising", "shifted", "spelled"]

Array = Any


def spelled(engine: ArrayEngine, chosen: Array | range) -> Array:
    """The indices as an array."""
    if not isinstance(chosen, range):
        return chosen
    engine.require_bytes(8 * len(chosen), f"a slice of {len(chosen):,} indices")
    return engine.xp.arange(chosen.start, chosen.stop, chosen.step, dtype=np.int64)


def as_slice(chosen: range) -> slice:
    """What cuts these indices out of an array."""
    return slice(chosen.start, chosen.stop if chosen.stop >= 0 else None, chosen.step)


def rising(chosen: range) -> range:
    """The same indices, the least first."""
    return chosen if chosen.step > 0 else chosen[::-1]


def shifted(chosen: Array | range, places: Array) -> Array:
    """``chosen[places]``, int64."""
    if not isinstance(chosen, range):
        return chosen[places].astype(np.int64, copy=False)
    places = places.astype(np.int64)
    if chosen.step != 1:
        places *= chosen.step
    places += chosen.start
    return places


def among(chosen: range, indices: Array) -> tuple[Array, Array]:
    """Where each of some indices stands in a range, and whether it is there."""
    at = indices.astype(np.int64)
    at -= chosen.start
    if chosen.step == 1:
        return at, (at >= 0) & (at < len(chosen))
    off = at
    at = off // chosen.step
    return at, (at * chosen.step == off) & (at >= 0) & (at < len(chosen))


def held(xp: Any, chosen: range, indices: Array) -> tuple[Array, Array]:
    """Which of some rising indices a range holds, and where they stand in it, rising."""
    if xp is np and chosen.step == 1:
        first, last = indices.searchsorted(np.array([chosen.start, chosen.stop])).tolist()
        return np.arange(first, last), indices[first:last] - chosen.start
    at, hit = among(chosen, indices)
    kept = true_at(hit)
    at = at[kept]
    return (kept, at) if chosen.step > 0 else (kept[::-1].copy(), at[::-1].copy())
