"""Searches and the process they run in: memory, results kept, threads, forks and Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from bfs_cases import GRAPHS, dense, kronecker_like, matrix, queue_search

import spbfs as sb


def test_results_outlive_the_next_run(device: str) -> None:
    A = matrix(*GRAPHS["path"], device)
    plan = sb.BFSPlan(A)
    first = plan.run(0)
    kept = first.levels
    before = dense(kept).copy()
    del first
    gc.collect()
    second = plan.run(129)
    np.testing.assert_array_equal(dense(kept), before)
    np.testing.assert_array_equal(dense(second.levels), before[::-1])


def test_second_run_allocates_nothing() -> None:
    n = 200_000
    ring = np.arange(n)
    S = sp.coo_array((np.ones(n, bool), (ring, (ring + 1) % n)), shape=(n, n)).tocsr()
    A = sb.Matrix.from_scipy(S)
    plan = sb.BFSPlan(A)
    plan.run(0)
    held = plan.nbytes
    tracemalloc.start()
    try:
        for source in (1, 2, 3):
            plan.run(source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert plan.nbytes == held
    assert peak < n


def test_peak_memory_of_a_search_is_below_14_bytes_a_vertex() -> None:
    n = 300_000
    ring = np.arange(n)
    S = sp.coo_array((np.ones(n, bool), (ring, (ring + 1) % n)), shape=(n, n)).tocsr()
    A = sb.Matrix.from_scipy(sp.csr_array(S + S.T))
    tracemalloc.start()
    try:
        result = sb.bfs(A, 0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.reached == n
    assert 8 * n < peak <= 14 * n


def test_threads_share_a_matrix(device: str) -> None:
    S = kronecker_like(12, seed=6)
    A = sb.Matrix.from_scipy(S).to(device)
    sources = np.flatnonzero(np.diff(S.indptr))[: 2 if device == "reference" else 8]
    expected = [queue_search(S, [int(s)])[0] for s in sources]
    failures: list[str] = []

    def work() -> None:
        for _ in range(1 if device == "reference" else 10):
            for s, level in zip(sources, expected, strict=True):
                found = sb.bfs(A, int(s), threads=2)
                if not np.array_equal(dense(found.levels), level):
                    failures.append(f"source {s}")

    workers = [threading.Thread(target=work) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not failures


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_searches_on() -> None:
    S = kronecker_like(13, seed=7)
    A = sb.Matrix.from_scipy(S)
    hub = int(np.argmax(np.diff(S.indptr)))
    expected = dense(sb.bfs(A, hub, threads=3).levels)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(30)
            again = [dense(sb.bfs(A, hub, threads=3).levels) for _ in range(5)]
            status = 0 if all(np.array_equal(a, expected) for a in again) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_ctrl_c_ends_a_long_search_within_a_second() -> None:
    program = """
        import os, signal, threading, time
        import numpy as np, scipy.sparse as sp, spbfs as sb
        n = 400_000  # a path by pull alone: n levels that look at n vertices each, minutes of work
        ends = np.arange(n - 1)
        S = sp.coo_array((np.ones(n - 1, bool), (ends, ends + 1)), shape=(n, n)).tocsr()
        plan, sent = sb.BFSPlan(sb.Matrix.from_scipy(S)), []
        def interrupt():
            time.sleep(0.3)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            plan.run(0, direction="pull")
        except KeyboardInterrupt:
            late = time.monotonic() - sent[0]
        assert plan.run(0, direction="push").depth == n - 1
        print(late)
    """
    out = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert float(out.stdout) < 1.0
