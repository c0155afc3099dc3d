"""What notebooks are shown: well-formed HTML, small, and nothing computed for it."""

from __future__ import annotations

import time
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Vector


def shown(thing: Any) -> tuple[str, dict[str, str], int]:
    """The title, the facts, and the rows of the table below them."""
    root = ElementTree.fromstring(thing._repr_html_())
    title = root.find("strong")
    tables = root.findall("table")
    names, values = ([cell.text or "" for cell in row] for row in tables[0].findall("tr"))
    assert title is not None and title.text is not None
    rows = len(tables[1].findall("tbody/tr")) if len(tables) > 1 else 0
    return title.text, dict(zip(names, values, strict=True)), rows


def test_matrices_and_vectors() -> None:
    A = Matrix.from_coo([0, 1], [1, 2], [1.5, np.inf], nrows=3, ncols=3, name="a < b")
    title, facts, rows = shown(A)
    assert title == "Matrix 'a < b': 3 x 3"
    assert facts == {
        "stored": "2",
        "dtype": "FP64",
        "format": "csr",
        "device": "cpu",
        "bytes": f"{A.nbytes} B",
    }
    assert rows == 3
    title, facts, rows = shown(sb.generate.grid2d(100, 1000))
    assert title == "Matrix: 100,000 x 100,000"
    assert (facts["stored"], facts["format"], rows) == ("397,800", "csr (iso)", 13)
    title, facts, rows = shown(Vector.from_coo([5], [2], size=10**6, name="q"))
    assert (title, facts["format"], rows) == ("Vector 'q': size 1,000,000", "list", 1)
    assert shown(Vector(bool, 0))[2] == shown(Matrix(bool, 0, 4))[2] == 0
    assert shown(Matrix.from_packed_bits(np.ones((2, 1), np.uint64), ncols=3))[1]["format"] == (
        "packed bits"
    )


def test_results_and_traces() -> None:
    A = sb.generate.path(100)
    with sb.trace() as t:
        for _ in range(50):
            A.apply("one").new()
    found = sb.bfs(A, 0, trace=True)
    title, facts, _ = shown(found)
    assert (title, facts["reached"], facts["depth"]) == ("Breadth-first search", "100", "99")
    title, facts, _ = shown(sb.sssp(A, 0))
    assert (title, facts["reached"], facts["dtype"]) == ("Shortest paths", "100", "INT64")
    title, facts, rows = shown(found.trace)
    assert facts["levels"] == str(len(found.trace)) and rows == 41
    title, facts, rows = shown(t)
    assert (title, facts["operations"], rows) == ("Trace", "50", 41)
    title, facts, rows = shown(sb.bfs_many(A, range(20)))
    assert (title, facts["sources"], rows) == ("Breadth-first searches", "20", 11)


#: Public classes that are no results: rounds to go through, and a number, which its repr says.
OTHERS = {"SharedGraph", "Loop", "Scalar"}
GRAPH = sb.Matrix.from_coo([0, 1, 2, 3], [1, 2, 0, 0], 1.5, nrows=4, ncols=4)
GRAPH.labels = ["ann", "b<b", "eve", "zoe"]
RESULTS: dict[str, Any] = {
    "BFSDag": sb.bfs_dag(GRAPH, "ann"),
    "BFSManyResult": sb.bfs_many(GRAPH, ["ann", "zoe"]),
    "BFSOrder": sb.bfs_order(GRAPH, "ann"),
    "BFSPlan": sb.BFSPlan(GRAPH),
    "BFSResult": sb.bfs(GRAPH, "ann"),
    "Bipartition": sb.bipartite(GRAPH),
    "Communities": sb.louvain(GRAPH),
    "Energy": sb.Energy(joules=0.5, seconds=0.01, runs=100),
    "HITS": sb.hits(GRAPH),
    "KHopIndex": sb.KHopIndex(GRAPH, k=1),
    "Labels": GRAPH.labels,
    "Matrix": GRAPH,
    "SSSPResult": sb.sssp(GRAPH, "ann"),
    "ShortestPath": sb.shortest_path(GRAPH, "ann", "eve"),
    "Vector": sb.components(GRAPH),
}


def test_every_public_result_is_here() -> None:
    classes = {name for name in sb.__all__ if isinstance(getattr(sb, name), type)}
    assert classes - OTHERS == set(RESULTS)


