"""Values of products that are known before anything is launched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines.specialise import product_key
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import BOOL

if TYPE_CHECKING:
    from spbfs.engines.cuda.engine import CudaEngine

__all__ = ["known_values"]

Array = Any


def known_values(
    engine: CudaEngine, semiring: TypedSemiring, vector_first: bool, value: Any, size: int
) -> Array:
    """The values of a result that are all known; ones of a pattern as true, so that a frontier of
    Booleans need not be cast whatever the matrix holds."""
    pattern = product_key(semiring, vector_first).is_pattern
    return engine.constant(value, BOOL.np_type if pattern else semiring.out_type.np_type, size)
