"""The graph that a command reads, by the options that say how, and its vertices' names."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spbfs.base.wording import brief
from spbfs.cli.parsing.arguments import integer, real, whole
from spbfs.cli.shared.files import STANDARD, suffix
from spbfs.exceptions import (
    DimensionMismatch,
    FileError,
    IndexOutOfBound,
    InvalidValue,
    SpbfsError,
    UnknownLabel,
)

if TYPE_CHECKING:
    from spbfs import Labels, Matrix

__all__ = ["Graph", "as_numbers", "read_graph"]


@dataclass(slots=True)
class Graph:
    """A graph, and what its file calls the vertices where that is not their number."""

    matrix: Matrix
    ids: Any = None
    labels: Labels | None = None

    def vertices(self, named: Sequence[int | str]) -> list[int]:
        """The numbers of vertices that the user names."""
        if self.labels is not None:
            return [self._labelled(str(name)) for name in named]
        if self.ids is None:
            return as_numbers(named)
        return [self._identified(str(name)) for name in named]

    def _identified(self, name: str) -> int:
        """The place of an id, which may be below 0, among all."""
        import numpy as np

        try:
            number = integer(name)
        except argparse.ArgumentTypeError as error:
            raise InvalidValue(f"source: {error}") from None
        limits = np.iinfo(self.ids.dtype)
        if limits.min <= number <= limits.max:
            place = int(np.searchsorted(self.ids, self.ids.dtype.type(number)))
            if place < len(self.ids) and self.ids[place] == number:
                return place
        raise IndexOutOfBound(f"source: no edge has the vertex {number}")

    def _labelled(self, name: str) -> int:
        assert self.labels is not None
        if name in self.labels:
            return self.labels[name]
        # Dates and the like go by what tables show of them, real numbers also by their value.
        names = self.labels.names().tolist()
        shown = [i for i, own in enumerate(names) if str(own) == name]
        if not shown and (value := _real(name)) is not None:
            shown = [i for i, own in enumerate(names) if isinstance(own, float) and own == value]
        if len(shown) != 1:
            which = "more than one vertex" if shown else "no vertex"
            raise UnknownLabel(f"source: {which} is called {name!r}")
        return shown[0]

    def called(self, vertices: Sequence[int]) -> list[Any]:
        """What the user calls vertices, one by one."""
        import numpy as np

        return list(self.names(np.asarray(vertices, np.int64)).tolist())

    def names(self, vertices: Any) -> Any:
        """What the user calls vertices; what is below 0 stays, or is None where ids may be."""
        import numpy as np

        if self.labels is not None and len(self.labels):
            names = self.labels.names(np.maximum(vertices, 0)).astype(object)
            names[np.asarray(vertices) < 0] = None
            return names
        if self.ids is None or not len(self.ids):
            return vertices
        return np.ma.array(self.ids[np.maximum(vertices, 0)], mask=np.asarray(vertices) < 0)


def as_numbers(named: Sequence[int | str]) -> list[int]:
    """The vertices that the user names where they have numbers alone."""
    numbers = [whole(name) if isinstance(name, str) else name for name in named]
    for name, number in zip(named, numbers, strict=True):
        if number is None:
            raise InvalidValue(f"source: expected a vertex from 0, got {brief(name)}")
    return [number for number in numbers if number is not None]


def _real(name: str) -> float | None:
    try:
        return real(name)
    except argparse.ArgumentTypeError:
        return None


def read_graph(arguments: argparse.Namespace, *, square: bool = True) -> Graph:
    """The graph in the file that the arguments name, or on standard input."""
    import spbfs
    from spbfs.io.formats.registry import is_csr_folder

    given: dict[str, Any] = {"compact": arguments.compact, "weights": arguments.weights}
    if arguments.columns is not None:
        given["columns"] = arguments.columns
    if arguments.undirected:
        given["directed"] = False
    if arguments.one_based:
        given["one_based"] = True
    if is_csr_folder(arguments.graph) and arguments.format is None:
        # It stays on the disk, where nothing changes what is stored.
        given["mmap"] = given == {"compact": False, "weights": None}
    with _file_of(arguments.graph, arguments.format) as path:
        try:
            found = spbfs.read(path, **given)
        except SpbfsError as error:
            raise type(error)(_in_users_words(str(error), path, arguments.graph)) from None
    A, ids = found if arguments.compact else (found, None)
    if square and A.nrows != A.ncols:
        raise DimensionMismatch(
            f"graph: {_called(arguments.graph)} is {A.nrows} x {A.ncols}, and a graph is square"
        )
    # Commands tell the library numbers.
    labels, A.labels = A.labels, None
    if ids is not None and ids.dtype.kind not in "iu":
        # Names are not numbered anew: what occurs has them already.
        labels, ids = spbfs.Labels(ids), None
    return Graph(A, ids, labels)


def _in_users_words(told: str, path: str | Path, graph: str) -> str:
    """A message with the name that the user gave, and what says the format in its place."""
    if isinstance(path, Path):
        told = told.replace(str(path), _called(graph)).replace(path.name, _called(graph))
        told = told.replace("its name should end in .gz", "--format should end in .gz")
        told = told.replace(f"path: {_called(graph)!r} has the extension", "--format: got")
    return told


def _called(graph: str) -> str:
    return "standard input" if graph == STANDARD else graph


@contextmanager
def _file_of(graph: str, form: str | None) -> Iterator[str | Path]:
    """A file whose name says its format: the graph itself, or a copy or link of it."""
    if graph != STANDARD and form is None:
        yield graph
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"graph{suffix(form)}"
        if graph == STANDARD:
            if sys.stdin is None:
                raise FileError("graph: standard input is closed")
            with open(path, "wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        else:
            path.symlink_to(os.path.abspath(graph))
        yield path
