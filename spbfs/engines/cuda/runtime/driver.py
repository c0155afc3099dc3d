"""What a launch asks of the CUDA driver and CuPy does not do for us, or slowly."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

import numpy as np

__all__ = [
    "clusters_of",
    "enter",
    "fields_of",
    "launches_wait",
    "resident_ctas",
]

_INVALID_CONTEXT = 201

_CLUSTER_DIMENSION = 4
_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14


class _Attribute(ctypes.Structure):
    """`CUlaunchAttribute`: an id, padding to eight bytes, a value of 64 bytes."""

    _fields_ = (("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16))


class _Config(ctypes.Structure):
    """`CUlaunchConfig`."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("attribute_count", ctypes.c_uint),
    )


def clusters_of(function: int, size: int, threads: int, shared_bytes: int) -> int:
    """How many clusters of `size` CTAs the device can hold at once.

    None where the driver refuses a size beyond the portable eight, as it does on GPUs whose
    clusters are smaller, and none on a part of a chip with fewer multiprocessors than a cluster
    has CTAs: a cooperative launch checks single CTAs only.

    Parameters
    ----------
    function : int
        A `CUfunction`.
    size, threads, shared_bytes : int
        CTAs a cluster, threads a CTA, dynamic shared memory of a CTA in bytes.

    Returns
    -------
    int
    """
    driver, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int(0)
    kernel = ctypes.c_void_p(function)
    if driver.cuFuncSetAttribute(kernel, _NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1) != 0:
        return 0
    attribute = _Attribute(id=_CLUSTER_DIMENSION)
    attribute.value[0], attribute.value[1], attribute.value[2] = size, 1, 1
    config = _Config(
        grid=(ctypes.c_uint * 3)(size, 1, 1),
        block=(ctypes.c_uint * 3)(threads, 1, 1),
        shared_bytes=shared_bytes,
        attributes=ctypes.pointer(attribute),
        attribute_count=1,
    )
    status = driver.cuOccupancyMaxActiveClusters(ctypes.byref(count), kernel, ctypes.byref(config))
    return count.value if status == 0 else 0


@cache
def launches_wait() -> bool:
    """Whether a launch returns when the kernel has ended, as debuggers want it: kernels that wait
    for one another are then launched by a thread each.  The driver reads this once, too."""
    return os.environ.get("CUDA_LAUNCH_BLOCKING", "0") not in ("", "0")


@cache
def resident_ctas(function: int, threads: int, shared_bytes: int) -> int:
    """How many CTAs of a kernel a multiprocessor holds at once, by its registers and memory.

    Parameters
    ----------
    function : int
        A `CUfunction`.
    threads, shared_bytes : int
        Threads a CTA, dynamic shared memory of a CTA in bytes.

    Returns
    -------
    int
    """
    count = ctypes.c_int(0)
    enter(
        ctypes.CDLL("libcuda.so.1").cuOccupancyMaxActiveBlocksPerMultiprocessor,
        *(ctypes.byref(count), ctypes.c_void_p(function), threads, ctypes.c_size_t(shared_bytes)),
    )
    return count.value


_C_TYPES: dict[str, Any] = {
    "u8": ctypes.c_uint64,
    "i8": ctypes.c_int64,
    "i4": ctypes.c_int32,
    "u4": ctypes.c_uint32,
    "f4": ctypes.c_float,
}


def fields_of(block: np.ndarray[Any, Any]) -> Any:
    """A structured array of one element as an object whose attributes are its fields.

    They are set in half of the time that the array takes, which a launch has many of.
    """
    names = block.dtype.names or ()
    members = [(name, _C_TYPES[block.dtype[name].str[1:]]) for name in names]
    kind = type("Fields", (ctypes.Structure,), {"_fields_": members})
    fields: Any = kind.from_buffer(block)  # type: ignore[attr-defined]
    return fields


def enter(entry: Any, *arguments: Any) -> None:
    """Call a function of the driver that needs a context."""
    status = entry(*arguments)
    if status == _INVALID_CONTEXT:
        # A thread that has not used the GPU so far has no context yet.
        from cupy.cuda import Device

        Device().use()
        status = entry(*arguments)
    if status:
        from cupy.cuda import driver

        raise driver.CUDADriverError(status)
