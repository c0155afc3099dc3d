"""Vectors built of many entries in any order, some indices more than once, as NumPy folds them."""

from __future__ import annotations

from functools import reduce
from itertools import groupby

import numpy as np
import pytest

from spbfs import Matrix, Vector, binary

#: More than are sorted at once by NumPy.
COUNT = 6000
FOLDS = {
    "plus": lambda x, y: x + y,
    "first": lambda x, y: x,
    "second": lambda x, y: y,
    "minus": lambda x, y: x - y,
    "max": max,
}


@pytest.mark.parametrize("count", [5, 300, COUNT])
@pytest.mark.parametrize("size", [1, 15, 16, 17, 5000, 100_003, 2**31 + 5])
@pytest.mark.parametrize("name", [*FOLDS, "user"])
def test_equal_indices_are_folded_in_order(device: str, name: str, size: int, count: int) -> None:
    rng = np.random.default_rng(size)
    at = rng.integers(0, size, count)
    at[:2] = size - 1, 0
    values = rng.integers(-9, 9, count)
    order = at.argsort(kind="stable")
    fold = FOLDS.get(name, lambda x, y: x * 2 - y)
    wanted = {}
    with np.errstate(over="ignore"):
        for i, group in groupby(order.tolist(), key=at.__getitem__):
            wanted[int(i)] = reduce(fold, (values[k] for k in group))
    op = binary.register_anonymous(lambda x, y: x * 2 - y) if name == "user" else name
    u = Vector.from_coo(at, values, size=size, dup_op=op, device=device)
    assert u.nvals == len(wanted)
    indices, found = u.to_coo()
    assert dict(zip(indices.tolist(), found.tolist(), strict=True)) == wanted
    assert (np.diff(indices) > 0).all()


def test_one_value_for_all(device: str) -> None:
    rng = np.random.default_rng(0)
    at = rng.permutation(np.repeat(np.arange(0, 40_000, 10), 2))
    u = Vector.from_coo(at, 3, size=40_000, device=device)
    assert u.nvals == 4000 and u.reduce().new().value == 12_000
    v = Vector.from_coo(at, np.full(at.size, 3), size=40_000, dup_op="plus", device=device)
    assert v.nvals == 4000 and set(v.to_coo()[1].tolist()) == {6}


@pytest.mark.parametrize("count", [2, 60, 700, COUNT])
@pytest.mark.parametrize("name", [*FOLDS, "user"])
def test_equal_places_of_matrices_are_folded_in_order(device: str, name: str, count: int) -> None:
    rng = np.random.default_rng(count)
    op = binary.register_anonymous(lambda x, y: x * 2 - y) if name == "user" else name
    fold = FOLDS.get(name, lambda x, y: x * 2 - y)
    for nrows, ncols in ((1, 40), (40, 1), (30, 30), (100_000, 7), (7, 2**40)):
        rows, cols = rng.integers(0, nrows, count), rng.integers(0, ncols, count)
        values = rng.integers(-9, 9, count)
        wanted: dict[tuple[int, int], int] = {}
        places = zip(rows.tolist(), cols.tolist(), strict=True)
        with np.errstate(over="ignore"):
            for place, x in zip(places, values, strict=True):
                wanted[place] = fold(wanted[place], x) if place in wanted else x
        options = {"nrows": nrows, "ncols": ncols, "dup_op": op, "device": device}
        i, j, found = Matrix.from_coo(rows, cols, values, **options).to_coo()
        assert list(zip(i.tolist(), j.tolist(), strict=True)) == sorted(wanted)
        assert found.tolist() == [wanted[place] for place in sorted(wanted)]
