"""When steps of a loop are computed ahead, how many, and what happens where they cannot be.

That nobody sees it is for ``tests/backend/bfs/test_traversal_loops.py``.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring
from spbfs.engines.cuda.lookahead import history, search
from spbfs.engines.cuda.lookahead import kernels as ahead_kernels
from spbfs.engines.cuda.lookahead.vectors import LazyFrontier, LazyVisited
from spbfs.engines.cuda.searches.device import CudaSearches
from spbfs.exceptions import OutOfMemory
from tests.forced import force_direction


def path(n: int) -> Matrix:
    return sb.generate.path(n).to("cuda")


def kernels(A: Matrix, source: int = 0, most: int = 10**6, **hints: Any) -> list[str]:
    """The kernel that every product of a search says it took."""
    q, v = Vector(bool, A.nrows), Vector(int, A.nrows)
    q[source] = True
    said, depth = [], 0
    while q.nvals and depth < most:
        v(q.S) << depth
        with sb.trace() as t:
            q(~v.S, replace, **hints) << semiring.any_pair(q @ A)
        said.append(t.records[-1]["kernel"])
        depth += 1
    distance = {i: abs(i - source) for i in range(A.nrows)}
    assert v.to_dict() == {i: d for i, d in distance.items() if d < depth}
    return said


def test_a_loop_runs_ahead_once_it_is_seen_to_be_one() -> None:
    A = path(40)
    first = kernels(A)
    assert first[:2] == ["push", "push"]
    assert first[2] == "bfs"
    # What is computed at once is as much as there was before.
    assert [i for i, k in enumerate(first) if k == "bfs"] == [2, 5, 11, 23]
    assert set(first[2:]) == {"bfs", "ahead"}
    assert kernels(A, 3)[0] == "bfs"
    assert kernels(A, 5).count("bfs") == 1


def test_obstacles_in_a_graph_that_is_pulled() -> None:
    """The vertex that most edges enter is visited from the start, and leads nowhere."""
    graph = sb.generate.kronecker(16, 16, seed=1)
    indptr, indices, _ = graph.to_csr()
    hub, source = int(np.diff(indptr).argmax()), int(indices[indptr[np.diff(indptr).argmax()]])
    found = []
    for A in (graph, graph.to("cuda")):
        for _ in range(2):
            q, v = Vector(bool, A.nrows, device=A.device), Vector(int, A.nrows, device=A.device)
            q[source], v[hub] = True, -1
            depth = 0
            while q.nvals:
                v(q.S) << depth
                q(~v.S, replace) << semiring.any_pair(q @ A)
                depth += 1
        found.append(v.to_dict())
    assert found[0] == found[1]


def test_a_loop_that_stops_early_is_expected_to() -> None:
    A = path(200)
    sb.bfs(A, 0)
    kernels(A, most=10)
    q, v = Vector(bool, 200), Vector(int, 200)
    q[0], v[0] = True, 0
    q(~v.S, replace) << semiring.any_pair(q @ A)
    assert len(q._data.speculation.counts) - 1 == 10


def test_a_long_loop_goes_on_while_the_rest_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LONG_SEARCH", 20)
    A = path(60)
    sb.bfs(A, 0)
    kernels(A)
    for source in (0, 30, 59):
        assert kernels(A, source).count("bfs") == 1
    q, v = Vector(bool, 60), Vector(int, 60)
    q[0] = True
    read = []
    for depth in range(50):
        v(q.S) << depth
        q(~v.S, replace) << semiring.any_pair(q @ A)
        read.append(q._data.speculation.remaining is None)
        assert q.nvals == 1
    assert read == sorted(read), "the remaining counts are read once, and late"
    assert 5 < read.index(True) < 40
    assert v.to_dict() == {i: i for i in range(50)}
    assert q.to_dict() == {50: True}


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("at_once", [True, False])
def test_a_trace_says_which_direction_the_search_took(
    direction: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the search's own record; where nobody traced when it was launched, from another's."""
    force_direction(monkeypatch, direction)
    A = path(40)
    kernels(A)
    q, v = Vector(bool, 40), Vector(int, 40)
    q[0] = True
    records: list[Any] = []
    for depth in range(30):
        v(q.S) << depth
        if at_once or depth > 4:
            with sb.trace() as t:
                q(~v.S, replace) << semiring.any_pair(q @ A)
            # The first statement also moves what it meets to the GPU.
            records += [r for r in t if not r["operation"].startswith("to ")]
        else:
            q(~v.S, replace) << semiring.any_pair(q @ A)
    # What a search's sources reach it pushes from them, whatever it is asked for.
    assert {r["direction"] for r in records if r["kernel"] == "ahead"} == {direction}
    assert [r["kernel"] for r in records][-20:] == ["ahead"] * 20
    assert {r["frontier"] for r in records} == {1}
    assert v.to_dict() == {i: i for i in range(30)} and q.to_dict() == {30: True}


