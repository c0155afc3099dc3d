"""Checks of orders, widths, closures and spectra: right results pass, every rule is broken once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import (
    ConvergenceFailure,
    DeviceMismatch,
    DimensionMismatch,
    DomainMismatch,
    GraphCyclic,
    InvalidValue,
    VerificationError,
)
from tests.backend.algorithm_cases import pattern, weighted
from tests.graphs import SEARCHABLE, SQUARE

INF = float("inf")
#: 0 to 1 and 2, both to 3, which is on a cycle with 4; 5 leads to 0; 6 alone.
A = sb.Matrix.from_coo(
    [0, 0, 1, 2, 3, 4, 5], [1, 2, 3, 3, 4, 3, 0], [4.0, 7, 6, 5, 1, 9, 2], nrows=7, ncols=7
)
DAG = sb.Matrix.from_coo([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], True, nrows=5, ncols=5)


@pytest.mark.parametrize("name", SEARCHABLE)
def test_right_results_of_awkward_graphs_pass(name: str) -> None:
    graph = SEARCHABLE[name]
    G = sb.Matrix.from_scipy(weighted(pattern(graph), np.int64, -3, 9))
    sources = sorted({0, graph.nrows // 2, graph.nrows - 1}, reverse=True)
    for directed in (True, False):
        for depth in (None, 0, 2):
            options: Any = {"directed": directed, "max_depth": depth}
            found = sb.bfs_order(G, sources, **options)
            sb.verify.bfs_order(G, sources, found, **options)
    for H in (G, sb.Matrix.from_scipy(weighted(pattern(graph), np.float64, -1, 1))):
        sb.verify.widest_path(H, sources, sb.widest_path(H, sources))
        sb.verify.widest_path(H, sources, sb.widest_path(H, sources, parents=False))
    for reflexive in (True, False):
        closure = sb.transitive_closure(G, reflexive=reflexive)
        sb.verify.transitive_closure(G, closure, reflexive=reflexive, samples=None)


@pytest.mark.parametrize("name", SQUARE)
def test_right_scores_of_awkward_graphs_pass(name: str) -> None:
    S = weighted(pattern(SQUARE[name]), np.float64, 0, 2)
    G, rng = sb.Matrix.from_scipy(S), np.random.default_rng(7)
    for options in ({}, {"weighted": True}):
        options: Any = options
        alpha = 0.5 / max(1, *(abs(S).sum(axis=axis).max(initial=0) for axis in (0, 1)), S.nnz**0.5)
        for more in ({}, {"normalized": False}, {"beta": rng.random(S.shape[0])}):
            walks: Any = {"alpha": alpha, **options, **more}
            sb.verify.katz(G, sb.katz(G, **walks), **walks)
        for find, verify in ((sb.hits, sb.verify.hits), (sb.eigenvector, sb.verify.eigenvector)):
            try:
                found = find(G, iterations=2000, **options)
            except ConvergenceFailure:
                continue
            verify(G, found, **options)


@pytest.mark.parametrize("name", SQUARE)
def test_levels_without_cycles_pass(name: str) -> None:
    G = sb.Matrix.from_scipy(pattern(SQUARE[name]))
    for H in (G, sb.select.triu(G, 1).new()):
        try:
            levels = sb.topological_levels(H)
        except GraphCyclic:
            with pytest.raises(VerificationError):
                sb.verify.topological_levels(H, np.arange(H.nrows))
            continue
        sb.verify.topological_levels(H, levels)


ORDER, PARENTS, LEVELS = [0, 1, 2, 3, 4], [0, 0, 0, 1, 3, -1, -1], [0, 1, 1, 2, 3, -1, -1]


@pytest.mark.parametrize(
    ("order", "parents", "levels", "message"),
    [
        ([1, 0, 2, 3, 4], PARENTS, LEVELS, "order: place 0 has 1, expected source 0"),
        ([0, 2, 1, 3, 4], PARENTS, LEVELS, "vertex 3 has parent 1, but 2 comes before"),
        ([0, 1, 2, 4, 3], PARENTS, LEVELS, "order: vertex 3 comes after 4, expected before"),
        ([0, 1, 2, 3], PARENTS, LEVELS, "order: vertex 4 has level 3 and comes 0 times"),
        ([0, 1, 1, 2, 3, 4], PARENTS, LEVELS, "order: vertex 1 has level 1 and comes 2 times"),
        ([0, 1, 2, 3, 4, 6], PARENTS, LEVELS, "order: vertex 6 is there, but has no level"),
        ([0, 1, 2, 3, 7], PARENTS, LEVELS, "order: place 4 has 7, not a vertex below 7"),
        (ORDER, [0, 0, 0, 2, 3, -1, -1], LEVELS, "vertex 3 has parent 2, but 1 comes before"),
        (ORDER, [0, 0, 0, 0, 3, -1, -1], LEVELS, r"A has no entry \(0, 3\)"),
        (ORDER, PARENTS, [0, 1, 1, 2, 2, -1, -1], "vertex 4 has level 2, its parent 3"),
    ],
)
def test_wrong_orders(order: Any, parents: Any, levels: Any, message: str) -> None:
    sb.verify.bfs_order(A, 0, (ORDER, PARENTS, LEVELS))
    with pytest.raises(VerificationError, match=message):
        sb.verify.bfs_order(A, 0, (order, parents, levels))


def test_an_order_without_directions_has_columns_after_rows() -> None:
    """Vertex 3 has 4 in its row and in its column, and 1 and 2 in its column alone."""
    found = sb.bfs_order(A, 3, directed=False)
    assert found.order.tolist()[:4] == [3, 4, 1, 2]
    parents, levels = found.parents, found.levels
    sb.verify.bfs_order(A, 3, found, directed=False)
    with pytest.raises(VerificationError, match="vertex 4 comes after 1, expected before"):
        sb.verify.bfs_order(A, 3, ([3, 1, 4, 2, 0, 5], parents, levels), directed=False)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([0, 1, 2, 3, 1], "vertex 4 has 1, but no edge from level 0"),
        ([0, 1, 1, 2, 0], "vertex 2 has 1, but 1, from which an edge leads there, has 1"),
        ([0, 1, 2, 4, 0], "vertex 3 has 4, but no edge from level 3"),
        ([0, 1, 2, -1, 0], "vertex 3 has none from 0"),
    ],
)
def test_wrong_levels(levels: list[int], message: str) -> None:
    sb.verify.topological_levels(DAG, [0, 1, 2, 3, 0])
    with pytest.raises(VerificationError, match=f"levels: {message}"):
        sb.verify.topological_levels(DAG, levels)


WIDTHS, WIDE_PARENTS = {0: INF, 1: 4.0, 2: 7.0, 3: 5.0, 4: 1.0}, [0, 0, 0, 2, 3, -1, -1]


def widths(changes: dict[int, float | None]) -> sb.Vector:
    kept = {v: w for v, w in (WIDTHS | changes).items() if w is not None}
    return sb.Vector.from_coo(list(kept), list(kept.values()), float, size=7)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({0: 9.0}, "source 0 has 9.0, expected inf"),
        ({0: None}, "source 0 has none, expected inf"),
        ({3: 4.0}, "vertex 3 has 4.0, but 5.0 by the edge from 2"),
        ({4: None}, "vertex 4 has none, but 1.0 by the edge from 3"),
        ({3: 6.0}, "vertex 3 has 6.0, which no path to it has"),
        ({5: 1.0}, "vertex 0 .*|vertex 5 has 1.0, which no path to it has"),
        ({4: float("nan")}, "vertex 4 has nan"),
    ],
)
def test_wrong_widths(changes: dict[int, float | None], message: str) -> None:
    sb.verify.widest_path(A, 0, widths({}))
    sb.verify.widest_path(A, 0, widths({}), WIDE_PARENTS)
    with pytest.raises(VerificationError, match=f"widths: {message}"):
        sb.verify.widest_path(A, 0, widths(changes))


@pytest.mark.parametrize(
    ("changes", "parent", "message"),
    [
        ({}, {3: 1}, "vertex 3 has width 5.0, its parent 1 has 4.0, and the edge .* 6.0"),
        ({}, {3: -1}, "vertex 3 has no parent"),
        ({}, {5: 0}, "vertex 5 has parent 0 and no width"),
        ({}, {0: 5}, "source 0 has parent 5"),
        ({}, {3: 0}, r"A has no entry \(0, 3\)"),
        ({3: 9.0, 4: 9.0}, {3: 4}, "parents lead to no source"),
    ],
)
def test_wrong_parents_of_widths(changes: Any, parent: Any, message: str) -> None:
    parents = [parent.get(v, u) for v, u in enumerate(WIDE_PARENTS)]
    with pytest.raises(VerificationError, match=f"parents: .*{message}"):
        sb.verify.widest_path(A, 0, widths(changes), parents)


def test_every_changed_entry_of_a_closure_is_found() -> None:
    for reflexive in (False, True):
        right = sb.transitive_closure(A, reflexive=reflexive).to_dense(fill_value=False)
        for u, v in np.ndindex(7, 7):
            wrong = right.copy()
            wrong[u, v] = not wrong[u, v]
            closure = sb.Matrix.from_dense(wrong, missing_value=False)
            with pytest.raises(VerificationError, match=rf"closure: \({u}, {v}\) is"):
                sb.verify.transitive_closure(A, closure, reflexive=reflexive)


def test_wrong_scores() -> None:
    G = sb.generate.grid2d(3, 3)
    right = {
        "katz": sb.katz(G).to_dense(),
        "eigenvector": sb.eigenvector(G).to_dense(),
        "hits": [x.to_dense() for x in sb.hits(G)],
    }
    for v in range(9):
        for by in (0.01, -0.01):
            moved = np.zeros(9)
            moved[v], moved[(v + 1) % 9] = by, -by
            for name in ("katz", "eigenvector"):
                with pytest.raises(VerificationError, match="scores: "):
                    getattr(sb.verify, name)(G, right[name] + moved)
            hubs, authorities = right["hits"]
            with pytest.raises(VerificationError, match="a round changes them"):
                sb.verify.hits(G, (hubs + moved, authorities))
            with pytest.raises(VerificationError, match="authorities: a round changes them"):
                sb.verify.hits(G, (hubs, authorities + moved))
    with pytest.raises(VerificationError, match="opposite"):
        sb.verify.katz(G, -right["katz"])
    for name, verify in (("katz", sb.verify.katz), ("eigenvector", sb.verify.eigenvector)):
        with pytest.raises(VerificationError, match="Euclidean length is"):
            verify(G, 2 * right[name])
    with pytest.raises(VerificationError, match="vertex 1 has nan, expected a finite number"):
        sb.verify.katz(G, [0, np.nan] + 7 * [0])
    with pytest.raises(VerificationError, match=r"vertex 1 has -1\.0, expected a number of"):
        sb.verify.eigenvector(G, [0, -1] + 7 * [0])
    with pytest.raises(VerificationError, match="authorities: all are 0, expected sum 1"):
        sb.verify.hits(G, (np.zeros(9), np.zeros(9)))
    with pytest.raises(VerificationError, match=r"authorities: their sum is 2\.0"):
        sb.verify.hits(G, [2 * x for x in right["hits"]])


def test_bad_input() -> None:
    with pytest.raises(DimensionMismatch, match="levels"):
        sb.verify.topological_levels(DAG, [0, 1])
    with pytest.raises(DimensionMismatch, match="order: expected one dimension"):
        sb.verify.bfs_order(A, 0, ([ORDER], PARENTS, LEVELS))
    with pytest.raises(DomainMismatch, match="order: expected integers"):
        sb.verify.bfs_order(A, 0, (np.array(ORDER, float), PARENTS, LEVELS))
    with pytest.raises(DomainMismatch, match="widths: expected an SSSPResult or a Vector"):
        sb.verify.widest_path(A, 0, [1.0] * 7)
    with pytest.raises(DimensionMismatch, match="widths: expected size 7, got 3"):
        sb.verify.widest_path(A, 0, sb.Vector(float, 3))
    with pytest.raises(DomainMismatch, match="widths: expected those of"):
        sb.verify.widest_path(A, 0, sb.Vector(int, 7))
    with pytest.raises(InvalidValue, match="parents: expected None"):
        sb.verify.widest_path(A, 0, sb.widest_path(A, 0), WIDE_PARENTS)
    with pytest.raises(DimensionMismatch, match=r"closure: expected shape \(7, 7\)"):
        sb.verify.transitive_closure(A, sb.Matrix(bool, 3, 3))
    with pytest.raises(DimensionMismatch, match="hubs"):
        sb.verify.hits(A, ([1.0], [1.0]))
    with pytest.raises(DeviceMismatch, match="closure: expected it on reference"):
        sb.verify.transitive_closure(A.to("reference"), A)
