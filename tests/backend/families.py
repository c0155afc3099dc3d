"""Which types, operators and values random programs are written in, so that results stay exact."""

from __future__ import annotations

from dataclasses import dataclass

ARITHMETIC = (
    "plus times minus rminus min max first second pair land lor lxor iseq isne isgt islt isge isle"
)
COMPARISONS = "eq ne lt gt le ge lxnor"


@dataclass(frozen=True)
class Family:
    """Types of one program, the operators that keep them exact, and the scalars it writes."""

    dtypes: tuple[str, ...]
    binaries: tuple[str, ...]
    accums: tuple[str, ...]
    monoids: tuple[str, ...]
    semirings: tuple[str, ...]
    unaries: tuple[str, ...]
    scalars: tuple[str, ...]
    #: What ``%`` divides by: positive, since python-graphblas gives no other sign to a zero, and
    #: ends the process where an integer is divided by zero.
    divisors: tuple[str, ...]


_ANY = "any_pair"
_LOGICAL = "lor_land land_lor lxor_land lor_first lor_second lor_pair land_eq lor_gt"
_RINGS = (
    "plus_times plus_first plus_second plus_pair plus_plus plus_min plus_max plus_minus "
    "plus_rminus min_plus min_first min_second min_times min_max min_minus max_plus max_first "
    "max_second max_times max_min min_pair plus_land plus_iseq max_isgt"
)
_POSITIONAL = (
    "ss.min_secondi ss.max_secondi ss.min_firsti ss.max_firstj ss.min_firstj ss.plus_secondj"
)

_INTEGER = Family(
    dtypes=("BOOL", "INT8", "INT16", "INT32", "INT64"),
    binaries=tuple(f"{ARITHMETIC} {COMPARISONS} cdiv rdiv pow".split()),
    accums=tuple(
        "plus times minus rminus min max first second land lor lxor iseq isgt cdiv".split()
    ),
    monoids=tuple("plus times min max lor land lxor lxnor".split()),
    semirings=tuple(f"{_ANY} {_LOGICAL} {_RINGS} {_POSITIONAL} times_plus times_first".split()),
    unaries=tuple("identity ainv minv abs one lnot".split()),
    scalars=("0", "1", "np.int8(-1)", "3", "np.int16(-7)", "True"),
    divisors=("1", "np.int8(3)", "5", "True"),
)

FAMILIES = {
    "signed": _INTEGER,
    "unsigned": Family(
        ("BOOL", "UINT8", "UINT16", "UINT32"),
        _INTEGER.binaries,
        _INTEGER.accums,
        _INTEGER.monoids,
        _INTEGER.semirings,
        _INTEGER.unaries,
        ("0", "1", "2", "9", "True"),
        ("1", "np.uint8(3)", "5", "True"),
    ),
    "mixed": Family(
        ("INT8", "UINT8", "INT16", "UINT16", "BOOL"),
        _INTEGER.binaries,
        _INTEGER.accums,
        _INTEGER.monoids,
        _INTEGER.semirings,
        _INTEGER.unaries,
        ("0", "1", "5"),
        ("1", "np.int8(3)", "np.uint16(5)"),
    ),
    "uint64": Family(
        ("UINT64", "UINT8", "BOOL"),
        _INTEGER.binaries,
        _INTEGER.accums,
        _INTEGER.monoids,
        _INTEGER.semirings,
        _INTEGER.unaries,
        ("np.uint64(0)", "np.uint64(3)", "True"),
        ("np.uint64(1)", "np.uint8(3)"),
    ),
    "bitwise": Family(
        ("UINT8", "UINT16", "UINT32", "UINT64"),
        tuple("band bor bxor bxnor plus".split()),
        tuple("band bor bxor plus".split()),
        tuple("band bor bxor bxnor plus".split()),
        tuple("bor_band band_bor bxor_band bxnor_bor bor_bxor plus_times".split()),
        tuple("bnot ainv".split()),
        ("np.uint8(0)", "np.uint8(1)", "np.uint16(5)"),
        ("np.uint8(2)", "np.uint16(5)"),
    ),
    "float": Family(
        ("FP32", "FP64", "BOOL"),
        tuple(f"{ARITHMETIC} {COMPARISONS} truediv rtruediv cdiv rdiv".split()),
        tuple("plus times minus rminus min max first second land lor truediv".split()),
        tuple("plus min max lor land".split()),
        tuple(f"{_ANY} {_LOGICAL} {_RINGS} {_POSITIONAL}".split()),
        tuple("identity ainv minv abs one lnot floor ceil trunc signum round".split()),
        ("0.0", "1.5", "-2.0", "3", "True"),
        ("1.5", "3", "np.float32(0.5)"),
    ),
    # Integers and floats in one program, cast into each other wherever it writes.
    "casts": Family(
        ("BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "FP32", "FP64"),
        tuple(f"{ARITHMETIC} {COMPARISONS} truediv rtruediv".split()),
        tuple("plus times minus rminus min max first second land lor truediv".split()),
        tuple("plus min max lor land".split()),
        tuple(f"{_ANY} {_LOGICAL} {_RINGS} {_POSITIONAL}".split()),
        tuple("identity ainv minv abs one lnot floor ceil trunc signum round".split()),
        ("0.0", "1.5", "-2.0", "3", "True", "300.7", "-1e30", "np.inf", "np.int8(-1)"),
        ("1.5", "3", "np.float32(0.5)"),
    ),
}
