"""The interpreter's exit and forks while kernels run: in processes, several times each.

Chance decides what a thread is at when the process ends or forks, so every case is tried at several
moments.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.processes import finished

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

#: What takes seconds, on four threads whatever the machine has, and what it should come to.
WORK = """
import os, signal, sys, threading, time, warnings
import numpy as np, spbfs as sb
from spbfs import _cpu
from spbfs.planner import many
warnings.simplefilter("ignore", DeprecationWarning)
_cpu.pretend_cores(4)
sb.set_threads(4)
square = sb.generate.kronecker(10, seed=1).apply(sb.unary.one["FP64"]).new()
grid = sb.generate.grid2d(250)
far = np.arange(1 << 16) << 43
path = sb.BFSPlan(sb.generate.path(5_000))
WORK = {
    "pull": lambda: path.run(0, direction="pull").depth,
    "mxm": lambda: [sb.semiring.plus_times(square @ square).new().nvals for _ in range(2)][-1],
    "joined": lambda: sb.bfs_many(square, [*range(1024)] * 8, outputs="reached").reached.sum(),
    "one by one": lambda: sb.bfs_many(grid, range(0, 250, 12), outputs="reached").reached.sum(),
    "hypersparse": lambda: sb.Matrix.from_coo(far, far[::-1], 1, nrows=2**60, ncols=2**60).nvals,
    "betweenness": lambda: round(sb.betweenness(square, range(96)).to_dense().sum(), 9),
}
"""
NAMES = ("pull", "mxm", "joined", "one by one")


def run(program: str, *arguments: object, begin: str = WORK) -> None:
    done = finished(begin, program, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# -- exit ------------------------------------------------------------------------------------------

#: The parent forks a child for every moment, and says which did not end well.
AT_MOMENTS = """
for moment in np.linspace(0, float(sys.argv[2]), 4):
    child = os.fork()
    if child == 0:
        break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        print(moment, status)
else:
    os._exit(0)
signal.alarm(30)
"""


@pytest.mark.parametrize("name", [*NAMES, "hypersparse"])
def test_a_daemon_searches_while_the_interpreter_exits(name: str) -> None:
    """Python ends a daemon where it asks for the lock; in a kernel of ours it sleeps instead.

    NumPy's `unique`, which cannot be left that way either, is not called.
    """
    program = """
    def search():
        while True:
            WORK[sys.argv[1]]()
    for _ in range(2):
        threading.Thread(target=search, daemon=True).start()
    time.sleep(moment)
    """
    run(program, name, 0.3, begin=WORK + AT_MOMENTS)


def test_what_runs_at_exit_searches(tmp_path: Path) -> None:
    """Callbacks come in the opposite order: one before and one after those of the package."""
    big = tmp_path / "big.txt"
    big.write_text("".join(f"{i} {i + 1}\n" for i in range(300_000)), encoding="ascii")
    program = f"""
    import atexit
    def at_exit():
        for work in WORK.values():
            work()
        assert sb.read({str(big)!r}).nvals == 300_000
        child = os.fork()
        if child == 0:
            os._exit(0 if WORK["one by one"]() == expected else 1)
        assert os.waitpid(child, 0)[1] == 0
    expected = WORK["one by one"]()
    def forever():
        while True:
            WORK["mxm"]()
    threading.Thread(target=forever, daemon=True).start()
    atexit.register(at_exit)
    """
    run(program)


def test_a_search_ends_a_process_without_ceremony() -> None:
    program = """
    threading.Timer(moment, os._exit, [0]).start()
    WORK[sys.argv[1]]()
    time.sleep(10)
    """
    run(program, "betweenness", 0.2, begin=WORK + AT_MOMENTS)


# -- forks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_another_thread_forks_during_a_search(name: str) -> None:
    program = """
    expected = WORK[sys.argv[1]]()
    def search():
        while searching:
            WORK[sys.argv[1]]()
            A = sb.Vector(int, 100)
            for i in range(100):
                A[i] = i
            A.nvals
    searching = True
    others = [threading.Thread(target=search) for _ in range(2)]
    for thread in others:
        thread.start()
    for trial in range(3):
        time.sleep(0.02)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            v = sb.Vector(int, 5)
            v[3] = 1
            good = v.nvals == 1 and WORK[sys.argv[1]]() == expected
            os._exit(0 if good else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            print(trial, status)
    searching = False
    for thread in others:
        thread.join()
    """
    run(program, name)


def test_a_lock_that_another_thread_holds_is_free_in_the_child() -> None:
    program = """
    from spbfs.objects import waiting
    from spbfs.storage import derived
    for lock in (waiting.WAITING, derived.keeping):
        taken = threading.Event()
        def hold():
            with lock:
                taken.set()
                time.sleep(0.1)
        thread = threading.Thread(target=hold)
        thread.start()
        taken.wait()
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            v = sb.Vector(int, 5)
            v[3] = 1
            A = sb.generate.path(9)
            os._exit(0 if v.nvals == 1 and (A @ A.T).new().nvals and sb.bfs(A, 0).depth == 8 else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            print(status)
        thread.join()
    """
    run(program)


@pytest.mark.parametrize("name", NAMES)
def test_a_signal_handler_forks_during_a_search(name: str) -> None:
    """The child searches in the handler, leaves it, and ends the search that was under way."""
    program = """
    expected, parent, children = WORK[sys.argv[1]](), os.getpid(), []
    def fork(*_):
        children.append(os.fork())
        if children[-1] == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(60)
            if WORK[sys.argv[1]]() != expected:
                os._exit(2)
        elif len(children) < 3:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
    signal.signal(signal.SIGALRM, fork)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    while len(children) < 3 and os.getpid() == parent:
        found = WORK[sys.argv[1]]()
        assert found == expected, (found, expected)
    if os.getpid() != parent:
        os._exit(0 if found == expected and WORK[sys.argv[1]]() == expected else 3)
    for child in children:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            print(status)
    """
    run(program, name)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method: str, tmp_path: Path) -> None:
    program = """
    import multiprocessing, os, sys, warnings
    import numpy as np, spbfs as sb
    warnings.simplefilter("ignore", DeprecationWarning)

    A = sb.generate.kronecker(10, seed=1)

    def reached(source):
        found = sb.bfs_many(A, range(source, source + 70), outputs="reached", threads=2)
        return int(found.reached.sum()) + sb.bfs(A, source, threads=2).reached

    if __name__ == "__main__":
        expected = [reached(source) for source in range(6)]
        with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
            assert pool.map(reached, range(6)) == expected
    """
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(program), encoding="utf-8")
    root = os.pathsep.join(filter(None, [os.getcwd(), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, str(script), method],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert (done.returncode, done.stderr) == (0, "")
