"""Calls with a checkpoint that are killed, interrupted in a kernel, or left without a disk."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import FileError, FormatError, InvalidValue
from tests.processes import finished

CALLS = {
    "closeness": "sb.closeness(A, range(96), **more)",
    "betweenness": "sb.betweenness(A, range(96), batch=8, **more).to_dense()",
    "sampled harmonic": "sb.harmonic(A, samples=96, **more)",
    "eccentricity": "sb.eccentricity(A, range(96), **more)",
    "khop_sizes": "sb.khop_sizes(A, 3, range(96), **more)",
}
PARENTS = (
    "sb.bfs_many(A, range(96), outputs={'parents': path}, batch=8, "
    "progress=more['progress']).parents"
)
BEGIN = """
import os, signal, sys, threading, numpy as np, spbfs as sb
from spbfs.algorithms import checkpoint
from spbfs.base import progress
from spbfs.algorithms.rank import closeness
from spbfs.planner import many
progress.BETWEEN_SAVES = checkpoint._WORK_PER_SAVE = 0.0
closeness._LEVELS_HELD = many.LANES = 8
A = sb.generate.grid2d(12)
path = sys.argv[1]
more = {"checkpoint": path}
"""


run = partial(finished, BEGIN)


def called(call: str, path: Path, dies_at: int = 0) -> tuple[list[int], Any]:
    """What a process that makes the call was told of, and found unless it was killed."""
    program = f"""
    def die(ended, *_):
        if ended >= int(sys.argv[3]) > 0:
            os.kill(os.getpid(), signal.SIGKILL)
        print(ended, flush=True)
    more["progress"] = die
    found = {call}
    np.save(sys.argv[2], found)
    """
    output = path.with_name("found.npy")
    done = run(program, path, output, dies_at)
    assert done.returncode == (-signal.SIGKILL if dies_at else 0), done.stderr
    return [int(word) for word in done.stdout.split()], None if dies_at else np.load(output)


@pytest.mark.parametrize("name", CALLS)
def test_a_killed_call_goes_on(name: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    told, _ = called(CALLS[name], path, dies_at=40)
    told_again, found = called(CALLS[name], path)
    # The one that was killed had written down all but what it was told of last.
    assert told_again[0] > told[-1] > 20
    told_afresh, expected = called(CALLS[name], tmp_path / "other.npz")
    assert told_afresh[0] <= 16
    np.testing.assert_array_equal(found, expected)


def test_parents_of_a_killed_call_stay(tmp_path: Path) -> None:
    """Rows that had ended are left as they were.  The others are compared with no other call's:
    any tree is right, and which one two threads find depends on who comes first."""
    path = tmp_path / "kept.npy"
    told, _ = called(PARENTS, path, dies_at=40)
    with np.load(f"{path}.progress.npz") as progress:
        done = progress["done"]
    kept = np.load(path)[done]
    told_again, found = called(PARENTS, path)
    assert told_again[0] > done.sum() > told[-1] > 20
    np.testing.assert_array_equal(found[done], kept)
    for source in range(96):
        sb.verify.bfs_tree(sb.generate.grid2d(12), source, found[source])


def test_control_c_in_the_middle_of_a_batch_leaves_no_half_of_it(tmp_path: Path) -> None:
    """What is saved then are the batches that ended."""
    program = """
    A = sb.generate.uniform(100_000, 8, seed=1)
    def soon(ended, *_):
        if ended == 32:
            threading.Timer(0.01, signal.raise_signal, [signal.SIGINT]).start()
    try:
        sb.betweenness(A, range(96), batch=32, threads=1, progress=soon, **more)
    except KeyboardInterrupt:
        print(int(np.load(path)["done"][0]))
    """
    path = tmp_path / "kept.npz"
    done = run(program, path)
    assert done.returncode == 0 and done.stdout == "32\n", done
    A = sb.generate.uniform(100_000, 8, seed=1)
    found = sb.betweenness(A, range(96), batch=32, checkpoint=path)
    assert found.isequal(sb.betweenness(A, range(96), batch=32))


def test_a_checkpoint_of_something_else(tmp_path: Path) -> None:
    A, B = sb.generate.grid2d(6), sb.generate.grid2d(4, 9)
    path = tmp_path / "kept.npz"
    sb.betweenness(A, range(8), checkpoint=path)
    content = path.read_bytes()
    for call in (
        lambda: sb.betweenness(B, range(8), checkpoint=path),
        lambda: sb.betweenness(A, range(9), checkpoint=path),
        lambda: sb.harmonic(A, samples=8, checkpoint=path),
        lambda: sb.khop_sizes(A, 2, range(8), checkpoint=path),
        lambda: sb.eccentricity(A, range(8), checkpoint=path),
    ):
        with pytest.raises(InvalidValue, match=r"^checkpoint: .* of another graph"):
            call()
    assert path.read_bytes() == content
    # It is nobody's matter where the searches are made that go on.
    elsewhere = sb.betweenness(A.to("reference"), range(8), checkpoint=path)
    assert elsewhere.to("cpu").isequal(sb.betweenness(A, range(8)))
    kept = dict(np.load(path))
    for damage in ({"done": np.array([9, 1])}, {"done": np.array([1.5, 1])}, {"total": np.ones(3)}):
        np.savez(path, **(kept | damage))
        with pytest.raises(FormatError, match=r"kept\.npz"):
            sb.betweenness(A, range(8), checkpoint=path)


@pytest.mark.skipif(not os.path.exists("/dev/shm"), reason="needs a folder of a size of its own")
def test_a_full_disk_is_an_error_of_ours(tmp_path: Path) -> None:
    """A limit of a file's size stands in for the disk: what was kept before stays."""
    program = """
    import resource
    A = sb.generate.grid2d(200)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
        sb.betweenness(A, range(16), batch=8, **more)
    except sb.exceptions.FileError as error:
        print(error)
    """
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path = tmp_path / "kept.npz"
    done = run(program, path, 100_000)
    assert done.returncode == 0 and "kept.npz" in done.stdout, done
    assert not path.exists()
    A = sb.generate.grid2d(200)
    sb.betweenness(A, range(16), checkpoint=path)
    content = path.read_bytes()
    assert run(program, path, 100_000).returncode == 0
    assert path.read_bytes() == content
    with pytest.raises(FileError):
        sb.betweenness(A, range(16), checkpoint=tmp_path / "absent" / "kept.npz")
