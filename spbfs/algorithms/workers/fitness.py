"""Whether the workers of a cluster can search a matrix, found out before anything is sent."""

from __future__ import annotations

from platform import python_version
from typing import Any

import spbfs
from spbfs.algorithms.workers.asking import asked, lost, staffed
from spbfs.algorithms.workers.sent import Sent
from spbfs.base.memory import require_bytes
from spbfs.exceptions import OutOfMemory, WorkerError
from spbfs.io.mapped.csr_folder import is_there
from spbfs.objects.matrix import Matrix
from spbfs.storage.arrays import nbytes_of
from spbfs.storage.data import MatrixData
from spbfs.storage.on_disk import OnDiskMatrix, Origin

__all__ = ["check_workers"]

#: The part of a worker's memory that a matrix may take: from there on Dask moves what it holds to
#: the disk.
_SHARE = 0.6
#: Versions of Python and spbfs.
_VERSIONS = "__import__('platform').python_version(), __import__('spbfs').__version__"


def check_workers(matrix: Matrix, client: Any) -> tuple[int, Sent]:
    """How many workers a client has, all of them fit, and the matrix as it is sent to them.

    Raises
    ------
    WorkerError
        When there are none, or some have another Python or another spbfs, or none.
    OutOfMemory
        When the matrix does not fit one of them.
    """
    data = matrix._ready()
    origin = data.origin if isinstance(data, OnDiskMatrix) else None
    told: dict[str, tuple[int | None, bool]] = {}
    while not told:  # all may end in between
        staffed(client)
        asked(client, lambda: _check_versions(client))
        told = asked(client, lambda: client.run(_facts, origin))
    if origin is not None and all(seen for _, seen in told.values()):
        return len(told), Sent(origin)
    _check_room(data, {name: limit for name, (limit, _) in told.items()})
    return len(told), Sent(matrix)


def _check_versions(client: Any) -> None:
    """Ask every worker by what any Python can read, whatever else it lacks."""
    expected = python_version(), spbfs.__version__
    for name, told in client.run(eval, _VERSIONS, on_error="return").items():
        if isinstance(told, ImportError):
            raise WorkerError(f"scheduler: the worker {name} cannot import spbfs: {told}")
        if isinstance(told, BaseException) and lost(told):  # it has ended
            raise told
        if isinstance(told, BaseException):
            raise WorkerError(f"scheduler: the worker {name} failed: {told}")
        # Python 3.11.4 is as good as 3.11.9.
        if told[0].split(".")[:2] != expected[0].split(".")[:2]:
            raise WorkerError(
                f"scheduler: the worker {name} has Python {told[0]}, expected {expected[0]}"
            )
        if told[1] != expected[1]:
            raise WorkerError(
                f"scheduler: the worker {name} has spbfs {told[1]}, expected {expected[1]}"
            )


def _facts(origin: Origin | None, dask_worker: Any) -> tuple[int | None, bool]:
    """On a worker: bytes that it may hold, and whether it sees the folder of a matrix."""
    return dask_worker.memory_manager.memory_limit, origin is not None and is_there(origin)


def _check_room(data: MatrixData, limits: dict[str, int | None]) -> None:
    needed = nbytes_of(data.indptr, data.indices, data.values)
    for name, limit in limits.items():
        if limit and needed > _SHARE * limit:
            raise OutOfMemory(
                f"scheduler: A needs {needed:,} bytes and the worker {name} may hold "
                f"{int(_SHARE * limit):,}"
            )
    # Its arrays, once more, as they are sent.
    require_bytes(needed, "scheduler: A")
