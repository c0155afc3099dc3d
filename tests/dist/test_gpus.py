"""Ranks that exchange between GPUs of their own, or through host memory, and what ends either.

Ranks are threads here, and emulated GPUs are three.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rank_graphs import CASES, matrix, spread

import spbfs as sb
from spbfs.distributed.exchange import gpus
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable, RankFailed

try:
    get_engine("cuda")
except BackendUnavailable as error:
    pytest.skip(str(error), allow_module_level=True)

import cupy

from spbfs.distributed.exchange import nccl

GPUS = cupy.cuda.runtime.getDeviceCount()
EMULATED = "emulator" in Path(cupy.__file__).parts
if GPUS < 2 or not nccl.nccl_version():
    pytest.skip("of one GPU, or without NCCL, there are no exchanges", allow_module_level=True)
BY_NCCL = "exchanging by NCCL"
N, EDGES = CASES["random 0"]


@pytest.mark.parametrize("name", ["star", "ladder down", "random 0", "random 3", "no edges"])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_searches_are_those_of_one_process(name: str, size: int) -> None:
    n, edges = CASES[name]
    A = matrix(n, edges)
    one, several = sb.bfs(A, n // 2), sb.bfs(A, [0, n - 1, n // 2], parents="min")

    def program(ranks: Any) -> None:
        for options in ({}, {"cut": "grid"}, {"hubs": 2}):
            D = spread(ranks, n, edges, devices="cuda", **options)
            assert (BY_NCCL in repr(D)) == (1 < size <= GPUS), repr(D)
            for direction in ("auto", "push", "pull"):
                here = sb.bfs(D, n // 2, direction=direction, trace=True)
                assert here.levels.gather().isequal(one.levels)
                assert (here.reached, here.depth, here.edges) == (one.reached, one.depth, one.edges)
                sb.verify.bfs_tree(A, n // 2, here.parents.gather(), here.levels.gather())
                sb.verify.bfs_tree(D, n // 2, here)
            here = sb.bfs(D, [0, n - 1, n // 2], parents="min")
            for output in ("levels", "parents", "owners"):
                assert getattr(here, output).gather().isequal(getattr(several, output))
            target = sb.bfs(D, n // 2, target=0, max_depth=2)
            assert target.depth <= 2

    sb.distributed.simulate(size, program)


def test_products_are_those_of_one_process() -> None:
    rng = np.random.default_rng(3)
    rows, columns = rng.integers(0, 60, (2, 300))
    values = rng.integers(1, 10, 300)
    A = sb.Matrix.from_coo(rows, columns, values, nrows=60, ncols=60, dup_op="min")
    u = sb.Vector.from_coo(range(0, 60, 3), range(20), size=60)
    products: dict[str, Any] = {
        "plus_times": lambda A, u: sb.semiring.plus_times(A @ u),
        "min_plus": lambda A, u: sb.semiring.min_plus(u @ A),
        "any_pair": lambda A, u: sb.semiring.any_pair(A @ u),
        "min_secondi": lambda A, u: sb.semiring.min_secondi(u @ A),
        "row sums": lambda A, u: A.reduce_rowwise("plus"),
        "scaled": lambda A, u: sb.semiring.plus_times(u.diag() @ A).new().reduce_rowwise("plus"),
    }

    def program(ranks: Any) -> None:
        mine = slice(ranks.rank, None, ranks.size)
        D = sb.distributed.from_edges(
            rows[mine], columns[mine], values[mine], ranks, n=60, hubs=9, devices="cuda"
        )
        x = u.to(D.device)
        for name, product in products.items():
            here, one = product(D, x).new(), product(A, u).new()
            assert here.gather().isequal(one, check_dtype=True), name
            masked, expected = x.dup(), u.dup()
            masked(~x.V) << product(D, x)
            expected(~u.V) << product(A, u)
            assert masked.gather().isequal(expected), name

    sb.distributed.simulate(2, program)


@pytest.mark.parametrize("devices", ["cuda", ["cpu", "cuda"]])
def test_many_searches_are_those_of_one_process(devices: Any) -> None:
    sources = np.arange(70) * 7 % N
    outputs = ("levels", "parents", "counts")
    one = sb.bfs_many(matrix(N, EDGES), sources, outputs=("levels", "counts"))
    levels = np.where(one.levels == np.iinfo(one.levels.dtype).max, -1, one.levels.astype(int))

    def program(ranks: Any) -> None:
        D = spread(ranks, N, EDGES, devices=devices, hubs=9)
        here = sb.bfs_many(D, sources, outputs=outputs)
        assert [v.gather().to_dense(-1).tolist() for v in here.levels] == levels.tolist()
        assert here.counts.gather().to_dense().tolist() == one.counts.tolist()
        for source, parents, found in zip(sources, here.parents, here.levels, strict=True):
            sb.verify.bfs_tree(D, int(source), parents, found)

    sb.distributed.simulate(2, program)


def test_one_set_of_exchanges_serves_all_matrices() -> None:
    def program(ranks: Any) -> int:
        first = spread(ranks, N, EDGES, devices="cuda")
        kept = ranks.on_gpus
        second = spread(ranks, N, EDGES, devices="cuda", cut="grid")
        assert kept is not None and ranks.on_gpus is kept
        assert {part.device.id for part in _arrays(first, second)} == {cupy.cuda.Device().id}
        return int(cupy.cuda.Device().id)

    assert sorted(sb.distributed.simulate(2, program)) == [0, 1]


def _arrays(*matrices: sb.Matrix) -> list[Any]:
    return [D._ready().part.indices for D in matrices]


#: Methods of CuPy's own classes cannot be replaced.
emulated = pytest.mark.skipif(not EMULATED, reason="what CuPy does cannot be watched or changed")


@emulated
def test_only_counts_come_to_the_host_between_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    largest = threading.local()

    def watched(function: Any, size: Any) -> Any:
        def call(*given: Any, **options: Any) -> Any:
            largest.bytes = max(getattr(largest, "bytes", 0), size(*given))
            return function(*given, **options)

        return call

    def from_host(array: Any, *_: Any, **__: Any) -> int:
        return getattr(array, "nbytes", 0) if type(array) is np.ndarray else 0

    runtime, kind = cupy.cuda.runtime, cupy.ndarray
    monkeypatch.setattr(kind, "get", watched(kind.get, lambda array, **_: array.nbytes))
    monkeypatch.setattr(kind, "tolist", watched(kind.tolist, lambda array: array.nbytes))
    monkeypatch.setattr(cupy, "asarray", watched(cupy.asarray, from_host))
    copy = watched(runtime.memcpyAsync, lambda to, source, nbytes, *_: nbytes)
    monkeypatch.setattr(runtime, "memcpyAsync", copy)
    rng = np.random.default_rng(5)
    edges = list(zip(*rng.integers(0, 20000, (2, 100000)).tolist(), strict=True))

    def program(ranks: Any) -> tuple[int, int]:
        D = spread(ranks, 20000, edges, directed=False, devices="cuda")
        sb.bfs(D, 0)  # what is kept with a matrix is made
        largest.bytes = 0
        found = sb.bfs(D, 1, trace=True)
        directions = {step.direction for step in found.trace or []}
        assert directions == {"push", "pull"} and found.reached > 19000
        return largest.bytes, found.depth

    for most, depth in sb.distributed.simulate(3, program):
        assert 0 < most <= 64 and depth > 4


# -- where there is no NCCL for it ---------------------------------------------------------------
def _search(ranks: Any, **options: Any) -> str:
    """The word on how ranks exchange, once they have searched."""
    D = spread(ranks, N, EDGES, **{"devices": "cuda", **options})
    here = sb.bfs(D, N // 2)
    sb.verify.bfs_tree(D, N // 2, here)
    assert here.levels.gather().isequal(sb.bfs(matrix(N, EDGES), N // 2).levels)
    return repr(D).partition("exchanging ")[2]


def test_ranks_that_share_a_gpu_or_are_mixed_go_through_the_host() -> None:
    shared = sb.distributed.simulate(GPUS + 1, _search)
    assert set(shared) == {f"through host memory: ranks 0 and {GPUS} share a GPU"}
    mixed = sb.distributed.simulate(2, lambda ranks: _search(ranks, devices=["cpu", "cuda"]))
    assert set(mixed) == {"through host memory: rank 0 works on a CPU"}
    assert set(sb.distributed.simulate(2, lambda ranks: _search(ranks, devices="cpu"))) == {""}


def test_without_nccl_or_with_two_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nccl, "nccl_version", lambda: 0)
    assert set(sb.distributed.simulate(2, _search)) == {"through host memory: CuPy finds no NCCL"}
    seen = gpus.Seen(("a", "b"), 0, 22700), gpus.Seen(("a", "b"), 1, 22701)
    assert gpus._why_not(seen, [0, 1]) == "ranks have NCCL of versions 22700, 22701"


@pytest.mark.parametrize("name", ["NcclCommunicator", "get_unique_id"])
def test_nccl_that_cannot_connect(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise RuntimeError("unhandled system error")

    monkeypatch.setattr(nccl._nccl(), name, refuse)
    said = "through host memory: NCCL at rank 0: unhandled system error"
    assert set(sb.distributed.simulate(2, _search)) == {said}


# -- ranks that do not come ----------------------------------------------------------------------
def _failing(monkeypatch: pytest.MonkeyPatch, fail: Any) -> tuple[Any, list[Any], Any]:
    """A program of which rank 1 does something else where it should send; who failed how; and what
    is set once it does."""
    transfer, told = nccl.NcclRanks._transfer, []
    armed = threading.Event()

    def failing(self: Any, *given: Any) -> None:
        if armed.is_set() and self.rank == 1:
            fail()
        transfer(self, *given)

    monkeypatch.setattr(nccl.NcclRanks, "_transfer", failing)

    def program(ranks: Any) -> None:
        D = spread(ranks, N, EDGES, devices="cuda")
        assert BY_NCCL in repr(D)
        armed.set()
        try:
            sb.bfs(D, 0)
        except Exception as error:
            told.append((ranks.rank, error))
            with pytest.raises(RankFailed, match="its exchanges have ended"):
                ranks.on_gpus.begin([np.empty(0, np.uint8)] * 2)
            raise

    return program, told, armed


def test_a_rank_that_raises_ends_those_that_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ValueError("no luck")

    program, told, _ = _failing(monkeypatch, fail)
    began = time.monotonic()
    with pytest.raises(ValueError, match="no luck"):
        sb.distributed.simulate(2, program)
    assert time.monotonic() - began < 10
    assert [(rank, type(error)) for rank, error in told] == [(1, ValueError), (0, RankFailed)]


def test_a_rank_that_never_sends_is_waited_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nccl, "_PATIENCE", 0.5)
    program, told, _ = _failing(monkeypatch, lambda: time.sleep(2))
    with pytest.raises(RankFailed, match="rank 0: NCCL has waited 0"):
        sb.distributed.simulate(2, program)
    assert told[0][0] == 0 and "NCCL has waited" in str(told[0][1])


@emulated
def test_an_error_of_nccl_ends_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any) -> None:
        if armed.is_set():
            raise RuntimeError("remote process exited")

    program, told, armed = _failing(monkeypatch, lambda: time.sleep(2))
    monkeypatch.setattr(nccl._nccl().NcclCommunicator, "check_async_error", fail)
    with pytest.raises((RuntimeError, RankFailed)):
        sb.distributed.simulate(2, program)
    assert told and "remote process exited" in str(told[0][1])


def test_gpus_are_dealt_out_where_ranks_find_themselves_on_one() -> None:
    two = ("a", "b")
    assert gpus.take_turns([gpus.Seen(two, 1, 0), gpus.Seen(two, 0, 0)]) == [1, 0]
    assert gpus.take_turns([gpus.Seen(("a",), 0, 0)] * 2) == [0, 0]
    hosts = [gpus.Seen(two, 0, 0), gpus.Seen(two, 0, 0), gpus.Seen(("c", "d"), 0, 0)]
    assert gpus.take_turns(hosts) == [0, 1, 0]
