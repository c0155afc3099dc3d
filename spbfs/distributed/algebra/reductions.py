"""Sums over all ranks: each sums its part, and what they have is summed everywhere in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.algebra.functions import guarded
from spbfs.distributed.algebra.products import returned
from spbfs.distributed.exchange.ranks import everyones
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.operators.definitions import TypedMonoid
from spbfs.operators.dtypes import INT64, lookup_dtype
from spbfs.operators.tables.builtin import INDEXUNARY, MONOID
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["reduce", "reduce_rowwise", "row_ends"]


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


def row_ends(engine: DistributedEngine, A: DistributedMatrix, last: bool) -> DistributedVector:
    """See `Engine.row_ends`: by the numbers of columns that a user knows, which do not rise in a
    rank's rows."""
    column = INDEXUNARY["colindex"].typed(lookup_dtype(A.dtype))
    columns = engine.apply_index(A, column, np.int64(0))
    return engine.reduce_rowwise(columns, MONOID["max" if last else "min"].typed(INT64))
