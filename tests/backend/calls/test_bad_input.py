"""Arguments that cannot be right: a typed error that names the argument, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs import Matrix, Vector, binary, monoid, replace, semiring, unary
from spbfs.exceptions import (
    DeviceMismatch,
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidCall,
    InvalidOffsets,
    InvalidValue,
    OutOfMemory,
    SpbfsError,
)

NAN = float("nan")
Case = tuple[Callable[["Objects"], Any], type[SpbfsError], str]


class Objects:
    """What the cases below are about: v has 3 elements, w 4; A is 3 x 3, R is 3 x 4."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.v = Vector.from_coo([0, 2], [1, 2], size=3, device=device)
        self.w = Vector.from_coo([1], [5], size=4, device=device)
        self.f = Vector.from_coo([1], [0.5], size=3, device=device)
        self.A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 2, 3], device=device)
        self.R = Matrix.from_coo([0, 2], [3, 1], [7, 8], nrows=3, ncols=4, device=device)

    def coo(self, *args: Any, **options: Any) -> Any:
        return Matrix.from_coo(*args, device=self.device, **options)

    def csr(self, *args: Any, **options: Any) -> Any:
        return Matrix.from_csr(*args, device=self.device, **options)

    def content(self) -> list[Any]:
        objects = (self.v, self.w, self.f, self.A, self.R)
        return [[x.dtype, x.shape, *(a.tolist() for a in x.to_coo())] for x in objects]


def write(target: Any, value: Any) -> None:
    target << value


SHAPES: dict[str, Case] = {
    "mxv": (lambda o: o.A.mxv(o.w), DimensionMismatch, "other"),
    "vxm": (lambda o: o.w.vxm(o.A), DimensionMismatch, "other"),
    "mxm": (lambda o: o.R.mxm(o.R), DimensionMismatch, "other"),
    "ewise_add": (lambda o: o.A.ewise_add(o.R), DimensionMismatch, "other"),
    "ewise_mult": (lambda o: o.v.ewise_mult(o.w), DimensionMismatch, "other"),
    "ewise_union": (
        lambda o: o.v.ewise_union(o.w, binary.plus, 0, 0),
        DimensionMismatch,
        "other",
    ),
    "matrix and vector": (lambda o: o.R.ewise_add(o.v), DimensionMismatch, "other"),
    "vector and matrix": (lambda o: o.w.ewise_mult(o.R), DimensionMismatch, "other"),
    "infix of another size": (lambda o: o.v & o.w, DimensionMismatch, "other"),
    "product of another size": (lambda o: o.A @ o.w, DimensionMismatch, "right of @"),
    "vector and scalar": (lambda o: o.v | sb.Scalar(int), DomainMismatch, r"x \| y"),
    "number and vector": (lambda o: 1 & o.v, DomainMismatch, "x & y"),
    "product with a number": (lambda o: 2 @ o.v, DomainMismatch, "left of @"),
    "mixed infix": (lambda o: (o.v | o.v) & o.v, DomainMismatch, "waits for an operator"),
    "infix without an operator": (lambda o: (o.v | o.v).new(), DomainMismatch, "operator"),
    "in place of what is delayed": (
        lambda o: exec("e += 1", {"e": o.v + 1}),
        DomainMismatch,
        "new",
    ),
    "output": (lambda o: write(o.v, o.w), DimensionMismatch, "value"),
    "output of another kind": (lambda o: write(o.v, o.A), DimensionMismatch, "value"),
    "transposed output": (lambda o: write(o.R, o.R.T), DimensionMismatch, "value"),
    "region": (lambda o: write(o.A[0:2, 0:2], o.A), DimensionMismatch, "value"),
    "row": (lambda o: write(o.A[0, :], o.w), DimensionMismatch, "value"),
    "dense output": (lambda o: write(o.v, np.ones(4)), DimensionMismatch, "value"),
    "not square": (lambda o: sb.bfs(o.R, 0), DimensionMismatch, "A"),
}

MASKS: dict[str, Case] = {
    "length": (lambda o: write(o.v(o.w.S), 3), DimensionMismatch, "mask"),
    "length, expression": (
        lambda o: write(o.v(o.w.V), o.v.apply("ainv")),
        DimensionMismatch,
        "mask",
    ),
    "matrix for vector": (lambda o: write(o.v(o.A.S), 3), DimensionMismatch, "mask"),
    "vector for matrix": (lambda o: write(o.A(o.v.S), o.A), DimensionMismatch, "mask"),
    "of the region": (lambda o: write(o.A[0:2, :](o.A.S), 1), DimensionMismatch, "mask"),
    "dense, length": (lambda o: write(o.v(np.ones(4, bool)), 3), DimensionMismatch, "mask"),
    "dense, numbers": (lambda o: write(o.v(np.ones(3)), 3), DomainMismatch, "mask"),
    "an object itself": (lambda o: write(o.v(o.v), 3), DomainMismatch, "mask"),
    "of new": (lambda o: o.v.apply("ainv").new(mask=o.w.S), DimensionMismatch, "mask"),
    "twice": (lambda o: write(o.v(o.v.S, o.v.S), 3), InvalidValue, "mask"),
    "replace without": (lambda o: write(o.v(replace), o.v), InvalidValue, "replace"),
}

