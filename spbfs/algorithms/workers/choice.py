"""The workers that a call names: nobody but the caller, devices of this process, a cluster."""

from __future__ import annotations

import sys
from typing import Any

from spbfs.algorithms.workers.here import Here
from spbfs.algorithms.workers.protocol import Workers
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidCall, InvalidValue
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.devices import DEVICES
from spbfs.storage.data import MatrixData

__all__ = ["elsewhere", "workers_for"]


def workers_for(
    data: MatrixData,
    device: str,
    scheduler: Any = None,
    devices: Any = None,
    search_on: str | None = None,
) -> Workers:
    """Who works on batches, checked and ready.

    Parameters
    ----------
    data : MatrixData
    device : str
        Where it is.
    scheduler : dask.distributed.Client, optional
    devices : sequence of str and int, optional
    search_on : str, optional
        The device of a cluster's workers on which they search; `device` by default.

    Raises
    ------
    InvalidCall, InvalidValue, DomainMismatch
        When they are not what is described above, or there are both.
    BackendUnavailable
        When a device is not there.
    WorkerError, OutOfMemory
        When workers are missing, of other versions, or too small for the matrix.
    """
    if not elsewhere(scheduler, devices, search_on):
        return Here(Matrix._from_data(data, device))
    matrix = Matrix._from_data(data, device)
    if devices is not None:
        from spbfs.algorithms.workers.devices import DeviceWorkers

        return DeviceWorkers(matrix, devices)
    # Where there is a client the package is there, so that nobody else waits for its import.
    from spbfs.algorithms.workers.cluster import ClusterWorkers

    return ClusterWorkers(matrix, scheduler, search_on or device)


def elsewhere(scheduler: Any, devices: Any, device: Any = None) -> bool:
    """Whether a call names other workers than itself, its arguments looked at as far as that goes.

    Raises
    ------
    InvalidCall, InvalidValue, DomainMismatch
        As `workers_for`.
    """
    if devices is not None and (scheduler is not None or device is not None):
        other = "scheduler" if scheduler is not None else "device"
        raise InvalidCall(f"devices, {other}: expected one of them, got both")
    if scheduler is None:
        return devices is not None
    distributed = sys.modules.get("distributed")
    if distributed is None or not isinstance(scheduler, distributed.Client):
        raise DomainMismatch(
            f"scheduler: expected a dask.distributed.Client, got {brief(scheduler)}"
        )
    if device is not None and device not in DEVICES:
        raise InvalidValue(f"device: expected one of {', '.join(DEVICES)}, got {brief(device)}")
    return True
