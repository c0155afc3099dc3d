"""SciPy's own tests of csgraph over `spbfs.csgraph`.

`spbfs.csgraph` takes the place of ``scipy.sparse.csgraph`` before the tests are imported, in the
package and in those of its modules that tests import from.  With ``--device cuda`` graphs are
moved to the GPU before each call of ours, where results must be as well, and these are moved back:
what a CuPy matrix gives is compared.  Calls with what CuPy has no type for stay on the host, and
are counted: matrices of blocks, masked arrays, `numpy.matrix`, lists.
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
from scipy.sparse import csr_array, issparse, isspmatrix

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
            if device == "cuda":
                function = _through_the_gpu(function, name, counts)
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


def _through_the_gpu(
    function: Callable[..., Any], name: str, counts: Counter[str]
) -> Callable[..., Any]:
    @wraps(function)
    def call(csgraph: Any, *args: Any, **kwargs: Any) -> Any:
        if not ((issparse(csgraph) and csgraph.format != "bsr") or type(csgraph) is np.ndarray):
            return function(csgraph, *args, **kwargs)
        counts[f"{name} on the GPU"] += 1
        result = function(_on_the_gpu(csgraph), *args, **kwargs)
        if isinstance(result, tuple):
            return tuple(_on_the_host(x, csgraph) for x in result)
        return _on_the_host(result, csgraph)

    return call


def _on_the_gpu(graph: Any) -> Any:
    """A graph as CuPy keeps it, whose sparse matrices are of floats."""
    import cupy
    from cupyx.scipy.sparse import csr_matrix

    if not issparse(graph):
        return cupy.asarray(graph)
    csr = graph.tocsr()
    arrays = (csr.data.astype(np.float64), csr.indices, csr.indptr)
    return csr_matrix(tuple(map(cupy.asarray, arrays)), shape=csr.shape)


def _on_the_host(result: Any, graph: Any) -> Any:
    """A result, an array or matrix of CuPy's unless it is a number.

    CuPy knows sparse matrices only: where the graph was none, SciPy's array is made of one.
    """
    if isinstance(result, int | np.integer):
        return result
    assert not issparse(result) and hasattr(result, "get"), f"a GPU's graph gave {type(result)}"
    back = result.get()
    return csr_array(back) if issparse(back) and not isspmatrix(graph) else back


class Plugin:
    """For pytest: ours is in place before tests are imported, and calls are reported."""

    def __init__(self, device: str) -> None:
        self.counts: Counter[str] = Counter()
        put_in_place(self.counts, device)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for name, count in sorted(self.counts.items()):
            terminalreporter.write_line(f"{name}: {count} calls")


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
    return int(pytest.main([*arguments, *others], plugins=[Plugin(device)]))


if __name__ == "__main__":
    sys.exit(main())
