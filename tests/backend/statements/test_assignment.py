"""Every form of writing under a mask, the same statement here and in python-graphblas."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import spbfs
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

NAMES = "Matrix Vector Scalar binary monoid replace".split()

SETUP = """
v = Vector.from_coo([0, 1, 3, 4], [5, 1, 7, -2], size=6)
w = Vector.from_coo([0, 2], [10, 20], size=3)
t = Vector.from_coo([1, 2], [3, 9], size=4)
m = Vector.from_coo([0, 1, 3, 5], [True, False, True, True], size=6)
k = Vector.from_coo([0, 2], [True, False], size=3)
b = v > 0
C = Matrix.from_coo([0, 0, 1, 2, 3, 3], [0, 3, 1, 2, 0, 5], [1, 2, 3, 4, 5, 6], nrows=4, ncols=6)
M = Matrix.from_coo([0, 1, 2, 3], [0, 2, 2, 5], [1, 0, 1, 1], nrows=4, ncols=6)
P = Matrix.from_coo([0, 1], [2, 0], [True, False], nrows=2, ncols=3)
Q = Matrix.from_coo([0, 0, 1], [0, 1, 2], [7, 8, 9], nrows=2, ncols=3)
r = Vector.from_coo([0, 2], [1, 1], size=4)
empty = Scalar(int)
"""

#: the region, whether a mask may cover all or one line, and what may be written
VECTOR_REGIONS = ["[:]", "[...]", "[::-1]", "[[4, 1, 0]]", "[[0, 0, 1]]", "[1:4]", "[-3:]"]
LINES = ["C[1, [5, 0, 2]]", "C[1, [2, 2, 0]]", "C[[0, 3, 1], 2]", "C[[3, 3, -4], -1]", "C[2, 1:4]"]
PARTS = ["C[[2, 0], [5, 0, 1]]", "C[[1, 1], [2, 2, 0]]", "C[::3, 1::2]", "C[1:3, -3:]"]
ACCUMULATORS = ["", "binary.truediv", "monoid.min", "'minus'"]


def run(module: Any, statement: str, device: str | None = None) -> Any:
    """What `v` and `C` are after the statement, or the kind of the error."""
    known = {"np": np, **{name: getattr(module, name) for name in NAMES}}
    exec(SETUP, known)
    if device is not None:
        for name in "vwtmkCMPQr":
            known[name] = known[name].to(device)
        known["b"] = known["v"] > 0
    exec(statement, known)
    return [
        ([c.tolist() for c in known[x].to_coo()], known[x].dtype.name, tuple(known[x].shape))
        for x in "vC"
    ]


@cache
def theirs(statement: str) -> Any:
    return run(graphblas, statement)


def agree(device: str, statement: str) -> None:
    assert run(spbfs, statement, device) == theirs(statement), statement


def with_options(target: str, index: str, mask: str, accum: str, how: str) -> list[str]:
    """The target with mask and accumulator before the brackets, or after."""
    words = ", ".join(word for word in (mask, accum, how) if word)
    called = f"({words})" if words else ""
    return [target + called + index, target + index + called]


def masks(name: str) -> list[str]:
    return ["", *(f"{sign}{name}.{kind}" for sign in ("", "~") for kind in "SV")]


def hows(mask: str) -> list[str]:
    return ["", "replace"] if mask else [""]


@pytest.mark.parametrize("accum", ACCUMULATORS)
@pytest.mark.parametrize("index", VECTOR_REGIONS)
def test_parts_of_vectors(device: str, index: str, accum: str) -> None:
    whole = index in ("[:]", "[...]", "[::-1]")
    values = ["2.5", "empty", "v" if whole else "w", "[3, 4, 5]" if not whole else "v.dup()"]
    for value in values:
        for mask in [*masks("m"), "b", "v > 0"]:
            for how in hows(mask):
                agree(device, f"{with_options('v', index, mask, accum, how)[0]} << {value}")
        for mask in masks("m" if whole else "k"):
            for how in hows(mask):
                agree(device, f"{with_options('v', index, mask, accum, how)[1]} << {value}")


@pytest.mark.parametrize("accum", ACCUMULATORS)
@pytest.mark.parametrize("line", LINES)
def test_rows_and_columns(device: str, line: str, accum: str) -> None:
    """A mask before the brackets is as long as the row or column, one after as what is written."""
    whole = "m" if line[2] != "[" else "r"
    for value in ["4", "w", "empty", "[1, 2, 3]"]:
        for before in (whole, "M"):
            for mask in masks(before):
                for how in hows(mask):
                    agree(device, f"{with_options('C', line[1:], mask, accum, how)[0]} << {value}")
        for mask in masks("k"):
            for how in hows(mask):
                agree(device, f"{with_options('C', line[1:], mask, accum, how)[1]} << {value}")


@pytest.mark.parametrize("accum", ACCUMULATORS)
@pytest.mark.parametrize("part", PARTS)
def test_parts_of_matrices(device: str, part: str, accum: str) -> None:
    for value in ["4", "Q", "empty", "[[1, 2, 3], [4, 5, 6]]"]:
        for where, name in ((0, "M"), (1, "P")):
            for mask in masks(name):
                for how in hows(mask):
                    text = with_options("C", part[1:], mask, accum, how)[where]
                    agree(device, f"{text} << {value}")


@pytest.mark.parametrize(
    "statement",
    [
        "v << empty",
        "v(m.V) << empty",
        "v(m.V, replace) << empty",
        "v(binary.plus) << empty",
        "C << empty",
        "v[0] << empty",
        "v[0] = empty",
        "v(binary.plus)[0] << empty",
        "C[0, 3] << empty",
        "C(M.S)[0, 0] << empty",
        "del v[0]",
        "del v[[4, 0]]",
        "del v[1:]",
        "del v()[1:]",
        "del v(m.V)[:]",
        "del C[0, :]",
        "del C[:, 3]",
        "del C[[0, 3], [0, 3]]",
        "del C(M.S)[:, :]",
        "v[0](binary.truediv) << 2",
        "v(binary.truediv) << 2.5",
        "v(binary.pow)[3] << 0.5",
        "v(m.V, binary.plus)[2] << 5",
        "v[(i for i in range(2))] << 9",
        "v[range(2)] << 9",
        "v[{1, 3}] << 9",
        "v[np.array([-1, 0], np.int8)] << 9",
        "v(b, 'max') << v + v",
        "C(C < 3, binary.plus, replace=True) << C",
        "v(accum=monoid.plus) << v",
        "v(mask=m.V, accum='-', replace=True) << v",
        "v((m.V & b)) << 1",
        "v((b.new() | m.V)) << 1",
        "v(input_mask=m.V) << v[::-1]",
        "v << v[::-1].new(input_mask=m.S)",
        "v(input_mask=m.S) << C[0, :]",
        "v(input_mask=~M.S) << C[0, :]",
        "v(input_mask=M.T.new().V) << C.T[:, 3]",
        "C(input_mask=M.V) << C[::-1, ::-1]",
        "v << m.S.new(int, mask=~v.V)",
        "v << m.S.new(float, mask=b, complement=True)",
        "v << (~m.V).new(complement=True, name='n')",
    ],
)
def test_statements(device: str, statement: str) -> None:
    agree(device, statement)


@pytest.mark.parametrize(
    "index", ["[2]", "[:]", "[...]", "[[2, -1]]", "[1:4:2]", "[4:1:-2]", "[0:0]", "[range(3)]"]
)
def test_indices_that_were_resolved_index_again(index: str) -> None:
    v = spbfs.Vector.from_coo([0, 2, 5], [1, 2, 3], size=6)
    part: Any = eval(f"v{index}", {"v": v})
    again = v[part.resolved_indexes.py_indices].new()
    assert again.isequal(part.new())
    A = v._as_matrix()
    assert (A.shape, A._as_vector().isequal(v)) == ((6, 1), True)
    part = A[::-2, [0]]
    assert A[part.resolved_indexes.py_indices].new().isequal(part.new())
    with pytest.raises(AttributeError):
        _ = (v + v).resolved_indexes
    with pytest.raises(DimensionMismatch):
        A.T._as_vector()


@pytest.mark.parametrize(
    "statement",
    [
        "v(replace=True)",
        "v(replace)",
        "v(m.S, m.S)",
        "v(m.S, mask=m.S)",
        "v('plus', 'min')",
        "v(mask=v)",
        "v(mask=object())",
        "v(object())",
        "v(accum=3)",
        "v(m.S, input_mask=m.S)",
        "v(input_mask=m.S) << 1",
        "v(input_mask=m.S) << v + v",
        "v(input_mask=m.S)[:]",
        "v(M.S) << v",
        "v[[0, 1]](M.S) << 1",
        "v[2](k.S) << 7",
        "C[:, :](m.S) << 1",
        "C[0, 0](m.S) << 1",
        "C(m.S)[0, 0] << 1",
        "C[0, 0](C.S) << 1",
        "C[0, :](M.S) << m",
        "C << v",
        "v << C",
        "C[0, 0] = v",
        "C[0, 0] = [1]",
        "C()[0, 0] = [1]",
        "C[:, 0] = C",
        "C[:, :] = v",
        "v[0] = [1]",
        "v[:] = None",
        "v[0] = None",
        "v << v(m.S)",
        "v << v()[[1, 2]]",
        "v()[[1]]()",
        "v()()",
        "v[v]",
        "v[m.S]",
        "C[C, 0]",
        "C[(0, 1), 0]",
        "C[0]",
        "C[0, [[1]]]",
        "v[1.5]",
        "v.select(m.V, 3)",
        "v.apply(binary.plus, left=1, right=1)",
        "v.select(v)",
        "v.select(C.S)",
        "v.S == v.S",
        "v() == v()",
        "bool(v.S)",
        "bool(v())",
        "C.T(M.S) << C",
        "C.T[0, 1] << 3",
        "C.T[0, 1]() << 3",
        "m.S & object()",
        "object() | m.S",
        "m.S & v",
        "m.S.new(mask=v)",
    ],
)
def test_a_wrong_kind_of_argument_is_a_type_error(device: str, statement: str) -> None:
    with pytest.raises(TypeError):
        run(graphblas, statement)
    with pytest.raises(TypeError):
        run(spbfs, statement, device)


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("v(k.S) << 1", DimensionMismatch),
        ("v[[0, 1]](k.S) << 1", DimensionMismatch),
        ("C(k.S)[0, :] << 1", DimensionMismatch),
        ("C(m.S)[:, 0] << 1", DimensionMismatch),
        ("C(m.S)[[0, 1, 2], 0] << w", DimensionMismatch),
        ("C[0, :](k.S) << 1", DimensionMismatch),
        ("v[[0, 1]] = [1, 2, 3]", DimensionMismatch),
        ("v[[0, 1]] = [[1, 2]]", DimensionMismatch),
        ("C[[0, 1], [1]] = [1, 2]", DimensionMismatch),
        ("v[[0, 1]] << w", DimensionMismatch),
        ("v(input_mask=k.S) << v[:]", DimensionMismatch),
        ("v.get([0, 1])", InvalidValue),
        ("C.get(0, [0, 1])", InvalidValue),
        ("v('nope') << 1", InvalidValue),
        ("Matrix.from_coo([0], [1], [object()])", DomainMismatch),
    ],
)
def test_what_does_not_fit_is_a_value_error(
    device: str, statement: str, error: type[Exception]
) -> None:
    with pytest.raises((ValueError, graphblas.exceptions.DimensionMismatch)):
        run(graphblas, statement)
    with pytest.raises(error) as caught:
        run(spbfs, statement, device)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("form", ["list", "bitmap", "full"])
def test_what_is_written_stays_the_writers_own(device: str, form: str) -> None:
    size = {"list": 1000, "bitmap": 5, "full": 4}[form]
    v = spbfs.Vector.from_coo([0, 1, 2, 3], [1, 2, 3, 4], size=size, device=device)
    delayed = v.apply("identity")
    before = v.to_dict()
    assert delayed.nvals == 4  # computed, and kept
    for source in (v, delayed, v.apply("identity")):
        w = spbfs.Vector(int, size, device=device)
        w << source
        w[0] = 7
        w(w.S) << 8
        assert v.to_dict() == delayed.new().to_dict() == before


def test_a_number_in_all_brackets_is_written_everywhere(device: str) -> None:
    v = spbfs.Vector.from_coo([0, 2], [5, 6], size=4, device=device)
    for options in ((v.S,), (~v.S,), (v.S, "plus"), (~v.S, spbfs.replace), ()):
        w, x = v.dup(), v.dup()
        w(*options)[:] = 3
        x(*options) << 3
        assert w.isequal(x)
    A = spbfs.Matrix.from_coo([0, 1], [1, 0], [5, 6], device=device)
    A(A.S)[:, :] = 3
    assert A.to_dicts() == {0: {1: 3}, 1: {0: 3}}
    with pytest.raises(DomainMismatch, match="indexed again"):
        v[:](v.S)[:] = 3
    with pytest.raises(DimensionMismatch):
        v(spbfs.Vector(int, 3).S)[:] = 3
