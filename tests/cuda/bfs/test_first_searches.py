"""What the first search of a matrix does for those that come after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.bfs import stream
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.stream import StreamWorkspace
from spbfs.engines.cuda.searches.device import REHEARSALS, CudaSearches
from spbfs.exceptions import OutOfMemory


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


def test_large_outputs_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "FEW_VERTICES", 0)
    made: list[bool] = []
    output = StreamWorkspace.output

    def noted(self: StreamWorkspace) -> Any:
        made.append(not self._outputs)
        return output(self)

    monkeypatch.setattr(StreamWorkspace, "output", noted)
    assert sb.bfs(sb.generate.path(9).to("cuda"), 4).reached == 9
    assert sum(made) == 2


def test_a_first_search_that_fails_leaves_the_way_to_the_next(
    launched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    A = sb.generate.path(9).to("cuda")

    def no_room(*_: Any) -> None:
        raise OutOfMemory("none")

    with monkeypatch.context() as patched, pytest.raises(OutOfMemory):
        patched.setattr(CudaSearches, "run", no_room)
        sb.bfs(A, 4)
    assert sb.bfs(A, 4, max_depth=1).reached == 3
    assert launched == [0] * REHEARSALS + [1]
