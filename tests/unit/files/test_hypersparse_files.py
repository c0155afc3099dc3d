"""Files of matrices with far more rows than entries: read again, in memory for what is stored."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from io_cases import put

import spbfs as sb
from spbfs.exceptions import InvalidValue

SIDES = [2**27, 2**40, 2**60]
#: Formats that say how many vertices there are, by whether they need weights.
WEIGHTED = {".npz": False, ".npz.gz": False, ".mtx": False, ".txt": False, ".el.gz": False}
WEIGHTED |= {".wel": True, ".gr": True}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("values", [True, [7, 8, 9], [2.5, -3.5, 0.0]])
@pytest.mark.parametrize("extension", WEIGHTED)
def test_what_is_written_is_read(tmp_path: Path, extension: str, values: Any, side: int) -> None:
    if values is True and WEIGHTED[extension]:
        values = 1
    A = sb.Matrix.from_coo([5, side // 2, 8], [side - 9, 1, 0], values, nrows=side, ncols=side)
    path = tmp_path / f"a{extension}"
    sb.write(path, A)
    assert sb.read(path).isequal(A)
    both = sb.read(path, directed=False)
    assert both.isequal(A.ewise_add(A.T, "first").new())
    made, ids = sb.read(path, compact=True)
    assert made.nvals == 3 and ids.max() <= side - 9 + (extension in (".mtx", ".gr"))


@pytest.mark.parametrize("extension", [".npz", ".mtx"])
@pytest.mark.parametrize("shape", [(3, 2**40), (2**40, 3)])
def test_one_side_alone_may_be_long(tmp_path: Path, extension: str, shape: Any) -> None:
    A = sb.Matrix.from_coo([0, 2], [2, 1], [1.5, 2.5], nrows=shape[0], ncols=shape[1])
    sb.write(tmp_path / f"a{extension}", A)
    B = sb.read(tmp_path / f"a{extension}")
    assert B.isequal(A) and B.T.new().isequal(A.T.new())


def test_csv_is_refused_when_it_is_written(tmp_path: Path) -> None:
    A = sb.Matrix.from_coo([5, 2**40 - 1], [2, 0], True, nrows=2**40, ncols=2**40)
    with pytest.raises(InvalidValue, match=r"a.csv.*not read.*\.txt, \.mtx and \.npz can"):
        sb.write(tmp_path / "a.csv", A)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "# Nodes: 999999999999\n0 1\n"),
        ("a.gr", "p sp 999999999999 1\na 1 2 3\n"),
        (
            "a.mtx",
            "%%MatrixMarket matrix coordinate real general\n999999999999 999999999999 1\n1 2 3\n",
        ),
    ],
)
def test_sizes_that_a_file_states_take_no_memory(tmp_path: Path, name: str, content: str) -> None:
    path = put(tmp_path, name, content)
    sb.read(put(tmp_path, f"small_{name}", content.replace("999999999999", "9")))
    tracemalloc.start()
    A = sb.read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert A.shape == (999999999999,) * 2 and A.to_coo()[0].tolist() == [0]
    assert most < 40 << 20, most


def test_entries_of_one_place_are_combined(tmp_path: Path) -> None:
    side = 2**40
    twice = scipy.sparse.coo_array(
        (np.array([1.0, 2.5, 4.0]), ([5, 5, 9], [side - 1, side - 1, 0])), shape=(side, side)
    )
    scipy.sparse.save_npz(tmp_path / "a.npz", twice)
    assert sb.read(tmp_path / "a.npz").to_dicts() == {5: {side - 1: 3.5}, 9: {0: 4.0}}
    path = put(tmp_path, "a.txt", f"# Nodes: {side}\n5 {side - 1} 4\n5 {side - 1} 3\n")
    assert sb.read(path).to_dicts() == {5: {side - 1: 3}}
