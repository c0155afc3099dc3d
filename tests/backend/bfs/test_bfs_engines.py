"""The fused search of every engine against that of the reference, outputs, counts and all."""

import inspect
from typing import Any

import pytest

import spbfs as sb
from spbfs.algorithms.bfs import search
from spbfs.algorithms.bfs.composed import bfs_composed
from spbfs.algorithms.bfs.request import _HOW
from spbfs.engines.cpu.bfs import searches
from spbfs.exceptions import IndexOutOfBound, OutOfMemory

OPTIONS = [
    {},
    {"max_depth": 2},
    {"max_depth": 0},
    {"target": 77},
    {"levels": False},
    {"direction": "push"},
    {"direction": "pull"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("source", [0, [5, 9, 5, 100]], ids=["one", "several"])
@pytest.mark.parametrize("directed", [False, True])
def test_engines_agree(device, source, options, directed):
    A = sb.generate.kronecker(10, seed=3)
    if directed:
        A = sb.select.triu(A).new()
    want = sb.bfs(A.to("reference"), source, parents="min", **options)
    got = sb.bfs(A.to(device), source, parents="min", **options)
    assert (got.depth, got.reached, got.edges) == (want.depth, want.reached, want.edges)
    for name in ("levels", "parents", "owners"):
        x, y = getattr(got, name), getattr(want, name)
        assert (x is None) == (y is None)
        if x is not None:
            assert x.device == device
            assert x.to("reference").isequal(y, check_dtype=True)


def test_no_engine_takes_a_source_that_is_not_there(device):
    A = sb.generate.path(5).to(device)
    with pytest.raises(IndexOutOfBound, match="source"):
        sb.bfs(A, 5)


def test_a_plan_sees_what_is_stored_in_its_matrix_since(device):
    A = sb.generate.path(6).to(device)
    plan = sb.BFSPlan(A)
    assert plan.run(0).depth == 5
    A[0, 4] = True
    assert plan.run(0).depth == sb.bfs(A, 0).depth == 2


def test_outputs_are_apart_once_one_of_them_is_written(device):
    A = sb.generate.kronecker(6, seed=1).to(device)
    assert 0 < sb.bfs(A, 0).reached < A.nrows
    levels, parents = sb.bfs(A, 0)
    before = parents.to_dict()
    absent = next(i for i in range(A.nrows) if i not in levels)
    levels[absent] = 9
    levels(levels.S) << 1
    assert levels.get(absent) == 1
    assert parents.to_dict() == before


@pytest.mark.parametrize("max_depth", [None, 2])
def test_the_composed_search_agrees_with_the_fused_one(device, max_depth):
    A = sb.generate.kronecker(9, seed=4)
    want = sb.bfs(A, [3, 40], max_depth=max_depth)
    got = bfs_composed(A.to(device), [3, 40], max_depth=max_depth)
    assert (got.depth, got.reached, got.edges) == (want.depth, want.reached, want.edges)
    assert got.levels.to("cpu").isequal(want.levels)
    sb.verify.bfs_tree(A, [3, 40], got.parents.to("cpu"), want.levels, max_depth=max_depth)


def test_arguments_that_nobody_gave_are_those_that_are_not_checked() -> None:
    given = list(inspect.signature(sb.bfs).parameters.values())[2:]
    assert [p.default for p in given] == [True, True, None, None, "auto", *_HOW, None, False]
    assert [p.name for p in given[-2:]] == ["devices", "trace"]


def test_memory_that_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise MemoryError("Unable to allocate 30 MiB")

    A = sb.generate.path(9)
    scipy, plan = A.to_scipy(), sb.BFSPlan(A)
    monkeypatch.setattr(searches, "distinct", fails)
    monkeypatch.setattr(search, "as_request", fails)
    for call in (lambda: sb.bfs(A, 0), lambda: plan.run(0), lambda: sb.bfs(scipy, 0)):
        with pytest.raises(OutOfMemory, match="Unable to allocate 30 MiB"):
            call()
