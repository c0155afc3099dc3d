"""SciPy's own tests of csgraph over `spbfs.csgraph`.

`spbfs.csgraph` takes the place of ``scipy.sparse.csgraph`` before the tests are imported, in the
package and in those of its modules that tests import from.  With ``--device cuda`` graphs are
moved to the GPU before each call of ours, and results back: what a CuPy matrix gives is compared.
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

import numpy as np
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


def put_in_place(counts: Counter[str], device: str) -> None:
    """Make SciPy's names those of ours, each call counted."""
    from importlib import import_module

    from scipy.sparse import csgraph

    import spbfs.csgraph as ours

    for name in csgraph.__all__:
        function = getattr(ours, name)
        if name in OURS:
            function = _counted(function, name, counts)
            function = _through_the_gpu(function) if device == "cuda" else function
        setattr(csgraph, name, function)
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


def _through_the_gpu(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(csgraph: Any, *args: Any, **kwargs: Any) -> Any:
        result = function(_on_the_gpu(csgraph), *args, **kwargs)
        return (
            tuple(map(_on_the_host, result)) if isinstance(result, tuple) else _on_the_host(result)
        )

    return call


def _on_the_gpu(graph: Any) -> Any:
    """A graph as CuPy keeps it, whose sparse matrices are of floats; lists and others as given."""
    import cupy
    from cupyx.scipy.sparse import csr_matrix
    from scipy.sparse import issparse

    if issparse(graph):
        csr = graph.tocsr()
        arrays = (csr.data.astype(np.float64), csr.indices, csr.indptr)
        return csr_matrix(tuple(map(cupy.asarray, arrays)), shape=csr.shape)
    return cupy.asarray(graph) if type(graph) is np.ndarray else graph


def _on_the_host(result: Any) -> Any:
    return result.get() if hasattr(result, "get") else result


class Plugin:
    """For pytest: ours is in place before tests are imported, and calls are reported."""

    def __init__(self, device: str) -> None:
        self.counts: Counter[str] = Counter()
        put_in_place(self.counts, device)

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
    """Which side of the bus the graphs are on."""
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")


def run(options: argparse.Namespace) -> int:
    """The suite in a process of its own; prints counts, and is 0 where nothing failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", __name__, options.device, f"--junitxml={report}"]
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
    """pytest over the suite, ours in place; the device, then what pytest shall be given."""
    device, *others = sys.argv[1:]
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
    return int(pytest.main([*arguments, "--pyargs", SUITE, *others], plugins=[Plugin(device)]))


if __name__ == "__main__":
    sys.exit(main())
