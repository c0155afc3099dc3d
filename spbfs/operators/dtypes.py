"""The eleven GraphBLAS value types and the rules that combine them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.base.public import listed
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, OutOfRange, UnknownDtype

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


@dataclass(frozen=True, slots=True, weakref_slot=True)
class DType:
    """A GraphBLAS type: its standard name and the NumPy type that stores it."""

    name: str
    np_type: np.dtype[Any]
    #: What C calls it.
    c_type: str

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        """Whether `other` names the same type: ``A.dtype == "FP64"`` reads as users write it.

        What names no type is refused: a typing error would be False for ever.
        """
        if isinstance(other, DType):
            return self is other or self.name == other.name
        return self.name == lookup_dtype(other).name

    def __lt__(self, other: object) -> bool:
        """By kind, as NumPy has it, and width: types can be sorted."""
        mine, theirs = self.np_type, lookup_dtype(other).np_type
        return (mine.kind, mine.itemsize) < (theirs.kind, theirs.itemsize)

    def __hash__(self) -> int:
        return hash(self.np_type)  # which is an equal key

    def __reduce__(self) -> str:
        # As a name of this module: what is unpickled is the same object.
        return "_INDEX" if self is _INDEX else self.name

    @property
    def _is_udt(self) -> bool:
        """Whether a user defined it, for those who ask: there are the eleven only."""
        return False

    @property
    def is_bool(self) -> bool:
        """Whether this is BOOL."""
        return self.np_type.kind == "b"

    @property
    def is_float(self) -> bool:
        """Whether this is FP32 or FP64."""
        return self.np_type.kind == "f"

    @property
    def is_integer(self) -> bool:
        """Whether this is one of the integer types, which a vertex's number has."""
        return self.np_type.kind in "iu"

    @property
    def is_signed(self) -> bool:
        """Whether this is a signed integer or a float."""
        return self.np_type.kind in "if"


BOOL = DType("BOOL", np.dtype(np.bool_), "_Bool")
INT8 = DType("INT8", np.dtype(np.int8), "int8_t")
INT16 = DType("INT16", np.dtype(np.int16), "int16_t")
INT32 = DType("INT32", np.dtype(np.int32), "int32_t")
INT64 = DType("INT64", np.dtype(np.int64), "int64_t")
UINT8 = DType("UINT8", np.dtype(np.uint8), "uint8_t")
UINT16 = DType("UINT16", np.dtype(np.uint16), "uint16_t")
UINT32 = DType("UINT32", np.dtype(np.uint32), "uint32_t")
UINT64 = DType("UINT64", np.dtype(np.uint64), "uint64_t")
FP32 = DType("FP32", np.dtype(np.float32), "float")
FP64 = DType("FP64", np.dtype(np.float64), "double")

#: That of sizes and indices in the specification; ours are INT64.
_INDEX = DType("UINT64", np.dtype(np.uint64), "GrB_Index")

ALL = (BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FP32, FP64)

_BY_NAME = {d.name: d for d in ALL}
#: ``"float"`` is Python's type, and so FP64, not C's.
_BY_NAME |= {d.c_type.upper(): d for d in ALL if d is not FP32}
_BY_NAME |= {f"GRB_{d.name}": d for d in ALL}
_BY_NP = {d.np_type: d for d in ALL}
_BY_TYPE: dict[object, DType] = {d.np_type: d for d in ALL}
_BY_TYPE |= {bool: BOOL, int: INT64, float: FP64}


def lookup_dtype(key: object) -> DType:
    """The `DType` that a value names.

    Parameters
    ----------
    key : DType, str, numpy.dtype or type
        A DType, its name in any case, that of C (``"int8_t"``) or the specification
        (``"GrB_INT8"``), a NumPy dtype, or one of ``bool``, ``int``, ``float``.

    Returns
    -------
    DType

    Raises
    ------
    UnknownDtype
        When `key` names none of the eleven types.

    Examples
    --------
    >>> lookup_dtype(int), lookup_dtype("fp32"), lookup_dtype(np.uint8)
    (INT64, FP32, UINT8)
    """
    if isinstance(key, DType):
        return key
    try:
        # Every statement asks, and whether it is a dtype NumPy takes longer to say.
        return _BY_TYPE[key]
    except (KeyError, TypeError):
        pass
    if isinstance(key, str):
        if key.upper() in _BY_NAME:
            return _BY_NAME[key.upper()]
        key = str(key)  # NumPy's has a shape
    # NumPy takes None for its default type, and of what has numbers theirs; here both name none.
    if key is not None and (isinstance(key, np.dtype | type) or not hasattr(key, "shape")):
        try:
            return _BY_NP[np.dtype(key).newbyteorder("=")]  # type: ignore[call-overload]
        except Exception:  # also what an object raises that NumPy asks for its type
            pass
    names = ", ".join(d.name for d in ALL)
    raise UnknownDtype(f"dtype: {brief(key)} is not a GraphBLAS type; expected one of {names}")


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
    DomainMismatch, OutOfRange
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
        if 0 <= value < 1 << 64:
            return UINT64
        raise OutOfRange(f"{name}: {brief(value)} does not fit 64 bits")
    if isinstance(value, float):
        return FP64
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        if getattr(value, "mask", False):
            raise DomainMismatch(f"{name}: expected a number, got a masked one of numpy.ma")
        return lookup_dtype(value.dtype)
    raise DomainMismatch(f"{name}: expected a number, got {brief(value)}")


listed(__name__)
