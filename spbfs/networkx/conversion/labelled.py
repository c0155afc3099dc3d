"""What an attribute of the nodes names: labels as numbers, and the edges between nodes of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from spbfs.networkx.conversion.structure import Array, Rows
from spbfs.objects.matrix import Matrix
from spbfs.storage.arrays import Device

__all__ = ["Labelled"]


class Labelled:
    """Nodes by their names' labels, and matrices that follow from these, as they are asked for."""

    def __init__(self, names: list[Any], rows: Rows) -> None:
        self.names = names
        #: A number for every node, the same where names are equal.
        self.labels = _numbered(names)
        self._rows = rows
        self._matrices: dict[tuple[str, str], Matrix] = {}

    def within(self, device: Device) -> Matrix:
        """The adjacency matrix of the edges between nodes of one label, without values."""

        def made() -> Matrix:
            n, kept = len(self.names), self._kept()
            begins = np.searchsorted(kept, self._rows.indptr)
            return Matrix.from_csr(begins, self._rows.indices[kept], True, nrows=n, ncols=n)

        return self._on_device("within", device, made)

    def twofold(self, device: Device) -> Matrix:
        """The adjacency matrix and, of as many vertices more, that of the edges between nodes of
        one label: two blocks, so that one product looks into both."""

        def made() -> Matrix:
            n, kept = len(self.names), self._kept()
            indptr, indices = self._rows
            begins = indices.shape[0] + np.searchsorted(kept, indptr[1:])
            columns = np.concatenate((indices, indices[kept] + np.int64(n)))
            rows = np.concatenate((indptr, begins))
            return Matrix.from_csr(rows, columns, True, nrows=2 * n, ncols=2 * n)

        return self._on_device("twofold", device, made)

    def _kept(self) -> Array:
        """Which entries of the rows are edges between nodes of one label."""
        indptr, indices = self._rows
        return np.flatnonzero(self.labels[indices] == np.repeat(self.labels, np.diff(indptr)))

    def _on_device(self, which: str, device: Device, make: Callable[[], Matrix]) -> Matrix:
        if (which, device) not in self._matrices:
            made = make()
            self._matrices[which, device] = made if device == "cpu" else made.to(device)
        return self._matrices[which, device]


def _numbered(names: list[Any]) -> Array:
    """A number for everybody, the same where names are equal."""
    if set(map(type, names)) == {int}:
        with suppress(OverflowError):
            return np.array(names, np.int64)
    number = {name: at for at, name in enumerate(dict.fromkeys(names))}
    if any(name != name for name in number):
        raise ValueError("NaN is no name")
    return np.fromiter(map(number.__getitem__, names), np.int64, len(names))
