"""The eleven GraphBLAS value types and the rules that combine them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.exceptions import DomainMismatch, InvalidValue

__all__ = [
    "ALL",
    "BOOL",
    "FP32",
    "FP64",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "DType",
    "lookup_dtype",
    "scalar_dtype",
    "unify",
]


@dataclass(frozen=True, slots=True)
class DType:
    """A GraphBLAS type: its standard name and the NumPy type that stores it."""

    name: str
    np_type: np.dtype[Any]

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        """Whether `other` names the same type: ``A.dtype == "FP64"`` reads as users write it.

        What names no type is refused: a typing error would be False for ever.
        """
        if isinstance(other, DType):
            return self is other or self.name == other.name
        return self.name == lookup_dtype(other).name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def is_bool(self) -> bool:
        """Whether this is BOOL."""
        return self.np_type.kind == "b"

    @property
    def is_float(self) -> bool:
        """Whether this is FP32 or FP64."""
        return self.np_type.kind == "f"

    @property
    def is_signed(self) -> bool:
        """Whether this is a signed integer or a float."""
        return self.np_type.kind in "if"


BOOL = DType("BOOL", np.dtype(np.bool_))
INT8 = DType("INT8", np.dtype(np.int8))
INT16 = DType("INT16", np.dtype(np.int16))
INT32 = DType("INT32", np.dtype(np.int32))
INT64 = DType("INT64", np.dtype(np.int64))
UINT8 = DType("UINT8", np.dtype(np.uint8))
UINT16 = DType("UINT16", np.dtype(np.uint16))
UINT32 = DType("UINT32", np.dtype(np.uint32))
UINT64 = DType("UINT64", np.dtype(np.uint64))
FP32 = DType("FP32", np.dtype(np.float32))
FP64 = DType("FP64", np.dtype(np.float64))

ALL = (BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FP32, FP64)

_BY_NAME = {d.name: d for d in ALL}
_BY_NP = {d.np_type: d for d in ALL}
_BY_PYTHON: dict[object, DType] = {bool: BOOL, int: INT64, float: FP64}


def lookup_dtype(key: object) -> DType:
    """The `DType` that a value names.

    Parameters
    ----------
    key : DType, str, numpy.dtype or type
        A DType, its name in any case, a NumPy dtype, or one of ``bool``, ``int``, ``float``.

    Returns
    -------
    DType

    Raises
    ------
    DomainMismatch
        When `key` names none of the eleven types.

    Examples
    --------
    >>> lookup_dtype(int), lookup_dtype("fp32"), lookup_dtype(np.uint8)
    (INT64, FP32, UINT8)
    """
    if isinstance(key, DType):
        return key
    if isinstance(key, np.dtype) and key in _BY_NP:
        return _BY_NP[key]
    if isinstance(key, str) and key.upper() in _BY_NAME:
        return _BY_NAME[key.upper()]
    if isinstance(key, type) and key in _BY_PYTHON:
        return _BY_PYTHON[key]
    try:
        # NumPy reads None as its default type; here it names none.
        return _BY_NP[np.dtype("none" if key is None else key).newbyteorder("=")]  # type: ignore[call-overload]
    except (TypeError, KeyError, ValueError):
        names = ", ".join(_BY_NAME)
        raise DomainMismatch(
            f"dtype: {key!r} is not a GraphBLAS type; expected one of {names}"
        ) from None


def unify(left: DType, right: DType) -> DType:
    """The smallest type that holds both, by NumPy's promotion rules.

    Parameters
    ----------
    left, right : DType

    Returns
    -------
    DType

    Examples
    --------
    >>> unify(INT8, UINT16), unify(FP32, INT32), unify(BOOL, UINT16)
    (INT32, FP64, UINT16)
    """
    return left if left is right else _BY_NP[np.promote_types(left.np_type, right.np_type)]


def scalar_dtype(value: Any, name: str = "value") -> DType:
    """The type a number has as a GraphBLAS scalar.

    Parameters
    ----------
    value : number
        Python's or NumPy's.
    name : str, optional
        The argument that it was given as, for messages.

    Returns
    -------
    DType

    Raises
    ------
    DomainMismatch, InvalidValue
        It is no number, or an integer that does not fit 64 bits.

    Examples
    --------
    >>> scalar_dtype(True), scalar_dtype(1), scalar_dtype(0.5)
    (BOOL, INT64, FP64)
    """
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        if -(1 << 63) <= value < 1 << 63:
            return INT64
        if value < 1 << 64:
            return UINT64
        raise InvalidValue(f"{name}: {value} does not fit 64 bits")
    if isinstance(value, float):
        return FP64
    if isinstance(value, np.generic | np.ndarray):
        return lookup_dtype(value.dtype)
    raise DomainMismatch(f"{name}: expected a number, got {value!r}")
