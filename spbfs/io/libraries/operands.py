"""What is given to other libraries: a matrix or a vector, stored, viewed or delayed."""

from __future__ import annotations

from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.operands.operand import Operand

__all__ = ["as_format", "check_operand"]


def check_operand(value: Any, name: str, *ndims: int) -> None:
    """Refuse what is no matrix or vector, or none of these numbers of dimensions."""
    if not isinstance(value, Operand) or value.ndim not in ndims:
        kinds = " or ".join({1: "Vector", 2: "Matrix"}[n] for n in ndims)
        raise DomainMismatch(f"{name}: expected a {kinds}, got {type(value).__name__}")


def as_format(value: Any, known: tuple[str, ...]) -> str:
    """The name of a format, in lower case."""
    name = value.lower() if isinstance(value, str) else value
    if name not in known:
        raise InvalidValue(f"format: expected one of {', '.join(known)}, got {brief(value)}")
    return str(name)
