"""``import spbfs`` is quick, and brings nothing that has not been asked for."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

#: Engines, and packages that only some conversions or commands want.
HEAVY = tuple("cupy spbfs._cpu pandas networkx matplotlib graphblas tqdm distributed".split())

#: What the project promises, beyond what NumPy and SciPy take by themselves.
SECONDS = 0.25


def run(program: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout


def test_nothing_heavy_is_imported() -> None:
    found = run(f"import sys, spbfs; print(*sorted(set({HEAVY!r}) & set(sys.modules)))")
    assert found.split() == []


def test_every_public_name_exists_and_importing_all_of_them_stays_light() -> None:
    program = (
        "import sys, spbfs\n"
        "for name in spbfs.__all__: assert getattr(spbfs, name) is not None, name\n"
        "assert set(spbfs.__all__) <= set(dir(spbfs))\n"
        f"print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    assert run(program).split() == []


def test_import_takes_little_beyond_numpy_and_scipy(tmp_path: Path) -> None:
    """The names most programs begin with, imported where NumPy and SciPy already are; compiled, as
    the modules of an installed package are."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    program = (
        "import numpy, scipy.sparse, time\n"
        "begin = time.process_time()\n"
        "import spbfs\n"
        "from spbfs import Matrix, Vector, bfs, generate, semiring\n"
        "print(time.process_time() - begin)"
    )
    run(program, environment)
    took = [float(run(program, environment)) for _ in range(7)]
    # Time of the processor; others may still slow several of them: the lower half counts.
    assert statistics.median(sorted(took)[:4]) < SECONDS, took
