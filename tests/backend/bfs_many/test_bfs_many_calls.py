"""Calls of `bfs_many`: outputs into arrays and files, mistakes, progress, interruptions."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from many_cases import (
    EVERYTHING,
    check,
    expected,
    host,
    join_always,
    matrix,
)

import spbfs as sb
from spbfs.algorithms.bfs_many.outputs import filled as arrays
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
)
from tests.graphs import SEARCHABLE


@pytest.mark.parametrize("limit", [2**31, 2**32, 2**70])
def test_a_limit_of_any_size(
    limit: int, device: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    join_always(monkeypatch)
    graph = SEARCHABLE["random"]
    A, sources = matrix(graph, device), list(range(9))
    found = sb.bfs_many(A, sources, outputs=EVERYTHING, max_depth=limit)
    check(found, expected(graph, sources), graph)
    for place in ({"outputs": {"parents": tmp_path / "p.npy"}}, {"checkpoint": tmp_path / "c.npz"}):
        kept = sb.bfs_many(A, sources, **{"outputs": ()} | place, max_depth=limit)
        assert kept.reached.tolist() == found.reached.tolist()
    each = [F.nvals for _, F in sb.levels_many(A, sources, max_depth=limit)]
    assert sum(each) == found.reached.sum()


def test_levels_into_an_array(device: str) -> None:
    graph = SEARCHABLE["random"]
    A = matrix(graph, device)
    out = np.empty((3, graph.nrows), np.uint16)
    found = sb.bfs_many(A, [1, 2, 3], outputs={"levels": out, "reached": None})
    assert found.levels is out
    check(found, expected(graph, [1, 2, 3]), graph)
    for bad, error in [
        (np.empty((2, graph.nrows), np.uint8), DimensionMismatch),
        (np.empty((3, graph.nrows), np.int32), DomainMismatch),
        (np.empty((graph.nrows, 3), np.uint8).T, InvalidValue),
    ]:
        with pytest.raises(error, match="outputs: levels"):
            sb.bfs_many(A, [1, 2, 3], outputs={"levels": bad})
    deep = sb.generate.path(400).to(device)
    with pytest.raises(InvalidValue, match="cannot hold the depth 399"):
        sb.bfs_many(deep, [0], outputs={"levels": np.empty((1, 400), np.uint8)})


def test_a_call_like_the_one_before(
    device: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What an engine begins early is of all sources; where some of them have ended it is not."""
    join_always(monkeypatch)
    graph = SEARCHABLE["random"]
    A = matrix(graph, device)
    for first in range(3):
        sources = [(7 * i + first) % graph.nrows for i in range(12)]
        check(sb.bfs_many(A, sources, outputs=EVERYTHING), expected(graph, sources), graph)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    kept = tmp_path / "kept.npz"
    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, sources, outputs="level_sums", batch=4, checkpoint=kept, progress=stop)
    wanted = sb.bfs_many(A, sources, outputs="level_sums")
    found = sb.bfs_many(A, sources, outputs="level_sums", checkpoint=kept)
    assert np.array_equal(host(found.level_sums), host(wanted.level_sums))
    assert np.array_equal(found.reached, wanted.reached) and found.edges == wanted.edges


def test_no_sources_and_no_vertices(device: str) -> None:
    A = matrix(SEARCHABLE["path"], device)
    found = sb.bfs_many(A, [], outputs=EVERYTHING)
    assert host(found.levels).shape == (0, 33)
    assert found.reached.shape == (0,)
    levels = sb.bfs_many(A, [], outputs="per_level").per_level
    assert levels is not None and list(levels) == []
    empty = sb.Matrix(bool, 0, 0, device=device)
    assert host(sb.bfs_many(empty, []).levels).shape == (0, 0)


def test_names_of_outputs_have_hyphens_or_not(device: str) -> None:
    A = matrix(SEARCHABLE["path"], device)
    for name in ("per_level", "per-level"):
        for outputs in (name, [name], {name: None}):
            levels = sb.bfs_many(A, [0, 3], outputs=outputs).per_level
            assert levels is not None and [depth for depth, _ in levels][-1] == 32
    found = sb.bfs_many(A, [0], outputs=["level-sizes", "sum-levels"])
    assert found.level_sizes is not None and found.level_sizes.tolist() == [[1] * 33]


def test_mistakes(device: str) -> None:
    A = matrix(SEARCHABLE["path"], device)
    with pytest.raises(DimensionMismatch, match="square"):
        sb.bfs_many(sb.Matrix(bool, 2, 3, device=device), [0])
    with pytest.raises(IndexOutOfBound, match="sources"):
        sb.bfs_many(A, [0, 33])
    with pytest.raises(DomainMismatch, match="sources"):
        sb.bfs_many(A, [0.5])
    with pytest.raises(InvalidValue, match="outputs: expected some of levels"):
        sb.bfs_many(A, [0], outputs="level")
    with pytest.raises(InvalidValue, match="batch: expected at least 1 and at most 1024, got 0"):
        sb.bfs_many(A, [0], batch=0)
    with pytest.raises(DomainMismatch, match="max_depth"):
        sb.bfs_many(A, [0], max_depth=1.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="group"):
        sb.bfs_many(A, [0], group="hub")  # type: ignore[arg-type]
    with pytest.raises(DomainMismatch, match="progress"):
        sb.bfs_many(A, [0], progress=3)  # type: ignore[arg-type]


