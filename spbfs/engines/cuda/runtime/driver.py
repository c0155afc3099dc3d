"""What a launch asks of the CUDA driver and CuPy does not do for us, or slowly."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from spbfs.exceptions import BackendUnavailable

__all__ = [
    "CooperativeLaunch",
    "Launch",
    "allow_large_clusters",
    "enter",
    "fields_of",
    "max_active_clusters",
    "pointer",
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


def pointer(array: Any | None) -> int:
    """The address of an array's first element on the GPU, 0 for none."""
    return 0 if array is None else array.data.ptr


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


_C_TYPES: dict[str, Any] = {
    "u8": ctypes.c_uint64,
    "i8": ctypes.c_int64,
    "i4": ctypes.c_int32,
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
    """Call a function of the driver that launches."""
    status = entry(*arguments)
    if status == _INVALID_CONTEXT:
        # A thread that has not used the GPU so far has no context yet.
        from cupy.cuda import Device

        Device().use()
        status = entry(*arguments)
    if status:
        from cupy.cuda import driver

        raise driver.CUDADriverError(status)


class CooperativeLaunch:
    """A kernel with its shape and its only argument, to be launched again and again.

    What CuPy works out at every launch is worked out once here, and costs a third.

    Parameters
    ----------
    function : int
        A `CUfunction`.
    grid, threads, shared_bytes : int
        CTAs, threads a CTA, dynamic shared memory of a CTA in bytes.
    argument : ndarray
        The argument block, read at every launch.
    """

    def __init__(
        self,
        function: int,
        grid: int,
        threads: int,
        shared_bytes: int,
        argument: np.ndarray[Any, Any],
    ) -> None:
        self._argument = argument  # kept: the driver reads it where it lies
        parameters = (ctypes.c_void_p * 1)(argument.ctypes.data)
        c = ctypes.c_uint
        self._shape = (
            ctypes.c_void_p(function), c(grid), c(1), c(1), c(threads), c(1), c(1), c(shared_bytes)
        )  # fmt: skip
        self._parameters = parameters
        self._entry = ctypes.CDLL("libcuda.so.1").cuLaunchCooperativeKernel

    def __call__(self, stream: int) -> None:
        """Launch on a stream (a `CUstream`)."""
        enter(self._entry, *self._shape, ctypes.c_void_p(stream), self._parameters)


class Launch:
    """A kernel with its only argument, launched with as many CTAs as there is work for.

    Parameters
    ----------
    function : int
        A `CUfunction`.
    threads : int
        Threads a CTA.
    argument : ndarray
        The argument block, read at every launch.
    cooperative : bool, optional
    """

    def __init__(
        self,
        function: int,
        threads: int,
        argument: np.ndarray[Any, Any],
        cooperative: bool = False,
    ) -> None:
        self._argument = argument  # kept: the driver reads it where it lies
        parameters = (ctypes.c_void_p * 1)(argument.ctypes.data)
        driver, c = ctypes.CDLL("libcuda.so.1"), ctypes.c_uint
        self._function, self._one, self._threads = ctypes.c_void_p(function), c(1), c(threads)
        # A cooperative launch takes no list of extra options.
        self._entry = driver.cuLaunchCooperativeKernel if cooperative else driver.cuLaunchKernel
        self._last = (parameters,) if cooperative else (parameters, ctypes.c_void_p(0))

    def __call__(self, grid: int, stream: int) -> None:
        """Launch on a stream (a `CUstream`) of the current device."""
        one, to = self._one, ctypes.c_void_p(stream)
        shape = ctypes.c_uint(grid), one, one, self._threads, one, one, ctypes.c_uint(0)
        enter(self._entry, self._function, *shape, to, *self._last)
