"""A reposition writes into where it moves elements to, as `C(...)[rows, columns] << x` does."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector

SHAPES = [(4, 4), (2, 5), (5, 3)]
OFFSETS = [0, 1, 3, -1, -2, 7, -7]


def window(offset: int, size: int, length: int) -> tuple[slice, slice]:
    """What of a side stays, and where it is then."""
    kept = [i for i in range(size) if 0 <= i + offset < length]
    if not kept:
        return slice(0, 0), slice(0, 0)
    first, last = kept[0], kept[-1] + 1
    return slice(first, last), slice(first + offset, last + offset)


def random(shape: tuple[int, ...], seed: int, device: str) -> Any:
    rng = np.random.default_rng(seed)
    places = np.nonzero(rng.random(shape) < 0.6)
    values = rng.integers(1, 99, places[0].size)
    if len(shape) == 1:
        return Vector.from_coo(*places, values, size=shape[0], device=device)
    return Matrix.from_coo(*places, values, nrows=shape[0], ncols=shape[1], device=device)


def ways(C: Any, mask: Any) -> list[tuple[Any, ...]]:
    options = [{}, {"accum": "plus"}, {"mask": mask.S}, {"mask": mask.S, "accum": "min"}]
    options += [{"mask": ~mask.S, "replace": True}, {"mask": C.S, "replace": True}]
    return [(C.dup(), C.dup(), more) for more in options]


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize(("size", "length"), SHAPES)
def test_of_a_vector(device: str, offset: int, size: int, length: int) -> None:
    v, w, m = (random((n,), n + k, device) for k, n in enumerate((size, length, length)))
    there, here = window(offset, size, length)
    for moved, assigned, options in ways(w, m):
        moved(**options) << v.reposition(offset, size=length)
        assigned(**options)[here] << v[there]
        assert moved.isequal(assigned, check_dtype=True)


@pytest.mark.parametrize(("down", "right"), list(product(OFFSETS, OFFSETS[:-2])))
def test_of_a_matrix(device: str, down: int, right: int) -> None:
    A, C, M = random((4, 3), 1, device), random((3, 5), 2, device), random((3, 5), 3, device)
    rows, columns = window(down, 4, 3), window(right, 3, 5)
    for moved, assigned, options in ways(C, M):
        moved(**options) << A.reposition(down, right, nrows=3, ncols=5)
        assigned(**options)[rows[1], columns[1]] << A[rows[0], columns[0]]
        assert moved.isequal(assigned, check_dtype=True)
    moved, assigned = random((5, 5), 4, device), random((5, 5), 4, device)
    rows, columns = window(down, 3, 5), window(right, 4, 5)
    moved << A.T.reposition(down, right, nrows=5, ncols=5)
    assigned[rows[1], columns[1]] << A.T[rows[0], columns[0]]
    assert moved.isequal(assigned)


def test_what_is_outside_of_the_window_stays(device: str) -> None:
    v = Vector.from_coo([0, 2], [1, -2], device=device)
    w = Vector.from_coo([0, 1, 2, 3], [9, 9, 9, 9], device=device)
    w << v.reposition(1, size=4)
    assert w.to_dict() == {0: 9, 1: 1, 3: -2}
    z = Vector.from_coo([1, 3], [9, 8], size=4, device=device)
    z(z.S, replace=True) << v.reposition(2, size=4)
    assert z.to_dict() == {1: 9}
    w << w.reposition(1)
    assert w.to_dict() == {0: 9, 1: 9, 2: 1}
