"""Ranks that see one memory search in it; here they are threads, which tests let see it."""

from __future__ import annotations

import errno
import os
import threading
import time
from typing import Any

import numpy as np
import pytest
from rank_graphs import CASES, matrix, spread
from test_searches import WAYS, dense, found

import spbfs as sb
from spbfs.distributed.exchange import host_memory
from spbfs.distributed.exchange.host_memory import Meetings, opened_by_all
from spbfs.distributed.exchange.threads import ThreadRanks
from spbfs.distributed.search import one_host
from spbfs.distributed.search.slots import Slots
from spbfs.engines.cpu.native import kernels
from spbfs.exceptions import InvalidValue, OutOfMemory

pytestmark = pytest.mark.skipif(
    not hasattr(os, "memfd_create"), reason="this system has no memory without a name"
)


@pytest.fixture(autouse=True)
def together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadRanks, "apart", False)
    monkeypatch.setattr(ThreadRanks, "meetings", property(_meetings))


def _meetings(ranks: Any) -> Meetings | None:
    """Made when they are first asked for, as those of a communicator's are at its first use."""
    if "met_by" not in vars(ranks):
        memory = opened_by_all(ranks, Meetings.room(ranks))
        ranks.met_by = None if memory is None else Meetings(ranks, memory)
    return ranks.met_by  # type: ignore[no-any-return]


