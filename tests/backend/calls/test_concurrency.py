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

from spbfs import Matrix, Vector, replace, semiring

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
