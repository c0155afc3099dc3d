"""`spbfs.read` and `spbfs.write` as users call them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from io_cases import put

import spbfs
from spbfs import Matrix
from spbfs.exceptions import DomainMismatch, FileMissing, InvalidValue


def test_read_gives_a_matrix(tmp_path: Path) -> None:
    A = spbfs.read(put(tmp_path, "a.txt", "0 1\n1 2\n"))
    assert isinstance(A, Matrix) and A.dtype == "BOOL" and A.shape == (3, 3) and A.nvals == 2
    assert A.isequal(Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3), check_dtype=True)
    W = spbfs.read(str(put(tmp_path, "w.wel", "0 1 2.5\n")), dtype="FP32")
    assert W.dtype == "FP32" and W[0, 1].new().value == 2.5


def test_compact_gives_labels_too(tmp_path: Path) -> None:
    A, labels = spbfs.read(put(tmp_path, "a.txt", "70 500\n"), compact=True)
    assert A.shape == (2, 2) and labels.tolist() == [70, 500]


@pytest.mark.parametrize("name", ["directed", "one_based", "weights", "compact"])
def test_options_are_true_or_false(tmp_path: Path, name: str) -> None:
    options: dict[str, Any] = {name: 1}
    with pytest.raises(InvalidValue, match=f"{name}: 1; expected True or False"):
        spbfs.read(put(tmp_path, "a.txt", "0 1\n"), **options)


def test_options_may_be_numpys(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "0 1\n")
    assert spbfs.read(path, directed=np.False_).nvals == 2
    spbfs.convert(path, tmp_path / "a.csr", directed=np.False_, transpose=np.True_)
    assert spbfs.open_csr(tmp_path / "a.csr", verify=np.True_).nvals == 2


def test_missing() -> None:
    with pytest.raises(FileMissing):
        spbfs.read("no such file.mtx")


def test_write_takes_what_stands_for_a_matrix(tmp_path: Path) -> None:
    A = Matrix.from_coo([0, 1], [2, 0], [1.5, 2.5], nrows=3, ncols=3)
    path = tmp_path / "a.mtx"
    for B, expected in (
        (A, A),
        (A.T, A.T.new()),
        (A.to_scipy(), A),
        (A.apply("ainv"), A.apply("ainv").new()),
    ):
        spbfs.write(path, B)
        assert spbfs.read(path).isequal(expected, check_dtype=True)
    A[2, 2] = 7.0
    spbfs.write(path, A)
    assert spbfs.read(path).isequal(A)


@pytest.mark.parametrize("A", [None, 3, np.eye(2), spbfs.Vector(int, 3)])
def test_write_refuses_the_rest(tmp_path: Path, A: Any) -> None:
    with pytest.raises(DomainMismatch, match="A: expected a Matrix"):
        spbfs.write(tmp_path / "a.mtx", A)
    assert not list(tmp_path.iterdir())


def test_scipy_array_of_bools(tmp_path: Path) -> None:
    spbfs.write(tmp_path / "a.txt", scipy.sparse.csr_array(np.eye(3, dtype=bool)))
    assert spbfs.read(tmp_path / "a.txt").isequal(Matrix.from_coo([0, 1, 2], [0, 1, 2], True))
