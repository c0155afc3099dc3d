"""Rules of types: what operands are cast to and what comes out, for each type of operands.

A rule refuses the types that an operator is not defined for by `DomainMismatch`, whose text says
why; the operator adds its name.
"""

from __future__ import annotations

from collections.abc import Callable

from spbfs.exceptions import DomainMismatch
from spbfs.operators.dtypes import (
    BOOL,
    FP32,
    FP64,
    INT8,
    INT64,
    UINT16,
    UINT32,
    UINT64,
    DType,
)

__all__ = [
    "Rule",
    "bitwise_product",
    "boolean",
    "comparison",
    "float_test",
    "floating",
    "floating_division",
    "floats",
    "floats_of_integers",
    "index_result",
    "integer_floor",
    "integral",
    "integral_to_int64",
    "numeric",
    "only_boolean",
    "positional",
    "same",
    "unsigned",
]

#: (dtype of the operands) -> (dtype they are cast to, dtype of the result)
Rule = Callable[[DType], tuple[DType, DType]]


def same(t: DType) -> tuple[DType, DType]:
    return t, t


def comparison(t: DType) -> tuple[DType, DType]:
    return t, BOOL


def boolean(t: DType) -> tuple[DType, DType]:
    return BOOL, BOOL


def only_boolean(t: DType) -> tuple[DType, DType]:
    if not t.is_bool:
        raise DomainMismatch("expected BOOL")
    return t, t


def numeric(t: DType) -> tuple[DType, DType]:
    """Numbers add up, Booleans are counted: ``agg.count_nonzero``, or ``plus[int]``."""
    if t.is_bool:
        raise DomainMismatch('expected numbers; agg.count_nonzero and plus["INT64"] count Booleans')
    return t, t


def positional(t: DType) -> tuple[DType, DType]:
    return t, INT64


def index_result(t: DType) -> tuple[DType, DType]:
    return t, INT64


def integral(t: DType) -> tuple[DType, DType]:
    if t.is_float or t.is_bool:
        raise DomainMismatch(f"{t} has no bits; expected an integer type")
    return t, t


def integral_to_int64(t: DType) -> tuple[DType, DType]:
    integral(t)
    return INT64, INT64


def unsigned(t: DType) -> tuple[DType, DType]:
    if t.np_type.kind != "u":
        raise DomainMismatch(f"{t} is not unsigned; expected an unsigned integer type")
    return t, t


def bitwise_product(t: DType) -> tuple[DType, DType]:
    """Signed integers become the unsigned type that is next in size."""
    integral(t)
    wider = {1: UINT16, 2: UINT32, 4: UINT64, 8: UINT64}[t.np_type.itemsize]
    u = wider if t.is_signed else t
    return u, u


def floating(t: DType) -> tuple[DType, DType]:
    """Floating types keep theirs, BOOL and 8- and 16-bit integers become FP32, others FP64."""
    f = t if t.is_float else (FP32 if t.np_type.itemsize <= 2 else FP64)
    return f, f


def floating_division(t: DType) -> tuple[DType, DType]:
    """Floating types keep theirs, every other type becomes FP64: the division of Python."""
    f = t if t.is_float else FP64
    return f, f


def floats(t: DType) -> tuple[DType, DType]:
    if not t.is_float:
        raise DomainMismatch("expected FP32 or FP64")
    return t, t


def float_test(t: DType) -> tuple[DType, DType]:
    return floats(t)[0], BOOL


def floats_of_integers(t: DType) -> tuple[DType, DType]:
    if t.is_float:
        raise DomainMismatch("expected an integer type or BOOL")
    return floating(t)


def integer_floor(t: DType) -> tuple[DType, DType]:
    """Floor division, remainders and powers of Booleans are those of INT8, as in NumPy."""
    u = INT8 if t.is_bool else t
    return u, u
