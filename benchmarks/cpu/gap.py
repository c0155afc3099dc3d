"""The GAP benchmark suite's own programs as peers: compiled elsewhere, run on the same graphs.

Each run is a process of its own, which reads the graph and times its trials by itself.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import spbfs as sb
from benchmarks.cpu.graphs import CACHE

__all__ = ["Gap"]

_TRIAL = re.compile(r"^Trial Time:\s+([0-9.]+)", re.MULTILINE)


class Gap:
    """Its programs in a folder, and one graph written for them."""

    def __init__(self, folder: Path, name: str, plain: sb.Matrix, weighted: sb.Matrix) -> None:
        self._folder = folder
        CACHE.mkdir(exist_ok=True)
        self._plain, self._weighted = CACHE / f"{name}.sg", CACHE / f"{name}.wsg"
        for path, A in ((self._plain, plain), (self._weighted, weighted)):
            if not path.exists():
                sb.write(path, A)

    def has(self, program: str) -> bool:
        """Whether it was compiled."""
        return (self._folder / program).is_file()

    def seconds(
        self, program: str, *options: object, trials: int, threads: int, weighted: bool = False
    ) -> list[float]:
        """What it says of its trials."""
        graph = self._weighted if weighted else self._plain
        run = subprocess.run(
            [self._folder / program, "-f", graph, "-n", str(trials), *map(str, options)],
            env=os.environ | {"OMP_NUM_THREADS": str(threads)},
            capture_output=True,
            text=True,
            check=True,
        )
        return [float(t) for t in _TRIAL.findall(run.stdout)]
