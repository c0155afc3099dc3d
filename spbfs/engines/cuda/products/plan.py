"""How a product on CUDA is made: worked out once for a matrix, a semiring and a sort of vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spbfs.base.gpu_memory import free_bytes, has_room
from spbfs.engines.arrays.values.value_arrays import dtype_of
from spbfs.engines.cuda.operators.known import known_values
from spbfs.engines.cuda.operators.semirings import ProductSource, product_source
from spbfs.engines.protocol import Operation
from spbfs.engines.specialise import product_key, specialised
from spbfs.storage.data import VectorData, is_iso
from spbfs.storage.derived import keeping

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["ProductPlan", "plan_of"]

Array = Any


@dataclass(slots=True)
class ProductPlan:
    """What is worked out once for a matrix, a semiring and the sort of vector it meets."""

    source: ProductSource
    #: The values of the result, where they are known.
    values: Array | None


def plan_of(engine: CudaEngine, operation: Operation, u: VectorData) -> ProductPlan | None:
    """How to make the product; None where it must be spelled out by the array engine."""
    A, semiring, transpose, vector_first = operation
    derived = A.derived
    if derived.plans is None:
        with keeping:
            if derived.plans is None:
                derived.plans = {}
    plans: dict[Any, ProductPlan | None] = derived.plans
    values = u.values
    alike = engine.known_value(values) if is_iso(values) else None
    # By its bits: -0.0 equals 0.0, and divides otherwise.
    sort = "" if alike is None else alike.tobytes()
    key = (semiring, transpose, vector_first, values.dtype, sort)
    lasts = alike is not None or not is_iso(values)
    if lasts and key in plans:
        return plans[key]
    product, value = specialised(engine, product_key(semiring, vector_first), A.values, values)
    source, made = product_source(product, dtype_of(A), dtype_of(u)), None
    if source is not None:
        if not _fits(operation):
            return None  # for the next one there may be more room
        size = A.ncols if transpose else A.nrows
        known = None if value is None else known_values(engine, semiring, vector_first, value, size)
        made = ProductPlan(source, known)
    if lasts:
        plans[key] = made
    return made


def _fits(operation: Operation) -> bool:
    """Whether there is room for both sides, which are dense.

    To spell a product out takes more, unless the matrix has next to no entries for its columns.
    """
    A, semiring, transpose, _ = operation
    size = A.ncols if transpose else A.nrows
    width = 1 + semiring.out_type.np_type.itemsize + A.indices.dtype.itemsize
    needed = size * width + 2 * max(A.nrows, A.ncols)
    if has_room(needed):
        return True
    return needed < 16 * (A.nvals + A.nrows) and needed < free_bytes() // 4 * 3
