"""Checks of generator arguments: each returns the value in its plain Python type or raises."""

from __future__ import annotations

import math
import operator
from typing import SupportsFloat, SupportsIndex, cast

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue

__all__ = ["MAX_VERTICES", "flag", "integer", "real", "rng_of", "vertices"]

#: Labels are int32.
MAX_VERTICES = 2**31 - 1


def integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """`value` as an int within [least, most]."""
    if isinstance(value, (bool, np.bool_)):
        raise DomainMismatch(f"{name} must be an integer, got {brief(value)}")
    try:
        number = operator.index(cast(SupportsIndex, value))
    except TypeError:
        raise DomainMismatch(f"{name} must be an integer, got {brief(value)}") from None
    if number < least or (most is not None and number > most):
        expected = f"at least {least}" if most is None else f"between {least} and {most}"
        raise InvalidValue(f"{name} must be {expected}, got {brief(number)}")
    return number


def flag(name: str, value: object) -> bool:
    """`value` as a bool, which it must be: "no" is not False."""
    if not isinstance(value, (bool, np.bool_)):
        raise DomainMismatch(f"{name} must be True or False, got {brief(value)}")
    return bool(value)


def real(name: str, value: object, least: float, most: float = math.inf) -> float:
    """`value` as a finite float within [least, most]."""
    if isinstance(value, (bool, np.bool_, str, bytes)):
        raise DomainMismatch(f"{name} must be a number, got {brief(value)}")
    try:
        number = float(cast(SupportsFloat, value))
    except (TypeError, ValueError):
        raise DomainMismatch(f"{name} must be a number, got {brief(value)}") from None
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and least <= number <= most):
        expected = f"at least {least:g}" if most == math.inf else f"between {least:g} and {most:g}"
        raise InvalidValue(f"{name} must be a finite number {expected}, got {brief(value)}")
    return number


def vertices(name: str, count: int) -> int:
    """`count` where that many vertices can be labelled with int32."""
    if count > MAX_VERTICES:
        raise InvalidValue(f"{name} asks for {count} vertices; at most {MAX_VERTICES} are possible")
    return count


def rng_of(seed: object) -> np.random.Generator:
    """A fresh generator for a seed, or the caller's own, advanced."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(integer("seed", seed, 0))
