"""What first uses compile: what takes long is begun before it is needed, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gpu  # noqa: F401  (skips without one)
import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring
from spbfs.engines.cuda.bfs import seeding
from spbfs.engines.cuda.lookahead import kernels
from spbfs.engines.cuda.runtime import launch, modules
from spbfs.engines.cuda.runtime.source import Specialisation


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
    load, elsewhere = modules.load, modules._elsewhere

    def noting_load(specialisation: Specialisation) -> Any:
        loaded.add(specialisation)
        return load(specialisation)

    def noting_begin(specialisation: Specialisation) -> Any:
        begun.add(specialisation)
        return elsewhere(specialisation)

    # As in a new process.
    monkeypatch.setattr(modules, "_modules", {})
    kernels._kernel.cache_clear()
    seeding._kernel.cache_clear()
    monkeypatch.setattr(modules, "_elsewhere", noting_begin)
    monkeypatch.setattr(launch, "load", noting_load)
    use(graph())
    assert begun <= loaded
    assert {s.stem for s in begun} == {s.stem for s in loaded} - CHEAP