def test_a_batch_that_is_asked_for_is_joined_on_a_deep_graph(device: str) -> None:
    A = sb.generate.path(300).to(device)
    alone = sb.bfs_many(A, range(100))
    joined = sb.bfs_many(A, range(100), batch=64)
    assert (alone.batch, joined.batch) == (1, 64)
    assert np.array_equal(alone.levels, joined.levels)
    assert sb.bfs_many(A, range(100), batch=1).batch == 1


def test_progress(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    A = matrix(SEARCHABLE["tree"], device)
    calls: list[tuple[int, int, int]] = []
    found = sb.bfs_many(A, range(31), batch=10, progress=lambda *now: calls.append(now))
    assert [(ended, total) for ended, total, _ in calls] == [(10, 31), (20, 31), (30, 31), (31, 31)]
    assert calls[-1][2] == found.edges


def test_interruption_leaves_what_ended(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch)
    graph = SEARCHABLE["tree"]

    def stop(ended: int, total: int, edges: int) -> None:
        if ended == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(matrix(graph, device), range(31), batch=10, progress=stop)
    partial = stopped.value.partial  # type: ignore[attr-defined]
    assert partial.done.tolist() == [True] * 20 + [False] * 11
    levels = expected(graph, list(range(20)))
    np.testing.assert_array_equal(host(partial.levels)[:20], np.where(levels < 0, 255, levels))


@pytest.mark.parametrize("join", [True, False])
def test_a_file_of_levels_is_resumed(
    join: bool, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join_always(monkeypatch, join)
    graph = SEARCHABLE["tree"]
    A, sources, path = matrix(graph, device), list(range(31)), tmp_path / "levels.npy"
    levels = expected(graph, sources)
    how: Any = {"batch": 10} if join else {}

    def stop(ended: int, total: int, edges: int) -> None:
        if ended == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, sources, outputs={"levels": path}, progress=stop, **how)
    calls: list[int] = []
    found = sb.bfs_many(
        A, sources, outputs={"levels": path}, progress=lambda n, *_: calls.append(n), **how
    )
    assert calls == ([30, 31] if join else list(range(21, 32)))
    check(found, levels, graph)
    np.testing.assert_array_equal(np.load(path), np.where(levels < 0, 255, levels))
    check(sb.bfs_many(A, sources, outputs={"levels": str(path)}), levels, graph)
    with pytest.raises(InvalidValue, match="other sources"):
        sb.bfs_many(A, sources[:5], outputs={"levels": path})
    with pytest.raises(InvalidValue, match="with counts"):
        sb.bfs_many(A, sources, outputs={"levels": path, "counts": None})
    (tmp_path / "levels.npy.progress.npz").unlink()
    with pytest.raises(InvalidValue, match="exists, and nothing says"):
        sb.bfs_many(A, sources, outputs={"levels": path})


def test_a_file_of_levels_is_widened(tmp_path: Path, device: str) -> None:
    A = sb.generate.path(300).to(device)
    found = sb.bfs_many(A, [150, 0, 1], outputs={"levels": tmp_path / "levels.npy"}, batch=1)
    levels = np.load(tmp_path / "levels.npy")
    assert levels.dtype == np.uint16 and levels[1].tolist() == list(range(300))
    assert found.levels[0].tolist() == abs(np.arange(300) - 150).tolist()


def test_control_c_while_the_kernel_runs() -> None:
    A = sb.generate.uniform(400_000, 16, seed=1)
    sb.bfs_many(A, [0])
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, range(20_000), outputs="reached")
    timer.join()
    assert sb.bfs_many(A, [0], outputs="reached").reached[0] > 300_000


def test_control_c_while_searches_run_concurrently(monkeypatch: pytest.MonkeyPatch) -> None:
    join_always(monkeypatch, False)
    A = sb.generate.grid2d(600)
    sb.bfs_many(A, [0, 1], threads=2)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(A, range(20_000), outputs="reached", threads=2)
    timer.join()
    done = stopped.value.partial.done  # type: ignore[attr-defined]
    assert 0 < done.sum() < done.size
    assert (stopped.value.partial.reached[done] == A.nrows).all()  # type: ignore[attr-defined]
    assert sb.bfs_many(A, [0, 7], outputs="reached", threads=2).reached.tolist() == [A.nrows] * 2


def test_level_sizes_of_ever_deeper_searches(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    grown = []
    monkeypatch.setattr(arrays, "require_bytes", lambda *asked: grown.append(asked))
    A = sb.generate.path(201).to(device)
    sources = np.arange(100, -1, -1)
    sizes = sb.bfs_many(A, sources, outputs="level_sizes", batch=1).level_sizes
    assert sizes is not None and sizes.shape == (101, 201)
    all_sizes = [np.bincount(np.abs(np.arange(201) - source), minlength=201) for source in sources]
    assert (sizes == all_sizes).all()
    assert len(grown) <= 3  # not once a batch