CONSTRUCTORS: dict[str, Case] = {
    "NaN index": (lambda o: o.coo([0.0, NAN], [0, 1]), DomainMismatch, "rows.*nan"),
    "float ids": (lambda o: o.coo([0, 1], np.array([0.5, 1.0])), DomainMismatch, "columns"),
    "bool ids": (lambda o: o.coo([True], [0]), DomainMismatch, "rows"),
    "text ids": (lambda o: o.coo(["a"], [0]), DomainMismatch, "rows"),
    "ragged ids": (lambda o: o.coo([[0], [1, 2]], [0, 1]), DimensionMismatch, "rows"),
    "negative ids": (lambda o: o.coo([0], [-1]), IndexOutOfBound, "columns.*-1"),
    "ids past the shape": (
        lambda o: o.coo([5], [0], nrows=3, ncols=3),
        IndexOutOfBound,
        "rows.*5",
    ),
    "ids past 2**60": (lambda o: o.coo([2**62], [0]), InvalidValue, "rows"),
    "unsigned ids past 2**63": (
        lambda o: o.coo(np.array([2**64 - 1], np.uint64), [0]),
        InvalidValue,
        "rows",
    ),
    "lengths": (lambda o: o.coo([0, 1], [0]), DimensionMismatch, "columns"),
    "values": (lambda o: o.coo([0, 1], [0, 1], [1.0]), DimensionMismatch, "values"),
    "text values": (lambda o: o.coo([0], [0], ["a"]), DomainMismatch, "values"),
    "complex values": (lambda o: o.coo([0], [0], [1j]), DomainMismatch, "values"),
    "duplicates": (lambda o: o.coo([0, 0], [1, 1], [1, 2]), InvalidValue, "dup_op"),
    "dtype": (lambda o: Vector("complex128", 3), DomainMismatch, "dtype.*complex128"),
    "object dtype": (lambda o: Vector(object, 3), DomainMismatch, "dtype"),
    "negative size": (lambda o: Vector(int, -1), InvalidValue, "size.*-1"),
    "float size": (lambda o: Matrix(int, 2.5, 3), DomainMismatch, "nrows.*2.5"),
    "huge size": (lambda o: Vector(int, 2**61), InvalidValue, "size"),
    "offsets past memory": (
        lambda o: Matrix(bool, 2**50, 2).to_csr(),
        OutOfMemory,
        "offsets of all 1,125,899,906,842,624 rows.*bytes",
    ),
    "three dimensions": (
        lambda o: Matrix.from_dense(np.ones((2, 2, 2))),
        DimensionMismatch,
        "values",
    ),
    "ragged": (lambda o: Matrix.from_dense([[1, 2], [3]]), DimensionMismatch, "values"),
    "no SciPy matrix": (lambda o: Matrix.from_scipy([[1]]), DomainMismatch, "matrix"),
    "complex SciPy matrix": (
        lambda o: Matrix.from_scipy(sp.csr_array(np.eye(2) * 1j)),
        DomainMismatch,
        "dtype",
    ),
    "device": (lambda o: o.v.to("tpu"), InvalidValue, "device.*tpu"),
}

