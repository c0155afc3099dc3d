"""Functions of C that NumPy lacks: compiled on the CPU, called for every element by Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

import spbfs as sb
from spbfs.engines.cpu.operators.programs import unary_program_of
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


def test_they_are_compiled_within_functions_of_a_user() -> None:
    op = sb.unary.register_anonymous(lambda x: math.erf(x) * 2 + x)[int]
    assert unary_program_of(op) is not None
    found = sb.Vector.from_dense([0, 1, 2]).apply(op).new()
    assert found.to_dense() == pytest.approx([math.erf(x) * 2 + x for x in range(3)])
    # What NumPy has is compiled, too.
    assert unary_program_of(sb.unary.register_anonymous(lambda x: x * 2 + 1)[int]) is not None
