"""Numbers in lists that NumPy would cut or change without a word are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Scalar, Vector
from spbfs.exceptions import DimensionMismatch, InvalidCall, NotIndices, OutOfRange

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "indices", [[0.5, 1.7], [-0.5], [1.0, 0.5], [NAN], (0.9,), [0, 1.5], [1e300]]
)
@pytest.mark.parametrize(
    "make",
    [
        lambda x: Matrix.from_coo(x, [0] * len(x), 1),
        lambda x: Matrix.from_coo([0] * len(x), x, 1, directed=False),
        lambda x: Matrix.from_edgelist([(i, i) for i in x]),
        lambda x: Matrix.from_edgelist([(i, i) for i in x], square=True),
    ],
)
def test_a_fraction_is_no_vertex(indices: Any, make: Callable[[Any], Any]) -> None:
    with pytest.raises(NotIndices, match="expected integer indices, got float64"):
        make(indices)


def test_of_a_vector_fractions_are_cut_as_in_the_dialect() -> None:
    assert Vector.from_coo([1.2, 3.4], [1, 2]).to_dict() == {1: 1, 3: 2}
    for indices in ([NAN], [0.5, INF], [1e300]):
        with pytest.raises(NotIndices, match="expected integer indices, got float64"):
            Vector.from_coo(indices, 1)


def test_whole_floats_are_vertices_where_objects_are_made() -> None:
    for rows in ([0.0, 2.0], np.array([0.0, 2.0])):
        assert Vector.from_coo(rows, 5).to_dict() == {0: 5, 2: 5}
        assert Matrix.from_coo(rows, rows, 5).to_dicts() == {0: {0: 5}, 2: {2: 5}}
        assert Matrix.from_edge_index(np.array([rows, rows]), 5).nvals == 2
        assert Matrix.from_csr(np.array([0.0, 1.0, 2.0]), rows, 5).to_dicts() == {
            0: {0: 5},
            1: {2: 5},
        }
        assert Matrix.from_dcsr(rows, [0, 1, 2], rows, 5).to_dicts() == {0: {0: 5}, 2: {2: 5}}
    loaded = np.array([[0.0, 1.0], [1.0, 2.0]])
    assert Matrix.from_edgelist(loaded).to_dicts() == {0: {1: 1.0}, 1: {2: 1.0}}
    with pytest.raises(NotIndices, match=r"rows: expected integer indices, got float64"):
        Matrix.from_edgelist(loaded / 2)
    assert Matrix.from_coo([0.0, 2.0], [1.0, 1], 5).to_dicts() == {0: {1: 5}, 2: {1: 5}}
    assert Matrix.from_edgelist([(0.0, 2)], square=True).shape == (3, 3)


def test_an_array_of_floats_may_hold_values_of_edges() -> None:
    edges = [[0, 1, 5], [1, 2, 3]]
    A = Matrix.from_edgelist(np.array(edges, float))
    assert A.isequal(Matrix.from_edgelist(edges), check_dtype=False) and A.dtype == "FP64"
    with pytest.raises(InvalidCall, match="edges, values: both hold values"):
        Matrix.from_edgelist(np.array(edges, float), values=1)
    for wrong in (np.zeros((2, 4)), np.array(edges)):
        with pytest.raises(DimensionMismatch, match=r"m x 2, got shape .* in a third column of"):
            Matrix.from_edgelist(wrong)


def test_in_brackets_whole_floats_are_refused_with_a_way_out() -> None:
    v = Vector.from_dense([1, 2])
    for indices in ([0.0, 1.0], np.array([0.0, 1.0])):
        with pytest.raises(NotIndices, match=r"astype\(int\) makes integers of whole floats"):
            v[indices]


@pytest.mark.parametrize(
    "indices", [[0, True], [False, 2], (1, np.True_), [1.0, True], [-1, False]]
)
@pytest.mark.parametrize(
    "take",
    [
        lambda x: Vector.from_coo(x, 1),
        lambda x: Matrix.from_coo([0, 1], x, 1),
        lambda x: Matrix.from_coo(x, [0, 1], 1, square=True),
        lambda x: Matrix.from_csr([0, 2], x),
        lambda x: Vector.from_dense([1, 2, 3])[list(x)].new(),
        lambda x: Matrix.from_dense([[1, 2]] * 3)[list(x), :].new(),
    ],
)
def test_a_boolean_among_numbers_is_no_index(indices: Any, take: Callable[[Any], Any]) -> None:
    with pytest.raises(NotIndices, match="expected integer indices"):
        take(indices)


def test_booleans_alone_choose_positions() -> None:
    assert Vector.from_dense([1, 2])[[False, True]].new().to_dict() == {0: 2}


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([NAN], "INT64"),
        ([1.0, INF], "INT8"),
        ([-INF, 0.5], "UINT16"),
        ([128.0], "INT8"),
        ([300], "INT8"),
        ([-1.0], "UINT8"),
        ([2.0**63], "INT64"),
        ([2.0**64, 1], "UINT64"),
        ([-(2.0**64)], "INT64"),
        ([2**63, NAN], "UINT64"),
    ],
)
def test_a_number_that_does_not_fit_its_type(values: list[Any], dtype: str) -> None:
    n = len(values)
    for make in (
        lambda: Vector.from_coo(range(n), values, dtype),
        lambda: Matrix.from_coo(range(n), range(n), values, dtype),
        lambda: Vector.from_dense(values, dtype=dtype),
        lambda: Matrix.from_dense([values], dtype=dtype),
        lambda: Matrix.from_csr([0, n], range(n), values, dtype),
        lambda: [Vector.from_coo([0], x, dtype) for x in values],
    ):
        with pytest.raises(OutOfRange, match=f"does not fit {dtype}"):
            make()


def test_numbers_at_the_ends_of_a_type_fit() -> None:
    for dtype, ends in {
        "INT8": [127.5, -128.5],
        "INT64": [-(2.0**63), 2**62],
        "UINT64": [2**64 - 1, 0],
        "UINT8": [255.5, -0.5],
    }.items():
        found = Vector.from_dense(ends, dtype=dtype).to_dense().tolist()
        assert found == [int(x) for x in ends]
    assert Vector.from_dense(np.array([NAN, 300.0]), dtype="INT8").nvals == 2, "an array is cast"


@pytest.mark.parametrize("dtype", ["INT8", "INT64", "UINT32"])
def test_a_number_beyond_64_bits_is_not_assigned(dtype: str) -> None:
    v, A, x = Vector(dtype, 1), Matrix(dtype, 1, 1), Scalar(dtype)

    def element() -> None:
        v[0] = 2**63

    def entry() -> None:
        A[0, 0] = 2**63

    def value() -> None:
        x.value = 2**63

    def everywhere() -> None:
        v[:] = 2**63

    for write in (element, entry, value, everywhere, lambda: v.__lshift__(2**63)):
        with pytest.raises(OverflowError, match="9223372036854775808 does not fit"):
            write()
    assert v.nvals == A.nvals == 0
    assert x.is_empty
    with pytest.raises(OverflowError):
        Scalar.from_value(2**64)
    with pytest.raises(OverflowError):
        v[0] = 2**70
    for other in ("UINT64", "FP64"):
        w = Vector(other, 1)
        w[0] = 2**63
        assert w.to_dict() == {0: 2**63}