CSR: dict[str, Case] = {
    "decreases": (lambda o: o.csr([0, 2, 1], [0, 1], ncols=2), InvalidOffsets, "indptr.*row 1"),
    "overruns": (lambda o: o.csr([0, 1, 5], [0, 1], ncols=2), InvalidOffsets, "indptr.*5"),
    "falls short": (lambda o: o.csr([0, 1], [0, 1], ncols=2), InvalidOffsets, "indptr.*1"),
    "does not start at 0": (lambda o: o.csr([1, 2], [0], ncols=2), InvalidOffsets, "indptr"),
    "negative": (lambda o: o.csr([0, -1, 1], [0], ncols=2), InvalidOffsets, "indptr.*-1"),
    "overflows": (
        lambda o: o.csr(np.array([0, 2**31 - 1, -(2**31)], np.int32), [0], ncols=2),
        InvalidOffsets,
        "indptr",
    ),
    "beyond any array": (lambda o: o.csr([0, 2**62], [0], ncols=2), InvalidOffsets, "indptr"),
    "floats": (lambda o: o.csr([0.0, 1.5], [0], ncols=2), DomainMismatch, "indptr"),
    "empty": (lambda o: o.csr(np.empty(0, int), [], ncols=2), InvalidValue, "indptr"),
    "another nrows": (lambda o: o.csr([0, 1], [0], nrows=5, ncols=2), DimensionMismatch, "nrows"),
    "two dimensions": (lambda o: o.csr([[0, 1]], [0], ncols=2), DimensionMismatch, "indptr"),
    "column past the end": (lambda o: o.csr([0, 1], [5], ncols=2), IndexOutOfBound, "indices.*5"),
    "negative column": (lambda o: o.csr([0, 1], [-1], ncols=2), IndexOutOfBound, "indices.*-1"),
    "NaN column": (lambda o: o.csr([0, 1], [NAN], ncols=2), DomainMismatch, "indices"),
    "unsorted, declared sorted": (
        lambda o: o.csr([0, 2], [1, 0], ncols=2, sorted_cols=True),
        InvalidValue,
        "declared sorted",
    ),
    "duplicate, declared sorted": (
        lambda o: o.csr([0, 2], [1, 1], ncols=2, sorted_cols=True),
        InvalidValue,
        "declared sorted",
    ),
    "number of values": (
        lambda o: o.csr([0, 1], [0], [1, 2], ncols=2),
        DimensionMismatch,
        "values",
    ),
}

INDICES: dict[str, Case] = {
    "past the end": (lambda o: o.v[3], IndexOutOfBound, "index.*3"),
    "before the start": (lambda o: o.v[-4], IndexOutOfBound, "index.*-4"),
    "in a list": (lambda o: o.v[[0, 7]], IndexOutOfBound, "index.*7"),
    "row": (lambda o: o.A[3, 0], IndexOutOfBound, "row"),
    "column": (lambda o: o.A[0, [0, 9]], IndexOutOfBound, "column.*9"),
    "float": (lambda o: o.v[0.5], DomainMismatch, "index.*0.5"),
    "NaN": (lambda o: o.v[[NAN]], DomainMismatch, "index.*nan"),
    "text": (lambda o: o.v["a"], DomainMismatch, "index"),
    "two for a vector": (lambda o: o.v[0, 0], DimensionMismatch, "index"),
    "one for a matrix": (lambda o: o.A[0], DimensionMismatch, "index"),
    "three for a matrix": (lambda o: o.A[0, 0, 0], DimensionMismatch, "index"),
    "ragged": (lambda o: o.v[[[0], [1, 2]]], DimensionMismatch, "index"),
    "Boolean of another length": (lambda o: o.v[np.ones(2, bool)], DimensionMismatch, "index"),
    "a mask": (lambda o: o.v[o.v.S], DomainMismatch, "index.*mask"),
    "a vector": (lambda o: o.v[o.v], DomainMismatch, "index.*Vector"),
    "a tuple": (lambda o: o.A[(0, 1), 0], DomainMismatch, "row.*tuple|row.*list"),
    "step 0": (lambda o: o.v[::0], InvalidValue, "index.*step"),
    "slice of floats": (lambda o: o.v[0.5:2], DomainMismatch, "index"),
    "assigned past the end": (lambda o: o.v.__setitem__(3, 1), IndexOutOfBound, "index.*3"),
    "text assigned": (lambda o: o.v.__setitem__(0, "a"), DomainMismatch, "value"),
    "a number past 64 bits": (lambda o: o.v.__setitem__(0, 2**70), InvalidValue, "value"),
    "deleted past the end": (lambda o: o.v.__delitem__(7), IndexOutOfBound, "index.*7"),
    "diagonal": (lambda o: o.v.diag(10**19), InvalidValue, "k"),
    "diagonal of floats": (lambda o: o.A.diag(0.5), DomainMismatch, "k.*0.5"),
    "resized": (lambda o: o.v.resize(-1), InvalidValue, "size.*-1"),
}

