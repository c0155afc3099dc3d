"""Files and arguments that many searches, and what is built on them, must refuse or survive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.algorithms.bfs_many import prepare
from spbfs.engines import get_engine
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    FileError,
    FileMissing,
    FormatError,
    IndexOutOfBound,
    InvalidValue,
    OutOfMemory,
    SpbfsError,
)

N = 40
SOURCES = list(range(N))


def cycle(n: int = N, device: str = "cpu") -> sb.Matrix:
    u = np.arange(n)
    v = (u + 1) % n
    return sb.Matrix.from_coo(np.r_[u, v], np.r_[v, u], True, nrows=n, ncols=n, device=device)


def graph(device: str = "cpu") -> sb.Matrix:
    return cycle(N, device)


def rewrite(path: Path, **changes: Any) -> None:
    """Some arrays of an archive changed, or, for None, left out."""
    with np.load(path) as stored:
        arrays = {**stored, **changes}
    with open(path, "wb") as file:
        np.savez(file, **{name: a for name, a in arrays.items() if a is not None})


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])


def flip(path: Path) -> None:
    """One bit of the largest member's data."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 16
    path.write_bytes(content)


def array_alone(path: Path) -> None:
    with open(path, "wb") as file:
        np.save(file, np.zeros(3))


FOREIGN: dict[str, Callable[[Path], Any]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("no archive"),
    "cut": cut,
    "array alone": array_alone,
    "nothing of it": lambda path: np.savez(path, x=np.zeros(3)),
}
FOREIGN_INDEX: dict[str, Callable[[Path], Any]] = {
    **FOREIGN,
    "flipped": flip,
    "huge n": lambda path: rewrite(path, shape=np.array([10**15, 2])),
    "negative n": lambda path: rewrite(path, shape=np.array([-5, 2])),
    "real n": lambda path: rewrite(path, shape=np.array([40.0, 2.0])),
    "no pair": lambda path: rewrite(path, shape=np.array(5)),
    "three": lambda path: rewrite(path, shape=np.array([40, 2, 3])),
    "small n": lambda path: rewrite(path, shape=np.array([10, 2])),
    "large source": lambda path: rewrite(path, sources=np.arange(N) + 1),
    "negative source": lambda path: rewrite(path, sources=np.arange(N) - 1),
    "real sources": lambda path: rewrite(path, sources=np.arange(N) * 1.0),
    "equal sources": lambda path: rewrite(path, sources=np.zeros(N, np.int64)),
    "rows of sources": lambda path: rewrite(path, sources=np.arange(N)[None]),
    "few bits": lambda path: rewrite(path, bits=np.zeros((1, 3, 1), np.uint64)),
    "signed bits": lambda path: rewrite(path, bits=np.zeros((1, N, 1), np.int64)),
    "no bits": lambda path: rewrite(path, bits=None),
}


