"""Arguments that are real numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.checks import is_scalar

__all__ = ["real"]


def real(value: Any, name: str, least: float = -math.inf, below: float = math.inf) -> float:
    """`value` as a finite number, `least` or more and less than `below`."""
    kind = value.dtype.kind if isinstance(value, np.generic | np.ndarray) else "f"
    if isinstance(value, bool) or kind not in "iuf" or not is_scalar(value):
        raise DomainMismatch(f"{name}: expected a number, got {brief(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and least <= number < below):
        limits = ["a finite number"]
        if least > -math.inf:
            limits.append(f"of at least {least:g}")
        if below < math.inf:
            limits.append(f"below {below:g}")
        raise InvalidValue(f"{name}: expected {' '.join(limits)}, got {brief(value)}")
    return number
