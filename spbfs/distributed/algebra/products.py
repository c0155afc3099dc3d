"""Products of a distributed matrix and a vector.

Three steps: values of the vector are brought to whoever has edges there, every rank's engine
multiplies its part, and what it found for vertices of others is returned to their owners, where
the monoid sums it.  Where edges are cut by rows, a product along them returns only, which is a
push, and one of their rows brings only, which is a pull; on a grid of ranks each of the two is
among a row or a column of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.distributed.algebra.calls import called
from spbfs.distributed.algebra.functions import guarded
from spbfs.distributed.algebra.transpose import across_of, transposed
from spbfs.distributed.exchange.wire import Subset
from spbfs.distributed.parts.sides import Crossing, Side, values_between
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.engines.arrays.vectors.masks import flags_of, masked_vector
from spbfs.engines.protocol import Hints, MaskData, Operation
from spbfs.engines.specialise import product_key
from spbfs.exceptions import NotImplementedException
from spbfs.operators.definitions import TypedBinary, TypedMonoid, TypedSemiring
from spbfs.operators.dtypes import INT64
from spbfs.operators.tables.builtin import BINARY
from spbfs.planner.search import pull_parts_pays
from spbfs.storage.data import VectorData, is_iso
from spbfs.storage.entries import vector_entries

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["brought", "joined", "mxv", "returned"]

Array = Any


def mxv(
    engine: DistributedEngine,
    operation: Operation,
    u: DistributedVector,
    mask: MaskData | None,
    hints: Hints,
) -> DistributedVector:
    """See `Engine.mxv`."""
    given, semiring, transpose, vector_first = operation
    A: Any = given
    how = ("transposed", transpose), ("vector_first", vector_first), ("mask", mask)
    engine.ranks.enter(called("mxv", (("semiring", semiring), *how)))
    part = engine.to_staging(u.part)
    if semiring.multiply.op.positional:
        part = _numbered(engine, part, semiring)
        semiring = _of_values(semiring, vector_first)
    direction = _direction(engine, A, u, transpose, mask, hints)
    if (direction == "push") != transpose:
        A, transpose = across_of(A) or transposed(engine, A), not transpose
    ends = engine.ends(A)
    source, target = (ends.rows, ends.columns) if transpose else (ends.columns, ends.rows)
    before = engine.ranks.sent
    reads = product_key(semiring, vector_first).uses_second
    frontier = brought(engine, source, part, reads)
    of = A.part, semiring, transpose, vector_first
    at, admitted = engine.from_staging(frontier), _local_mask(engine, target, mask)
    chosen = Hints(direction, hints.threads)
    multiplied = guarded(engine, lambda: engine.local.mxv(of, at, admitted, chosen), semiring)
    w = returned(engine, target, multiplied, semiring.add, mask)
    if tracing.current() is not None:
        tracing.record(direction=direction, bytes=engine.ranks.sent - before)
    return DistributedVector(u.partition, w)


def _direction(
    engine: DistributedEngine,
    A: DistributedMatrix,
    u: DistributedVector,
    transpose: bool,
    mask: MaskData | None,
    hints: Hints,
) -> str:
    """Push or pull; where the matrix lies in one way only, that one."""
    if hints.direction != "auto":
        return hints.direction
    there = "push" if transpose else "pull"
    across = across_of(A)
    if across is None:
        return there
    degrees = engine.ends(A if transpose else across).degrees
    at, _ = vector_entries(engine.to_staging(u.part))
    visited = 0
    if mask is not None and mask.complement:
        visited = engine.local.nvals(mask.data.part)
    counts = np.array([int(degrees[at].sum()), visited])
    edges, known = engine.ranks.reduce(counts, "sum").tolist()
    left = A.nvals * (A.nrows - known) // max(A.nrows, 1)
    return "pull" if pull_parts_pays(A.nrows, edges, left) else "push"


def _numbered(engine: DistributedEngine, part: VectorData, semiring: TypedSemiring) -> VectorData:
    """The vertices that have entries as their values: what a multiplication by position gives."""
    if semiring.multiply.op.name not in ("firstj", "secondi"):
        raise NotImplementedException(
            f"semiring: {semiring.op.name!r} takes the position of the result, which products over "
            "ranks do not; secondi and firstj are there"
        )
    indices, _ = vector_entries(part)
    return VectorData(part.size, engine.vertices(indices), indices=indices)


@lru_cache(maxsize=256)
def _of_values(semiring: TypedSemiring, vector_first: bool) -> TypedSemiring:
    """The same semiring for a vector that has its own positions as values."""
    name = "first" if vector_first else "second"
    return TypedSemiring(semiring.op, semiring.add, TypedBinary(BINARY[name], INT64, INT64))


# -- to those who multiply -----------------------------------------------------------------------
def brought(engine: DistributedEngine, side: Side, part: VectorData, reads: bool) -> VectorData:
    """This rank's elements and those of others that its edges refer to, where ranks exchange.

    Where values are not read, nothing but where they are is brought.
    """
    if not side.between:
        return part
    indices, values = vector_entries(part)
    arrived = side.bring(indices, values if reads else None).wait()
    # Numbers rise from rank to rank, this rank's own before all of them.
    staging = engine.staging
    everywhere = staging.xp.concatenate([indices, *(subset.positions for subset in arrived)])
    kept = staging.constant(True, np.dtype(np.bool_), everywhere.shape[0])
    if reads:
        kept = joined(engine, [values, *(subset.values for subset in arrived)])
    return staging.choose_form(VectorData(side.size, kept, indices=everywhere), shrink=True)


def joined(engine: DistributedEngine, pieces: list[Array]) -> Array:
    """Values one after the other, stored once where all are known to be one."""
    staging = engine.staging
    some = [piece for piece in pieces if piece.shape[0]]
    if some and all(is_iso(piece) for piece in some):
        ones = [staging.iso_value(piece) for piece in some]
        if len({one.tobytes() for one in ones}) == 1:
            return staging.constant(ones[0], some[0].dtype, sum(p.shape[0] for p in some))
    return staging.xp.concatenate(pieces)


def _local_mask(engine: DistributedEngine, side: Side, mask: MaskData | None) -> MaskData | None:
    """What the mask admits here; of the vertices of others it is their owners who know."""
    if mask is None or not side.between:
        return mask if mask is None else mask._replace(data=mask.data.part)
    staging = engine.staging
    flags = staging.xp.empty(side.size, np.bool_)
    flags[: side.own] = flags_of(staging, engine.to_staging(mask.data.part), mask.structural)
    flags[side.own :] = not mask.complement
    ones = staging.constant(True, np.dtype(np.bool_), side.size)
    data = VectorData(side.size, ones, present=flags)
    return MaskData(engine.from_staging(data), True, mask.complement)


# -- to the owners of what was found -------------------------------------------------------------
def returned(
    engine: DistributedEngine,
    side: Side,
    found: VectorData,
    monoid: TypedMonoid,
    mask: MaskData | None,
) -> VectorData:
    """The sums for this rank's vertices, of what all have found for them, where a mask admits."""
    if not side.between:
        return found
    staging = engine.staging
    indices, values = vector_entries(engine.to_staging(found))
    crossing: Crossing = side.give(indices, values)
    own = crossing.stay
    mine = Subset(indices[:own], values_between(values, 0, own))
    pieces = [mine, *crossing.wait()]
    everything = staging.xp.concatenate([piece.positions for piece in pieces])
    values = joined(engine, [piece.values for piece in pieces])
    summed = guarded(
        engine,
        lambda: staging.build_vector(side.own, everything, values, monoid.binaryop),
        monoid,
    )
    if mask is not None:
        here = mask._replace(data=engine.to_staging(mask.data.part))
        summed = masked_vector(staging, staging.to_list(summed), here)
    return engine.from_staging(staging.choose_form(summed, shrink=True))