@pytest.mark.parametrize("name", FOREIGN_INDEX)
def test_an_index_that_save_did_not_write(name: str, tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    sb.KHopIndex(graph(), k=2).save(path)
    assert sb.KHopIndex.load(str(path)).query([0, 0], [2, 3]).tolist() == [True, False]
    FOREIGN_INDEX[name](path)
    with pytest.raises(FormatError, match=r"index\.npz"):
        sb.KHopIndex.load(path)


def test_an_index_that_no_file_can_have(tmp_path: Path) -> None:
    index = sb.KHopIndex(graph(), k=2)
    for act in (sb.KHopIndex.load, index.save):
        with pytest.raises(FileError, match="is a directory"):
            act(tmp_path)
        with pytest.raises(FileMissing):
            act(tmp_path / "absent" / "index.npz")
        with pytest.raises(InvalidValue, match="is not a file name"):
            act(None)  # type: ignore[arg-type]


FOREIGN_PROGRESS: dict[str, Callable[[Path], Any]] = {
    **FOREIGN,
    "few done": lambda path: rewrite(path, done=np.ones(3, bool)),
    "rows of done": lambda path: rewrite(path, done=np.ones((N, 1), bool)),
    "counts done": lambda path: rewrite(path, done=np.arange(N)),
    "none done": lambda path: rewrite(path, done=None),
}
FOREIGN_LEVELS: dict[str, Callable[[Path], Any]] = {
    "empty": FOREIGN["empty"],
    "text": FOREIGN["text"],
    "cut": cut,
    "other shape": lambda path: np.save(path, np.zeros((N, 3), np.uint8)),
    "reals": lambda path: np.save(path, np.zeros((N, N))),
    "signed": lambda path: np.save(path, np.zeros((N, N), np.int8)),
    "line": lambda path: np.save(path, np.zeros(5, np.uint8)),
}


@pytest.mark.parametrize("which", ["levels", "progress"])
def test_a_file_of_levels_that_was_tampered_with(which: str, tmp_path: Path) -> None:
    foreign = FOREIGN_LEVELS if which == "levels" else FOREIGN_PROGRESS
    for name, tamper in foreign.items():
        path = tmp_path / f"{name}.npy"
        sb.bfs_many(graph(), SOURCES, outputs={"levels": path})
        hurt = path if which == "levels" else Path(f"{path}.progress.npz")
        tamper(hurt)
        before = hurt.read_bytes()
        with pytest.raises(FormatError, match=f"{name}.npy"):
            sb.bfs_many(graph(), SOURCES, outputs={"levels": path})
        assert hurt.read_bytes() == before, name


def test_a_file_of_levels_of_another_graph(device: str, tmp_path: Path) -> None:
    """As many vertices, edges, neighbours of each; a cycle against two."""
    path = tmp_path / "levels.npy"
    half = np.arange(N // 2)
    u = np.r_[half, half + N // 2]
    v = np.r_[(half + 1) % (N // 2), (half + 1) % (N // 2) + N // 2]
    two = sb.Matrix.from_coo(np.r_[u, v], np.r_[v, u], True, nrows=N, ncols=N, device=device)
    sb.bfs_many(graph(device), SOURCES, outputs={"levels": path})
    sb.bfs_many(graph(), SOURCES, outputs={"levels": path})  # the same one elsewhere
    with pytest.raises(InvalidValue, match="of another graph"):
        sb.bfs_many(two, SOURCES, outputs={"levels": path})


def test_a_file_of_levels_after_an_early_death(tmp_path: Path) -> None:
    """How far it is, is known from the beginning: a killed process saves nothing at its end."""
    path, other = tmp_path / "levels.npy", tmp_path / "other.npy"

    def die(ended: int, *_: int) -> None:
        copies = {f"{other}{end}": f"{path}{end}" for end in ("", ".progress.npz")}
        for copy, original in copies.items():
            Path(copy).write_bytes(Path(original).read_bytes())

    sb.bfs_many(graph(), SOURCES, outputs={"levels": path}, batch=8, progress=die)
    sb.bfs_many(graph(), SOURCES, outputs={"levels": other})
    np.testing.assert_array_equal(np.load(other), np.load(path))


def test_a_file_of_levels_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[Any] = []
    monkeypatch.setattr("spbfs.algorithms.bfs_many.collected.search", run.append)
    for path, error in [
        (tmp_path / "absent" / "levels.npy", FileMissing),
        (tmp_path, InvalidValue),
        ("", InvalidValue),
        ("/dev/null", InvalidValue),
        ("a\0b", InvalidValue),
        ("x" * 5000, FileError),
    ]:
        with pytest.raises(error):
            sb.bfs_many(graph(), SOURCES, outputs={"levels": path})
    assert not run


def test_a_full_disk_is_noticed_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=N * N - 1))
    path = tmp_path / "levels.npy"
    with pytest.raises(FileError, match=r"needs 1,600 bytes and 1,599 are free"):
        sb.bfs_many(graph(), SOURCES, outputs={"levels": path})
    assert not path.exists()


Case = tuple[str, type[SpbfsError], Callable[[sb.Matrix], Any]]
MISTAKES: list[Case] = [
    ("outputs", DomainMismatch, lambda A: sb.bfs_many(A, [0], outputs=5)),
    ("outputs", DomainMismatch, lambda A: sb.bfs_many(A, [0], outputs=None)),
    ("outputs", DomainMismatch, lambda A: sb.bfs_many(A, [0], outputs=["levels", ["parents"]])),
    ("outputs", DomainMismatch, lambda A: sb.bfs_many(A, [0], outputs={"levels": A.to_scipy()})),
    ("outputs", DomainMismatch, lambda A: sb.bfs_many(A, [0], outputs={"levels": [[0] * N]})),
    (
        "outputs",
        DomainMismatch,
        lambda A: sb.bfs_many(A, [0], outputs={"levels": np.zeros((1, N), ">u2")}),
    ),
    ("A", DomainMismatch, lambda A: sb.bfs_many([[0, 1], [1, 0]], [0])),
    ("A", DomainMismatch, lambda A: sb.distances(None)),
    ("A", DomainMismatch, lambda A: sb.bfs("graph", 0)),
    ("k", DomainMismatch, lambda A: sb.khop_sizes(A, None)),
    ("vertices", IndexOutOfBound, lambda A: sb.khop_sizes(A, 1, [N])),
    ("progress", DomainMismatch, lambda A: sb.KHopIndex(A, k=1, progress=3)),
    ("sources", InvalidValue, lambda A: sb.KHopIndex(A, [1, 2, 1], k=1)),
    ("seed", InvalidValue, lambda A: sb.closeness(A, samples=3, seed=-1)),
    ("seed", DomainMismatch, lambda A: sb.harmonic(A, samples=3, seed="x")),
    ("seed", DomainMismatch, lambda A: sb.betweenness(A, samples=3, seed=1.5)),
    ("batch", InvalidValue, lambda A: sb.betweenness(A, batch=0)),
    ("batch", InvalidValue, lambda A: sb.betweenness(A, batch=-1)),
    ("batch", DomainMismatch, lambda A: sb.betweenness(A, batch=1.5)),
    ("sources, samples", InvalidValue, lambda A: sb.betweenness(A, [0], samples=3)),
    ("searches", InvalidValue, lambda A: sb.diameter_bounds(A, searches=0)),
    ("searches", DomainMismatch, lambda A: sb.diameter_bounds(A, searches=1.5)),
    ("source", DomainMismatch, lambda A: sb.diameter_bounds(A, [1])),
    ("source", IndexOutOfBound, lambda A: sb.diameter_bounds(A, N)),
    ("A", InvalidValue, lambda A: sb.diameter_bounds(sb.Matrix(bool, 0, 0))),
    ("v", DimensionMismatch, lambda A: sb.KHopIndex(A, k=1).query([0], [0, 1])),
]


@pytest.mark.parametrize(("name", "error", "call"), MISTAKES)
def test_mistakes(
    name: str, error: type[SpbfsError], call: Callable[[sb.Matrix], Any], device: str
) -> None:
    with pytest.raises(error, match=f"^{name}: "):
        call(graph(device))


@pytest.mark.parametrize("join", [True, False], ids=["joined", "one by one"])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
def test_levels_into_an_array_of_the_engine(
    dtype: str, join: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "searches_meet", lambda *_: join)
    A, sources = graph(device), [0, 9, 3]
    levels = sb.bfs_many(graph("reference"), sources).levels
    for xp in {np, getattr(get_engine(device), "xp", np)}:
        out = xp.empty((3, N), dtype)
        if dtype == "uint64":
            with pytest.raises(DomainMismatch, match=r"^outputs: levels must be uint8"):
                sb.bfs_many(A, sources, outputs={"levels": out})
        else:
            assert sb.bfs_many(A, sources, outputs={"levels": out}).levels is out
            assert out.tolist() == levels.tolist()


def test_progress_of_an_index_counts_on() -> None:
    A, calls = cycle(600), []
    sb.KHopIndex(A, k=1, progress=lambda *call: calls.append(call))
    assert [call[:2] for call in calls] == [(512, 600), (600, 600)]
    assert calls[1][2] == 600 * 6  # the entries of three rows a source
    sb.KHopIndex(A, k=1, progress=True)


@pytest.mark.parametrize(
    ("where", "call"),
    [
        ("distances.khop_index.bfs_many", lambda A: sb.KHopIndex(A, k=2)),
        ("rank.closeness.bfs_many", lambda A: sb.closeness(A)),
        ("rank.closeness.bfs_many", lambda A: sb.harmonic(A, samples=3)),
        ("workers.sums.Report", lambda A: sb.betweenness(A)),
    ],
)
def test_an_allocation_that_fails_on_the_way(
    where: str, call: Callable[[sb.Matrix], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise MemoryError("no room for it")

    monkeypatch.setattr(f"spbfs.algorithms.{where}", fail)
    with pytest.raises(OutOfMemory, match=r"no room for it; [\d,]+ bytes are free"):
        call(graph())


def test_what_an_interruption_leaves_says_how_long_it_took() -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(graph(), SOURCES, batch=8, progress=stop)
    assert stopped.value.partial.seconds > 0  # type: ignore[attr-defined]


def test_memory_is_used_again_only_where_nobody_can_tell(tmp_path: Path) -> None:
    A, path = graph(), tmp_path / "mine.npy"
    mine = np.full((N, N), 7, np.uint8)
    np.save(path, mine)
    found = sb.bfs_many(A, SOURCES)
    found.levels = np.load(path, mmap_mode="r+")  # somebody else's, in the place of levels
    del found
    sb.bfs_many(A, SOURCES)
    assert (np.load(path) == mine).all()
    found = sb.bfs_many(A, SOURCES)
    levels, row = found.levels.copy(), found.levels[3]
    del found
    sb.bfs_many(A, SOURCES[::-1])
    assert (row == levels[3]).all()
    found = sb.bfs_many(A, SOURCES)
    found.levels.flags.writeable = False
    del found
    assert (sb.bfs_many(A, SOURCES).levels == levels).all()


def test_sources_on_the_device(device: str) -> None:
    xp = getattr(get_engine(device), "xp", np)
    for A in (graph(device), graph()):
        found = sb.bfs_many(A, xp.asarray([3, 9]))
        assert found.sources.tolist() == [3, 9] and found.levels[1, 9] == 0
