"""Calls that were stopped go on: what searches that ended have found is kept in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from many_cases import join_always

import spbfs as sb
from spbfs.algorithms import checkpoint
from spbfs.algorithms.rank import closeness
from spbfs.base import progress
from spbfs.exceptions import FileBusy, FormatError, InvalidValue, SpbfsError

N = 64
CALLS: dict[str, Callable[..., Any]] = {
    "closeness": sb.closeness,
    "sampled closeness": lambda A, **more: sb.closeness(A, samples=N, seed=3, **more),
    "harmonic": sb.harmonic,
    "sampled harmonic": lambda A, **more: sb.harmonic(A, samples=N, seed=3, **more),
    "betweenness": lambda A, **more: sb.betweenness(A, batch=8, **more).to("cpu").to_dense(),
    "eccentricity": sb.eccentricity,
    "khop_sizes": lambda A, **more: sb.khop_sizes(A, 2, **more),
    "reached": lambda A, **more: sb.bfs_many(A, range(N), outputs="reached", **more).sum_levels,
    "sums": lambda A, **more: np.asarray(
        sb.bfs_many(A.to("cpu"), range(N), outputs=["counts", "level_sums"], **more).level_sums
    ),
}


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save after every batch, of which there are several."""
    monkeypatch.setattr(closeness, "_LEVELS_HELD", 8)
    monkeypatch.setattr(progress, "BETWEEN_SAVES", 0.0)
    monkeypatch.setattr(checkpoint, "_WORK_PER_SAVE", 0.0)
    from spbfs.algorithms.bfs_many import collected

    real = collected.prepare

    def prepare(*call: Any) -> Any:
        prepared = real(*call)
        prepared.batch = min(prepared.batch, 16)
        return prepared

    monkeypatch.setattr(collected, "prepare", prepare)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_goes_on(name: str, device: str, tmp_path: Path) -> None:
    A, path = sb.generate.uniform(N, 4, seed=1).to(device), tmp_path / "kept.npz"
    expected = CALLS[name](A)

    def stop(ended: int, *_: int) -> None:
        if ended >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CALLS[name](A, checkpoint=path, progress=stop)
    seen: list[int] = []
    found = CALLS[name](A, checkpoint=path, progress=lambda ended, *_: seen.append(ended))
    np.testing.assert_allclose(found, expected)
    assert min(seen) > 20
    seen.clear()
    np.testing.assert_allclose(CALLS[name](A, checkpoint=path), expected)
    assert [p.name for p in tmp_path.iterdir()] == ["kept.npz"]


def test_samples_tell_how_far_they_are() -> None:
    A, seen = sb.generate.uniform(300, 4, seed=1), []
    sb.harmonic(A, samples=20, progress=lambda *now: seen.append(now[:2]))
    assert seen == [(8, 20), (16, 20), (20, 20)]


def test_bounds_of_the_diameter_tell_how_far_they_are() -> None:
    seen: list[tuple[int, int, int]] = []
    A = sb.generate.uniform(300, 4, seed=1, directed=False)
    sb.diameter_bounds(A, searches=100, progress=lambda *now: seen.append(now))
    assert seen[0][:2] == (1, 100) and seen[-1][0] <= 100
    assert sorted(seen) == seen and seen[-1][2] >= seen[-1][0] * A.nvals // 2


def test_what_a_checkpoint_is_not(tmp_path: Path) -> None:
    A, path = sb.generate.uniform(N, 4, seed=1), tmp_path / "kept.npz"
    sb.closeness(A, checkpoint=path)
    content = path.read_bytes()
    for call in (
        lambda: sb.closeness(sb.generate.uniform(N, 4, seed=2), checkpoint=path),
        lambda: sb.closeness(A, [1, 2], checkpoint=path),
        lambda: sb.harmonic(A, checkpoint=path),
        lambda: sb.closeness(A, samples=3, checkpoint=path),
    ):
        with pytest.raises(InvalidValue, match=r"^checkpoint: .* of another graph"):
            call()
        assert path.read_bytes() == content
    with pytest.raises(InvalidValue, match=r"^checkpoint: .*levels and parents go"):
        sb.bfs_many(A, [0], checkpoint=path)
    with pytest.raises(InvalidValue, match="does not end in"):
        sb.closeness(A, checkpoint=tmp_path / "kept")
    for damaged in (b"", content[:100], content[: len(content) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(FormatError):
            sb.closeness(A, checkpoint=path)
    path.unlink()

    def again(*_: int) -> None:
        with pytest.raises(FileBusy, match=r"^checkpoint: "):
            sb.closeness(A, checkpoint=path)

    sb.closeness(A, checkpoint=path, progress=again)
    with pytest.raises(SpbfsError):
        sb.closeness(A, checkpoint=tmp_path / "absent" / "kept.npz")


@pytest.mark.parametrize("join", [True, False])
def test_parents_in_a_file(
    join: bool, device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    join_always(monkeypatch, join)
    graph = sb.generate.uniform(N, 4, seed=1)
    A, path = graph.to(device), tmp_path / "parents.npy"
    ways: dict[str, Any] = {"outputs": {"parents": path, "level_sizes": None}}

    def stop(ended: int, *_: int) -> None:
        if ended >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, range(N), progress=stop, **ways)
    seen: list[int] = []
    found = sb.bfs_many(A, range(N), progress=lambda ended, *_: seen.append(ended), **ways)
    assert min(seen) > 20
    expected = sb.bfs_many(graph, range(N), outputs=["parents", "level_sizes"])
    for name in ("reached", "sum_levels", "eccentricity", "level_sizes", "done"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.edges == expected.edges
    parents = np.load(path)
    assert (found.parents == parents).all() and parents.dtype == np.int32
    for source in (0, 17, N - 1):
        sb.verify.bfs_tree(graph, source, parents[source])
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, f"{path.name}.progress.npz"]
    with pytest.raises(InvalidValue, match="other sources"):
        sb.bfs_many(A, range(5), **ways)
    with pytest.raises(InvalidValue, match="with levels"):
        sb.bfs_many(A, range(N), outputs={"parents": path, "levels": None})
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FormatError, match=r"parents\.npy"):
        sb.bfs_many(A, range(N), **ways)
    path.unlink()
    with pytest.raises(InvalidValue, match="is gone"):
        sb.bfs_many(A, range(N), **ways)


def test_a_result_says_what_was_there_before(device: str, tmp_path: Path) -> None:
    A = sb.generate.uniform(N, 4, seed=1).to(device)

    def stop(ended: int, *_: int) -> None:
        if ended >= 20:
            raise KeyboardInterrupt

    places: list[dict[str, Any]] = [
        {"outputs": "reached", "checkpoint": tmp_path / "kept.npz"},
        {"outputs": {"levels": tmp_path / "levels.npy"}},
        {"outputs": {"parents": tmp_path / "parents.npy"}},
    ]
    for place in places:
        with pytest.raises(KeyboardInterrupt) as stopped:
            sb.bfs_many(A, range(N), progress=stop, **place)
        partial = stopped.value.partial  # type: ignore[attr-defined]
        assert (partial.searches_before, partial.edges_before) == (0, 0)
        for before, edges in ((int(partial.done.sum()), partial.edges), (N, None)):
            found = sb.bfs_many(A, range(N), **place)
            assert found.searches_before == before
            assert found.edges_before == (found.edges if edges is None else edges)
