"""A matrix as it is sent to the workers of a cluster: its arrays, or the folder that has them."""

from __future__ import annotations

from threading import Lock
from typing import Any

from spbfs.io.mapped.csr_folder import map_again
from spbfs.objects.matrix import Matrix
from spbfs.storage.arrays import Device
from spbfs.storage.derived import known_transpose
from spbfs.storage.on_disk import OnDiskMatrix, Origin

__all__ = ["Sent"]


class Sent:
    """A matrix on a worker, which moves it to a device once; pickled, what is to be sent of it."""

    def __init__(self, matrix: Matrix | Origin) -> None:
        self.matrix = matrix
        self._on: dict[str, Matrix] = {}
        self._folder: OnDiskMatrix | None = None
        #: Held while a batch is searched: each has all that the worker has.
        self.turn = Lock()

    def __reduce__(self) -> Any:
        return Sent, (self.matrix,)

    def on(self, device: Device) -> Matrix:
        """The matrix on a device; the turn is the caller's."""
        if device not in self._on:
            made = self._mapped(self.matrix) if isinstance(self.matrix, Origin) else self.matrix
            self._on[device] = made.to(device)
        return self._on[device]

    def _mapped(self, origin: Origin) -> Matrix:
        # The folder's own matrix has the other direction, which a transpose only refers to.
        self._folder = map_again(origin)
        across = known_transpose(self._folder) if origin.transposed else None
        return Matrix._from_data(self._folder if across is None else across, "cpu")
