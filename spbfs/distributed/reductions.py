"""Sums over all ranks: each sums its part, and what they have is summed everywhere in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.functions import guarded
from spbfs.distributed.products import returned
from spbfs.distributed.ranks import everyones
from spbfs.distributed.storage import DistributedMatrix, DistributedVector
from spbfs.operators.definitions import TypedMonoid
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["reduce", "reduce_rowwise"]


def reduce(
    engine: DistributedEngine, x: DistributedVector | DistributedMatrix, monoid: TypedMonoid
) -> Any:
    """See `Engine.reduce`; every rank has the same sum, bit for bit."""
    mine = guarded(engine, lambda: engine.local.reduce(x.part, monoid), monoid)
    found = everyones(engine.ranks, mine)
    some = [value for value in found if value is not None]
    values = np.array(some, monoid.dtype.np_type)
    return engine.host.reduce(VectorData(len(some), values), monoid) if some else None


def reduce_rowwise(
    engine: DistributedEngine, A: DistributedMatrix, monoid: TypedMonoid
) -> DistributedVector:
    """See `Engine.reduce_rowwise`."""
    sums = guarded(engine, lambda: engine.local.reduce_rowwise(A.part, monoid), monoid)
    return engine.vector(returned(engine, engine.ends(A).rows, sums, monoid, None))
