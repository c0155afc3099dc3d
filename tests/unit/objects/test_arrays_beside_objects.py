"""Arrays and NumPy's functions beside matrices and vectors say what to write instead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import spbfs as sb
from spbfs import Matrix, Vector
from spbfs.exceptions import DomainMismatch

FROM_VECTOR = "Vector.from_dense makes one of it"
EXPECTED = "expected a matrix, vector, Scalar or number, got ndarray"
SYMBOLS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!="]


def names() -> dict[str, Any]:
    return {
        "np": np,
        "ones": np.ones(3),
        "u": Vector.from_dense([1.0, 2.0, 3.0]),
        "b": Vector.from_dense([True, False, True]),
        "A": Matrix.from_dense(np.ones((3, 3))),
        "csr": scipy.sparse.csr_array(np.ones((3, 3))),
    }


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (
            "ones + u",
            f"left of +: {EXPECTED}; {FROM_VECTOR}",
        ),
        (
            "u + ones",
            f"right of +: {EXPECTED}; {FROM_VECTOR}",
        ),
        ("ones * u", f"left of *: .*{FROM_VECTOR}"),
        ("ones > u", f"left of >: .*{FROM_VECTOR}"),
        ("ones == u", f"left of ==: {EXPECTED}; {FROM_VECTOR}; isequal compares whole objects"),
        ("ones != u", f"left of !=: {EXPECTED}"),
        ("u == ones", f"right of ==: {EXPECTED}; {FROM_VECTOR}; isequal compares whole objects"),
        ("np.ones((3, 3)) == A.T", "left of ==: .*Matrix.from_dense"),
        ("u < [1, 2, 3]", f"right of <: .* got list; {FROM_VECTOR}"),
        ("u + [1, 2, 3]", f"right of +: .* got list; {FROM_VECTOR}"),
        ("(1, 2, 3) - u", f"left of -: .* got tuple; {FROM_VECTOR}"),
        ("ones @ A", f"left of @: .*{FROM_VECTOR}"),
        ("A @ ones", f"right of @: .*{FROM_VECTOR}"),
        ("[1, 2, 3] @ A", f"left of @: .* got list; {FROM_VECTOR}"),
        ("A + np.ones((3, 3))", "right of +: .*Matrix.from_dense"),
        ("np.ones((3, 3)) @ A", "left of @: .*Matrix.from_dense"),
        ("A + csr", "right of +: .*Matrix.from_scipy"),
        ("csr - A", "left of -: .*Matrix.from_scipy"),
        ("u | ones", f"x | y: expected a matrix or vector, got ndarray; {FROM_VECTOR}"),
        ("b & np.ones(3, bool)", f"x & y: .*{FROM_VECTOR}"),
        ("u += ones", f"right of +: .*{FROM_VECTOR}"),
        ("ones += u", "numpy.add: a Vector is no dense array; write x + y"),
        ("np.sqrt(u)", 'numpy.sqrt: a Vector is no dense array; write .apply("sqrt")'),
        ("np.abs(A.T)", '.apply("abs")'),
        ("np.deg2rad(u)", '.apply("numpy.deg2rad")'),
        ("np.maximum(u, u)", "numpy.maximum: .* .ewise_add(y, op) or .ewise_mult(y, op)"),
        ("np.sum(u)", "write .reduce()"),
        ("np.add.reduce(A)", "write .reduce_scalar()"),
    ],
)
def test_what_to_write_is_said(formula: str, message: str) -> None:
    with pytest.raises(DomainMismatch) as error:
        exec(formula, names())
    at = 0
    for part in message.split(".*"):
        at = str(error.value).find(part, at)
        assert at >= 0, str(error.value)


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("dtype", ["int8", "float32", "uint64"])
def test_a_number_of_numpy_is_one(symbol: str, dtype: str) -> None:
    u = Vector.from_coo([0, 2], np.array([1, 3], dtype), size=4)
    number = np.dtype(dtype).type(2)
    left = eval(f"number {symbol} u", {"number": number, "u": u}).new()
    expected = eval(f"number {symbol} x", {"number": number, "x": np.array([1, 3], dtype)})
    np.testing.assert_array_equal(left.to_coo()[1], expected)
    again = eval(f"np.array(number) {symbol} u", {"np": np, "number": number, "u": u}).new()
    assert again.isequal(left, check_dtype=True)
    right = eval(f"u {symbol} number", {"number": number, "u": u}).new()
    assert right.dtype == left.dtype


def test_what_may_know_more_is_asked() -> None:
    class Other:
        def __radd__(self, x: Any) -> str:
            return "asked"

    assert Vector(int, 3) + Other() == "asked"  # type: ignore[comparison-overlap]

    class Ours:
        shape = (3,)

        def asked(self, x: Any) -> str:
            return f"asked by a {type(x).__name__}"

        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __rxor__ = asked
        __rmatmul__ = __ror__ = __rand__ = __gt__ = __le__ = asked

    for x, name in ((Vector(bool, 3), "Vector"), (Matrix(bool, 3, 3), "Matrix")):
        for symbol in ["+", "-", "*", "/", "**", "^", "@", "|", "&", "<", ">="]:
            found = eval(f"x {symbol} other", {"x": x, "other": Ours()})
            assert found == f"asked by a {name}", symbol
    for symbol in ("@", "|", "&"):
        with pytest.raises(DomainMismatch):
            eval(f"v {symbol} 'text'", {"v": Vector(bool, 3)})
    with pytest.raises(TypeError):
        Vector(int, 3) + type("Shaped", (), {"shape": (3,)})()
    with pytest.raises(TypeError):
        Vector(int, 3) + None
    quotient, rest = divmod(np.int64(7), Vector.from_dense([2, 3]))
    assert (quotient.new().to_dict(), rest.new().to_dict()) == ({0: 3, 1: 2}, {0: 1, 1: 1})
    assert sb.Vector.from_dense([2]).apply("numpy.deg2rad").new().nvals == 1
