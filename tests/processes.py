"""Programs of tests in a process of their own: it exits, forks, is killed or interrupted."""

from __future__ import annotations

import subprocess
import sys
import textwrap

__all__ = ["finished"]


def finished(begin: str, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """What came of Python running `begin` and then `program`, which may be indented."""
    return subprocess.run(
        [sys.executable, "-c", begin + textwrap.dedent(program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
