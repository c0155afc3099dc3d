"""The way of one frontier through the package: every function of ours that one statement calls.

``python -m tests.walk [cpu|cuda] [push|pull|auto]`` prints it, file and function, as
docs/architecture.md shows it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import spbfs as sb

ROOT = Path(sb.__file__).parent


def calls(A: sb.Matrix, direction: str, runs: int = 3) -> list[tuple[int, CodeType]]:
    """Depth and code of every call of ours in a level of the last of several searches from 0.

    Of all levels it is the one that makes the most calls.
    """
    longest: list[tuple[int, CodeType]] = []
    for run in range(runs):
        q, v, depth = sb.Vector(bool, A.nrows), sb.Vector(int, A.nrows), 0
        q[0] = True
        while q.nvals:
            v(q.S) << depth
            found = _recorded(lambda: _level(A, q, v, direction))  # noqa: B023 - called at once
            if run == runs - 1 and len(found) > len(longest):
                longest = found
            depth += 1
    return longest


def _level(A: sb.Matrix, q: sb.Vector, v: sb.Vector, direction: str) -> None:
    """The statement whose way this is."""
    if direction == "auto":
        q(~v.S, sb.replace) << sb.semiring.any_pair(q @ A)
    else:
        q(~v.S, sb.replace, direction=direction) << sb.semiring.any_pair(q @ A)


def _recorded(work: Any) -> list[tuple[int, CodeType]]:
    found: list[tuple[int, CodeType]] = []
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
    """Print the walk."""
    found = calls(sb.generate.kronecker(12, seed=1).to(device), direction)
    for depth, code in found:
        where = Path(code.co_filename).relative_to(ROOT)
        print(f"{'  ' * depth}{code.co_qualname}  {where}")
    print(f"{len(found)} calls in {len({code.co_filename for _, code in found})} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
