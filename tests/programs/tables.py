"""What the cells are made of: types, kinds of masks, accumulators, and operators per type."""

from __future__ import annotations

#: Of each type, those that its operands have beside it, such that no two unify to a float.
COMPANIONS = {
    "BOOL": ("BOOL", "INT8", "UINT8", "INT32"),
    "INT8": ("INT8", "BOOL", "INT16", "INT64"),
    "INT16": ("INT16", "INT8", "UINT8", "BOOL"),
    "INT32": ("INT32", "INT8", "INT64", "UINT16"),
    "INT64": ("INT64", "INT32", "BOOL", "UINT8"),
    "UINT8": ("UINT8", "UINT16", "BOOL"),
    "UINT16": ("UINT16", "UINT8", "UINT64"),
    "UINT32": ("UINT32", "UINT8", "BOOL"),
    "UINT64": ("UINT64", "UINT8", "UINT32", "BOOL"),
    "FP32": ("FP32", "FP64", "BOOL"),
    "FP64": ("FP64", "FP32", "BOOL"),
}
TYPES = tuple(COMPANIONS)
#: Of every other program: what is written is cast from floats to integers and back.
CASTS = ("FP32", "FP64", "INT16", "UINT8", "BOOL", "INT64")
#: Of these programs: numbers that are cast to their nearest, or to the nearest end of a type.
FAR = ("1.5", "-2.0", "300.7", "-1e30", "np.inf", "np.float32(0.5)", "True")

#: How NumPy writes them.
NUMPY = {
    "BOOL": "bool_",
    "FP32": "float32",
    "FP64": "float64",
    **{f"{sign}INT{b}": f"{sign.lower()}int{b}" for sign in ("U", "") for b in (8, 16, 32, 64)},
}

#: "S" ... are masks of one object, "and", "or" of two; "bool" is a BOOL object, "test" a formula.
MASKS = ("", "S", "V", "~S", "~V", "and", "or", "bool", "test")

_EVERY = "plus minus times min max first second land lor lxor iseq isgt eq"
ACCUMULATORS = {
    kind: tuple(f"{_EVERY} {more}".split())
    for kind, more in {"i": "rminus", "u": "band bxor", "f": "truediv", "b": "lxnor"}.items()
}
_BINARIES = f"{_EVERY} rminus isne islt isge isle ne lt gt le ge"
BINARIES = {
    kind: tuple(f"{_BINARIES} {more}".split())
    for kind, more in {"i": "pair", "u": "bor bxnor pair", "f": "", "b": "pair lxnor"}.items()
}
UNARIES = {
    "i": ("identity", "ainv", "abs", "one", "lnot"),
    "u": ("identity", "one", "lnot", "bnot"),
    "f": ("identity", "ainv", "abs", "one", "floor", "ceil", "trunc", "signum", "round"),
    "b": ("identity", "one", "lnot"),
}
MONOIDS = {
    "i": ("plus", "times", "min", "max", "lor", "land", "lxor"),
    "u": ("plus", "times", "min", "max", "band", "bor", "bxor", "lor"),
    "f": ("plus", "min", "max", "lor", "land"),
    "b": ("lor", "land", "lxor", "lxnor", "plus", "max"),
}
_RINGS = (
    "any_pair lor_land land_lor lor_first lor_pair plus_times plus_first plus_second plus_pair "
    "plus_plus plus_min plus_minus min_plus min_first min_second min_max max_plus max_first "
    "max_times max_min min_pair plus_land plus_iseq"
)
SEMIRINGS = {
    "i": tuple(f"{_RINGS} times_plus lxor_land".split()),
    "u": tuple(f"{_RINGS} times_plus".split()),
    "f": tuple(_RINGS.split()),
    "b": (
        *"any_pair lor_land land_lor lxor_land lor_first lor_second land_eq lor_gt".split(),
        "times_first",
    ),
}


def kind_of(dtype: str) -> str:
    """The key of the tables above."""
    return {"B": "b", "U": "u", "F": "f"}.get(dtype[0], "i")
