"""What a matrix says that it holds, and in which types others get it."""

from __future__ import annotations

import ast
import gc
import re
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix
from spbfs.operators.dtypes import FP64
from spbfs.storage import derived
from spbfs.storage.data import MatrixData
from spbfs.storage.delayed import DelayedRows, is_plain
from spbfs.storage.derived import Derived, FilledRows, known_transpose, remember_transpose
from spbfs.storage.packed import PackedMatrix, PackedTranspose

PACKAGE = Path(derived.__file__).parents[1]
NAMES = [field.name for field in fields(Derived)]
#: Of what is kept, that which is not counted: see the comments of the fields.
UNCOUNTED = {
    *("transpose", "transpose_of", "symmetric", "own_transpose", "row_facts"),
    *("hubs_sought", "launches", "plans", "loop_histories", "ledger", "value_range"),
    *("whole_values", "joint_pays", "loopless"),
}


def data() -> MatrixData:
    return MatrixData(2, 2, np.array([0, 1, 2], np.int32), np.array([1, 0], np.int32), np.ones(2))


def test_what_is_kept_with_the_transpose_counts() -> None:
    A = data()
    made = remember_transpose(A, data())
    before = A.nbytes
    made.derived.hubs = np.zeros(10, np.int32)
    assert A.nbytes == before + 40


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNCOUNTED])
def test_what_is_kept_counts(name: str) -> None:
    array = np.zeros(10, np.int32)
    kept: Any = {"filled_rows": FilledRows(array, 0), "cast_values": {FP64: array}}
    packed = PackedMatrix(3, np.zeros((5, 1), np.uint64))
    for A in (data(), packed, PackedTranspose(packed)):
        before = A.nbytes
        setattr(A.derived, name, kept.get(name, array))
        assert A.nbytes == before + 40


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_is_declared(name: str) -> None:
    """With its owner, its size and how long it is valid."""
    lines = Path(derived.__file__).read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(f"    {name}: "))
    begin = next(i for i in range(at, 0, -1) if not lines[i])
    comment = " ".join(line.strip(" #:") for line in lines[begin + 1 : at])
    assert re.search(r"Owner: .*Size: .*(Valid|Given up|It describes)", comment), comment


def test_what_is_kept_has_one_owner() -> None:
    """Nobody else writes it, and nothing is kept under a name in quotes."""
    writers: dict[str, set[str]] = {name: set() for name in NAMES}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Attribute) or node.attr != "cache", path
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
                continue
            if ast.unparse(node.value).split(".")[-1] == "derived":
                writers[node.attr].add(str(path.relative_to(PACKAGE)))
    assert not {name: where for name, where in writers.items() if len(where) > 1}
    assert not hasattr(data(), "cache")


def test_the_first_transpose_is_kept() -> None:
    A, first, second = data(), data(), data()
    assert remember_transpose(A, first) is remember_transpose(A, second) is first
    assert known_transpose(A) is first
    assert known_transpose(first) is A


def test_the_way_back_keeps_nothing_alive() -> None:
    A = data()
    made = remember_transpose(A, data())
    gone = weakref.ref(A)
    gc.disable()
    try:
        del A
        assert gone() is None
        assert known_transpose(made) is None
    finally:
        gc.enable()


def test_scipy_gets_offsets_and_columns_of_one_width() -> None:
    """Graph algorithms of older SciPys take nothing but 32 bits."""
    wide = MatrixData(2, 2, np.array([0, 1, 2]), np.array([1, 0], np.int32), np.ones(2))
    S = Matrix._from_data(wide).to_scipy()
    assert S.indptr.dtype == S.indices.dtype == np.int32
    assert S.toarray().tolist() == [[0, 1], [1, 0]]


def test_rows_are_made_when_somebody_asks_for_them() -> None:
    columns, calls = data(), []

    def transpose(A: MatrixData) -> MatrixData:
        calls.append(A)
        return MatrixData(2, 2, A.indptr, A.indices, A.values * 2)

    A = DelayedRows(columns, transpose)
    assert (A.shape, A.nvals, A.dtype, A.nbytes) == ((2, 2), 2, np.float64, columns.nbytes)
    assert known_transpose(A) is columns
    assert not calls
    assert A.values.tolist() == [2.0, 2.0]
    assert A.indices.tolist() == [1, 0]
    assert calls == [columns]
    assert type(A) is MatrixData and is_plain(A)


def test_two_threads_that_ask_for_rows_get_the_same() -> None:
    both = Barrier(2)

    def transpose(A: MatrixData) -> MatrixData:
        both.wait(10)
        return MatrixData(2, 2, A.indptr.copy(), A.indices, A.values)

    A = DelayedRows(data(), transpose)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: A.indptr, range(2))
    assert first is second is A.indptr


def test_a_matrix_by_columns_is_transposed_when_it_is_used() -> None:
    made = Matrix.from_csc([0, 2, 3], [1, 0, 1], [5, 6, 7], device="cpu")
    assert made.nvals == 3 and type(made._data) is DelayedRows
    assert type(made.T.new()._data) is MatrixData and type(made._data) is DelayedRows
    assert made.to_dicts() == {0: {0: 6}, 1: {0: 5, 1: 7}}
    assert type(made._data) is MatrixData
