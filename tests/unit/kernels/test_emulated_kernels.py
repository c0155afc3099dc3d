"""A selection of the tests of CUDA kernels, run on the CPU by ``tests/emulator``.

All that it can run, `make emulate` does.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

if shutil.which("g++") is None:
    pytest.skip("CUDA kernels are emulated with g++, which is not here", allow_module_level=True)
if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
    pytest.skip("CUDA kernels are emulated on Linux on x86-64", allow_module_level=True)

#: Tests, which of them, and the GPU that is emulated: the smallest shared memory, a gaming card's,
#: clusters, and the newest cards, which have little shared memory again.
SELECTED = (
    ("tests/cuda/lookahead/test_ahead.py", "test", "8.0"),
    ("tests/cuda/bfs_many/test_many.py", "awkward", "8.0"),
    ("tests/backend/bfs/test_traversal_loops.py", "cuda and (early or any_parent)", "8.0"),
    (
        "tests/cuda/bfs/test_fused_bfs.py",
        "tree and int32 and identity and not path and not lattice",
        "8.0",
    ),
    # The cluster tier.
    (
        "tests/cuda/bfs/test_fused_bfs.py",
        "records and tree and int32 and (star or loops or directed)",
        "9.0",
    ),
    ("tests/backend/bfs/test_bfs_engines.py", "cuda", "8.0"),
    ("tests/backend/bfs/test_strategies.py", "cpu+cuda and not refused", "8.0"),
    ("tests/backend/bfs/test_residences.py", "test", "8.0"),
    ("tests/cuda/expansion/test_lane_counts.py", "windows_hold and (random or star)", "8.0"),
    (
        "tests/cuda/algorithms/test_algorithms_on_gpu.py",
        "stars and (int32 or shortest and float32) and not way",
        "8.0",
    ),
    ("tests/cuda/bfs_many/test_several_gpus.py", "once or there", "8.0"),
    ("tests/dist/test_gpus.py", "counts or serves or share or raises or 3-ladder", "8.0"),
    (
        "tests/cuda/peers/test_peers.py",
        "cannot or command or kept or several and edges or three and loops or one_device and late",
        "8.0",
    ),
    ("tests/cuda/runtime/test_pinned.py", "quarter or lie or made_by or auto_is or trace", "8.0"),
    *(("tests/cuda/runtime/test_limits.py", "test", gpu) for gpu in ("7.5", "9.0 slice")),
    ("tests/cuda/runtime/test_usual_products.py", "test", "9.0"),
    ("tests/cuda/bfs_many/test_groups_on_gpu.py", "test", "7.5"),
    ("tests/backend/products/test_products_by_rows.py", "cuda and not any_", "7.5"),
    ("tests/cuda/products/test_algebra_on_gpu.py", "spelled_out", "8.0"),
    *(
        ("tests/cuda/bfs_many/test_many.py", "awkward and (star or loops or directed)", gpu)
        for gpu in ("7.5", "8.9", "9.0", "12.0")
    ),
    *(
        ("tests/cuda/bfs/test_fused_bfs.py", "tree and int32 and (star or loops) and hubs", gpu)
        for gpu in ("7.5", "8.9", "9.0", "12.0")
    ),
)
LONG = (
    ("tests/cuda/peers/test_peers.py", "three or dealt or uniform or directed or path", "9.0"),
    ("tests/cuda/bfs/test_fused_bfs.py", "records and depth_target", "9.0"),
    ("tests/cuda/runtime/test_pinned.py", "test", "9.0"),
    ("tests/backend/bfs/test_strategies.py", "cpu+cuda and (path or layouts or isolated)", "9.0"),
    *(("tests/cuda/runtime/test_limits.py", "test", gpu) for gpu in ("8.9", "12.0")),
)


@pytest.mark.parametrize(
    ("tests", "selected", "gpu"),
    [*SELECTED, *(pytest.param(*long, marks=pytest.mark.long) for long in LONG)],
)
def test_kernels_on_the_cpu(tests: str, selected: str, gpu: str) -> None:
    # A process of its own: the emulator stands in for CuPy and for the driver.  It may end by a
    # message of the emulator's, which pytest must not have caught (-s).
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", tests]
    places = [str(ROOT / "tests" / "emulator"), os.environ.get("PYTHONPATH", "")]
    run = subprocess.run(
        [*command, "-k", selected],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, places)),
            "EMULATED_GPU": gpu,
        },
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "skipped" not in run.stdout, run.stdout[-4000:]
