"""Work on elements: that of the rank's own engine on its part, as nothing has to be exchanged.

Matrices of two numberings, and what leaves fewer entries in one, are for `matrix_elements`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from spbfs.base.wording import counted
from spbfs.distributed.algebra.functions import guarded
from spbfs.distributed.algebra.matrix_elements import (
    aligned,
    positions_of,
    with_entries,
    write_matrix,
)
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.engines.arrays.matrices.elements import keep_entries, with_values
from spbfs.engines.arrays.patterns.ranges import among, spelled
from spbfs.engines.arrays.values.value_arrays import indexed_values, unary_values
from spbfs.engines.protocol import Indices, MaskData
from spbfs.exceptions import NotImplementedException
from spbfs.operators.definitions import TypedBinary, TypedIndexUnary, TypedUnary
from spbfs.operators.dtypes import DType
from spbfs.storage.data import MatrixData, VectorData, is_iso
from spbfs.storage.derived import Derived, remember_symmetry
from spbfs.storage.entries import take, vector_entries

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = [
    "apply",
    "apply_bind",
    "apply_index",
    "assign_scalar_vector",
    "assign_vector",
    "cast",
    "copy",
    "ewise_add",
    "ewise_mult",
    "ewise_union",
    "extract_vector",
    "select",
    "with_part",
    "write",
]

Array = Any
X = TypeVar("X", DistributedVector, DistributedMatrix)


def with_part(A: DistributedMatrix, part: MatrixData, *, iso: bool) -> DistributedMatrix:
    """A matrix with other values of its entries, all of them one at all ranks or not."""
    # A room has copies of the parts that were searched in it.
    return replace(A, part=part, iso=iso, derived=Derived(), room=None)


def _changed(engine: DistributedEngine, x: X, part: Any) -> Any:
    """What an operator makes of values; collective for a matrix that has one."""
    if not isinstance(x, DistributedMatrix):
        return DistributedVector(x.partition, part)
    iso = x.iso
    if iso:  # of nothing a rank makes no value that is one
        here = is_iso(part.values) or not engine.local.nvals(part)
        iso = bool(engine.ranks.reduce(np.array([int(here)]), "min")[0])
    return with_part(x, part, iso=iso)


def _vector_only(x: Any, operation: str) -> None:
    if isinstance(x, DistributedMatrix):
        raise NotImplementedException(
            f"{operation}: not for matrices that are spread over "
            f"{counted(x.partition.size, 'rank')}; .gather() brings one to one place"
        )


# -- two operands --------------------------------------------------------------------------------
def ewise_add(engine: DistributedEngine, x: X, y: X, op: TypedBinary) -> X:
    return _of_both(engine, op, x, y, lambda at, a, b: at.ewise_add(a, b, op))


def ewise_mult(engine: DistributedEngine, x: X, y: X, op: TypedBinary) -> X:
    return _of_both(engine, op, x, y, lambda at, a, b: at.ewise_mult(a, b, op))


def ewise_union(
    engine: DistributedEngine,
    x: X,
    x_default: np.generic,
    y: X,
    y_default: np.generic,
    op: TypedBinary,
) -> X:
    return _of_both(
        engine, op, x, y, lambda at, a, b: at.ewise_union(a, x_default, b, y_default, op)
    )


def _of_both(
    engine: DistributedEngine, op: TypedBinary, x: Any, y: Any, work: Callable[[Any, Any, Any], Any]
) -> Any:
    """What an engine makes of the parts of two operands."""
    if op.op.positional:
        _vector_only(x, op.op.name)
        return _by_vertices(engine, lambda a, b: work(engine.host, a, b), x, y)
    if isinstance(x, DistributedMatrix):
        like, (a, b) = aligned(engine, x, y)
        return with_entries(engine, like, guarded(engine, lambda: work(engine.local, a, b), op))
    return _changed(engine, x, guarded(engine, lambda: work(engine.local, x.part, y.part), op))


# -- one operand ---------------------------------------------------------------------------------
def apply(engine: DistributedEngine, x: X, op: TypedUnary) -> X:
    if op.op.positional:
        if isinstance(x, DistributedMatrix):
            return _revalued(engine, x, lambda A, ij: unary_values(engine.host, op, A.values, ij))
        return _by_vertices(engine, lambda a: engine.host.apply(a, op), x)
    return _changed(engine, x, guarded(engine, lambda: engine.local.apply(x.part, op), op))


def apply_bind(
    engine: DistributedEngine,
    x: X,
    op: TypedBinary,
    *,
    left: np.generic | None,
    right: np.generic | None,
) -> X:
    if op.op.positional:
        _vector_only(x, op.op.name)
        bound = lambda a: engine.host.apply_bind(a, op, left=left, right=right)  # noqa: E731
        return _by_vertices(engine, bound, x)
    part = guarded(engine, lambda: engine.local.apply_bind(x.part, op, left=left, right=right), op)
    return _changed(engine, x, part)


def apply_index(engine: DistributedEngine, x: X, op: TypedIndexUnary, thunk: np.generic) -> X:
    if isinstance(x, DistributedMatrix):
        return guarded(engine, lambda: _revalued(engine, x, _indexed(engine, op, thunk)), op)
    by_index = lambda a: engine.host.apply_index(a, op, thunk)  # noqa: E731
    return guarded(engine, lambda: _by_vertices(engine, by_index, x), op)


def select(engine: DistributedEngine, x: X, op: TypedIndexUnary, thunk: np.generic) -> X:
    by_value = not op.op.is_positional and op.op.function is None
    if isinstance(x, DistributedMatrix):
        if by_value:
            part = engine.local.select(x.part, op, thunk)
        else:
            held, kept = guarded(
                engine, lambda: _evaluated(engine, x, _indexed(engine, op, thunk)), op
            )
            flags = kept.astype(np.bool_, copy=False)
            part = engine.on_device(keep_entries(engine.host, held, flags))
        return with_entries(engine, x, part, iso=x.iso)
    if by_value:
        return _changed(engine, x, engine.local.select(x.part, op, thunk))
    chosen = lambda a: engine.host.select(a, op, thunk)  # noqa: E731
    return guarded(engine, lambda: _by_vertices(engine, chosen, x), op)


def cast(engine: DistributedEngine, x: X, dtype: DType) -> X:
    made = _changed(engine, x, engine.local.cast(x.part, dtype))
    if isinstance(x, DistributedMatrix) and x.derived.symmetric and made.iso:
        remember_symmetry(made)
    return made


def copy(engine: DistributedEngine, x: X) -> X:
    return _changed(engine, x, engine.local.copy(x.part))


def _indexed(
    engine: DistributedEngine, op: TypedIndexUnary, thunk: np.generic
) -> Callable[[MatrixData, Any], Array]:
    """`op` of the values and the positions of a matrix."""
    return lambda A, ij: indexed_values(
        engine.host, op, A.values, lambda: ij()[0], lambda: ij()[1], thunk
    )


def _evaluated(
    engine: DistributedEngine, x: DistributedMatrix, values: Callable[[MatrixData, Any], Array]
) -> tuple[MatrixData, Array]:
    """This rank's part in host memory, and what an operator that sees positions makes of it."""
    held = engine.on_host(x.part)
    return held, values(held, lambda: positions_of(engine, x))


