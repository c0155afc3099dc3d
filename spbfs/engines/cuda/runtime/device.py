"""What the current GPU allows: kernels' launches follow it, never a number of one generation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

__all__ = ["Limits", "limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Attributes of a device, as the driver states them."""

    #: Multiprocessors: of a slice of a GPU, its own.
    sms: int
    l2_bytes: int
    #: The most shared memory of a CTA, a kernel's own and what its launch asks for together: from
    #: 64 KiB on capability 7.5 and 99 KiB on 8.6, 8.9 and 12.0 to 227 KiB on 9.0.
    shared_bytes: int
    #: Compute capability: 90 for 9.0.
    capability: int


@cache
def _limits(device: int) -> Limits:
    import cupy

    gpu = cupy.cuda.Device(device)
    attributes = gpu.attributes
    return Limits(
        sms=int(attributes["MultiProcessorCount"]),
        l2_bytes=int(attributes["L2CacheSize"]),
        shared_bytes=int(attributes["MaxSharedMemoryPerBlockOptin"]),
        capability=int(gpu.compute_capability),
    )


def limits() -> Limits:
    """Of the current device.

    Returns
    -------
    Limits
    """
    import cupy

    return _limits(cupy.cuda.runtime.getDevice())
