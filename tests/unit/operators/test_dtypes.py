"""Types by their names, of Python, NumPy, C and the specification; in order, pickled, compared."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from spbfs import Matrix, Vector, dtypes
from spbfs.exceptions import IndexOutOfRange, InvalidValue, OutOfRange, UnknownDtype

gb = pytest.importorskip("graphblas")


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_every_name_of_a_type_is_python_graphblass(dtype: dtypes.DType) -> None:
    theirs = gb.dtypes.lookup_dtype(dtype.name)
    assert dtype.c_type == theirs.c_type
    for name in (theirs.c_type, theirs.gb_name, theirs.name.lower(), theirs.np_type):
        assert dtypes.lookup_dtype(name).name == gb.dtypes.lookup_dtype(name).name
    assert hash(dtype) == hash(dtype.np_type)
    assert not dtype._is_udt


def test_types_are_the_same_objects_wherever_they_come_from() -> None:
    for dtype in (*dtypes.ALL, dtypes._INDEX):
        assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    assert dtypes._INDEX == dtypes.UINT64


def test_types_have_an_order() -> None:
    theirs = sorted(gb.dtypes.lookup_dtype(d.name) for d in dtypes.ALL)
    assert [d.name for d in sorted(dtypes.ALL)] == [d.name for d in theirs]
    assert dtypes.BOOL < "FP32"


@pytest.mark.parametrize("kind", [TypeError, ValueError])
def test_a_name_of_no_type(kind: type[Exception]) -> None:
    for name in ("nope", None, object, 5, "INT64[2]"):
        with pytest.raises(kind):
            dtypes.lookup_dtype(name)
        with pytest.raises(UnknownDtype):
            Vector(name, 3)


def test_numbers_that_do_not_fit() -> None:
    for wrong in (
        lambda: Vector(int, -1),
        lambda: Matrix(int, 2**61, 1),
        lambda: Vector.from_coo([0, 2**62], [1, 2]),
        lambda: Vector.from_coo([0], [-1], dtype="UINT8"),
        lambda: Vector.from_coo([0], [300], dtype="INT8"),
        lambda: Vector.from_coo([0, 1], [0, 2**70], dtype="INT64"),
        lambda: Vector.from_coo([0, 2**64], [1, 2]),
        lambda: Vector.from_coo([-1], [1]),
    ):
        with pytest.raises(OverflowError) as caught:
            wrong()
        assert isinstance(caught.value, OutOfRange | IndexOutOfRange)
    cast = Vector.from_coo([0, 1], np.array([300, -1]), dtype="INT8")
    assert cast.to_dict() == {0: 44, 1: -1}, "an array is cast as NumPy casts it"


def test_indices_may_be_floats_in_an_array_whole_ones() -> None:
    assert Vector.from_coo([0.0, 2.7], [7, 8]).to_dict() == {0: 7, 2: 8}
    assert Vector.from_coo(np.array([0.0, 2.0]), [7, 8]).to_dict() == {0: 7, 2: 8}
    for wrong in (np.array([0.0, 1.5]), [0.0, float("nan")], [0.0, float("inf")]):
        with pytest.raises(ValueError, match="indices"):
            Vector.from_coo(wrong, [7, 8])


def test_one_value_for_all_is_combined_by_nothing() -> None:
    with pytest.raises(InvalidValue, match="dup_op"):
        Vector.from_coo([0, 0], 7, dup_op="plus")
    with pytest.raises(InvalidValue, match="dup_op"):
        Matrix.from_coo([0, 0], [1, 1], 7, dup_op="plus")
    assert Vector.from_coo([0, 0], 7).to_dict() == {0: 7}
