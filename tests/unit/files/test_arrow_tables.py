"""Matrices, vectors and results hand their tables over to whoever speaks Arrow."""

from __future__ import annotations

import sys
from typing import Any

import pandas as pd
import pytest

import spbfs as sb
from spbfs import exceptions

arrow = pytest.importorskip("pyarrow")

FRAME = pd.DataFrame({"source": ["bob", "eve"], "target": ["eve", "ann"], "weight": [3.5, 4.5]})


def _tables() -> dict[str, tuple[Any, Any]]:
    """What speaks Arrow, and the same as a data frame."""
    A = sb.Matrix.from_pandas_edgelist(FRAME, weight="weight")
    numbers = sb.generate.path(4)
    found: dict[str, Any] = {
        "bfs": sb.bfs(A, "bob"),
        "bfs, levels": sb.bfs(A, "bob", parents=False),
        "bfs of two": sb.bfs(A, ["eve", "bob"]),
        "bfs of numbers": sb.bfs(numbers, 2),
        "sssp": sb.sssp(A, "eve"),
        "sssp of two": sb.sssp(A, ["eve", "bob"]),
        "bfs_many, sparse": sb.bfs_many(A, ["bob", "eve"], sparse=True),
        "bfs_many": sb.bfs_many(A, ["bob", "eve"]),
    }
    tables = {name: (one, one.to_pandas()) for name, one in found.items()}
    tables = {
        name: (one, frame if name.endswith("sparse") else frame.reset_index())
        for name, (one, frame) in tables.items()
    }
    parents = sb.bfs(A, "bob").parents
    tables["parents"] = parents, parents.to_pandas().rename("value").reset_index()
    empty = sb.Vector(float, 3)
    tables["empty"] = empty, empty.to_pandas().rename("value").reset_index()
    tables["matrix"] = A, A.to_pandas_edgelist()
    tables["transpose"] = A.T, A.T.to_pandas_edgelist()
    tables["pattern"] = numbers, numbers.to_pandas_edgelist()
    return tables


@pytest.mark.parametrize("name", _tables())
def test_a_table_of_arrow_is_that_of_pandas(name: str) -> None:
    speaks, frame = _tables()[name]
    table = arrow.table(speaks)
    assert table.column_names == list(map(str, frame.columns))
    expected = frame.astype(object).where(frame.notna(), None)
    assert table.to_pydict() == {str(k): v for k, v in expected.to_dict("list").items()}


def test_who_speaks_arrow_takes_them() -> None:
    polars = pytest.importorskip("polars")
    A = sb.Matrix.from_pandas_edgelist(FRAME, weight="weight")
    found = polars.DataFrame(sb.bfs(A, "bob"))
    assert found.filter(found["level"] == 2)["vertex"].to_list() == ["ann"]
    assert sb.Matrix.from_pandas_edgelist(polars.DataFrame(A), weight="weight").isequal(A)
    assert sb.Matrix.from_pandas_edgelist(A, weight="weight").labels == A.labels


def test_a_column_of_no_numbers_is_named_with_its_type() -> None:
    polars = pytest.importorskip("polars")
    ends = {"source": [0, 1], "target": [1, 2]}
    whole = polars.DataFrame(ends | {"huge": [1, 2], "weight": [3, 4]})
    whole = whole.with_columns(polars.col("huge").cast(polars.Int128))
    make = sb.Matrix.from_pandas_edgelist
    assert make(whole, weight="weight").to_dicts() == {0: {1: 3}, 1: {2: 4}}
    with pytest.raises(exceptions.UnknownDtype, match="weight: 'huge' has dtype Int128"):
        make(whole, weight="huge")
    with pytest.raises(exceptions.InvalidValue, match="weight: expected one column 'none'"):
        make(whole, weight="none")
    frame = pd.DataFrame(ends | {"text": ["1", "2"], "time": pd.to_datetime([0, 1])})
    for given, column, kind in (
        (polars.DataFrame(frame), "time", "dtype Datetime"),
        (arrow.table(frame), "time", "type timestamp"),
        (frame, "time", "dtype datetime64"),
    ):
        with pytest.raises(exceptions.UnknownDtype, match=f"'{column}' has {kind}") as told:
            make(given, weight=column)
        assert "to_numeric" not in str(told.value)
    with pytest.raises(exceptions.UnknownDtype, match=r"'text' has .* pandas\.to_numeric"):
        make(frame, weight="text")


def test_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    A.labels = [1, "x", 2.5]
    with pytest.raises(exceptions.DomainMismatch, match="Arrow has no type for these names"):
        arrow.table(A)
    with pytest.raises(exceptions.InvalidValue, match="levels: expected searches with outputs"):
        arrow.table(sb.bfs_many(A, [1], outputs=()))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(exceptions.PackageMissing, match=r"__arrow_c_stream__ needs .* pyarrow"):
        A.__arrow_c_stream__()
