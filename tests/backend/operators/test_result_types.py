"""The type of every operator's result, over every type, is python-graphblas's."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import spbfs
from spbfs.exceptions import DomainMismatch
from spbfs.operators.dtypes import ALL
from spbfs.operators.tables.builtin import BINARY, MONOID, SEMIRING, UNARY

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

#: Ours on purpose: positions are INT64 where theirs of INT32 operands are INT32; Booleans are
#: counted, or form their own algebra, where theirs refuse; signed integers have bits of their own.
OTHERWISE = re.compile(
    r"first[ij]$|second[ij]$|position[ij]|isnan|isinf|isfinite|times_(first|second)$"
)
_BITS = re.compile(r"(band|bor|bxor|bxnor)(_|$)")


def _there(kind: str, name: str, dtype: str) -> str | None:
    """The type of the result there; None where they have no such operator or refuse the type."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = getattr(graphblas, kind)
        found = module.numpy.mod if name == "mod" else getattr(module, name, None)
    one = graphblas.Vector.from_coo([0], [1], dtype=dtype)
    try:
        if kind == "unary":
            return str(one.apply(found).dtype)
        if kind == "monoid":
            return str(one.reduce(found).dtype)
        if kind == "binary":
            return str(one.ewise_mult(one, found).dtype)
        return str(found(one @ one).dtype)
    except (KeyError, TypeError):
        return None


def _here(kind: str, op: Any, dtype: str) -> str | None:
    one = spbfs.Vector.from_coo([0], [1], dtype=dtype)
    try:
        if kind == "unary":
            return str(one.apply(op).dtype)
        if kind == "monoid":
            return str(one.reduce(op).dtype)
        if kind == "binary":
            return str(one.ewise_mult(one, op).dtype)
        return str(op(one @ one).dtype)
    except DomainMismatch:
        return None


@pytest.mark.parametrize(
    ("kind", "table"),
    [("unary", UNARY), ("binary", BINARY), ("monoid", MONOID), ("semiring", SEMIRING)],
    ids=str,
)
def test_types(kind: str, table: dict[str, Any]) -> None:
    differences, compared = [], 0
    for name, op in table.items():
        if OTHERWISE.search(name) or name == "rpow" or name.endswith("_rpow"):
            continue
        for dtype in ALL:
            if _BITS.match(name) and dtype.is_signed:
                continue
            there = _there(kind, name, dtype.name)
            if there is None:
                continue
            compared += 1
            here = _here(kind, op, dtype.name)
            if here != there:
                differences.append(f"{name} of {dtype}: {here}, theirs {there}")
    assert compared > 100
    assert differences == []


def test_identities_and_classes_are_theirs() -> None:
    """A program that asks an operator: 0.0 of FP64, False of BOOL, "Monoid"."""
    for name in ("plus", "times", "min", "max", "any", "lor", "land", "band"):
        there, here = getattr(graphblas.monoid, name), getattr(spbfs.monoid, name)
        for dtype, wanted in there.identities.items():
            if not dtype.name.startswith("FC"):
                found = here[dtype.name].identity
                assert (type(found), found) == (type(wanted), wanted), (name, dtype)
    for where in ("unary.exp", "binary.plus", "monoid.plus", "semiring.min_plus", "agg.sum"):
        kind, name = where.split(".")
        op = getattr(getattr(spbfs, kind), name)[float]
        assert op.opclass == getattr(getattr(graphblas, kind), name)[float].opclass


def test_types_listed_are_theirs() -> None:
    """Of Booleans a product by times is made, though neither library lists it."""
    for name in ("times_first", "times_second", "plus_times", "any_first", "lor_land"):
        there, here = getattr(graphblas.semiring, name), getattr(spbfs.semiring, name)
        theirs = {t.name for t in there.types if not t.name.startswith("FC")}
        assert {t.name for t in here.types} == theirs
    A = spbfs.Matrix.from_coo([0, 0], [0, 1], [True, False], nrows=2)
    assert spbfs.semiring.times_first(A @ A).new().dtype == spbfs.dtypes.BOOL


SHAPES = ("A @ B", "A @ v", "v @ B", "v @ v")


@pytest.mark.parametrize("expression", SHAPES)
@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_pairs_are_counted_in_int64(device: str, dtype: Any, expression: str) -> None:
    """300 pairs in every type, by products of every shape, pushed and pulled."""
    many = np.arange(300)
    zero = np.zeros(300, np.int64)
    names = {
        "A": spbfs.Matrix.from_coo(zero, many, 1, dtype=dtype, nrows=1, ncols=300),
        "B": spbfs.Matrix.from_coo(many, zero, 1, dtype=dtype, nrows=300, ncols=1),
        "v": spbfs.Vector.from_coo(many, 1, dtype=dtype, size=300),
    }
    names = {name: thing.to(device) for name, thing in names.items()}
    product = eval(expression, names)
    directions = ["auto"] if expression == "v @ v" else ["push", "pull"]
    for name, wanted in (("plus", 300), ("times", 1), ("min", 1), ("max", 1), ("any", 1)):
        for direction in directions:
            made = spbfs.semiring.from_string(f"{name}_pair")(product)
            result = made.new() if direction == "auto" else made.new(direction=direction)
            assert result.dtype == "INT64"
            found = result.value if direction == "auto" else result.to_coo()[-1].tolist()[0]
            assert found == wanted


def test_a_type_that_is_asked_for_is_kept(device: str) -> None:
    v = spbfs.Vector.from_coo(np.arange(200), 1, dtype="FP32", size=200).to(device)
    assert spbfs.semiring.plus_pair["INT8"](v @ v).new().value == -56
    assert spbfs.binary.pair["FP32"](v & v).new().dtype == "FP32"


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_any_pair_is_made_in_the_output_s_type(device: str, dtype: Any) -> None:
    A = spbfs.Matrix.from_coo([0, 0, 1], [0, 1, 1], [2.5, 0, 7]).to(device)
    v = spbfs.Vector.from_coo([0], [0.5], size=2).to(device)
    product = spbfs.semiring.any_pair(v @ A)
    w = spbfs.Vector(dtype, 2, device=device)
    w << product
    assert w.dtype == dtype
    assert w.to_coo()[1].tolist() == product.new(dtype).to_coo()[1].tolist() == [1, 1]
    w(spbfs.binary.second) << product
    assert w.to_coo()[1].tolist() == [1, 1]
    C = spbfs.Matrix(dtype, 2, 2, device=device)
    C(~C.S, spbfs.replace) << spbfs.semiring.any_pair(A @ A)
    assert C.to_coo()[2].tolist() == [1, 1, 1]
    assert product.new().dtype == "INT64"
