"""Searches over parts of the edges far smaller than a graph: as the reference has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from bfs_cases import GRAPHS, both_ways, dense, kronecker_like, matrix, queue_search, scipy_of
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs as sb
from spbfs.exceptions import DomainMismatch, IndexOutOfBound, InvalidValue

SIZES = (1, 7, 64, 1 << 40)
#: Rows longer than a part, empty rows at both ends and between, and entries that lead back.
GAPS = (50, [(9, v) for v in range(3, 45)] + [(44, 9), (20, 21), (21, 48), (30, 30), (12, 9)])


def agree(A: Any, S: Any, sources: list[int], **how: Any) -> None:
    end = how.get("max_depth")
    level, parent, owner = queue_search(S, sources, end)
    for parents in ("any", "min"):
        found = sb.bfs(A, sources, parents=parents, **how)
        np.testing.assert_array_equal(dense(found.levels), level)
        np.testing.assert_array_equal(dense(found.parents), parent)
        if len(set(sources)) > 1:
            np.testing.assert_array_equal(dense(found.owners), owner)
        assert found.reached == np.count_nonzero(level >= 0)
        assert found.depth == level.max()
        assert found.edges == np.diff(S.indptr)[level >= 0].sum()


@pytest.mark.parametrize("part_edges", SIZES)
@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@pytest.mark.parametrize("name", [*GRAPHS, "gaps"])
def test_named_graphs(device: str, name: str, direction: Any, part_edges: int) -> None:
    n, edges = GAPS if name == "gaps" else GRAPHS[name]
    A, S = matrix(n, edges, device), scipy_of(n, edges)
    how = {"direction": direction, "part_edges": part_edges}
    for source in {0, n // 2, n - 1, min(9, n - 1)}:
        agree(A, S, [source], **how)
    agree(A, S, [n - 1, n // 2, 0, n // 2], **how)


@st.composite
def graphs(draw: Any) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(1, 100))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=3 * n))
    return n, both_ways(edges) if draw(st.booleans()) else edges


@settings(deadline=None, max_examples=60)
@given(graphs(), st.data())
def test_random_graphs(device: str, graph: tuple[int, list[tuple[int, int]]], data: Any) -> None:
    n, edges = graph
    agree(
        matrix(n, edges, device),
        scipy_of(n, edges),
        data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5)),
        max_depth=data.draw(st.none() | st.integers(0, 5)),
        direction=data.draw(st.sampled_from(["auto", "push", "pull"])),
        threads=data.draw(st.integers(1, 3)),
        part_edges=data.draw(st.integers(1, 2 * len(edges) + 1)),
    )


def test_large_levels_on_several_threads(device: str) -> None:
    S = kronecker_like(9 if device == "reference" else 12, seed=6)
    A = sb.Matrix.from_scipy(S).to(device)
    hub = int(np.argmax(np.diff(S.indptr)))
    for direction in ("push", "pull", "auto"):
        for threads in (1, 4):
            how = {"direction": direction, "threads": threads, "part_edges": 5000}
            agree(A, S, [hub], **how)
            agree(A, S, [hub, 0, 1, 2], **how)


@pytest.mark.parametrize(
    "dtypes", [(np.int32, np.int32), (np.int64, np.int32), (np.int64, np.int64)]
)
def test_every_pair_of_index_types(device: str, dtypes: Any) -> None:
    n, edges = GRAPHS["ladder down"]
    S = scipy_of(n, edges)
    indptr, indices = S.indptr.astype(dtypes[0]), S.indices.astype(dtypes[1])
    A = sb.Matrix.from_csr(indptr, indices, True, nrows=n, ncols=n).to(device)
    agree(A, S, [0], part_edges=10)
    agree(A, S, [3, 0], part_edges=10, direction="pull")


def test_outputs_targets_and_traces(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    bare = sb.bfs(A, 0, levels=False, parents=False, part_edges=16)
    assert (bare.levels, bare.parents, bare.reached, bare.depth) == (None, None, 130, 129)
    assert sb.bfs(A, 0, target=40, part_edges=16).depth == 40
    assert sb.bfs(A, 5, target=5, part_edges=16).reached == 1
    trace = sb.bfs(A, 0, trace=True, part_edges=16, max_depth=3).trace
    assert [(step.frontier, step.edges) for step in trace] == [(1, 1), (1, 2), (1, 2)]
    plan = sb.BFSPlan(A)
    assert plan.run([2, 9], part_edges=3).reached == 130


def test_other_matrices_are_searched_too() -> None:
    S = scipy_of(*GAPS)
    level, _, _ = queue_search(S, [9])
    np.testing.assert_array_equal(dense(sb.bfs(sp.coo_array(S), 9, part_edges=4).levels), level)
    far = sb.Matrix.from_coo([1 << 40, 5], [5, 1 << 41], True, nrows=1 << 50, ncols=1 << 50)
    assert sb.bfs(far, 1 << 40, part_edges=1).levels.to_coo()[0].tolist() == [5, 1 << 40, 1 << 41]


@pytest.mark.parametrize(
    ("wrong", "error", "name"),
    [
        ({"part_edges": 0}, InvalidValue, "part_edges"),
        ({"part_edges": -3}, InvalidValue, "part_edges"),
        ({"part_edges": 1 << 63}, InvalidValue, "part_edges"),
        ({"part_edges": 1.5}, DomainMismatch, "part_edges"),
        ({"part_edges": True}, DomainMismatch, "part_edges"),
        ({"part_edges": "auto"}, DomainMismatch, "part_edges"),
        ({"part_edges": 3, "relabel": "degree"}, InvalidValue, "relabel"),
        ({"part_edges": 3, "neighbours": "degree"}, InvalidValue, "neighbours"),
        ({"part_edges": 3, "source": 130}, IndexOutOfBound, "source"),
    ],
)
def test_bad_arguments(device: str, wrong: Any, error: type[Exception], name: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    with pytest.raises(error, match=name):
        sb.bfs(A, **{"source": 0, **wrong})


def test_another_device_needs_parts(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    assert sb.bfs(A, 0, device=device).reached == 130
    for elsewhere in ("reference" if device == "cuda" else "cuda", "gpu", 3):
        with pytest.raises(InvalidValue, match="device: expected"):
            sb.bfs(A, 0, device=elsewhere)


@pytest.mark.parametrize("part_edges", [1, 7, 1000])
@pytest.mark.parametrize("name", ["gaps", "star inwards", "no edges", "path"])
def test_parts_brought_to_the_gpu(device: str, name: str, part_edges: int) -> None:
    """The matrix stays in host memory."""
    if device != "cuda":
        pytest.skip("parts are brought to a GPU alone")
    n, edges = GAPS if name == "gaps" else GRAPHS[name]
    A, S = matrix(n, edges), scipy_of(n, edges)
    for direction in ("auto", "push", "pull"):
        for sources in ([9], [n - 1, 9, n // 2]):
            agree(A, S, sources, part_edges=part_edges, direction=direction, device="cuda")
    found = sb.bfs(A, 9, part_edges=part_edges, device="cuda", trace=True)
    assert found.levels.device == "cuda"
    assert A.device == "cpu"
    assert all(step.strategy == "parts" for step in found.trace)


def test_what_is_brought_is_counted(device: str) -> None:
    if device != "cuda":
        pytest.skip("parts are brought to a GPU alone")
    A = matrix(*GAPS)
    before = A.nbytes
    sb.bfs(A, 9, part_edges=5, device="cuda", direction="push")
    assert A.nbytes >= before + 4 * A.nvals
