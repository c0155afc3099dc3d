"""Edges that make a graph: square, with or without directions, from tables of edges."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs import Matrix
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    NotIndices,
    SpbfsError,
    UnknownDtype,
)

EDGES = [(0, 3), (3, 1), (2, 2)]
ROWS, COLUMNS = zip(*EDGES, strict=True)
BOTH = {(0, 3), (3, 0), (3, 1), (1, 3), (2, 2)}


def entries(A: Matrix) -> set[tuple[int, int]]:
    rows, columns, _ = A.to_coo()
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


MAKE: dict[str, Callable[..., Matrix]] = {
    "coo": lambda **options: Matrix.from_coo(ROWS, COLUMNS, **options),
    "edges": lambda **options: Matrix.from_edgelist(EDGES, **options),
    "array": lambda **options: Matrix.from_edgelist(np.array(EDGES), **options),
    "generator": lambda **options: Matrix.from_edgelist((e for e in EDGES), **options),
    "frame": lambda **options: Matrix.from_edgelist(pd.DataFrame(EDGES), **options),
}


@pytest.mark.parametrize("make", MAKE)
def test_a_graph_is_square_and_has_no_weights(make: str) -> None:
    assert MAKE[make]().shape == (4, 4) and MAKE[make]().dtype == "FP64"  # the dialect's default
    for options in ({"square": True}, {"directed": True}):
        A = MAKE[make](**options)
        assert (A.shape, A.dtype, entries(A)) == ((4, 4), "BOOL", set(EDGES))
    A = MAKE[make](directed=False)
    assert (A.shape, A.dtype, entries(A)) == ((4, 4), "BOOL", BOTH)
    assert A.dtype == sb.generate.path(3).dtype
    for sides in ({"nrows": 9}, {"ncols": 9}, {"nrows": 9, "ncols": 9}):
        assert MAKE[make](square=True, **sides).shape == (9, 9)
    with pytest.raises(InvalidValue, match=r"^nrows, ncols: expected equal sides"):
        MAKE[make](square=True, nrows=9, ncols=8)
    with pytest.raises(SpbfsError, match=r"rows|columns"):
        MAKE[make](square=True, nrows=3)


def test_wide_and_tall_edges_make_squares() -> None:
    for rows, columns in (([0], [4]), ([4], [0])):
        assert Matrix.from_coo(rows, columns).shape != (5, 5)
        assert Matrix.from_coo(rows, columns, square=True).shape == (5, 5)
    assert Matrix.from_edgelist([], square=True).shape == (0, 0)


def test_mirrored_weights(device: str = "cpu") -> None:
    A = Matrix.from_edgelist([(0, 1, 5), (2, 2, 7)], directed=False)
    assert A.to_dicts() == {0: {1: 5}, 1: {0: 5}, 2: {2: 7}}
    assert Matrix.from_coo([0], [1], 2.5, directed=False).to_dicts() == {0: {1: 2.5}, 1: {0: 2.5}}
    assert Matrix.from_coo([0], [1], dtype=int, directed=False).to_dicts() == {0: {1: 1}, 1: {0: 1}}
    with pytest.raises(InvalidValue, match="occurs twice; give dup_op="):
        Matrix.from_edgelist([(0, 1, 5), (1, 0, 6)], directed=False)
    B = Matrix.from_edgelist([(0, 1, 5), (1, 0, 6)], directed=False, dup_op="min")
    assert B.to_dicts() == {0: {1: 5}, 1: {0: 5}}
    assert entries(Matrix.from_edgelist([(0, 1), (1, 0)], directed=False)) == {(0, 1), (1, 0)}


FRAMES: list[tuple[pd.DataFrame, dict[int, dict[int, Any]]]] = [
    (pd.DataFrame({"a": [0, 1], "b": [1, 2]}), {0: {1: 1.0}, 1: {2: 1.0}}),
    (pd.DataFrame({"a": [0, 1], "b": [1, 2], "w": [5, 6]}), {0: {1: 5}, 1: {2: 6}}),
    (
        pd.DataFrame({"weight": [5, 6], "target": [1, 2], "name": ["x", "y"], "source": [0, 1]}),
        {0: {1: 5}, 1: {2: 6}},
    ),
    (pd.DataFrame({"source": [0, 1], "target": [1, 2], "km": [7, 7]}), {0: {1: 1.0}, 1: {2: 1.0}}),
    (pd.DataFrame({0: [0, 1], 1: [1, 2]}, dtype="Int64", index=[8, 8]), {0: {1: 1.0}, 1: {2: 1.0}}),
]


@pytest.mark.parametrize(("frame", "expected"), FRAMES)
def test_data_frames(frame: pd.DataFrame, expected: dict[int, dict[int, Any]]) -> None:
    assert Matrix.from_edgelist(frame).to_dicts() == expected


def test_data_frames_that_are_no_edges() -> None:
    with pytest.raises(InvalidValue, match="expected a data frame with columns source"):
        Matrix.from_edgelist(pd.DataFrame({"a": [0], "b": [1], "c": [2], "d": [3]}))
    with pytest.raises(DomainMismatch, match="rows"):
        Matrix.from_edgelist(pd.DataFrame({"source": ["x"], "target": ["y"]}))
    with pytest.raises(InvalidValue, match="values"):
        Matrix.from_edgelist(pd.DataFrame({"a": [0], "b": [1], "c": [2]}), 1.0)


CALLS: dict[str, Callable[[Any], Any]] = {
    "bfs": lambda A: sb.bfs(A, 0),
    "plan": lambda A: sb.BFSPlan(A),
    "levels": lambda A: sb.levels(A, 0),
    "bfs_many": lambda A: sb.bfs_many(A, [0]),
    "distances": lambda A: sb.distances(A),
    "closeness": lambda A: sb.closeness(A),
    "betweenness": lambda A: sb.betweenness(A),
    "khop_sizes": lambda A: sb.khop_sizes(A, 1),
    "verify": lambda A: sb.verify.bfs_tree(A, 0, None, [0]),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_matrix_that_is_no_graph_is_told_how_to_be_one(call: str) -> None:
    A = Matrix.from_edgelist([(0, 1), (0, 2)])
    with pytest.raises(DimensionMismatch, match=r"got 1 x 3; .* square=True"):
        CALLS[call](A)


def test_mistakes() -> None:
    for name in ("square", "directed"):
        with pytest.raises(DomainMismatch, match=f"^{name}: expected True or False"):
            Matrix.from_coo([0], [1], **{name: 3})  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="columns"):
        Matrix.from_coo([0, 1], [1], square=True)
    with pytest.raises(DimensionMismatch, match="values"):
        Matrix.from_coo([0, 1], [1, 0], [1.0], directed=False)


def test_what_makes_a_matrix_is_named_where_there_is_none() -> None:
    G = nx.path_graph(3)
    frame = pd.DataFrame({"source": ["a"], "target": ["b"]})
    for given, maker in (
        (G, "from_networkx"),
        (np.eye(3), "from_dense(A, missing_value=0)"),
        (frame, "from_pandas_edgelist"),
        ([[0, 1], [1, 0]], "from_dense(A, missing_value=0)"),
        ([(0, 1), (1, 0)], "from_edgelist"),
    ):
        with pytest.raises(DomainMismatch, match=re.escape(f"Matrix.{maker} makes one of it")):
            sb.bfs(given, 0)
        assert getattr(Matrix, maker.partition("(")[0])(given).nrows
    with pytest.raises(DomainMismatch, match=r"got list$"):
        sb.bfs([1], 0)
    for path in ("graph.mtx", Path("graph.mtx")):
        with pytest.raises(DomainMismatch, match=r"; spbfs\.read makes one of it$"):
            sb.bfs(path, 0)
    A, S = Matrix.from_networkx(G), sp.csr_array(np.eye(3))
    for call in (lambda: A @ S, lambda: Matrix.from_dense(S), lambda: Matrix.from_networkx(S)):
        with pytest.raises(DomainMismatch, match=r"; Matrix\.from_scipy makes one of it$"):
            call()
    theirs = pytest.importorskip("graphblas").Matrix.from_coo([0], [1], [2.0], nrows=3, ncols=3)
    for call in (lambda: sb.bfs(theirs, 0), lambda: A @ theirs):
        with pytest.raises(DomainMismatch, match=r"got graphblas\.Matrix; .* makes one of it$"):
            call()
    with pytest.raises(DomainMismatch, match=r"; Vector\.from_dense makes one of it$"):
        A @ np.ones(3)


@pytest.mark.parametrize("kind", [Matrix, sb.Vector])
def test_values_are_no_type_of_an_empty_object(kind: Any) -> None:
    column = pd.Series([1.0, 2.0])
    for given in (sp.eye_array(2), column, np.float64(3), np.eye(2), [1.0, 2.0], 5):
        with pytest.raises(UnknownDtype, match=rf"{kind.__name__}\.from_dense and its like"):
            kind(given)
    assert kind(np.float32).dtype == kind(np.dtype(">f4")).dtype == "FP32"
    with pytest.raises(NotIndices, match=r"got names; .* Matrix.from_pandas_edgelist"):
        Matrix.from_edgelist([("a", "b"), ("b", "c")])
