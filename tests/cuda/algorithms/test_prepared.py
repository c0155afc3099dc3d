"""Launches that are prepared at the first call and kept with their matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.exceptions import OutOfMemory

CALLS = {
    "components": sb.components,
    "core numbers": sb.core_numbers,
    "colouring": sb.colouring,
    "independent set": sb.maximal_independent_set,
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_works_in_one_allocation(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it launches is prepared at the first call and kept."""
    A, call = sb.generate.kronecker(7, 6, seed=3).to("cuda"), CALLS[name]
    first = call(A)
    launches = A._ready().derived.launches
    assert launches is not None
    before = dict(launches)
    empty, asked = cp.empty, []

    def counted(*args: Any, **by_name: Any) -> Any:
        # CuPy itself, which makes arrays by it too, names the type.
        if not by_name:
            asked.append(args)
        return empty(*args, **by_name)

    monkeypatch.setattr(cp, "empty", counted)
    again = call(A)
    assert len(asked) == 2  # with the result
    assert launches == before
    assert again.isequal(first)
    # Another matrix has launches of its own.
    assert call(sb.generate.path(5).to("cuda")).to("cpu").isequal(call(sb.generate.path(5)))


def test_a_call_without_room_names_what_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = cp.empty

    def short(size: Any, dtype: Any = float) -> Any:
        if dtype == np.uint8:
            raise cp.cuda.memory.OutOfMemoryError(1 << 20, 1 << 20)
        return empty(size, dtype)

    A = sb.generate.grid2d(20).to("cuda")
    expected = sb.components(A)
    with monkeypatch.context() as within:
        within.setattr(cp, "empty", short)
        with pytest.raises(OutOfMemory, match=r"A: a label a vertex needs [\d,]+ bytes"):
            sb.components(A)
    assert sb.components(A).isequal(expected)


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_launched_for_no_vertices(name: str) -> None:
    found = CALLS[name](sb.Matrix(bool, 0, 0, device="cuda"))
    assert found.size == found.nvals == 0
