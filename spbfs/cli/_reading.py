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

from spbfs.cli._files import STANDARD, suffix
from spbfs.exceptions import DimensionMismatch, FileError, IndexOutOfBound, SpbfsError

if TYPE_CHECKING:
    from spbfs import Matrix

__all__ = ["Graph", "read_graph"]


@dataclass(slots=True)
class Graph:
    """A graph, and what its file calls the vertices where that is not their number."""

    matrix: Matrix
    ids: Any = None

    def vertices(self, named: Sequence[int]) -> list[int]:
        """The numbers of vertices that the user names."""
        import numpy as np

        if self.ids is None:
            return list(named)
        at = np.searchsorted(self.ids, named)
        for name, place in zip(named, at.tolist(), strict=True):
            if place == len(self.ids) or self.ids[place] != name:
                raise IndexOutOfBound(f"source: no edge has the vertex {name}")
        found: list[int] = at.tolist()
        return found

    def names(self, vertices: Any) -> Any:
        """What the user calls vertices; what is below 0 stays."""
        import numpy as np

        if self.ids is None or not len(self.ids):
            return vertices
        return np.where(vertices < 0, vertices, self.ids[np.maximum(vertices, 0)])


def read_graph(arguments: argparse.Namespace, *, square: bool = True) -> Graph:
    """The graph in the file that the arguments name, or on standard input."""
    import spbfs

    given: dict[str, Any] = {"compact": arguments.compact, "weights": arguments.weights}
    if arguments.undirected:
        given["directed"] = False
    if arguments.one_based:
        given["one_based"] = True
    with _file_of(arguments.graph, arguments.format) as path:
        try:
            found = spbfs.read(path, **given)
        except SpbfsError as error:
            # The name that the user gave.
            told = str(error).replace(str(path), _called(arguments.graph))
            raise type(error)(told) from None
    A, ids = found if arguments.compact else (found, None)
    if square and A.nrows != A.ncols:
        raise DimensionMismatch(
            f"graph: {_called(arguments.graph)} is {A.nrows} x {A.ncols}, and a graph is square"
        )
    return Graph(A, ids)


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