OPERATORS: dict[str, Case] = {
    "semiring": (lambda o: o.A.mxv(o.v, "foo_bar"), InvalidValue, "semiring.*foo_bar"),
    "a monoid for a semiring": (lambda o: o.A.mxv(o.v, monoid.plus), DomainMismatch, "op"),
    "monoid": (lambda o: o.v.reduce("zzz"), InvalidValue, "monoid.*zzz"),
    "no monoid": (lambda o: o.v.reduce(binary.minus), DomainMismatch, "op"),
    "unary": (lambda o: o.v.apply("zzz"), InvalidValue, "unary.*zzz"),
    "select": (lambda o: o.v.select("zzz"), InvalidValue, "select.*zzz"),
    "accumulator": (lambda o: write(o.v("zzz"), o.v), InvalidValue, "binary.*zzz"),
    "bits of floats": (lambda o: o.f.ewise_add(o.f, binary.band), DomainMismatch, "dtype.*FP64"),
    "both bound": (lambda o: o.v.apply(binary.plus, left=1, right=2), InvalidValue, "left, right"),
    "none bound": (lambda o: o.v.apply(binary.plus), InvalidCall, "right"),
    "text bound": (lambda o: o.v.apply(binary.plus, right="a"), DomainMismatch, "right"),
    "truth": (lambda o: bool(o.v), DomainMismatch, "ambiguous"),
    "user's, not a number": (
        lambda o: unary.register_anonymous(lambda x: "a"),
        DomainMismatch,
        "function",
    ),
    "direction": (
        lambda o: write(o.v(direction="up"), semiring.plus_times(o.A @ o.v)),
        InvalidValue,
        "direction.*up",
    ),
    "threads": (
        lambda o: write(o.v(threads=0), semiring.plus_times(o.A @ o.v)),
        InvalidValue,
        "threads.*0",
    ),
    "option": (lambda o: write(o.v(speed=3), o.v), InvalidValue, "speed"),
}


def _cases() -> list[Any]:
    tables = {
        "shapes": SHAPES,
        "masks": MASKS,
        "constructors": CONSTRUCTORS,
        "csr": CSR,
        "indices": INDICES,
        "operators": OPERATORS,
    }
    return [
        pytest.param(*case, id=f"{table}: {name}")
        for table, cases in tables.items()
        for name, case in cases.items()
    ]


@pytest.mark.parametrize(("attempt", "error", "says"), _cases())
def test_a_typed_error_and_nothing_changed(
    device: str, attempt: Callable[[Objects], Any], error: type[SpbfsError], says: str
) -> None:
    objects = Objects(device)
    before = objects.content()
    with pytest.raises(error, match=says):
        attempt(objects)
    assert objects.content() == before


def test_operands_of_two_devices(device: str) -> None:
    other = "cpu" if device == "reference" else "reference"
    here, there = Objects(device), Objects(other)
    for attempt in (
        lambda: semiring.plus_times(here.A @ there.v).new(),
        lambda: here.A.ewise_add(there.A).new(),
        lambda: write(here.v, there.v),
        lambda: write(here.v(there.v.S), 3),
        lambda: write(here.A[:, 0], there.v),
        lambda: here.v.isequal(there.v),
    ):
        with pytest.raises(DeviceMismatch, match=f"{min(device, other)}, {max(device, other)}"):
            attempt()
    assert here.content() == Objects(device).content()
    assert there.content() == Objects(other).content()


@pytest.mark.parametrize("source", [3, -1, 10**20])
def test_sources_out_of_range(source: int) -> None:
    with pytest.raises(IndexOutOfBound, match=f"source.*{source}"):
        sb.bfs(Objects("cpu").A, source)


@pytest.mark.parametrize("source", [1.0, NAN, True, None, "0", [0.5], [[0]]])
def test_sources_that_are_no_vertices(source: Any) -> None:
    with pytest.raises((DomainMismatch, DimensionMismatch), match="source"):
        sb.bfs(Objects("cpu").A, source)


HUGE = 2**58


@pytest.mark.parametrize(
    "attempt",
    [
        lambda h, m: h.to_dense(0),
        lambda h, m: h[:-1].diag().to_csr(),
        lambda h, m: h.diag().to_csr(),
        lambda h, m: write(h(~h.S), 1),
        lambda h, m: write(h(binary.plus), 1),
        lambda h, m: m.to_dense(0),
        lambda h, m: m.T.new().to_scipy(),
        lambda h, m: write(m[:, :], 1),
        lambda h, m: write(m(~m.S), 1),
    ],
)
def test_results_that_fit_no_memory(attempt: Callable[[Any, Any], Any]) -> None:
    """On the CPU: the reference loops over such a region until the end of time."""
    huge = Vector.from_coo([5, HUGE - 1], [1, 2], size=HUGE)
    wide = Matrix.from_coo([5], [HUGE - 1], [1], nrows=10, ncols=HUGE)
    with pytest.raises(OutOfMemory, match=r"bytes|nable to allocate"):
        attempt(huge, wide)
    assert huge.to_dict() == {5: 1, HUGE - 1: 2}
    assert [a.tolist() for a in wide.to_coo()] == [[5], [HUGE - 1], [1]]