def _revalued(
    engine: DistributedEngine, x: DistributedMatrix, values: Callable[[MatrixData, Any], Array]
) -> DistributedMatrix:
    """A matrix of what an operator that sees positions makes of each entry."""
    held, made = _evaluated(engine, x, values)
    return with_part(x, engine.on_device(with_values(held, made)), iso=False)


def _by_vertices(engine: DistributedEngine, work: Callable[..., VectorData], *vectors: Any) -> Any:
    """Work that sees positions, on lists of the entries by the numbers that a user knows."""
    done = work(*(_listed(engine, x) for x in vectors))
    vertices, values = vector_entries(done)
    _, elements = engine.own_elements(vertices)
    order = np.argsort(elements)
    part = VectorData(engine.own, take(values, order), indices=elements[order])
    return engine.vector(engine.on_device(engine.host.choose_form(part)))


def _listed(engine: DistributedEngine, x: DistributedVector) -> VectorData:
    """The entries of this rank in a list of all vertices."""
    elements, values = vector_entries(engine.on_host(x.part))
    vertices = engine.vertices(elements)
    order = np.argsort(vertices)
    return VectorData(x.size, take(values, order), indices=vertices[order])


# -- output --------------------------------------------------------------------------------------
def _mask_here(mask: MaskData | None) -> MaskData | None:
    return None if mask is None else mask._replace(data=mask.data.part)


def write(
    engine: DistributedEngine,
    C: X,
    T: X,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> X:
    if isinstance(C, DistributedMatrix):
        return write_matrix(engine, C, T, mask, accum, replace)
    part = guarded(
        engine,
        lambda: engine.local.write(C.part, T.part, _mask_here(mask), accum, replace),
        accum,
    )
    return _changed(engine, C, part)


def assign_scalar_vector(
    engine: DistributedEngine,
    w: DistributedVector,
    value: np.generic,
    indices: Indices,
    mask: MaskData | None,
    accum: TypedBinary | None,
    replace: bool,
) -> DistributedVector:
    here = _mask_here(mask)

    def assigned() -> VectorData:
        at = None if indices is None else engine.local.asarray(_own_elements(engine, indices))
        made: VectorData = engine.local.assign_scalar_vector(
            w.part, value, at, here, accum, replace
        )
        return made

    return engine.vector(guarded(engine, assigned, accum))


def _own_elements(engine: DistributedEngine, indices: Array | range) -> Array:
    """This rank's elements among some; of a slice no more is spelled out than it has itself."""
    if isinstance(indices, range) and len(indices) > engine.own:
        _, chosen = among(indices, engine.vertices(np.arange(engine.own)))
        return np.flatnonzero(chosen)
    return engine.own_elements(engine.to_numpy(spelled(engine.host, indices)))[1]


def assign_vector(
    engine: DistributedEngine,
    w: DistributedVector,
    t: DistributedVector,
    indices: Indices,
    accum: TypedBinary | None,
) -> DistributedVector:
    if indices is not None:
        raise NotImplementedException(
            "assign: a vector to some elements is not for vectors over ranks; assign a number, or "
            "use a mask"
        )
    part = guarded(engine, lambda: engine.local.assign_vector(w.part, t.part, None, accum), accum)
    return engine.vector(part)


def extract_vector(
    engine: DistributedEngine, u: DistributedVector, indices: Indices
) -> DistributedVector:
    if indices is not None:
        raise NotImplementedException(
            "extract: some elements of a vector over ranks are no vector of theirs; .local has "
            "those of this rank, .gather() brings all"
        )
    return copy(engine, u)
