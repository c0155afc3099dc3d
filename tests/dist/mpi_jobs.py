"""Programs at several ranks: processes of mpiexec, or what a test should see of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

#: Open MPI starts as root, or more ranks than there are cores, only if it is told to, and binds
#: each rank to one; versions 4 and 5 have names of their own for it.
OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parents[2]


def mpiexec() -> str:
    """The launcher: of the environment that runs the tests, or the system's."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    beside = shutil.which("mpiexec", path=sysconfig.get_path("scripts"))
    found = beside or shutil.which("mpiexec")
    if found is None:
        pytest.skip("no mpiexec: pip install 'spbfs[mpi]' brings one")
    return found


def run(ranks: int, *command: str, seconds: float = 200) -> subprocess.CompletedProcess[str]:
    """Run ``python *command`` at so many ranks; `TimeoutExpired` when it hangs."""
    environment = {**OPEN_MPI, **os.environ, "OMP_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [mpiexec(), "-n", str(ranks), sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def errors(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Our lines on standard error; the launcher has some of its own."""
    return [line for line in done.stderr.splitlines() if line.startswith("spbfs: error:")]