@pytest.mark.parametrize("name", RESULTS)
def test_every_public_result_shows_itself(name: str) -> None:
    result = RESULTS[name]
    assert type(result) is getattr(sb, name)
    title, facts, _ = shown(result)
    assert title and all(facts)
    assert len(result._repr_html_()) < 10_000


def test_results_of_parts_print_in_a_line() -> None:
    for name in ("HITS", "BFSDag", "BFSOrder", "Bipartition", "Communities", "ShortestPath"):
        text = repr(RESULTS[name])
        assert text.startswith(f"{name}(") and "\n" not in text and len(text) < 200
    assert repr(RESULTS["HITS"]) == "HITS(hubs=<Vector 4, FP64>, authorities=<Vector 4, FP64>)"
    assert "edges=<Matrix 4 x 4, BOOL>" in repr(RESULTS["BFSDag"])
    far = sb.shortest_path(sb.generate.path(1000), 0, 999)
    assert repr(far) == "ShortestPath(vertices=<ndarray 1,000, int64>, length=999)"


def parts(result: Any) -> dict[str, list[str]]:
    """The table of what is in a result."""
    rows = ElementTree.fromstring(result._repr_html_()).findall("table")[1].findall("tbody/tr")
    cells = [[cell.text or "" for cell in row] for row in rows]
    return {name: row for name, *row in cells}


def test_parts_of_results() -> None:
    hubs = RESULTS["HITS"].hubs
    whole = ["4", "4", "FP64", "full", "cpu", f"{hubs.nbytes} B"]
    assert parts(RESULTS["HITS"]) == {"hubs": whole, "authorities": whole}
    found = parts(RESULTS["BFSDag"])
    assert found["edges"][:4] == ["4 x 4", "2", "BOOL", "csr"]
    assert found["levels"][1] == found["paths"][1] == "3"
    assert parts(RESULTS["BFSOrder"])["order"] == ["3", "3", "int32", "array", "cpu", "12 B"]
    assert shown(RESULTS["Communities"])[1].keys() == {"modularity"}
    odd = shown(RESULTS["Bipartition"])[1]
    assert odd["bipartite"] == "no" and set(odd["odd cycle"].split(" → ")) == {"ann", "b<b", "eve"}
    assert "odd cycle" not in shown(sb.bipartite(sb.generate.path(3)))[1]
    assert shown(RESULTS["ShortestPath"])[1] == {"length": "3.0", "path": "ann → b<b → eve"}
    assert shown(sb.shortest_path(GRAPH, "ann", "zoe"))[1] == {"length": "inf", "path": ""}
    far = shown(sb.shortest_path(sb.generate.path(1000), 0, 999))[1]
    assert far["path"].startswith("0 → 1 →") and far["path"].endswith(
        "→ ... → 994 → 995 → 996 → 997 → 998 → 999"
    )
    assert shown(RESULTS["KHopIndex"])[1]["bytes"] == f"{RESULTS['KHopIndex'].nbytes} B"


def test_names_in_notebooks() -> None:
    title, facts, rows = shown(GRAPH.labels)
    assert (title, facts["names"], facts["format"], rows) == ("Labels", "4", "str", 4)
    assert shown(sb.Labels(np.arange(10**6)))[1:] == (
        {"names": "1,000,000", "format": "int64", "device": "cpu", "bytes": "7.63 MiB"},
        11,
    )
    assert shown(sb.Labels([]))[2] == 0
    assert shown(sb.Labels(["x", 3]))[1]["format"] == "int, str"


@pytest.mark.parametrize("columns", [1, 20])
def test_nothing_is_computed_for_it(columns: int) -> None:
    """A matrix of ten million entries is shown as fast as a small one, whatever its rows hold."""
    n = 10**7 // columns
    indptr = np.arange(0, 10**7 + 1, columns)
    A = Matrix.from_csr(indptr, np.tile(np.arange(columns), n), np.ones(10**7), ncols=n)
    A._repr_html_()
    begin = time.process_time()
    A._repr_html_()
    assert time.process_time() - begin < 0.02


def test_results_of_many_vertices_are_shown_at_once() -> None:
    scores = Vector.from_dense(np.ones(10**7))
    names = sb.Labels(np.arange(10**6))
    results = [sb.HITS(scores, scores), sb.Communities(scores, 0.5), names]
    begin = time.process_time()
    for result in results:
        result._repr_html_()
    assert time.process_time() - begin < 0.02
