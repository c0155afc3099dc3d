"""Jobs of mpiexec: what they find, what they say, and that they end, whatever fails."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest
from mpi_jobs import PROGRAMS, errors, run

import spbfs as sb

#: Seconds in which a job ends once a rank has failed.
PROMISED = 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("graphs")
    A = sb.generate.kronecker(7, 8, seed=3)
    rows, columns, _ = A.to_coo()
    sb.write(made / "graph.sg", A)
    sb.write(made / "graph.el", A)
    sb.write(made / "graph.csr", A)
    weights = np.arange(rows.shape[0]) % 7 + 1
    sb.write(made / "graph.wel", sb.Matrix.from_coo(rows, columns, weights, nrows=128, ncols=128))
    (made / "broken.el").write_text("0 1\n" * 100 + "0 x\n" + "1 0\n" * 10)
    return made


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_what_ranks_find_and_refuse(size: int, folder: Path) -> None:
    done = run(size, str(PROGRAMS / "battery.py"), str(folder))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["all", "is", "well", "at", str(size)]


def test_a_rank_that_fails_ends_all_and_one_says_why(tmp_path: Path) -> None:
    done = run(2, str(PROGRAMS / "failing.py"), "raise", str(tmp_path / "levels.npy"))
    assert time.time() - float(done.stdout.split()[0]) < PROMISED
    assert done.returncode != 0
    assert errors(done) == ["spbfs: error: rank 1: ValueError: no luck"]
    assert not {p.name for p in tmp_path.iterdir()} - {"levels.npy"}


@pytest.mark.parametrize(
    ("how", "said", "size"),
    [
        ("interrupt", "rank 1: KeyboardInterrupt:", 2),
        ("mute", "rank 1: Mute", 3),
        ("exit", "RankFailed: rank 1 has ended, and others wait for it", 3),
        ("leave", "RankFailed: rank 1 has ended, and others wait for it", 2),
        ("leave", "RankFailed: rank [123] has ended, and others wait for it", 4),
        ("search", "RankFailed: rank 1 has ended, and others wait for it", 2),
    ],
)
def test_a_rank_that_is_interrupted_or_leaves_ends_all(
    how: str, said: str, size: int, tmp_path: Path
) -> None:
    done = run(size, str(PROGRAMS / "failing.py"), how, str(tmp_path / "levels.npy"))
    assert time.time() - float(done.stdout.split()[0]) < PROMISED
    assert done.returncode != 0
    (line,) = errors(done)
    assert re.fullmatch(f"spbfs: error: {said}", line.strip())
    assert not {p.name for p in tmp_path.iterdir()} - {"levels.npy"}


def test_a_rank_that_is_killed_ends_all(tmp_path: Path) -> None:
    path = tmp_path / "levels.npy"
    done = run(2, str(PROGRAMS / "failing.py"), "kill", str(path))
    assert time.time() - float(done.stdout.split()[0]) < PROMISED
    assert done.returncode != 0
    # Whole, or not there, and nothing beside it.
    assert not {p.name for p in tmp_path.iterdir()} - {"levels.npy"}
    assert not path.exists() or np.load(path).shape == (500,)


@pytest.mark.parametrize("first", [0, 2])
def test_ranks_that_exit_with_0_end_the_job_with_0(first: int, folder: Path) -> None:
    """All of them, or those from the `first` on, while the others come to the end of the block."""
    done = run(
        3,
        "-c",
        f"""\
import sys
import spbfs as sb
with sb.distributed.job() as comm:
    sb.bfs(sb.distributed.read({str(folder / "graph.el")!r}, comm), 0)
    if comm.rank >= {first}:
        sys.exit(0)
""",
    )
    assert (done.returncode, errors(done)) == (0, []), done.stderr


def test_memory_that_ranks_share_is_asked_for_once(tmp_path: Path) -> None:
    """A rank's own vertices would fit, and all of them do not."""
    done = run(
        3,
        "-c",
        """\
import spbfs as sb
from spbfs.base import memory
memory.available_bytes = lambda: 40 << 24
with sb.distributed.job() as comm:
    sb.distributed.from_edges([], [], comm=comm, n=1 << 25)
""",
    )
    assert done.returncode == 1
    (line,) = errors(done)
    assert "OutOfMemory: n: 33,554,433 vertices of 3 ranks needs 1,073,741,856 bytes" in line


def test_the_command(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "levels.npy"
    command = ("-m", "spbfs", "bfs", str(folder / "graph.sg"), "--source", "5", "--distributed")
    done = run(2, *command, "--verify", "--output", str(output))
    assert done.returncode == 0, done.stderr
    one = sb.bfs(sb.read(folder / "graph.sg"), 5)
    assert f"{one.reached} vertices" in done.stdout and "verified" in done.stdout
    assert done.stdout.count("on 2 ranks") == 1
    assert np.array_equal(np.load(output), one.levels.to_dense(-1))


@pytest.mark.parametrize("option", [("--columns", "a,b"), ("--memory", "pinned")])
def test_the_command_refuses_what_one_process_does(option: tuple[str, str], folder: Path) -> None:
    graph = str(folder / "graph.el")
    done = run(2, "-m", "spbfs", "bfs", graph, "--source", "0", "--distributed", *option)
    assert done.returncode == 1
    assert errors(done) == [f"spbfs: error: {option[0]}: not with --distributed"]


def test_the_command_says_what_is_wrong_once(folder: Path) -> None:
    graph = str(folder / "graph.sg")
    done = run(2, "-m", "spbfs", "bfs", graph, "--source", "999", "--distributed")
    assert done.returncode == 1
    (line,) = errors(done)
    assert "--source: expected 0 <= source < 128, got 999" in line
    assert "Traceback" not in done.stderr
