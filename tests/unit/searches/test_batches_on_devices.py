"""Batches searched by threads, one for each of several devices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import (
    DomainMismatch,
    InvalidCall,
    InvalidValue,
    OutOfMemory,
)
from tests.batch_calls import CALLS, SEARCHES, SOURCES, N, check_equal, check_searches, graph
from tests.graphs import SEARCHABLE

TWO = ["cpu", "cpu"]


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_find_what_one_device_finds(name: str, tmp_path: Path) -> None:
    check_searches(name, tmp_path, devices=TWO)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_built_on_searches_is_the_same(name: str) -> None:
    A, call = graph(), CALLS[name]
    np.testing.assert_array_equal(call(A, devices=TWO), call(A))


@pytest.mark.parametrize("devices", [["cpu"], ["cpu", "reference"], ["cpu"] * 7])
def test_any_number_of_devices(devices: list[str]) -> None:
    alone = sb.bfs_many(graph(), SOURCES)
    check_equal(sb.bfs_many(graph(), SOURCES, devices=devices), alone)


@pytest.mark.parametrize("name", SEARCHABLE)
def test_awkward_graphs(name: str) -> None:
    awkward = SEARCHABLE[name]
    A = sb.Matrix.from_coo(
        awkward.rows, awkward.cols, True, nrows=awkward.nrows, ncols=awkward.nrows
    )
    sources, outputs = range(awkward.nrows), ["levels", "counts", "level_sizes", "sum_inverses"]
    alone = sb.bfs_many(A, sources, outputs=outputs)
    found = sb.bfs_many(A, sources, outputs=outputs, devices=TWO)
    check_equal(found, alone)
    with_parents = sb.bfs_many(A, sources, outputs=["levels", "parents"], devices=TWO, batch=3)
    for source, parents in zip(sources, with_parents.parents, strict=True):
        sb.verify.bfs_tree(A, source, parents)


def test_a_deep_graph_and_no_sources() -> None:
    A = sb.generate.path(400)
    check_equal(sb.bfs_many(A, range(150), devices=TWO), sb.bfs_many(A, range(150)))
    check_equal(sb.bfs_many(A, [], devices=TWO), sb.bfs_many(A, []))
    np.testing.assert_array_equal(sb.betweenness(A, [], devices=TWO).to_dense(), np.zeros(400))


def test_vertices_far_apart() -> None:
    u = np.array([0, 1, 2]) << 38
    A = sb.Matrix.from_coo(u, np.roll(u, 1), True, nrows=1 << 40, ncols=1 << 40)
    found = sb.bfs_many(A, u, sparse=True, devices=TWO)
    np.testing.assert_array_equal(found.levels, sb.bfs_many(A, u, sparse=True).levels)


def test_a_call_goes_on_with_what_others_have_found(tmp_path: Path) -> None:
    """Searches stopped here go on elsewhere, and the other way round."""
    A, expected = graph(), sb.closeness(graph())
    for first, then in (({}, {"devices": TWO}), ({"devices": TWO}, {})):
        told: list[int] = []

        def stop(ended: int, *_: int, told: list[int] = told) -> None:
            told.append(ended)
            raise KeyboardInterrupt

        path = tmp_path / f"{len(first)}.npz"
        ways: list[dict[str, Any]] = [first | {"progress": stop}, then]
        with pytest.raises(KeyboardInterrupt):
            sb.closeness(A, checkpoint=path, **ways[0])
        assert 0 < told[0] <= N
        np.testing.assert_array_equal(sb.closeness(A, checkpoint=path, **ways[1]), expected)


def test_an_interruption_leaves_what_ended() -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(graph(), SOURCES, batch=8, devices=TWO, progress=stop)
    # The last batch, of what is left over, is handed out first.
    assert stopped.value.partial.done.sum() == 260 % 8  # type: ignore[attr-defined]


def test_progress_counts_on() -> None:
    told: list[tuple[int, ...]] = []
    sb.bfs_many(graph(), SOURCES, batch=100, devices=TWO, progress=lambda *x: told.append(x))
    assert [ended for ended, _, _ in told] == [60, 160, 260]


def test_an_error_of_a_thread_is_the_call_s(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError("no room for it")

    monkeypatch.setattr("spbfs.algorithms.bfs_many.elsewhere.search_here", fail)
    with pytest.raises(OutOfMemory, match="no room for it"):
        sb.bfs_many(graph(), SOURCES, devices=TWO)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"devices": []}, InvalidValue, "devices: expected at least one"),
        ({"devices": "cpu"}, DomainMismatch, "devices: expected a list of devices, got 'cpu'"),
        ({"devices": 3}, DomainMismatch, "devices: expected a list of devices, got 3"),
        ({"devices": ["gpu"]}, InvalidValue, "devices: expected .*, got 'gpu'"),
        ({"devices": ["cuda:x"]}, InvalidValue, "devices: expected .*, got 'cuda:x'"),
        ({"devices": ["cpu", -1]}, InvalidValue, "devices: expected .*, got -1"),
        ({"devices": [True]}, InvalidValue, "devices: expected .*, got True"),
        ({"devices": [None]}, InvalidValue, "devices: expected .*, got None"),
        ({"devices": [["cpu"]]}, InvalidValue, r"devices: expected .*, got \['cpu'\]"),
        ({"devices": TWO, "device": "cpu"}, InvalidCall, "devices, device: .* got both"),
        ({"devices": TWO, "scheduler": 1}, InvalidCall, "devices, scheduler: .* got both"),
        ({"devices": TWO, "outputs": "per_level"}, InvalidValue, "outputs: per_level"),
        ({"scheduler": 1}, DomainMismatch, "scheduler: expected a dask.*Client, got 1"),
        ({"scheduler": "tcp://a:1"}, DomainMismatch, "scheduler: expected .*, got 'tcp://a:1'"),
    ],
)
def test_mistakes(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        sb.bfs_many(graph(), SOURCES, **options)


@pytest.mark.parametrize("name", CALLS)
def test_mistakes_of_what_is_built_on_searches(name: str) -> None:
    with pytest.raises(InvalidValue, match=r"devices: expected .*, got 'gpu'"):
        CALLS[name](graph(), devices=["gpu"])
    with pytest.raises(DomainMismatch, match="scheduler: expected"):
        CALLS[name](graph(), scheduler=object())


def test_a_matrix_that_is_spread_over_ranks() -> None:
    def program(ranks: Any) -> str:
        D = sb.distributed.from_edges([ranks.rank], [2], comm=ranks, n=3)
        with pytest.raises(InvalidValue) as refused:
            sb.betweenness(D, devices=TWO)
        return str(refused.value)

    assert sb.distributed.simulate(2, program)[0].startswith("devices: expected None over ranks")