def test_lookahead_can_be_turned_off() -> None:
    A = path(40)
    sb.bfs(A, 0)
    with sb.lookahead(False):
        for _ in range(3):
            assert set(kernels(A)) <= {"push", "pull"}
        with sb.lookahead():
            assert "ahead" in kernels(A)
        assert "ahead" not in kernels(A, 3)
    assert "ahead" in kernels(A)


def test_lookahead_turned_off_within_a_loop() -> None:
    A = path(40)
    kernels(A)
    q, v = Vector(bool, 40), Vector(int, 40)
    q[0] = True
    said = []
    for depth in range(30):
        v(q.S) << depth
        with sb.trace() as t, sb.lookahead(depth % 10 < 5):
            q(~v.S, replace) << semiring.any_pair(q @ A)
        said.append(t.records[-1]["kernel"] in ("bfs", "ahead"))
    assert any(said)
    assert not any(x for depth, x in enumerate(said) if depth % 10 >= 5)
    assert v.to_dict() == {i: i for i in range(30)} and q.to_dict() == {30: True}


def test_a_direction_asked_for_is_taken() -> None:
    A = path(30)
    sb.bfs(A, 0)
    for direction in ("push", "pull"):
        assert set(kernels(A, direction=direction)) == {direction}


def test_statements_served_write_nothing() -> None:
    A = path(50)
    kernels(A)
    q, v = Vector(bool, 50), Vector(int, 50)
    q[0] = True
    for depth in range(20):
        v(q.S) << depth
        q(~v.S, replace) << semiring.any_pair(q @ A)
    assert type(q._data) is LazyFrontier
    assert type(v._data) is LazyVisited
    assert (q.nvals, v.nvals) == (1, 20)
    assert v._data.pending is not None
    assert v.get(19) == 19
    assert v._data.pending is None
    assert q._data._arrays is None


def test_the_end_of_a_loop_writes_what_it_found() -> None:
    A = path(20)
    for _ in range(2):
        q, v = Vector(bool, 20), Vector(int, 20)
        q[0] = True
        depth = 0
        while q.nvals:
            v(q.S) << depth
            q(~v.S, replace) << semiring.any_pair(q @ A)
            depth += 1
        assert type(v._data) is LazyVisited
        assert v._data.pending is None


def test_results_keep_no_search() -> None:
    A = path(20)
    kernels(A)
    q, v = Vector(bool, 20), Vector(int, 20)
    q[0] = True
    for depth in range(5):
        v(q.S) << depth
        q(~v.S, replace) << semiring.any_pair(q @ A)
    found = weakref.ref(q._data.speculation)
    assert v.get(4) == 4
    q.clear()
    assert found() is None


def test_loops_that_leave_are_left_alone() -> None:
    """A loop whose state is changed at every step is run ahead of ever more seldom."""
    A = path(300)
    sb.bfs(A, 0)
    q, v = Vector(bool, 300), Vector(int, 300)
    q[0] = True
    begun = 0
    for depth in range(250):
        v(q.S) << depth
        v[299] = depth
        with sb.trace() as t:
            q(~v.S, replace) << semiring.any_pair(q @ A)
        begun += t.records[-1]["kernel"] == "bfs"
    assert q.to_dict() == {250: True}
    assert begun < 20


def test_where_memory_is_short_products_run_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    A = path(30)

    def refuse(*_: Any) -> None:
        raise OutOfMemory("A: its layout for searches needs 2 bytes and 1 is free on the GPU")

    monkeypatch.setattr(CudaSearches, "borrowed", refuse)
    assert "bfs" not in kernels(A)


def test_products_that_are_no_steps() -> None:
    """Values that change, sums of more than one, a mask of values, a matrix that is not square."""
    A = path(30)
    kernels(A)
    for name in ("min_plus", "plus_pair", "max_secondi", "any_first"):
        q, v = Vector(int, 30), Vector(int, 30)
        q[0] = 1
        for _ in range(5):
            v(q.S) << q
            with sb.trace() as t:
                q(~v.S, replace) << getattr(semiring, name)(q @ A)
            one = name == "any_first"
            assert (t.records[-1]["kernel"] in ("bfs", "ahead")) <= one
    wide = Matrix.from_coo([0, 1], [1, 2], True, nrows=2, ncols=3, device="cuda")
    u, w = Vector(bool, 2, device="cuda"), Vector(bool, 3, device="cuda")
    u[0] = True
    for _ in range(4):
        w(~w.S) << semiring.any_pair(u @ wide)
    assert w.to_dict() == {1: True}


