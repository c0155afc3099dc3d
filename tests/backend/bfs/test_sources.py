"""Whatever names vertices is a source: sets, generators, columns, numbers of any library."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import spbfs as sb
from spbfs.exceptions import (
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    OutOfMemory,
    SpbfsError,
)


class Lent:
    """What can be made an array, and nothing else."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array([2, 3, 7], dtype)


#: Ways to say 2, 3, 7.
SEVERAL: dict[str, Callable[[], Any]] = {
    "set": lambda: {3, 7, 2},
    "frozen set": lambda: frozenset([3, 7, 2]),
    "generator": lambda: (v for v in (2, 3, 7)),
    "map": lambda: map(int, "237"),
    "iterator": lambda: iter([2, 3, 7]),
    "keys": lambda: {2: "a", 3: "b", 7: "c"}.keys(),
    "values": lambda: {"a": 2, "b": 3, "c": 7}.values(),
    "tuple": lambda: (2, 3, 7),
    "deque": lambda: deque([2, 3, 7]),
    "numbers of NumPy": lambda: [np.int8(2), np.uint64(3), np.int32(7)],
    "objects": lambda: np.array([2, 3, 7], object),
    "column": lambda: pd.Series([2, 3, 7]),
    "nullable column": lambda: pd.Series([2, 3, 7], dtype="Int64"),
    "labels": lambda: pd.Index([2, 3, 7]),
    "lent": Lent,
}
ONE: dict[str, Callable[[], Any]] = {
    "NumPy": lambda: np.uint8(3),
    "array": lambda: np.array(3),
    "cell": lambda: pd.Series([3]).iloc[0],
    "nullable cell": lambda: pd.Series([3], dtype="Int64").iloc[0],
    "Python": lambda: 3,
}
CALLS: dict[str, Callable[[sb.Matrix, Any], Any]] = {
    "bfs": lambda A, s: sb.bfs(A, s).levels.to_dense(-1),
    "plan": lambda A, s: sb.BFSPlan(A).run(s).levels.to_dense(-1),
    "levels": lambda A, s: [q.to_coo()[0].tolist() for _, q in sb.levels(A, s)],
    "verify": lambda A, s: sb.verify.bfs_tree(A, s, sb.bfs(A, [2, 3, 7])),
    "bfs_many": lambda A, s: sb.bfs_many(A, s).levels.tolist(),
    "levels_many": lambda A, s: [F.to_coo()[0].tolist() for _, F in sb.levels_many(A, s)],
    "distances": lambda A, s: sb.distances(A, s).tolist(),
    "closeness": lambda A, s: sb.closeness(A, s),
    "harmonic": lambda A, s: sb.harmonic(A, s),
    "betweenness": lambda A, s: sb.betweenness(A, s).to("cpu").to_dense(),
    "eccentricity": lambda A, s: sb.eccentricity(A, s),
    "khop_sizes": lambda A, s: sb.khop_sizes(A, 2, s),
    "index": lambda A, s: sb.KHopIndex(A, s, k=2).sources,
    "query": lambda A, s: sb.KHopIndex(A, k=3).query(s, [0, 0, 0]),
}


def as_list(found: Any) -> Any:
    return found.tolist() if isinstance(found, np.ndarray) else found


@pytest.mark.parametrize("call", CALLS)
def test_sources_of_every_kind(call: str) -> None:
    A = sb.generate.path(9)
    expected = as_list(CALLS[call](A, [2, 3, 7]))
    for name, several in SEVERAL.items():
        assert as_list(CALLS[call](A, several())) == expected, name
    if call in ("verify", "query"):
        return
    expected = as_list(CALLS[call](A, [3]))
    for name, one in ONE.items():
        assert as_list(CALLS[call](A, one())) == expected, name


@pytest.mark.parametrize("call", ["bfs", "levels", "distances", "closeness"])
def test_sources_of_a_scipy_array(call: str) -> None:
    # Directed, so that the search of the array as it is gives way to that of a matrix.
    A = sb.Matrix.from_coo(range(8), range(1, 9), 1.0, nrows=9, ncols=9).to_scipy()
    expected = as_list(CALLS[call](A, [2, 3, 7]))
    for name, several in SEVERAL.items():
        assert as_list(CALLS[call](A, several())) == expected, name


FAR = {
    "beyond": (range(10**12), IndexOutOfBound, "below 9, got 999999999999"),
    "beyond 64 bits": (range(10**30), IndexOutOfBound, "beyond the largest index"),
    "negative": (range(8, -(10**12), -1), IndexOutOfBound, "must not be negative"),
}


@pytest.mark.parametrize("call", ["bfs", "bfs_many", "closeness", "levels"])
@pytest.mark.parametrize("name", FAR)
def test_a_long_range_is_refused_by_its_ends(call: str, name: str) -> None:
    given, kind, told = FAR[name]
    A = sb.generate.path(9)
    for graph in (A, A.to_scipy()):
        with pytest.raises(kind, match=told):
            CALLS[call](graph, given)


@pytest.mark.parametrize("search", [sb.bfs, sb.bfs_many])
def test_a_range_without_room_names_itself_and_its_bytes(search: Callable[..., Any]) -> None:
    A = sb.Matrix.from_coo([0], [5], True, nrows=2**50, ncols=2**50)
    with pytest.raises(OutOfMemory, match=r"sources?: a list of .* needs 8,000,000,000,000,000"):
        search(A, range(10**15))


WRONG: dict[str, tuple[Callable[[], Any], type[SpbfsError]]] = {
    "reals": (lambda: {1.5, 2}, DomainMismatch),
    "words": (lambda: iter(["1", "2"]), DomainMismatch),
    "a word": (lambda: "12", DomainMismatch),
    "missing": (lambda: pd.Series([1, None], dtype="Int64"), DomainMismatch),
    "nothing": (lambda: [None], DomainMismatch),
    "truths": (lambda: {True}, DomainMismatch),
    "truths as objects": (lambda: np.array([True, 2], object), DomainMismatch),
    "beyond": (lambda: {9}, IndexOutOfBound),
    "far beyond": (lambda: iter([1, 2**70]), IndexOutOfBound),
    "negative": (lambda: (v for v in [-1]), IndexOutOfBound),
    "a table": (lambda: {"a": 1}, SpbfsError),
}


@pytest.mark.parametrize("call", ["bfs", "bfs_many", "closeness"])
@pytest.mark.parametrize("name", WRONG)
def test_what_names_no_vertices(call: str, name: str) -> None:
    make, error = WRONG[name]
    with pytest.raises(error, match=r"source|vertices"):
        CALLS[call](sb.generate.path(9), make())
    with pytest.raises(InvalidValue, match="at least one vertex"):
        sb.bfs(sb.generate.path(9), iter([]))
