"""The state of an iterative program: its vectors as engines see them, and what rounds change."""

from __future__ import annotations

import math
from typing import Any

from spbfs import binary, unary
from spbfs.engines import get_engine
from spbfs.engines.fused import Fused
from spbfs.engines.rounds import HeldVector
from spbfs.engines.rounds import Watch as FusedWatch
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector
from spbfs.storage.data import VectorData

__all__ = ["State", "Watch", "fused_calls"]

State = Vector | Matrix


class _Held:
    """A vector, whose storage an engine reads and replaces."""

    __slots__ = ("_vector",)

    def __init__(self, vector: Any) -> None:
        self._vector = vector

    def data(self) -> VectorData:
        """What it holds."""
        data: VectorData = self._vector._ready()
        return data

    def hold(self, data: VectorData) -> None:
        """Hold something else, of the same size and type."""
        self._vector._data = data


def fused_calls(state: tuple[State, ...]) -> tuple[Fused, list[HeldVector]]:
    """The calls that the engine of a state has, and its vectors; none where it is anything else
    than vectors on one device."""
    first = state[0].device if state else None
    if first is None or not all(isinstance(x, Vector) and x.device == first for x in state):
        return Fused(), []
    return get_engine(first).fused, [_Held(x) for x in state]


class Watch:
    """Looks at what a round changes in the state.

    Parameters
    ----------
    state : tuple of Vector or Matrix
    """

    def __init__(self, state: tuple[State, ...]) -> None:
        self._state = state
        self._device: str | None = None
        self._fused: FusedWatch | None = None
        self._before: list[Any] = []
        self._shapes: list[Any] = []

    def keep(self) -> None:
        """Remember the state as it is before a round."""
        device = self._state[0].device if self._state else None
        if device != self._device:
            # The first round says where an empty vector is.
            fused, held = fused_calls(self._state)
            self._fused = None if fused.watch is None else fused.watch(held)
            self._device = device
        self._shapes = [x.shape for x in self._state]
        if self._fused is None:
            self._before = [x.dup() for x in self._state]
        else:
            self._fused.keep()

    def is_same(self) -> bool:
        """Whether entries and values are what they were."""
        if self._resized():
            return False
        if self._fused is not None:
            return not any(change.elements for change in self._fused.changes())
        return all(x.isequal(y) for x, y in zip(self._state, self._before, strict=True))

    def share_changed(self) -> float:
        """All absolute changes over all absolute values, absent ones zeros; NaN, which is below no
        tolerance, where these have no finite sum."""
        if self._resized():
            return math.inf
        if self._fused is not None:
            told = self._fused.changes()
            changes, values = sum(c.changes for c in told), sum(c.values for c in told)
        else:
            pairs = list(zip(self._state, self._before, strict=True))
            changes = sum(_norm(x.ewise_union(y, binary.minus["FP64"], 0, 0)) for x, y in pairs)
            values = sum(_norm(x) for x in self._state)
        if changes == 0.0:
            return 0.0
        if not math.isfinite(values):
            return math.nan
        return changes / values if values else math.inf

    def _resized(self) -> bool:
        return [x.shape for x in self._state] != self._shapes


def _norm(x: Any) -> float:
    """The sum of all absolute values."""
    absolute = x.apply(unary.abs["FP64"])
    total = absolute.reduce() if x.ndim == 1 else absolute.reduce_scalar()
    return float(total.new().value or 0.0)
