"""Indexes of k hops keep the names of vertices in their files, which may be a stranger's."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, FormatError, InvalidValue

#: Kinds of names, four each.
NAMES: dict[str, Any] = {
    "strings": ["ann", "b\u00f6b", "", "z\nq\ud800"],
    "tuples": [(0, 0), (0, 1), ("a", (1, 2.5)), ()],
    "mixed": ["ann", 7, 2.5, None],
    "large": [10**30, -1, True, "1"],
    "integers": np.array([5, 0, 10**15, -3]),
    "small": np.array([5, 0, 7, 200], np.uint8),
    "floats": np.array([0.5, 1, np.inf, -2]),
    "complex": np.array([1 + 2j, 1, 0, 4]),
    "days": np.array(["2020-01-01", "2020-01-02", "1970-01-01", "9999-12-31"], "M8[D]"),
    "moments": pd.date_range("2020-01-01", periods=4, freq="s"),
    "spans": np.arange(4).astype("m8[10ms]"),
    "of NumPy": np.array([np.int64(3), np.float32(0.5), np.str_("x"), "y"], object),
}


def index_of(names: Any) -> sb.KHopIndex:
    A = sb.generate.path(4)
    A.labels = names
    return sb.KHopIndex(A, k=1)


@pytest.mark.parametrize("kind", NAMES)
def test_names_come_back(kind: str, tmp_path: Path) -> None:
    index = index_of(NAMES[kind])
    index.save(tmp_path / "index.npz")
    again = sb.KHopIndex.load(tmp_path / "index.npz")
    assert again.labels is not None and again.labels == index.labels
    assert again.labels.names().dtype == index.labels.names().dtype  # type: ignore[union-attr]
    first, second, third, _ = list(index.labels)  # type: ignore[arg-type]
    assert again.query([first, first], [second, third]).tolist() == [True, False]
    for copied in (copy.deepcopy(index), pickle.loads(pickle.dumps(index))):
        assert copied.labels == index.labels


def test_an_index_without_names(tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    index_of(None).save(path)
    assert sb.KHopIndex.load(path).labels is None
    sb.KHopIndex(sb.Matrix(bool, 0, 0), k=1).save(path)
    assert sb.KHopIndex.load(path).n == 0


def test_names_that_a_file_does_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    index = index_of(["ann", b"bob", 3, 4])
    with pytest.raises(DomainMismatch, match="labels: a name is a bytes; expected"):
        index.save(path)
    assert not path.exists()
    index.labels = None
    index.save(path)
    index.labels = sb.Labels(["ann", "bob"])
    with pytest.raises(DimensionMismatch, match="each of 4 vertices, got 2"):
        index.save(path)
    zoned = pd.date_range("2020-01-01", periods=4, tz="UTC")
    with pytest.raises(DomainMismatch, match="a name is a Timestamp"):
        index_of(list(zoned)).save(path)
    deep: Any = ()
    for _ in range(100_000):
        deep = (deep,)
    index = index_of(None)
    index.labels = sb.Labels._of(np.array([1, 2, 3, None], object))
    index.labels._names = index.labels._names.copy()
    index.labels._names[3] = deep
    with pytest.raises(DomainMismatch, match="labels"):
        index.save(path)
    assert sb.KHopIndex.load(path).labels is None, "the file is what it was"


def test_files_of_the_first_version_are_read(tmp_path: Path) -> None:
    path, index = tmp_path / "index.npz", index_of(None)
    np.savez(path, shape=np.array([4, 1]), sources=index.sources, bits=index._bits)
    again = sb.KHopIndex.load(path)
    assert again.labels is None and again.query([0, 0], [1, 2]).tolist() == [True, False]


def _text(names: Any) -> dict[str, Any]:
    text = names if isinstance(names, bytes) else json.dumps(names).encode()
    return {"labels_text": np.frombuffer(text, np.uint8)}


@pytest.mark.parametrize(
    "arrays",
    [
        {"version": np.array(3)},
        {"version": np.array(0)},
        {"version": np.array(-1)},
        {"version": np.array([2])},
        {"version": np.array(2.0)},
        {"sources": np.array([0, 1, 1, 3])},
        {"labels": np.arange(3)},
        {"labels": np.array([0, 1, 1, 2])},
        {"labels": np.zeros((2, 2))},
        {"labels": np.array(["a", "b", "c", "d"])},
        {"labels": np.arange(4), "labels_unit": np.frombuffer(b"M8[zz]", np.uint8)},
        {"labels": np.arange(4), "labels_unit": np.frombuffer(b"M8[0s]", np.uint8)},
        {"labels": np.arange(4), "labels_unit": np.frombuffer(b"M8", np.uint8)},
        {"labels": np.arange(4), "labels_unit": np.frombuffer(b"i4,i4", np.uint8)},
        {"labels": np.arange(4), "labels_unit": np.frombuffer(b"O", np.uint8)},
        {"labels": np.arange(4, dtype=np.int32), "labels_unit": np.frombuffer(b"M8[s]", np.uint8)},
        _text(["a", "b", "c"]),
        _text(["a", "b", "c", "a"]),
        _text(["a", "b", "c", {"d": 1}]),
        _text({"a": 0, "b": 1, "c": 2, "d": 3}),
        _text(7),
        _text("abcd"),
        _text(b""),
        _text(b"[1, 2, 3"),
        _text(b"\xff\xfe["),
        _text(b"[" * 1_000_000),
        _text(b"[1, 2, 3, " + b"[" * 900 + b"]" * 900 + b", 4]"),
        _text(b"[1, 2, 3, " + b"9" * 10_000 + b"]"),
        {"labels_text": np.zeros((2, 2), np.uint8)},
        {"labels_text": np.arange(4.0)},
    ],
)
def test_hostile_files_end_in_typed_errors(arrays: dict[str, Any], tmp_path: Path) -> None:
    path, index = tmp_path / "index.npz", index_of(None)
    sound: dict[str, Any] = {"version": np.array(2), "shape": np.array([4, 1])}
    np.savez(path, **sound | {"sources": index.sources, "bits": index._bits} | arrays)
    with pytest.raises(FormatError, match=r"index\.npz"):
        sb.KHopIndex.load(path)


def test_a_vertex_that_is_no_source_is_named() -> None:
    A = sb.generate.path(4)
    A.labels = ["ann", "bob", "eve", "zoe"]
    with pytest.raises(InvalidValue, match="u: 'bob' is not a source"):
        sb.KHopIndex(A, ["ann"], k=1).query(["ann", "bob"], ["eve", "eve"])
    with pytest.raises(InvalidValue, match="got 'bob' twice"):
        sb.KHopIndex(A, ["bob", "ann", "bob"], k=1)
    A.labels = None
    with pytest.raises(InvalidValue, match="u: 1 is not a source"):
        sb.KHopIndex(A, [0], k=1).query([0, 1], [2, 2])
