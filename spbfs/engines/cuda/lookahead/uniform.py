"""The one value of all frontiers of a loop, where its product makes no parents.

``any_pair``, ``lor_land``, ``any_first`` of pattern and iso operands: every entry of the product
is the same number, known to the host, and so is that of the product's own product.
"""

from __future__ import annotations

from typing import Any

from spbfs.engines.arrays.values.value_arrays import same_bits
from spbfs.engines.cuda.lookahead.history import LoopHistory
from spbfs.engines.cuda.operators.known import known_values
from spbfs.engines.cuda.operators.semirings import product_source
from spbfs.engines.specialise import product_key, specialised
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import lookup_dtype
from spbfs.storage.data import MatrixData, is_iso

__all__ = ["uniform_values"]

Array = Any


def uniform_values(
    engine: Any,
    history: LoopHistory,
    A: MatrixData,
    values: Array,
    semiring: TypedSemiring,
    vector_first: bool,
) -> Array | None:
    """The values of ``u A``, ``(u A) A`` and so on as an iso array, `values` being those of `u`;
    None where they are not one known number."""
    known = engine.known_value(values) if is_iso(values) and values.shape[0] else None
    # By its bits, as -0.0 equals 0.0 and divides otherwise; unknown ones all alike.
    key = values.dtype, is_iso(values), None if known is None else known.tobytes()
    if key not in history.uniform:
        made = _product_values(engine, A, values, semiring, vector_first)
        if made is not None:
            again = _product_values(engine, A, made, semiring, vector_first)
            made = made if _are_same(engine, made, again) else None
        if known is None and is_iso(values):
            return made
        history.uniform[key] = made
    made = history.uniform[key]
    return made


def _are_same(engine: Any, first: Array, second: Array | None) -> bool:
    """Whether two iso arrays have one type and one known value."""
    if second is None or second.dtype != first.dtype:
        return False
    x, y = engine.known_value(first), engine.known_value(second)
    return x is not None and y is not None and same_bits(x, y)


def _product_values(
    engine: Any, A: MatrixData, values: Array, semiring: TypedSemiring, vector_first: bool
) -> Array | None:
    """The one value of a product, an iso array; None where it is not known beforehand."""
    key, value = specialised(engine, product_key(semiring, vector_first), A.values, values)
    types = lookup_dtype(A.values.dtype), lookup_dtype(values.dtype)
    if value is None or not key.is_pattern or product_source(key, *types) is None:
        return None
    return known_values(engine, semiring, vector_first, value, 1)
