"""What the modules ``spbfs.unary`` ... ``spbfs.op`` offer beside operators by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from spbfs.operators import lookup
from spbfs.operators.definitions import (
    BinaryOp,
    IndexUnaryOp,
    Monoid,
    SelectOp,
    Semiring,
    UnaryOp,
)
from spbfs.operators.kinds.operator import set_meaning_of_numbers
from spbfs.operators.names import registry

__all__ = ["open_door"]

_CLASSES: dict[str, Any] = {
    op.kind: op for op in (UnaryOp, BinaryOp, IndexUnaryOp, SelectOp, Monoid, Semiring)
}


def open_door(kind: str, module: dict[str, Any], of_numbers: Callable[..., Any]) -> None:
    """Let the module whose names these are be where the operators of a kind are found.

    Parameters
    ----------
    kind : str
        ``"op"`` for all of them.
    module : dict
        ``globals()`` of the module.
    of_numbers : callable
        What operators that are called on plain numbers give.
    """
    set_meaning_of_numbers(of_numbers)
    offered: dict[str, Any] = {"from_string": partial(lookup.from_string, kind)}
    if kind in _CLASSES:
        cls = _CLASSES[kind]
        offered |= {
            "register_new": cls.register_new,
            "register_anonymous": cls.register_anonymous,
        }
    if kind == "semiring":
        offered["get_semiring"] = lookup.get_semiring
    named = [*module.get("__all__", ()), *offered]
    registry.open_door(kind, {**module, **offered, "__all__": named})
