"""Values of vertices by name, and an index that is asked by name."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import spbfs as sb
from spbfs import exceptions

FRAME = pd.DataFrame({"from": ["bob", "eve", "ann"], "to": ["eve", "ann", "zoe"]})


def test_values_of_vertices_by_name() -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], True)
    expected = sb.pagerank(A, personalization=[0, 1, 3])
    numbered = {2: 3, 1: 1}
    assert sb.pagerank(A, personalization=numbered).isclose(expected)
    assert sb.pagerank(A, personalization=pd.Series(numbered)).isclose(expected)
    A.labels = ["ann", "bob", "eve"]
    for named in ({"eve": 3, "bob": 1}, pd.Series({"eve": 3.0, "bob": 1.0})):
        assert sb.pagerank(A, personalization=named).isclose(expected)
        assert sb.pagerank(A, start=named, damping=0.5).isclose(
            sb.pagerank(A, damping=0.5), abs_tol=1e-4
        )
    with pytest.raises(exceptions.UnknownLabel, match="personalization"):
        sb.pagerank(A, personalization={"zoe": 1})
    with pytest.raises(exceptions.InvalidValue, match="every vertex once"):
        sb.pagerank(A, personalization=pd.Series([1, 2], index=["eve", "eve"]))
    A.labels = None
    with pytest.raises(exceptions.InvalidValue, match="every vertex once"):
        sb.pagerank(A, personalization=pd.Series([1, 2], index=[0, 0]))
    with pytest.raises(exceptions.IndexOutOfBound, match="personalization: its vertices"):
        sb.pagerank(A, personalization={3: 1})
    with pytest.raises(exceptions.DomainMismatch, match="personalization"):
        sb.pagerank(A, personalization={0: "much"})


def test_an_index_is_asked_by_name(tmp_path: Path) -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to")
    index = sb.KHopIndex(A, ["bob", "ann"], k=2)
    assert index.query(["bob", "bob", "ann"], ["ann", "zoe", "zoe"]).tolist() == [True, False, True]
    assert index.query("bob", ["ann", "zoe"]).tolist() == [True, False]
    with pytest.raises(exceptions.UnknownLabel, match="v: no vertex"):
        index.query(["bob"], ["max"])
    with pytest.raises(exceptions.UnknownLabel, match="sources"):
        sb.KHopIndex(A, ["max"], k=1)
    index.save(tmp_path / "index.npz")
    again = sb.KHopIndex.load(tmp_path / "index.npz")
    assert again.query([0, 0], [2, 3]).tolist() == [True, False]
    assert again.query(["bob"], ["zoe"]).tolist() == [False]
