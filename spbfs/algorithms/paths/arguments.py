"""The arguments of searches for paths, checked before anything runs."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import source_vertices
from spbfs.algorithms.graphs import way
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["as_limit", "as_sources", "way_along"]

F = TypeVar("F")


def as_sources(source: Any, n: int) -> npt.NDArray[np.int64]:
    """One source or several, in host memory."""
    return np.atleast_1d(np.asarray(source_vertices(source, n), np.int64))


def as_limit(limit: Any) -> float | None:
    """A length that no path exceeds; None where every length will do."""
    if limit is None:
        return None
    number = limit.item() if isinstance(limit, np.generic) else limit
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise DomainMismatch(f"limit: expected a number, got {brief(limit)}")
    if not number >= 0:
        raise InvalidValue(f"limit: expected 0 or more, got {brief(limit)}")
    if isinstance(number, int) and number.bit_length() > 63:
        # More than an INT64 holds: lengths of FP64 alone may be as great.
        number = float(number) if number.bit_length() < 1024 else math.inf
    return None if number == math.inf else number


def way_along(A: MatrixOperand, call: F | None, method: Any, unfit: str | None = None) -> F | None:
    """The engine's call, or None for the composed program, which alone runs where `A` is `unfit`,
    in words, or lists its rows: a call has room for all vertices."""
    call = way(call, method, A.device)
    if unfit is None and isinstance(A._ready(), HypersparseMatrix):
        unfit = "a hypersparse matrix"
    if unfit is None:
        return call
    if method == "fused":
        raise InvalidValue(
            f"method: there is no fused way for {unfit}; expected 'auto', 'composed'"
        )
    return None
