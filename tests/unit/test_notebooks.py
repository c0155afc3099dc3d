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
