"""Functions that users write with Python's own `int`, `round` and `math`, and with loops."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary, indexunary, monoid, op, select, semiring, unary
from spbfs.exceptions import DomainMismatch, InvalidValue, NameTaken, UdfParseError
from spbfs.operators.dtypes import BOOL, FP32, FP64, INT8, INT64, UINT64

FUNCTIONS: dict[str, tuple[Any, list[Any], Any]] = {
    "int": (lambda x: int(x), [4.7, -9.6, np.inf, np.nan], [4, -9, 2**63 - 1, 0]),
    "float": (lambda x: float(x) / 2, [4, -9], [2.0, -4.5]),
    "round": (lambda x: round(x), [0.5, 1.5, -2.5], [0, 2, -2]),
    "floor": (lambda x: math.floor(x) + 1, [1.5, -1.5], [2, -1]),
    "sqrt": (lambda x: math.sqrt(x), [4.0, -1.0], [2.0, np.nan]),
    "log": (lambda x: math.log(x, 2), [8, 2], [3.0, 1.0]),
    "erf": (lambda x: math.erf(x), [0.0, 1.0], [0.0, math.erf(1)]),
    "types": (lambda x: np.int64(x) * 2, [1.5, 2.5], [2, 4]),
    "where": (lambda x: np.where(x > 2, x, -x), [1, 3], [-1, 3]),
    "bool": (lambda x: 3 if bool(x) and x > 1 else 4, [0, 1, 2], [4, 4, 3]),
    "helper": (lambda x: twice(x) + 1, [1.5, 2.0], [5, 5]),
}


def twice(x: Any) -> Any:
    """A function that an operator's function calls."""
    return 2 * math.ceil(x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_s_functions_of_numbers_are_followed(device: str, name: str) -> None:
    function, given, wanted = FUNCTIONS[name]
    got = Vector.from_dense(given, device=device).apply(unary.register_anonymous(function)).new()
    assert got.to_coo()[1].dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(got.to_coo()[1], wanted, rtol=1e-15)


def test_integers_beyond_those_of_floats_are_chosen_exactly(device: str) -> None:
    """What np.where makes of two numbers is an array of no dimension, and was read as a float."""
    v = Vector.from_coo([0, 1], [2**62 - 1, 3], device=device)
    chosen = unary.register_anonymous(lambda x: np.where(x > 3, x, x + 1))
    assert v.apply(chosen).new().to_coo()[1].tolist() == [2**62 - 1, 4]
    exponents = Vector.from_coo([0, 1], [21, 39], device=device)
    bases = Vector.from_coo([0, 1], [7, 3], device=device)
    assert binary.rpow(exponents & bases).new().to_coo()[1].tolist() == [7**21, 3**39]


def collatz(n: Any) -> Any:
    """How many steps the sequence of Collatz takes: a loop that no symbol can follow."""
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_loops_are_called_for_every_element_or_refused_where_they_cannot_be(device: str) -> None:
    v = Vector.from_coo([0, 3], [6, 7], size=5, device=device)
    w = Vector.from_coo([0], [1], size=5, device=device)
    counted = unary.register_anonymous(collatz)
    assert v.apply(counted).dtype == INT64
    if device == "cuda":
        with pytest.raises(UdfParseError, match="GPU"):
            w << v.apply(counted)
        assert w.to_dict() == {0: 1}
    else:
        w << v.apply(counted)
        assert w.to_dict() == {0: 8, 3: 16}


def test_types_of_users_operators_keep_their_size() -> None:
    more = unary.register_anonymous(lambda x: x + 1)
    assert more.types[INT8] == INT8
    assert more.types[BOOL] == INT8
    assert more.types[UINT64] == UINT64
    assert unary.register_anonymous(lambda x: x / 2).types[FP32] == FP32
    assert unary.register_anonymous(lambda x: x / 2).types[INT8] == FP64
    assert more[int] is more["INT64"]
    assert more[int].orig_func is more.orig_func


def test_what_is_no_function_of_numbers_is_refused() -> None:
    v = Vector.from_dense([1, 2])
    for bad in (lambda x: v, lambda x: "text", lambda x: x.real_part):
        with pytest.raises(UdfParseError, match="function"):
            unary.register_anonymous(bad)
    with pytest.raises(DomainMismatch, match="function"):
        unary.register_new("bad", object())
    assert not hasattr(unary, "bad")
    with pytest.raises(InvalidValue, match="BOOL"):
        select.register_new("bad", lambda x, i, j, t: x + t)
    assert not hasattr(indexunary, "bad")


def test_parameters(device: str) -> None:
    v = Vector.from_dense([1, 2, 3], device=device)
    plus = binary.register_anonymous(
        lambda x=0: lambda left, right: left + right + x, parameterized=True
    )
    assert plus(1) is plus(1)
    assert v.ewise_mult(v, plus).new().to_dict() == {0: 2, 1: 4, 2: 6}
    assert plus.monoid is None
    total = monoid.register_anonymous(plus, lambda x=0: -x, name="total")
    assert plus(1).monoid is total(1)
    assert v.reduce(total(1)).value == 8
    assert v.vxm(v.diag(), semiring.register_anonymous(total, plus)(1)).new().to_dict() == {
        0: 3,
        1: 5,
        2: 7,
    }
    with pytest.raises(InvalidValue, match="parameters"):
        monoid.register_anonymous(plus, lambda y=0: y)
    with pytest.raises(DomainMismatch):
        plus(no_such=1)


def test_names_with_dots_lazy_ones_and_those_that_are_taken(device: str) -> None:
    unary.register_new("of_tests.more", lambda x: x + 3)
    unary.register_new("of_tests.lazy", lambda x: x + 4, lazy=True)
    try:
        v = Vector.from_dense([1], device=device)
        assert v.apply("of_tests.more").new().to_dict() == {0: 4}
        assert unary.of_tests.lazy(v).new().to_dict() == {0: 5}
        assert op.of_tests.more is unary.of_tests.more
        for taken in ("of_tests", "of_tests.more", "identity.more"):
            with pytest.raises(NameTaken):
                unary.register_new(taken, lambda x: x)
        assert pickle.loads(pickle.dumps(unary.of_tests.more)) is unary.of_tests.more
    finally:
        del unary.of_tests, op.of_tests


def test_built_in_operators_are_themselves_after_copies_and_pickles() -> None:
    for one in (
        binary.plus,
        binary.plus[int],
        semiring.min_plus["FP32"],
        monoid.numpy.gcd[int],
        semiring.numpy.logaddexp2_hypot,
        binary.isclose,
        select.tril,
    ):
        assert pickle.loads(pickle.dumps(one)) is one
        assert copy.deepcopy(one) is one


def test_attributes() -> None:
    assert binary.plus[int].monoid is monoid.plus[int]
    assert binary.minus.monoid is None
    assert semiring.min_plus[int].monoid is monoid.min[int]
    assert binary.first.commutes_to is binary.second
    assert semiring.plus_pow.commutes_to is semiring.plus_rpow
    assert semiring.min_secondi.commutes_to is semiring.min_firstj
    assert monoid.min["INT8"].identity == 127
    assert monoid.min.is_idempotent
    assert not monoid.plus.is_idempotent
    assert binary.firsti.is_positional
    assert int in binary.plus
    assert float not in binary.bor
    assert repr(binary.plus[int]) == "binary.plus[INT64]"


def count_down(x: Any, y: Any) -> Any:
    """A product that no symbol can follow, since it loops as often as its argument says."""
    while x > 1:
        x = x - 2
    return x + y


#: Products by a function that cannot be followed, alone, as a sum, masked and of every form.
UNFOLLOWED_PRODUCTS: dict[str, Any] = {
    "mxv": lambda s, A, u: s(A @ u).new(),
    "vxm": lambda s, A, u: s(u @ A).new(),
    "mxm": lambda s, A, u: s(A @ A).new(),
    "mxm, masked": lambda s, A, u: s(A @ A).new(mask=A.S),
    "mxm, complemented mask": lambda s, A, u: s(A @ A).new(mask=~A.S),
    "diagonal": lambda s, A, u: s(u.diag() @ A).new(),
    "inner": lambda s, A, u: Vector.from_coo([0], [s(u @ u).new().value], device=u.device),
    "ewise_mult": lambda s, A, u: A.ewise_mult(A, s.binaryop).new(),
    "ewise_add": lambda s, A, u: u.ewise_add(u, s.binaryop).new(),
    "kronecker": lambda s, A, u: A.kronecker(A, s.binaryop).new(),
    "accumulated": lambda s, A, u: accumulated(u, A, s),
    "summed": lambda s, A, u: semiring.register_anonymous(
        monoid.register_anonymous(s.binaryop, 0), binary.times
    )(A @ u).new(),
    "reduced": lambda s, A, u: A.reduce_rowwise(monoid.register_anonymous(s.binaryop, 0)).new(),
}


def accumulated(u: Vector, A: Matrix, s: Any) -> Vector:
    """A product of operators that are followed, added by one that is not."""
    w = u.dup()
    w(s.binaryop) << semiring.plus_times(A @ u)
    return w


@pytest.mark.parametrize("product", UNFOLLOWED_PRODUCTS)
def test_products_by_loops_are_called_or_refused(product: str, device: str) -> None:
    A = Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 0], [5, 6, 7, 8], nrows=3, ncols=3)
    u = Vector.from_coo([0, 1, 2], [4, 3, 2])
    s = semiring.register_anonymous(monoid.plus, binary.register_anonymous(count_down))
    wanted = UNFOLLOWED_PRODUCTS[product](s, A.to("reference"), u.to("reference"))
    if device == "cuda":
        with pytest.raises(UdfParseError, match="GPU"):
            UNFOLLOWED_PRODUCTS[product](s, A.to(device), u.to(device)).wait()
    else:
        assert UNFOLLOWED_PRODUCTS[product](s, A.to(device), u.to(device)).isequal(
            wanted.to(device)
        )
