"""For what a product kernel is specialised: the semiring as seen from the matrix, and known values.

The matrix (the left one) is a kernel's first operand, whichever side the vector is on, and where
operands are all one value, a kernel need not read them, nor even sum what it does not read.  Each
engine says by which names, types or source text its compiler knows a key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.elementwise import eval_binary
from spbfs.operators.casts import cast
from spbfs.operators.definitions import TypedBinary, TypedMonoid, TypedSemiring
from spbfs.operators.dtypes import BOOL
from spbfs.operators.tables.builtin import BINARY, SEMIRING

if TYPE_CHECKING:
    from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["ProductKey", "product_key", "reduction_key", "specialised"]

Array = Any
#: The type of a value and its bits: -0.0 equals 0.0, and divides otherwise.
Bits = tuple[np.dtype[Any], bytes]

#: Where a positional multiplication finds its position: the output's row, the index summed over,
#: the output's column.  A vector on the left is a row, one on the right a column.
_OF_MATRICES = {"firsti": "row", "firstj": "inner", "secondi": "inner", "secondj": "column"}
_OF_ROW_VECTOR = {"firsti": "column", "firstj": "inner", "secondi": "inner", "secondj": "row"}

#: Multiplications that read no value.
_VALUELESS = frozenset({"pair", "row", "inner", "column"})
_SWAPPED = {"first": "second", "second": "first"}


@dataclass(frozen=True, slots=True, eq=False)
class ProductKey:
    """What is compiled into a product kernel but the types of its arrays.

    The same product over the same types has the same key: what is derived from one may be kept by
    its identity.
    """

    add: TypedMonoid
    multiply: TypedBinary
    #: The multiplication with the matrix as its first operand: an operator's name, "row", "inner"
    #: or "column" for a position, "" for an operator that has no name with its operands exchanged.
    name: str
    #: Whether the first operand of `multiply` is the kernel's second.
    vector_first: bool
    #: Whether values of the matrix and of the other operand are read.
    uses_first: bool
    uses_second: bool
    #: Whether the first product of a sum is the sum.
    stops_early: bool
    #: Whether the result's values are not computed: they are one, known beforehand.
    is_pattern: bool
    #: Whether operands of one value could make it cheaper.
    may_be_known: bool

    @property
    def is_built_in(self) -> bool:
        """Whether neither operator is a user's."""
        return self.multiply.op.function is None and self.add.op.binaryop.function is None


@lru_cache(maxsize=1024)
def product_key(semiring: TypedSemiring, vector_first: bool = False) -> ProductKey:
    """The key of a product over a semiring, whatever the values.

    Parameters
    ----------
    semiring : TypedSemiring
    vector_first : bool, optional
        Whether the operand other than the matrix stands on the left.
    """
    op = semiring.multiply.op
    if op.positional:
        name = (_OF_ROW_VECTOR if vector_first else _OF_MATRICES)[op.name]
    elif op.function is not None:
        name = ""
    else:
        name = "first" if op.name == "any" else op.name
        if vector_first and name != "pair":
            name = _SWAPPED.get(name) or op.flipped or ""
    return _key(semiring.add, semiring.multiply, name, vector_first)


@lru_cache(maxsize=1024)
def reduction_key(monoid: TypedMonoid) -> ProductKey:
    """The key of a sum of stored values: of products that are their first operand."""
    multiply = TypedBinary(BINARY["first"], monoid.dtype, monoid.dtype)
    return _key(monoid, multiply, "first", False)


def _key(add: TypedMonoid, multiply: TypedBinary, name: str, vector_first: bool) -> ProductKey:
    stops_early, reads = bool(add.op.is_any), name not in _VALUELESS
    built_in = add.op.binaryop.function is None
    return ProductKey(
        add,
        multiply,
        name,
        vector_first,
        uses_first=reads and name != "second",
        uses_second=reads and name != "first",
        stops_early=stops_early,
        is_pattern=stops_early and name == "pair",
        may_be_known=not multiply.op.positional
        and built_in
        and (add.idempotent or add.op.name == "plus"),
    )


def specialised(
    engine: ArrayEngine, key: ProductKey, first: Array, second: Array
) -> tuple[ProductKey, Array | None]:
    """A cheaper key for these values arrays, and the value of all results where it is known.

    Where every product is one and the same value (pattern-only operands), an idempotent monoid
    leaves only the pattern to be found, and ``plus`` only counts.  The value comes as a NumPy array
    of one element of the sum's type; it is there whenever the key is of a pattern.
    """
    if not key.may_be_known:
        return key, None
    # By their bits.
    x = y = None
    if key.uses_first:
        x = _bits(engine, key, first)
        if x is None:
            return key, None
    if key.uses_second:
        y = _bits(engine, key, second)
        if y is None:
            return key, None
    return _of_known_values(key, x, y)


def _bits(engine: ArrayEngine, key: ProductKey, values: Array) -> Bits | None:
    """The one value of an iso array; a count is not worth waiting for what only a GPU knows."""
    if values.strides != (0,):  # not iso: a call less, for every product
        return None
    counts = key.add.op.name == "plus"
    value = engine.known_value(values) if counts else engine.iso_value(values)
    return None if value is None else (value.dtype, value.tobytes())


@lru_cache(maxsize=1024)
def _of_known_values(
    key: ProductKey, first: Bits | None, second: Bits | None
) -> tuple[ProductKey, Array | None]:
    """The same for the one value of each operand, None where it is not read."""
    op, dtype = key.multiply, key.add.dtype.np_type
    with np.errstate(all="ignore"):
        x, y = (
            np.ones(1, op.in_type.np_type)
            if bits is None
            else cast(np, np.frombuffer(bits[1], bits[0]), op.in_type.np_type)
            for bits in (first, second)
        )
        if key.vector_first:
            x, y = y, x
        product = cast(np, eval_binary(np, op, x, y), dtype)
    if key.add.idempotent:
        return _PATTERN, product
    if product[0] != 1:
        return key, None
    return replace(key, name="pair", uses_first=False, uses_second=False), None


_PATTERN = product_key(SEMIRING["any_pair"].resolve(BOOL, BOOL))
