"""``python -m tests.programs 100000``: run so many programs and print the table of their cells.

Exits with 1 when a program differs, which it prints, or when a cell stayed empty.  With a tally in
a file, which is written every minute, a run goes on where the last one ended, however it did.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.programs.operations import OPERATIONS
from tests.programs.running import STATEMENTS, Cell, cells_of, run
from tests.programs.tables import TYPES

CHUNK = 200


def work(devices: list[str], alone: bool, first: int, end: int) -> tuple[Counter[Cell], list[str]]:
    """Run the programs of these seeds: how often each cell came up, and what differed."""
    library: Any = None
    if not alone:
        library = import_module("graphblas")
        library.config.set(autocompute=True)
    counts: Counter[Cell] = Counter()
    wrong = []
    for seed in range(first, end):
        try:
            counts.update(run(seed, library, devices))
        except Exception:
            wrong.append(traceback.format_exc())
    return counts, wrong


def read_tally(path: Path | None) -> tuple[int, Counter[Cell], list[str]]:
    """How many programs a file tells of, how often each cell came up, and what differed."""
    if path is None or not path.exists():
        return 0, Counter(), []
    told = json.loads(path.read_text())
    counts = Counter({tuple(cell): n for cell, n in told["cells"]})
    return told["programs"], counts, told["differ"]


def write_tally(path: Path, programs: int, counts: Counter[Cell], wrong: list[str]) -> None:
    told = {"programs": programs, "differ": wrong, "cells": list(counts.items())}
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(told))
    beside.replace(path)


def table(counts: Counter[Cell]) -> tuple[list[str], int]:
    """A line an operation, a column a type: statements run, and in brackets cells that were not."""
    heads = "".join(f"{dtype:>14}" for dtype in TYPES)
    lines = [f"{'':28}{heads}"]
    total = 0
    cells = {dtype: cells_of(dtype) for dtype in TYPES}
    for operation in OPERATIONS:
        words = []
        for dtype in TYPES:
            here = [cell for cell in cells[dtype] if cell[0] == operation]
            empty = sum(not counts[cell] for cell in here)
            total += empty
            words.append(f"{sum(counts[cell] for cell in here)} ({empty})")
        lines.append(f"{operation:28}" + "".join(f"{word:>14}" for word in words))
    return lines, total


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.programs", description=__doc__)
    parser.add_argument("count", type=int, help=f"programs, of {STATEMENTS} statements each")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first program")
    parser.add_argument("--devices", default="cpu,reference", help="engines, by comma")
    parser.add_argument("--alone", action="store_true", help="without python-graphblas")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--tally", type=Path, help="a file of what ran; the run goes on from it")
    arguments = parser.parse_args()
    done, counts, wrong = read_tally(arguments.tally)
    end = arguments.first + arguments.count
    firsts = range(arguments.first + done, end, CHUNK)
    ends = [min(first + CHUNK, end) for first in firsts]
    job = partial(work, arguments.devices.split(","), arguments.alone)
    written = time.monotonic()
    with ProcessPoolExecutor(arguments.processes) as pool:
        for last, (found, failed) in zip(ends, pool.map(job, firsts, ends), strict=True):
            counts.update(found)
            wrong += failed
            done = last - arguments.first
            print(f"{done} programs, {len(wrong)} differ", file=sys.stderr, flush=True)
            if arguments.tally and (time.monotonic() > written + 60 or last == end):
                write_tally(arguments.tally, done, counts, wrong)
                written = time.monotonic()
    lines, empty = table(counts)
    print("\n".join(lines))
    print(f"\n{arguments.count} programs, {counts.total()} statements, {empty} empty cells")
    for text in wrong[:5]:
        print(text)
    print(f"{len(wrong)} programs differ")
    return 1 if wrong or empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
