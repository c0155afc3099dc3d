"""One search by several GPUs; emulated ones are three, and so are parts of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peer_gpus import GPUS, several
from search_graphs import GRAPHS, check_search

import spbfs as sb
from spbfs.cli import main
from spbfs.engines.cuda.graph import layout as layouts
from spbfs.engines.cuda.graph import share_layout
from spbfs.exceptions import BackendUnavailable, InvalidValue, OutOfMemory
from spbfs.planner.search_cuda import LayoutChoice

BOTH = [0, 1]
#: Sources of a graph, the last vertex among them.
FEW = (0, 7, -1)


def _sources(name: str) -> list[int]:
    n = GRAPHS[name].shape[0]
    return sorted({source % n for source in FEW})


def _searched(name: str, found: Any, source: int) -> None:
    levels = found.levels.to_dense(-1)
    check_search(name, source, levels, found.parents.to_dense(-1))
    assert found.depth == levels.max() and found.reached == (levels >= 0).sum()
    assert found.edges == np.diff(GRAPHS[name].indptr)[levels >= 0].sum()


@several
@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@pytest.mark.parametrize("relabel", ["auto", "compact", "degree", None])
@pytest.mark.parametrize("name", GRAPHS)
def test_two_find_what_one_finds(name: str, relabel: Any, direction: Any) -> None:
    A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda")
    for source in _sources(name):
        found = sb.bfs(A, source, devices=BOTH, relabel=relabel, direction=direction)
        _searched(name, found, source)


@several
@pytest.mark.skipif(GPUS < 3, reason="there are two GPUs")
@pytest.mark.parametrize("relabel", ["compact", None])
@pytest.mark.parametrize("name", ["skewed", "directed", "late, shuffled", "loops", "one vertex"])
def test_three_find_it_as_well(name: str, relabel: Any) -> None:
    """Nothing is a power of two, and some own no vertex of a small graph."""
    A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda")
    for direction in ("auto", "pull"):
        for source in _sources(name):
            found = sb.bfs(A, source, devices=[2, 0, 1], relabel=relabel, direction=direction)
            _searched(name, found, source)


@several
@pytest.mark.parametrize("wide", [False, True], ids=["int32", "int64"])
@pytest.mark.parametrize("name", ["skewed", "directed", "late, shuffled", "star"])
def test_hubs_are_dealt_out(name: str, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share_layout, "search_layout", lambda *_: LayoutChoice(hubs=300, records=0))
    if wide:
        monkeypatch.setattr(layouts, "MOST_NARROW", 0)
    A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda")
    for direction in ("auto", "pull"):
        for source in _sources(name):
            _searched(name, sb.bfs(A, source, devices=BOTH, direction=direction), source)


@several
def test_the_order_of_devices_is_free_and_searches_share_them() -> None:
    A = sb.Matrix.from_scipy(GRAPHS["skewed"])
    results = [sb.bfs(A, source, devices=["cuda:1", 0]) for source in range(6)]
    for source, found in enumerate(results):
        assert found.levels.device == "cpu"
        _searched("skewed", found, source)
    del results, found
    before = A.nbytes
    sb.bfs(A, 9, devices=["cuda:1", 0])
    assert A.nbytes == before > A.dup().nbytes


@several
@pytest.mark.parametrize("name", ["uniform", "directed", "path"])
def test_limits_and_what_is_not_asked_for(name: str) -> None:
    A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda")
    for limits in ({"max_depth": 2}, {"max_depth": 0}, {"target": 3}, {"target": 5}):
        alone = sb.bfs(A, 5, **limits)
        found = sb.bfs(A, 5, devices=BOTH, **limits)
        assert found.levels.isequal(alone.levels, check_dtype=True), limits
        assert (found.depth, found.reached) == (alone.depth, alone.reached)
    assert sb.bfs(A, 5, devices=BOTH, parents=False).parents is None
    found = sb.bfs(A, 5, devices=BOTH, levels=False)
    assert found.levels is None
    sb.verify.bfs_tree(A, 5, parents=found.parents)


@several
@pytest.mark.parametrize("name", ["skewed", "directed", "no edges"])
def test_several_sources_and_least_parents(name: str) -> None:
    A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda")
    for source in ([3, 1, 3, 30], 4):
        alone = sb.bfs(A, source, parents="min")
        found = sb.bfs(A, source, parents="min", devices=BOTH)
        for output in ("levels", "parents", "owners"):
            expected, got = getattr(alone, output), getattr(found, output)
            assert got.isequal(expected, check_dtype=True) if expected is not None else got is None
        assert (found.depth, found.reached, found.edges) == (
            alone.depth,
            alone.reached,
            alone.edges,
        )


@several
def test_what_is_no_matrix_and_what_is_kept() -> None:
    """An array of SciPy's is searched by the GPUs as well; results outlive the graph's shares."""
    found = sb.bfs(GRAPHS["skewed"], 7, devices=BOTH)
    assert type(found._found).__name__ == "PeerSearchResult"
    _searched("skewed", found, 7)
    A = sb.Matrix.from_scipy(GRAPHS["directed"]).to("cuda")
    kept = sb.bfs(A, 0, devices=BOTH)
    sb.bfs(A, 0, devices=BOTH, direction="push")
    sb.bfs(A, 0, devices=BOTH, relabel="degree")
    del A
    # Its word serves another graph, once nothing looks at it.
    _searched("loops", sb.bfs(GRAPHS["loops"], 7, devices=BOTH), 7)
    _searched("directed", kept, 0)
    B = sb.Matrix.from_coo([0, 1 << 39], [1 << 39, 0], True, nrows=1 << 40, ncols=1 << 40)
    with pytest.raises(InvalidValue, match="hypersparse"):
        sb.bfs(B, 0, devices=BOTH)


@several
def test_a_trace_has_every_level() -> None:
    A = sb.Matrix.from_scipy(GRAPHS["skewed"]).to("cuda")
    found = sb.bfs(A, 7, devices=BOTH, trace=True)
    alone = sb.bfs(A, 7, trace=True)
    assert [s.frontier for s in found.trace] == [s.frontier for s in alone.trace]
    assert [s.edges for s in found.trace] == [s.edges for s in alone.trace]
    deep = sb.Matrix.from_scipy(GRAPHS["path"]).to("cuda")
    assert len(sb.bfs(deep, 0, devices=BOTH, trace=True).trace) == 699


@several
@pytest.mark.parametrize("refusing", BOTH)
def test_one_that_cannot_begin_ends_the_others(
    refusing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel on the other GPU gives up waiting; the next search begins anew."""
    A = sb.Matrix.from_scipy(GRAPHS["uniform"]).to("cuda")
    sb.bfs(A, 0, devices=BOTH)
    group = A._ready().derived.searches._by_peers._by_group._group

    def refused(*arguments: Any) -> None:
        raise MemoryError

    earlier = sb.bfs(A, 7, devices=BOTH)
    with monkeypatch.context() as broken:
        broken.setattr(group._searches[refusing], "go", refused)
        with pytest.raises(OutOfMemory):
            sb.bfs(A, 0, devices=BOTH)
    _searched("uniform", earlier, 7)
    _searched("uniform", sb.bfs(A, 3, devices=BOTH), 3)


