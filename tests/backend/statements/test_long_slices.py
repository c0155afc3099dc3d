"""Slices of objects far longer than what they store: by arithmetic, as by their indices."""

from __future__ import annotations

from typing import Any

import pytest

import spbfs as sb

H = 2**40
SLICES = [
    slice(5, None),
    slice(None, H - 1),
    slice(None, None, 2),
    slice(None, None, -1),
    slice(6, None, -5),
    slice(-1, 4, -3),
    slice(5, None, 2**80),
    slice(H, None),
    slice(-2 * H, -3 * H, -1),
]


def entries(x: Any) -> Any:
    if x.ndim == 1:
        return x.to_dict()
    return {(i, j): x for i, line in x.to_dicts().items() for j, x in line.items()}


def where(chosen: slice) -> dict[int, int]:
    """What stands at each index that a slice names, of those that are stored in these tests."""
    there = range(*chosen.indices(H))
    return {i: there.index(i) for i in (0, 3, 5, 6, H - 2, H - 1) if i in there}


@pytest.fixture
def v(device: str) -> sb.Vector:
    return sb.Vector.from_coo([0, 5, H - 1], [6, 7, 8], size=H, device=device)


@pytest.fixture
def A(device: str) -> sb.Matrix:
    places = [0, 5, 6, H - 1], [H - 2, 3, 5, H - 1]
    return sb.Matrix.from_coo(*places, [6, 7, 8, 9], nrows=H, ncols=H, device=device)


@pytest.mark.parametrize("chosen", SLICES, ids=str)
def test_elements_are_extracted_from_a_long_vector(v: sb.Vector, chosen: slice) -> None:
    places = where(chosen)
    found = v[chosen].new()
    assert found.size == len(range(*chosen.indices(H)))
    assert found.to_dict() == {places[i]: x for i, x in v.to_dict().items() if i in places}


@pytest.mark.parametrize("chosen", SLICES, ids=str)
def test_elements_of_a_long_vector_are_written(v: sb.Vector, chosen: slice) -> None:
    places, old = where(chosen), v.to_dict()
    kept = {i: x for i, x in old.items() if i not in places}
    named = {i: 1 for i in old if i in places}
    masked, emptied, moved, summed, own = (v.dup() for _ in range(5))
    masked(v.S)[chosen] << 1
    assert masked.to_dict() == kept | named
    masked(v.S, replace=True)[chosen] << 2
    assert masked.to_dict() == kept | dict.fromkeys(named, 2)
    emptied[chosen] << sb.Scalar(int)
    assert emptied.to_dict() == kept
    del summed[chosen]
    assert summed.to_dict() == kept
    part = v[chosen].new()
    moved[chosen] << part
    assert moved.to_dict() == old
    moved[chosen]("plus") << part
    assert moved.to_dict() == {i: 2 * x if i in places else x for i, x in old.items()}
    own[chosen](part.S) << 3
    assert own.to_dict() == kept | dict.fromkeys(named, 3)
    if len(range(*chosen.indices(H))) > 10:
        with pytest.raises(sb.exceptions.OutOfMemory):
            own[chosen] << 1


@pytest.mark.parametrize("rows", SLICES, ids=str)
@pytest.mark.parametrize("columns", [slice(None), SLICES[0], SLICES[3], SLICES[4]], ids=str)
def test_rows_and_columns_of_a_large_matrix(A: sb.Matrix, rows: slice, columns: slice) -> None:
    at, across, old = where(rows), where(columns), entries(A)
    inside = {(i, j): x for (i, j), x in old.items() if i in at and j in across}
    kept = {place: x for place, x in old.items() if place not in inside}
    part = A[rows, columns].new()
    assert entries(part) == {(at[i], across[j]): x for (i, j), x in inside.items()}
    masked, emptied, moved, own = (A.dup() for _ in range(4))
    masked(A.S)[rows, columns] << 1
    assert entries(masked) == kept | dict.fromkeys(inside, 1)
    emptied[rows, columns] << sb.Scalar(int)
    assert entries(emptied) == kept
    moved[rows, columns] << part
    assert entries(moved) == old
    moved[rows, columns]("plus") << part
    assert entries(moved) == kept | {place: 2 * x for place, x in inside.items()}
    own[rows, columns](part.S, replace=True) << 3
    assert entries(own) == kept | dict.fromkeys(inside, 3)


@pytest.mark.parametrize("chosen", SLICES, ids=str)
def test_one_row_or_column_of_a_large_matrix(A: sb.Matrix, v: sb.Vector, chosen: slice) -> None:
    places = where(chosen)
    found = {places[j]: x for (i, j), x in entries(A).items() if i == 5 and j in places}
    assert A[5, chosen].new().to_dict() == found
    found = {places[i]: x for (i, j), x in entries(A).items() if j == 3 and i in places}
    assert A[chosen, 3].new().to_dict() == found
    row, column, part = A.dup(), A.dup(), v[chosen].new()
    row[5, chosen] << part
    column(v.S)[chosen, 3] << 4
    named = {i: x for i, x in v.to_dict().items() if i in places}
    kept = {(i, j): x for (i, j), x in entries(A).items() if i != 5 or j not in places}
    assert entries(row) == kept | {(5, j): x for j, x in named.items()}
    assert entries(column) == entries(A) | {(i, 3): 4 for i in named}


def test_a_range_is_a_slice(v: sb.Vector) -> None:
    assert v[range(5, H)].new().to_dict() == {0: 7, H - 6: 8}
    assert v[range(H - 1, -1, -5)].new().isequal(v[::-5].new())
    assert v[range(0)].new().size == 0
    assert v[range(-2, 0)].new().to_dict() == {1: 8}
    with pytest.raises(IndexError, match=f"below {H}, got {H}"):
        v[range(5, H + 1)]


def test_what_stood_in_the_brackets_may_stand_there_again(v: sb.Vector) -> None:
    for chosen in SLICES:
        key = v[chosen].resolved_indexes.py_indices
        assert v[key].new().isequal(v[chosen].new())
