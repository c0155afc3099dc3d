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


BEGUN = "the function: expected the same at every rank, got '{}' at rank 0 and '{}' at rank 1"
APART = "ranks do not make the same calls: rank 0 is at {}, rank 1 at {}"
#: What ranks call, and what is said of it.
DIFFERENT = {
    "gather, bfs": BEGUN.format("gather", "bfs"),
    "to_file, bfs": BEGUN.format("to_file", "bfs"),
    "from_edges, bfs": BEGUN.format("from_edges", "bfs"),
    "reduce, bfs": APART.format("reduce plus", "bfs (the min of 2 numbers)"),
    "bfs, element": APART.format("bfs (the min of 2 numbers)", "element 3"),
    "verify, bfs": BEGUN.format("bfs_tree", "bfs"),
    "verify, gather": BEGUN.format("bfs_tree", "gather"),
    "reduce, reduce": APART.format("reduce plus", "reduce max"),
    "element, element": APART.format("element 3", "element 4"),
    "mxv, mxv": "is at mxv plus_times (the sum of 2 numbers), rank 1 at mxv min_plus",
    "mxv, mxv of the transpose": "rank 1 at mxv plus_times transposed (the sum of 2 numbers)",
    "transpose, diagonal": "rank 1 at diag_vector k=0",
    "a vector, another": "indices: expected the same at every rank, got ndarray of shape (1,)",
    "gather, gather": "the object: expected the same at every rank, got ['a vector of 500, int32'",
    "gather, reduce": APART.format("gather (the min of 2 numbers)", "reduce plus"),
    "bfs_many, reduce": APART.format("bfs_many (the min of 2 numbers)", "reduce plus"),
}


@pytest.mark.parametrize("how", ["memory", "messages"])
@pytest.mark.parametrize("names", DIFFERENT)
def test_ranks_in_different_calls_are_told(names: str, how: str, tmp_path: Path) -> None:
    """Whether they have memory in common or not; what fits together by chance is no exception."""
    done = run(2, str(PROGRAMS / "different.py"), names, str(tmp_path / "levels.npy"), how)
    assert time.time() - float(done.stdout.split()[0]) < PROMISED
    assert done.returncode == 1
    (line,) = errors(done)
    assert DIFFERENT[names] in line
    assert not list(tmp_path.iterdir())


def test_one_of_three_ranks_in_another_call(tmp_path: Path) -> None:
    arguments = "reduce, bfs", str(tmp_path / "levels.npy"), "memory"
    done = run(3, str(PROGRAMS / "different.py"), *arguments)
    assert time.time() - float(done.stdout.split()[0]) < PROMISED
    (line,) = errors(done)
    assert "rank 0 is at reduce plus, rank 2 at bfs" in line


def test_a_long_wait_is_no_error() -> None:
    """Ranks that come late, in a search and anywhere, while the others have told where they are."""
    done = run(
        3,
        "-c",
        """\
import time
import spbfs as sb
from spbfs.distributed.exchange import mpi
mpi._LONG = 0.05
with sb.distributed.job() as comm:
    D = sb.distributed.from_edges([comm.rank], [comm.rank + 1], comm=comm, n=4)
    v = sb.bfs(D, 0).levels
    calls = [lambda: sb.bfs(D, 0).depth, lambda: v.reduce("plus").value, v.gather, lambda: D.nvals]
    for turn in range(9):
        for call in calls:
            time.sleep(0.2 * (turn % 3 == comm.rank))
            call()
    print(sb.bfs(D, 0).depth)
""",
    )
    assert (done.returncode, errors(done)) == (0, []), done.stderr
    assert "".join(done.stdout.split()) == "333"  # lines may cross


def test_what_ranks_tell_while_they_wait_does_not_pile_up() -> None:
    """The last one is always late: for what it asks for, the others have always come."""
    done = run(
        3,
        "-c",
        """\
import time
import spbfs as sb
from spbfs.distributed.exchange import mpi
mpi._LONG = 0.02
with sb.distributed.job() as comm:
    D = sb.distributed.from_edges([comm.rank], [comm.rank + 1], comm=comm, n=4)
    v, ranks = sb.bfs(D, 0).levels, mpi.ranks_of(comm)
    for _ in range(5):
        time.sleep(0.1 * (comm.rank == 2))
        v.reduce("plus").value
    # What was told before the last of them.
    assert comm.rank < 2 or sum(ranks._heard_from) >= 4, ranks._heard_from
assert not ranks._others and not ranks.control.iprobe(tag=mpi.WAITS)
print(ranks._tells)
""",
    )
    assert (done.returncode, errors(done)) == (0, []), done.stderr
    assert "".join(done.stdout.split()) == "000"  # lines may cross


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


@pytest.mark.parametrize(
    ("graph", "options", "code", "said"),
    [
        ("-", (), 1, "graph: expected a file with --distributed, got '-'"),
        ("graph.el", ("--device", "reference"), 1, "--device: expected auto, cpu or cuda with"),
        ("graph.el", ("--depht", "3"), 2, "unrecognized arguments: --depht 3"),
    ],
)
def test_a_command_that_is_wrong_at_all_ranks_is_told_once(
    graph: str, options: tuple[str, ...], code: int, said: str, folder: Path
) -> None:
    place = graph if graph == "-" else str(folder / graph)
    done = run(2, "-m", "spbfs", "bfs", place, "--source", "0", "--distributed", *options)
    assert done.returncode == code
    (line,) = errors(done)
    assert said in line


def test_the_command_says_what_is_wrong_once(folder: Path) -> None:
    graph = str(folder / "graph.sg")
    done = run(2, "-m", "spbfs", "bfs", graph, "--source", "999", "--distributed")
    assert done.returncode == 1
    (line,) = errors(done)
    assert "--source: expected 0 <= source < 128, got 999" in line
    assert "Traceback" not in done.stderr
