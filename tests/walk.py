"""The way of one frontier through the package: every function of ours that one statement calls.

``python -m tests.walk [cpu|cuda] [push|pull|auto]`` prints it, file and function, as
docs/architecture.md shows it.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import spbfs as sb

ROOT = Path(sb.__file__).parent


Calls = list[tuple[int, CodeType]]


def calls(A: sb.Matrix, direction: str, runs: int = 3) -> list[Calls]:
    """Depth and code of every call of ours, by level, in the last of several searches from 0."""
    for _ in range(runs):
        q, v = (sb.Vector(kind, A.nrows, device=A.device) for kind in (bool, int))
        levels: list[Calls] = []
        q[0] = True
        while q.nvals:
            v(q.S) << len(levels)
            levels.append(recorded(lambda: _level(A, q, v, direction)))  # noqa: B023 - run at once
    return levels


def _level(A: sb.Matrix, q: sb.Vector, v: sb.Vector, direction: str) -> None:
    """The statement whose way this is."""
    if direction == "auto":
        q(~v.S, sb.replace) << sb.semiring.any_pair(q @ A)
    else:
        q(~v.S, sb.replace, direction=direction) << sb.semiring.any_pair(q @ A)


def recorded(work: Any) -> Calls:
    """Depth and code of every call of ours while `work` runs."""
    found: Calls = []
    depth = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth
        if not frame.f_code.co_filename.startswith(str(ROOT)):
            return
        if event == "call":
            found.append((depth, frame.f_code))
            depth += 1
        elif event == "return":
            depth -= 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def main(device: str = "cpu", direction: str = "push") -> None:
    """Print the walk of the third level; calls of one function in a row are one line."""
    found = calls(sb.generate.kronecker(12, seed=1).to(device), direction)[2]
    lines = [
        f"{'  ' * depth}{code.co_qualname}  {Path(code.co_filename).relative_to(ROOT)}"
        for depth, code in found
    ]
    for line, same in groupby(lines):
        times = len(list(same))
        print(line if times == 1 else f"{line}  x {times}")
    print(f"{len(found)} calls in {len({code.co_filename for _, code in found})} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
