"""What the first search of a matrix does for those that come after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.searches.device import REHEARSALS


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The last level that each search launched was to reach."""
    depths: list[int] = []
    go = FusedBFS.go

    def noted(self: FusedBFS, stream: int) -> None:
        depths.append(self._fields.max_depth)
        go(self, stream)

    monkeypatch.setattr(FusedBFS, "go", noted)
    return depths


def test_its_way_is_gone_before(launched: list[int]) -> None:
    A = sb.generate.path(9).to("cuda")
    with sb.trace() as told:
        assert sb.bfs(A, 4, max_depth=3).reached == 7
    assert launched == [0] * REHEARSALS + [3]
    assert [r["operation"] for r in told] == ["bfs"]
    assert sb.bfs(A, 4, max_depth=2).reached == 5
    assert launched[REHEARSALS:] == [3, 2]


@pytest.mark.parametrize(
    "how",
    [
        {"parents": "min"},
        {"levels": False, "parents": False},
        {"direction": "push"},
        {"relabel": "degree"},
        {"target": 8, "trace": True},
    ],
    ids=lambda how: "-".join(how),
)
def test_its_way_is_that_of_the_first(how: dict[str, Any], launched: list[int]) -> None:
    A = sb.generate.path(9).to("cuda")
    assert sb.bfs(A, 4, **how).depth == 4
    assert launched == [0] * REHEARSALS + [2**31 - 1]


def test_a_result_that_is_kept_leaves_outputs_for_the_next(monkeypatch: Any) -> None:
    A = sb.generate.path(9).to("cuda")
    first = sb.bfs(A, 4)

    def never(*_: Any) -> None:
        raise AssertionError("an output was made")

    with monkeypatch.context() as patched:
        patched.setattr(cp, "empty", never)
        second = sb.bfs(A, 0)
        assert second.reached == 9
    for found, source in ((first, 4), (second, 0)):
        np.testing.assert_array_equal(found.levels.to_dense(-1), abs(np.arange(9) - source))
    del found, first, second
    assert len(A._ready().derived.searches._workspaces) == 1
    (workspace,) = A._ready().derived.searches._workspaces.values()
    assert len(workspace._outputs) == 4
