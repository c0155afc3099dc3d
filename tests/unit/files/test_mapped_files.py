"""Files that calls write to in place, under fire: other calls, full disks, somebody with scissors.

What would end a process by a signal runs in a process of its own.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.algorithms.bfs_many import prepare
from spbfs.exceptions import FileBusy, FileError, FormatError

ROOT = Path(__file__).parents[3]
N = 64


@pytest.fixture(params=[True, False], ids=["joined", "one by one"])
def joined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(prepare, "searches_meet", lambda *_: request.param)
    return bool(request.param)


def process(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python that runs `program` with NumPy, os, sys and spbfs imported; errors are printed."""
    lines = textwrap.indent(textwrap.dedent(program), "    ")
    text = (
        "import os, sys, numpy as np, spbfs as sb\ntry:\n" + lines + "\nexcept sb.exceptions."
        "SpbfsError as error:\n    print(type(error).__name__, error)\n    sys.exit(3)"
    )
    return subprocess.Popen(
        [sys.executable, "-c", text, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def finished(program: str, *arguments: object) -> tuple[int, str]:
    with process(program, *arguments) as started:
        out, _ = started.communicate(timeout=120)
    return started.returncode, out


# -- several calls ---------------------------------------------------------------------------------


def test_two_processes_write_one_file_of_levels(tmp_path: Path) -> None:
    path = tmp_path / "two.npy"
    program = """
    A = sb.generate.uniform(20_000, 4, seed=1)
    sb.bfs_many(A, range(1500), outputs={"levels": sys.argv[1]}, batch=64)
    """
    started = [process(program, path) for _ in range(3)]
    outs = [each.communicate(timeout=120)[0] for each in started]
    ended = [each.returncode for each in started]
    assert set(ended) <= {0, 3} and 0 in ended, ended
    for code, out in zip(ended, outs, strict=True):
        assert (out == "") if code == 0 else out.startswith("FileBusy outputs: ")
    A = sb.generate.uniform(20_000, 4, seed=1)
    assert (np.load(path) == sb.bfs_many(A, range(1500)).levels).all()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["two.npy", "two.npy.progress.npz"]


@pytest.mark.parametrize("locks", [True, False])
def test_a_file_that_a_call_is_writing_is_refused_to_others(
    locks: bool, joined: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    if not locks:
        monkeypatch.setattr("fcntl.flock", no_locks)
    path, link = tmp_path / "levels.npy", tmp_path / "link.npy"
    link.symlink_to(path)
    A, refused = sb.generate.path(N), []

    def again(*_: int) -> None:
        for name in (path, link):
            with pytest.raises(FileBusy, match="is being written by") as error:
                sb.bfs_many(A, range(N), outputs={"levels": name}, batch=16)
            refused.append(error.value)

    found = sb.bfs_many(A, range(N), outputs={"levels": path}, batch=16, progress=again)
    assert refused and (found.levels == sb.bfs_many(A, range(N)).levels).all()
    assert {p.name for p in tmp_path.iterdir()} == {
        path.name,
        link.name,
        f"{path.name}.progress.npz",
    }
    sb.bfs_many(A, range(N), outputs={"levels": link})


def test_a_call_goes_on_where_a_killed_one_was(tmp_path: Path) -> None:
    path = tmp_path / "levels.npy"
    program = """
    from spbfs.base import progress
    progress.BETWEEN_SAVES = 0.0
    def die(ended, *_):
        if ended == 32:
            os.kill(os.getpid(), 9)
    sb.bfs_many(sb.generate.path(64), range(64), outputs={"levels": sys.argv[1]}, batch=16,
                group="given", progress=die)
    """
    assert finished(program, path)[0] == -signal.SIGKILL
    ended: list[int] = []
    A = sb.generate.path(N)
    found = sb.bfs_many(
        A, range(N), outputs={"levels": path}, batch=1, progress=lambda n, *_: ended.append(n)
    )
    assert ended[0] > 16
    assert (found.levels == sb.bfs_many(A, range(N)).levels).all()


def test_a_file_that_has_all_levels_is_left_as_it_is(tmp_path: Path) -> None:
    path, A = tmp_path / "levels.npy", sb.generate.uniform(20_000, 2, seed=1)
    first = sb.bfs_many(A, range(20), outputs={"levels": path})
    changed = os.stat(path).st_mtime_ns
    second = sb.bfs_many(A, range(20), outputs={"levels": path})
    assert (second.levels == first.levels).all() and os.stat(path).st_mtime_ns == changed


def test_threads_that_write_one_file(tmp_path: Path) -> None:
    path, A = tmp_path / "g.npz", sb.generate.uniform(2000, 8, seed=1)
    failed: list[BaseException] = []

    def write() -> None:
        try:
            for _ in range(10):
                sb.write(path, A)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert sb.read(path).isequal(A)
    assert [p.name for p in tmp_path.iterdir()] == ["g.npz"]


# -- room on the disk ------------------------------------------------------------------------------


@pytest.mark.parametrize("allocates", [True, False])
def test_the_disk_has_room_before_anything_is_searched(
    allocates: bool, joined: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    if not allocates:
        monkeypatch.setattr("os.posix_fallocate", unsupported)
    path, mine = tmp_path / "levels.npy", tmp_path / "mine.npy"
    n = 4096
    room: list[int] = []
    A = sb.generate.star(n)
    out = np.lib.format.open_memmap(mine, "w+", np.uint8, (n, n))

    for place, file in ((path, path), (out, mine)):
        room.clear()
        sb.bfs_many(
            *(A, range(n)),
            outputs={"levels": place},
            max_depth=0,
            batch=64,
            progress=lambda *_, file=file: room.append(os.stat(file).st_blocks * 512),
        )
        assert room[0] >= n * n


def test_a_resumed_file_gets_its_room_too(tmp_path: Path) -> None:
    path, A, n = tmp_path / "levels.npy", sb.generate.star(2048), 2048

    def stop(ended: int, *_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sb.bfs_many(A, range(n), outputs={"levels": path}, batch=64, progress=stop)
    content = path.read_bytes()
    with open(path, "wb") as file:  # as a copy that leaves out zeros
        file.write(content[: n * 64])
        file.truncate(len(content))
    sb.bfs_many(A, range(n), outputs={"levels": path}, batch=64)
    assert os.stat(path).st_blocks * 512 >= n * n


FULL: dict[str, str] = {
    "levels": """
    A = sb.generate.star(4000)
    sb.bfs_many(A, range(4000), outputs={"levels": f"{folder}/levels.npy"})
    """,
    "levels of a disk that says it has room": """
    import shutil, types
    shutil.disk_usage = lambda path: types.SimpleNamespace(free=1 << 40)
    A = sb.generate.star(4000)
    sb.bfs_many(A, range(4000), outputs={"levels": f"{folder}/levels.npy"})
    """,
    "levels of a disk that promises too much": """
    import shutil, types
    shutil.disk_usage = lambda path: types.SimpleNamespace(free=1 << 40)
    os.posix_fallocate = lambda *_: None
    A = sb.generate.star(4000)
    sb.bfs_many(A, range(4000), outputs={"levels": f"{folder}/levels.npy"})
    """,
    "out": """
    out = np.lib.format.open_memmap(f"{folder}/out.npy", "w+", np.uint8, (4000, 4000))
    sb.distances(sb.generate.star(4000), out=out)
    """,
    "out of a disk that promises too much": """
    os.posix_fallocate = lambda *_: None
    out = np.memmap(f"{folder}/out.bin", np.uint8, "w+", 0, (4000, 4000))
    sb.distances(sb.generate.star(4000), out=out[:])
    """,
    "a graph": """
    sb.write(f"{folder}/g.sg", sb.generate.complete(700))
    """,
    "a graph as text": """
    sb.write(f"{folder}/g.mtx", sb.generate.complete(700))
    """,
    "an index": """
    sb.KHopIndex(sb.generate.star(3000), k=1).save(f"{folder}/index.npz")
    """,
}


def run_on_a_small_disk(folder: Path, program: str) -> tuple[int, str]:
    """The program, with `folder` a file system of 1 MB, if the system lets anybody mount one."""
    (folder / "run.py").write_text(program)
    mounted = (
        f"mount -t tmpfs -o size=1M none {folder}/small && exec {sys.executable} {folder}/run.py"
    )
    done = subprocess.run(
        ["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", mounted],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


#: A file of its own that a program maps cannot be made under a limit of the size of files.
LIMITS = [("small disk", case) for case in FULL] + [
    ("size of files", case) for case in FULL if not case.startswith("out")
]


@pytest.mark.parametrize(("limit", "case"), LIMITS)
def test_a_full_disk_is_a_typed_error(limit: str, case: str, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    header = f"import os, numpy as np, spbfs as sb\nfolder = {str(small)!r}\n"
    if limit == "small disk":
        probe = run_on_a_small_disk(tmp_path, "print('mounted')")
        if probe != (0, "mounted\n"):
            pytest.skip(f"no file system can be mounted here: {probe[1]}")
    else:
        header += "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))\n"
    lines = textwrap.indent(textwrap.dedent(FULL[case]), "    ")
    program = (
        header + "try:\n" + lines + "\nexcept sb.exceptions.FileError as error:\n"
        "    print(error, os.listdir(folder))\n"
    )
    if limit == "small disk":
        code, said = run_on_a_small_disk(tmp_path, program)
    else:
        (tmp_path / "run.py").write_text(program)
        done = subprocess.run(
            [sys.executable, tmp_path / "run.py"], capture_output=True, text=True, check=False
        )
        code, said = done.returncode, done.stdout + done.stderr
    assert code == 0, said
    assert said.count("\n") == 1, said
    left = said[said.rindex("[") :]
    assert "making" not in left and "partial" not in left and "lock" not in left
    assert any(reason in said for reason in ("No space left", "File too large", "free", "is full"))


# -- somebody cuts the file ------------------------------------------------------------------------

CUT = {
    "levels": """
    def cut(*_):
        os.truncate(sys.argv[1], 0)
    sb.bfs_many(A, range(4096), outputs={"levels": sys.argv[1]}, batch=256, progress=cut)
    """,
    "out": """
    out = np.lib.format.open_memmap(sys.argv[1], "w+", np.uint8, (4096, 4096))
    def cut(*_):
        os.truncate(sys.argv[1], 100_000)
    sb.distances(A, out=out, progress=cut)
    """,
    "part of a map": """
    whole = np.memmap(sys.argv[1], np.uint8, "w+", 64, (2, 4096, 4096))
    os.truncate(sys.argv[1], 4096 * 4096)
    sb.distances(A, out=whole[1])
    """,
}


@pytest.mark.parametrize("case", CUT)
@pytest.mark.parametrize("join", [True, False])
def test_a_file_that_somebody_cuts_is_a_typed_error(case: str, join: bool, tmp_path: Path) -> None:
    path = tmp_path / "levels.npy"
    begin = f"""
    from spbfs.algorithms.bfs_many import prepare
    prepare.searches_meet = lambda *_: {join}
    A = sb.generate.star(4096)
    """
    code, out = finished(begin + CUT[case], path)
    assert code == 3, (code, out)
    name = "out" if "distances" in CUT[case] else "outputs"
    assert out.startswith(f"FileError {name}: ") and "lost pages" in out
    if case == "levels":
        with pytest.raises((FormatError, FileError)):
            sb.bfs_many(sb.generate.star(4096), range(4096), outputs={"levels": path})


def test_other_faults_end_a_process_as_before(tmp_path: Path) -> None:
    """Only guarded memory is replaced, and only while it is guarded."""
    program = """
    mine = np.memmap(sys.argv[1], np.uint8, "w+", 0, (1 << 20,))
    os.truncate(sys.argv[1], 0)
    A = sb.generate.star(64)
    out = np.memmap(sys.argv[1] + ".out", np.uint8, "w+", 0, (64, 64))
    def touch(*_):
        mine[5000] = 1
    sb.distances(A, out=out, progress=%s)
    print("out was written", flush=True)
    mine[5000] = 1
    """
    for progress, said in (("touch", ""), ("None", "out was written\n")):
        path = tmp_path / f"{progress}.bin"
        assert finished(program % progress, path) == (-signal.SIGBUS, said)


def test_room_and_guard_leave_arrays_alone(tmp_path: Path) -> None:
    A, n = sb.generate.path(N), N
    expected = sb.distances(A)
    places: dict[str, Any] = {
        "own": np.empty((n, n), np.uint8),
        "part": np.empty((2, n, n), np.uint8)[1],
        "mapped": np.memmap(tmp_path / "a.bin", np.uint8, "w+", 0, (n, n)),
        "private": np.memmap(tmp_path / "a.bin", np.uint8, "c", 0, (n, n)),
    }
    shutil.copy(tmp_path / "a.bin", tmp_path / "b.bin")
    places["gone"] = np.memmap(tmp_path / "b.bin", np.uint8, "r+", 0, (n, n))
    (tmp_path / "b.bin").unlink()
    for name, out in places.items():
        assert sb.distances(A, out=out) is out, name
        assert (out == expected).all(), name


# -- memory ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read memory from")
@pytest.mark.parametrize("output", ["levels", "parents"])
def test_all_pairs_take_a_part_of_the_file_in_memory(tmp_path: Path, output: str) -> None:
    path = tmp_path / "pairs.npy"
    program = """
    from spbfs.algorithms.bfs_many.outputs import filled as outputs
    def memory(name):
        (line,) = (l for l in open("/proc/self/status") if l.startswith(name))
        return 1024 * int(line.split()[1])
    outputs._MOST_RESIDENT = 1 << 21
    A = sb.generate.kronecker(12, 8, seed=1)
    sb.bfs_many(A, range(512), outputs=sys.argv[2], batch=64)
    before = memory("VmHWM")
    k = A.nrows if sys.argv[2] == "levels" else A.nrows // 4
    found = sb.bfs_many(A, range(k), outputs={sys.argv[2]: sys.argv[1]}, batch=64)
    most, held = memory("VmHWM") - before, found.done.all()
    again = sb.bfs_many(A, range(k), outputs={sys.argv[2]: sys.argv[1]}, batch=64)
    print(most, memory("VmHWM") - before, held and again.done.all(), again.edges == found.edges)
    """
    code, out = finished(program, path, output)
    assert code == 0, out
    most, again, done, same = out.split()
    assert path.stat().st_size > 1 << 24
    assert int(most) < 1 << 23 and int(again) < 1 << 23
    assert done == same == "True"
    single = sb.bfs(sb.generate.kronecker(12, 8, seed=1), 77)
    if output == "levels":
        assert np.array_equal(np.load(path)[77], np.asarray(single.levels.to_dense(255)))
