"""Run the blocks of many pages, a process each, as many at a time as there are cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["ROOT", "Ran", "run_pages"]

ROOT = Path(__file__).parents[2]
#: Seconds that one page may take.
LIMIT = 600


@dataclass
class Ran:
    """What came of a page: by the line of every part its output, and what went wrong."""

    page: Path
    parts: dict[int, dict[str, Any]] = field(default_factory=dict)
    error: str = ""

    @property
    def count(self) -> int:
        return sum("left_out" not in part for part in self.parts.values())

    @property
    def left_out(self) -> list[str]:
        return [part["left_out"] for part in self.parts.values() if "left_out" in part]


def run_pages(pages: Iterable[Path], pictures: Path) -> list[Ran]:
    """Run pages side by side, those that take longest as the caller orders them."""
    pictures.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        return list(workers.map(lambda page: _run(page, pictures), pages))


def _run(page: Path, pictures: Path) -> Ran:
    # Warnings are errors, as in the tests; the pages run what their reader would run.
    command = [sys.executable, "-W", "error", "-m", "docs.builder.run_page", page, pictures]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return Ran(page, error=f"took more than {LIMIT} seconds")
    if done.returncode:
        return Ran(page, error=done.stderr)
    parts = {part["first"]: part for part in json.loads(done.stdout)}
    error = next((part["error"] for part in parts.values() if "error" in part), "")
    return Ran(page, parts, error)
