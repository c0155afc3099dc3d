"""Errors name arguments of the function that was called, not of those that it calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.base import memory
from spbfs.base.wording import said_of
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    OutOfMemory,
    SpbfsError,
    VertexError,
)

Call = Callable[[sb.Matrix], Any]
SPARSE = sp.coo_array(np.eye(3))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda A: sb.distances(A, out=np.zeros((5, 5))), DomainMismatch, "out: levels must be"),
        (lambda A: sb.distances(A, out=np.zeros((2, 2), "u1")), DimensionMismatch, "out: levels"),
        (lambda A: sb.distances(A, out=3), DomainMismatch, "out: "),
        (lambda A: sb.bfs(sp.csr_array(np.eye(3) * 1j), 0), DomainMismatch, "A: expected real"),
        (lambda A: sb.bfs(sp.coo_array(np.ones(3)), 0), DimensionMismatch, "A: expected two dim"),
        (lambda A: sb.bfs(A, SPARSE), DomainMismatch, "source: expected an array, got coo_array"),
        (lambda A: sb.bfs_many(A, SPARSE), DomainMismatch, "sources: expected an array, got coo_"),
        (lambda A: sb.modularity(A, None), DomainMismatch, "communities: .* an array, got None"),
        (lambda A: sb.modularity(A, {0: 1}), DomainMismatch, "communities: .* an array, got dict"),
        (lambda A: sb.harmonic(A, 9), IndexOutOfBound, "vertices: "),
    ],
)
def test_of_the_call(call: Call, error: type[SpbfsError], says: str, device: str) -> None:
    with pytest.raises(error, match=f"^{says}"):
        call(sb.generate.path(5).to(device))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda A: sb.distances(A, range(2000)), "out"),
        (lambda A: sb.closeness(A, samples=2000), "samples"),
    ],
)
def test_of_the_call_where_memory_is_short(
    call: Call, argument: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    A = sb.generate.kronecker(12, seed=1)
    monkeypatch.setattr(memory, "available_bytes", lambda: 1000)
    monkeypatch.setattr("spbfs.engines.cpu.bfs_many.searches.available_bytes", lambda: 1000)
    with pytest.raises(OutOfMemory, match=f"^{argument}: "):
        call(A)


def test_what_is_not_said_of_an_argument_stays() -> None:
    for error in (InvalidValue("batch: no"), InvalidValue("no colon"), InvalidValue()):
        with pytest.raises(InvalidValue) as raised, said_of(sources="vertices"):
            raise error
        assert raised.value is error and error.args in (("batch: no",), ("no colon",), ())
    with pytest.raises(VertexError, match=r"^vertices: 3 and 4$"), said_of(sources="vertices"):
        raise VertexError("sources: {} and {}", 3, 4)


def test_a_batch_is_automatic_for_betweenness_too(device: str) -> None:
    A = sb.generate.path(5).to(device)
    assert sb.betweenness(A, batch="auto").isequal(sb.betweenness(A, batch=64))
