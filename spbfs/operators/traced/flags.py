"""Whether a function may count Booleans that are NumPy's, which are not made for it (`counting`).

A function that only branches by what it compares, as most do, is called with NumPy's numbers: they
take a tenth of the time.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from spbfs.operators.traced.rebound import names_in

__all__ = ["may_count_flags"]

#: Names of what gives Booleans of NumPy's.
_GIVE_FLAGS = frozenset(
    "bool bool_ isnan isinf isfinite signbit logical_and logical_or logical_xor logical_not equal "
    "not_equal less less_equal greater greater_equal operator".split()
)


def may_count_flags(function: Callable[..., Any]) -> bool:
    """Whether it, or a function that it calls, does more with a comparison than to branch by it.

    Examples
    --------
    >>> may_count_flags(lambda x: 1 if x > 2 else 0), may_count_flags(lambda x: -(x > 2))
    (False, True)
    """
    waiting, seen = [function], set()
    while waiting:
        found = waiting.pop()
        if not isinstance(found, FunctionType):
            return True
        names = set(names_in(found.__code__))
        if not names.isdisjoint(_GIVE_FLAGS) or _keeps_comparisons(found.__code__):
            return True
        seen.add(found)
        cells = (c.cell_contents for c in found.__closure__ or () if _is_filled(c))
        used = [found.__globals__.get(name) for name in names]
        waiting += [f for f in [*cells, *used] if isinstance(f, FunctionType) and f not in seen]
    return False


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
    for part in _codes(code):
        compares = False
        for instruction in dis.get_instructions(part):
            if compares and not instruction.opname.startswith(("POP_JUMP", "TO_BOOL")):
                return True
            compares = instruction.opname == "COMPARE_OP"
    return False