def is_common(D: sb.Matrix) -> bool:
    return isinstance(D._ready().room, one_host.CommonRoom)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_search_is_that_of_one_process(name: str, size: int) -> None:
    n, edges = CASES[name]
    A = matrix(n, edges)
    sources = sorted({n // 3, 0, n - 1})
    wanted = {source: sb.bfs(A, source) for source in sources}
    levels_of = {source: dense(one.levels) for source, one in wanted.items()}

    def program(ranks: Any) -> None:
        for options, direction in WAYS.values():
            D = spread(ranks, n, edges, **options)
            for source in sources:
                result = sb.bfs(D, source, direction=direction, trace=True)
                levels, parents, _, *numbers = found(result)
                one = wanted[source]
                assert levels == levels_of[source]
                assert numbers == [one.reached, one.depth, one.edges]
                assert result.trace is not None
                assert not any(step.exchanged for step in result.trace)
                sb.verify.bfs_tree(A, source, parents, levels)
            assert is_common(D)

    sb.distributed.simulate(size, program)


@pytest.mark.parametrize(
    "options", [{}, {"cut": "grid"}, {"hubs": 40}], ids=["rows", "grid", "hubs"]
)
@pytest.mark.parametrize("size", [1, 3, 4])
@pytest.mark.parametrize("wide", [False, True], ids=["int32", "int64"])
def test_large_frontiers_by_several_threads(
    options: Any, size: int, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pushes that copy sets, long rows cut in pieces, lines of several ranks."""
    A = sb.generate.kronecker(13, 8, seed=2)
    rows, cols, _ = A.to_coo()
    edges = np.stack((rows, cols), axis=1)[rows < cols]
    hub = int(np.diff(A.to_csr()[0]).argmax())
    sources = [hub, *np.flatnonzero(np.diff(A.to_csr()[0]) > 0)[5:400:100].tolist()]
    wanted = {source: sb.bfs(A, source).levels.to_dense(-1).tolist() for source in sources}
    ways: list[str] = []

    def program(ranks: Any) -> None:
        D = spread(ranks, A.nrows, edges, directed=False, **options)
        part = D._ready().part
        if wide:
            object.__setattr__(part, "indptr", part.indptr.astype(np.int64))
        for source in sources:
            for direction in ("push", "auto", "pull"):
                result = sb.bfs(D, source, direction=direction, threads=3, trace=True)
                levels, parents, *_ = found(result)
                assert levels == wanted[source]
                sb.verify.bfs_tree(A, source, parents, levels)
                ways.extend(step.direction for step in result.trace or [])
        assert is_common(D)

    sb.distributed.simulate(size, program)
    assert {"push", "pull"} <= set(ways)


def test_outputs_that_are_not_asked_for() -> None:
    n, edges = CASES["path"]
    A = matrix(n, edges)

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        for options in (
            {"max_depth": 3},
            {"max_depth": 2**70},
            {"target": 70},
            {"parents": False},
            {"levels": False},
        ):
            one, here = sb.bfs(A, 64, **options), sb.bfs(D, 64, **options)
            assert dense(here.levels) == dense(one.levels)
            assert (here.reached, here.depth, here.edges) == (one.reached, one.depth, one.edges)
            assert (here.parents is None) == (one.parents is None)

    sb.distributed.simulate(3, program)


@pytest.mark.parametrize("broken", ["memfd_create", "posix_fallocate", "open"])
def test_without_such_memory_ranks_send_messages(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n, edges = CASES["random 1"]
    A = matrix(n, edges)
    real = getattr(os, broken)

    def refused(*args: Any) -> Any:
        if broken == "open" and not str(args[0]).startswith("/proc/"):
            return real(*args)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wanted = dense(sb.bfs(A, 0).levels)
    monkeypatch.setattr(os, broken, refused)

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        assert dense(sb.bfs(D, 0).levels) == wanted
        assert not is_common(D)

    sb.distributed.simulate(3, program)


def test_a_search_goes_on_where_it_had_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others that are late at every meeting; directions of either kind."""
    monkeypatch.setattr(one_host, "PATIENCE", 0)
    A = sb.generate.kronecker(10, 8, seed=2)
    rows, cols, _ = A.to_coo()
    edges = np.stack((rows, cols), axis=1)
    wanted = dense(sb.bfs(A, int(rows[0])).levels)
    stops: list[Any] = []
    real = one_host._go

    def late(ranks: Any, *args: Any) -> Any:
        time.sleep(0.002 * ranks.rank)
        stops.append(real(ranks, *args))
        return stops[-1]

    monkeypatch.setattr(one_host, "_go", late)

    def program(ranks: Any) -> None:
        D = spread(ranks, A.nrows, edges)
        for direction in ("push", "pull", "auto"):
            result = sb.bfs(D, int(rows[0]), direction=direction)
            assert dense(result.levels) == wanted
            sb.verify.bfs_tree(A, int(rows[0]), dense(result.parents), wanted)
        assert is_common(D)

    sb.distributed.simulate(3, program)
    stop = kernels.OneHostSearch.Stop
    needed = {stop.NO_OUT_EDGES, stop.NO_IN_EDGES, stop.NO_COPIES}
    assert needed | {stop.LATE, stop.ENDED} == set(stops)


def test_ranks_may_have_different_numbers_of_threads() -> None:
    """One of them wants more copies than it has, the others do not."""
    A = sb.generate.kronecker(10, 8, seed=2)
    rows, cols, _ = A.to_coo()
    edges = np.stack((rows, cols), axis=1)
    wanted = dense(sb.bfs(A, int(rows[0])).levels)

    def program(ranks: Any) -> None:
        D = spread(ranks, A.nrows, edges)
        for turn in range(4):
            threads = 1 + (turn if ranks.rank == turn % 3 else 0)
            result = sb.bfs(D, int(rows[0]), direction="push", threads=threads)
            assert dense(result.levels) == wanted

    sb.distributed.simulate(3, program)


def test_ranks_that_search_other_matrices_are_told() -> None:
    """Of one graph and one size, so that the arguments look alike."""
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        D2 = D.apply(sb.unary.identity).new()
        wanted = [dense(sb.bfs(x, 0).levels) for x in (D, D2)]
        with pytest.raises(InvalidValue, match=r"^A: expected the same matrix"):
            sb.bfs(D2 if ranks.rank == 1 else D, 0)
        assert [dense(sb.bfs(x, 0).levels) for x in (D, D2)] == wanted

    sb.distributed.simulate(3, program)


def test_directions_are_those_of_ranks_that_send_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    A = sb.generate.kronecker(10, 8, seed=3)
    rows, cols, _ = A.to_coo()
    edges = np.stack((rows, cols), axis=1)
    sources = np.flatnonzero(np.diff(A.to_csr()[0]) > 0)[:200:20].tolist()
    ways: dict[bool, list[Any]] = {}

    def program(ranks: Any) -> None:
        D = spread(ranks, A.nrows, edges)
        traces = [sb.bfs(D, source, trace=True).trace for source in sources]
        assert is_common(D) == (not ranks.apart)
        ways[ranks.apart] = [
            (step.frontier, step.edges, step.direction) for trace in traces for step in trace or []
        ]

    for apart in (False, True):
        monkeypatch.setattr(ThreadRanks, "apart", apart)
        sb.distributed.simulate(2, program)
    assert ways[False] == ways[True]
    assert {direction for _, _, direction in ways[False]} == {"push", "pull"}


def test_a_rank_that_fails_in_a_search_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_host, "PATIENCE", 1)
    n, edges = CASES["path"]
    real, fails = one_host._go, [False]

    def failing(ranks: Any, *args: Any) -> Any:
        if fails[0] and ranks.rank == 1:
            raise ValueError("it fails")
        return real(ranks, *args)

    monkeypatch.setattr(one_host, "_go", failing)

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        assert sb.bfs(D, 0).reached > 1
        fails[0] = True
        sb.bfs(D, 0)

    with pytest.raises(ValueError, match="it fails"):
        sb.distributed.simulate(3, program)


@pytest.mark.parametrize("failing", [0, 1])
def test_who_has_no_place_for_the_memory_is_no_hindrance(
    failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    n, edges = CASES["random 1"]
    wanted = dense(sb.bfs(matrix(n, edges), 0).levels)
    here, real = threading.local(), host_memory.mmap.mmap

    def mapped(*args: Any) -> Any:
        if here.rank == failing:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        return real(*args)

    monkeypatch.setattr(host_memory.mmap, "mmap", mapped)

    def program(ranks: Any) -> None:
        here.rank = ranks.rank
        D = spread(ranks, n, edges)
        assert dense(sb.bfs(D, 0).levels) == wanted
        assert not is_common(D)

    sb.distributed.simulate(3, program)


@pytest.mark.parametrize(("room", "common"), [(2_500_000, False), (5_000_000, True)])
def test_what_is_common_counts_where_memory_is_short(
    room: int, common: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many vertices copies take 2.2 MB, what all ranks see 0.6, and threads some for a push."""
    monkeypatch.setattr(one_host, "available_bytes", lambda: room)

    def program(ranks: Any) -> None:
        D = sb.distributed.from_edges([0], [1], comm=ranks, n=50_000)
        assert sb.bfs(D, 0).reached == 2
        assert is_common(D) == common

    sb.distributed.simulate(2, program)


@pytest.mark.parametrize("step", ["__init__", "lay_out"])
def test_a_rank_without_memory_fails_at_all_and_they_go_on(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n, edges = CASES["random 1"]
    wanted = dense(sb.bfs(matrix(n, edges), 0).levels)
    here, real = threading.local(), getattr(Slots, step)

    def short(*args: Any) -> Any:
        if here.fails:
            raise MemoryError("no room")
        return real(*args)

    monkeypatch.setattr(Slots, step, short)

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        here.fails = ranks.rank == 1
        with pytest.raises(OutOfMemory, match="no room"):
            sb.bfs(D, 0)
        here.fails = False
        assert dense(sb.bfs(D, 0).levels) == wanted
        assert is_common(D)

    sb.distributed.simulate(3, program)


def test_layouts_are_freed_with_their_matrix() -> None:
    """What is made of a matrix has a room of its own: in the first one's copies would gather."""
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        sb.bfs(D, 0, direction="pull")
        held = D.nbytes
        for _ in range(3):
            D2 = D.apply(sb.unary.ainv).new()
            assert sb.bfs(D2, 0, direction="pull").reached == sb.bfs(D, 0).reached
        sb.bfs(D, 0, direction="pull")
        assert D2._ready().room is not D._ready().room
        assert D.nbytes <= 2 * held

    sb.distributed.simulate(2, program)
