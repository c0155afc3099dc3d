"""Whether a function may count Booleans that are NumPy's, which are not made for it (`counting`).

A function that only branches by what it compares, as most do, is called with NumPy's numbers: they
take a tenth of the time.  So is one of which all is known that it calls, and nothing else.
"""

from __future__ import annotations

import builtins
import dis
import math
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from spbfs.operators.traced.standins import UFUNCS

__all__ = ["may_count_flags"]


def _gives_flags(name: str) -> bool:
    """Whether a ufunc makes Booleans of numbers."""
    types: list[str] = getattr(np, name).types
    return any(t.endswith("->?") and "?" not in t[:-1] for t in types)


_OF_PYTHON = (
    "abs divmod enumerate float int isinstance len max min pow range reversed round sum zip "
    "ArithmeticError OverflowError RuntimeError ValueError ZeroDivisionError"
).split()
_OF_MATH = {name for name in vars(math) if not name.startswith(("_", "is"))}
_OF_NUMPY = {name for name in UFUNCS if not _gives_flags(name)} | set(
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 intp generic number integer "
    "signedinteger unsignedinteger floating clip round around where pi e inf nan".split()
)
#: Attributes that give no Boolean: of the two modules, and of lists.
_ATTRIBUTES = _OF_MATH | _OF_NUMPY | {"append", "extend", "pop"}
#: What gives none, by its identity: not all of it can be hashed, and some is equal to anything.
_HARMLESS = {
    id(getattr(module, name))
    for module, names in ((builtins, _OF_PYTHON), (math, _OF_MATH), (np, _OF_NUMPY))
    for name in names
} | {id(math), id(np)}
_MISSING = object()


def may_count_flags(function: Callable[..., Any]) -> bool:
    """Whether it, or a function that it calls, may do more with a comparison than branch by it.

    Examples
    --------
    >>> may_count_flags(lambda x: 1 if x > 2 else 0), may_count_flags(lambda x: -(x > 2))
    (False, True)
    """
    waiting: list[Any] = [function]
    seen: set[FunctionType] = set()
    while waiting:
        found = waiting.pop()
        if not isinstance(found, FunctionType):
            if _is_harmless(found) and found is not function:
                continue
            return True
        if found in seen:
            continue
        seen.add(found)
        for code in _codes(found.__code__):
            if _keeps_comparisons(code):
                return True
            for instruction in dis.get_instructions(code):
                name = instruction.argval
                if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                    own = getattr(builtins, name, _MISSING)
                    waiting.append(found.__globals__.get(name, own))
                elif _may_find_more(instruction.opname) and name not in _ATTRIBUTES:
                    return True
        waiting += (cell.cell_contents for cell in found.__closure__ or () if _is_filled(cell))
        waiting += (*(found.__defaults__ or ()), *(found.__kwdefaults__ or {}).values())
    return False


def _is_harmless(value: Any) -> bool:
    """Whether neither it nor what it gives is a Boolean of NumPy's."""
    return value is None or isinstance(value, int | float | np.number) or id(value) in _HARMLESS


def _may_find_more(opname: str) -> bool:
    """Whether an instruction gets something else by its name."""
    return opname.startswith(("IMPORT_", "LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER"))


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:  # a name without a value yet
        return False


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _keeps_comparisons(code: CodeType) -> bool:
    compares = False
    for instruction in dis.get_instructions(code):
        if compares and not instruction.opname.startswith(("POP_JUMP", "TO_BOOL")):
            return True
        compares = instruction.opname == "COMPARE_OP"
    return False
