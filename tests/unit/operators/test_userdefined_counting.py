"""Functions of users over small types: single precision, Booleans that count, errors that tell."""

import math

import numpy as np
import pytest

from spbfs import Vector, binary, indexunary, monoid, semiring, unary
from spbfs.exceptions import InvalidValue, UdfParseError
from spbfs.operators.dtypes import BOOL, FP32, INT8, INT64, UINT8, lookup_dtype


def results(op, dtype, *columns):
    """What the arrays' engine gives, and the function called for every element as the reference."""
    from spbfs.engines.arrays.values import elementwise
    from spbfs.engines.reference import operators

    typed = op.typed(dtype)
    arrays = [np.asarray(c).astype(dtype.np_type) for c in columns]
    whole, one = {
        "unary": (elementwise.eval_unary, operators.apply_unary),
        "binary": (elementwise.eval_binary, operators.apply_binary),
    }[op.kind]
    at_once = whole(np, typed, *arrays)
    one_by_one = [one(typed, *row) for row in zip(*arrays, strict=True)]
    np.testing.assert_array_equal(at_once, np.array(one_by_one, typed.out_type.np_type))
    return at_once


@pytest.mark.parametrize("name", "exp sqrt cbrt log1p log2 arctan sinh".split())
@pytest.mark.parametrize("dtype", [INT8, UINT8, BOOL])
def test_functions_of_small_types_are_of_single_precision(name, dtype):
    function = getattr(np, name)
    for user in (function, lambda x: function(x), eval(f"lambda x: np.{name}(x)", {"np": np})):
        got = results(unary.register_anonymous(user), dtype, [1, 12])
        np.testing.assert_array_equal(got, function(np.array([1, 12], dtype.np_type), dtype="f4"))
        assert got.dtype == np.float32


@pytest.mark.parametrize("name", "hypot logaddexp arctan2 copysign".split())
def test_binary_functions_of_small_types_are_of_single_precision(name):
    function = getattr(np, name)
    got = results(binary.register_anonymous(lambda x, y: function(x, y)), INT8, [100, 3], [99, 7])
    np.testing.assert_array_equal(got, function(np.float32([100, 3]), np.float32([99, 7])))


def test_every_operation_computes_in_single_precision():
    v = Vector.from_coo([0, 1], [1, 12], dtype="INT8")
    made = v.apply(lambda x: np.exp(x)).new()
    assert made.dtype == FP32
    assert made.get(1) == np.exp(np.float32(12))
    positioned = indexunary.register_anonymous(lambda x, i, j, t: np.exp(x) + 0 * i)
    assert v.apply(positioned).new().get(1) == pytest.approx(math.exp(12), rel=1e-6)
    far = binary.register_anonymous(lambda x, y: np.exp(x) * y)
    total = semiring.register_anonymous(monoid.plus, far)(v @ v).new().value
    assert total == pytest.approx(math.e + 12 * math.exp(12), rel=1e-6)
    # Of what a comparison gives, too.
    assert v.apply(lambda x: np.exp(x > 0)).new().get(0) == np.exp(np.float32(1))


@pytest.mark.parametrize("dtype", [INT64, INT8, FP32])
def test_python_s_sums_count_booleans(dtype):
    for function in (lambda x: (x > 0) + (x > 2), lambda x: True + (x > 2) + (x < 0)):
        op = unary.register_anonymous(function)
        got = results(op, dtype, [1, 3])
        assert got.tolist() == [1, 2]
        assert got.dtype != np.bool_


def test_sums_of_boolean_operands_are_int8():
    op = binary.register_anonymous(lambda x, y: x + y)
    assert results(op, BOOL, [1, 1, 0], [1, 0, 0]).tolist() == [2, 1, 0]
    assert op.types[BOOL] == INT8
    v = Vector.from_coo([0, 1], [True, False])
    assert op(v & v).new().to_dict() == {0: 2, 1: 0}
    # NumPy's function is "or" all the same, and other types stay what they are.
    assert binary.register_anonymous(lambda x, y: np.add(x, y)).types[BOOL] == BOOL
    assert [op.types[t] for t in (INT8, UINT8, FP32)] == [INT8, UINT8, FP32]
    assert unary.register_anonymous(lambda x: x + (x > 0)).types[FP32] == FP32


def test_a_hash_is_that_of_the_number():
    v = Vector.from_coo([0, 1], [1, 12])
    assert v.apply(lambda x: hash(x)).new().to_dict() == {0: 1, 1: 12}
    assert v.apply(lambda x: {1: 5}.get(x, 0)).new().to_dict() == {0: 5, 1: 0}


def test_an_identity_of_a_number_is_refused():
    with pytest.raises(UdfParseError, match="id cannot be used"):
        unary.register_anonymous(lambda x: id(x))


def _refuses(x):
    while x > 50:
        raise ValueError("no")
    return x


def _divides(x):
    while x > 50:
        x = 1 // 0
    return x


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (_refuses, r"_refuses\(60\) raised ValueError: no"),
        (_divides, r"_divides\(60\) raised ZeroDivisionError"),
    ],
)
def test_an_error_of_the_function_says_for_which_element(function, text):
    v = Vector.from_coo([0, 1], [3, 60])
    with pytest.raises(InvalidValue, match=text) as caught:
        v.apply(function).new()
    assert str(caught.value).count("function:") == 1
    assert caught.value.__cause__ is not None


def test_a_function_is_called_for_the_types_that_are_asked_for():
    called = set()

    def down(x):
        called.add(lookup_dtype(x.dtype).name)
        steps = 0
        while x >= 0 and steps < 1000:  # an unsigned number wraps for ever
            x, steps = x - 1, steps + 1
        return x

    assert Vector.from_coo([0, 1], [3, 31]).apply(down).new().to_dict() == {0: -1, 1: -1}
    assert not {"UINT8", "UINT64"} & called


def test_results_that_do_not_fit_the_type_are_refused():
    def halved(x):
        for _ in range(int(x) // 1000):
            x = x / 2
        return x

    with pytest.raises(InvalidValue, match=r"expected INT64 .* got 375\.125 for \(3001\)"):
        Vector.from_coo([0, 1], [3, 3001]).apply(halved).new()
    assert Vector.from_coo([0, 1], [3.0, 3001.0]).apply(halved).new().get(1) == 375.125