def test_a_frontier_of_all_vertices() -> None:
    A = path(30)
    kernels(A)
    q, v = Vector.from_scalar(True, 30, device="cuda"), Vector(int, 30)
    v[3] = 1
    for _ in range(3):
        q(~v.S, replace) << semiring.any_pair(q @ A)
        assert q.nvals == 29


def test_weights_do_not_matter_to_a_structural_product() -> None:
    A = Matrix.from_coo(np.arange(29), np.arange(1, 30), np.arange(29) % 3, nrows=30, device="cuda")
    A.resize(30, 30)
    assert kernels(A).count("ahead") > 20


def test_zeros_whose_sign_changes() -> None:
    """What every frontier has is one value only where that is so bit by bit."""
    found = []
    for ahead in (False, True):
        A = Matrix.from_coo(range(7), range(1, 8), -1.0, nrows=8, ncols=8, device="cuda")
        with sb.lookahead(ahead):
            q = Vector.from_coo([0], 0.0, size=8, device="cuda")
            v = q.dup()
            while q.nvals:
                q(~v.S, replace) << semiring.min_times(q @ A)
                v(q.S) << q
        found.append(str(v.to_dense().tolist()))
    assert found == [str([0.0, -0.0] * 4)] * 2


@pytest.mark.parametrize("first", [0, 2])
def test_levels_of_zeros_of_either_sign(first: int) -> None:
    """Where a level's value equals all there is, it is written unless it is that bit by bit."""
    A = path(300)
    for ahead in (False, True, True):
        with sb.lookahead(ahead):
            q, v = (Vector.from_coo([0], x, size=300, device="cuda") for x in (True, 0.0))
            depth = 0
            while q.nvals:
                q(~v.S, replace) << semiring.any_pair(q @ A)
                v(q.S) << (0.0 if depth < first else -0.0)
                depth += 1
        assert np.signbit(v.to_dense()).tolist() == [k > first for k in range(300)]


def test_loops_in_threads() -> None:
    A = path(120)
    kernels(A)
    failed: list[BaseException] = []

    def loops(source: int) -> None:
        try:
            for _ in range(5):
                kernels(A, source)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=loops, args=(s,)) for s in (0, 1, 2, 3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed


def test_one_frontier_read_by_many_threads() -> None:
    A = path(60)
    kernels(A)
    q, v = Vector(bool, 60), Vector(int, 60)
    q[0] = True
    for depth in range(10):
        v(q.S) << depth
        q(~v.S, replace) << semiring.any_pair(q @ A)
    seen: list[Any] = []
    threads = [
        threading.Thread(target=lambda: seen.append((q.to_dict(), v.to_dict()))) for _ in range(6)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(s == seen[0] for s in seen)
    assert seen[0][0] == {10: True}


@pytest.mark.parametrize("deepest", [3, 16, 17, 300, 9000])
def test_vertices_of_every_level_are_counted(deepest: int) -> None:
    """By one CTA, so that what a thread counts by itself overflows but for care."""
    rng = np.random.default_rng(deepest)
    levels = rng.integers(-2, deepest + 1, 70_001).astype(np.int32)
    levels[::3] = 1
    counts = cp.zeros(deepest + 1, np.uint32)
    given = cp.asarray(levels)
    launch = ahead_kernels._kernel("count_levels")
    launch(1, (given.data.ptr, levels.size, counts.data.ptr, deepest))
    assert (
        cp.asnumpy(counts)[1:] == np.bincount(levels[levels > 0], minlength=deepest + 1)[1:]
    ).all()


def test_a_limit_of_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_LEVELS", 5)
    A = path(60)
    for _ in range(2):
        assert kernels(A).count("bfs") >= 60 // 5 - 1


def test_other_streams() -> None:
    """A loop on one stream, whose vectors are looked at on another."""
    A = path(60)
    kernels(A)
    with cp.cuda.Stream() as stream:
        kernels(A, 2)
        q, v = Vector(int, 60), Vector(int, 60)
        q[0] = 0
        for _ in range(30):
            v(q.S) << q
            q(~v.S, replace) << semiring.any_secondi(q @ A)
        stream.synchronize()
    assert q.to_dict() == {30: 29}
    assert v.to_dict() == {0: 0} | {i: i - 1 for i in range(1, 30)}
