"""The benchmark of NetworkX's functions has all of the backend's, and goes on where it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

nx = pytest.importorskip("networkx")

from benchmarks.cpu import networkx_objects  # noqa: E402
from benchmarks.cpu.networkx import _row  # noqa: E402
from benchmarks.cpu.networkx_calls import CALLS  # noqa: E402
from benchmarks.cpu.networkx_graphs import SHAPES, made  # noqa: E402
from benchmarks.cpu.networkx_objects import Handed, remaking  # noqa: E402
from spbfs.networkx.functions import FUNCTIONS  # noqa: E402
from spbfs.networkx.interface import backend  # noqa: E402

ROOT = Path(__file__).parents[3]


def test_every_function_has_a_row() -> None:
    assert CALLS.keys() == FUNCTIONS.keys()
    for name, call in CALLS.items():
        assert call.shape in SHAPES, name
        assert (call.below > 0) == bool(call.why), f"{name}: a smaller graph has a reason"


@pytest.mark.parametrize("shape", SHAPES)
def test_graphs(shape: str) -> None:
    sample = made(shape, 5)
    graph = sample.graph
    assert nx.is_weakly_connected(graph) if graph.is_directed() else nx.is_connected(graph)
    assert {*sample.some, sample.hub, sample.far} <= {*graph}
    assert sum(map(len, sample.communities)) == len(graph)
    if shape == "cyclic":
        assert not nx.negative_edge_cycle(graph, weight="shifted")
        assert any(weight < 0 for _, _, weight in graph.edges(data="shifted"))
        assert nx.negative_edge_cycle(graph, weight="sinking")
    if shape == "two sides":
        assert nx.bipartite.is_bipartite_node_set(graph, sample.top)


def test_what_is_made_once_more() -> None:
    for result in (
        {1: [2, 3]},
        {1: {2: 0.5}, 3: {}},
        [{1, 2}],
        {1, 2},
        [(1, 2)],
        {1: [[2]]},
        {k: {u: [u] for u in range(40)} for k in range(2)},
        {0: [0], 1: [0, 1], 2: [0, 1, 2]},
        {0: [0], 1: [1, 0], 2: [2, 1, 0]},
        {},
        7,
    ):
        found = remaking(result)()
        assert found == result and (found is not result or result == 7)
    assert remaking(([1], {2: 3}))() == [[1], {2: 3}]
    assert remaking([(1, {2: [3]})])() == [(1, {2: [3]})]
    assert remaking(Handed([(1, "a", {}), (2, "b", {})]))() == [(1, "a", {}), (2, "b", {})]
    assert remaking([(0,), (0, 1)])() == [(0,), (0, 1)], "nodes, perhaps"
    found, *_ = remaking(nx.path_graph(2))()
    assert found == [{0: {1: {}}, 1: {0: {}}}]
    weighted = nx.Graph()
    weighted.add_edge(0, 1, weight=2)
    assert remaking(weighted)()[1:] == ([{"weight": 2}], [{}, {}]), "copies, as those of its own"
    found, *_ = remaking(nx.path_graph(2, nx.DiGraph))()
    assert found == [{0: {1: {}}, 1: {}}, {0: {}, 1: {0: {}}}]


def test_numbers_are_made_too() -> None:
    numbers = [1000, 2000]
    assert remaking(numbers)()[0] is not numbers[0]
    assert remaking(numbers, numbers)()[0] is numbers[0], "a graph's own"
    data = {"weight": 1}
    assert remaking([(1, 2, data)])()[0][2] is data, "the graph's own"


def test_a_later_call_has_a_conversion_that_networkx_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    converted = []

    def convert(graph: Any, **options: Any) -> Any:
        converted.append(graph)
        return type(backend).convert_from_nx(backend, graph, **options)

    monkeypatch.setattr(backend, "convert_from_nx", convert, raising=False)
    with nx.config(warnings_to_ignore={"cache"}):
        row = _row("negative_edge_cycle", made("cyclic", 6), 2)
    assert row["again"] > 0 and len(converted) == 1


@pytest.mark.parametrize("name", ["single_source_shortest_path", "single_target_shortest_path"])
def test_paths_are_made_one_from_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = getattr(nx, name)(nx.path_graph(30), 0)
    made = []
    monkeypatch.setattr(networkx_objects, "_tree", lambda *arrays: made.append(arrays))
    remaking(paths)()
    ((nodes, places, _),) = made
    assert nodes == list(range(30)) and places.tolist() == [0, *range(29)]


def test_a_run_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "networkx", "--scale", "8", "--repeats", "1"]
    command += ["--output", tmp_path, "--functions", "triangles", "power"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (path,) = tmp_path.glob("*.json")
    (before,) = [row for row in json.loads(path.read_text())["runs"] if row["function"] == "power"]
    command += ["is_tree", "--resume", path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    runs = json.loads(path.read_text())["runs"]
    assert {row["function"] for row in runs} == {"triangles", "power", "is_tree"}
    assert before in runs, "it was not measured again"
    table = path.with_suffix(".md").read_text()
    assert table.count("\n| `") == 3 and "small: the result has too many edges" in table
