"""Numbers, flags and names that objects do not take: refused by name, with nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import spbfs as sb
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue, OutOfRange


def _matrix() -> sb.Matrix:
    return sb.Matrix.from_coo([0, 1], [1, 0], [5, 3])


@pytest.mark.parametrize(
    "value", [1 << 64, -(1 << 63) - 1, -(10**30), 10**5000, -(10**5000)], ids=brief
)
def test_integers_beyond_64_bits(value: int) -> None:
    A, s = _matrix(), sb.Scalar.from_value(3)
    calls: list[Callable[[], Any]] = [
        lambda: (A + value).new(),
        lambda: sb.Matrix.from_coo([0], [1], value),
        lambda: sb.Matrix.from_coo([0], [1], value, dtype=float),
        lambda: sb.Scalar.from_value(value),
        lambda: sb.select.valuegt(A, value).new(),
        lambda: A.__setitem__((0, 1), value),
        lambda: s << value,
    ]
    for call in calls:
        with pytest.raises(InvalidValue, match=r"^\w+: .* does not fit 64 bits"):
            call()
    assert A.isequal(_matrix()) and s == 3


def test_flags() -> None:
    A = _matrix()
    v, s = A[0, :].new(), sb.Scalar.from_value(3)
    calls: dict[str, list[Callable[[Any], Any]]] = {
        "replace": [lambda odd: A(A.S, replace=odd), lambda odd: v(v.S, replace=odd)],
        "clear": [
            lambda odd: A.build([0], [0], [1], clear=odd),
            lambda odd: v.build([0], [1], clear=odd),
            lambda odd: A.dup(clear=odd),
            lambda odd: s.dup(clear=odd),
        ],
        "allow_empty": [
            lambda odd: v.reduce(allow_empty=odd),
            lambda odd: A.reduce_scalar(allow_empty=odd),
        ],
        "check_dtype": [
            lambda odd: A.isequal(A, check_dtype=odd),
            lambda odd: v.isclose(v, check_dtype=odd),
        ],
        "is_cscalar": [lambda odd: sb.Scalar(int, is_cscalar=odd)],
        "values": [lambda odd: A.to_coo(values=odd), lambda odd: v.to_coo(values=odd)],
        "rows": [lambda odd: A.to_coo(rows=odd)],
        "columns": [lambda odd: A.to_coo(columns=odd)],
        "indices": [lambda odd: v.to_coo(indices=odd)],
        "complement": [lambda odd: A.S.new(complement=odd)],
        "directed": [lambda odd: A.to_networkx(directed=odd)],
    }
    for name, those in calls.items():
        for call in those:
            for odd in ("no", 2, np.array([True, False])):
                with pytest.raises(DomainMismatch, match=f"{name}: expected True or False, got"):
                    call(odd)
    assert A.isequal(_matrix())


def test_names_are_names() -> None:
    A = _matrix()
    for odd in (np.array([1, 2]), ["cpu"], {}):
        with pytest.raises(InvalidValue, match="device: expected"):
            A.to(odd)  # type: ignore[arg-type]
        with pytest.raises(InvalidValue, match="device: expected"):
            A.to_coo(device=odd)
        with pytest.raises(InvalidValue, match="format: expected"):
            A.to_scipy(odd)
        with pytest.raises(DomainMismatch, match="source: expected the name of a column"):
            A.to_pandas_edgelist(source=odd)
        with pytest.raises(DomainMismatch, match="target: expected the name of a column"):
            A.to_pandas_edgelist(target=odd)
        with pytest.raises(DomainMismatch, match="weight: expected the name of an attribute"):
            A.to_networkx(weight=odd)
    with pytest.raises(InvalidValue, match="target: expected a name of its own, got 'x'"):
        A.to_pandas_edgelist("x", "x")
    with pytest.raises(InvalidValue, match="weight: expected a name of its own, got 'weight'"):
        A.to_pandas_edgelist("weight", "x")
    with pytest.raises(DomainMismatch, match="op: expected a binary operator"):
        A(sb.Scalar.from_value(1))
    with pytest.raises(DomainMismatch, match="nested_dicts: expected dictionaries in it, got None"):
        sb.Matrix.from_dicts([None])
    with pytest.raises(DomainMismatch, match="names: expected"):
        A.labels = A.to_scipy("coo")


def test_what_cannot_be_shown() -> None:
    class Unshowable:
        def __repr__(self) -> str:
            raise RuntimeError("no repr")

    assert brief(Unshowable()) == "a Unshowable"
    assert brief(Fraction(10**5000)) == "a Fraction"
    assert brief(-(10**5000)) == "an integer of 16,610 bits"
    with pytest.raises(InvalidValue, match="threads: an integer of 16,610 bits is not between"):
        sb.set_threads(10**5000)


def test_columns_are_no_frames() -> None:
    for odd in (pl.Series([1, 2]), pa.chunked_array([[1, 2]]), pd.Series([1, 2])):
        with pytest.raises(DomainMismatch, match="frame: expected a data frame"):
            sb.Matrix.from_pandas_edgelist(odd)


def test_tolerances_are_numbers() -> None:
    v = sb.Vector.from_dense([1.0, 2.0])
    for odd in (10**5000, np.str_("a"), np.complex64(1), 1j, "a", None):
        with pytest.raises(DomainMismatch, match="rel_tol: expected a number"):
            v.isclose(v, rel_tol=odd)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("error")
def test_values_of_odd_types() -> None:
    for make in (
        lambda odd: sb.Vector.from_coo([0, 1], odd, dtype=int),
        lambda odd: sb.Matrix.from_coo([0, 1], [1, 0], odd, dtype=int),
        lambda odd: sb.Matrix.from_csr([0, 1, 2], [1, 0], odd, dtype=int),
    ):
        for odd in ([1, None], ["a", None], [1, {}], [1, 1j]):
            with pytest.raises(DomainMismatch, match="values: expected numbers"):
                make(odd)
        with pytest.raises(OutOfRange, match=r"values: 1000\d* does not fit INT64"):
            make([1, 10**30])
        half = make(np.array([-np.inf, 2.5], np.float16))
        assert half.to_coo()[-1].tolist() in ([-(1 << 63), 2], [2, -(1 << 63)])
    nothing = np.zeros(0, complex)
    assert sb.Vector.from_coo(nothing, nothing, size=3).nvals == 0


def test_none_is_no_part_of_a_result() -> None:
    assert sb.Vector.from_coo([1], [2]).to_coo(indices=None)[0] is None
    rows, columns, values = _matrix().to_coo(rows=None, values=None)
    assert rows is None and columns is not None and values is None
