"""GPUs that search together: those of the machine or, where it has one, thirds of that.

Kernels of a third of the CTAs run beside one another, as all of them fit: what they say to each
other goes through the memory of one GPU, and is the same code.  What has one launch wait for the
one before it, as some tools and debuggers do, would have them wait for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from gpu import cp

from spbfs.algorithms.bfs import arguments
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.peers import group, memory
from spbfs.objects.placement import devices

__all__ = ["GPUS", "searching_together", "several"]

_HERE = cp.cuda.runtime.getDeviceCount()
#: As many as `searching_together` gives.
GPUS = _HERE if _HERE > 1 else 3
#: A test of several.
several = pytest.mark.usefixtures("several_gpus")


class _Part(int):
    """The number of the one GPU, as different from itself as that of another GPU would be."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)


_PARTS = tuple(_Part(0) for _ in range(GPUS))


def _searching_part(*arguments: Any, **how: Any) -> FusedBFS:
    search = FusedBFS(*arguments, **how)
    search._grid = max(1, search._grid // GPUS)
    return search


@contextmanager
def searching_together() -> Iterator[None]:
    """``devices=[0, 1, 2]`` are GPUs, or parts of the only one."""
    with pytest.MonkeyPatch.context() as patched:
        if _HERE == 1:
            number_of = arguments.gpu_here

            def part_of(device: Any) -> int | None:
                if isinstance(device, _Part):
                    return device
                at = number_of(device)
                return None if at is None else _PARTS[at]

            patched.setattr(devices, "_gpu_count", lambda: GPUS)
            patched.setattr(arguments, "gpu_here", part_of)
            # What it keeps is no longer true behind this.
            there = cache(arguments._different_gpus.__wrapped__)
            patched.setattr(arguments, "_different_gpus", there)
            patched.setattr(memory, "_allow", lambda gpu, other: None)
            patched.setattr(group, "FusedBFS", _searching_part)
        yield
