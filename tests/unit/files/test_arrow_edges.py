"""Edges in the tables of pyarrow, whose columns are no names."""

from __future__ import annotations

from typing import Any

import pytest

from spbfs import Matrix
from spbfs.exceptions import DomainMismatch, InvalidValue

arrow = pytest.importorskip("pyarrow")


def both(columns: dict[str, Any]) -> list[Any]:
    table = arrow.table(columns)
    return [table, table.to_batches()[0]]


def test_edges_of_a_table_and_of_a_batch() -> None:
    for frame in both({"weight": [1.5, 2.5], "target": [1, 2], "source": [0, 1]}):
        assert Matrix.from_edgelist(frame).to_dicts() == {0: {1: 1.5}, 1: {2: 2.5}}
    for frame in both({"a": [0, 1], "b": [1, 2]}):
        assert Matrix.from_edgelist(frame, 7, square=True).to_dicts() == {0: {1: 7}, 1: {2: 7}}
    chunked = arrow.concat_tables([arrow.table({"a": [0], "b": [1]})] * 2)
    assert Matrix.from_edgelist(chunked, 1).to_dicts() == {0: {1: 1}}


def test_what_a_table_cannot_say() -> None:
    for frame in both({"a": [0, 1], "b": [1, None]}):
        with pytest.raises(InvalidValue, match="expected a value in every row of 'b'"):
            Matrix.from_edgelist(frame)
    for frame in both({"a": ["x"], "b": ["y"]}):
        with pytest.raises(DomainMismatch, match="expected integer indices, got 'x'"):
            Matrix.from_edgelist(frame)
    for frame in both({"a": [1]}):
        with pytest.raises(InvalidValue, match="two or three columns"):
            Matrix.from_edgelist(frame)
