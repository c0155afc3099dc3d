"""Which device an object is on, and how its storage gets to another one."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.base.wording import brief
from spbfs.engines import get_engine, is_registered
from spbfs.exceptions import (
    BackendUnavailable,
    DeviceMismatch,
    DomainMismatch,
    InvalidValue,
)
from spbfs.objects.checks import listed
from spbfs.objects.placement.gpu_arrays import on_gpu
from spbfs.storage.arrays import Device, Memory
from spbfs.storage.data import MatrixData, VectorData, is_iso, iso_array
from spbfs.storage.derived import carry_over
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine
    from spbfs.objects.operands.operand import Operand

__all__ = [
    "DEVICES",
    "check_device",
    "common_engine",
    "device_for",
    "gpu_here",
    "named_devices",
    "on_device",
    "placed",
    "transfer",
]

DEVICES = ("cpu", "cuda", "reference")
#: A tuple: a union would be made at every call.
_INTEGERS = (int, np.integer)


def check_device(device: Any) -> Device:
    """A device name that exists and can run here."""
    if not isinstance(device, str) or not (device in DEVICES or is_registered(device)):
        raise InvalidValue(f"device: expected one of {', '.join(DEVICES)}, got {brief(device)}")
    get_engine(device)
    return cast(Device, str(device))


def named_devices(devices: Any) -> list[Any]:
    """The elements of a list of devices, of which there is one at least."""
    given = listed(devices)
    try:
        named = None if isinstance(given, str) else list(given)
    except TypeError:  # also of what has the method, as arrays without dimensions
        named = None
    if named is None:
        raise DomainMismatch(f"devices: expected a list of devices, got {brief(devices)}")
    if not named:
        raise InvalidValue("devices: expected at least one, got none")
    return named


def gpu_here(device: Any) -> int | None:
    """The number of the GPU that a device of a list is, None of one that is no GPU.

    Raises
    ------
    BackendUnavailable
        When it is not there.
    """
    if isinstance(device, _INTEGERS) and not isinstance(device, bool) and device >= 0:
        number = int(device)
    else:
        named = re.fullmatch(r"cuda(?::(\d{1,4}))?", device) if isinstance(device, str) else None
        if named is None:
            return None
        number = int(named[1] or 0)
    get_engine("cuda")
    gpus = _gpu_count()
    if number >= gpus:
        raise BackendUnavailable(f"devices: {brief(device)} is not among the {gpus} GPUs here")
    return number


@cache
def _gpu_count() -> int:
    """GPUs that this process sees, which are as many as long as it lives."""
    import cupy

    return int(cupy.cuda.runtime.getDeviceCount())


def device_for(device: Any, *arrays: Any) -> str:
    """The device of what is made of these arguments: that asked for, else where arrays are."""
    if device is None:
        return check_device("cuda") if any(map(on_gpu, arrays)) else "cpu"
    return check_device(device)


def common_engine(first: Operand, *others: Operand) -> Engine:
    """The engine of all operands; those not yet bound to a device move to the others' device."""
    device: str = first.device
    for operand in others:
        if operand.device != device:
            device = _brought_together((first, *others))
            break
    return get_engine(device)


def _brought_together(operands: tuple[Operand, ...]) -> str:
    """Where operands of several devices are from now on."""
    device = None
    for operand in operands:
        if operand._bound:
            if device is None:
                device = operand.device
            elif operand.device != device:
                raise DeviceMismatch(
                    "operands live on different devices: "
                    f"{', '.join(sorted((device, operand.device)))}; "
                    "move them with .to(device) first"
                )
    if device is None:
        device = operands[0].device
    for operand in operands:
        if operand.device != device:
            operand._move(device)
    return device


@typed_refusals
def on_device(array: Any, device: str) -> Any:
    """A host array as one of the engine of `device`; the host's own engines take it as it is."""
    return get_engine(device).asarray(array) if device == "cuda" else array


def placed(data: Any, device: str) -> Any:
    """Storage without entries of a device's arrays, or of host arrays where objects are spread."""
    spread = None if device in DEVICES else get_engine(device).spread
    if spread is None:
        return data
    # A vector without entries is the same at every rank: none waits for another.
    return spread.keep(data) if isinstance(data, VectorData) else spread.scatter(data)


@typed_refusals
def transfer(data: Any, source: Engine, device: str, memory: Memory | None = None) -> Any:
    """Storage rebuilt from the arrays of one engine with those of another, entries of a matrix on a
    GPU in its memory or, "pinned", in that of the host."""
    target: Any = get_engine(device)
    if source.spread is not None:
        return transfer(source.spread.gather(data), get_engine("cpu"), device)
    if target.spread is not None:
        return target.spread.scatter(transfer(data, source, "cpu"))

    def move(array: Any) -> Any:
        if array is None:
            return None
        host = source.to_numpy(array)
        if is_iso(host) and host.shape[0]:
            # Of a GPU's arrays the same value is the same element.
            return target.asarray(iso_array(np.array(host[:1]), host.shape[0]))
        return target.asarray(np.array(host))

    if isinstance(data, VectorData):
        made = VectorData(data.size, move(data.values), move(data.indices), move(data.present))
        # There it is a list whatever it was: what is pickled should be small.
        return target.copy(made) if device == "reference" else made
    if isinstance(data, PackedMatrix):
        words = move(data.bits.reshape(-1))
        return PackedMatrix(data.ncols, words.reshape(data.bits.shape))
    if isinstance(data, HypersparseMatrix):
        compact = transfer(data.compact, source, device, memory)
        return HypersparseMatrix(
            data.nrows, data.ncols, move(data.rows), move(data.columns), compact
        )
    keep = target.in_pinned_memory if memory == "pinned" else move
    matrix = MatrixData(
        data.nrows, data.ncols, move(data.indptr), keep(data.indices), keep(data.values)
    )
    carry_over(data, matrix)
    return matrix
