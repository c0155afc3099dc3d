"""In users' functions Python's operators take integers as 64 bits, as Numba does, on every engine.

The values and types are those that python-graphblas 2025.2.0 gives with Numba 0.68.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary, indexunary, monoid, select, semiring, unary
from spbfs.exceptions import OperatorUndefined
from spbfs.operators.dtypes import ALL, INT8, UINT64, DType
from spbfs.operators.traced.lowering import lowered
from spbfs.operators.traced.symbols import Node
from spbfs.operators.traced.userdefined import follow

#: A function, the type and the values of its operand, and those of its result.
UNARY: list[tuple[Any, str, list[Any], str, list[Any]]] = [
    (lambda x: x * x / 2, "INT32", [100_000], "FP64", [5e9]),
    (lambda x: x - 1 < 0, "UINT8", [0, 1], "BOOL", [True, False]),
    (lambda x: x - 1 < 0, "UINT64", [0, 1], "BOOL", [True, False]),
    (lambda x: x * x > 1000, "INT8", [100, 3], "BOOL", [True, False]),
    (lambda x: x * 100 // 100, "INT8", [100, -7], "INT8", [100, -7]),
    (lambda x: np.sqrt(x * x), "INT8", [100], "FP64", [100.0]),
    (lambda x: np.sqrt(x), "INT8", [4], "FP32", [2.0]),
    (lambda x: abs(x), "BOOL", [True, False], "INT8", [1, 0]),
    (lambda x: x + x, "BOOL", [True, False], "INT8", [2, 0]),
    (lambda x: -x, "BOOL", [True, False], "INT8", [-1, 0]),
    (lambda x: ~x, "BOOL", [True, False], "BOOL", [False, True]),
    (lambda x: (x > 0) * 5 + True, "FP32", [1, -1], "INT64", [6, 1]),
    # Of its own type, and then as 64 bits.
    (lambda x: -x / 2, "UINT8", [200], "FP64", [28.0]),
    (lambda x: ~x / 2, "UINT8", [0], "FP64", [127.5]),
    # Numbers that the operand's type does not hold.
    (lambda x: x + 1000, "INT8", [100, -7], "INT8", [76, -31]),
    (lambda x: 1 / (x + 1000), "INT8", [0], "FP64", [0.001]),
    (lambda x: (x ^ -1) / 1, "UINT8", [5], "FP64", [-6.0]),
    (lambda x: x + (2**64 - 1), "INT64", [5], "INT64", [4]),
    (lambda x: x < 2**63 + 4, "UINT64", [2**63, 2**63 + 7], "BOOL", [True, False]),
    (lambda x: x > -1, "UINT64", [0, 2**64 - 1], "BOOL", [True, True]),
    (lambda x: x <= -1, "UINT64", [0, 2**64 - 1], "BOOL", [False, False]),
    # Numbers with a point are doubles, as is FP32 beside a whole number.
    (lambda x: x * 2.1, "FP32", [3], "FP32", [np.float32(3 * 2.1)]),
    (lambda x: x + 1 > 16777216, "FP32", [16777216], "BOOL", [True]),
    (lambda x: x < 0.1, "FP32", [0.1], "BOOL", [False]),
    # Powers.
    (lambda x: 2**x, "INT64", [-7, 0, 1, 2, 100], "INT64", [0, 1, 2, 4, 0]),
    (lambda x: x**-1, "INT64", [-2, -1, 1, 2], "INT64", [0, -1, 1, 0]),
    (lambda x: x**-1, "UINT8", [1, 200], "UINT8", [1, 0]),
    (lambda x: np.power(x, -2), "INT64", [-1, 1, 2], "INT64", [1, 1, 0]),
    (lambda x: x**2 / 3, "INT8", [90], "FP64", [2700.0]),
    (lambda x: x**3 / 1, "UINT8", [200], "FP64", [8e6]),
    (lambda x: x**0.5, "FP32", [2], "FP32", [np.sqrt(np.float32(2))]),
    # Shifts have the sign of what is shifted.
    (lambda x: (1 << x) / 1, "UINT8", [40], "FP64", [2.0**40]),
    (lambda x: (x << 3) / 1, "INT8", [100], "FP64", [800.0]),
    (lambda x: x >> 1, "INT8", [-3], "INT8", [-2]),
    # NumPy's functions keep the operand's type, but for numbers, which are INT64 and FP64.
    (lambda x: np.add(x, x) / 1, "INT8", [100], "FP64", [-56.0]),
    (lambda x: np.multiply(x, 1000) / 1, "INT8", [100], "FP64", [1e5]),
    (lambda x: np.negative(x), "BOOL", [True], "INT8", [-1]),
    (lambda x: np.gcd(x, x), "BOOL", [True], "INT8", [1]),
    (lambda x: np.where(x > 1, x, 300) / 1, "INT8", [1, 100], "FP64", [300.0, 100.0]),
    (lambda x: max(x, 300) / 1, "INT8", [1], "FP64", [300.0]),
    (lambda x: int(x) * 1000 // 1000, "INT8", [100], "INT8", [100]),
    (lambda x: np.int8(x) * 100 / 1, "INT64", [100], "FP64", [10_000.0]),
    # No number of 64 bits is lost.
    (lambda x: x if x > 5 else 0, "UINT64", [2**63 + 1, 3], "UINT64", [2**63 + 1, 0]),
    (lambda x: x + 1 if x > 5 else x, "UINT64", [2**63 + 1, 3], "UINT64", [2**63 + 2, 3]),
    (lambda x: x // 2, "UINT64", [2**63 + 7], "UINT64", [2**62 + 3]),
    (lambda x: x % 10, "UINT64", [2**63 + 7], "UINT64", [5]),
]


def check(made: Any, dtype: str, wanted: list[Any]) -> None:
    assert made.dtype == dtype
    found = made.to_coo()[-1]
    np.testing.assert_array_equal(found, np.array(wanted, found.dtype))


@pytest.mark.parametrize("case", UNARY, ids=range(len(UNARY)))
def test_unary(device: str, case: tuple[Any, str, list[Any], str, list[Any]]) -> None:
    function, dtype, given, out, wanted = case
    v = Vector.from_dense(np.array(given, np.dtype(dtype_of(dtype))), device=device)
    check(v.apply(unary.register_anonymous(function)).new(), out, wanted)
    check(v.apply(function).new(), out, wanted)


def dtype_of(name: str) -> Any:
    return next(t.np_type for t in ALL if t.name == name)


BINARY: list[tuple[Any, str, int, int, str, Any]] = [
    (lambda x, y: (x + y) // 2, "UINT8", 200, 100, "UINT8", 150),
    (lambda x, y: x * y / 1, "INT8", 100, 100, "FP64", 1e4),
    (lambda x, y: x - y < 0, "INT8", -100, 100, "BOOL", True),
    (lambda x, y: x - y < 0, "UINT8", 1, 2, "BOOL", False),
    (lambda x, y: math.sqrt(x * x + y * y), "INT8", 120, 50, "FP64", 130.0),
    (lambda x, y: np.subtract(x, y) / 1, "UINT8", 1, 2, "FP64", 255.0),
    (lambda x, y: x**y, "UINT8", 3, 4, "UINT8", 81),
    (lambda x, y: x**y, "INT64", 3, -4, "INT64", 0),
]


@pytest.mark.parametrize("case", BINARY, ids=range(len(BINARY)))
def test_binary(device: str, case: tuple[Any, str, int, int, str, Any]) -> None:
    """Of two vectors, with a bound number, as a product, and over entries of a matrix."""
    function, dtype, x, y, out, wanted = case
    op = binary.register_anonymous(function)
    u = Vector.from_coo([0, 1], x, dtype=dtype, device=device)
    v = Vector.from_coo([0, 1], y, dtype=dtype, device=device)
    check(op(u & v).new(), out, [wanted, wanted])
    check(u.apply(op[dtype], right=y).new(), out, [wanted, wanted])
    product = semiring.register_anonymous(monoid.any, op)
    check(product(u.diag() @ v).new(), out, [wanted, wanted])
    check(product(u.diag() @ v.diag()).new(), out, [wanted, wanted])
    check(u.diag().ewise_mult(v.diag(), op).new(), out, [wanted, wanted])


def test_monoids_and_accumulators(device: str) -> None:
    middle = binary.register_anonymous(lambda x, y: (x + y) // 2)
    A = Matrix.from_coo([0, 0], [0, 1], [200, 100], dtype="UINT8", device=device)
    check(A.reduce_rowwise(monoid.register_anonymous(middle, 0)).new(), "UINT8", [150])
    w = Vector.from_coo([0], 200, dtype="UINT8", device=device)
    w(middle) << Vector.from_coo([0], 100, dtype="UINT8", device=device)
    check(w, "UINT8", [150])


def test_a_thunk_of_a_wider_type_widens_the_result(device: str) -> None:
    total = indexunary.register_anonymous(lambda x, i, j, t: x + t)
    A = Matrix.from_coo([0, 0], [1, 2], [1, 2], device=device)
    check(A.apply(total, 2.5).new(), "FP64", [3.5, 4.5])
    assert A.apply(total, 2.5).dtype == "FP64"
    check(A.dup("INT8").apply(total, 300).new(), "INT64", [301, 302])
    check(A.dup("INT8").apply(total, np.int8(100)).new(), "INT8", [101, 102])
    check(A.dup("INT8").apply(total).new(), "INT8", [1, 2])
    check(A.dup("FP32").apply(total, 1e300).new(), "FP64", [1e300, 1e300])
    check(A.dup("BOOL").apply(total, 5).new(), "INT64", [6, 6])
    check(A.dup("INT8").apply(total[INT8], 300).new(), "INT8", [45, 46])
    beyond = select.register_anonymous(lambda x, i, j, t: x + j > t)
    check(A.dup("INT8").select(beyond, 3.5).new(), "INT8", [2])
    check(A.dup("INT8").select(beyond, 300).new(), "INT8", [])


def test_numbers_beyond_64_bits_are_compared_with_only(device: str) -> None:
    v = Vector.from_coo([0], [2**64 - 1], dtype="UINT64", device=device)
    check(v.apply(lambda x: x < 2**70).new(), "BOOL", [True])
    check(v.apply(lambda x: x == -(2**70)).new(), "BOOL", [False])
    with pytest.raises(OperatorUndefined, match="UINT64"):
        v.apply(lambda x: x + 2**70)


#: Signed operands beside UINT64, and what comes of -1 and 5.
MIXED: list[tuple[Any, list[bool]]] = [
    (lambda x: x < 2**63, [True, True]),
    (lambda x: x > 2**63, [False, False]),
    (lambda x: x <= 2**63 + 1, [True, True]),
    (lambda x: np.less(2**63, x), [False, False]),
    (lambda x: x == 2**64 - 1, [False, False]),
    (lambda x: x != 2**64 - 1, [True, True]),
    (lambda x: x < np.uint64(5), [True, False]),
    (lambda x: x >= np.uint64(5), [False, True]),
    (lambda x: np.uint64(5) == x, [False, True]),
    (lambda x: np.greater(x, np.uint64(3)), [False, True]),
    (lambda x: np.int8(x) < np.uint64(5), [True, False]),
    # Choices: as FP64 the last digit would be lost.
    (lambda x: np.where(x > 0, x, 2**63 + 1) % 2 == 1, [True, True]),
    (lambda x: np.where(x > 0, 2**63 + 1, x) % 2 == 1, [True, True]),
    (lambda x: np.where(x > 0, x, np.uint64(2**53 + 1)) == 2**53 + 1, [True, False]),
]


@pytest.mark.parametrize("dtype", ["INT8", "INT16", "INT32", "INT64"])
@pytest.mark.parametrize("case", MIXED, ids=range(len(MIXED)))
def test_signed_operands_beside_uint64(
    device: str, case: tuple[Any, list[bool]], dtype: str
) -> None:
    function, wanted = case
    v = Vector.from_coo([0, 1], [-1, 5], dtype=dtype, device=device)
    check(v.apply(function).new(), "BOOL", wanted)


@pytest.mark.parametrize("dtype", ["INT8", "INT16", "INT32", "INT64"])
def test_a_choice_beside_uint64_is_of_integers(device: str, dtype: str) -> None:
    v = Vector.from_coo([0, 1], [-1, 5], dtype=dtype, device=device)
    wanted = -(2**63) + 1 if dtype == "INT64" else 1
    check(v.apply(lambda x: np.where(x > 0, x, 2**63 + 1)).new(), dtype, [wanted, 5])


VALUES: dict[str, list[Any]] = {"b": [1, 0], "f": [0.1, -7.5, 100, 3, 2.5]}


AGREEING: list[Callable[[Any], Any]] = [
    lambda x: (x + 200) % 256,
    lambda x: -(x > 3) - x,
    lambda x: x * x * x / 7,
    lambda x: (x if x > 5 else -x) * 2 / 3,
    lambda x: np.where(x > 3, x + 1, x) * 2 / 3,
    lambda x: np.floor_divide(x, 3) / 1 + np.remainder(x, 7),
    lambda x: np.hypot(x, x + 1000) * np.sign(x),
    lambda x: np.minimum(np.maximum(x, 2), 50) ** 2,
    lambda x: math.floor(x / 3) // 2 + round(x) % 5,
    lambda x: np.copysign(x, -1.0) + np.square(x),
    lambda x: (x > 1 and x < 50) + np.logical_xor(x, x > 2),
    lambda x: int(x) | 256 & ~int(x),
    lambda x: (int(x) << 2) + (int(x) >> 1),
    lambda x: np.log1p(np.abs(x)) + math.erf(x),
]


@pytest.mark.parametrize("function", AGREEING)
def test_engines_agree_with_the_reference(device: str, function: Callable[[Any], Any]) -> None:
    op = unary.register_anonymous(function)
    for t in op.types:
        limits = [] if t.is_float or t.is_bool else [np.iinfo(t.np_type).min, 100, 3, 0]
        values = np.array(VALUES.get(t.np_type.kind, limits), t.np_type)
        found = Vector.from_dense(values, device=device).apply(op).new()
        wanted = Vector.from_dense(values, device="reference").apply(op).new()
        assert found.dtype == wanted.dtype
        close = 1e-6 if found.dtype == "FP32" else 1e-14
        np.testing.assert_allclose(found.to_dense(), wanted.to_dense(), rtol=close, atol=0)


def nodes_and_types(
    tree: Node, dtypes: tuple[DType, ...]
) -> Iterator[tuple[Node, list[np.dtype[Any]]]]:
    """Every node of a lowered tree that is a function, with the types of its operands."""
    for node in tree.args:
        yield from nodes_and_types(node, dtypes)
    if tree.args and tree.op != "cast":
        # A choice has a condition of its own.
        operands = tree.args[1:] if tree.op == "where" else tree.args
        types = [lowered(a, tuple(t.np_type for t in dtypes), widen=False)[1] for a in operands]
        yield tree, types


@pytest.mark.parametrize("arity", [1, 2])
def test_all_operands_of_a_node_have_one_type(arity: int) -> None:
    """Compiled engines take the type of the first for that of all."""
    of_one = [f for f, *_ in (*UNARY, *MIXED)] + AGREEING
    of_two = [f for f, *_ in BINARY] + [lambda x, y: x < y, lambda x, y: np.where(x < y, x, y)]
    seen = 0
    for function in of_one if arity == 1 else of_two:
        tree = follow(function, arity).tree
        assert tree is not None
        for t in ALL:
            for dtypes in {(t,) * arity, (t, UINT64)[:arity], (UINT64, t)[:arity]}:
                try:
                    made, _ = lowered(tree, tuple(d.np_type for d in dtypes), widen=True)
                except (TypeError, ValueError, OverflowError):
                    continue  # it has no meaning for these types
                for node, types in nodes_and_types(made, dtypes):
                    assert len(set(types)) == 1, (node, dtypes)
                    seen += 1
    assert seen > 500
