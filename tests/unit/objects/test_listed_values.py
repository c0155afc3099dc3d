"""Lists of Python's numbers as values: what a type does not hold is refused, whatever NumPy makes
of the list; and what is missing is told by the values that are stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import DomainMismatch, OutOfRange, UnknownDtype

MAKERS: dict[str, Callable[[Any, str], Any]] = {
    "from_coo": lambda x, t: sb.Vector.from_coo(range(len(x)), x, dtype=t),
    "from_dense": lambda x, t: sb.Vector.from_dense(x, dtype=t),
    "matrix from_coo": lambda x, t: sb.Matrix.from_coo(range(len(x)), [0] * len(x), x, dtype=t),
    "matrix from_dense": lambda x, t: sb.Matrix.from_dense([x], dtype=t),
}


@pytest.mark.parametrize(
    ("values", "dtype", "told"),
    [
        ([300, 5], "UINT8", "300"),
        ([300, -1], "INT8", "300"),
        ([-1, 5], "UINT64", "-1"),
        ([-1, 2**63, 300], "UINT8", "-1"),  # NumPy: three doubles
        ([2**63, -1], "INT64", str(2**63)),
        ([-1, 2**63 + 1025], "UINT64", "-1"),
    ],
)
@pytest.mark.parametrize("maker", MAKERS)
def test_numbers_that_a_type_does_not_hold(
    maker: str, values: list[int], dtype: str, told: str
) -> None:
    with pytest.raises(OutOfRange, match=f"^values: {told} does not fit {dtype}"):
        MAKERS[maker](values, dtype)


def test_one_number_for_all_entries() -> None:
    with pytest.raises(OutOfRange, match=r"^values: 300 does not fit UINT8"):
        sb.Vector.from_coo([0, 1], 300, dtype="UINT8")
    with pytest.raises(OutOfRange, match=r"^values: -129 does not fit INT8"):
        sb.Matrix.from_coo([0], [1], -129, dtype="INT8")


@pytest.mark.parametrize("maker", MAKERS)
def test_what_fits_and_what_is_cast(maker: str) -> None:
    make = MAKERS[maker]
    for values, dtype, wanted in (
        ([5, 2**63 + 1025], "UINT64", [5, 2**63 + 1025]),
        ([1.5, -0.5], "UINT8", [1, 0]),
        (np.array([1.5, 1e30]), "INT8", [1, 127]),
        ([True, False], "INT8", [1, 0]),
        (np.array([300, 5]), "UINT8", [44, 5]),
    ):
        assert make(values, dtype).to_coo()[-1].tolist() == wanted


OF_LISTS: dict[str, Callable[[Any], Any]] = {
    "from_coo": lambda x: sb.Vector.from_coo(range(len(x)), x),
    "from_dict": lambda x: sb.Vector.from_dict(dict(enumerate(x))),
    "from_dense": sb.Vector.from_dense,
    "an iterator": lambda x: sb.Vector.from_dense(iter(x)),
    "from_edgelist": lambda x: sb.Matrix.from_edgelist([(i, i, y) for i, y in enumerate(x)]),
    "matrix from_dense": lambda x: sb.Matrix.from_dense([x]),
    "graph": lambda x: sb.Matrix.from_coo(range(len(x)), range(len(x)), x, directed=False),
}


@pytest.mark.parametrize("make", OF_LISTS.values(), ids=OF_LISTS)
def test_whole_numbers_across_64_bits_without_a_type(make: Callable[[Any], Any]) -> None:
    large = 2**63 + 1
    for values, dtype in (
        ([large, 1], "UINT64"),
        ([True, large], "UINT64"),
        ([np.uint64(large), 1], "UINT64"),
        ([-(2**63), 2**63 - 1], "INT64"),
        ([large, 0.5], "FP64"),
    ):
        made = make(values)
        assert made.dtype == dtype
        found = made.to_coo()[-1].tolist()
        assert found == ([float(x) for x in values] if dtype == "FP64" else values)
    for values, told in (
        ([large, -1], f"no integer type holds both -1 and {large}"),
        ([1, 2**70], f"{2**70} does not fit 64 bits"),
        ([-(2**63) - 1, 1], f"{-(2**63) - 1} does not fit 64 bits"),
        ([0.5, 2**70], f"{2**70} does not fit 64 bits"),
    ):
        with pytest.raises(OutOfRange, match=f"^values: {told}"):
            make(values)


def test_graphs_and_iterators_are_checked_as_lists_are() -> None:
    with pytest.raises(OutOfRange, match=r"^values: 300 does not fit INT8"):
        sb.Matrix.from_coo([0], [1], [300], "INT8", directed=False)
    with pytest.raises(OutOfRange, match=r"^values: 300 does not fit INT8"):
        sb.Vector.from_coo([0, 1], iter([300, 1]), "INT8")


def test_numbers_of_numpy_s_are_cast_and_keep_their_bits() -> None:
    large = np.uint64(2**63 + 1)
    make = sb.Vector.from_dense
    assert make([large, 1], dtype="UINT64").to_dense().tolist() == [2**63 + 1, 1]
    assert make([np.array([large, -1], object).item(0), 1]).to_dense().tolist() == [2**63 + 1, 1]
    assert make([large, -1], dtype="UINT8").dtype == "UINT8"


def test_nan_may_be_what_is_missing() -> None:
    nan = float("nan")
    v = sb.Vector.from_coo([1, 3], [1.5, 2.5], size=4)
    dense = v.to_dense(fill_value=nan)
    assert sb.Vector.from_dense(dense, missing_value=nan).isequal(v)
    assert sb.Vector.from_dense([1, 2], missing_value=nan).nvals == 2
    missing = sb.Scalar.from_value(nan)
    assert sb.Matrix.from_dense([dense], missing_value=missing).to_dicts() == {0: {1: 1.5, 3: 2.5}}


def test_an_array_of_another_type_is_named() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    long = np.ones((2, 2), np.longdouble)
    for name, make in (
        ("values", lambda: sb.Matrix.from_dense(long)),
        ("values", lambda: sb.Vector.from_coo([0], np.ones(1, np.float16))),
        ("matrix", lambda: sb.Matrix.from_scipy(sparse.csr_array(long))),
    ):
        with pytest.raises(UnknownDtype, match=f"^{name}: .* got dtype float"):
            make()
    assert sb.Matrix.from_scipy(sparse.csr_array(long), "FP64").dtype == "FP64"


def test_what_is_missing_is_told_by_the_type() -> None:
    make = sb.Vector.from_dense
    assert make([0.4, 1.7, 0.0], missing_value=0, dtype=int).to_dict() == {1: 1}
    assert make([0, 1, 2], missing_value=True, dtype=bool).to_dict() == {0: False}
    assert make(np.array([256, 0, 1]), missing_value=0, dtype="UINT8").to_dict() == {2: 1}
    A = sb.Matrix.from_dense([[0.4, 1.7], [0.0, 3]], missing_value=0, dtype=int)
    assert A.to_dicts() == {0: {1: 1}, 1: {1: 3}}


def test_names_of_types_may_be_numpys() -> None:
    for name in ("float64", "float", "int", "f8", "i4", "int8", "FP64", "double"):
        assert sb.Vector(np.str_(name), 3).dtype == sb.Vector(name, 3).dtype
    with pytest.raises(UnknownDtype, match="'nothing'"):
        sb.Vector(np.str_("nothing"), 3)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(
    ("number", "dtype"), [(2**63 + 1, "UINT64"), (1.5, "FP32"), (3, "INT8"), (True, "BOOL")]
)
def test_scalars_are_their_numbers(maker: str, number: Any, dtype: str) -> None:
    of_it = [sb.Scalar.from_value(number, dtype), sb.Vector.from_dense([number])[0]]
    found = MAKERS[maker](of_it[:1], None)
    assert found.dtype == dtype and found.to_coo()[-1].tolist() == [number]
    for values in ([*of_it, 1], [1, *of_it], (1, *of_it)):
        found = MAKERS[maker](values, None)
        assert found.to_coo()[-1].tolist() == [getattr(x, "value", x) for x in values]
        assert found.dtype == {"FP32": "FP64", "INT8": "INT64", "BOOL": "INT64"}.get(dtype, dtype)


def test_scalars_in_lists_of_statements() -> None:
    far = sb.Scalar.from_value(2**63 + 1)
    w = sb.Vector("UINT64", 2)
    for values in ([far, 1], (far, 1)):
        w.clear()
        w << values
        assert w.to_dict() == {0: 2**63 + 1, 1: 1}
    w[[0, 1]] = [2, far]
    assert w.to_dict() == {0: 2, 1: 2**63 + 1}
    A = sb.Matrix("UINT64", 2, 2)
    A << [[far, 1], [2, 3]]
    assert A.to_dicts() == {0: {0: 2**63 + 1, 1: 1}, 1: {0: 2, 1: 3}}
    assert sb.Vector.from_pairs([(0, far), (1, 1)]).to_dict() == {0: 2**63 + 1, 1: 1}
    assert sb.Vector.from_dict({0: far, 1: 1}).dtype == "UINT64"
    assert sb.Matrix.from_dicts({0: {0: far, 1: 1}}).to_dicts() == {0: {0: 2**63 + 1, 1: 1}}
    assert sb.Matrix.from_edgelist([(0, 1, far), (1, 0, 1)]).dtype == "UINT64"
    assert w[[sb.Scalar.from_value(1), 0]].new().to_dict() == {0: 2**63 + 1, 1: 2}
    with pytest.raises(DomainMismatch, match="an empty INT64 Scalar is no number"):
        sb.Vector.from_dense([sb.Scalar(int), 1])
