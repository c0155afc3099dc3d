"""SciPy's own tests of csgraph over `spbfs.csgraph`.

`spbfs.csgraph` takes the place of ``scipy.sparse.csgraph`` before the tests are imported, in the
package and in those of its modules that tests import from.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

SUITE = "scipy.sparse.csgraph.tests"
#: Our own functions; the others are SciPy's.
OURS = (
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "dijkstra",
    "johnson",
    "minimum_spanning_tree",
    "shortest_path",
)
#: Modules of SciPy's that its tests import functions from.
MODULES = ("_min_spanning_tree",)


def put_in_place(counts: Counter[str]) -> None:
    """Make SciPy's names those of ours, each call counted."""
    from importlib import import_module

    from scipy.sparse import csgraph

    import spbfs.csgraph as ours

    for name in csgraph.__all__:
        function = getattr(ours, name)
        setattr(csgraph, name, _counted(function, name, counts) if name in OURS else function)
    for name in MODULES:
        module = import_module(f"scipy.sparse.csgraph.{name}")
        for function in OURS:
            if hasattr(module, function):
                setattr(module, function, getattr(csgraph, function))


def _counted(function: Callable[..., Any], name: str, counts: Counter[str]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        counts[name] += 1
        return function(*args, **kwargs)

    return call


class Plugin:
    """For pytest: ours is in place before tests are imported, and calls are reported."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        put_in_place(self.counts)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for name in OURS:
            terminalreporter.write_line(f"{name}: {self.counts[name]} calls")


def outcomes(report: Path) -> Iterator[tuple[str, str]]:
    """Every test of a report, and whether it passed, failed or was skipped."""
    for case in ElementTree.parse(report).iter("testcase"):
        tags = {child.tag for child in case}
        failed = bool(tags & {"failure", "error"})
        outcome = "failed" if failed else "skipped" if "skipped" in tags else "passed"
        yield f"{case.get('classname')}.{case.get('name')}", outcome


def add_options(parser: argparse.ArgumentParser) -> None:
    """Nothing to choose."""


def run(options: argparse.Namespace) -> int:
    """The suite in a process of its own; prints counts, and is 0 where nothing failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", __name__, f"--junitxml={report}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = list(outcomes(report)) if report.exists() else []
    counts = Counter(outcome for _, outcome in found)
    calls = [line for line in done.stdout.splitlines() if line.endswith(" calls")]
    failed = [name for name, outcome in found if outcome == "failed"]
    print(
        f"{SUITE}: {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['skipped']} skipped"
    )
    print(*(f"  {line}" for line in calls), *(f"  failed: {name}" for name in failed), sep="\n")
    if not found:
        print(done.stdout, done.stderr)
    return 0 if counts["passed"] and not failed else 1


def main() -> int:
    """pytest over the suite, ours in place."""
    arguments = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-c",
        os.devnull,
        "--pyargs",
        SUITE,
    ]
    return int(pytest.main([*arguments, "--pyargs", SUITE, *sys.argv[1:]], plugins=[Plugin()]))


if __name__ == "__main__":
    sys.exit(main())
