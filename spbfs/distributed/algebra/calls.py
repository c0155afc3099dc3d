"""Operations in which ranks exchange begin with their name and what tells one call from another.

So ranks in different statements are told of it, where they would mix up what the others send.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.engines.protocol import MaskData
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["called", "entered"]

F = TypeVar("F", bound=Callable[..., Any])


def entered(operation: F, *, always: bool = False) -> F:
    """An operation, entered where ranks exchange in it: of matrices, whose entries are counted, or
    always; else it is each rank's own."""
    what = operation.__name__
    _, *names = signature(operation).parameters

    @wraps(operation)
    def method(engine: DistributedEngine, *given: Any, **named: Any) -> Any:
        if always or type(given[0]) is DistributedMatrix:
            told = (*zip(names, given, strict=False), *named.items())
            engine.ranks.enter(called(what, told))
        return operation(engine, *given, **named)

    return cast(F, method)


def called(what: str, given: Iterable[tuple[str, Any]]) -> str:
    """An operation, and of what it was given whatever is small: operators, masks, numbers."""
    words = [what]
    for name, value in given:
        kind = type(value)
        if value is True:
            words.append(name)
        elif kind is MaskData:
            kinds = "complemented " * value.complement + "structural " * value.structural
            words.append(f"under a {kinds}mask")
        elif kind is DType:
            words.append(value.name)
        elif kind is int:
            words.append(f"{name}={value}")
        elif isinstance(value, np.generic):
            words.append(f"{name}={value.item()}")
        elif hasattr(value, "op"):
            words.append(value.op.name)
    return " ".join(words)