def test_devices_that_cannot_search_together() -> None:
    A = sb.generate.path(5)
    for devices, error in (
        ([0, 0], InvalidValue),
        (["cpu", 0], InvalidValue),
        ([], InvalidValue),
        (list(range(GPUS, GPUS + 1)), BackendUnavailable),
    ):
        with pytest.raises(error, match=r"^devices: "):
            sb.bfs(A, 0, devices=devices)
    for option in ({"part_edges": 4}, {"strategy": "TC"}, {"expansion": "scan"}):
        with pytest.raises(InvalidValue, match=r" with (devices|strategy)"):
            sb.bfs(A, 0, devices=[0], **option)
    with pytest.raises(InvalidValue, match="expected a matrix on cuda with several sources"):
        sb.bfs(A, [0, 1], devices=[0])


@several
def test_the_command_line_names_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    graph = str(tmp_path / "grid.mtx")
    sb.write(graph, sb.generate.grid2d(17, 2))
    assert main(["bfs", graph, "--source", "0", "--devices", "1,0", "--verify", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["device"], found["reached"], found["verified"]) == ("1,0", 34, True)
    assert main(["trace", graph, "--source", "0", "--devices", "0,1"]) == 0
    assert "push" in capsys.readouterr().out


@pytest.mark.parametrize("relabel", ["auto", "compact", "degree", None])
@pytest.mark.parametrize("name", GRAPHS)
def test_one_device_is_a_list_as_well(name: str, relabel: Any) -> None:
    A = sb.Matrix.from_scipy(GRAPHS[name])
    for place in ("cpu", "cuda"):
        for direction in ("auto", "pull"):
            for source in _sources(name):
                how: dict[str, Any] = {"relabel": relabel, "direction": direction}
                _searched(name, sb.bfs(A.to(place), source, devices=[0], **how), source)
