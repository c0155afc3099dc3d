"""Functions of C: those that NumPy lacks, and those that it calls a value at a time as well."""

from __future__ import annotations

import math

import numpy as np
import pytest

import spbfs as sb
from spbfs.engines.cpu.operators.programs import program_of, unary_program_of
from spbfs.operators.traced import ufuncs

ODD = [0.0, -0.0, 1, -1, -2, 0.5, -1.5, 171, 172, -170.5, 1e-310, 1e308, np.inf, -np.inf, np.nan]
VALUES = np.concatenate([ODD, np.random.default_rng(1).normal(0, 20, 500)])


@pytest.mark.parametrize("name", ["erf", "erfc", "tgamma", "lgamma"])
def test_compiled_functions_are_those_of_python(name: str) -> None:
    op = sb.unary.from_string(name)[float]
    assert unary_program_of(op) is not None
    with np.errstate(all="ignore"):
        wanted = ufuncs.call(np, name, VALUES)
    found = sb.Vector.from_dense(VALUES).apply(op).new().to_dense()
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("name", ["hypot", "fmod", "copysign", "numpy.hypot", "numpy.fmod"])
def test_compiled_functions_are_those_of_numpy(name: str, dtype: str) -> None:
    """To the bit, whatever the two values are; NaNs are all one."""
    op = sb.binary.from_string(name)[dtype]
    assert program_of(op) is not None
    with np.errstate(all="ignore"):
        values = VALUES.astype(op.type.np_type)
        x, y = np.repeat(values, len(ODD)), np.tile(values[: len(ODD)], len(values))
        wanted = getattr(np, name.removeprefix("numpy."))(x, y)
    u, v = sb.Vector.from_dense(x), sb.Vector.from_dense(y)
    found = op(u & v).new().to_dense()
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)
    there = ~np.isnan(wanted)
    assert (np.signbit(found) == np.signbit(wanted))[there].all()


def test_they_are_compiled_within_functions_of_a_user() -> None:
    op = sb.unary.register_anonymous(lambda x: math.erf(x) * 2 + x)[int]
    assert unary_program_of(op) is not None
    found = sb.Vector.from_dense([0, 1, 2]).apply(op).new()
    assert found.to_dense() == pytest.approx([math.erf(x) * 2 + x for x in range(3)])
    op = sb.binary.register_anonymous(lambda x, y: np.hypot(x, y) + 1)[int]
    assert program_of(op) is not None
    u = sb.Vector.from_dense([3, 5, -8])
    assert op(u & u).new().to_dense() == pytest.approx(np.hypot([3, 5, 8], [3, 5, 8]) + 1)
    # What NumPy has is compiled, too.
    assert unary_program_of(sb.unary.register_anonymous(lambda x: x * 2 + 1)[int]) is not None
