"""What every object can do: be referred to weakly, hashed, copied, named, waited for."""

from __future__ import annotations

import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from spbfs import Matrix, Scalar, Vector
from spbfs.exceptions import DomainMismatch, InvalidValue

A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 2, 3])
V = Vector.from_coo([0, 2], [4, 6], size=3)
S = Scalar.from_value(5)

OPERANDS: dict[str, Callable[[], Any]] = {
    "matrix": A.dup,
    "vector": V.dup,
    "transpose": lambda: A.dup().T,
    "matrix expression": lambda: A + 1,
    "vector expression": lambda: V + 1,
    "extraction": lambda: A[1, :],
}
SCALARS: dict[str, Callable[[], Any]] = {
    "scalar": S.dup,
    "reduction": V.reduce,
    "element": lambda: A[0, 1],
}
OTHERS: dict[str, Callable[[], Any]] = {"mask": lambda: V.S}


@pytest.mark.parametrize("kind", [*OPERANDS, *SCALARS, *OTHERS])
def test_weak_references(kind: str) -> None:
    made = (OPERANDS | SCALARS | OTHERS)[kind]()
    kept = weakref.WeakValueDictionary({"made": made})
    assert kept["made"] is made
    del made
    gc.collect()
    assert "made" not in kept


@pytest.mark.parametrize("kind", OPERANDS)
def test_hash_is_of_the_object_and_not_of_its_entries(kind: str) -> None:
    one, other = OPERANDS[kind](), OPERANDS[kind]()
    assert {one: 1, other: 2}[one] == 1 and hash(one) == hash(one)


@pytest.mark.parametrize("kind", SCALARS)
def test_scalars_have_no_hash(kind: str) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(SCALARS[kind]())


@pytest.mark.parametrize("kind", [*OPERANDS, *SCALARS])
def test_wait(kind: str) -> None:
    made = (OPERANDS | SCALARS)[kind]()
    for how in ("materialize", "complete", "Complete"):
        assert made.wait(how) is made
    for bad in ("badmode", 3, None):
        with pytest.raises(InvalidValue, match="how"):
            made.wait(bad)


def test_wait_applies_what_was_set() -> None:
    v = Vector(int, 3)
    v[1] = 5
    assert v.wait()._pending == {} and v.nvals == 1


@pytest.mark.parametrize("kind", OPERANDS)
def test_dup(kind: str) -> None:
    made = OPERANDS[kind]()
    same, floats = made.dup(name="same"), made.dup(float)
    assert same.isequal(made.new(), check_dtype=True) and same.name == "same"
    assert floats.isequal(made) and floats.dtype == "FP64" and floats.name is None
    for dtype in (None, "INT8"):
        empty = made.dup(dtype, clear=True, name="empty")
        assert (empty.nvals, empty.shape, empty.name) == (0, made.shape, "empty")
        assert empty.dtype == (dtype or made.dtype)
    some = made.dup(mask=same.V)
    assert some.isequal(same.dup(mask=same.V))
    some.clear()
    assert made.nvals == same.nvals > 0


@pytest.mark.parametrize("kind", SCALARS)
def test_dup_of_scalars(kind: str) -> None:
    made = SCALARS[kind]()
    same = made.dup(name="same")
    assert same.isequal(made, check_dtype=True) and same.name == "same"
    assert made.dup(float).isequal(float(made), check_dtype=True)
    assert made.dup(float).dtype == "FP64"
    empty = made.dup("INT8", clear=True)
    assert empty.is_empty and empty.dtype == "INT8"
    assert made.dup(is_cscalar=True).is_cscalar and made.dup().is_grbscalar
    assert (made.ndim, made.shape, made.nvals, empty.nvals) == (0, (), 1, 0)


def test_names_are_kept_and_can_be_set() -> None:
    for made in (A.dup(name="x"), V.dup(name="x"), S.dup(name="x")):
        copied = pickle.loads(pickle.dumps(made))
        assert copied.name == "x" and copied.isequal(made, check_dtype=True)
        made.name = "y"
        assert made.name == "y" and made.dup().name is None


@pytest.mark.parametrize("kind", OPERANDS)
def test_size_in_memory_is_not_guessed(kind: str) -> None:
    with pytest.raises(DomainMismatch, match="nbytes"):
        sys.getsizeof(OPERANDS[kind]())
