"""Checks of how a graph is to be spread over ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spbfs.base.wording import brief, counted
from spbfs.distributed.parts.partition import Cut
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.checks import as_size

__all__ = ["as_cut", "as_devices", "as_hubs", "as_seed"]

_DEVICES = ("cpu", "cuda")


def as_cut(cut: Any) -> Cut:
    """By which rule edges follow vertices."""
    for known in ("rows", "grid"):
        if isinstance(cut, str) and cut == known:
            return known
    raise InvalidValue(f"cut: expected 'rows' or 'grid', got {brief(cut)}")


def as_hubs(hubs: Any) -> int | None:
    """Edges beyond which a vertex is a hub; None is for others to say."""
    return None if hubs is None else as_size(hubs, "hubs")


def as_seed(permutation: Any) -> int | None:
    """The seed of a permutation, None of none."""
    if isinstance(permutation, bool | np.bool_):
        return 0 if permutation else None
    return as_size(permutation, "permutation")


def as_devices(devices: Any, size: int) -> tuple[str, ...]:
    """A device for every rank."""
    if isinstance(devices, str):
        devices = [devices] * size
    if not isinstance(devices, Sequence):
        raise DomainMismatch(
            f"devices: expected a device, or a list of one for each rank, got {brief(devices)}"
        )
    if len(devices) != size:
        raise InvalidValue(
            f"devices: expected one for each of {counted(size, 'rank')}, "
            f"got {len(devices)}: {brief(devices)}"
        )
    for device in devices:
        if device not in _DEVICES:
            raise InvalidValue(f"devices: expected 'cpu' or 'cuda', got {brief(device)}")
    return tuple(devices)
