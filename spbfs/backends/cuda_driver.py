"""What a launch of large clusters asks of the CUDA driver and CuPy does not do for us."""

from __future__ import annotations

import ctypes

from spbfs.exceptions import BackendUnavailable

__all__ = ["allow_large_clusters", "max_active_clusters"]

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


def allow_large_clusters(function: int) -> None:
    """Let a kernel (a `CUfunction`) have clusters of more than the portable eight CTAs.

    Raises
    ------
    BackendUnavailable
        The driver refuses.
    """
    status = ctypes.CDLL("libcuda.so.1").cuFuncSetAttribute(
        ctypes.c_void_p(function), _NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1
    )
    if status != 0:
        raise BackendUnavailable(f"the CUDA driver refuses clusters of 16: error {status}")


def max_active_clusters(function: int, size: int, threads: int, shared_bytes: int) -> int:
    """How many clusters of `size` CTAs the device can hold at once.

    A cooperative launch checks single CTAs only; parts of a chip with fewer multiprocessors than
    a cluster hold none.

    Parameters
    ----------
    function : int
        A `CUfunction`.
    size, threads, shared_bytes : int
        CTAs a cluster, threads a CTA, dynamic shared memory of a CTA in bytes.

    Returns
    -------
    int

    Raises
    ------
    BackendUnavailable
        The driver cannot say.
    """
    attribute = _Attribute(id=_CLUSTER_DIMENSION)
    attribute.value[0], attribute.value[1], attribute.value[2] = size, 1, 1
    config = _Config(
        grid=(ctypes.c_uint * 3)(size, 1, 1),
        block=(ctypes.c_uint * 3)(threads, 1, 1),
        shared_bytes=shared_bytes,
        attributes=ctypes.pointer(attribute),
        attribute_count=1,
    )
    count = ctypes.c_int(0)
    driver = ctypes.CDLL("libcuda.so.1")
    status = driver.cuOccupancyMaxActiveClusters(
        ctypes.byref(count), ctypes.c_void_p(function), ctypes.byref(config)
    )
    if status != 0:
        raise BackendUnavailable(f"the CUDA driver cannot count clusters of {size}: error {status}")
    return count.value
