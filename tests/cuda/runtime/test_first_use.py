"""What first uses compile: what takes long is begun before it is needed, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring
from spbfs.base import gpu_memory
from spbfs.engines import get_engine
from spbfs.engines.cuda.bfs import fused as bfs_fused
from spbfs.engines.cuda.bfs import seeding
from spbfs.engines.cuda.bfs_many import fused as many_fused
from spbfs.engines.cuda.lookahead import kernels
from spbfs.engines.cuda.runtime import launch, modules
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.exceptions import OutOfMemory


def _dense() -> Matrix:
    ends = np.random.default_rng(5).integers(0, 300, (2, 3000))
    u, v = np.concatenate([ends, ends[::-1]], axis=1)
    return Matrix.from_coo(u, v, 1, nrows=300, ncols=300, device="cuda")


def _grid() -> Matrix:
    return sb.generate.grid2d(12, 11).to("cuda")


def _search(A: Matrix) -> None:
    assert sb.bfs(A, 0).depth > 1


def _many(A: Matrix) -> None:
    assert sb.bfs_many(A, range(70), outputs="levels").depth > 1


def _loop(A: Matrix) -> None:
    q, levels, depth = Vector(bool, A.nrows, device="cuda"), Vector(int, A.nrows, device="cuda"), 0
    q[0] = True
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ A)
        depth += 1
    assert (levels.to_coo()[1] < depth).all()


#: What is compiled in a moment, or where nothing was known before.
CHEAP = {"convert", "count", "push", "pull"}


@pytest.mark.parametrize(
    ("use", "graph"), [(_search, _dense), (_search, _grid), (_many, _dense), (_loop, _grid)]
)
def test_what_takes_long_is_begun_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[Matrix], None], graph: Callable[[], Matrix]
) -> None:
    begun: set[Specialisation] = set()
    loaded: set[Specialisation] = set()
    load, load_first, elsewhere = modules.load, modules.load_first, modules._elsewhere

    def noting_load(specialisation: Specialisation) -> Any:
        loaded.add(specialisation)
        return load(specialisation)

    def noting_first(specialisation: Specialisation) -> Any:
        loaded.add(specialisation)
        return load_first(specialisation)

    def noting_begin(task: Any) -> Any:
        begun.add(task.specialisation)
        return elsewhere(task)

    # As in a new process.
    monkeypatch.setattr(modules, "_modules", {})
    monkeypatch.setattr(modules, "_served", set())
    kernels._kernel.cache_clear()
    seeding._kernel.cache_clear()
    monkeypatch.setattr(modules, "_elsewhere", noting_begin)
    monkeypatch.setattr(launch, "load", noting_load)
    monkeypatch.setattr(launch, "load_first", noting_first)
    use(graph())
    assert begun <= loaded
    assert {s.stem for s in begun} == {s.stem for s in loaded} - CHEAP


@pytest.mark.parametrize(("many", "planned"), [(False, False), (True, False), (False, True)])
def test_what_was_compiled_in_haste_serves_once(
    monkeypatch: pytest.MonkeyPatch, many: bool, planned: bool
) -> None:
    """And so does what was made for it; all is as it would be.  A plan has nothing in haste."""
    A = _dense()
    expected = Matrix.from_coo(*A.to_coo(), nrows=300, ncols=300, device="cpu")
    in_haste: list[Specialisation] = []

    def first(specialisation: Specialisation) -> Any:
        haste = specialisation not in in_haste
        if haste:
            in_haste.append(specialisation)
        return modules.load(specialisation), haste

    monkeypatch.setattr(launch, "load_first", first)
    plans = many_fused.ManyBFS if many else bfs_fused.FusedBFS
    made: list[bool] = []
    begin = plans.__init__

    def noting(self: Any, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        made.append(self.in_haste)

    monkeypatch.setattr(plans, "__init__", noting)
    for source in (3, 4, 5):
        if many:
            found = sb.bfs_many(A, range(source, 70), outputs="levels").levels
            wanted = sb.bfs_many(expected, range(source, 70), outputs="levels").levels
            assert (cp.asnumpy(found) == wanted).all()
        else:
            wanted = sb.bfs(expected, source).levels
            search = sb.BFSPlan(A).run if planned else partial(sb.bfs, A)
            assert search(source).levels.to("cpu").isequal(wanted)
    assert made == ([False] if planned else [True, False])


def test_stacks_are_given_back_when_they_have_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime, stack = cp.cuda.runtime, 0  # `cudaLimitStackSize`
    before = runtime.deviceGetLimit(stack)
    monkeypatch.setattr(gpu_memory, "_stacks", {})
    try:
        gpu_memory.keep_stack()
        gpu_memory.release_stacks()  # before the launch
        runtime.deviceSetLimit(stack, 3040)
        gpu_memory.keep_stack()  # of another kernel
        gpu_memory.release_stacks()
        assert runtime.deviceGetLimit(stack) == before and not gpu_memory._stacks
        gpu_memory.keep_stack()
        runtime.deviceSetLimit(stack, 16384)  # a user
        gpu_memory.release_stacks()
        assert runtime.deviceGetLimit(stack) == 16384 and not gpu_memory._stacks
    finally:
        runtime.deviceSetLimit(stack, before)


@pytest.mark.parametrize("who", ["search", "joined searches", "room", "a refusal"])
def test_whoever_searches_next_or_is_short_of_memory_gives_stacks_back(
    monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    runtime, before = cp.cuda.runtime, cp.cuda.runtime.deviceGetLimit(0)
    A = _dense()
    monkeypatch.setattr(gpu_memory, "_stacks", {runtime.getDevice(): before})
    try:
        runtime.deviceSetLimit(0, 3040)
        if who == "joined searches":
            sb.bfs_many(A, range(64), batch=64).depth  # noqa: B018
        elif who == "search":
            sb.bfs(A, 0).depth  # noqa: B018
        elif who == "room":
            get_engine("cuda").many_searches(A._data).room(1 << 60)
        else:
            with pytest.raises(OutOfMemory):
                gpu_memory.require_bytes(1 << 60, "A")
        assert runtime.deviceGetLimit(0) == before and not gpu_memory._stacks
    finally:
        runtime.deviceSetLimit(0, before)


def test_room_for_stacks_is_the_devices_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gpu_memory.has_room_for_stacks(1)
    monkeypatch.setattr(gpu_memory, "free_bytes", lambda enough=None: 1 << 40)  # the pool's
    monkeypatch.setattr(cp.cuda.runtime, "memGetInfo", lambda: (1 << 26, 1 << 40))
    assert gpu_memory.has_room(1 << 30) and not gpu_memory.has_room_for_stacks(1)
