"""The same program under python-graphblas and under its alias, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["HERE", "both"]

HERE = Path(__file__).parent


def both(program: str, given: Any, *paths: Path) -> tuple[Any, Any]:
    """What a program of this folder says of what it is given: ours and theirs, as JSON."""
    # Of ours the alias hides the package that is installed.
    ours = [HERE / "alias", HERE.parents[1], HERE, *paths]
    answers = []
    for where in (ours, [HERE, *paths]):
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, where))}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(HERE / program)],
            input=json.dumps(given),
            env=environment,
            cwd=HERE.anchor,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr[-2000:]}")
        answers.append(json.loads(done.stdout))
    return answers[0], answers[1]
