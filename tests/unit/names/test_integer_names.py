"""Vertices that are called by integers: a name is turned into a number once, and only once."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.algorithms.named import PAIRS, VERTICES

N = 12


def _undirected() -> sb.Matrix:
    u, v, length = np.random.default_rng(3).integers(1, N, (3, 30))
    ends = np.concatenate([u, v]), np.concatenate([v, u])
    return sb.Matrix.from_coo(*ends, np.tile(length, 2), nrows=N, ncols=N, dup_op="min")


def _called(number: Any) -> Any:
    """The last vertex is called 0, the first by the greatest number."""
    if isinstance(number, list | tuple):
        return type(number)(map(_called, number))
    return N - 1 - number


def _of(name: str) -> Any:
    if name in PAIRS:
        return [(1, 2), (3, 4)]
    return [1, 3] if name.endswith("s") or name == "vertices" else 5 if name == "target" else 1


def _plain(x: Any) -> Any:
    """What an algorithm has found, by number."""
    if isinstance(x, sb.Vector):
        return x.to_dict()
    if isinstance(x, sb.Matrix):
        return x.to_dicts()
    if isinstance(x, sb.BFSResult):
        return _plain((x.levels, x.owners, x.order))
    if hasattr(x, "distances"):
        return _plain(x.distances)
    if hasattr(x, "sources"):
        return _plain((x.sources, x.levels))
    if isinstance(x, tuple) or (hasattr(x, "__iter__") and not hasattr(x, "dtype")):
        return [_plain(part) for part in x]
    return x.tolist() if hasattr(x, "tolist") else x


ALGORITHMS = {
    name: vertices
    for name in sb.__all__
    if name != "convert" and inspect.isfunction(getattr(sb, name))
    for vertices in [(VERTICES | PAIRS) & inspect.signature(getattr(sb, name)).parameters.keys()]
    if vertices
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_integers_are_names_of_vertices(name: str) -> None:
    A, algorithm = _undirected(), getattr(sb, name)
    given = {vertices: _of(vertices) for vertices in ALGORITHMS[name]}
    other = {"k": 2} if "k" in inspect.signature(algorithm).parameters else {}
    expected = _plain(algorithm(A, **given, **other))
    A.labels = _called(list(range(N)))
    found = _plain(
        algorithm(A, **{of: _called(vertices) for of, vertices in given.items()}, **other)
    )
    if name == "shortest_path":
        found[0] = _called(found[0])
    assert found == expected


def test_frontiers_have_names() -> None:
    A = _undirected()
    A.labels = _called(list(range(N)))
    for depth, frontier in sb.levels(A, 10):
        assert frontier.labels is A.labels
        assert set(frontier.to_pandas().index) == {
            name for name, level in sb.bfs(A, 10).levels.to_pandas().items() if level == depth
        }
