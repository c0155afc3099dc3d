"""Threads, forks and Ctrl-C around composed operations."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring
from spbfs.objects.waiting import as_it_is
from spbfs.storage.entries import vector_entries

N = 5_000


def graph() -> Any:
    rng = np.random.default_rng(7)
    keys = np.unique(rng.integers(0, N * N, 8 * N))
    return Matrix.from_coo(keys // N, keys % N, True, nrows=N, ncols=N)


def search(A: Any, source: int) -> list[Any]:
    q = Vector(bool, N)
    q[source] = True
    levels = Vector(int, N)
    depth = 0
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace, threads=2) << semiring.any_pair(q @ A)
        depth += 1
    return [a.tolist() for a in levels.to_coo()]


def test_threads_share_a_matrix() -> None:
    """They derive its transpose and its caches at the same time."""
    wanted = [search(graph(), k) for k in range(4)]
    A, wrong = graph(), []

    def run(k: int) -> None:
        wrong.extend(k for _ in range(3) if search(A, k) != wanted[k])

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_readers_wait_for_elements_set_one_at_a_time(device: str) -> None:
    for _ in range(10):
        v = Vector(int, 200, device=device)
        for i in range(200):
            v[i] = i
        sums: list[Any] = []
        threads = [
            threading.Thread(target=lambda v=v, s=sums: s.append(v.reduce().new().value))
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sums == [199 * 100] * 6


@pytest.fixture
def often_switched() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def beside_readers(read: Any, write: Any) -> list[Any]:
    """What went wrong in three threads that read for as long as this one writes."""
    wrong: list[Any] = []
    done = threading.Event()

    def reading() -> None:
        try:
            while not done.is_set():
                read()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=reading) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        write()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    return wrong


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("dense", [False, True])
def test_no_element_of_a_vector_is_lost_beside_readers(device: str, dense: bool) -> None:
    n = 3_000 if device != "cpu" else 20_000
    v = Vector.from_coo(range(0, n, 2), 1.0, size=n, device=device) if dense else Vector(float, n)
    v = v.to(device)

    def read() -> None:
        indices, values = v.to_coo()
        assert (np.diff(indices) > 0).all() and (values == 1).all()

    def write() -> None:
        for i in range(n):
            v[i] = 1.0

    assert beside_readers(read, write) == []
    assert v.nvals == n


@pytest.mark.usefixtures("often_switched")
def test_no_element_of_a_matrix_is_lost_beside_readers(device: str) -> None:
    n = 400 if device != "cpu" else 3_000
    A = Matrix.from_coo(range(n), range(n), 2.0, device=device)
    counts = []

    def write() -> None:
        for i in range(n):
            A[i, (i * 7 + 1) % n] = 1.0
            if i % 3 == 0:
                del A[i, i]

    def read() -> None:
        counts.append(A.nvals)
        A.reduce_rowwise("plus").new()

    assert beside_readers(read, write) == []
    lost = [i for i in range(n) if A.get(i, (i * 7 + 1) % n) != 1]
    left = [i for i in range(0, n, 3) if i != (i * 7 + 1) % n and A.get(i, i) is not None]
    assert (lost, left) == ([], [])


def test_what_is_read_more_than_once_stays_as_it_is(device: str) -> None:
    A = Matrix.from_coo([0, 1], [1, 2], [1.0, 2.0], nrows=3, ncols=3, device=device)
    held, turned = as_it_is(A), as_it_is(A.T)
    A[0, 1] = 9.0
    A[2, 0] = 3.0
    del A[1, 2]
    assert A.to_dicts() == {0: {1: 9.0}, 2: {0: 3.0}}
    assert held.to_dicts() == {0: {1: 1.0}, 1: {2: 2.0}}
    assert turned.to_dicts() == {1: {0: 1.0}, 2: {1: 2.0}}
    assert held.device == turned.device == device


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("method", ["auto", "composed"])
def test_a_search_for_all_paths_has_one_graph(device: str, method: Any) -> None:
    """Levels, edges and numbers of paths are of the graph as it was at one time."""
    n = 60 if device != "cpu" else 5_000
    A = Matrix.from_coo(range(n - 1), range(1, n), True, nrows=n, ncols=n, device=device)

    def write() -> None:
        for i in range(1, n):
            A[i, (i * 7 + 1) % n] = True
            del A[i, (i + 1) % n if i % 3 == 0 else 0]

    def read() -> None:
        found = sb.bfs_dag(A, 0, method=method)
        levels, (rows, cols, _) = found.levels.to_dict(), found.edges.to_coo()
        assert all(levels[u] + 1 == levels[v] for u, v in zip(rows, cols, strict=True))
        assert {0, *cols.tolist()} == set(levels)
        ends = dict.fromkeys(levels, 0.0) | {0: 1.0}
        for u, v in sorted(zip(rows, cols, strict=True), key=lambda edge: levels[edge[0]]):
            ends[v] += ends[u]
        assert ends == found.paths.to_dict()

    assert beside_readers(read, write) == []


@pytest.mark.usefixtures("often_switched")
@pytest.mark.parametrize("kind", ["vector", "matrix"])
def test_objects_are_compared_beside_a_writer(device: str, kind: str) -> None:
    n = 300 if device != "cpu" else 3_000
    x: Any = Vector(float, n, device=device)
    if kind == "matrix":
        x = Matrix(float, n, n, device=device)
    empty = x.dup()

    def read() -> None:
        assert x.isequal(x) and x.isclose(x)
        x.isequal(empty)
        empty.isclose(x)

    def write() -> None:
        for i in range(n):
            x[i if x.ndim == 1 else (i, i)] = 1.0

    assert beside_readers(read, write) == []
    assert x.nvals == n and not x.isequal(empty)


class RestlessVector(Vector):
    """Whenever it was read a thread has set another element, and deleted one."""

    def _ready(self) -> Any:
        data = super()._ready()
        at = int(vector_entries(data)[0][0])
        del self[at]
        self[at + 20] = 100.0
        return data


class RestlessMatrix(Matrix):
    def _ready(self) -> Any:
        data = super()._ready()
        at = int(data.indices[0])
        del self[0, at]
        self[0, at + 20] = 100.0
        return data


ONE_READ = {
    "isequal": lambda x, same: x.isequal(same),
    "isequal, turned round": lambda x, same: same.isequal(x),
    "isequal, itself": lambda x, _: x.isequal(x),
    "isclose": lambda x, same: x.isclose(same),
    "iteritems": lambda x, _: list(x.ss.iteritems()),
    **{
        name: lambda x, _, name=name: (x.reduce if x.ndim == 1 else x.reduce_scalar)(name).value
        for name in ("mean", "vars", "first", "last", "peak_to_peak")
    },
    "argmax": lambda x, _: x.ndim == 2 or x.reduce("argmax").value,
    "of rows": lambda x, _: x.ndim == 1 or x.reduce_rowwise("mean").new().to_dict(),
    "to_coo": lambda x, _: [a.tolist() for a in x.to_coo()],
    "to_dense": lambda x, _: x.to_dense(0).tolist(),
    "scipy": lambda x, _: x.ndim == 1 or x.to_scipy().toarray().tolist(),
}


@pytest.mark.parametrize("name", ONE_READ)
@pytest.mark.parametrize("ndim", [1, 2])
def test_an_operation_reads_an_operand_once(name: str, ndim: int) -> None:
    x: Any = RestlessVector(float, 40) if ndim == 1 else RestlessMatrix(float, 1, 40)
    x << (Vector if ndim == 1 else Matrix)(float, *x.shape)
    same: Any = (Vector if ndim == 1 else Matrix)(float, *x.shape)
    for i in (2, 5, 7):
        at = i if ndim == 1 else (0, i)
        x[at] = same[at] = i
    assert ONE_READ[name](x, same) == ONE_READ[name](same, same)


@pytest.mark.usefixtures("often_switched")
def test_no_element_is_lost_between_two_writers(device: str) -> None:
    n = 400 if device != "cpu" else 3_000
    A = Matrix.from_coo(range(n), range(n), 2.0, device=device)

    def every_second(first: int) -> None:
        for i in range(first, n, 2):
            A[i, (i + 1) % n] = 1.0
            if i % 50 < 2:
                A.wait()

    other = threading.Thread(target=every_second, args=(1,))
    other.start()
    every_second(0)
    other.join()
    assert [i for i in range(n) if A.get(i, (i + 1) % n) is None] == []


def test_what_could_not_be_applied_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    for x, place in ((Vector(int, 5), 2), (Matrix(int, 3, 3), (1, 2))):
        x[place] = 7
        with monkeypatch.context() as failing:
            failing.setattr(type(x), "_apply_pending", lambda self: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                x.to_coo()
        assert x[place].value == 7 and x.to_coo()[-1].tolist() == [7]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_goes_on() -> None:
    """The parallel runtime of the parent must not hang a child forked after it has started."""
    program = textwrap.dedent(
        """
        import os, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        sys.path.insert(0, sys.argv[1])
        from test_concurrency import graph, search, semiring
        A = graph()
        wanted = search(A, 0)
        semiring.plus_pair(A @ A).new(mask=A.S, threads=2)
        child = os.fork()
        if child == 0:
            semiring.plus_pair(A @ A).new(mask=A.S, threads=2)
            os._exit(0 if search(A, 0) == wanted else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    command = [sys.executable, "-c", program, os.path.dirname(__file__)]
    assert subprocess.run(command, timeout=60).returncode == 0


def test_ctrl_c_ends_a_matrix_product() -> None:
    program = textwrap.dedent(
        """
        import numpy as np
        from spbfs import Matrix, semiring
        n = 20_000
        keys = np.unique(np.random.default_rng(0).integers(0, n * n, 1_000_000))
        A = Matrix.from_coo(keys // n, keys % n, np.ones(len(keys)), nrows=n, ncols=n)
        print("ready", flush=True)
        try:
            for _ in range(100):
                semiring.plus_times(A @ A).new(mask=~A.S)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    started = time.perf_counter()
    out, err = process.communicate(timeout=60)
    assert (out, process.returncode) == ("stopped\n", 0), err
    assert time.perf_counter() - started < 5
