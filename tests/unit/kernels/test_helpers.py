"""How many threads the kernels start: no more than there are cores, for all callers together."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: Prints the most threads seen beside those of Python, while `callers` of these search at once.
COUNT = """
import os, sys, threading, time
import numpy as np, spbfs as sb
from spbfs import _cpu
from spbfs.engines import get_engine
get_engine("cpu")
callers, threads = int(sys.argv[1]), int(sys.argv[2])
{limit}
A = sb.generate.kronecker(9, seed=1)
before, most, searching = len(os.listdir("/proc/self/task")), 0, True
def search():
    for _ in range(4):
        sb.semiring.plus_pair(A @ A).new(threads=threads)
        sb.betweenness(A, range(16), threads=threads)
others = [threading.Thread(target=search) for _ in range(callers)]
for thread in others:
    thread.start()
while any(thread.is_alive() for thread in others):
    most = max(most, len(os.listdir("/proc/self/task")) - callers - before)
    time.sleep(0.001)
# A thread that Python has done with may be a task for a moment longer.
ended = {{str(thread.native_id) for thread in others}}
while ended & set(os.listdir("/proc/self/task")):
    time.sleep(0.001)
_cpu.symmetric(np.arange((1 << 20) + 1), np.arange(1 << 20, dtype=np.int32), threads)
most = max(most, len(os.listdir("/proc/self/task")) - before)
print(most)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads in /proc")
@pytest.mark.parametrize(
    ("limit", "callers", "threads", "least", "most"),
    [
        ("os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})", 3, 8, 0, 0),
        ("_cpu.set_quota(1)", 3, 8, 0, 0),
        ("_cpu.pretend_cores(6)", 1, 4096, 5, 5),
        ("_cpu.pretend_cores(6)", 4, 6, 5, 5),
        ("_cpu.pretend_cores(6)", 2, 3, 2, 4),
    ],
)
def test_no_more_helpers_than_cores(
    limit: str, callers: int, threads: int, least: int, most: int
) -> None:
    command = [sys.executable, "-c", COUNT.format(limit=limit), str(callers), str(threads)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert least <= int(done.stdout) <= most


def test_reservations_count() -> None:
    program = """
    from spbfs import _cpu
    _cpu.pretend_cores(6)
    first, second, third = (_cpu.Reservation(3) for _ in range(3))
    assert (first.helpers, second.helpers, third.helpers) == (3, 2, 0)
    first.release()
    first.release()
    assert first.helpers == 0 and _cpu.Reservation(9).helpers == 3
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=60)


@pytest.mark.skipif(shutil.which("g++") is None, reason="compiled with g++, which is not here")
@pytest.mark.parametrize("options", [["-O2"], ["-O1", "-g", "-fsanitize=thread"]])
def test_crews_under_fire(options: list[str], tmp_path: Path) -> None:
    """Callers that come and go with teams of every size: every chunk once, no two the same worker.

    Once as it is, once under ThreadSanitizer, which knows what the order of memory promises.
    """
    program = tmp_path / "crews"
    command = ["g++", "-std=c++20", "-Wall", "-Wextra", *options, f"-I{ROOT / 'kernels'}"]
    source = str(Path(__file__).with_name("crews.cpp"))
    built = subprocess.run(
        [*command, source, "-o", str(program), "-pthread"], capture_output=True, text=True
    )
    if "tsan" in built.stderr:
        pytest.skip("the compiler has no ThreadSanitizer")
    assert built.returncode == 0, built.stderr
    # It cannot live with addresses drawn at random.
    still = ["setarch", "-R"] if shutil.which("setarch") else []
    run = subprocess.run([*still, str(program)], capture_output=True, text=True, timeout=100)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout
