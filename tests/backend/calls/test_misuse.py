"""Public calls made wrongly: a typed error that names the argument, never a raw one from within."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs import Matrix, Scalar, Vector, binary, monoid, semiring, unary
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    OutOfMemory,
    SpbfsError,
)

WIDE = 2**60


def matrix(device: str) -> Any:
    return Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0], device=device)


def vector(device: str) -> Any:
    return Vector.from_coo([0, 2], [1, 2], size=3, device=device)


CALLS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("dtype", lambda A, v: Vector(None, 3)),
    ("edges", lambda A, v: Matrix.from_edgelist([1, 2])),
    ("edges", lambda A, v: Matrix.from_edgelist([(1,)])),
    ("edges", lambda A, v: Matrix.from_edgelist([(0, 1, 2.0), (1, 2)])),
    ("edges", lambda A, v: Matrix.from_edgelist(np.zeros((3, 4), int))),
    ("edges", lambda A, v: Matrix.from_edgelist(5)),
    ("pairs", lambda A, v: Vector.from_pairs([1, 2])),
    ("pairs", lambda A, v: Vector.from_pairs([(1, 2, 3)])),
    ("entries", lambda A, v: Vector.from_dict([1])),
    ("missing_value", lambda A, v: Vector.from_dense([1, 2], missing_value="x")),
    ("missing_value", lambda A, v: Matrix.from_dense([[1, 2]], missing_value=1j)),
    ("matrix", lambda A, v: Matrix.from_scipy(sp.coo_array(np.ones((2, 2, 2))))),
    ("thunk", lambda A, v: A.select("tril", "2")),
    ("thunk", lambda A, v: A.select("tril", 2j)),
    ("thunk", lambda A, v: A.select("rowle", 2**70)),
    ("function", lambda A, v: A.apply(lambda x: x & 1)),
    ("to_dense", lambda A, v: np.asarray(v)),
    ("to_dense", lambda A, v: sb.bfs(A, v)),
    ("to_dense", lambda A, v: Vector.from_coo(v, 1)),
    (r"~C\.S", lambda A, v: v(~v) << 1),
    ("rel_tol", lambda A, v: A.isclose(A, rel_tol="x")),
    ("binary", lambda A, v: Scalar(int)("foo") << 3),
    ("index", lambda A, v: 5 in A),
    ("index", lambda A, v: (0, slice(None)) in A),
    ("threads", lambda A, v: v(threads=10**9) << v),
    ("definition", lambda A, v: unary.register_anonymous()),
    ("definition", lambda A, v: semiring.register_anonymous(monoid.plus)),
    ("identity", lambda A, v: monoid.register_anonymous(binary.plus, "x")),
    ("name", lambda A, v: unary.from_string(3)),
    ("parents", lambda A, v: sb.verify.bfs_tree(A, 0, [0, [0], 1], [0, 1, 2])),
    ("max_depth", lambda A, v: sb.verify.bfs_tree(A, 0, [0, 0, 1], [0, 1, 2], max_depth="x")),
    ("square", lambda A, v: sb.verify.bfs_tree(A[:, :2].new(), 0, None, [0, 1, 2])),
    ("directed", lambda A, v: sb.generate.rmat(4, directed="no")),  # type: ignore[arg-type]
    ("path", lambda A, v: sb.write("a\0.mtx", A)),
    ("path", lambda A, v: sb.write("a" * 300 + ".mtx", A)),
    ("long", lambda A, v: Vector.from_scalar(1, WIDE)),
    ("long", lambda A, v: Vector(int, WIDE) << 5),
    ("nrows", lambda A, v: Matrix(int, WIDE, 1).kronecker(Matrix(int, 2, 1)).nvals),
    ("ncols", lambda A, v: Matrix(int, 1, WIDE).kronecker(Matrix(int, 1, WIDE)).nvals),
    ("rows", lambda A, v: Matrix(int, 1, WIDE).T.new().to_csr()),
]


@pytest.mark.parametrize(("names", "call"), CALLS, ids=range(len(CALLS)))
def test_misuse(device: str, names: str, call: Callable[[Any, Any], Any]) -> None:
    A, v = matrix(device), vector(device)
    with pytest.raises(SpbfsError, match=names):
        call(A, v)
    assert A.isequal(matrix(device))
    assert v.isequal(vector(device))


def test_a_dtype_is_compared_with_what_names_one() -> None:
    for other in (None, "no type", 3):
        with pytest.raises(DomainMismatch, match="dtype"):
            operator.eq(sb.dtypes.FP64, other)


def test_a_mask_before_the_brackets_covers_all(device: str) -> None:
    w, v = vector(device), vector(device)
    m = Vector.from_coo([1, 2], True, size=3, device=device)
    w(m.S)[[0, 2]].update([7, 8], accum="plus")
    v(m.S, "plus")[[0, 2]] << [7, 8]
    assert w.isequal(v)
    assert w.to_dict() == {0: 1, 2: 10}


def test_zeros_of_either_sign_are_two_operands(device: str) -> None:
    A = Matrix.from_coo([0], [0], 1.0, device=device)
    for zero, expected in ((0.0, np.inf), (-0.0, -np.inf)):
        v = Vector.from_coo([0], zero, size=1, device=device)
        assert semiring.min_truediv(A @ v).new().get(0) == expected


def test_what_fails_leaves_elements_waiting(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    v = vector(device)
    v[1] = 9
    with monkeypatch.context() as patch:

        def refuse(*_: Any) -> Any:
            raise MemoryError

        patch.setattr(type(v._engine), "write", refuse)
        with pytest.raises(MemoryError):
            v._ready()
    assert v.to_dict() == {0: 1, 1: 9, 2: 2}


def test_a_dense_array_that_is_refused_has_a_typed_error(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    A = Matrix.from_coo([0], [1], 1.0, nrows=3, ncols=3).to(device)

    def refuse(*_: Any) -> Any:
        raise MemoryError

    for thing in (A, A[0, :].new()):
        with monkeypatch.context() as patch:
            patch.setattr(np, "full", refuse)
            with pytest.raises(OutOfMemory):
                thing.to_dense(0)


def test_a_new_size_keeps_what_fits(device: str) -> None:
    A = Matrix.from_coo([0, 1, 2], [2, 0, 1], True, nrows=3, ncols=3).to(device)
    A.resize(2, 5)
    assert (A.shape, A.to_dicts()) == ((2, 5), {0: {2: True}, 1: {0: True}})
    v = Vector.from_coo([0, 4], [5, 6], size=9).to(device)
    v.resize(4)
    assert (v.size, v.to_dict()) == (4, {0: 5})
    v[:] = 7
    v.resize(6)
    assert v.to_dict() == dict.fromkeys(range(4), 7)


def seen(made: Any) -> Any:
    assert made.shape
    return made


#: What is delayed, of a matrix A, a vector v, and others of their sizes that stay as they are.
DELAYED: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "rows and columns": lambda A, v, B, u: A[:2, :2],
    "row": lambda A, v, B, u: A[2, :],
    "column": lambda A, v, B, u: A[:, 2],
    "element": lambda A, v, B, u: A[2, 2],
    "part": lambda A, v, B, u: v[[0, 2]],
    "element of a vector": lambda A, v, B, u: v[2],
    "mxm": lambda A, v, B, u: A.mxm(B),
    "mxm, the right one": lambda A, v, B, u: semiring.plus_times(B @ A),
    "mxm, by the outer size": lambda A, v, B, u: B.T.mxm(A.T),
    "mxv": lambda A, v, B, u: semiring.plus_times(A @ u),
    "mxv, the vector": lambda A, v, B, u: semiring.plus_times(B @ v),
    "vxm": lambda A, v, B, u: u.vxm(A),
    "vxm of a transposed matrix": lambda A, v, B, u: u.vxm(A.T),
    "inner": lambda A, v, B, u: u.inner(v),
    "outer": lambda A, v, B, u: u.outer(v),
    "rows scaled": lambda A, v, B, u: B.ewise_mult(v, binary.times),
    "union with rows": lambda A, v, B, u: B.ewise_add(v, binary.plus),
    "union": lambda A, v, B, u: A.ewise_add(B, binary.plus),
    "intersection": lambda A, v, B, u: u.ewise_mult(v, binary.times),
    "union with defaults": lambda A, v, B, u: B.ewise_union(A, binary.plus, 0, 0),
    "infix": lambda A, v, B, u: B | A,
    "infix whose shape was read": lambda A, v, B, u: seen(A | A),
    "function": lambda A, v, B, u: A.apply(unary.ainv),
    "selection": lambda A, v, B, u: A.select("tril"),
    "rows reduced": lambda A, v, B, u: A.reduce_rowwise(),
    "kronecker": lambda A, v, B, u: A.kronecker(B),
    "power": lambda A, v, B, u: A.power(2),
    "reposition": lambda A, v, B, u: A.reposition(1, 1),
}


@pytest.mark.parametrize("name", DELAYED)
def test_what_is_delayed_is_not_computed_from_another_shape(device: str, name: str) -> None:
    dtype = bool if name.startswith("infix") else float
    A, v = matrix(device).dup(dtype), vector(device).dup(dtype)
    B, u = A.dup(), v.dup()
    before = DELAYED[name](A, v, B, u).new()
    made = DELAYED[name](A, v, B, u)
    A.resize(2, 1)
    v.resize(1)
    with pytest.raises((DimensionMismatch, IndexOutOfBound)):
        made.new()
    if before.ndim:
        with pytest.raises((DimensionMismatch, IndexOutOfBound)):
            before(before.S) << made


#: What waits to be written into a matrix A or a vector v.
WRITTEN: dict[str, Callable[[Any, Any], Any]] = {
    "element": lambda A, v: v()[2],
    "element with its accumulator": lambda A, v: v[2](binary.plus),
    "part": lambda A, v: v[[0, 2]],
    "slice": lambda A, v: v[1:],
    "part of a masked vector": lambda A, v: v(v.S)[[0, 2]],
    "element of a matrix": lambda A, v: A()[2, 1],
    "row": lambda A, v: A[2, :],
    "column with its accumulator": lambda A, v: A[:, 2](binary.plus),
    "rows and columns": lambda A, v: A[[0, 2], [2, 1]],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_was_resized_is_not_written_where_it_was(device: str, name: str) -> None:
    A, v = matrix(device), vector(device)
    v << 1
    waits = WRITTEN[name](A, v)
    A.resize(2, 2)
    v.resize(2)
    entries = A.to_dicts(), v.to_dict()
    with pytest.raises(IndexOutOfBound, match="shape"):
        waits << 1
    assert (A.to_dicts(), v.to_dict()) == entries
