"""Data frames with unusual columns: what is read of them, and errors that name what is wrong."""

from __future__ import annotations

import contextlib
import datetime
import uuid
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

import spbfs as sb
from spbfs import exceptions

BERLIN = ZoneInfo("Europe/Berlin")
DAYS = [datetime.datetime(2024, 1, day, tzinfo=BERLIN) for day in (1, 2, 3)]
KEYS = [uuid.UUID(int=number) for number in (1, 2, 3)]
FRAME = pd.DataFrame({"from": ["bob", "ann"], "to": ["eve", "zoe"], "km": [1.5, np.nan]})


def _frames(names: list[Any]) -> list[Any]:
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    columns = {"source": names[:2], "target": names[1:]}
    frames = [pd.DataFrame(columns), arrow.table(columns)]
    if names is DAYS:
        encoded = {what: arrow.array(ends).dictionary_encode() for what, ends in columns.items()}
        frames += [polars.DataFrame(columns), arrow.table(encoded)]
    return frames


@pytest.mark.parametrize("names", [DAYS, KEYS], ids=["zone", "uuid"])
def test_names_that_numpy_has_no_type_for_are_what_they_are(names: Any, tmp_path: Path) -> None:
    for number, frame in enumerate(_frames(names)):
        A = sb.Matrix.from_pandas_edgelist(frame)
        assert A.labels == sb.Labels(names)
        assert sb.bfs(A, names[1]).reached == 2
        sb.write(tmp_path / f"{number}.parquet", A)
        assert sb.read(tmp_path / f"{number}.parquet").labels == A.labels


def test_names_that_parquet_has_no_type_for(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    months = pd.period_range("2024-01", periods=3, freq="M")
    for names in (months, [1, "x", 2.5]):
        A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
        A.labels = names
        with pytest.raises(exceptions.DomainMismatch, match=r"'a\.parquet': Parquet has no type"):
            sb.write(tmp_path / "a.parquet", A)
        assert not (tmp_path / "a.parquet").exists()


@pytest.mark.parametrize(
    "names", [[-1, -2, 5], np.array([2**61, 7, 2**64 - 1], np.uint64)], ids=["negative", "wide"]
)
def test_numbers_that_are_no_places_are_names_of_a_compact_graph(
    names: Any, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    A.labels = names
    path = tmp_path / "a.parquet"
    sb.write(path, A)
    with pytest.raises(exceptions.FormatError, match="; compact=True takes numbers as names"):
        sb.read(path)
    B, ids = sb.read(path, compact=True)
    assert ids.tolist() == sorted(int(name) for name in names) and B.nvals == 2


@pytest.mark.parametrize(
    "names",
    [
        [(1, 2), (3, 4), (5, 6)],
        [("a", "b"), ("c",), ()],
        [((1, 2), (3,)), ((4,),), ((5, 6),)],
        [np.datetime64(f"2024-01-0{day}") for day in (1, 2, 3)],
        [np.datetime64(f"2024-01-01T00:00:0{second}") for second in (1, 2, 3)],
    ],
    ids=["pairs", "texts", "nested", "days", "seconds"],
)
def test_lists_of_names_come_back_from_parquet(names: Any, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    A.labels = names
    path = tmp_path / "a.parquet"
    sb.write(path, A)
    assert sb.read(path).labels == A.labels
    assert sb.Matrix.from_pandas_edgelist(pa.table(A)).labels == A.labels


def test_names_that_are_no_text(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    A.labels = ["ann", "b\ud800b", "cid"]
    found = sb.bfs(A, "ann")
    many = sb.bfs_many(A, ["b\ud800b"])
    listed = sb.bfs_many(A, ["ann"], sparse=True)
    for convert in (
        lambda: sb.write(tmp_path / "a.csv", A),
        lambda: sb.write(tmp_path / "a.parquet", A),
        lambda: pa.table(found),
        lambda: pa.table(many),
    ):
        with pytest.raises(exceptions.DomainMismatch, match=r"\\ud800"):
            convert()
    assert not list(tmp_path.iterdir())
    # Pandas may hold them, as objects.
    for frame in (A.to_pandas_edgelist, found.to_pandas, found.levels.to_pandas, many.to_pandas):
        with contextlib.suppress(exceptions.DomainMismatch):
            frame()
    with contextlib.suppress(exceptions.DomainMismatch):
        listed.to_pandas()


def test_names_beyond_64_bits_are_not_written_as_csv(tmp_path: Path) -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    A.labels = [5, 2**63, 7]
    with pytest.raises(exceptions.InvalidValue, match="beyond 64 signed bits"):
        sb.write(tmp_path / "a.csv", A)


def test_errors_at_entries_name_their_ends() -> None:
    make = sb.Matrix.from_pandas_edgelist
    with pytest.raises(exceptions.InvalidEntry, match=r"\('bob', 'eve'\) occurs twice") as error:
        make(pd.concat([FRAME, FRAME]), "from", "to", "km")
    assert error.value.vertices == ["bob", "eve"]
    A = make(FRAME, "from", "to", "km")
    for call in (lambda: sb.sssp(A, "bob"), lambda: sb.minimum_spanning_forest(A)):
        with pytest.raises(exceptions.InvalidEntry, match=r"\('ann', 'zoe'\)"):
            call()
    A.labels = None
    with pytest.raises(exceptions.InvalidValue, match=r"A: entry \(1, 3\) is nan; expected"):
        sb.sssp(A, 0)


def test_errors_at_columns_name_them() -> None:
    make = sb.Matrix.from_pandas_edgelist
    with pytest.raises(exceptions.UnknownDtype, match="a column of numbers, 'from' has dtype"):
        make(FRAME, "from", "to", "from")
    for kind in ("Float64", "Int64", "boolean"):
        weights = FRAME.assign(km=pd.array([1, None], kind))
        with pytest.raises(exceptions.InvalidValue, match=r"weight: .* row of 'km', got none in 1"):
            make(weights, "from", "to", "km")
    named = pd.DataFrame({"from": ["ann"], "to": ["bob"]})
    with pytest.raises(exceptions.DomainMismatch, match=r"source: .*'from'.*labels=True takes"):
        make(named, "from", "to", labels=False)
    with pytest.raises(exceptions.NotIndices, match=r"rows: .*labels=True"):
        sb.Matrix.from_coo(["ann"], ["bob"], True)
    with pytest.raises(exceptions.DomainMismatch, match=r"source: .*'ann'; .*labels=True"):
        sb.bfs(sb.generate.path(3), "ann")
    with pytest.raises(
        exceptions.DomainMismatch, match=r"index: .*; labels\['ann'\] is its number"
    ):
        sb.bfs(make(named, "from", "to"), "ann").levels["ann"]
    with pytest.raises(exceptions.DomainMismatch, match="target: expected hashable names"):
        make(pd.DataFrame({"source": ["a"], "target": [["b"]]}))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "c", "b"], "'b' is that of vertex 1 and of 3"),
        (np.array([7, 5, 3, 5]), "5 is that of vertex 1 and of 3"),
        ([(1, 2), 1, True], "is that of vertex 1 and of 2"),
    ],
)
def test_a_name_that_occurs_twice_is_named(names: Any, message: str) -> None:
    with pytest.raises(exceptions.InvalidValue, match=message):
        sb.Labels(names)
