"""NetworkX's own tests, its functions called through the backend."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from spbfs.networkx.functions import FUNCTIONS

__all__ = ["PAGE", "add_options", "run", "table"]

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "networkx.md"

#: The packages and modules whose tests call functions of the backend.
PACKAGES = """traversal shortest_paths components centrality link_analysis community coloring
    assortativity bipartite.tests.test_basic bipartite.tests.test_centrality
    bipartite.tests.test_project tree.tests.test_mst tree.tests.test_recognition
    approximation.tests.test_distance_measures operators.tests.test_product tests.test_asteroidal
    tests.test_smetric tests.test_reciprocity tests.test_hierarchy tests.test_cluster
    tests.test_core tests.test_cycles tests.test_dag tests.test_distance_measures
    tests.test_distance_regular tests.test_dominance tests.test_efficiency tests.test_euler
    tests.test_link_prediction tests.test_mis tests.test_similarity tests.test_simple_paths
    tests.test_smallworld tests.test_summarization tests.test_tournament tests.test_vitality
    tests.test_voronoi tests.test_walks tests.test_wiener tests.test_structuralholes
    tests.test_richclub tests.test_regular tests.test_triads tests.test_planarity""".split()

_OURS = "communities of ours, not NetworkX's"
#: Tests that hold what differs here, and why it does; pages and notes of functions say so, too.
DIFFERENT = {
    "test_louvain.py::test_karate_club_partition": _OURS,
    "test_louvain.py::test_multigraph": _OURS,
    "test_louvain.py::test_none_weight_param": _OURS,
    "test_louvain.py::test_undirected_selfloops": _OURS,
    **{
        f"TestBellmanFordAndGoldbergRadzik::test_find_negative_cycle_{what}": (
            "a cycle that begins with another of its nodes"
        )
        for what in ("longer_cycle", "single_edge")
    },
    "test_mis.py::test_random_seed": "an independent set of ours, not NetworkX's",
    "test_dag.py::TestDAG::test_topological_sort6": "a graph that changes on the way",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--processes", default="auto", help="of pytest-xdist")
    parser.add_argument("--packages", nargs="+", default=PACKAGES, help="of networkx.algorithms")
    parser.add_argument("--write", action="store_true", help="write the counts to docs/networkx.md")


def run(options: argparse.Namespace) -> int:
    """Run, print how often every function ran, and fail where NetworkX alone does not."""
    names = [f"networkx.algorithms.{package}" for package in options.packages]
    calls, outcomes = _tests(["--pyargs", *names], "spbfs", options.processes)
    failed = sorted(
        place
        for place, outcome in outcomes.items()
        if outcome == "failed" and not place.endswith(tuple(DIFFERENT))
    )
    # What fails without us as well is not ours.
    alone = _tests(failed, "", "0")[1] if failed else {}
    ours = [place for place in failed if alone.get(place) != "failed"]
    tally = Counter(outcomes.values())
    for name in FUNCTIONS:
        print(f"{calls[name]:7} {name}")
    print(f"{sum(calls.values())} calls of {len(+calls)} functions ran here")
    differ = tally["failed"] - len(failed)
    print(f"{tally['passed']} tests passed, {len(failed)} failed, {len(ours)} of them by us")
    print(f"{differ} tests hold what differs here:", *DIFFERENT.items(), sep="\n  ")
    for place in ours:
        print(place)
    if options.write:
        _write(calls, tally, len(ours))
    return 1 if ours else 0


def _tests(what: list[str], backend: str, processes: str) -> tuple[Counter[str], dict[str, str]]:
    """How often functions ran, and what became of every test."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short"]
    command += ["-p", "tests.outside.counted_calls", "-n", processes, *what]
    calls: Counter[str] = Counter()
    outcomes: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "NETWORKX_TEST_BACKEND": backend,
            "NETWORKX_FALLBACK_TO_NX": "True",
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "SPBFS_OUTSIDE": folder,
        }
        # From a folder without a configuration of pytest's.
        subprocess.run(command, cwd=folder, env=environment, check=False)
        for path in Path(folder).glob("calls-*.json"):
            found = json.loads(path.read_text())
            calls.update(found["calls"])
            outcomes.update(found["outcomes"])
    return calls, outcomes


def table(calls: Counter[str]) -> list[str]:
    """The page's rows: every function, what of it is left to NetworkX, and calls that ran here."""
    rows = []
    for name, function in FUNCTIONS.items():
        left = ", ".join(f"`{argument}`" for argument in function.without)
        rows.append(f"| `{name}` | {left} | {function.note} | {calls[name]} |")
    return rows


def _write(calls: Counter[str], tally: Counter[str], ours: int) -> None:
    """The counts into the page, between its marks."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition("<!-- counts -->\n")
    _, end, after = rest.partition("<!-- end of counts -->")
    said = (
        f"{sum(calls.values())} calls of {len(+calls)} functions ran here; of the tests "
        f"{tally['passed']} passed, and {ours} failed that pass with NetworkX alone, beside "
        f"{len(DIFFERENT)} that hold what differs here.\n"
    )
    head = "| function | left to NetworkX when given | remarks | calls |\n|---|---|---|---|"
    made = "\n".join([said, head, *table(calls), ""])
    PAGE.write_text(f"{before}{begin}{made}{end}{after}", encoding="utf-8")
